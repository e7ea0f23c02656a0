"""A bundle's world: members that cannot touch each other, one clock, one digest, one journal."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_gym import Package
from envfactory_gym.environment import Bundle, EnvironmentFault, Setup, TaskError, ToolError
from envfactory_gym.environment.task import RowPatch
from envfactory_gym.world import Journal, LiveWorld, Template
from envfactory_gym.world.bundle import BundleTemplate, BundleWorld
from tests.multi import desks
from tests.support import LENDING

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def world(both: Bundle) -> BundleWorld:
    """A world of both desks."""
    template = Template.of(both)
    assert isinstance(template, BundleTemplate)
    return template.acquire(seed=3)


def act(world: LiveWorld) -> None:
    """One change at each desk, the second one first."""
    world.call("workshop__borrow_item", {"member_id": "M-104", "item_id": 8})
    world.call("lending__borrow_item", {"member_id": "M-104", "item_id": 7})
    world.call("workshop__return_item", {"loan_id": "W6TGD", "note": "A rung is loose."})


def test_everything_that_can_be_asked_of_a_world_can_be_asked_of_a_bundle() -> None:
    derived = {"changes", "transient", "touched"}  # from `happened`
    for whole, one in ((BundleWorld, LiveWorld), (BundleTemplate, Template)):
        public = {name for name, value in vars(one).items() if not name.startswith("_") and callable(value)}
        inherited = derived if one is LiveWorld else {"of", "replay"}
        assert public - inherited - set(vars(whole)) == set()


def test_a_call_changes_one_member_only(world: BundleWorld) -> None:
    world.call("workshop__extend_loan", {"loan_id": "H2MZP"})
    assert set(world.changes()) == {("workshop__loans", ("H2MZP",))}
    assert world.touched() == {"workshop__loans"}
    due = [world.query(f"SELECT due_on FROM {desk}__loans WHERE loan_id = 'H2MZP'") for desk in ("lending", "workshop")]
    assert due == [[("2026-03-20",)], [("2026-03-27",)]]


def test_one_clock_moves_all_members(world: BundleWorld) -> None:
    assert [part.now for part in world.worlds] == [desks.CLOCK] * 2
    world.advance(3600)
    assert world.now == "2026-03-12T10:00:00Z"
    assert [part.now for part in world.worlds] == [world.now] * 2
    world.set_now("2026-04-01T00:00:00Z")
    world.call("lending__borrow_item", {"member_id": "M-101", "item_id": 7})
    assert world.query("SELECT max(due_on) FROM lending__loans") == [("2026-04-15",)]


def test_a_setup_goes_to_the_members_it_names(both: Bundle) -> None:
    patch = RowPatch(table="workshop__loans", key={"loan_id": "T9XWA"}, values={"extended": 0})
    world = Template.of(both).acquire(Setup(now="2026-05-01T00:00:00Z", rows=(patch,)))
    extended = [
        world.query(f"SELECT extended FROM {d}__loans WHERE loan_id = 'T9XWA'") for d in ("lending", "workshop")
    ]
    assert extended == [[(1,)], [(0,)]]
    assert world.now == "2026-05-01T00:00:00Z"
    for wrong in (Setup(rows=(patch.model_copy(update={"table": "loans"}),)), Setup(rows=({"table": "x", "key": {}},))):
        with pytest.raises(TaskError, match=r"setup.rows\[0\]: no environment has a table"):
            Template.of(both).acquire(wrong)


def test_refusals_speak_in_prefixed_names(world: BundleWorld) -> None:
    with pytest.raises(ToolError) as forbidden:
        world.call("workshop__extend_loan", {"loan_id": "T9XWA"})
    assert forbidden.value.reason == "workshop/extend-once"
    with pytest.raises(ToolError) as conflict:
        world.call("workshop__return_item", {"loan_id": "K8VNS"})
    assert conflict.value.reason == "closed"
    with pytest.raises(ToolError, match="workshop__extend_loan needs the argument 'loan_id'"):
        world.call("workshop__extend_loan", {})
    with pytest.raises(ToolError, match="There is no tool 'extend_loan'; did you mean"):
        world.call("extend_loan", {"loan_id": "T9XWA"})


def test_ids_of_members_come_from_sequences_of_their_own(world: BundleWorld) -> None:
    act(world)
    codes = [
        world.query(f"SELECT loan_id FROM {desk}__loans WHERE item_id = {item} AND state = 'open'")[0][0]
        for desk, item in (("lending", 7), ("workshop", 8))
    ]
    assert codes[0] != codes[1]
    assert set(codes) <= world.minted


def test_a_journal_keeps_the_order_of_calls_and_leads_back_here(both: Bundle, world: BundleWorld) -> None:
    act(world)
    world.advance(60)
    journal = Journal.model_validate_json(world.journal().model_dump_json())
    assert [call.tool for call in journal.calls] == [
        "workshop__borrow_item", "lending__borrow_item", "workshop__return_item",
    ]  # fmt: skip
    again = Template.of(both).replay(journal)
    assert (again.digest(), again.now, again.changes()) == (world.digest(), world.now, world.changes())
    with pytest.raises(TypeError, match="journal"):
        pickle.dumps(world)


def test_going_back_takes_every_member_along(world: BundleWorld) -> None:
    start = world.digest()
    with world.trial():
        act(world)
        assert world.digest() != start
    assert (world.digest(), world.journal().calls) == (start, ())
    point = world.checkpoint()
    act(world)
    mark = world.mark()
    world.restore(point)
    assert (world.digest(), world.minted, world.journal().calls) == (start, set(), ())
    with pytest.raises(EnvironmentFault, match="mark is gone"):
        world.changes(mark)
    act(world)
    world.reset()
    assert (world.digest(), world.journal().calls) == (start, ())


def test_a_fork_goes_its_own_way(world: BundleWorld) -> None:
    act(world)
    other = world.fork()
    assert other.digest() == world.digest()
    other.call("lending__return_item", {"loan_id": "H2MZP"})
    assert other.digest() != world.digest()
    assert [call.tool for call in other.journal().calls][-1] == "lending__return_item"
    assert len(world.journal().calls) == 3


def test_bundles_and_single_worlds_do_not_disturb_each_other(both: Bundle, world: BundleWorld) -> None:
    here = both.packages[0]
    alone = Template.of(here).acquire()
    second = Template.of(both).acquire(seed=3)
    act(world)
    assert (alone.changes(), second.changes()) == ({}, {})
    alone.call("return_item", {"loan_id": "H2MZP"})
    act(second)
    assert second.digest() == world.digest()
    assert set(alone.changes()) == {("loans", ("H2MZP",)), ("items", (3,))}


def test_a_released_world_is_as_new(both: Bundle, world: BundleWorld) -> None:
    template, start = world.template, world.digest()
    act(world)
    template.release(world)
    with pytest.raises(EnvironmentFault, match="closed or released"):
        world.digest()
    taken = template.acquire()
    assert (taken.digest() == start, taken.changes()) == (True, {})
    alone = Template.of(both.packages[0]).acquire()
    with pytest.raises(EnvironmentFault, match="another template"):
        template.release(alone)


def test_reads_and_marks_are_told_by_prefixed_table(world: BundleWorld) -> None:
    with world.reads() as read:
        world.call("workshop__list_loans", {"member_id": "M-101"})
    assert read == {"workshop__members", "workshop__loans", "workshop__items"}
    world.call("workshop__extend_loan", {"loan_id": "H2MZP"})
    mark = world.mark()
    world.call("lending__return_item", {"loan_id": "H2MZP"})
    assert {table for table, _ in world.changes(mark)} == {"lending__loans", "lending__items"}


def test_digests_are_the_same_in_every_process(tmp_path: Path, world: BundleWorld) -> None:
    act(world)
    program = f"""
from envfactory_gym import Package
from envfactory_gym.environment import Bundle
from envfactory_gym.world import Template
packages = [Package({str(tmp_path / "workshop")!r}, trusted=True), Package({str(LENDING)!r}, trusted=True)]
from tests.multi.test_world import act
world = Template.of(Bundle(packages)).acquire(seed=3)
act(world)
print(world.digest())
"""
    for hash_seed in ("0", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=True
        )
        assert done.stdout.split() == [world.digest()]
    assert Package(LENDING).world_hash in world.journal().world_hash
