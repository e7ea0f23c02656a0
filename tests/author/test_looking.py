"""Execution shows what reading does not: hard-coded answers, code that would reach out, rows that a tool cannot serve."""

from __future__ import annotations

import pytest

from envfactory_gym.author import looking
from envfactory_gym.author.answers import Files
from envfactory_gym.author.briefing import render
from envfactory_gym.author.passages import Document, Sources
from envfactory_gym.author.proposal import Proposal, policy_text

from .playing import ROOMS_RULES, rooms


def package(**changed: tuple[str, str]) -> Files:
    """The rooms as files, with a text replaced in some (`server="..."`)."""
    texts = {name: text for name, text in rooms().items() if name not in ("make_data.py", "proposal.json")}
    proposal = Proposal.model_validate_json(rooms()["proposal.json"])
    sources = Sources((Document("Rules", ROOMS_RULES),))
    texts["policy.md"] = policy_text(proposal, sources)
    texts["environment.yaml"] = render(
        "environment.yaml.j2", name="rooms", proposal=proposal, sources=sources.documents
    )
    for key, (old, new) in changed.items():
        name = {"server": "server.py", "behaviours": "behaviours.yaml"}[key]
        assert old in texts[name]
        texts[name] = texts[name].replace(old, new)
    return texts


PASSAGES = {"passages": ["S1", "S2"]}


def test_hard_coded_answers_do_not_hold() -> None:
    cheat = (
        '    return {"rooms": rooms}',
        '    return {"rooms": [{"room_id": 7, "title": "Long Hall", "floor": "upper", "seats": 60, "fee_cents": 21000}]}',
    )
    seen = looking.look("behaviours", package(server=cheat), **PASSAGES)
    (line,) = seen.evidence
    assert "free rooms are those with no booking that day" in line
    assert "list_free_rooms{'day': '2026-05-14'}" in line and "expected [{'room_id': 1" in line


def test_examples_that_agree_with_the_rules_hold() -> None:
    assert looking.look("behaviours", package(), **PASSAGES).evidence == []


def test_a_fault_is_told_with_its_place() -> None:
    fault = ('    return {"bookings": bookings}', '    return {"bookings": bookings["all"]}')
    seen = looking.look("data", package(server=fault))
    line = package(server=fault)["server.py"].split('bookings["all"]')[0].count("\n") + 1
    assert any(
        f"raised TypeError: list indices must be integers or slices, not str (server.py:{line})" in one
        for one in seen.evidence
    )


@pytest.mark.parametrize(
    "code",
    [
        "import os",
        "print(open('/etc/passwd').read())",
        "().__class__.__base__.__subclasses__()",
    ],
)
def test_code_that_reaches_out_is_never_run(code: str) -> None:
    seen = looking.look("tools", package(server=("NOTICE_DAYS = 2", f"{code}\nNOTICE_DAYS = 2")))
    assert seen.evidence and seen.evidence[0].startswith("server.py:") and not seen.signatures


def test_tools_present_themselves_without_their_code() -> None:
    seen = looking.look("tools", package())
    assert seen.evidence == []
    tool = next(one for one in seen.signatures if one["name"] == "cancel_booking")
    assert tool["refuses_for"] == ["cancel-notice", "cancelled"] and tool["changes_tables"] == ["bookings"]
    assert "SELECT" not in str(seen.signatures)


def test_rows_come_from_a_script_and_two_runs_agree() -> None:
    script = "def rows(random, base):\n    return {'people': [{'n': random.randrange(10**9)}, *base['people']]}\n"
    rows, problem = looking.generate(script, {"people": [{"n": 1}]}, package())
    assert problem == "" and rows["people"][1] == {"n": 1}
    assert looking.generate(script, {"people": [{"n": 1}]}, package())[0] == rows
    assert looking.lines_of({"a": [{"x": 1, "y": None}]}) == {"data/a.jsonl": '{"x": 1}\n'}


def test_tasks_stand_or_fall_with_their_twins() -> None:
    lines = '{"id":"a"}\n{"id":"b","twin":"c"}\n{"id":"c","twin":"b"}\n'
    assert looking.only_tasks(lines, {"a", "b"}) == '{"id":"a"}\n'
    assert looking.only_tasks(lines, {"b", "c"}) == lines.removeprefix('{"id":"a"}\n')
