"""Random episodes against two plain models: copies of dict rows, and a second database that is simply copied."""

from __future__ import annotations

import copy
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.errors import EnvironmentFault, ToolError
from envfactory_gym.environment.task import RowPatch, Setup
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import Changes, LiveWorld, Template, World

from .shop import NOW, SCHEMA, as_difference, difference, dump, shop

# ---------------------------------------------------------------- a bank, in SQL and in dicts

BANK = """
CREATE TABLE account(name TEXT PRIMARY KEY NOT NULL, balance INTEGER NOT NULL CHECK (balance >= 0)) STRICT;
CREATE TABLE card(
    id INTEGER PRIMARY KEY,
    account TEXT NOT NULL REFERENCES account(name) ON DELETE CASCADE ON UPDATE CASCADE,
    code TEXT NOT NULL UNIQUE
) STRICT;
"""
NAMES = ["ann", "bob", "eve", "zoë"]
FAILURES = ["none", "refuse", "raise", "kill"]


def _fail(world: World, how: str) -> None:
    if how == "refuse":
        raise ToolError("conflict", "refused")
    if how == "raise":
        raise RuntimeError("broken")
    if how == "kill":
        world.run("INSERT OR ROLLBACK INTO account VALUES ((SELECT min(name) FROM account), 0)")


def put(world: World, name: str, balance: int, fail: str) -> None:
    """Open an account, or set its balance."""
    world.run("INSERT INTO account VALUES (?, ?) ON CONFLICT DO UPDATE SET balance = excluded.balance", name, balance)
    _fail(world, fail)


def rename(world: World, name: str, other: str, fail: str) -> None:
    """Rename an account; one of that name disappears, with its cards."""
    if name != other and world.value("SELECT 1 FROM account WHERE name = ?", name):
        world.run("DELETE FROM account WHERE name = ?", other)
        world.run("UPDATE account SET name = ? WHERE name = ?", other, name)
    _fail(world, fail)


def drop(world: World, name: str, fail: str) -> None:
    """Close an account, with its cards."""
    world.run("DELETE FROM account WHERE name = ?", name)
    _fail(world, fail)


def issue(world: World, name: str, fail: str) -> str:
    """Give out a card."""
    code = world.new_code("card.code", 4)
    if world.value("SELECT 1 FROM account WHERE name = ?", name) is None:
        raise ToolError("not_found", "no account", field="name")
    world.run("INSERT INTO card(account, code) VALUES (?, ?)", name, code)
    _fail(world, fail)
    return code


TOOLS = {tool.name: tool for tool in map(build_tool, (put, rename, drop, issue))}
ROWS: dict[str, list[dict[str, Any]]] = {
    "account": [{"name": "ann", "balance": 5}, {"name": "bob", "balance": 7}],
    "card": [{"id": 4, "account": "ann", "code": "AAAA"}],
}
SETUP = Setup(rows=(RowPatch(table="account", key={"name": "eve"}, values={"balance": 1}),))

Rows = dict[str, dict[Any, tuple[Any, ...]]]


class Model:
    """The bank in dicts; going back means keeping a deep copy."""

    def __init__(self) -> None:
        self.rows: Rows = {
            "account": {("ann",): ("ann", 5), ("bob",): ("bob", 7), ("eve",): ("eve", 1)},
            "card": {(4,): (4, "ann", "AAAA")},
        }
        self.issued: list[str] = []
        self.now = NOW

    def call(self, tool: str, arguments: dict[str, Any], result: str | None) -> None:
        """What a successful call does."""
        accounts, cards, name = self.rows["account"], self.rows["card"], arguments["name"]
        if tool == "put":
            accounts[name,] = (name, arguments["balance"])
        elif tool == "drop":
            self._drop(name)
        elif tool == "rename" and name != arguments["other"] and (name,) in accounts:
            other = arguments["other"]
            self._drop(other)
            accounts[other,] = (other, accounts.pop((name,))[1])
            for key, card in self.rows["card"].items():
                if card[1] == name:
                    self.rows["card"][key] = (card[0], other, card[2])
        elif tool == "issue":
            key = max((key for (key,) in cards), default=0) + 1
            cards[key,] = (key, name, str(result).strip('"'))
            self.issued.append(str(result))

    def _drop(self, name: str) -> None:
        self.rows["account"].pop((name,), None)
        self.rows["card"] = {key: card for key, card in self.rows["card"].items() if card[1] != name}

    def changes(self, before: Rows) -> Changes:
        """The difference, by comparing everything."""
        return {
            (table, key): (before[table].get(key), self.rows[table].get(key))
            for table in self.rows
            for key in before[table].keys() | self.rows[table].keys()
            if before[table].get(key) != self.rows[table].get(key)
        }


