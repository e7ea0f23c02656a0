"""Hackable tasks and environments, each broken on purpose in one way."""

from __future__ import annotations

from typing import Any

from envfactory_gym.environment import TaskPrivate

USER_TOOL = '''
@env.user_tool(writes=["notes"], candidates="SELECT loan_id, 'clean' AS condition FROM loans")
def photograph_item(world: World, loan_id: LoanId, condition: Literal["clean", "worn"]) -> Photo:
    """Take a photo of a borrowed thing with the phone.

    Args:
        loan_id: Code of the loan.
        condition: What the photo shows.
    """
    _loan(world, loan_id)
    world.run("INSERT INTO notes (loan_id, body) VALUES (?, ?)", loan_id, f"photo: {condition}")
    return {"shows": condition}


def _member('''

WITH_USER_TOOL = [
    ("server.py", "\ndef _member(", USER_TOOL),
    ("server.py", "class Loans(TypedDict):", "class Photo(TypedDict):\n    shows: str\n\n\nclass Loans(TypedDict):"),
    ("language.yaml", "  extend_loan:", '  photograph_item: ["take a photo of it"]\n  extend_loan:'),
    ("language.yaml", "phrases:\n", 'phrases:\n  condition:\n    clean: ["spotless"]\n'),
    ("schema.sql", "compare: text(ignored)", ""),
]
"""Edits of the lending package: the user has a camera."""

SUBMIT = '''
@env.tool(writes=["loans", "items"])
def submit(world: World) -> Loan:
    """Finish."""
    world.run("UPDATE loans SET state = 'closed' WHERE loan_id = 'H2MZP'")
    world.run("UPDATE items SET status = 'in' WHERE item_id = 3")
    return _loan(world, "H2MZP")


def _member('''

WITH_SUBMIT = [("server.py", "\ndef _member(", SUBMIT)]
"""Edits: a tool that graders like does what a task wants."""

WITH_FAULT = [
    (
        "server.py",
        "    rows = world.all(\n",
        '    if title == "%":\n        raise ZeroDivisionError\n    rows = world.all(\n',
    )
]
"""Edits: a tool that breaks on a value nobody thought of."""

WITH_POSITIONS = [
    ("schema.sql", "state TEXT NOT NULL", "place INTEGER NOT NULL DEFAULT 0,\n  state TEXT NOT NULL"),
    ("server.py", "due_on, state) VALUES", "due_on, state, place) VALUES"),
    ("server.py", "'+14 days'), 'open')", "'+14 days'), 'open', (SELECT count(*) FROM loans))"),
]
"""Edits: a loan keeps how many there were before it, which nobody sees and everybody is graded by."""


def said(span: str) -> dict[str, Any]:
    return {"kind": "said", "turn": 0, "span": span}


