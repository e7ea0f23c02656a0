"""Templates: images that are built once and never touched, setups, and the pool."""

from __future__ import annotations

import gc
import os
import stat
import threading
import traceback
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.errors import EnvFactoryError, EnvironmentFault, PackageError, TaskError
from envfactory_gym.environment.task import RowPatch, Setup, SetupCall
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import LiveWorld, Template, World
from envfactory_gym.world import image as images

from .shop import NOW, ROWS, SCHEMA, TOOLS, dump, run, shop

# ---------------------------------------------------------------- the image


def test_an_image_is_kept_and_only_its_owner_may_read_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = shop(tmp_path)
    image = first.path.read_bytes()
    assert stat.S_IMODE(first.path.stat().st_mode) == 0o600
    first.close()
    monkeypatch.setattr(images, "build", lambda *_: pytest.fail("the image was built again"))
    second = shop(tmp_path)
    assert second.path.read_bytes() == image
    second.close()
    assert sorted(path.suffix for path in tmp_path.iterdir()) == [".db", ".digest"]


def test_a_damaged_image_is_built_again(tmp_path: Path) -> None:
    first = shop(tmp_path)
    image = first.path.read_bytes()
    first.close()
    first.path.write_bytes(image[:5000])
    second = shop(tmp_path)
    assert second.path.read_bytes() == image
    second.close()


def test_other_worlds_have_other_images(tmp_path: Path) -> None:
    templates = [
        shop(tmp_path),
        shop(tmp_path, world_hash="other"),
        shop(tmp_path, now="2026-05-15T09:00:00Z"),
        shop(tmp_path, rows={**ROWS, "mail": []}),
    ]
    assert len({template.path for template in templates}) == 4
    for template in templates:
        template.close()


def test_the_same_rows_give_the_same_bytes(tmp_path: Path) -> None:
    one, two = shop(tmp_path / "one"), shop(tmp_path / "two")
    assert one.path.read_bytes() == two.path.read_bytes()
    one.close()
    two.close()


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvFactoryError, match="ENVFACTORY_CACHE"):
        shop(tmp_path / "file" / "below")


def test_the_cache_folder_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_CACHE", str(tmp_path / "chosen"))
    template = shop(None)  # type: ignore[arg-type]
    assert template.path.parent == tmp_path / "chosen" / "worlds"
    template.close()


def small(rows: dict[str, list[dict[str, Any]]], cache: Path, ddl: str = "") -> Template:
    schema = read_schema(
        ddl
        or """
        CREATE TABLE city(name TEXT PRIMARY KEY NOT NULL, mayor INTEGER REFERENCES person(id)) STRICT;
        CREATE TABLE person(id INTEGER PRIMARY KEY, city TEXT REFERENCES city(name), tags TEXT, data BLOB) STRICT;
        """
    )
    return Template(schema, rows, tools={}, now=NOW, world_hash=repr(rows) + ddl, cache_dir=cache)


def test_rows_may_refer_to_each_other_in_any_order(tmp_path: Path) -> None:
    template = small(
        {"city": [{"name": "Oslo", "mayor": 1}], "person": [{"id": 1, "city": "Oslo", "tags": ["é", {"a": 1}]}]},
        tmp_path,
    )
    world = template.acquire()
    assert world.query("SELECT * FROM person") == [(1, "Oslo", '["é",{"a":1}]', None)]
    template.close()


