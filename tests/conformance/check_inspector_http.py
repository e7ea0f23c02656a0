"""Every shipped environment over HTTP, at an episode's address and at the shared one, as the inspector reads it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from envfactory_gym.environment import load_package

from .fixture_fleet import proved, shipped_fleet
from .node_tools import NodeTools

ENVIRONMENTS = proved()
REFUSED = 5
"""Exit code of the inspector where a tool answered `isError`."""


@pytest.fixture(scope="module")
def shipped() -> Iterator[dict[str, dict[str, str]]]:
    """Addresses of every shipped environment: an episode's, and the shared one."""
    with shipped_fleet(ENVIRONMENTS) as addresses:
        yield addresses


def arguments(era: str, url: str, method: str) -> list[str]:
    """What the inspector is told."""
    return ["--protocol-era", era, "--transport", "http", "--server-url", url, "--method", method]


@pytest.mark.parametrize("kind", ["episode", "shared"])
@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_schemas_are_portable_and_no_warning_is_given(
    node_tools: NodeTools, shipped: dict[str, dict[str, str]], name: str, era: str, kind: str
) -> None:
    run = node_tools.inspector(*arguments(era, shipped[name][kind], "tools/list"), "--strict")
    assert (run.returncode, run.stderr) == (0, "")
    assert json.loads(run.stdout)["tools"]


@pytest.mark.parametrize("era", ["modern", "legacy"])
@pytest.mark.parametrize("method", ["resources/list", "prompts/list"])
def test_what_hosts_ask_besides_is_answered(
    node_tools: NodeTools, shipped: dict[str, dict[str, str]], method: str, era: str
) -> None:
    run = node_tools.inspector(*arguments(era, shipped[ENVIRONMENTS[0]]["episode"], method))
    assert (run.returncode, run.stderr) == (0, "")


@pytest.mark.parametrize("era", ["modern", "legacy"])
def test_a_call_is_answered_and_a_refusal_is_one(
    node_tools: NodeTools, shipped: dict[str, dict[str, str]], era: str
) -> None:
    call = arguments(era, shipped["airline"]["episode"], "tools/call")
    known = load_package("airline").rows("customers")[0]["customer_id"]
    good = node_tools.inspector(*call, "--tool-name", "find_customer", "--tool-arg", f"identifier={known}")
    assert good.returncode == 0, good.stderr
    assert json.loads(good.stdout)["structuredContent"]["customer_id"] == known
    bad = node_tools.inspector(*call, "--tool-name", "get_reservation", "--tool-arg", "reservation_id=NOSUCH")
    assert bad.returncode == REFUSED, bad.stdout + bad.stderr
