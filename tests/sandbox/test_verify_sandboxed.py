"""Verifying in a sandbox: the same findings as outside, the folder untouched, and an end to what does not end."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from envfactory_gym.environment import PackageError, load_package
from envfactory_gym.environment.hashing import package_hash
from envfactory_gym.verify import verify, verify_sandboxed
from envfactory_gym.verify.sandboxed import LIMITS

ONE_TASK = 1


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package of one's own: a copy of one that passes."""
    return Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))


def test_the_report_is_that_of_the_unsandboxed_command_and_the_folder_stays_as_it_was(folder: Path) -> None:
    before = package_hash(folder)
    tasks = [task.id for task in load_package(folder).tasks[:ONE_TASK]]
    found = verify_sandboxed(folder, tasks=tasks, checks=False)
    package = load_package("dns")
    here = verify(package, tasks=[package.task(name) for name in tasks], checks=False)
    assert found.passed, found.failures
    assert found.report is not None
    assert found.report.content() == here.content()
    assert package_hash(folder) == before


def test_a_package_that_cannot_be_read_is_a_finding_that_names_file_and_remedy(folder: Path) -> None:
    (folder / "environment.yaml").write_text("name: [", encoding="utf-8")
    found = verify_sandboxed(folder)
    assert not found.passed
    (failure,) = found.failures
    assert str(folder / "environment.yaml") in failure.evidence[0]


def test_what_does_not_end_is_ended_and_the_finding_says_so(folder: Path) -> None:
    server = folder / "server.py"
    server.write_text(server.read_text("utf-8") + "\n\nwhile True:\n    pass\n", encoding="utf-8")
    found = verify_sandboxed(folder, limits=LIMITS.model_copy(update={"wall_seconds": 3.0}))
    assert found.report is None
    assert "wall time" in found.stopped
    assert [failure.check for failure in found.failures] == ["sandbox"]


def test_a_missing_folder_is_an_error_before_anything_starts(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="no such package folder"):
        verify_sandboxed(tmp_path / "nowhere")
