"""Revising by evidence: what is wrong is found by executing the whole, mended, or told; the best draft is what is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.author import revising
from envfactory_gym.author.looking import Executed
from envfactory_gym.author.pipeline import Order, Settings, Writing
from envfactory_gym.author.revising import claims, revise
from envfactory_gym.author.state import Draft, State
from envfactory_gym.verify.finding import Finding
from envfactory_gym.verify.mutation import MutationScore
from envfactory_gym.verify.mutation.score import Survivor
from envfactory_gym.verify.report import Report

from .conftest import QUICK
from .playing import Author, fenced, rooms, sources_of

GOOD = "good"


def executed(*failing: str, share: float = 0.9, evidence: int = 1, tasks: int = 0) -> Executed:
    """What an execution could have found: these checks failing, so much noticed."""
    names = ("static", "tools", "data", "behaviours", "fuzz", "coverage")
    lines = {
        name: tuple(
            f"behaviours.yaml:{n} example {n}: call 0: t{{}}: result.x is 1, expected 2"
            if name == "behaviours"
            else f"server.py:{n} {name}"
            for n in range(evidence)
        )
        for name in names
    }
    checks = [
        Finding(check=name, passed=name not in failing, evidence=lines[name] if name in failing else ())
        for name in names
    ]
    if not failing:
        checks.append(Finding(check="mutation", passed=True))
    survivor = Survivor(id="book_room.boundary.abc", line=3, diff="- secret\n+ code", ran=("example 1",))
    score = MutationScore(
        killed=int(share * 100),
        survivors=(survivor,) * int(100 - share * 100),
        left_out=0,
        equivalent=0,
        possible=100,
        tools={},
        operators={},
    )
    report = Report(
        environment="EnvFactory/rooms-v0", world_hash="", rules_hash="", package_hash="", tools=1, checks=tuple(checks),
        certificates=(), mutation="not measured" if failing else score,
    )  # fmt: skip
    return Executed(report, tuple(checks), "sandbox")


class Script:
    """A writing whose executions are scripted: a mark in server.py or behaviours.yaml says what was found."""

    def __init__(self, author: Author, found: dict[str, Executed], tmp_path: Path, url: str, **settings: Any) -> None:
        self.found, self.executions = found, []  # type: ignore[var-annotated]
        self.author, self.folder, self.url, self.settings = author, tmp_path, url, settings

    def run(self) -> tuple[State, list[str]]:
        from envfactory_gym.author.asking import Asker
        from envfactory_gym.author.looking import Look
        from envfactory_gym.author.proposal import Proposal
        from envfactory_gym.author.run_folder import RunFolder
        from envfactory_gym.llm import Cassette, Client

        async def go() -> State:
            folder = RunFolder(self.folder / "run", {})
            with Cassette(folder.cassette) as tape:
                async with Client(self.url, retries=QUICK, cassette=tape) as client:
                    asker = Asker(client, "scripted", {}, folder)
                    order = Order("rooms", sources_of(self.folder, rooms()), self.folder / "out")
                    writing = Writing(order, replace(Settings(tasks=0), **self.settings), asker, asyncio.Semaphore(1))
                    writing.state.proposal = Proposal.model_validate_json(rooms()["proposal.json"])
                    files = {
                        name: text for name, text in rooms().items() if name not in ("proposal.json", "make_data.py")
                    }
                    files |= {
                        "server.py": "x = 'start'\n",
                        "behaviours.yaml": rooms()["behaviours.yaml"],
                        "policy.md": "",
                    }
                    writing.state.draft = Draft(files=files)

                    async def look(draft: Draft) -> list[str]:
                        return []

                    async def whole(draft: Draft) -> Executed:
                        text = draft.files["server.py"] + draft.files["behaviours.yaml"]
                        mark = next(mark for mark in self.found if mark in text)
                        self.executions.append(mark)
                        return self.found[mark]

                    async def with_tasks(draft: Draft, measured: Executed) -> tuple[Draft, Executed]:
                        return draft, measured

                    writing.basics, writing.aims, writing.whole, writing.with_tasks = look, look, whole, with_tasks  # type: ignore[method-assign]
                    assert Look
                    await revise(writing)
                    return writing.state

        return asyncio.run(go()), self.executions


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Any]:
    """Revise with scripted answers and scripted executions."""
    from envfactory_gym.llm.loopback import Loopback

    servers: list[Loopback] = []

    def made(answers: list[Any], found: dict[str, Executed], **settings: Any) -> tuple[State, list[str], Author]:
        author = Author(rooms(), {"revise": answers})
        server = Loopback(author)
        server.__enter__()
        servers.append(server)
        state, executions = Script(author, found, tmp_path, server.url, **settings).run()
        return state, executions, author

    yield made
    for server in servers:
        server.__exit__()


def code(mark: str) -> str:
    return fenced("server.py", f"x = '{mark}'")


def examples(mark: str) -> str:
    return fenced(
        "behaviours.yaml",
        f"- name: {mark}\n  origin: {{kind: policy, ref: seats}}\n  calls: [{{tool: book_room, expect: {{error: {{code: limit}}}}}}]",
    )


def test_the_tools_are_mended_by_evidence(script: Any) -> None:
    state, executions, author = script([code("mended")], {"mended": executed(), "start": executed("fuzz")})
    assert executions == ["start", "mended"]
    assert "server.py:0 fuzz" in author.prompts["revise-1/1"]
    assert "mended" in state.revising.best.files["server.py"]


def test_what_makes_it_worse_is_thrown_away_and_told(script: Any) -> None:
    found = {"worse": executed("fuzz", "data"), "mended": executed(), "start": executed("fuzz")}
    state, _, author = script([code("worse"), code("mended")], found)
    outcomes = [
        (step.step, step.outcome) for step in state.steps if step.step.startswith("revise") and "/" not in step.step
    ]
    assert outcomes == [("revise-1", "discarded"), ("revise-2", "code revised")]
    assert "x = 'start'" in author.prompts["revise-2/1"]  # it begins again from what was before
    assert "data passed before" in author.prompts["revise-2/1"]


def test_the_best_is_kept_and_not_the_last(script: Any) -> None:
    found = {"better": executed("fuzz"), "sideways": executed("data"), "start": executed("fuzz", "data", "tools")}
    state, _, _ = script([code("better")] + [code("sideways")] * 9, found, revisions=4)
    assert "better" in state.revising.best.files["server.py"]
    assert state.revising.best_key == list(executed("fuzz").key)


def test_it_ends_when_nothing_gets_better(script: Any) -> None:
    state, executions, _ = script([code(f"start {n}") for n in range(20)], {"start": executed("fuzz")}, revisions=50)
    assert state.revising.number == revising.PATIENCE and len(executions) == revising.PATIENCE + 1


def test_a_wrong_example_is_disputed_and_corrected(script: Any) -> None:
    dispute = '```json\n{"disputes": [{"behaviour": "example 0", "because": "the rule says two days"}]}\n```'
    found = {"corrected": executed(), "start": executed("behaviours")}
    state, executions, author = script([dispute, examples("corrected")], found)
    assert executions == ["start", "corrected"]
    assert "example 0: the rule says two days" in author.prompts["revise-2/1"]
    assert "result.x is 1, expected 2" in author.prompts["revise-2/1"]
    assert "corrected" in state.revising.best.files["behaviours.yaml"]


def test_who_insists_is_heard_by_the_author_of_the_tools(script: Any) -> None:
    dispute = '{"disputes": [{"behaviour": "example 0", "because": "it is too strict"}]}'
    insists = '{"insists": [{"behaviour": "example 0", "because": "S2 says so"}]}'
    found = {"mended": executed(), "start": executed("behaviours")}
    _, _, author = script([dispute, insists, code("mended")], found)
    assert "example 0: S2 says so" in author.prompts["revise-3/1"] and "insists" in author.prompts["revise-3/1"]


def test_faults_that_nobody_notices_are_told_without_the_code(script: Any) -> None:
    found = {"sharper": executed(share=0.9), "start": executed(share=0.4)}
    state, _, author = script([examples("sharper")], found)
    prompt = author.prompts["revise-1/1"]
    assert "book_room: 60 × a border was moved by one; examples that reach it: example 1" in prompt
    assert "secret" not in prompt and "x = 'start'" not in prompt
    assert state.revising.best_key == list(executed(share=0.9).key)


def test_an_answer_without_files_costs_a_revision_and_no_more(script: Any) -> None:
    found = {"mended": executed(), "start": executed("fuzz")}
    state, _, _ = script(["Let me think."] * 3 + [code("mended")], found)
    assert [step.outcome for step in state.steps if step.step in ("revise-1", "revise-2")] == ["failed", "code revised"]


@pytest.mark.parametrize(
    "text", ["", "{}", '{"disputes": 3}', '{"disputes": [1, {"because": "x"}]}', "[]", "```json\n{"]
)
def test_what_is_no_objection_is_none(text: str) -> None:
    assert claims(text, "disputes") == []


def test_no_example_is_lost_by_a_revision(script: Any) -> None:
    found = {"sharper": executed(), "start": executed(share=0.1)}
    state, _, _ = script([examples("sharper")], found)
    names = [line for line in state.revising.best.files["behaviours.yaml"].splitlines() if line.startswith("- name:")]
    before = [line for line in rooms()["behaviours.yaml"].splitlines() if line.startswith("- name:")]
    assert names == [*before, "- name: sharper"]