def refused(model: Model, tool: str, arguments: dict[str, Any]) -> bool:
    """Whether the call cannot succeed in this state."""
    if arguments["fail"] in ("refuse", "raise"):
        return True
    missing = (arguments["name"],) not in model.rows["account"]
    return tool == "issue" and missing


class Episodes(RuleBasedStateMachine):
    """Calls, failures, marks, checkpoints, resets, forks, time; after each step everything is compared."""

    shared = False
    template: Template
    marks: Bundle[Any] = Bundle("marks")
    points: Bundle[Any] = Bundle("points")

    def __init__(self) -> None:
        super().__init__()
        self.world: LiveWorld = self.template.acquire(SETUP, seed=3, shared=self.shared)
        self.model = Model()
        self.base = copy.deepcopy(self.model)
        self.count = 0
        self.alive: set[int] = set()
        self.stack: list[object] = []

    def teardown(self) -> None:
        self.template.release(self.world)

    names = st.sampled_from(NAMES)
    fails = st.sampled_from(FAILURES)

    def _call(self, tool: str, arguments: dict[str, Any]) -> None:
        try:
            result = self.world.call(tool, arguments)
        except (ToolError, EnvironmentFault):
            # "kill" only bites where there is a row to collide with.
            assert refused(self.model, tool, arguments) or arguments["fail"] == "kill"
            return
        assert not refused(self.model, tool, arguments)
        self.model.call(tool, arguments, result)

    @rule(name=names, balance=st.integers(0, 9), fail=fails)
    def put(self, name: str, balance: int, fail: str) -> None:
        self._call("put", {"name": name, "balance": balance, "fail": fail})

    @rule(name=names, other=names, fail=fails)
    def rename(self, name: str, other: str, fail: str) -> None:
        self._call("rename", {"name": name, "other": other, "fail": fail})

    @rule(name=names, fail=fails)
    def drop(self, name: str, fail: str) -> None:
        self._call("drop", {"name": name, "fail": fail})

    @rule(name=names, fail=fails)
    def issue(self, name: str, fail: str) -> None:
        self._call("issue", {"name": name, "fail": fail})

    @rule(seconds=st.integers(0, 5000))
    def advance(self, seconds: int) -> None:
        self.world.advance(seconds)
        self.model.now = self.world.now

    def _number(self) -> int:
        self.count += 1
        return self.count

    @rule(target=marks)
    def mark(self) -> Any:
        number = self._number()
        self.alive.add(number)
        return self.world.mark(), copy.deepcopy(self.model.rows), number

    @rule(mark=marks)
    def compare_with_mark(self, mark: Any) -> None:
        token, rows, number = mark
        if number not in self.alive:
            with pytest.raises(EnvironmentFault, match="mark is gone"):
                self.world.changes(token)
            return
        changes = self.world.changes(token)
        assert changes == self.model.changes(rows)
        assert {table for table, _ in changes} <= self.world.touched(token)

    @rule(target=points)
    def checkpoint(self) -> Any:
        point = self.world.checkpoint()
        self.stack.append(point)
        return point, copy.deepcopy(self.model), self._number()

    @rule(saved=points)
    def restore(self, saved: Any) -> None:
        point, model, number = saved
        if point not in self.stack:
            with pytest.raises(EnvironmentFault, match="checkpoint is gone"):
                self.world.restore(point)
            return
        self.world.restore(point)
        self.model = copy.deepcopy(model)
        del self.stack[self.stack.index(point) + 1 :]
        self.alive = {mark for mark in self.alive if mark < number}

    @rule()
    def reset(self) -> None:
        self.world.reset()
        self.model = copy.deepcopy(self.base)
        self.stack.clear()
        self.alive.clear()

    @rule()
    def fork(self) -> None:
        fork = self.world.fork()
        assert fork.journal() == self.world.journal()
        self.template.release(fork)

    @rule()
    def replay(self) -> None:
        self.template.release(self.template.replay(self.world.journal()))

    @rule()
    def another_episode_on_the_pool(self) -> None:
        other = self.template.acquire(SETUP, shared=self.shared)
        other.call("drop", {"name": "ann", "fail": "none"})
        self.template.release(other)

    @invariant()
    def everything_agrees(self) -> None:
        world, model = self.world, self.model
        assert world.changes() == model.changes(self.base.rows)
        assert world.now == model.now
        assert {f'"{code}"' for code in world.minted} == set(model.issued)
        assert sorted(world.query("SELECT * FROM account")) == sorted(model.rows["account"].values())
        assert sorted(world.query("SELECT * FROM card")) == sorted(model.rows["card"].values())