@pytest.mark.parametrize(
    ("rows", "file", "says"),
    [
        ({"person": [{"id": 1}, {"id": 2, "city": "Atlantis"}]}, "data/person.jsonl:2", "refers to a row of city"),
        ({"person": [{"id": "one"}]}, "data/person.jsonl:1", "datatype mismatch"),
        ({"person": [{"id": 1}, {"id": 1}]}, "data/person.jsonl:2", "UNIQUE"),
        ({"person": [{"id": 1, "age": 3}]}, "data/person.jsonl:1", "no column 'age'"),
        ({"person": [{"id": 1 << 70}]}, "data/person.jsonl:1", "too large"),
        ({"person": [{"id": 1, "city": "\ud800"}]}, "data/person.jsonl:1", "surrogates"),
        ({"person": [{"id": 1, "data": {"a": 1}}]}, "data/person.jsonl:1", "cannot store TEXT"),
        ({"city": [{}]}, "data/city.jsonl:1", "NOT NULL"),
        ({"nowhere": [{"id": 1}]}, "data/nowhere.jsonl", "no such table"),
    ],
)  # fmt: skip
def test_a_row_that_does_not_fit_is_named(tmp_path: Path, rows: Any, file: str, says: str) -> None:
    with pytest.raises(PackageError, match=says) as caught:
        small(rows, tmp_path)
    assert str(caught.value).startswith(file)
    assert not list(tmp_path.iterdir())


class Kept:
    """What a template needs of a package."""

    world_hash = "kept"
    tools_from = 0
    manifest = SimpleNamespace(clock=NOW)
    schema = read_schema(SCHEMA)
    tools = TOOLS

    def rows(self, table: str) -> list[dict[str, Any]]:
        return ROWS.get(table, [])


def test_a_package_has_one_template_as_long_as_it_lives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_CACHE", str(tmp_path))
    package: Any = Kept()
    template = Template.of(package)
    world = template.acquire()
    assert Template.of(package) is template
    assert world.query("SELECT count(*) FROM p") == [(2,)]
    template.close()
    again = Template.of(package)
    assert again is not template
    kept, folder = weakref.ref(again), again.path.parent
    again.release(again.acquire())
    del again
    gc.collect()
    assert kept() is not None, "the pool outlives the episodes"
    del package
    gc.collect()
    assert kept() is None
    assert len(list(folder.glob("*.db"))) == 1


def test_a_table_cannot_have_the_name_of_the_log(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match=r"schema.sql \(EnvFactory_log\).*belong to the library"):
        small({}, tmp_path, "CREATE TABLE EnvFactory_log(id INTEGER PRIMARY KEY) STRICT;")


# ---------------------------------------------------------------- the file is never touched


def test_a_bulk_write_larger_than_any_cache_stays_out_of_the_file(template: Template) -> None:
    before = template.path.read_bytes()
    one, two = template.acquire(shared=True), template.acquire(shared=True)
    state = dump(two)
    grow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)"
    run(one, f"INSERT INTO seq(v) {grow} SELECT hex(zeroblob(500)) FROM n", "UPDATE p SET v = 77")
    assert template.path.read_bytes() == before
    assert dump(two) == state
    one.close()
    assert template.path.read_bytes() == before
    two.reset()
    assert dump(two) == state
    two.close()


def test_a_file_that_something_else_wrote_to_voids_its_worlds(tmp_path: Path) -> None:
    template = shop(tmp_path)
    world = template.acquire(shared=True)
    with template.path.open("r+b") as file:
        file.seek(3000)
        file.write(b"x")
        os.utime(file.fileno(), ns=(1, 1))
    for _ in range(2):
        with pytest.raises(EnvironmentFault, match="modified"):
            template.acquire(shared=True)
    assert not template.path.exists()
    for _ in range(7):
        world.reset()
    with pytest.raises(EnvironmentFault, match="modified"):
        world.reset()
    template.close()
    again = shop(tmp_path)
    assert again.acquire(shared=True).query("SELECT count(*) FROM p") == [(2,)]
    again.close()


def test_a_file_that_a_cleaner_deleted_comes_back(tmp_path: Path) -> None:
    template = shop(tmp_path)
    old = template.acquire(shared=True)
    template.path.unlink()
    new = template.acquire(shared=True)
    run(new, "UPDATE p SET v = 3")
    assert old.query("SELECT sum(v) FROM p") == [(3,)]
    assert dump(template.acquire(shared=False)) == dump(old)
    template.close()


# ---------------------------------------------------------------- setups

