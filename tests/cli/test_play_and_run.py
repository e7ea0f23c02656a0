"""Playing: a person as the agent, agents over tasks, and the run record they leave."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_gym.environment import Package, PackageError
from envfactory_gym.episode import read_run
from tests.support import LENDING

from .conftest import Terminal

WON = """\
Sure. What is your member number?
/list_loans member_id=M-101
/return_item loan_id=H2MZP
Thank you, the loan is closed.
"""


def test_a_person_can_win(envfactory: Terminal, trusted_lending: str) -> None:
    answer = envfactory("play", "lending", "--task", "return-sander", typed=WON)
    assert answer.code == 0
    assert "bringing back the sander" in answer.out
    assert "M-101" in answer.out
    assert "Success: reward 1" in answer.out


def test_a_person_can_lose_and_reads_why(envfactory: Terminal, trusted_lending: str) -> None:
    answer = envfactory("play", "lending", "--task", "return-sander", typed="All done!\n")
    assert "Failure: reward 0" in answer.out
    assert "turn 1: did not pass" in answer.out
    assert "--gold" in answer.out


def test_a_person_can_look_things_up_without_using_a_step(envfactory: Terminal, trusted_lending: str) -> None:
    typed = "/help\n/tools\n/tool return_item\n/tool nothing\n/policy\n/again\n/lend me=this\n/return_item H2\n\n" + WON
    answer = envfactory("play", "lending", "--task", "return-sander", typed=typed)
    assert "return_item(loan_id, note?)" in answer.out
    assert "[extend-once]" in answer.out
    assert answer.out.count("there is no tool") == 2
    assert "'H2' is not name=value" in answer.out
    assert "Success: reward 1" in answer.out


def test_the_split_to_play_is_a_split_with_tasks(envfactory: Terminal, trusted_lending: str) -> None:
    assert envfactory("play", "lending", "--split", "tran").code == 2
    played = envfactory("play", "lending", "--split", "train", typed="Done.\n")
    (name,) = re.findall(r"show lending --task (\S+) --gold", played.out)
    assert Package(LENDING).task(name).split == "train"
    assert "no task that fits" in envfactory("play", "lending", "--split", "dev", "--task", name).err


def test_giving_up_grades_nothing(envfactory: Terminal, trusted_lending: str) -> None:
    for typed in ("/quit\n", ""):
        answer = envfactory("play", "lending", typed=typed)
        assert (answer.code, "nothing was graded" in answer.out) == (0, True)


def test_run_summarises_each_agent(envfactory: Terminal, trusted_lending: str) -> None:
    summary = {row["agent"]: row for row in envfactory("run", "lending", "--json").data["agents"]}
    assert [(name, row["episodes"], row["success"]) for name, row in summary.items()] == [
        ("gold", 5, 1.0),
        ("no-op", 5, 0.0),
        ("random", 5, summary["random"]["success"]),
    ]
    assert summary["no-op"]["outcomes"] == {"failure": 5}
    assert "gold" in envfactory("run", "lending", "--agent", "gold").out


def test_run_leaves_one_record_per_episode(envfactory: Terminal, trusted_lending: str, tmp_path: Path) -> None:
    file = tmp_path / "runs" / "RUN.jsonl"
    arguments = ("run", "lending", "--agent", "gold", "--agent", "no-op", "--split", "train", "--out", file)
    assert envfactory(*arguments).code == 0
    records = list(read_run(file))
    assert [(r.task, r.agent, r.outcome and r.outcome.kind) for r in records] == [
        ("return-sander", "gold", "success"),
        ("return-sander", "no-op", "failure"),
        ("borrow-cheapest-then-return", "gold", "success"),
        ("borrow-cheapest-then-return", "no-op", "failure"),
    ]
    assert [call.tool for call in records[0].calls] == ["list_loans", "return_item"]


def test_a_file_that_holds_no_records_is_named(tmp_path: Path) -> None:
    with pytest.raises(PackageError, match="envfactory run NAME --out FILE"):
        list(read_run(tmp_path / "nothing.jsonl"))
    (tmp_path / "other.jsonl").write_text('{"a": 1}\n')
    with pytest.raises(PackageError, match=r"other\.jsonl:1 .*\n.*not a run record"):
        list(read_run(tmp_path / "other.jsonl"))


def test_run_does_not_overwrite_a_record(envfactory: Terminal, trusted_lending: str, tmp_path: Path) -> None:
    arguments = ("run", "lending", "--agent", "no-op", "--out", tmp_path / "RUN.jsonl")
    assert envfactory(*arguments).code == 0
    refused = envfactory(*arguments)
    assert (refused.code, "--append" in refused.err) == (2, True)
    assert len(list(read_run(tmp_path / "RUN.jsonl"))) == 5
    assert envfactory(*arguments, "--append").code == 0
    assert len(list(read_run(tmp_path / "RUN.jsonl"))) == 10


def test_the_random_agent_repeats_itself_by_seed(envfactory: Terminal, trusted_lending: str, tmp_path: Path) -> None:
    def calls(seed: int, name: str) -> list[list[str]]:
        arguments = ("run", "lending", "--agent", "random", "--seed", str(seed), "--out", tmp_path / name)
        assert envfactory(*arguments).code == 0
        return [[f"{call.tool} {call.arguments} {call.result}" for call in r.calls] for r in read_run(tmp_path / name)]

    first = calls(1, "a")
    assert any(first)
    assert first == calls(1, "b")
    assert first != calls(2, "c")


def test_the_solo_form_with_the_answer_tool(envfactory: Terminal, trusted_lending: str) -> None:
    arguments = ("run", "lending", "--agent", "gold", "--user", "solo", "--answer", "tool", "--json")
    (row,) = envfactory(*arguments).data["agents"]
    assert row["success"] == 1.0


def test_ctrl_c_ends_with_130_and_no_traceback(trusted_lending: str, checkout: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-m", "envfactory_gym.cli", "play", "lending"]
    surroundings = {**os.environ, "PYTHONPATH": str(checkout)}
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=surroundings, cwd=tmp_path,
    )  # fmt: skip
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("user: "):
            break
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, err
    assert "Traceback" not in out + err
