"""Column policies are read from comments, inferred where there are none, and never lost in silence."""

from math import inf

import pytest

from envfactory_gym.environment import PackageError, parse_policy, read_schema

DDL = """
-- People.
CREATE TABLE people (
  id INTEGER PRIMARY KEY,
  code TEXT NOT NULL UNIQUE, -- printed on the card; compare: generated
  weight REAL, -- in kilograms; compare: number(0.1)
  note TEXT -- compare: text(ignored)
) STRICT;
CREATE TABLE visits (
  person INTEGER NOT NULL REFERENCES people (id),
  day TEXT NOT NULL, -- compare: time(86400)
  PRIMARY KEY (person, day)
) STRICT, WITHOUT ROWID;
CREATE TABLE loose (a TEXT, b TEXT);
"""


def test_policies_keys_and_references():
    schema = read_schema(DDL)
    people, visits, loose = schema.tables["people"], schema.tables["visits"], schema.tables["loose"]
    assert [str(column.policy) for column in people.columns] == [
        "generated",
        "generated",
        "number(0.1)",
        "text(ignored)",
    ]
    assert people.column("code").comment == "printed on the card"
    assert people.comment == "People."
    assert (people.key, visits.key, loose.key) == (("id",), ("person", "day"), ("rowid",))
    assert visits.column("person").references == "people.id"


@pytest.mark.parametrize("text", ["a;b", "a -- b", "it''s; -- compare: ignore"])
def test_what_stands_in_quotes_is_neither_an_end_nor_a_comment(text):
    schema = read_schema(
        f"CREATE TABLE t (id INTEGER PRIMARY KEY,\n  state TEXT CHECK (state IN ('{text}', 'b')),  -- Its state; compare: ignore\n"
        "  price REAL -- What it costs; compare: number(0.01)\n) STRICT;"
    )
    assert [str(one.policy) for one in schema.tables["t"].columns] == ["generated", "ignore", "number(0.01)"]
    assert schema.tables["t"].column("state").comment == "Its state"


@pytest.mark.parametrize(
    "text", ["exact", "number(0.01)", "text(ignored)", "text(contains)", "time(60)", 'one_of(["a", 1])', "where(a > 1)", "generated", "ignore"]
)  # fmt: skip
def test_policies_round_trip(text):
    assert str(parse_policy(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "exactly",
        "number",
        "number(0)",
        "number(-1)",
        "number(inf)",
        "number(nan)",
        "text()",
        "time(0)",
        "one_of([])",
        "where( )",
    ],
)
def test_what_is_no_policy_is_refused(text):
    with pytest.raises(ValueError):
        parse_policy(text)


def test_numbers_are_counted_in_quanta_whatever_their_size():
    canonical = parse_policy("number(0.01)").canonical
    assert canonical(1.0) == canonical(1.001) != canonical(1.02)
    assert canonical(inf) == inf
    assert canonical(-inf) == -inf
    # More quanta than a float can count: still a number of its own, equal to no other.
    assert len({canonical(1e306), canonical(1e308), canonical(-1e308), canonical(inf)}) == 4


@pytest.mark.parametrize(
    ("ddl", "message"),
    [
        ("CREATE TABLE t (a TEXT, b TEXT -- compare: ignore\n);", "one column a line"),
        ("CREATE TABLE t (\n a TEXT, -- compare: sometimes\n b TEXT\n);", "not a column policy"),
        ("CREATE TABLE t (\n a REAL\n);", "REAL"),
        ("CREATE TABLE t (\n a TEXT UNIQUE ON CONFLICT ROLLBACK\n);", "ON CONFLICT ROLLBACK"),
        ("CREATE TABLE t (a TEXT); CREATE TRIGGER g BEFORE INSERT ON t BEGIN SELECT RAISE(ROLLBACK, 'no'); END;", r"RAISE\(ABORT"),
        ("CREATE VIRTUAL TABLE r USING rtree(id, a, b); CREATE TABLE t (a TEXT);", "rtree"),
        ("SELECT 1;", "no table"),
    ],
)  # fmt: skip
def test_what_a_world_cannot_hold_is_refused(ddl, message):
    with pytest.raises(PackageError, match=message):
        read_schema(ddl)


def test_a_task_may_loosen_known_columns_only():
    schema = read_schema(DDL)
    assert str(schema.with_policies({"people.note": "exact"}).column("people.note").policy) == "exact"
    assert str(schema.column("people.note").policy) == "text(ignored)"
    with pytest.raises(KeyError):
        schema.with_policies({"people.nose": "ignore"})
