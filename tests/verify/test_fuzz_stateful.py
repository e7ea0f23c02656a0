"""The fuzz as a state machine of hypothesis: the small package holds, and a broken one is reduced to its bone."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test

from envfactory_gym.environment import Package
from envfactory_gym.verify.fuzzing import Session
from envfactory_gym.verify.fuzzing.stateful import FuzzFailure, state_machine
from tests.support import copy_of_lending, lending

QUICK = settings(
    max_examples=40, stateful_step_count=20, database=None, deadline=None, derandomize=True,
    suppress_health_check=list(HealthCheck), report_multiple_bugs=False,
)  # fmt: skip
EXTEND = '    world.run("UPDATE loans SET due_on'


def test_the_small_package_holds_and_every_tool_gets_through():
    session = Session(lending())
    try:
        run_state_machine_as_test(state_machine(session.package, session), settings=QUICK)
        assert all(tally.succeeded >= 10 for tally in session.tallies.values())
        assert session.invariant_checks
    finally:
        session.close()


def test_a_fault_is_reduced_to_the_call_that_meets_it(tmp_path):
    package = Package.load(
        copy_of_lending(tmp_path, ("server.py", EXTEND, '    {"QF7KD": 1}[loan_id]\n' + EXTEND)), trusted=True
    )
    with pytest.raises(FuzzFailure) as caught:
        run_state_machine_as_test(state_machine(package), settings=QUICK)
    ((tool, arguments),) = caught.value.failure.steps
    assert tool == "extend_loan"
    assert arguments["loan_id"] != "QF7KD"
