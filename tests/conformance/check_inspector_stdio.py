"""Every shipped environment, over standard input and output, as the inspector's strict reading of schemas sees it."""

from __future__ import annotations

import json
import sys

import pytest

from .fixture_fleet import proved
from .node_tools import ROOT, NodeTools

ENVIRONMENTS = proved()


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_schemas_are_portable_and_no_warning_is_given(node_tools: NodeTools, name: str, era: str) -> None:
    server = [sys.executable, "-m", "envfactory_gym.cli", "serve", name]
    run = node_tools.inspector(
        "--protocol-era", era, "--method", "tools/list", "--strict", "-e", f"PYTHONPATH={ROOT}", "--", *server
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["tools"]


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("method", ["resources/list", "prompts/list"])
def test_what_hosts_ask_besides_is_answered(node_tools: NodeTools, method: str, era: str) -> None:
    server = [sys.executable, "-m", "envfactory_gym.cli", "serve", ENVIRONMENTS[0]]
    run = node_tools.inspector("--protocol-era", era, "--method", method, "-e", f"PYTHONPATH={ROOT}", "--", *server)
    assert (run.returncode, run.stderr) == (0, "")
