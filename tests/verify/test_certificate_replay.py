"""The row `replay` catches tasks whose gold ends differently in another process; no other row can.

It is executed for a whole batch, by the check `determinism`, since it starts processes.
"""

import pytest

from envfactory_gym import Package
from envfactory_gym.verify import certify
from envfactory_gym.verify.checks import determinism
from tests.support import copy_of_lending

NOTE = (
    '    world.run("INSERT INTO notes (loan_id, body) VALUES (?, ?)", loan_id, {})\n    return _loan(world, loan_id)\n'
)
LAST = "    return _loan(world, loan_id)\n\n\ndef _member("
TASK = "return-sander"

FAULTS = {
    "a note with the hash of a text": NOTE.format("str(hash(loan_id))"),
    "a note with the first of a set": NOTE.format("next(iter({'worn', 'clean', 'scratched', 'broken', loan_id}))"),
    "a note with how many came before in this process": "    SEEN.append(loan_id)\n" + NOTE.format("str(len(SEEN))"),
}


@pytest.mark.parametrize("what", FAULTS)
def test_a_task_that_ends_differently_elsewhere_is_caught(tmp_path, what):
    edits = [
        ("server.py", LAST, FAULTS[what] + "\n\ndef _member("),
        ("server.py", "\nMemberId =", "\nSEEN = []\nMemberId ="),
    ]
    package = Package.load(copy_of_lending(tmp_path, *edits), trusted=True)
    task = package.task(TASK)
    assert certify(package, task).passed  # notes are not compared, and one process agrees with itself
    found = determinism.check(package, [task, package.task("due-drill-then-extend")])
    assert not found.passed
    assert any(line.startswith(f"{TASK}/") for line in found.evidence)
    assert found.remedy
