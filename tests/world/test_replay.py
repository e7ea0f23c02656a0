"""Checkpoints, forks and journals: every way to come to the same state comes to exactly the same."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_gym.environment.errors import EnvironmentFault, ToolError
from envfactory_gym.environment.task import RowPatch, Setup, SetupCall
from envfactory_gym.environment.tool import build_tool
from envfactory_gym.world import Journal, LiveWorld, Template, World

from .shop import TOOLS, dump, run, shop

SETUP = Setup(
    now="2026-06-01T00:00:00Z",
    rows=(RowPatch(table="p", key={"id": "p3"}, values={"v": 3}),),
    calls=(SetupCall(tool="draw"),),
)


def play(world: LiveWorld, seed: int, steps: int = 12) -> None:
    """An episode: writes, draws, refusals, faults and time, as the seed decides."""
    chance = random.Random(seed)
    for _ in range(steps):
        step, n = chance.randrange(8), chance.randrange(1, 4)
        if step < 3:
            run(
                world,
                f"UPDATE a SET v = v + {n}",
                f"INSERT INTO seq(v) VALUES ('s{n}')",
                f"UPDATE p SET v = v + {n} WHERE id = 'p{n}'",
            )
        elif step == 3:
            world.call("draw", {})
        elif step == 4:
            run(world, f"DELETE FROM p WHERE id = 'p{n + 1}'", f"INSERT INTO nopk VALUES ('u', {n})")
        elif step == 5:
            world.advance(n)
        elif step == 6:
            with pytest.raises(ToolError):
                world.call("refuse", {})
        else:
            with pytest.raises(EnvironmentFault):
                world.call(
                    "break_it", {"how": chance.choice(["integrity", "or rollback", "or rollback, hidden", "raise"])}
                )


# ---------------------------------------------------------------- checkpoints


def test_checkpoints_nest_and_serve_many_times(world: LiveWorld) -> None:
    states, points = [], []
    for seed in range(4):
        play(world, seed, steps=4)
        points.append(world.checkpoint())
        states.append((dump(world), world.digest(), world.now, world.minted, world.journal()))
    play(world, 9)
    for at in (3, 3, 1, 1, 0):
        world.restore(points[at])
        assert (dump(world), world.digest(), world.now, world.minted, world.journal()) == states[at]
        play(world, at)
    with pytest.raises(EnvironmentFault, match="checkpoint is gone"):
        world.restore(points[1])
    world.reset()
    with pytest.raises(EnvironmentFault, match="checkpoint is gone"):
        world.restore(points[0])


def test_a_checkpoint_belongs_to_its_world(template: Template, world: LiveWorld) -> None:
    other = template.acquire()
    world.checkpoint()
    with pytest.raises(EnvironmentFault, match="another world"):
        world.restore(other.checkpoint())
    other.close()


def test_what_follows_a_restore_is_as_if_nothing_had_been_between(template: Template, form: bool) -> None:
    straight, detour = template.acquire(seed=3, shared=form), template.acquire(seed=3, shared=form)
    for world in (straight, detour):
        play(world, 1)
    point = detour.checkpoint()
    play(detour, 2)
    detour.restore(point)
    for world in (straight, detour):
        play(world, 5)
    assert straight.journal() == detour.journal()
    assert straight.changes() == detour.changes()
    straight.close()
    detour.close()


# ---------------------------------------------------------------- forks


def test_a_fork_is_equal_and_independent(template: Template, form: bool) -> None:
    world = template.acquire(SETUP, seed=5, shared=form)
    play(world, 1)
    fork = world.fork()
    assert (dump(fork), fork.changes(), fork.digest(), fork.now, fork.minted, fork.journal()) == (
        dump(world), world.changes(), world.digest(), world.now, world.minted, world.journal(),
    )  # fmt: skip
    before = dump(world)
    first = fork.call("draw", {})
    play(fork, 2)
    assert dump(world) == before
    assert world.call("draw", {}) == first
    template.release(fork)
    template.release(world)


def test_a_tool_that_is_not_deterministic_is_found_out(cache: Path) -> None:
    calls = iter(range(100))

    def fickle(world: World) -> int:
        """Give another number each time."""
        return world.run("INSERT INTO seq(v) VALUES (?)", str(next(calls))) + next(calls)

    template = shop(cache, tools={**TOOLS, "fickle": build_tool(fickle)})
    world = template.acquire()
    world.call("fickle", {})
    with pytest.raises(EnvironmentFault, match="not deterministic"):
        world.fork()
    journal = world.journal()
    with pytest.raises(EnvironmentFault, match="digest"):
        template.replay(journal)
    with pytest.raises(EnvironmentFault, match="not deterministic"):
        world.call("break_it", {"how": "or rollback"})
    with pytest.raises(EnvironmentFault, match=r"cannot be used.*reset it"):
        world.digest()
    world.reset()
    assert world.changes() == {}
    template.close()


# ---------------------------------------------------------------- journals


def test_a_journal_survives_json_and_replays(template: Template, form: bool) -> None:
    world = template.acquire(SETUP, seed=11, shared=form)
    play(world, 4)
    world.call("only_user", "", actor="user")
    world.advance(5)
    journal = world.journal()
    read_back = Journal.model_validate_json(journal.model_dump_json())
    assert read_back == journal
    again = template.replay(read_back)
    assert (dump(again), again.journal(), again.now, again.minted) == (dump(world), journal, world.now, world.minted)
    assert again.call("draw", {}) == world.call("draw", {})
    world.close()
    again.close()


def test_a_journal_that_does_not_fit_is_refused(template: Template, tmp_path: Path) -> None:
    world = template.acquire()
    run(world, "UPDATE p SET v = 5")
    journal = world.journal()
    world.close()
    with pytest.raises(EnvironmentFault, match="written for world other"):
        template.replay(journal.model_copy(update={"world_hash": "other"}))
    with pytest.raises(EnvironmentFault, match="ends in digest"):
        template.replay(journal.model_copy(update={"digest": "0"}))
    with pytest.raises(EnvironmentFault, match="call 0 of the journal"):
        template.replay(journal.model_copy(update={"calls": (journal.calls[0].model_copy(update={"tool": "refuse"}),)}))
    with pytest.raises(ValueError, match="Extra inputs"):
        Journal.model_validate({**journal.model_dump(), "more": 1})


def echo(world: World, number: float) -> float:
    """Keep a number as text."""
    world.run("INSERT INTO seq(v) VALUES (?)", str(number))
    return number


def test_numbers_that_json_lacks_survive_a_journal(cache: Path) -> None:
    template = shop(cache, tools={"echo": build_tool(echo)})
    world = template.acquire()
    for text in ('{"number": NaN}', '{"number": Infinity}', '{"number": 1e-7}'):
        world.call("echo", text)
    journal = Journal.model_validate_json(world.journal().model_dump_json())
    assert dump(template.replay(journal)) == dump(world)
    template.close()


REPLAY = """
import sys
from pathlib import Path
from envfactory_gym.world import Journal
from tests.world.shop import shop

