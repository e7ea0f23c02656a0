"""Every row of the certificate catches the broken tasks it is there for, each planted here on purpose.

Rows whose faults lie in the package as much as in the task have files of their own, also `replay`,
which is executed for a whole batch.
"""

import json

import pytest

from envfactory_gym import Package
from envfactory_gym.environment import TaskPrivate
from envfactory_gym.verify import certify
from tests.support import copy_of_lending, lending

PACKAGE = lending()
PLAIN = {task.id: json.loads(task.model_dump_json()) for task in PACKAGE.tasks}

RETURN, DUE, TWICE, ONCE = "return-sander", "due-drill-then-extend", "extend-tent-twice", "extend-tent-once"
CHEAP = "borrow-cheapest-then-return"


def set_(path, value):
    """An edit: set what lies at a dotted path; `+` appends to a list, None as value deletes."""

    def edit(task):
        *parents, last = path.split(".")
        node = task
        for part in parents:
            node = node[int(part)] if isinstance(node, list) else node[part]
        if last == "+":
            node.append(value)
        elif value is None:
            del node[int(last) if isinstance(node, list) else last]
        else:
            node[int(last) if isinstance(node, list) else last] = value

    return edit


def said(span, turn=0):
    return {"kind": "said", "turn": turn, "span": span}


LONGER = {"id": "longer", "tool": "extend_loan", "wish": True, "arguments": {"loan_id": said("QF7KD")}}


def borrow(item):
    number = {"kind": "derived", "op": "number", "sources": [said(str(item))]}
    return {"id": f"take{item}", "tool": "borrow_item", "wish": True, "arguments": {"member_id": said("M-104"), "item_id": number}}  # fmt: skip


def lent(item):
    return {"id": f"take{item}", "tool": "borrow_item", "arguments": {"member_id": "M-104", "item_id": item}}


def stray(tool, loan):
    """An edit: one more accepted end, in which another write happens too."""

    def edit(task):
        turn = task["turns"][0]
        turn["request"] += f" ({loan})"
        extra = {"id": "stray", "tool": tool, "arguments": {"loan_id": said(loan)}}
        turn["alternatives"] = [{"calls": [*turn["goal"]["calls"], extra]}]

    return edit


def other_loan(loan):
    """An edit: the wish is met by another loan too, though the request means a single one."""

    def edit(task):
        turn = task["turns"][0]
        turn["request"] += f" ({loan})"
        look, wish = turn["goal"]["calls"]
        turn["alternatives"] = [{"calls": [look, {**wish, "id": "other", "arguments": {"loan_id": said(loan)}}]}]

    return edit


