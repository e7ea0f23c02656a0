"""A call happens wholly or not at all, and nothing a tool does can reach beyond its call."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest

from envfactory_gym.environment.errors import BudgetExceeded, EnvironmentFault, ToolError
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import LiveWorld, Template, World
from envfactory_gym.world import budget as budgets

from .shop import NOW, TOOLS, WAYS, dump, run, shop

# ---------------------------------------------------------------- what a call gives


def test_arguments_may_be_an_object_or_json_text(world: LiveWorld) -> None:
    query = "SELECT id, v FROM p ORDER BY id"
    expected = '[{"id":"p1","v":1},{"id":"p2","v":2}]'
    for arguments in ({"query": query}, json.dumps({"query": query}), json.dumps({"query": query}).encode()):
        assert world.call("read", arguments) == expected


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "says"),
    [
        ("raed", {}, "not_found", "did you mean read?"),
        ("", {}, "not_found", "the tools are: break_it, draw, read, refuse, sql"),
        ("x" * 10_000, {}, "not_found", "There is no tool"),
        ("only_user", {}, "not_found", "no tool 'only_user'"),
        ("read", {}, "invalid", "needs the argument 'query'"),
        ("read", {"query": 1}, "invalid", "query"),
        ("read", {"query": "SELECT 1", "more": 1}, "invalid", "no argument 'more'"),
        ("read", '{"query": ', "invalid", "not valid JSON"),
        ("read", b"\xff\xfe", "invalid", "JSON"),
        ("read", "[1]", "invalid", "arguments: "),
        ("read", {"query": object()}, "invalid", "not JSON"),
        ("read", {"query": "\ud800"}, "invalid", "not JSON"),
    ],
)
def test_what_a_model_gets_wrong_is_a_tool_error(
    world: LiveWorld, tool: str, arguments: Any, code: str, says: str
) -> None:
    with pytest.raises(ToolError, match=says) as caught:
        world.call(tool, arguments)
    assert caught.value.code == code


def test_tools_of_the_user_are_for_the_user(world: LiveWorld) -> None:
    assert world.call("only_user", {}, actor="user") == "1"
    assert [call.actor for call in world.journal().calls] == ["user"]


def test_a_refusal_reaches_the_caller_as_the_tool_raised_it(world: LiveWorld) -> None:
    with pytest.raises(ToolError) as caught:
        world.call("refuse", {"code": "forbidden"})
    error = caught.value
    assert (error.code, error.message, error.field, error.reason) == ("forbidden", "no", "code", "because")


# ---------------------------------------------------------------- nothing is left of a failure


def everything(world: LiveWorld) -> tuple[Any, ...]:
    """All that a call may change."""
    return dump(world), world.changes(), world.digest(), world.transient(), world.minted, world.now, world.journal()


@pytest.mark.parametrize("way", WAYS)
def test_a_broken_tool_leaves_no_trace(world: LiveWorld, way: str) -> None:
    run(world, "UPDATE a SET v = 50 WHERE id = 1")
    drawn = world.call("draw", {})
    mark = world.mark()
    run(world, "INSERT INTO seq(v) VALUES ('before')")
    before, since = everything(world), world.changes(mark)
    with pytest.raises(EnvironmentFault, match="break_it") as caught:
        world.call("break_it", {"how": way})
    assert caught.value.tool == "break_it"
    assert everything(world) == before
    assert world.changes(mark) == since
    assert world.call("draw", {}) != drawn
    world.reset()
    run(world, "UPDATE a SET v = 50 WHERE id = 1")
    assert world.call("draw", {}) == drawn


@pytest.mark.parametrize("code", ["conflict", "forbidden", "not a code"])
def test_a_refusal_takes_ids_and_chance_back(world: LiveWorld, code: str) -> None:
    before = everything(world)
    with pytest.raises((ToolError, EnvironmentFault)):
        world.call("refuse", {"code": code})
    assert everything(world) == before
    first = world.call("draw", {})
    world.reset()
    assert world.call("draw", {}) == first


@pytest.mark.parametrize(
    ("way", "kind", "says"),
    [
        ("endless read", BudgetExceeded, "budget of SQL steps"),
        ("endless write", BudgetExceeded, "budget of SQL steps"),
        ("endless write, then refuse", BudgetExceeded, "budget of SQL steps"),
        ("or rollback", EnvironmentFault, "IntegrityError"),
        ("or rollback, then refuse", EnvironmentFault, "OR ROLLBACK"),
        ("commit, then refuse", EnvironmentFault, "COMMIT is not allowed"),
        ("exit", EnvironmentFault, "SystemExit"),
        ("recurse", EnvironmentFault, "RecursionError"),
        ("memory", EnvironmentFault, "MemoryError"),
        ("unspeakable", EnvironmentFault, "Unspeakable"),
        ("not json", EnvironmentFault, "not JSON"),
    ],
)
def test_a_fault_is_called_by_its_name(world: LiveWorld, way: str, kind: type[EnvironmentFault], says: str) -> None:
    run(world, "UPDATE a SET v = 50 WHERE id = 1")
    with pytest.raises(EnvironmentFault, match=says) as caught:
        world.call("break_it", {"how": way})
    assert type(caught.value) is kind


def test_a_fault_names_its_cause(world: LiveWorld) -> None:
    with pytest.raises(EnvironmentFault, match="break_it raised RuntimeError: boom") as caught:
        world.call("break_it", {"how": "raise"})
    assert isinstance(caught.value.__cause__, RuntimeError)


def test_an_interrupt_from_the_keyboard_goes_through_and_leaves_no_trace(cache: Any, form: bool) -> None:
    def interrupt(world: World) -> int:
        """Be interrupted."""
        world.run("DELETE FROM c")
        raise KeyboardInterrupt

    template = shop(cache, tools={**TOOLS, "interrupt": build_tool(interrupt)})
    world = template.acquire(shared=form)
    before = everything(world)
    with pytest.raises(KeyboardInterrupt):
        world.call("interrupt", {})
    assert everything(world) == before
    template.close()


def test_after_a_lost_transaction_checkpoints_and_marks_still_hold(world: LiveWorld) -> None:
    run(world, "UPDATE p SET v = 5 WHERE id = 'p1'")
    mark = world.mark()
    point = world.checkpoint()
    world.advance(60)
    world.call("draw", {})
    run(world, "UPDATE p SET v = 6 WHERE id = 'p1'")
    minted = world.minted
    with pytest.raises(EnvironmentFault, match="OR ROLLBACK"):
        world.call("break_it", {"how": "or rollback, hidden"})
    assert world.now == "2026-05-14T09:01:00Z"
    assert world.minted == minted
    assert world.changes(mark) == {("p", ("p1",)): (("p1", 5), ("p1", 6))}
    world.restore(point)
    assert world.now == NOW
    assert world.changes() == {("p", ("p1",)): (("p1", 1), ("p1", 5))}


# ---------------------------------------------------------------- budgets


def spin(world: World, seconds: float) -> int:
    """Loop in Python."""
    world.run("DELETE FROM c")
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        pass
    return 1


def stubborn(world: World) -> int:
    """Loop in Python, and catch what stops it."""
    while True:
        try:
            while True:
                pass
        except Exception:  # noqa: BLE001, S112 - what a bad tool does
            continue


def spree(world: World) -> int:
    """Many short statements."""
    while True:
        world.value("SELECT count(*) FROM a, a AS b, a AS c, a AS d, a AS e, a AS f")


def quick(world: World) -> int:
    """Nothing."""
    return 1


@pytest.fixture(scope="module")
def busy(cache: Any) -> Any:
    template = shop(cache, tools={tool.name: tool for tool in map(build_tool, (spin, stubborn, spree, quick))})
    yield template
    template.close()


def test_a_python_loop_is_stopped_after_two_seconds(busy: Template, monkeypatch: pytest.MonkeyPatch) -> None:
    world = busy.acquire()
    before = everything(world)
    begun = time.monotonic()
    with pytest.raises(BudgetExceeded, match="two seconds"):
        world.call("spin", {"seconds": 60.0})
    assert 1.5 < time.monotonic() - begun < 20
    assert everything(world) == before
    monkeypatch.setattr(budgets, "MAX_SECONDS", 0.3)
    with pytest.raises(BudgetExceeded):
        world.call("stubborn", {})
    assert everything(world) == before
    world.close()


def test_many_statements_share_one_budget(busy: Template, form: bool) -> None:
    world = busy.acquire(shared=form)
    with pytest.raises(BudgetExceeded, match="SQL steps"):
        world.call("spree", {})
    assert world.call("quick", {}) == "1"
    world.close()


def test_the_watchdog_never_hits_what_comes_after_a_call(busy: Template) -> None:
    """A second thread ends whatever call it sees, as fast as it can, while calls come and go."""
    world, dog, over = busy.acquire(), budgets.watchdog(), threading.Event()

    def hunt() -> None:
        while not over.is_set():
            for budget in list(dog.running.values()):
                budget.expire(budget.serial)
            time.sleep(0)

    hunter = threading.Thread(target=hunt)
    hunter.start()
    outcomes: list[str] = []
    try:
        for _ in range(4000):
            try:
                outcomes.append(world.call("quick", {}))
            except BudgetExceeded:
                outcomes.append("stopped")
            sum(range(5))
    finally:
        over.set()
        hunter.join()
    assert len(outcomes) == 4000
    assert set(outcomes) <= {"1", "stopped"}
    assert world.call("quick", {}) == "1"
    world.close()


# ---------------------------------------------------------------- threads and processes


def test_one_thread_at_a_time_but_any_thread(busy: Template) -> None:
    world = busy.acquire()
    results: list[Any] = []

    def use(action: Callable[[], Any]) -> None:
        try:
            results.append(action())
        except EnvironmentFault as error:
            results.append(str(error))

    first = threading.Thread(target=use, args=(lambda: world.call("spin", {"seconds": 0.5}),))
    first.start()
    time.sleep(0.15)
    use(lambda: world.call("quick", {}))
    use(world.reset)
    first.join()
    assert ["another thread" in str(result) for result in results] == [True, True, False]
    assert results[2] == "1"
    assert ("c", (1,)) in world.changes()
    world.close()
