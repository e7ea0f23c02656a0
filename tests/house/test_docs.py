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
from envfactory_gym.world import Template

from .documents import blocks, write_documented_package

DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/proofs.md",
    "docs/worlds.md",
    "docs/packages.md",
    "docs/mcp.md",
)


@pytest.fixture(scope="module")
def library(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Package:
    """The package of docs/packages.md."""
    folder = write_documented_package(checkout / "docs" / "packages.md", tmp_path_factory.mktemp("own") / "library")
    return Package.load(folder, trusted=True)


def test_python_in_the_readme_runs(checkout: Path, tmp_path: Path) -> None:
    programs = blocks(checkout / "README.md", "python")
    assert len(programs) >= 2
    for program in programs:
        surroundings = {
            **os.environ,
            "PYTHONPATH": str(checkout),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }
        done = subprocess.run(
            [sys.executable, "-W", "error::DeprecationWarning:__main__", "-c", program.text],
            capture_output=True, text=True, cwd=tmp_path, env=surroundings, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0, f"README.md:{program.line}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("name", DOCUMENTS)
def test_json_and_yaml_in_documents_parse(checkout: Path, name: str) -> None:
    for block in blocks(checkout / name):
        if block.language == "json" and not block.text.startswith('{"loan_id'):
            json.loads(block.text)
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
    assert list(library.tools) == ["renew_loan"]
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
    (behaviour,) = library.behaviours
    (call,) = behaviour.calls
    assert call.expect.error is not None
    with pytest.raises(ToolError) as refusal:
        world.call(call.tool, call.arguments)
    assert (refusal.value.code, refusal.value.reason) == (call.expect.error.code, call.expect.error.reason)
    assert not world.changes()
    template.release(world)


def test_the_readme_names_every_command(checkout: Path) -> None:
    from envfactory_gym.cli import app

    readme = (checkout / "README.md").read_text()
    commands = [command.name for command in app.registered_commands]
    assert len(commands) >= 8
    assert [name for name in commands if f"envfactory {name}" not in readme] == []
