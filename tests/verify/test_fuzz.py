"""The fuzz reaches every tool and refusal of a sound package, and shows what breaks a broken one in few calls."""

import json

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify.checks import fuzz
from envfactory_gym.verify.fuzzing import Profile, Session, explore
from envfactory_gym.verify.fuzzing.sources import Dice, odd_value, values_at
from tests.support import copy_of_lending, lending

FORMATTED = (
    ("server.py", '"""SELECT item_id', 'f"""SELECT item_id'),
    ("server.py", "lower(:title)", "lower('{title}')"),
)
RETURN = '    world.run("UPDATE items SET status = \'in\' WHERE item_id = ?", loan["item_id"])\n'
EXTEND = '    world.run("UPDATE loans SET due_on'


def failures_of(tmp_path, *edits, calls=None, seed=0):
    package = Package.load(copy_of_lending(tmp_path, *edits), trusted=True)
    session = Session(package, seed=seed)
    try:
        return explore(session, Profile(calls=calls), seed=seed)
    finally:
        session.close()


def test_a_sound_package_is_called_often_enough_and_holds():
    finding = fuzz.check(lending())
    assert finding.passed, finding.evidence
    assert finding.figures["least_per_tool"] >= 100
    assert 0.3 < finding.figures["succeeded"] < 1
    assert finding.figures["invariants_checked"] > 50


def test_the_same_seed_makes_the_same_calls_and_another_seed_others():
    assert fuzz.check(lending()) == fuzz.check(lending())
    assert fuzz.check(lending()).figures != fuzz.check(lending(), seed=1).figures


def test_a_long_run_makes_as_many_calls_as_it_is_told():
    assert fuzz.check(lending(), calls=3000).figures["calls"] == 3000


def test_every_declared_refusal_is_met():
    session = Session(lending())
    try:
        explore(session, Profile())
        assert all(session.unseen(tool) == [] for tool in session.package.tools)
    finally:
        session.close()


def test_a_text_that_ends_a_literal_is_found_and_made_short(tmp_path):
    (failure, *_) = failures_of(tmp_path, *FORMATTED)
    ((tool, arguments),) = failure.steps
    assert (failure.kind, tool) == ("fault search_items", "search_items")
    assert arguments == {"title": "'"}


def test_a_failure_that_needs_two_calls_is_shown_as_two_calls(tmp_path):
    late = ("server.py", RETURN, '    if loan["extended"] and note:\n        raise KeyError(note)\n' + RETURN)
    once = ("data/loans.jsonl", '"extended": 1', '"extended": 0')
    (failure,) = failures_of(tmp_path, late, once)
    assert [tool for tool, _ in failure.steps] == ["extend_loan", "return_item"]
    assert failure.steps[0][1] == {"loan_id": failure.steps[1][1]["loan_id"]}
    assert len(failure.steps[1][1]["note"]) == 1
    assert json.dumps(failure.steps[0][1]) in str(failure)


def test_a_broken_invariant_is_shown_by_the_call_that_breaks_it(tmp_path):
    failures = failures_of(tmp_path, ("server.py", RETURN, ""))
    assert [failure.kind for failure in failures] == ["invariant out-means-open-loan"]
    ((tool, arguments),) = failures[0].steps
    assert (tool, list(arguments)) == ("return_item", ["loan_id"])


def test_a_result_off_its_schema_is_found(tmp_path):
    (failure,) = failures_of(
        tmp_path, ("server.py", '    return {"items": rows}', '    return {"items": rows or None}')
    )
    assert failure.kind == "result search_items"
    assert len(failure.steps) == 1


def test_tools_that_fail_do_not_hide_each_other(tmp_path):
    failures = failures_of(
        tmp_path,
        ("server.py", EXTEND, "    {}['x']\n" + EXTEND),
        ("server.py", RETURN, "    {}['y']\n" + RETURN),
    )
    assert {failure.kind for failure in failures} == {"fault extend_loan", "fault return_item"}


def test_a_refusal_that_never_comes_is_evidence(tmp_path):
    edit = ("server.py", '    if loan["extended"]:', '    if loan["extended"] > 5:')
    finding = fuzz.check(Package.load(copy_of_lending(tmp_path, edit), trusted=True))
    assert [line.split(",")[0] for line in finding.evidence] == ["extend_loan: never refused for 'extend-once'"]


def test_a_tool_that_seldom_succeeds_is_noted_with_its_figures(tmp_path):
    edit = ("server.py", '    if loan["extended"]:', "    if loan['loan_id'] != 'QF7KD' or loan['extended']:")
    finding = fuzz.check(Package.load(copy_of_lending(tmp_path, edit), trusted=True))
    assert finding.passed
    assert finding.figures["least_per_tool"] < 100
    assert any(note.startswith("extend_loan: only ") for note in finding.notes)


@pytest.mark.parametrize(
    ("schema", "admits"),
    [
        ({"enum": ["a", "b"]}, lambda value: value in ("a", "b")),
        ({"type": "integer", "minimum": 3, "maximum": 5}, lambda value: 3 <= value <= 5),
        ({"type": "integer"}, lambda value: -(2**63) <= value < 2**63),
        ({"type": "string", "minLength": 2, "maxLength": 4}, lambda value: 2 <= len(value) <= 4),
        ({"type": "array", "items": {"type": "boolean"}, "minItems": 1, "maxItems": 2}, lambda value: 1 <= len(value) <= 2),
        ({"anyOf": [{"type": "null"}, {"type": "boolean"}]}, lambda value: value in (None, True, False)),
        ({"type": "object", "properties": {"a": {"type": "null"}, "b": {"type": "null"}}, "required": ["a"]}, lambda value: "a" in value),
    ],
)  # fmt: skip
def test_odd_values_stay_within_the_schema(schema, admits):
    dice = Dice(5)
    assert all(admits(odd_value(dice, schema)) for _ in range(200))


def test_values_are_read_along_a_path():
    result = {"loans": [{"loan_id": "A", "of": {"member_id": 1}}, {"loan_id": None}], "page": True}
    assert values_at(result, "loans[].loan_id") == ["A"]
    assert values_at({"a": {"b": 3}}, "a.b") == [3]
    assert values_at(result, "page") == []
    assert values_at(result, "nothing.here") == []
