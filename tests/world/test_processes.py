"""Worlds and the process they live in: what does not travel, forks, and limits that are said aloud."""

from __future__ import annotations

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_gym.world import LiveWorld, Template

from .shop import NOW, ROWS, SCHEMA, run, shop

# ---------------------------------------------------------------- what does not travel


def test_worlds_and_templates_do_not_pickle_and_say_what_does(world: LiveWorld, template: Template) -> None:
    for thing in (world, world.view):
        with pytest.raises(TypeError, match="journal"):
            pickle.dumps(thing)
        with pytest.raises(TypeError, match="journal"):
            copy.deepcopy(thing)
    with pytest.raises(TypeError, match=r"Template\.of"):
        pickle.dumps(template)


def in_child(action: Callable[[], object]) -> str:
    """What an action says in a forked child."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            answer = str(action())
        except BaseException as error:  # noqa: BLE001 - the parent looks at it
            answer = f"{type(error).__name__}: {error}"
        os.write(writer, answer.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return answer


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_worlds_opened_before_a_fork_are_refused_in_the_child(
    world: LiveWorld, template: Template, tmp_path: Path
) -> None:
    run(world, "UPDATE p SET v = 5")
    for use in (
        lambda: run(world, "UPDATE p SET v = 6"),
        world.reset,
        world.changes,
        world.fork,
        world.journal,
        template.acquire,
        lambda: world.query("SELECT 1"),
        lambda: world.view.all("SELECT 1"),
    ):
        answer = in_child(use)
        assert answer.startswith("EnvironmentFault")
        assert "before os.fork()" in answer
    assert in_child(lambda: shop(tmp_path).acquire().query("SELECT sum(v) FROM p")) == "[(3,)]"
    assert world.query("SELECT DISTINCT v FROM p") == [(5,)]


# ---------------------------------------------------------------- file descriptors


def test_the_soft_limit_of_files_is_raised_when_it_is_reached(tmp_path: Path) -> None:
    assert limited(tmp_path, soft=40, hard=400, worlds=100, explicit=True) == "100 shared, limit 400"


def test_without_descriptors_worlds_are_private_and_a_warning_says_so(tmp_path: Path) -> None:
    answer = limited(tmp_path, soft=40, hard=40, worlds=60, explicit=False)
    assert answer.startswith("60 worlds, private among them; RuntimeWarning: no file descriptor left")
    assert "ulimit -Hn" in answer


def test_without_descriptors_a_shared_world_asked_for_by_name_is_an_error(tmp_path: Path) -> None:
    answer = limited(tmp_path, soft=40, hard=40, worlds=60, explicit=True)
    assert answer.startswith("EnvFactoryError: no further shared world can be opened")
    assert "shared=False" in answer


def limited(cache: Path, *, soft: int, hard: int, worlds: int, explicit: bool) -> str:
    """Open worlds in a process of its own that may open few files."""
    code = f"""
import resource, warnings
from pathlib import Path
from envfactory_gym.environment.columns import read_schema
from envfactory_gym.environment.errors import EnvFactoryError
from envfactory_gym.world import Template
import envfactory_gym.world.template as templates
templates.PRIVATE_UP_TO = 0
schema = read_schema({SCHEMA!r})
template = Template(schema, {ROWS!r}, tools={{}}, now={NOW!r}, world_hash="x", cache_dir={str(cache)!r})
resource.setrlimit(resource.RLIMIT_NOFILE, ({soft}, {hard}))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    try:
        worlds = [template.acquire(shared={True if explicit else None}) for _ in range({worlds})]
    except EnvFactoryError as error:
        print(f"{{type(error).__name__}}: {{error}}")
    else:
        assert {{world.query("SELECT sum(v) FROM p")[0][0] for world in worlds}} == {{3}}
        shared = sum(world._core.shared for world in worlds)
        if caught:
            assert len(caught) == 1 and 0 < shared < {worlds}
            print(f"{{len(worlds)}} worlds, private among them; {{caught[0].category.__name__}}: {{caught[0].message}}")
        else:
            print(f"{{shared}} shared, limit {{resource.getrlimit(resource.RLIMIT_NOFILE)[0]}}")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
