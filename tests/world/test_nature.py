"""Time, ids and chance come from the world alone: the same seed gives the same values everywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.environment.errors import EnvironmentFault
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import LiveWorld, Template, World

from .shop import run, shop

# ---------------------------------------------------------------- the clock


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("CURRENT_TIMESTAMP", "2026-05-14 09:00:00"),
        ("current_date", "2026-05-14"),
        ("current_time", "09:00:00"),
        ("datetime('now')", "2026-05-14 09:00:00"),
        ("datetime('NOW', '+1 day', 'start of day')", "2026-05-15 00:00:00"),
        ("datetime()", "2026-05-14 09:00:00"),
        ("date()", "2026-05-14"),
        ("date('now', 'localtime')", "2026-05-14"),
        ("datetime('2026-01-01 12:00:00', 'utc')", "2026-01-01 12:00:00"),
        ("time('now')", "09:00:00"),
        ("strftime('%Y/%m', 'now', '-1 month')", "2026/04"),
        ("strftime('%s')", "1778749200"),
        ("unixepoch('now')", 1778749200),
        ("julianday('now')", 2461174.875),
        ("date('2024-02-29', '+1 year')", "2025-03-01"),
        ("date('nonsense')", None),
        ("date(NULL)", None),
        ("datetime(0, 'unixepoch')", "1970-01-01 00:00:00"),
    ],
)
def test_sql_reads_the_clock_of_the_world(world: LiveWorld, expression: str, value: Any) -> None:
    assert world.query(f"SELECT {expression}") == [(value,)]


def test_defaults_read_it_too_and_base_rows_have_the_base_time(world: LiveWorld) -> None:
    world.advance(3600 * 24)
    run(world, "INSERT INTO stamp DEFAULT VALUES")
    assert world.query("SELECT at, day, hour FROM stamp ORDER BY id") == [
        ("2026-05-14 09:00:00", "2026-05-14", "09"),
        ("2026-05-15 09:00:00", "2026-05-15", "09"),
    ]
    assert world.query("SELECT id FROM stamp WHERE date(at) = date('now')") == [(2,)]


def test_the_clock_moves_forward_and_comes_back_on_reset(world: LiveWorld) -> None:
    world.advance(61)
    assert (world.now, world.view.now, world.view.today) == (
        "2026-05-14T09:01:01Z",
        "2026-05-14T09:01:01Z",
        "2026-05-14",
    )
    world.set_now("2027-01-01T00:00:00Z")
    assert world.view.today == "2027-01-01"
    with pytest.raises(ValueError, match="forward"):
        world.advance(-1)
    for wrong in ("2027-01-01", "2027-01-01 00:00:00", "2027-1-01T00:00:00Z", "2027-02-30T00:00:00Z", ""):
        with pytest.raises(ValueError, match="not a time of a world"):
            world.set_now(wrong)
    world.reset()
    assert world.now == "2026-05-14T09:00:00Z"


# ---------------------------------------------------------------- ids and chance


def codes(world: World, kind: str, count: int) -> list[str]:
    """Codes of a kind."""
    return [world.new_code(kind) for _ in range(count)]


def numbers(world: World, kind: str, low: int, high: int, count: int) -> list[int]:
    """Numbers of a kind, each put into its table."""
    found = []
    for _ in range(count):
        found.append(world.new_number(kind, low, high))
        world.run("INSERT INTO a(id) VALUES (?)", found[-1])
    return found


def spread(world: World, count: int) -> list[float]:
    """Chance."""
    return [world.chance("x") for _ in range(count)]


def code_of(world: World, length: int, alphabet: str) -> str:
    """A code of a given form."""
    return world.new_code("free", length, alphabet)


@pytest.fixture(scope="module")
def drawing(cache: Path) -> Any:
    template = shop(cache, tools={tool.name: tool for tool in map(build_tool, (codes, numbers, spread, code_of))})
    yield template
    template.close()


def test_the_draws_of_a_seed_are_known(drawing: Template) -> None:
    world = drawing.acquire(seed=7)
    assert world.call("codes", {"kind": "p.id", "count": 3}) == '["UCZCVN","AM2T6A","FUF6H6"]'
    assert world.call("spread", {"count": 2}) == "[0.31719058932107624,0.8835594739226773]"
    world.close()


def test_each_kind_counts_for_itself(drawing: Template) -> None:
    one, two, other = (drawing.acquire(seed=seed) for seed in (7, 7, 8))
    one.call("spread", {"count": 5})
    one.call("codes", {"kind": "free", "count": 5})
    first = one.call("codes", {"kind": "p.id", "count": 5})
    assert first == two.call("codes", {"kind": "p.id", "count": 5})
    assert first != other.call("codes", {"kind": "p.id", "count": 5})
    for world in (one, two, other):
        world.close()


def test_numbers_are_new_even_when_few_are_left(drawing: Template) -> None:
    world = drawing.acquire()
    given = json.loads(world.call("numbers", {"kind": "a.id", "low": 1, "high": 120, "count": 117}))
    assert sorted(given) == list(range(4, 121))
    assert world.minted == set(given)
    with pytest.raises(EnvironmentFault, match="every number from 1 to 120 is taken"):
        world.call("numbers", {"kind": "a.id", "low": 1, "high": 120, "count": 1})
    with pytest.raises(EnvironmentFault, match="at least 5 and at most 4"):
        world.call("numbers", {"kind": "a.id", "low": 5, "high": 4, "count": 1})
    world.close()


def test_codes_are_new(cache: Path) -> None:
    letters = "AB"

    def fill(world: World) -> list[str]:
        """Take every code of two letters."""
        found = []
        for _ in range(4):
            found.append(world.new_code("p.id", 2, letters))
            world.run("INSERT INTO p VALUES (?, 1)", found[-1])
        return found

    template = shop(cache, tools={"fill": build_tool(fill)})
    world = template.acquire()
    assert sorted(json.loads(world.call("fill", {}))) == ["AA", "AB", "BA", "BB"]
    with pytest.raises(EnvironmentFault, match="no free code"):
        world.call("fill", {})
    template.close()


@pytest.mark.parametrize(("length", "alphabet"), [(0, "AB"), (65, "AB"), (3, "A"), (3, "")])
def test_impossible_codes_are_refused(drawing: Template, length: int, alphabet: str) -> None:
    world = drawing.acquire()
    with pytest.raises(EnvironmentFault, match="1 to 64 characters"):
        world.call("code_of", {"length": length, "alphabet": alphabet})
    world.close()


def test_chance_is_spread_evenly(drawing: Template) -> None:
    world = drawing.acquire()
    values = json.loads(world.call("spread", {"count": 2000}))
    assert all(0 <= value < 1 for value in values)
    assert 0.48 < sum(values) / 2000 < 0.52
    world.close()


def test_minted_is_what_this_episode_made(drawing: Template) -> None:
    world = drawing.acquire()
    assert world.minted == set()
    made = set(json.loads(world.call("codes", {"kind": "p.id", "count": 2})))
    assert world.minted == made
    point = world.checkpoint()
    world.call("codes", {"kind": "p.id", "count": 2})
    world.restore(point)
    assert world.minted == made
    world.reset()
    assert world.minted == set()
    world.close()