@pytest.mark.parametrize("shared", [False, True], ids=["private", "shared"])
def test_episodes_agree_with_copies_of_dicts(tmp_path: Path, shared: bool) -> None:
    template = Template(read_schema(BANK), ROWS, tools=TOOLS, now=NOW, world_hash="bank", cache_dir=tmp_path)
    image = template.path.read_bytes()
    machine = type("Episodes", (Episodes,), {"shared": shared, "template": template})
    run_state_machine_as_test(machine, settings=settings(max_examples=60, stateful_step_count=25))
    assert template.path.read_bytes() == image
    template.close()


# ---------------------------------------------------------------- any SQL, beside a copied database

small = st.integers(0, 4)
text = st.sampled_from(["k1", "k2", "p1", "p2", "p3", "x1", "u1", "zz"])
or_what = st.sampled_from(["", "OR IGNORE ", "OR REPLACE ", "OR FAIL "])


def _statements() -> st.SearchStrategy[str]:
    q = "'{}'".format
    return st.one_of(
        st.builds(lambda o, i, k, v: f"INSERT {o}INTO a VALUES ({i}, {q(k)}, {v})", or_what, small, text, small),
        st.builds(lambda o, i, k: f"UPDATE {o}a SET id = {i}, k = {q(k)} WHERE v < {i}", or_what, small, text),
        st.builds(lambda i: f"DELETE FROM a WHERE id >= {i}", small),
        st.builds(lambda o, x, y, v: f"INSERT {o}INTO b VALUES ({q(x)}, {q(y)}, {v})", or_what, text, text, small),
        st.builds(lambda x, y: f"UPDATE OR IGNORE b SET y = {q(x)}, v = v + 1 WHERE x <> {q(y)}", text, text),
        st.builds(lambda o, i, v: f"INSERT {o}INTO p VALUES ({q(i)}, {v})", or_what, text, small),
        st.builds(lambda o, i, j: f"UPDATE {o}p SET id = {q(i)} WHERE id = {q(j)}", or_what, text, text),
        st.builds(lambda i: f"DELETE FROM p WHERE id = {q(i)}", text),
        st.builds(lambda o, p, v: f"INSERT {o}INTO c(p, v) VALUES ({q(p)}, {v})", or_what, text, small),
        st.builds(lambda o, u: f"INSERT {o}INTO nopk SELECT {q(u)}, v FROM nopk LIMIT 2", or_what, text),
        st.builds(lambda i: f"DELETE FROM nopk WHERE rowid = {i}", small),
        st.builds(lambda i: f"UPDATE nullpk SET v = {i}, id = NULL WHERE v <> {i}", small),
        st.builds(lambda o, i, v: f"INSERT {o}INTO self(id, v) VALUES ({i}, {v})", or_what, small, small),
        st.builds(lambda i, v: f"UPDATE self SET v = {v} WHERE id = {i}", small, small),
        st.builds(lambda i: f"DELETE FROM self WHERE id = {i}", small),
        st.builds(lambda v: f"INSERT INTO seq(v) VALUES ({v}) RETURNING id", small),
        st.builds(lambda v: f"UPDATE gen SET v = {v}", small),
        st.builds(lambda v: f"UPDATE loose SET any = {v} + 0.0 WHERE id <= {v}", small),
        st.builds(lambda o, k: f"UPDATE {o}mail SET address = {q(k)} || char(65 + v % 3)", or_what, text),
        st.builds(lambda o, k, v: f"INSERT {o}INTO mail VALUES (upper({q(k)}), {v})", or_what, text, small),
        st.builds(lambda v: f"UPDATE trg SET v = {v}", small),
    )