SETUP = Setup(
    now="2026-06-01T00:00:00Z",
    rows=(
        RowPatch(table="p", key={"id": "p3"}, values={"v": 3}),
        RowPatch(table="p", key={"id": "p1"}, values={"v": 10}),
        RowPatch(table="nullpk", key={"id": None}, values=None),
        RowPatch(table="c", key={"id": 9}, values={"p": "p3"}),
        RowPatch(table="seq", key={"id": 1}, values={"v": ["x", 1]}),
    ),
    calls=(SetupCall(tool="sql", arguments={"statements": ["UPDATE p SET v = v + 1 WHERE id = 'p3'"]}),),
)


def test_a_setup_is_applied_and_is_not_a_change_of_the_episode(template: Template, form: bool) -> None:
    world = template.acquire(SETUP, shared=form)
    assert world.query("SELECT * FROM p ORDER BY id") == [("p1", 10), ("p2", 2), ("p3", 4)]
    assert world.query("SELECT v FROM seq WHERE id = 1") == [('["x",1]',)]
    assert world.query("SELECT count(*) FROM nullpk") == [(1,)]
    assert (world.changes(), world.minted, world.journal().calls) == ({}, set(), ())
    assert world.now == "2026-06-01T00:00:00Z"
    base = dump(world)
    run(world, "UPDATE p SET v = 0")
    assert world.changes()["p", ("p3",)] == (("p3", 4), ("p3", 0))
    world.reset()
    assert dump(world) == base
    plain = template.acquire(shared=form)
    assert world.digest() != plain.digest()
    run(
        plain,
        "UPDATE p SET v = 10 WHERE id = 'p1'",
        "INSERT INTO p VALUES ('p3', 4)",
        "INSERT INTO c VALUES (9, 'p3', NULL)",
        "DELETE FROM nullpk WHERE id IS NULL",
        """UPDATE seq SET v = '["x",1]' WHERE id = 1""",
    )
    assert world.digest() == plain.digest()
    template.release(world)
    template.release(plain)


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        ({"rows": [{"table": "nowhere", "key": {"id": 1}}]}, "setup.rows\\[0\\].*nowhere"),
        ({"rows": [{"table": "p", "key": {"id": "p9"}}]}, "no such row to delete"),
        ({"rows": [{"table": "p", "key": {}, "values": {"v": 1}}]}, "key is empty"),
        ({"rows": [{"table": "p", "key": {"ident": 1}, "values": {"v": 1}}]}, "no column 'ident'"),
        ({"rows": [{"table": "nopk", "key": {"u": "u1"}}]}, "names 2 rows"),
        ({"rows": [{"table": "p", "key": {"id": "p1"}, "values": {"v": -1}}]}, "CHECK"),
        ({"rows": [{"table": "p", "key": {"id": "p1"}, "values": {"v": "x"}}]}, "cannot store TEXT"),
        (
            {
                "rows": [
                    {"table": "p", "key": {"id": "p1"}, "values": {}},
                    {"table": "c", "key": {"id": 5}, "values": {"p": "no"}},
                ]
            },
            "setup.rows\\[1\\].*FOREIGN KEY",
        ),
        ({"calls": [{"tool": "sqll"}]}, "setup.calls\\[0\\].*did you mean sql"),
        (
            {"calls": [{"tool": "read", "arguments": {"query": "SELECT 1"}}, {"tool": "refuse"}]},
            "setup.calls\\[1\\] \\(refuse\\): no",
        ),
        ({"calls": [{"tool": "break_it", "arguments": {"how": "or rollback"}}]}, "setup.calls\\[0\\] \\(break_it\\)"),
    ],
)
def test_a_setup_that_cannot_be_applied_is_the_fault_of_its_task(
    template: Template, form: bool, setup: Any, says: str
) -> None:
    with pytest.raises(TaskError, match=says):
        template.acquire(Setup.model_validate(setup), shared=form)
    world = template.acquire(shared=form)
    assert world.query("SELECT * FROM p ORDER BY id") == [("p1", 1), ("p2", 2)]
    world.close()


