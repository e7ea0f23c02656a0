"""Databases: definitions of every dialect become tables and tools, and their rows become the world."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from envfactory_gym import Package, ToolError
from envfactory_gym.construct import BuildError, build
from envfactory_gym.construct.model import Model
from envfactory_gym.construct.reading import model_of, read
from envfactory_gym.world import Template

LIBRARY = """
-- A lending library
CREATE TABLE members (
  id INTEGER PRIMARY KEY AUTOINCREMENT, -- number on the card
  name TEXT NOT NULL,
  email VARCHAR(120) UNIQUE,
  joined DATE NOT NULL DEFAULT CURRENT_DATE,
  level TEXT NOT NULL CHECK (level IN ('child', 'adult', 'staff')),
  is_blocked INTEGER NOT NULL DEFAULT 0,
  password_hash TEXT
);
CREATE TABLE books (
  isbn CHAR(13) PRIMARY KEY, title TEXT NOT NULL, author TEXT, pages INT CHECK (pages > 0 AND pages <= 3000),
  price NUMERIC(8, 2), cover BLOB, title_length INT AS (length(title))
);
CREATE INDEX by_author ON books (author);
CREATE TABLE loans (
  id INTEGER PRIMARY KEY,
  member_id INT NOT NULL REFERENCES members (id),
  isbn CHAR(13) NOT NULL REFERENCES books,
  start_date DATE NOT NULL, end_date DATE, created_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE book_tags (
  isbn TEXT NOT NULL REFERENCES books (isbn) ON DELETE CASCADE, tag TEXT NOT NULL, PRIMARY KEY (isbn, tag)
);
CREATE TABLE readings (room TEXT, degrees REAL);
CREATE TRIGGER shorten AFTER INSERT ON loans BEGIN UPDATE books SET pages = 1; END;
"""
ROWS = """
INSERT INTO members (name, email, level) VALUES ('Ann; Lee', 'ann@example.org', 'adult'), ('Bob ''B'' Ray', NULL, 'child');
INSERT INTO books (isbn, title, pages, price) VALUES ('978-1', 'Emma', 300, 9.5), ('978-2', 'Dune', 600, 12);
INSERT INTO loans (id, member_id, isbn, start_date) VALUES (1, 1, '978-1', '2024-05-01'), (2, 99, '978-1', '2024-05-02');
INSERT INTO book_tags VALUES ('978-1', 'classic'), ('978-2', 'scifi');
"""


def script(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "library.sql"
    path.write_text(text)
    return path


def modelled(tmp_path: Path, text: str, only: tuple[str, ...] = ()) -> Model:
    return model_of(read(script(tmp_path, text)), "library", only)


def test_tables_keys_and_relations_are_as_defined(tmp_path: Path) -> None:
    model = modelled(tmp_path, LIBRARY)
    found = {one.table: (one.key_columns, one.minted, one.parent) for one in model.resources}
    assert found == {
        "members": (("id",), True, None),
        "books": (("isbn",), False, None),
        "loans": (("id",), True, None),
        "book_tags": (("isbn", "tag"), False, "books"),
        "readings": (("id",), True, None),
    }
    loans = model.resource("loans")
    assert {one.name: one.references for one in loans.fields if one.references} == {
        "member_id": "members", "isbn": "books",
    }  # fmt: skip
    assert loans.field("created_at").role == "created"
    assert model.resource("readings").assumptions == ("readings has no primary key: its rows are numbered in `id`.",)


def test_columns_have_the_kinds_and_rules_of_their_types_and_checks(tmp_path: Path) -> None:
    model = modelled(tmp_path, LIBRARY)
    members, books = model.resource("members"), model.resource("books")
    assert members.field("level").enum == ("child", "adult", "staff")
    assert (members.field("is_blocked").kind, members.field("joined").kind) == ("boolean", "date")
    assert members.field("email").unique and members.field("email").nullable
    assert (books.field("pages").minimum, books.field("pages").maximum) == (1, 3000)
    assert books.field("price").kind == "number"
    assert members.key_field.description == "number on the card."
    assert dict(members.left_out) == {"password_hash": "is a secret that no tool should show"}
    assert dict(books.left_out) == {"cover": "holds bytes", "title_length": "is computed by the database"}


def test_every_table_has_the_operations_that_its_key_allows(tmp_path: Path) -> None:
    model = modelled(tmp_path, LIBRARY)
    assert [tool.name for tool in model.resource("loans").tools] == [
        "list_loans", "get_loan", "create_loan", "update_loan", "delete_loan",
    ]  # fmt: skip
    assert [tool.verb for tool in model.resource("book_tags").tools] == ["list", "get", "create", "delete"]
    left = {one.operation.partition(" (")[0]: one.reason for one in model.left_out}
    assert left["UPDATE book_tags"] == "no column could be given to it"
    assert any("logic of the database" in reason for reason in left.values())
    filters = {one.argument for one in model.resource("books").listing.filters}
    assert {"query", "author"} <= filters


def test_rows_are_taken_with_their_defaults_and_only_where_they_hang_together(tmp_path: Path) -> None:
    model = modelled(tmp_path, LIBRARY + ROWS)
    members = model.resource("members").rows
    assert members[0] == {
        "id": 1, "name": "Ann; Lee", "email": "ann@example.org", "joined": "2026-05-14", "level": "adult",
        "is_blocked": False,
    }  # fmt: skip
    assert members[1]["name"] == "Bob 'B' Ray"
    loans = model.resource("loans")
    assert [row["id"] for row in loans.rows] == [1]
    assert any("loans has 2 rows, and the environment 1 of them" in text for text in loans.assumptions)


def test_only_names_tables_and_brings_what_they_refer_to(tmp_path: Path) -> None:
    model = modelled(tmp_path, LIBRARY, ("book_tags",))
    assert {one.table for one in model.resources} == {"books", "book_tags"}
    with pytest.raises(BuildError, match="no table is called 'nothing'"):
        modelled(tmp_path, LIBRARY, ("nothing",))


POSTGRES = """
SET client_encoding = 'UTF8';
CREATE TYPE public.mood AS ENUM ('sad', 'ok');
CREATE TABLE public.people (id integer NOT NULL, name text NOT NULL, mood public.mood, tags text[], seen timestamptz);
CREATE TABLE public.pets (id serial PRIMARY KEY, owner_id integer, label text DEFAULT 'no name');
COPY public.people (id, name, mood, tags, seen) FROM stdin;
1\tAnn\\tLee\tok\t{a,b}\t2024-05-01 10:30:00+02
2\tBob\t\\N\t\\N\t\\N
\\.
INSERT INTO public.pets (owner_id) VALUES (1);
ALTER TABLE ONLY public.people ADD CONSTRAINT people_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.pets ADD CONSTRAINT owner FOREIGN KEY (owner_id) REFERENCES public.people(id);
COMMENT ON COLUMN public.people.seen IS 'When last seen.';
CREATE FUNCTION f() RETURNS int AS $$ SELECT 1; SELECT 2; $$ LANGUAGE sql;
"""
MYSQL = """
CREATE TABLE `people` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'number', `name` varchar(40) NOT NULL, `is_new` tinyint(1),
  `mood` enum('sad','ok') DEFAULT 'ok', PRIMARY KEY (`id`), UNIQUE KEY `by_name` (`name`)
) ENGINE=InnoDB;
CREATE TABLE `pets` (`id` int AUTO_INCREMENT PRIMARY KEY, `owner_id` int, CONSTRAINT `o` FOREIGN KEY (`owner_id`)
  REFERENCES `people` (`id`));
