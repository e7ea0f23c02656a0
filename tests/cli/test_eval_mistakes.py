"""What can be wrong with a command that evaluates is told at once, before an episode is spent on it."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Terminal


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ((), "nobody plays"),
        (("--model", "m", "--max-cost", "1"), "a budget of money needs the price of 'm'"),
        (("--model", "m", "--price-in", "1"), "go together"),
        (("--model", "m", "--max-result", "50"), "200"),
        (("--model", "m", "--base-url", "localhost:8000"), "a base URL is such as"),
        (("--model", "m", "--extra", "{bad"), "is no JSON"),
        (("--model", "gold", "--agent", "gold"), "the name of an agent as well"),
        (("--model", "m", "--prices", "none.yaml"), "none.yaml: No such file"),
        (("--agent", "gold", "--user", "model"), "agents without a model"),
    ],
)
def test_a_mistake_is_named_and_nothing_is_played(
    envfactory: Terminal, tmp_path: Path, options: tuple[str, ...], told: str
) -> None:
    out = tmp_path / "RUN.jsonl"
    answer = envfactory("eval", "--env", "calendar", "--tasks", "1", "--out", str(out), *options)
    assert answer.code == 2
    assert told in answer.err
    assert not out.exists() or not out.read_text()


def test_a_run_is_no_folder(envfactory: Terminal, tmp_path: Path) -> None:
    answer = envfactory("eval", "--env", "calendar", "--agent", "gold", "--out", str(tmp_path))
    assert answer.code == 2 and "this is a folder" in answer.err


def test_why_episodes_are_not_valid_is_shown(envfactory: Terminal, tmp_path: Path) -> None:
    nobody = ("--model", "m", "--base-url", "http://127.0.0.1:9/v1", "--attempts", "1")
    answer = envfactory("eval", "--env", "calendar", "--tasks", "2", "--out", str(tmp_path / "RUN.jsonl"), *nobody)
    assert answer.code == 1
    assert "not valid, for instance" in answer.out and "is the server running" in answer.out.replace("\n", " ")


@pytest.mark.parametrize("command", [("rescore",), ("compare",)])
def test_a_run_without_episodes_is_told(envfactory: Terminal, tmp_path: Path, command: tuple[str, ...]) -> None:
    out = tmp_path / "RUN.jsonl"
    out.write_text("")
    answer = envfactory(*command, *[str(out)] * (2 if command == ("compare",) else 1))
    assert answer.code == 2 and "has no episode" in answer.err