def apply(world: World, statements: list[str], spoil: bool) -> int:
    """Run statements, go on after a broken constraint, and fail at the end if told to."""
    failed = 0
    for statement in statements:
        try:
            world.run(statement)
        except sqlite3.IntegrityError:
            failed += 1
    if spoil:
        raise ToolError("conflict", "spoilt")
    return failed


class Copied:
    """The same database without any of our machinery; going back means keeping its bytes."""

    def __init__(self, image: bytes) -> None:
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self.connection.deserialize(image)
        self.connection.execute("PRAGMA foreign_keys = ON")
        self.connection.execute("PRAGMA recursive_triggers = ON")

    def apply(self, statements: list[str]) -> None:
        for statement in statements:
            try:
                self.connection.execute(statement).fetchall()
            except sqlite3.IntegrityError:
                continue

    def rows(self, table: str) -> list[Any]:
        return sorted(self.connection.execute(f'SELECT * FROM "{table}"').fetchall(), key=repr)


calls = st.lists(st.tuples(st.lists(_statements(), min_size=1, max_size=4), st.booleans()), min_size=1, max_size=6)
CHECKED = ("a", "b", "p", "c", "nopk", "nullpk", "self", "seq", "gen", "loose", "mail", "trg", "trglog")


@pytest.fixture(scope="module")
def applying(cache: Path) -> Any:
    template = shop(cache, tools={"apply": build_tool(apply)})
    yield template
    template.close()


@settings(max_examples=150)
@given(episode=calls, shared=st.booleans())
def test_any_sql_does_what_it_does_on_a_plain_copy(applying: Template, episode: list[Any], shared: bool) -> None:
    world, plain = applying.acquire(shared=shared), Copied(applying.path.read_bytes())
    base = start = dump(world)
    mark = world.mark()
    for statements, spoil in episode:
        start, mark = dump(world), world.mark()
        try:
            world.call("apply", {"statements": statements, "spoil": spoil})
        except ToolError:
            assert dump(world) == start
        else:
            plain.apply(statements)
    after = dump(world)
    for table in CHECKED:
        assert sorted(world.query(f'SELECT * FROM "{table}"'), key=repr) == plain.rows(table)
    assert as_difference(world.changes()) == difference(base, after)
    assert as_difference(world.changes(mark)) == difference(start, after)
    again = applying.replay(world.journal())
    assert dump(again) == after
    for used in (again, world):
        applying.release(used)
    plain.connection.close()


def test_the_shop_is_played_as_it_is_declared() -> None:
    assert set(CHECKED) < set(read_schema(SCHEMA).tables)
