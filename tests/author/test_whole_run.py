"""The whole way in one go, from two rules in a document to a package that is verified."""

from __future__ import annotations

from pathlib import Path

from envfactory_gym.environment import Package
from envfactory_gym.environment.trust import is_trusted

from .conftest import play
from .playing import Author, rooms


def test_an_author_who_makes_no_mistake_gets_to_verified(tmp_path: Path) -> None:
    found = play(tmp_path, Author(rooms()), tasks=12)
    assert (found.outcome.tier, found.outcome.why, found.outcome.state.revising.number) == ("verified", "", 0)
    package = Package(tmp_path / "out")
    assert package.report is not None and package.report["tier"] == "verified"
    assert len(package.tasks) >= 10 and all(task.certificate for task in package.tasks)
    assert not is_trusted(package.package_hash)  # what a sandbox says makes nobody run the code
    report = (tmp_path / "run" / "rooms" / "report.md").read_text()
    assert report.startswith("# rooms: verified") and "confirm: made up by the author" in report
