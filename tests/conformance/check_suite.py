"""The official conformance suite: both sets of requirements on the fixtures, and what fits on every environment.

The fixture server stands where an environment's would in a real fleet (`fixture_fleet`), so the dispatcher, the checks
of headers, hosts and tokens and the session managers that answer are those that serve environments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from .fixture_fleet import fixture_fleet, proved, shipped_fleet
from .node_tools import NodeTools

ENVIRONMENTS = proved()

BOTH_ERAS = ("tools-list", "resources-list", "dns-rebinding-protection", "server-sse-multiple-streams")
"""Scenarios that need no fixtures, in either era."""

CURRENT_ERA = ("server-stateless", "caching", "sep-2164-resource-not-found", "http-header-validation")
ERA_BEFORE = ("server-initialize", "ping", "server-session-lifecycle")
NOT_TESTABLE = "not testable"
"""What the suite says of a check for which a server has no fixture; such a check proves nothing either way."""


@pytest.fixture(scope="module")
def fixtures() -> Iterator[dict[str, str]]:
    """Addresses of the fixture server: with sessions and streams, and without."""
    with fixture_fleet() as addresses:
        yield addresses


@pytest.fixture(scope="module")
def shipped() -> Iterator[dict[str, dict[str, str]]]:
    """Addresses of every shipped environment: an episode's, and the shared one."""
    with shipped_fleet(ENVIRONMENTS) as addresses:
        yield addresses


def report(output: str) -> str:
    """The end of what the suite said: the summary."""
    return output[output.rfind("SUMMARY") :][-4000:]


@pytest.mark.parametrize("revision", ["2025-11-25", "2026-07-28"])
def test_all_that_a_revision_requires_is_kept(node_tools: NodeTools, fixtures: dict[str, str], revision: str) -> None:
    run = node_tools.conformance("server", "--url", fixtures["interactive"], "--requirements", revision)
    print(report(run.stdout))
    assert run.returncode == 0, report(run.stdout)


def test_the_current_revision_is_kept_without_sessions_too_but_for_progress(
    node_tools: NodeTools, fixtures: dict[str, str]
) -> None:
    # An answer in JSON has no room for notifications on the way; whoever wants progress uses an address with streams.
    run = node_tools.conformance("server", "--url", fixtures["plain"], "--requirements", "2026-07-28")
    print(report(run.stdout))
    summary = report(run.stdout)
    failing = set(re.findall(r"^✗ ([\w-]+):", summary, re.MULTILINE))
    unscored = set(re.findall(r"^  ✗ ([\w-]+) \(", summary, re.MULTILINE))
    assert failing - unscored == {"tools-call-with-progress"}, summary


def scenarios() -> Iterator[tuple[str, str, str]]:
    """Environment-independent scenarios: name, revision, kind of address."""
    for scenario in BOTH_ERAS:
        yield scenario, "2025-11-25", "shared"
        yield scenario, "2026-07-28", "episode"
    for scenario in CURRENT_ERA:
        yield scenario, "2026-07-28", "episode"
        yield scenario, "2026-07-28", "shared"
    for scenario in ERA_BEFORE:
        yield scenario, "2025-11-25", "shared"
        if scenario != "server-session-lifecycle":  # an episode's address has no sessions
            yield scenario, "2025-11-25", "episode"


@pytest.mark.parametrize(("scenario", "revision", "kind"), list(scenarios()))
@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_scenarios_without_fixtures_pass_on_every_environment(
    node_tools: NodeTools, shipped: dict[str, dict[str, str]], name: str, scenario: str, revision: str, kind: str
) -> None:
    run = node_tools.conformance(
        "server", "--url", shipped[name][kind], "--scenario", scenario, "--spec-version", revision, "--verbose"
    )
    failures = [line for line in re.findall(r'"errorMessage": "(.*)"', run.stdout) if NOT_TESTABLE not in line.lower()]
    assert failures == []
    assert '"SUCCESS"' in run.stdout or '"SKIPPED"' in run.stdout, run.stdout + run.stderr