def wish(name: str, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": name, "tool": tool, "wish": True, "arguments": arguments}


def gold(*calls: tuple[str, str, dict[str, Any]], say: str = "Done for you.") -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = [
        {"calls": [{"id": name, "tool": tool, "arguments": arguments}]} for name, tool, arguments in calls
    ]
    return [*steps, {"say": say, "expect": "ends"}]


def task(name: str, request: str, goal: dict[str, Any], steps: list[dict[str, Any]], **more: Any) -> TaskPrivate:
    turn = {"request": request, "goal": goal, "gold": steps} | more.pop("turn", {})
    content = {"id": name, "environment": "EnvFactory/lending-v0", "split": "test", "user": {"name": "Ada"}}
    return TaskPrivate.model_validate(content | {"turns": [turn]} | more)


def all_back(**more: Any) -> TaskPrivate:
    """The member brings back everything there is."""
    goal = {"calls": [wish("a", "return_item", loan_id=said("H2MZP")), wish("b", "return_item", loan_id=said("QF7KD"))]}
    steps = gold(("a", "return_item", {"loan_id": "H2MZP"}), ("b", "return_item", {"loan_id": "QF7KD"}))
    return task("all-back", "I bring back H2MZP and QF7KD, which is all I have, M-101.", goal, steps, **more)


def borrow_two(**more: Any) -> TaskPrivate:
    """Two loans, whose codes are drawn in the order they are made in."""
    number = {"kind": "derived", "op": "number", "sources": [said("8")], "options": {}}
    other = {"kind": "derived", "op": "number", "sources": [said("4")], "options": {}}
    goal = {"calls": [
        wish("a", "borrow_item", member_id=said("M-101"), item_id=number),
        wish("b", "borrow_item", member_id=said("M-101"), item_id=other)]}  # fmt: skip
    steps = gold(
        ("a", "borrow_item", {"member_id": "M-101", "item_id": 8}),
        ("b", "borrow_item", {"member_id": "M-101", "item_id": 4}),
    )
    return task("borrow-two", "Lend number 8 and number 4 to me, M-101.", goal, steps, **more)


def question(
    name: str, request: str, column: str, path: str, kind: str, call: dict[str, Any], arguments: dict[str, Any]
) -> TaskPrivate:
    """A question whose answer is one value of a column."""
    answer = {
        "subject": "it",
        "kind": kind,
        "column": column,
        "source": {"kind": "result", "call": "look", "path": path},
    }
    goal = {"calls": [{"id": "look", **call}], "answers": [answer]}
    return task(name, request, goal, gold(("look", call["tool"], arguments), say="It is {it}."))


def category_of_cheapest() -> TaskPrivate:
    """Guessable: there are three categories, and an answer may name three."""
    return question(
        "category", "What kind of thing is the cheapest you have?", "items.category", "items.0.category", "name",
        {"tool": "search_items", "arguments": {}}, {},
    )  # fmt: skip


def due_of_two() -> TaskPrivate:
    """Dumpable: the member has two loans, and an answer may name three dates."""
    return question(
        "due", "When is my next thing due? I'm M-101.", "loans.due_on", "loans.0.due_on", "date",
        {"tool": "list_loans", "arguments": {"member_id": said("M-101")}}, {"member_id": "M-101"},
    )  # fmt: skip


def photo() -> TaskPrivate:
    """The user only has to be told to use the one tool it has."""
    condition = {"kind": "derived", "op": "phrase", "sources": [said("clean")], "options": {"table": "condition"}}
    goal = {"calls": [wish("photo", "photograph_item", loan_id=said("H2MZP"), condition=condition)]}
    acts = {"id": "photo", "tool": "photograph_item", "arguments": {"loan_id": "H2MZP", "condition": "clean"}}
    steps = [
        {"say": 'Please take a photo of it, loan "H2MZP", clean.', "expect": "acts", "acts": acts},
        {"say": "Thank you.", "expect": "ends"},
    ]
    return task("photo", "H2MZP looks clean, what now?", goal, steps, solo=False)


def extend_by_code() -> TaskPrivate:
    """Everything stands in the request, and the first thing that works is right."""
    goal = {"calls": [wish("longer", "extend_loan", loan_id=said("QF7KD"))]}
    return task("by-code", "Please extend the loan QF7KD.", goal, gold(("longer", "extend_loan", {"loan_id": "QF7KD"})))


def everything_written() -> TaskPrivate:
    """All that can be written is wanted: nothing is in to be lent, and one loan is open."""
    rows: list[dict[str, Any]] = [
        {"table": "items", "key": {"item_id": number}, "values": {"status": "repair"}} for number in (2, 4, 7, 8, 9)
    ]
    rows += [
        {"table": "loans", "key": {"loan_id": code}, "values": {"state": "closed"}}
        for code in ("QF7KD", "B4RCE", "Z3PLQ")
    ]
    goal = {"calls": [wish("a", "extend_loan", loan_id=said("H2MZP")), wish("b", "return_item", loan_id=said("H2MZP"))]}
    steps = gold(("a", "extend_loan", {"loan_id": "H2MZP"}), ("b", "return_item", {"loan_id": "H2MZP"}))
    loosen = {"items.status": "ignore"}
    return task("everything", "Extend H2MZP and take it back, M-101.", goal, steps, setup={"rows": rows}, loosen=loosen)


def next_to(shown: str, wanted: str) -> TaskPrivate:
    """Wanted is a thing whose number is next to one the user names."""
    number = {"kind": "derived", "op": "number", "sources": [said(wanted)], "options": {}}
    rows = [
        {"table": "items", "key": {"item_id": item}, "values": {"status": "repair"}}
        for item in (2, 4, 7, 8, 9)
        if str(item) != wanted
    ]
    rows += [
        {"table": "loans", "key": {"loan_id": code}, "values": {"state": "closed"}}
        for code in ("QF7KD", "H2MZP", "T9XWA", "B4RCE", "Z3PLQ", "W6TGD")
    ]
    goal = {"calls": [wish("take", "borrow_item", member_id=said("M-102"), item_id=number)]}
    steps = gold(("take", "borrow_item", {"member_id": "M-102", "item_id": int(wanted)}))
    return task("next", f"M-102: number {shown} was broken, lend me {wanted}.", goal, steps, setup={"rows": rows})
