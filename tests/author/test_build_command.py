"""`envfactory build` with a model: what is said, what is kept, how it goes on, and what it refuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from envfactory_gym.author import Document
from envfactory_gym.cli import app
from envfactory_gym.llm.loopback import Loopback
from tests.support import LENDING

from .playing import ROOMS_RULES, Author, fenced, rooms


@pytest.fixture
def author() -> Author:
    """Who answers."""
    return Author(rooms())


@pytest.fixture
def url(author: Author) -> Iterator[str]:
    """Where it answers."""
    with Loopback(author) as server:
        yield server.url


def build(*arguments: str | Path) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, ["build", *map(str, arguments)])


def test_it_writes_goes_on_and_says_so(url: str, author: Author, tmp_path: Path) -> None:
    rules = tmp_path / "rules.md"
    rules.write_text(ROOMS_RULES)
    common = [rules, "--model", "m", "--base-url", url, "--out", tmp_path / "rooms", "--json"]
    first = build(*common, "--until", "propose", "--max-calls", "9")
    (told,) = json.loads(first.stdout)
    assert (first.exit_code, told["reached"], told["answers"], told["path"]) == (1, "stopped", 1, None)
    assert build(*common).exit_code == 2  # a run lies there
    again = build(*common, "--until", "state", "--resume")
    (told,) = json.loads(again.stdout)
    assert [step["step"] for step in told["steps"]] == ["propose/1", "state/1"]
    assert set(author.asked.values()) == {1}
    assert (tmp_path / "rooms.run" / "rooms" / "answers" / "state-1.md").exists()


def test_another_order_is_not_taken_for_the_same_run(url: str, tmp_path: Path) -> None:
    common = ["--model", "m", "--base-url", url, "--out", tmp_path / "rooms", "--until", "propose"]
    build("A house with rooms to be booked", *common)
    other = build("A house with boats to be booked", *common, "--resume")
    assert other.exit_code == 2 and "begun with another environments" in other.stderr


def test_a_budget_of_nothing_asks_nothing(url: str, author: Author, tmp_path: Path) -> None:
    said = build(
        "A house with rooms", "--model", "m", "--base-url", url, "--out", tmp_path / "rooms", "--max-calls", "0"
    )
    assert said.exit_code == 1 and not author.asked
    assert "stopped: the budget of 0 calls is spent" in said.stdout and "--resume goes on" in said.stdout


def test_several_sources_are_several_environments_and_fail_by_themselves(tmp_path: Path) -> None:
    def answers(heard: object) -> dict[str, str]:
        unquoted = ('"at the latest two days before its day"', '""')
        mine = Author(rooms(), {"propose": [unquoted]})(heard)  # type: ignore[arg-type]
        return {"content": "No."} if "boats" in heard.session else mine  # type: ignore[attr-defined]

    with Loopback(answers) as server:
        said = build(
            "A house with rooms", "The boats of a lake", "--model", "m", "--base-url", server.url,
            "--out", tmp_path / "all", "--until", "state", "--json",
        )  # fmt: skip
    told = {one["name"]: one for one in json.loads(said.stdout)}
    assert {name: one["reached"] for name, one in told.items()} == {"house_rooms": "stopped", "boats_lake": "failed"}
    assert "handed in nothing that could be executed" in told["boats_lake"]["why"]


def found_on_the_web(words: str) -> list[Document]:
    """A search of the user's own."""
    return [Document("A page", f"Rooms are let by the day to members, it says about {words}.")]


