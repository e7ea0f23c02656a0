"""Playing gold and seeded random calls in fresh processes: same digests, whatever the hash seed.

Run as `python -m envfactory_gym.verify.replay FOLDER ORDER`, it prints one JSON object: task and
form → digest of the final state, and a digest of every result of a fixed random walk.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from ..environment import EnvFactoryError, EnvironmentFault, Package, TaskPrivate, ToolError
from ..environment.registry import open_package
from ..episode import UserForm
from ..world import Template
from .arguments import Candidates, sampled_arguments
from .certificate.context import TaskContext

HASH_SEEDS = ("0", "1", "4242")
"""PYTHONHASHSEED of the fresh processes; each also plays in another order."""

PYTHONS = ("3.11", "3.12", "3.13", "3.14")
"""Python versions looked for on the PATH."""

WALK = 200
"""Calls of the random walk that is compared across processes."""


def forms(task: TaskPrivate) -> tuple[UserForm, ...]:
    """The forms in which a task is certified."""
    return ("scripted", "solo") if task.solo else ("scripted",)


def gold_digest(package: Package, task: TaskPrivate, user: UserForm) -> str:
    """Digest of the final state and of every tool result of gold."""
    context = TaskContext(package, task, user)
    try:
        context.play([placed.message for placed in context.gold])
        results = "\n".join(call.result for call in context.episode.calls)
        return hashlib.blake2b(f"{context.episode.world.digest()}\n{results}".encode(), digest_size=16).hexdigest()
    finally:
        context.close()


def walk_digest(package: Package, *, seed: int = 0, calls: int = WALK) -> str:
    """Digest of all results and of the final state of a seeded random walk over the tools."""
    random = Random(seed)
    tools = list(package.tools.values())
    candidates = Candidates(package)
    world = Template.of(package).acquire(seed=seed)
    state = hashlib.blake2b(digest_size=16)
    try:
        for _ in range(calls):
            tool = tools[random.randrange(len(tools))]
            rows = candidates.of(tool)
            if rows and random.random() < 0.7:
                arguments = rows[random.randrange(len(rows))]
            else:
                arguments = next(sampled_arguments(world, tool, random))
            try:
                text = world.call(tool.name, arguments, actor=tool.actor)
            except (ToolError, EnvironmentFault) as error:
                text = f"{type(error).__name__}: {error}"
            state.update(f"{tool.name}\n{text}\n".encode())
        state.update(world.digest().encode())
        return state.hexdigest()
    finally:
        world.template.release(world)


def digests(package: Package, tasks: Sequence[TaskPrivate], order: int) -> dict[str, str]:
    """Digests of all tasks in all forms, played in an order of their own, and of the walk."""
    jobs = [(task, form) for task in tasks for form in forms(task)]
    Random(order).shuffle(jobs)
    found = {f"{task.id}/{form}": gold_digest(package, task, form) for task, form in jobs}
    return {"walk": walk_digest(package), **found}


@cache
def other_pythons() -> dict[str, str]:
    """Other Python versions on the PATH that have what this library needs: version → interpreter."""
    found = {}
    for version in PYTHONS:
        python = shutil.which(f"python{version}")
        if python is None or version == f"{sys.version_info.major}.{sys.version_info.minor}":
            continue
        probe = [python, "-c", "import envfactory_gym.verify.replay"]
        if subprocess.run(probe, capture_output=True, env=_environment("0"), timeout=60, check=False).returncode == 0:
            found[version] = python
    return found


def _environment(hash_seed: str) -> dict[str, str]:
    """The environment of a fresh process: this library on its path, and another seed of hashes."""
    root = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join(filter(None, (root, os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": path}


def fresh_digests(
    package: Package, tasks: Sequence[TaskPrivate], hash_seed: str, order: int, python: str = sys.executable
) -> dict[str, str]:
    """The same digests from a fresh process with another PYTHONHASHSEED, or of another Python.

    Raises:
        EnvFactoryError: The process failed; the message ends with its last lines.
    """
    names = json.dumps([task.id for task in tasks])
    done = subprocess.run(
        [python, "-m", "envfactory_gym.verify.replay", str(package.path), str(order)],
        input=names, capture_output=True, text=True, env=_environment(hash_seed), timeout=900, check=False,
    )  # fmt: skip
    if done.returncode:
        tail = "\n".join(done.stderr.strip().splitlines()[-5:])
        raise EnvFactoryError(f"replaying {package.name} in a fresh process failed:\n{tail}")
    found: dict[str, str] = json.loads(done.stdout)
    return found


def main(arguments: Sequence[str]) -> None:
    """Entry point of the fresh process."""
    folder, order = arguments
    package = open_package(folder, trusted=True)
    wanted: list[Any] = json.load(sys.stdin)
    found = digests(package, [package.task(name) for name in wanted], int(order))
    sys.stdout.write(json.dumps(found, sort_keys=True) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