template = shop(Path(sys.argv[1]))
for line in sys.stdin:
    print(template.replay(Journal.model_validate_json(line)).digest())
"""


def test_other_processes_reach_the_same_digests(template: Template, checkout: Path, tmp_path: Path) -> None:
    journals = []
    for seed in range(6):
        world = template.acquire(SETUP if seed % 2 else Setup(), seed=seed)
        play(world, seed)
        journals.append(world.journal())
        template.release(world)
    lines = "\n".join(journal.model_dump_json() for journal in journals)
    for hash_seed in ("0", "1", "424242"):
        done = subprocess.run(
            [sys.executable, "-c", REPLAY, str(tmp_path)],
            input=lines, capture_output=True, text=True, check=False, timeout=60,
            cwd=checkout, env={**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(checkout)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert done.stdout.split() == [journal.digest for journal in journals]


# ---------------------------------------------------------------- side by side


def test_a_thousand_interleaved_worlds_end_as_they_do_alone(template: Template) -> None:
    scripts = [[(seed * 31 + step) % 997 for step in range(4)] for seed in range(40)]
    alone = []
    for seed, script in enumerate(scripts):
        world = template.acquire(seed=seed)
        for step in script:
            play(world, step, steps=1)
        alone.append((world.digest(), world.now, json.dumps(sorted(map(str, world.minted)))))
        template.release(world)
    worlds = [(number % 40, template.acquire(seed=number % 40, shared=number % 2 == 0)) for number in range(1000)]
    chance = random.Random(0)
    positions = [0] * 1000
    order = [number for number in range(1000) for _ in range(4)]
    chance.shuffle(order)
    for number in order:
        seed, world = worlds[number]
        play(world, scripts[seed][positions[number]], steps=1)
        positions[number] += 1
    for seed, world in worlds:
        assert (world.digest(), world.now, json.dumps(sorted(map(str, world.minted)))) == alone[seed]
        world.close()
