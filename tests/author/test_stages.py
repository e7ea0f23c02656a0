"""Each stage is executed before the next begins: the mistakes models make are met with evidence, and mended or told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from envfactory_gym.author import Document, looking
from envfactory_gym.llm import Budget, Price
from envfactory_gym.llm.loopback import Faults
from envfactory_gym.sandbox import Limits

from .conftest import Play
from .playing import Author, edit, fenced, rooms

REFUSAL = "I'm sorry, but I can't help with that."


def test_what_is_good_goes_straight_through(run: Play) -> None:
    found = run(Author(rooms()), until="behaviours")
    assert found.steps == {
        f"{stage}/1": "accepted" for stage in ("propose", "state", "tools", "data", "words", "behaviours")
    }
    assert found.outcome.state.stage == "execute"
    policy = found.outcome.state.draft.files["policy.md"]
    assert "- [cancel-notice] Bookings are cancelled two days before, at the latest. (S2)" in policy
    assert "- [confirm] State what will happen and wait for a yes.\n" in policy


@pytest.mark.parametrize(
    ("stage", "mistake", "evidence"),
    [
        ("propose", ('"at the latest two days before its day"', '"at the latest one week before"'), "no passage holds 'at the latest one week before'"),
        ("propose", ('"cancel_booking"]', '"cancel_everything"]'), "enforced by cancel_everything, which is no tool"),
        ("state", ("REFERENCES people (person_id)", "REFERENCES persons (person_id)"), "leads nowhere"),
        ("state", ("GROUP BY room_id, day", "GROUP BY room, day"), "no such column: room"),
        ("state", ("CREATE TABLE rooms", "CREATE TABEL rooms"), "schema.sql"),
        ("tools", ("title, floor, seats, fee_cents FROM rooms\n           WHERE", "titel, floor, seats, fee_cents FROM rooms\n           WHERE"), "no such column: titel"),
        ("tools", ("    person = world.one(", "    import datetime\n    identifier += str(datetime.datetime.now())\n    person = world.one("), "the time comes from world.now only"),
        ("tools", ('field="guests", reason="seats"', 'field="guests"'), "nothing raises ToolError(..., reason='seats')"),
        ("tools", ("def cancel_booking(", "def cancel_a_booking("), "the proposal has a tool cancel_booking, which is missing"),
        ("tools", ("        identifier: Account number", "        identifyer: Account number"), "'identifier' is not described"),
        ("data", ("'P-102', 'room_id': 1,", "'P-999', 'room_id': 1,"), "at does not exist (person_id = 'P-999')"),
        ("data", ("    return ROWS", "    return {'people': ROWS['people'][:2]}"), "rows in all; write at least"),
        ("data", ("    return ROWS", "    names = {str(n) for n in range(99)}\n    ROWS['people'][0]['name'] = ' '.join(names)\n    return ROWS"), "other rows when it is run again"),
        ("data", ("    return ROWS", "    import os\n    return ROWS"), "import os: not among the modules"),
        ("data", ("    return ROWS", "    return ROWS['peple']"), "KeyError: 'peple'\n  make_data.py:5 in rows"),
        ("words", ("  status=booked", "  status=booked:\n    - ["), "language.yaml"),
        ("behaviours", ("tool: cancel_booking, arguments: {booking_id: NOSUCH}", "tool: cancel_bookings, arguments: {booking_id: NOSUCH}"), "unknown tool 'cancel_bookings'"),
    ],
)  # fmt: skip
def test_a_mistake_is_met_with_evidence_and_mended(
    run: Play, stage: str, mistake: tuple[str, str], evidence: str
) -> None:
    found = run(Author(rooms(), {stage: [mistake]}), until=stage)
    assert evidence in found.evidence(f"{stage}/1")
    assert found.steps[f"{stage}/1"] in ("failed", "unusable") and found.steps[f"{stage}/2"] == "accepted"
    assert evidence.split("\n")[0] in found.author.prompts[f"{stage}/2"]


def test_a_lying_annotation_is_found_by_calling_the_tool(run: Play) -> None:
    lie = (
        '    person = world.one(\n        "SELECT person_id, name, email',
        '    world.run("UPDATE rooms SET seats = seats + 1 WHERE room_id = 1")\n'
        '    person = world.one(\n        "SELECT person_id, name, email',
    )
    mended = fenced("server.py", rooms()["server.py"])
    found = run(Author(rooms(), {"tools": [lie], "data": [Author(rooms()).handed("data"), mended]}), until="data")
    assert found.steps["tools/1"] == "accepted"  # without rows there is nothing to see
    assert "changed rooms, not among writes=[]" in found.evidence("data/1")
    assert found.steps["data/2"] == "accepted"
    assert "seats + 1 WHERE" not in found.outcome.state.draft.files["server.py"]


def test_examples_that_assert_nothing_are_sent_back(run: Play) -> None:
    empty = """
