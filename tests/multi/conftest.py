"""A bundle of two desks, and the same bundle as something installed that commands and subprocesses find."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import gymnasium as gym
import pytest

import envfactory_gym
from envfactory_gym import Package
from envfactory_gym.environment import Bundle
from envfactory_gym.environment.trust import trust
from tests.multi import desks
from tests.support import LENDING


@pytest.fixture
def both(tmp_path: Path) -> Bundle:
    """Both desks as one, with all tasks."""
    return desks.bundle(tmp_path)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A search path with both desks, verified here, and the folder of their tasks, which it gives."""
    shelf = tmp_path / "shelf"
    shelf.mkdir()
    (shelf / "lending").symlink_to(LENDING)
    other = desks.workshop(shelf)
    folder = desks.write_tasks(shelf)
    monkeypatch.setenv("ENVFACTORY_PATH", str(shelf))
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "state"))
    for path in (LENDING, other):
        package = Package(path)
        trust(package.package_hash, package.name)
    before = dict(gym.registry)
    envfactory_gym.register()
    yield folder
    for name in set(gym.registry) - set(before):
        del gym.registry[name]