FAULTS = {
    # row: [(what is wrong, task, edits)]
    "gold": [
        ("gold returns another loan", RETURN, [set_("turns.0.gold.2.calls.0.arguments.loan_id", "QF7KD")]),
        ("gold makes a call that is refused", RETURN, [set_("turns.0.gold.1.calls.+", {"id": "x", "tool": "list_loans", "arguments": {"member_id": "M-999"}})]),
        ("gold never tells the answer", DUE, [set_("turns.0.gold.1.say", "I looked it up.")]),
        ("gold forgets the refusal", TWICE, [set_("turns.0.gold.1", None)]),
        ("gold asks what the user does not know", RETURN, [set_("user.slots", [])]),
        ("gold asks for a confirmation nobody hears", ONCE, [set_("turns.0.gold.1.say", "I would extend T9XWA.")]),
        ("gold expects an end where the user replies", ONCE, [set_("turns.0.gold.1.expect", "ends")]),
        ("gold tells the answer and a list of all others", DUE, [set_("turns.0.gold.1.say", "2026-03-14, 2026-03-20, 2026-03-16, 2026-03-12 or 2026-03-18.")]),
        ("the goal's plan is refused", RETURN, [set_("turns.0.goal.calls.1.arguments.loan_id", said("sander"))]),
        ("the setup names a row that cannot exist", RETURN, [set_("setup.rows", [{"table": "loans", "key": {"loan_id": "QF7KD"}, "values": {"state": "lost"}}])]),
    ],
    "sources": [
        ("gold looks up another member than the goal", RETURN, [set_("turns.0.gold.1.calls.0.arguments.member_id", "M-104")]),
        ("a slot that is never asked for", RETURN, [set_("turns.0.gold.0", None)]),
        ("a default that is none", RETURN, [set_("turns.0.goal.calls.0.arguments.member_id", {"kind": "schema", "value": "M-101"})]),
        ("an id from a write of an earlier turn", "borrow-cheapest-then-return", [
            set_("turns.1.goal.calls.1.arguments.loan_id", {"kind": "result", "call": "take", "path": "loan_id"})]),
        ("gold in another order than the goal", DUE, [
            set_("turns.1.gold.0.calls.0.id", "longer2")]),
    ],
    "referents": [
        ("a phrase that nobody says", RETURN, [set_("turns.0.goal.referents.0.phrase", "the old lathe")]),
        ("a referent of two rows", RETURN, [set_("turns.0.goal.referents.0.sql", "SELECT loan_id FROM loans WHERE member_id = 'M-101'")]),
        ("a referent of no row", RETURN, [set_("turns.0.goal.referents.0.sql", "SELECT loan_id FROM loans WHERE member_id = 'M-999'")]),
        ("a referent of another row than gold's", RETURN, [set_("turns.0.goal.referents.0.sql", "SELECT loan_id FROM loans WHERE loan_id = 'B4RCE'")]),
        ("a referent that LIMIT makes single", RETURN, [set_("turns.0.goal.referents.0.sql", "SELECT loan_id FROM loans WHERE member_id = 'M-101' ORDER BY due_on DESC LIMIT 1")]),
        ("a referent in no state of its turn", CHEAP, [set_("turns.0.goal.referents.0", {
            "phrase": "camping gear", "column": "loans.loan_id", "sql": "SELECT loan_id FROM loans WHERE item_id = 9 AND state = 'open'"})]),
        ("a referent of a column that is none", RETURN, [set_("turns.0.goal.referents.0.column", "loans.id")]),
        ("a referent whose SQL does not run", RETURN, [set_("turns.0.goal.referents.0.sql", "SELECT loan FROM loans")]),
        ("a choice that no referent makes", CHEAP, [set_("turns.0.goal.referents", [])]),
    ],
    "nothing": [
        ("a turn that wants nothing", RETURN, [set_("turns.0.goal.calls.1", None), set_("turns.0.gold.2", None)]),
        ("a goal that restores what it changes", "borrow-cheapest-then-return", [
            set_("turns", [json.loads(json.dumps(PLAIN["borrow-cheapest-then-return"]["turns"][0])) | {"goal": {"calls": [
                {"id": "find", "tool": "search_items", "arguments": {}, "wish": True}]}, "gold": [
                {"calls": [{"id": "find", "tool": "search_items", "arguments": {}}]}, {"say": "Here.", "expect": "ends"}]}])]),
        ("an answer that stands in the word Done", DUE, [
            set_("turns.1", None),
            set_("turns.0.goal.answers", []), ]),
        ("one turn of two that wants nothing", DUE, [set_("turns.0.goal.answers", [])]),
    ],
    "prefixes": [
        ("gold answers before the message that should answer", DUE, [
            set_("turns.1", None),
            set_("turns.0.gold.0.say", "It is due on {due date}, as I see."), set_("turns.0.gold.1.say", "Anything else?")]),
        ("a wish that the setup has fulfilled", RETURN, [
            set_("turns.0.goal.calls.1", None), set_("turns.0.gold.2", None), set_("turns.0.goal.referents", [])]),
        ("a refusal that nobody grades", TWICE, [set_("turns.0.goal.decline", None), set_("turns.0.gold.1", None)]),
    ],
    "each write": [
        ("a second write that nobody compares", RETURN, [
            set_("turns.0.request", "Bringing back the sander. Also keep QF7KD longer."),
            set_("turns.0.goal.calls.+", LONGER),
            set_("turns.0.gold.2.calls.+", {"id": "longer", "tool": "extend_loan", "arguments": {"loan_id": "QF7KD"}}),
            set_("loosen", {"loans.due_on": "ignore", "loans.extended": "ignore"})]),
        ("a write whose only effect is loosened away", ONCE, [
            set_("loosen", {"loans.extended": "ignore", "loans.due_on": "ignore"})]),
        ("a write that any value of its column satisfies", RETURN, [
            set_("loosen", {"loans.state": "ignore", "items.status": "ignore"})]),
        ("a write nobody compares, among many others", CHEAP, [
            set_("turns.1", None), set_("turns.0.request", "M-104. I take items 9, 4 and 8, and keep QF7KD longer."),
            set_("turns.0.goal", {"calls": [borrow(9), borrow(4), borrow(8), LONGER]}),
            set_("turns.0.gold", [
                {"calls": [lent(9), lent(4), lent(8), {"id": "longer", "tool": "extend_loan", "arguments": {"loan_id": "QF7KD"}}]},
                {"say": "All four are done.", "expect": "ends"}]),
            set_("loosen", {"loans.extended": "ignore", "loans.due_on": "ignore"})]),
    ],
    "unrelated write": [
        ("an alternative that accepts a stray extension", RETURN, [stray("extend_loan", "QF7KD")]),
        ("an alternative that accepts a stray return", RETURN, [stray("return_item", "QF7KD")]),
        ("the same in a refusal", TWICE, [stray("extend_loan", "QF7KD"), set_("turns.0.alternatives.0.decline", "extend-once")]),
    ],
    "mutants": [
        ("an alternative accepts another loan than the referent's", RETURN, [other_loan("QF7KD")]),
        ("nobody compares who borrows", CHEAP, [set_("loosen", {"loans.member_id": "ignore"})]),
        ("a bound that every state meets", RETURN, [set_("loosen", {"loans.state": 'one_of(["open", "closed"])'})]),
        ("a condition that every row meets", RETURN, [set_("loosen", {"loans.state": "where(loan_id IS NOT NULL)"})]),
        ("a bound wider than any slip", CHEAP, [set_("loosen", {"loans.item_id": "number(1000)"})]),
    ],
}  # fmt: skip

