"""The score counts what behaviours notice, leaves out what is no test of them, and shows what they miss."""

import json

import pytest

from envfactory_gym.environment import EnvFactoryError, Package
from envfactory_gym.verify.checks import mutation
from envfactory_gym.verify.mutation import all_mutants, measure
from envfactory_gym.verify.mutation.judge import Judge, Verdict
from envfactory_gym.verify.mutation.workers import verdicts
from tests.support import copy_of_lending, lending

LOOP = (
    "    rows = world.all(\n",
    "    number = 0\n    while number < 3:\n        number += 1\n    rows = world.all(\n",
)
POWER = ("    rows = world.all(\n", "    if title == 'never':\n        9 ** 9 ** 9\n    rows = world.all(\n")


@pytest.fixture(scope="module")
def score():
    return measure(lending(), cache=False)


def broken(tmp_path, *edits):
    package = Package.load(copy_of_lending(tmp_path, *edits))
    package.trusted = True
    return package


def test_the_small_package_notices_nine_faults_in_ten(score):
    assert score.share >= 0.9
    assert min(score.tools.values()) >= 5
    assert score.counted == score.killed + len(score.survivors)
    assert sum(counted for _, counted in score.operators.values()) == score.counted
    assert str(score).endswith(f"% of {score.counted}")


def test_a_survivor_is_shown_as_a_change_with_the_behaviours_that_held(score):
    (survivor,) = score.survivors
    assert "-           ORDER BY fee_cents, item_id" in survivor.diff
    assert "+           ORDER BY fee_cents, fee_cents" in survivor.diff
    assert "a search for a kind gives all of it, cheapest first" in survivor.ran
    assert survivor.id in score.content()["survivors"]


def test_two_processes_find_what_one_finds(score):
    assert measure(lending(), jobs=2, cache=False) == score


def test_recorded_behaviours_prove_nothing(tmp_path):
    package = broken(
        tmp_path,
        ("behaviours.yaml", "kind: invariant", "kind: recorded"),
        ("behaviours.yaml", "kind: policy", "kind: recorded"),
    )
    found = measure(package, most=5, cache=False)
    assert (found.killed, found.share) == (0, 0.0)
    assert all(survivor.ran == () for survivor in found.survivors)


def test_a_fault_that_only_ever_fails_inside_counts_nowhere():
    package = lending()
    judge = Judge(package)
    (gone,) = [mutant for mutant in all_mutants(package) if mutant.id.startswith("borrow_item.dropped-statement") and "INSERT" in package.server_source[mutant.start : mutant.end]]  # fmt: skip
    # Without the INSERT, the new loan is not found: a wrong answer. Without the check, None has no columns: a failure.
    assert judge.judge(gone).outcome == "killed"
    (check,) = [mutant for mutant in all_mutants(package) if mutant.id.startswith("_loan.removed-check")]
    assert judge.judge(check).outcome == "left out"


def test_a_mutant_leaves_the_server_as_it_was():
    package = lending()
    judge = Judge(package)
    codes = {name: tool.function.__code__ for name, tool in package.tools.items()}
    tools = dict(judge.template.tools)
    for mutant in all_mutants(package)[:30]:
        judge.judge(mutant)
    assert {name: tool.function.__code__ for name, tool in package.tools.items()} == codes
    assert judge.template.tools == tools
    assert all(judge._problem(behaviour) is None for behaviour in package.behaviours)


def test_a_fault_in_a_constant_is_imported_anew(tmp_path):
    package = broken(
        tmp_path,
        ("server.py", "env = Environment(__file__)\n", "env = Environment(__file__)\nMOST = 2\n"),
        ("server.py", "open_loans >= 2", "open_loans >= MOST"),
    )
    judge = Judge(package)
    (more,) = [mutant for mutant in all_mutants(package) if mutant.replacement == "3"]
    assert more.functions == ("borrow_item",)
    assert judge.judge(more) == Verdict(more.id, "killed", "a basic member has two open loans and no third")


def test_an_endless_loop_is_stopped_by_the_budget_and_left_out(tmp_path):
    package = broken(tmp_path, ("server.py", *LOOP))
    (endless,) = [mutant for mutant in all_mutants(package) if mutant.operator == "dropped-statement" and package.server_source[mutant.start : mutant.end] == "number += 1"]  # fmt: skip
    verdict = Judge(package).judge(endless)
    assert verdict.outcome == "left out"
    assert "more than two seconds" in verdict.by


def test_a_process_that_never_looks_up_is_killed(tmp_path):
    package = broken(tmp_path, ("server.py", *POWER))
    mutants = [mutant for mutant in all_mutants(package) if mutant.function == "search_items"]
    (stuck,) = [mutant for mutant in mutants if mutant.replacement == "not (title == 'never')"]
    found = list(verdicts(package, [stuck, mutants[-1]], jobs=1, seconds=3))
    assert found[0].outcome == "left out"
    assert "it ran on" in found[0].by
    assert found[1].mutant == mutants[-1].id


def test_behaviours_that_do_not_hold_measure_nothing(tmp_path):
    package = broken(tmp_path, ("server.py", "'+7 days'", "'+8 days'"))
    with pytest.raises(EnvFactoryError, match="a loan is extended by a week"):
        measure(package, cache=False)


def test_verdicts_are_kept_for_exactly_the_same_package(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVFACTORY_CACHE", str(tmp_path / "cache"))
    package = broken(tmp_path)
    done = []
    first = measure(package, most=6, progress=lambda number, of: done.append(number))
    assert done
    assert measure(package, most=6, progress=lambda number, of: pytest.fail("measured again")) == first
    behaviours = package.path / "behaviours.yaml"
    behaviours.write_text(behaviours.read_text() + "\n# a remark\n")
    done.clear()
    assert measure(Package(package.path, trusted=True), most=6, progress=lambda *_: done.append(1)) == first
    assert done
    for damaged in (tmp_path / "cache" / "mutation").iterdir():
        damaged.write_text("[{}]")
    assert measure(package, most=6) == first


def test_an_explained_survivor_counts_nowhere_and_a_false_explanation_is_a_failure(tmp_path, score):
    package = broken(tmp_path)
    file = package.path / "equivalent.yaml"
    (survivor,) = score.survivors
    file.write_text(json.dumps({survivor.id: "Rows of one fee come by key anyway."}))
    finding, better = mutation.check(package)
    assert (finding.passed, better.share, better.equivalent) == (True, 1.0, 1)
    noticed = next(mutant.id for mutant in all_mutants(package) if mutant.operator == "boundary")
    file.write_text(json.dumps({survivor.id: "As above.", noticed: "Nobody looks.", "borrow_item.constant.0": "Gone."}))
    finding, worse = mutation.check(package)
    assert not finding.passed
    assert worse.killed == score.killed
    assert [line.split(": ", 1)[1].split(" ")[0] for line in finding.evidence] == [noticed, "there"]


def test_more_than_one_in_twenty_cannot_be_explained_away(tmp_path):
    package = broken(tmp_path, ("behaviours.yaml", "{loan_id: QF7KD}, expect", "{loan_id: QF7KD}, expect"))
    behaviours = package.path / "behaviours.yaml"
    behaviours.write_text(behaviours.read_text().split("- name: signs in a search")[0])
    poor = measure(package, cache=False)
    reasons = {survivor.id: "It is what it is." for survivor in poor.survivors}
    (package.path / "equivalent.yaml").write_text(json.dumps(reasons))
    finding, _ = mutation.check(package)
    assert [line for line in finding.evidence if "over 5 %" in line]