def test_a_setup_that_draws_ids_fits_its_own_seed_only(template: Template) -> None:
    drawing = Setup(calls=(SetupCall(tool="draw"),))
    one = template.acquire(drawing, seed=1)
    first = one.call("draw", {})
    assert one.minted
    template.release(one)
    two = template.acquire(drawing, seed=2)
    other = two.call("draw", {})
    template.release(two)
    again = template.acquire(drawing, seed=1)
    assert again.minted == set()
    assert again.call("draw", {}) == first != other
    template.release(again)


# ---------------------------------------------------------------- the pool


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[tuple[Template, list[str]]]:
    """A template whose tool counts how often a setup calls it."""
    seen: list[str] = []

    def note(world: World, text: str) -> None:
        """Count."""
        seen.append(text)
        world.run("INSERT INTO seq(v) VALUES (?)", text)

    template = shop(tmp_path, tools={**TOOLS, "note": build_tool(note)})
    yield template, seen
    template.close()


def test_a_returned_world_keeps_its_setup(counted: tuple[Template, list[str]]) -> None:
    template, seen = counted
    one, two = (Setup(calls=(SetupCall(tool="note", arguments={"text": text}),)) for text in "12")
    for seed in range(8):
        world = template.acquire(one, seed=seed)
        assert world.query("SELECT v FROM seq ORDER BY id DESC LIMIT 1") == [("1",)]
        run(world, "DELETE FROM seq")
        template.release(world)
    assert seen == ["1"]
    world = template.acquire(two)
    assert world.query("SELECT v FROM seq ORDER BY id DESC LIMIT 1") == [("2",)]
    template.release(world)
    template.release(template.acquire(one))
    assert seen == ["1", "2", "1"]


def test_a_world_is_not_used_after_its_end(template: Template) -> None:
    released, closed = template.acquire(), template.acquire()
    view, token = released.view, released.checkpoint()
    template.release(released)
    closed.close()
    closed.close()
    uses: list[Callable[[LiveWorld], object]] = [
        lambda w: w.call("read", {"query": "SELECT 1"}),
        LiveWorld.reset,
        LiveWorld.changes,
        LiveWorld.mark,
        LiveWorld.digest,
        LiveWorld.journal,
        LiveWorld.fork,
        LiveWorld.checkpoint,
        lambda w: w.restore(token),
        lambda w: w.now,
        lambda w: w.minted,
        lambda w: w.query("SELECT 1"),
        lambda w: w.advance(1),
        lambda w: w.view.now,
        lambda w: w.view.all("SELECT 1"),
        template.release,
    ]
    for world in (released, closed):
        for use in uses:
            with pytest.raises(EnvironmentFault, match=r"closed|released"):
                use(world)
    with pytest.raises(EnvironmentFault, match="closed"):
        view.run("DELETE FROM p")


def test_a_closed_template_closes_its_worlds_and_gives_no_more(tmp_path: Path) -> None:
    template = shop(tmp_path)
    world = template.acquire()
    template.close()
    template.close()
    with pytest.raises(EnvironmentFault, match="template is closed"):
        template.acquire()
    with pytest.raises(EnvironmentFault, match="closed"):
        world.call("read", {"query": "SELECT 1"})


def test_a_world_goes_back_to_its_own_template_only(template: Template, tmp_path: Path) -> None:
    other = shop(tmp_path)
    world = other.acquire()
    with pytest.raises(EnvironmentFault, match="another template"):
        template.release(world)
    other.close()


def test_threads_may_take_and_return_worlds_at_once(template: Template) -> None:
    failures: list[BaseException] = []

    def play(number: int) -> None:
        try:
            for turn in range(15):
                world = template.acquire(seed=number, shared=bool(turn % 2))
                run(world, f"UPDATE p SET v = {number}")
                assert world.query("SELECT DISTINCT v FROM p") == [(number,)]
                template.release(world)
        except BaseException as error:  # noqa: BLE001 - shown by the assertion below
            failures.append(error)

    threads = [threading.Thread(target=play, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, traceback.format_exception(failures[0])