- name: find somebody
  origin: {kind: policy, ref: seats}
  calls: [{tool: find_person, arguments: {identifier: P-101}, expect: {result: {}}}]
  changes: {}
- name: as it was
  origin: {kind: recorded}
  calls: [{tool: list_bookings, arguments: {person_id: P-101}, expect: {result: {bookings: [{}, {}]}}}]
"""
    found = run(Author(rooms(), {"behaviours": [fenced("behaviours.yaml", empty)]}), until="behaviours")
    evidence = found.evidence("behaviours/1")
    assert "find somebody: it asserts nothing: it holds whatever the tools do" in evidence
    assert "as it was: its origin is `recorded`, which proves nothing" in evidence
    assert "no example expects a result of book_room" in evidence
    assert "no example has cancel_booking refuse by the rule [cancel-notice]" in evidence
    assert found.steps["behaviours/2"] == "accepted"


def test_the_author_of_examples_never_sees_the_code(run: Play) -> None:
    found = run(Author(rooms()), until="behaviours")
    prompt = found.author.prompts["behaviours/1"]
    assert "book_room" in prompt and "CREATE TABLE bookings" in prompt and "P-101" in prompt
    code = [line.strip() for line in rooms()["server.py"].splitlines() if "world." in line and "(" in line]
    assert code and not [line for line in code if line in prompt]


@pytest.mark.parametrize(
    ("answers", "outcomes"),
    [
        ([REFUSAL], ["refused"]),
        ([{"content": "```json\n{", "finish_reason": "length"}], ["truncated"]),
        (["```json\n{\"title\": \"never closed\""], ["truncated"]),
        (["It is a lovely idea. Let me think about it."], ["unusable"]),
        (["```json\n{\"title\": 3, oops\n```"], ["unusable"]),
        ([{"content": ""}], ["empty"]),
        (["<think>I'm sorry, I can't</think>", "```json\n[1, 2]\n```"], ["empty", "unusable"]),
    ],
)  # fmt: skip
def test_an_answer_that_cannot_be_used_costs_a_try(run: Play, answers: Sequence[Any], outcomes: Sequence[str]) -> None:
    found = run(Author(rooms(), {"propose": answers}), until="propose")
    assert list(found.steps.values()) == [*outcomes, "accepted"]


def test_a_model_that_refuses_is_taken_at_its_word(run: Play) -> None:
    found = run(Author(rooms(), {"state": [REFUSAL] * 9}))
    assert found.outcome.tier == "failed" and found.outcome.why == "state: the model refuses"
    assert found.outcome.written is None and list(found.steps) == ["propose/1", "state/1", "state/2"]


def test_a_model_that_cannot_is_told_apart_from_one_that_is_wrong(run: Play) -> None:
    found = run(Author(rooms(), {"propose": ["A poem about rooms."] * 9}))
    assert found.outcome.why == "propose: the model handed in nothing that could be executed, in 4 tries"


def test_a_model_that_stays_wrong_is_stopped_with_the_evidence(run: Play) -> None:
    found = run(Author(rooms(), {"state": [("CREATE TABLE rooms", "CREATE TABEL rooms")] * 9}))
    assert found.outcome.why == "state: what the model handed in still fails when it is executed, after 4 tries"
    assert "TABEL" in found.evidence("state/4")


def test_an_endpoint_that_misbehaves_costs_nothing_but_time(run: Play) -> None:
    faults = Faults(rate=1.0, most=2, hang=5.0, retry_after=0.01)
    found = run(Author(rooms()), until="tools", faults=faults, timeout=1.0)
    assert list(found.steps.values()) == ["accepted"] * 3
    assert max(found.author.asked.values()) <= 3  # whole answers that were cut on their way are asked for again


def test_a_mistake_may_be_mended_by_an_edit(run: Play) -> None:
    wrong = (
        "seats, fee_cents FROM rooms\n           WHERE seats",
        "seets, fee_cents FROM rooms\n           WHERE seats",
    )
    old, new = wrong[1].split("\n")[0], wrong[0].split("\n")[0]
    line = next(line for line in rooms()["server.py"].splitlines() if new in line)
    found = run(Author(rooms(), {"tools": [wrong, edit("server.py", line.replace(new, old), line)]}), until="tools")
    assert found.steps == {"propose/1": "accepted", "state/1": "accepted", "tools/1": "failed", "tools/2": "accepted"}
    assert found.outcome.state.draft.files["server.py"].strip() == rooms()["server.py"].strip()


def test_a_script_that_never_ends_is_stopped(run: Play, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(looking, "GENERATE", Limits(wall_seconds=3, cpu_seconds=2))
    endless = ("    return ROWS", "    while True:\n        pass")
    found = run(Author(rooms(), {"data": [endless]}), until="data")
    assert found.steps["data/1"] == "failed" and found.steps["data/2"] == "accepted"


# ---------------------------------------------------------------- searching


def test_the_web_is_a_function_of_the_users(run: Play) -> None:
    def web(words: str) -> list[Document]:
        return [
            Document(
                "House rules",
                f"Dogs are welcome in the garden, says the page about {words}.",
                url="https://example.org/rules",
                licence="CC0-1.0",
            )
        ]

    def asks(heard: Any) -> str:
        return "SEARCH: dogs" if "Found for" not in heard.request["messages"][-1]["content"] else "That is all."

    quoted = (
        '"id": "confirm", "text": "State what will happen and wait for a yes.", "source": ""',
        '"id": "dogs", "text": "Dogs stay in the garden.", "source": "Dogs are welcome in the garden"',
    )
    found = run(Author(rooms(), {"search": [asks, asks], "propose": [quoted]}), until="propose", web=web)
    assert found.steps["search/1"] == "1 searches" and found.steps["propose/1"] == "accepted"
    files = found.outcome.state.draft.files
    assert "[dogs] Dogs stay in the garden. (S3)" in files["policy.md"]
    assert "https://example.org/rules" in files["sources.md"] and "CC0-1.0" in files["sources.md"]


# ---------------------------------------------------------------- budgets and going on


def test_a_budget_stops_the_run_and_going_on_repeats_nothing(run: Play) -> None:
    author = Author(rooms(), {"tools": [("def cancel_booking(", "def cancel_a_booking(")]})
    stopped = run(author, until="data", budget=Budget(calls=3))
    assert stopped.outcome.tier == "stopped" and "budget" in stopped.outcome.why
    again = run(author, until="data", budget=Budget(calls=3), resume=True)
    assert again.outcome.tier == "stopped" and sum(author.asked.values()) == 3
    found = run(author, until="data", budget=Budget(calls=5), resume=True)
    assert found.outcome.state.stage == "words"
    assert set(author.asked.values()) == {1} and found.outcome.state.ledger.calls == 5


def test_money_is_counted_over_the_whole_run(run: Play) -> None:
    prices = {"*": Price(1.0, 1.0)}
    stopped = run(Author(rooms()), until="words", prices=prices, budget=Budget(cost=0.008))
    assert stopped.outcome.tier == "stopped" and stopped.outcome.state.ledger.cost >= 0.008
