"""The tool library, ten tools over four tables, from its rules to `verified`, past mistakes at every stage.

Slow, so not among the tests of every change: `make test-authors`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify import verify

from .conftest import Run, play
from .playing import Author, fenced, toolshed

HARD_CODED = (
    '    loan = _open_loan(world, loan_id)\n    late_days = max(0, days_between(loan["due_on"], world.today))',
    '    loan = _open_loan(world, loan_id)\n    late_days = 3 if loan_id == "AAAAA7" else 0',
)
"""What a model does that has seen the expected answer: it writes it into the code, and every other case is wrong."""

WRONG_COLUMN = ("SELECT title, kind FROM tools WHERE tool_id", "SELECT title, sort FROM tools WHERE tool_id")
WRONG_EXPECTATION = ("late_days: 3, fee_cents: 450", "late_days: 3, fee_cents: 300")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """A whole run: wrong column, then answers in the code, and an example that contradicts the rules."""
    author = Author(
        toolshed(),
        {
            "propose": ["I would suggest a nice library."],
            "tools": [WRONG_COLUMN, HARD_CODED],
            "behaviours": [WRONG_EXPECTATION],
            "revise": [
                # The tools are mended, and the example is objected to; then its author corrects it.
                fenced("server.py", toolshed()["server.py"])
                + '\n```json\n{"disputes": [{"behaviour": "every late day costs a dollar and a half, and what was owed '
                'stays owed", "because": "[late-fee] every late day costs $1.50, and three were late"}]}\n```',
                fenced("behaviours.yaml", toolshed()["behaviours.yaml"]),
            ],
        },
    )
    return play(tmp_path_factory.mktemp("toolshed"), author)


def test_it_reaches_verified(built: Run) -> None:
    assert (built.outcome.tier, built.outcome.why) == ("verified", "")
    assert built.steps["propose/1"] == "unusable" and built.steps["tools/1"] == "failed"
    assert "no such column: sort" in built.evidence("tools/1")
    assert (built.steps["revise-1"], built.steps["revise-2"]) == ("code revised", "behaviours revised")


def test_what_was_wrong_was_found_by_execution(built: Run) -> None:
    evidence = built.author.prompts["revise-1/1"]
    assert "late_days" in evidence and "expected 300" in evidence
    assert "expected 300" in built.author.prompts["revise-2/1"]
    assert "three were late" in built.author.prompts["revise-2/1"]


def test_the_package_is_verified_by_whoever_asks(built: Run) -> None:
    folder = built.outcome.written
    assert isinstance(folder, Path)
    report = verify(Package(folder, trusted=True), jobs=2)
    assert report.tier == "verified" and len(report.certified) >= 10
    assert report.mutation != "not measured" and report.mutation.share > 0.9
