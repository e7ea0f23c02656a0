"""The documentation is true: what it shows is executed, and what exists is in it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from envfactory_gym.environment import Package, ToolError
from envfactory_gym.verify import certify, verify
from envfactory_gym.verify.checks import CHECKS
from envfactory_gym.world import Template
from tests.support import lending

from .documents import blocks, write_documented_package

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/proofs.md",
    "docs/worlds.md",
    "docs/packages.md",
    "docs/mcp.md",
    "docs/serving.md",
    "docs/training.md",
    "docs/training-example.md",
    "docs/evaluation.md",
    "docs/exports.md",
    "docs/trainers.md",
    "docs/scaling.md",
    "docs/several-environments.md",
    "docs/benchmarks.md",
    "docs/authoring.md",
)


@pytest.fixture(scope="module")
def library(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The package of docs/packages.md."""
    folder = write_documented_package(checkout / "docs" / "packages.md", tmp_path_factory.mktemp("own") / "library")
    return Package.load(folder, trusted=True)


@pytest.fixture
def shell(checkout: Path, tmp_path: Path) -> dict[str, str]:
    """Environment variables under which `envfactory` is a command, as after an installation."""
    command = tmp_path / "bin" / "envfactory"
    command.parent.mkdir()
    # An MCP client starts servers with few variables, so the command brings its own.
    command.write_text(f'#!/bin/sh\nPYTHONPATH="{checkout}" exec "{sys.executable}" -m envfactory_gym.cli "$@"\n')
    command.chmod(0o755)
    path = os.pathsep.join([str(command.parent), str(Path(sys.executable).parent), os.environ["PATH"]])
    return {**os.environ, "PYTHONPATH": str(checkout), "PATH": path, "ENVFACTORY_HOME": str(tmp_path / "state")}


@pytest.mark.parametrize(
    ("name", "programs"),
    [
        ("README.md", 2),
        ("docs/proofs.md", 1),
        ("docs/mcp.md", 1),
        ("docs/serving.md", 1),
        ("docs/training.md", 4),
        ("docs/evaluation.md", 1),
        ("docs/sandbox.md", 2),
    ],
)
def test_python_in_documents_runs(
    checkout: Path, tmp_path: Path, shell: dict[str, str], name: str, programs: int
) -> None:
    found = blocks(checkout / name, "python")
    assert len(found) == programs
    for program in found:
        command = [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", program.text]
        done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, env=shell, timeout=120)
        assert done.returncode == 0, f"{name}:{program.line}\n{done.stdout}{done.stderr}"


def test_commands_in_the_readme_run(checkout: Path, tmp_path: Path, shell: dict[str, str]) -> None:
    """Those of "Your own environment", from the checkout's root as a reader would, writing elsewhere."""
    section = (checkout / "README.md").read_text().partition("## Your own environment")[2].partition("\n## ")[0]
    commands = [
        line.partition("#")[0].strip().replace("my/", f"{tmp_path}/my/").replace("=my ", f"={tmp_path}/my ")
        for line in section.partition("```\n")[2].partition("```")[0].splitlines()
    ]
    assert [command.split("envfactory ")[1].split()[0] for command in commands] == ["build", "verify", "play"]
    for command in commands:
        done = subprocess.run(
            command, shell=True, capture_output=True, text=True, cwd=checkout, env=shell, input="/quit\n", timeout=300
        )
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"