def test_a_search_of_ones_own_is_named_by_its_module(url: str, author: Author, tmp_path: Path) -> None:
    author.mistakes = {"search": ["SEARCH: membership fees", "Enough."]}
    said = build(
        "A house with rooms", "--model", "m", "--base-url", url, "--out", tmp_path / "rooms", "--until", "propose",
        "--search-tool", "tests.author.test_build_command:found_on_the_web", "--json",
    )  # fmt: skip
    assert json.loads(said.stdout)[0]["steps"][0]["outcome"] == "1 searches"
    assert "let by the day to members" in author.prompts["search/2"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["a house with rooms", "--out", "x"], "envfactory brief 'a house with rooms' --out x"),
        (["a house with rooms", "--model", "m", "--out", "x", "--split"], "for the compiler"),
        (["a house with rooms", "--model", "m", "--out", "x", "--until", "lunch"], "no stage 'lunch'"),
        (["a house with rooms", "--model", "m", "--out", "x", "--search-tool", "nowhere:at"], "cannot be imported"),
        (["a house with rooms", "--model", "m", "--out", "x", "--base-url", "nonsense"], "a base URL is such as"),
        (["a house", "a house", "--model", "m", "--out", "x"], "two environments would be called house"),
        (["a", "b", "--out", "x"], "one source to build"),
        (["api.json", "--model", "m", "--out", "x"], "no such file"),
    ],
)
def test_what_it_cannot_do_it_says(
    arguments: list[str], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = build(*arguments)
    assert said.exit_code == 2 and told in said.stderr


def test_what_an_api_document_says_is_compiled_first(tmp_path: Path) -> None:
    document = tmp_path / "api.json"
    document.write_text("{}")
    said = build(document, "--model", "m", "--out", tmp_path / "x")
    assert said.exit_code == 2 and f"envfactory build {document} --out DIR" in said.stderr


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.md").write_text("Years of work.")
    said = build("a house with rooms", "--model", "m", "--out", tmp_path / "mine")
    assert said.exit_code == 2 and "something in this folder" in said.stderr
    assert (tmp_path / "mine" / "thesis.md").exists()


# ---------------------------------------------------------------- on top of a package

ADDED = {
    "title": "Harbour Street Lending Desk", "domain": "community", "summary": "Members borrow things and bring them back.",
    "users": "Members of the desk.", "clock": "2026-03-10T09:00:00Z",
    "rules": [{"id": "kitchen-first", "text": "Kitchen things are not extended at all.", "source": "S1", "enforced_by": ["extend_loan"]}],
}  # fmt: skip
EDIT = """```server.py
<<<<<<< old
    if loan["extended"]:
=======
    if world.value("SELECT category FROM items WHERE item_id = ?", loan["item_id"]) == "kitchen":
        raise ToolError("forbidden", "Kitchen things go back.", field="loan_id", reason="kitchen-first")
    if loan["extended"]:
>>>>>>> new
```"""
HINT = """```server.py
<<<<<<< old
    candidates="SELECT loan_id FROM loans WHERE state = 'open' AND extended = 0",
=======
    candidates='''SELECT loan_id FROM loans JOIN items USING (item_id)
                  WHERE state = 'open' AND extended = 0 AND category <> 'kitchen' ''',
>>>>>>> new
```"""
EXAMPLE = """- name: kitchen things are not extended
  origin: {kind: policy, ref: kitchen-first}
  setup: {rows: [{table: loans, key: {loan_id: KKKKK}, values: {member_id: M-101, item_id: 10, due_on: "2026-03-15", state: open}}]}
  calls: [{tool: extend_loan, arguments: {loan_id: KKKKK}, expect: {error: {code: forbidden, reason: kitchen-first}}}]
  changes: {}
"""


def test_rules_are_added_on_top_of_a_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    answers = {
        "propose": ["```json\n" + json.dumps(ADDED) + "\n```"], "state": ["NOTHING"], "tools": [EDIT], "data": ["NOTHING", HINT],
        "words": ["NOTHING"], "behaviours": [fenced("behaviours.yaml", EXAMPLE)],
    }  # fmt: skip
    author = Author(rooms(), answers)
    with Loopback(author) as server:
        said = build(
            "Kitchen things are not extended.", "--on", LENDING, "--model", "m", "--base-url", server.url,
            "--out", tmp_path / "more", "--until", "behaviours", "--json",
        )  # fmt: skip
    told = json.loads(said.stdout)[0]
    outcomes = {step["step"]: step["outcome"] for step in told["steps"]}
    assert outcomes == {
        **{f"{stage}/1": "accepted" for stage in ("propose", "state", "tools", "words", "behaviours")},
        "data/1": "failed",  # what the tool claims to accept, it refuses by the new rule: seen on the rows
        "data/2": "accepted",
    }
    assert (
        "only 3 of 4 candidates succeed" in next(one for one in told["steps"] if one["step"] == "data/1")["evidence"][0]
    )
    state = json.loads((tmp_path / "more.run" / "lending" / "checkpoint.json").read_text())
    files = state["draft"]["files"]
    before = (LENDING / "server.py").read_text()
    assert [line.strip()[:10] for line in before.splitlines() if line not in files["server.py"].splitlines()] == [
        "candidates"
    ]
    assert files["policy.md"].startswith((LENDING / "policy.md").read_text().rstrip())
    assert "- [kitchen-first] Kitchen things are not extended at all. (S1)" in files["policy.md"]
    assert files["behaviours.yaml"].count("- name:") == (LENDING / "behaviours.yaml").read_text().count("- name:") + 1
    assert "version: 0.2.0" in files["environment.yaml"]
    assert files["data/items.jsonl"] == (LENDING / "data" / "items.jsonl").read_text()
    assert "def extend_loan" not in author.prompts["behaviours/1"]