NAMES = [
    "gold", "sources", "referents", "nothing", "prefixes", "each write", "unrelated write", "mutants", "reorder",
    "paraphrase, negation, guess", "heap", "not given away",
]  # fmt: skip

CASES = [(row, what, task, edits) for row, cases in FAULTS.items() for what, task, edits in cases]


def broken(task_id, edits):
    task = json.loads(json.dumps(PLAIN[task_id]))
    for edit in edits:
        edit(task)
    return TaskPrivate.model_validate(task)


@pytest.mark.parametrize(("row", "what", "task", "edits"), CASES, ids=[f"{row}: {what}" for row, what, _, _ in CASES])
def test_a_planted_fault_fails_certification(row, what, task, edits):
    certificate = certify(PACKAGE, broken(task, edits))
    failed = {finding.check: finding for finding in certificate.findings if not finding.passed}
    assert row in failed
    assert failed[row].evidence
    assert failed[row].remedy


ELSEWHERE = {"reorder": "test_certificate_reorder.py", "not given away": "test_certificate_answers.py",
             "paraphrase, negation, guess": "test_certificate_answers.py", "heap": "test_certificate_answers.py"}  # fmt: skip
"""Rows with a file of their own."""


@pytest.mark.parametrize("row", FAULTS)
def test_each_row_catches_a_fault_that_no_other_does(row):
    alone = 0
    for _, task, edits in FAULTS[row]:
        found = certify(PACKAGE, broken(task, edits)).findings
        alone += [finding.check for finding in found if not finding.passed] == [row]
    assert alone
    assert len(FAULTS[row]) >= 3


def test_no_row_is_without_faults():
    assert set(FAULTS) | set(ELSEWHERE) == set(NAMES)


@pytest.mark.parametrize("task", [task.id for task in PACKAGE.tasks])
@pytest.mark.parametrize("form", ["scripted", "solo"])
def test_sound_tasks_are_certified(task, form):
    certificate = certify(PACKAGE, PACKAGE.task(task), form)
    assert certificate.passed, [finding for finding in certificate.findings if not finding.passed]
    assert [row.check for row in certificate.findings] == NAMES


def test_the_cost_of_a_certificate_is_told_and_never_written_down():
    certificate = certify(PACKAGE, PACKAGE.task(RETURN))
    assert 0 < certificate.seconds < 5
    assert "seconds" not in certificate.model_dump_json()
    assert "seconds" not in json.dumps(certificate.summary())


def test_a_row_that_cannot_be_carried_out_has_failed():
    wrong = broken(DUE, [set_("turns.0.goal.answers.0.kind", "duration"), set_("turns.0.goal.answers.0.column", None)])
    certificate = certify(PACKAGE, wrong)
    assert [(row.check, row.passed) for row in certificate.findings] == [("gold", False)]
    assert certificate.findings[0].evidence


TENT = {
    "phrase": "the family tent", "column": "loans.loan_id",
    "sql": "SELECT loan_id FROM loans JOIN items USING (item_id) WHERE member_id = 'M-102' AND title = 'Family tent'",
}  # fmt: skip


@pytest.mark.parametrize(("referents", "ambiguous"), [([TENT], True), ([], False)], ids=["one meant", "any will do"])
def test_a_missing_confirmation_hides_no_ambiguity(tmp_path, referents, ambiguous):
    asking = ("server.py", '    writes=["loans"],\n', '    writes=["loans"],\n    confirm=["loan_id"],\n')
    package = Package.load(copy_of_lending(tmp_path, asking), trusted=True)
    task = broken(ONCE, [set_("turns.0.goal.referents", referents), other_loan("QF7KD")])
    evidence = {row.check: row.evidence for row in certify(package, task).findings if not row.passed}
    assert list(evidence) == (["mutants"] if ambiguous else [])
    assert not ambiguous or "the request is ambiguous" in evidence["mutants"][0]