def executed(document: Path, section: str) -> set[str]:
    """Checks that a table of docs/proofs.md marks as executed by this version."""
    text = document.read_text().partition(f"## {section}")[2].partition("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    return {row[0] for row in rows if row[-1] == "yes"}


def test_the_rows_of_a_certificate_are_those_of_the_table(checkout: Path) -> None:
    package = lending()
    certificate = certify(package, package.task("due-drill-then-extend"))
    assert certificate.passed
    # `replay` is executed for a whole batch of tasks, by the check `determinism`.
    rows = {row.check for row in certificate.findings} | {"replay"}
    assert executed(checkout / "docs" / "proofs.md", "4. The certificate of a task") == rows


def test_the_checks_of_a_report_are_those_of_the_table(checkout: Path) -> None:
    modules = {path.stem for path in (checkout / "envfactory_gym" / "verify" / "checks").glob("[a-z]*.py")}
    assert set(CHECKS) < modules
    assert executed(checkout / "docs" / "proofs.md", "5. The report of an environment") == modules


def test_the_worked_example_is_the_task_it_names(checkout: Path) -> None:
    text = (checkout / "docs" / "proofs.md").read_text()
    task = Package(checkout / "generated_servers" / "airline").task("cancel-cheaper-london")
    (turn,) = task.turns
    assert turn.request in text
    for call in (call for step in turn.gold for call in step.calls):
        assert f"`{call.tool}`" in text
        assert all(str(value) in text for value in call.arguments.values())


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json_and_yaml_in_documents_parse(checkout: Path, name: str) -> None:
    for block in blocks(checkout / name):
        if block.language == "json":
            json.loads(block.text)
        if block.language == "jsonl":
            assert all(isinstance(json.loads(line), dict) for line in block.text.splitlines())
        if block.language == "yaml":
            yaml.safe_load(block.text)
        if block.language == "python":
            compile(block.text, f"{name}:{block.line}", "exec")


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_between_documents_lead_somewhere(checkout: Path, name: str) -> None:
    here = checkout / name
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", here.read_text()):
        if not target.startswith(("http://", "https://")):
            assert (here.parent / target).exists(), f"{name} links to {target}"


def test_the_documented_package_loads(library: Package) -> None:
    assert library.id == "EnvFactory/library-v0"
    assert list(library.schema.tables) == ["members", "copies", "loans"]
    assert list(library.tools) == ["list_loans", "renew_loan"]
    assert library.tools["renew_loan"].parameters[0].ref == "loans.loan_id"
    assert set(library.policy.rules) == {"renew-overdue", "confirm-writes"}
    assert library.language.value_of("loan_state", "it is late") == "overdue"
    assert str(library.schema.column("loans.loan_id").policy) == "generated"


def test_the_documented_tool_does_what_the_page_says(library: Package) -> None:
    template = Template.of(library)
    world = template.acquire()
    assert json.loads(world.call("renew_loan", {"loan_id": "L7Q2MD"})) == {"loan_id": "L7Q2MD", "due_on": "2026-06-17"}
    with pytest.raises(ToolError) as refusal:
        world.call("renew_loan", {"loan_id": "L000LD"})
    assert (refusal.value.code, refusal.value.reason) == ("forbidden", "overdue")
    assert len(world.changes()) == 1
    template.release(world)


def test_the_documented_queries_and_behaviours_hold(library: Package) -> None:
    template = Template.of(library)
    world = template.acquire()
    assert [world.query(invariant.sql) for invariant in library.invariants] == [[]]
    behaviour = library.behaviours[0]
    (call,) = behaviour.calls
    assert call.expect.error is not None
    with pytest.raises(ToolError) as refusal:
        world.call(call.tool, call.arguments)
    assert (refusal.value.code, refusal.value.reason) == (call.expect.error.code, call.expect.error.reason)
    assert not world.changes()
    template.release(world)


def test_the_documented_package_is_green(library: Package) -> None:
    report = verify(library, jobs=1)
    failed = [f"{check.check}: {check.evidence}" for check in report.checks if not check.passed]
    assert (failed, report.passed, report.tier, report.certified) == ([], True, "draft", ["renew-kon-tiki"])


def test_the_readme_names_every_command(checkout: Path) -> None:
    from envfactory_gym.cli import app

    readme = (checkout / "README.md").read_text()
    commands = [command.name for command in app.registered_commands]
    assert len(commands) >= 8
    assert [name for name in commands if f"envfactory {name}" not in readme] == []
