"""The tasks that span the airline and a compiled CRM: written, certified, and shipped exactly as written."""

from __future__ import annotations

from pathlib import Path

import pytest

import envfactory_gym
from envfactory_gym import Package
from envfactory_gym.construct.build import build
from envfactory_gym.environment import Bundle, TaskPrivate, load_package
from envfactory_gym.environment.bundle import ID
from generated_servers.multi.authoring import tasks as authoring


@pytest.fixture(scope="module")
def members(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """The airline and the CRM of the example document."""
    crm = tmp_path_factory.mktemp("compiled") / "crm"
    build(checkout / "examples" / "sources" / "apideck-crm.json", crm)
    airline = Package.load(checkout / "generated_servers" / "airline", trusted=True)
    return Bundle([airline, Package.load(crm, trusted=True)])


@pytest.fixture(scope="module")
def tasks(members: Bundle) -> list[TaskPrivate]:
    """The tasks as they are written."""
    return authoring.written(members)


def test_every_written_task_is_certified(members: Bundle, tasks: list[TaskPrivate]) -> None:
    assert list(authoring.failures(members, tasks)) == []
    assert len(tasks) >= 6
    assert {task.split for task in tasks} == {"train", "dev", "test"}
    assert all(task.twin is None or task.twin in {other.id for other in tasks} for task in tasks)


def test_every_task_needs_both(tasks: list[TaskPrivate]) -> None:
    for task in tasks:
        called = {call.tool.partition("__")[0] for turn in task.turns for call in turn.goal.calls}
        assert called == {"airline", "crm"}


def test_what_is_shipped_is_registered_and_nothing_else(checkout: Path) -> None:
    shipped = (checkout / "generated_servers" / "multi" / "tasks.jsonl").exists()
    assert (ID in envfactory_gym.register()) == shipped
    if shipped:
        package = load_package(ID)
        assert isinstance(package, Bundle)
        unpinned = {"world_hash": None, "rules_hash": None, "certificate": None}
        assert [task.model_copy(update=unpinned) for task in package.tasks] == authoring.written(package)