INSERT INTO `people` VALUES (1, 'Ann\\'s', 1, 'ok'), (2, 'Bob', 0, 'sad');
INSERT IGNORE INTO shop.pets (owner_id) VALUES (1);
"""


@pytest.mark.parametrize("text", [POSTGRES, MYSQL], ids=["postgres", "mysql"])
def test_dumps_of_other_dialects_say_the_same(tmp_path: Path, text: str) -> None:
    model = modelled(tmp_path, text)
    people, pets = model.resource("people"), model.resource("pets")
    assert (people.key, people.minted, people.field("mood").enum) == ("id", True, ("sad", "ok"))
    assert pets.field("owner_id").references == "people"
    assert [row["id"] for row in people.rows] == [1, 2]
    assert [row["owner_id"] for row in pets.rows] == [1]


def test_values_of_dumps_are_read_as_their_dialect_writes_them(tmp_path: Path) -> None:
    first = modelled(tmp_path, POSTGRES).resource("people").rows[0]
    assert (first["name"], first["tags"], first["seen"]) == ("Ann\tLee", ["a", "b"], "2024-05-01T08:30:00Z")
    assert modelled(tmp_path, MYSQL).resource("people").rows[0]["name"] == "Ann's"


def test_a_dump_runs_nothing_but_its_inserts(tmp_path: Path) -> None:
    target = tmp_path / "stolen.db"
    evil = (
        f"CREATE TABLE items (id INTEGER PRIMARY KEY, b TEXT);\nATTACH DATABASE '{target}' AS x;\n"
        "INSERT INTO items (b) SELECT sql FROM pragma_database_list;\nINSERT INTO items (b) VALUES ('fine');\n"
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c) INSERT INTO items SELECT n, n FROM c;\n"
    )
    model = modelled(tmp_path, evil)
    assert not target.exists()
    assert [row["b"] for row in model.resource("items").rows] == ["fine"]
    assert any("rows cannot be read" in one.reason for one in model.left_out)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("CREATE VIEW v AS SELECT 1;", "no table is defined"),
        ("CREATE TABLE (((;", "no table is defined"),
        ("-- nothing\nSELECT 1;", "no table is defined"),
        ("CREATE TABLE a (b BLOB);", "no table of this database"),
    ],
)
def test_what_defines_no_table_is_refused(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(BuildError, match=says):
        modelled(tmp_path, text)


def database(path: Path) -> Path:
    with sqlite3.connect(path) as connection:
        connection.executescript(
            "CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT NOT NULL);"
            "CREATE TABLE albums (id INTEGER PRIMARY KEY, title TEXT NOT NULL, made DATETIME,"
            " artist_id INT NOT NULL REFERENCES artists (id));"
        )
        connection.executemany("INSERT INTO artists VALUES (?, ?)", [(n, f"Artist {n}") for n in range(1, 31)])
        connection.executemany(
            "INSERT INTO albums VALUES (?, ?, ?, ?)",
            [(n, f"Album {n}", f"19{n % 90 + 10}-03-04 00:00:00", n % 30 + 1) for n in range(1, 261)],
        )
    connection.close()
    return path


def test_a_sqlite_file_becomes_an_environment_with_its_rows(tmp_path: Path) -> None:
    source = database(tmp_path / "music.db")
    before = source.read_bytes()
    coverage = build(source, tmp_path / "music")
    assert source.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir() if one.name.startswith("music.db")] == ["music.db"]
    package = Package.load(tmp_path / "music", trusted=True)
    assert len(package.tools) == 10
    assert (tmp_path / "music" / "data" / "artists.jsonl").read_text().startswith('{"id": 1, "name": "Artist 1"}')
    assert any("albums has 260 rows" in text for text in coverage.assumptions)


def test_some_rows_can_be_deleted_though_every_row_is_referred_to(tmp_path: Path) -> None:
    model = model_of(read(database(tmp_path / "music.db")), "music")
    used = {row["artist_id"] for row in model.resource("albums").rows}
    free = {row["id"] for row in model.resource("artists").rows} - used
    assert 0 < len(free) < 10


def test_a_damaged_file_is_told_in_words(tmp_path: Path) -> None:
    (tmp_path / "broken.db").write_bytes(b"SQLite format 3\x00" + b"\xff" * 500)
    with pytest.raises(BuildError, match="cannot be read"):
        read(tmp_path / "broken.db")


KEPT = (
    "group order current_time table values select cast current_date current_timestamp if index limit raise references "
    "row to transaction when where window"
).split()


def test_words_that_sql_keeps_for_itself_are_columns_and_tables_like_any_other(tmp_path: Path) -> None:
    columns = ", ".join(f'"{word}" INT' for word in KEPT)
    text = f'CREATE TABLE "if" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, {columns});'
    source = script(tmp_path, text)
    build(source, tmp_path / "kept")
    package = Package.load(tmp_path / "kept", trusted=True)
    table = next(iter(package.schema.tables.values()))
    tools = package.environment.tools
    listing = next(tool for name, tool in tools.items() if name.startswith("list_"))
    changing = next(tool for name, tool in tools.items() if name.startswith("update_"))
    live = Template.of(package).acquire()
    key = live.query(f'SELECT min(id) FROM "{table.name}"')[0][0]
    given = {name: 7 for name in changing.input_schema["properties"] if name.rstrip("_") in KEPT}
    assert len(given) >= 18
    (argument,) = changing.input_schema["required"]
    changed = json.loads(live.call(changing.name, {argument: key, **given}))
    assert {changed[name] for name in given} == {7}
    for name in listing.input_schema["properties"]["sort_by"]["anyOf"][0]["enum"]:
        first = json.loads(live.call(listing.name, {"sort_by": name, "descending": True}))[table.name][0]
        assert first[name] == live.query(f'SELECT max("{name}") FROM "{table.name}"')[0][0]
    for name in given:
        assert json.loads(live.call(changing.name, {argument: key, "clear": name}))[name] is None


RULED = """
CREATE TABLE orders (
  id INTEGER PRIMARY KEY, title TEXT NOT NULL, placed_on DATE NOT NULL, shipped_on DATE, low INT, high INT, seat INT UNIQUE,
  CHECK (shipped_on IS NULL OR shipped_on >= placed_on), CHECK (low < high), CHECK (length(title) > 2),
  CHECK (low BETWEEN 1 AND 9), UNIQUE (title, placed_on)
);
"""


def test_dates_that_a_check_puts_in_order_stay_in_order(tmp_path: Path) -> None:
    build(script(tmp_path, RULED), tmp_path / "ruled")
    package = Package.load(tmp_path / "ruled", trusted=True)
    live = Template.of(package).acquire()
    with pytest.raises(ToolError) as caught:
        live.call("create_order", {"title": "Tea", "placed_on": "2026-05-02", "shipped_on": "2026-05-01"})
    assert (caught.value.field, caught.value.reason) == ("shipped_on", "dates-orders")
    live.call("create_order", {"title": "Tea", "placed_on": "2026-05-02", "shipped_on": "2026-05-02"})
    assert live.query("SELECT count(*) FROM orders WHERE shipped_on < placed_on") == [(0,)]
    assert "The shipped on of an order cannot lie before its placed on." in (package.path / "policy.md").read_text()


def test_rules_that_no_tool_holds_are_named(tmp_path: Path) -> None:
    told = modelled(tmp_path, RULED).resource("orders").assumptions
    rules = ("UNIQUE (title, placed_on)", "CHECK (LENGTH(title) > 2)", "UNIQUE (seat)", "CHECK (high >= low)")
    assert {one for one in told if "no tool holds" in one} == {
        f"orders has the rule `{rule}`, which no tool holds." for rule in rules
    }


def test_rows_that_break_an_order_of_dates_take_the_rule_with_them(tmp_path: Path) -> None:
    rows = "INSERT INTO orders (id, title, placed_on, shipped_on) VALUES (1, 'Tea', '2026-05-02', '2026-05-01');"
    table = modelled(tmp_path, RULED + rows).resource("orders")
    assert "orders has the rule `CHECK (shipped_on >= placed_on)`, which no tool holds." in table.assumptions
    assert table.rows[0]["shipped_on"] == "2026-05-01"


def test_rows_that_end_before_they_start_are_no_fault(tmp_path: Path) -> None:
    rows = "INSERT INTO loans (id, member_id, isbn, start_date, end_date) VALUES (7, 1, '978-1', '2024-05-03', '2024-05-01');"
    build(script(tmp_path, LIBRARY + ROWS + rows), tmp_path / "library")
    package = Package.load(tmp_path / "library", trusted=True)
    assert not [one for one in package.invariants if "end" in one.name]
