"""The training example, cut down to seconds: it runs, draws, says what is missing, and keeps its model when stopped."""

import json
import os
import signal
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
SMALL = ("--environments", "crm", "--train-tasks", "6", "--rl-tasks", "4", "--test-tasks", "3", "--new-tokens", "4",
         "--grpo-batch", "4", "--generations", "2", "--grpo-tokens", "24", "--sft-batch", "2", "--threads", "1")  # fmt: skip

needs_trl = pytest.mark.skipif(find_spec("trl") is None, reason="needs the extra `trl`: make test-integrations")


def started(program: str, *arguments: object, cwd: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-u", str(EXAMPLES / program), *map(str, arguments)]
    offline = {**os.environ, "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, cwd=cwd, env=offline)


def finished(program: str, *arguments: object, cwd: Path) -> str:
    process = started(program, *arguments, cwd=cwd)
    said, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors[-2000:]
    return said


@needs_trl
def test_it_measures_before_and_after_and_draws(tmp_path: Path) -> None:
    said = finished("train_trl.py", *SMALL, "--sft-steps", 2, "--grpo-steps", 1, "--out", "run", cwd=tmp_path)
    assert [line.partition(":")[0] for line in said.splitlines() if ": crm" in line] == [
        "before SFT", "after SFT", "after RL",
    ]  # fmt: skip
    result = json.loads((tmp_path / "run" / "result.json").read_text())
    assert {when: found["crm"]["tasks"] for when, found in result["pass"].items()} == {
        "before SFT": 3, "after SFT": 3, "after RL": 3,
    }  # fmt: skip
    assert len(result["reward"]) == 1
    table = finished("trl_figures.py", "run", "--out", "drawn", cwd=tmp_path)
    assert table.splitlines()[-1].startswith("| 0 | ")
    assert {path.name for path in (tmp_path / "drawn").iterdir()} == {"train_trl_pass.png", "train_trl_reward.png"}


@needs_trl
def test_ctrl_c_keeps_the_model_and_training_goes_on_from_it(tmp_path: Path) -> None:
    process = started("train_trl.py", *SMALL, "--sft-steps", 1000, "--out", "run", cwd=tmp_path)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("before SFT"):
            break
    for line in process.stdout:
        if "'loss'" in line:
            process.send_signal(signal.SIGINT)
            break
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 1, errors[-2000:]
    kept = Path("run", "stopped_in_sft")
    assert f"--model {kept}" in errors.splitlines()[-1]
    again = ("--model", kept, "--sft-steps", 1, "--grpo-steps", 0, "--out", "again")
    assert "after SFT: crm" in finished("train_trl.py", *SMALL, *again, cwd=tmp_path)


def test_it_says_what_to_install(tmp_path: Path) -> None:
    """Whether or not there is a torch here."""
    program = f"import runpy, sys; sys.modules['torch'] = None; runpy.run_path({str(EXAMPLES / 'train_trl.py')!r})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "  -> pip install 'envfactory-gym[trl]'"
