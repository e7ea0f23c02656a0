"""What a build writes loads, runs, reads well, and does what the resource model says."""

from __future__ import annotations

import ast
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym import Package
from envfactory_gym.verify import verify
from envfactory_gym.verify.checks import behaviours
from envfactory_gym.world import Template

from .shop import built, shop


def test_all_behaviours_of_the_examples_hold(example: Package) -> None:
    found = behaviours.check(example)
    assert found.passed, found.evidence
    assert found.figures["compiler"] == len(example.behaviours) > 50


def test_every_tool_of_the_examples_has_a_behaviour_that_succeeds(example: Package) -> None:
    shown = {call.tool for one in example.behaviours for call in one.calls if call.expect.error is None}
    assert shown == set(example.tools)


def test_the_shop_passes_every_check_and_certifies_its_tasks(shop_package: Package) -> None:
    report = verify(shop_package, jobs=1)
    problems = [(one.check, one.evidence) for one in report.checks if not one.passed]
    problems += [
        (one.task, row.check, row.evidence) for one in report.certificates for row in one.findings if not row.passed
    ]
    assert problems == []
    assert (report.passed, len(report.certified) >= 10) == (True, True)


def test_the_base_world_keeps_its_rules(example: Package) -> None:
    template = Template.of(example)
    world = template.acquire()
    try:
        broken = {one.name: rows for one in example.invariants if (rows := world.query(one.sql))}
    finally:
        template.release(world)
    assert broken == {}
    assert all(len(example.rows(table)) >= 3 for table in example.schema.tables)


@pytest.mark.skipif(
    shutil.which("ruff") is None and not (Path(sys.executable).parent / "ruff").exists(), reason="no ruff here"
)
def test_the_server_is_written_as_the_formatter_writes_it(example: Package, shop_package: Package) -> None:
    ruff = shutil.which("ruff") or str(Path(sys.executable).parent / "ruff")
    servers = [str(package.path / "server.py") for package in (example, shop_package)]
    options = ["--isolated", "--line-length", "120"]
    formatted = subprocess.run(
        [ruff, "format", "--check", *options, *servers], capture_output=True, text=True, check=False
    )
    assert formatted.returncode == 0, formatted.stdout
    linted = subprocess.run(
        [ruff, "check", "--select", "E,F,W,B,SIM,RET", *options, *servers], capture_output=True, text=True, check=False
    )
    assert linted.returncode == 0, linted.stdout


def test_the_server_imports_nothing_but_types_and_the_library(example: Package) -> None:
    tree = ast.parse(example.server_source)
    names = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    names |= {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert names <= {
        "__future__",
        "typing",
        "typing_extensions",
        "pydantic",
        "json",
        "envfactory_gym",
        "envfactory_gym.fields",
    }


def test_the_account_names_every_operation_once(example: Package) -> None:
    account = json.loads((example.path / "coverage.json").read_text())
    operations = [*account["tools"].values(), *account["left_out"]]
    assert len(operations) == len(set(operations)) == account["operations"]
    assert list(account["tools"]) == list(example.tools)
    assert all(account["left_out"].values())


def test_tool_names_leave_room_for_a_prefix(example: Package) -> None:
    assert [name for name in example.tools if len(f"{example.name}__{name}") > 40] == []


HOSTILE = 'Shop"""\nimport os\n"""; DROP TABLE orders; -- \\ {{ 7 * 7 }} {name} \u2028'


def poisoned(node: Any) -> Any:
    """Every free text of a document replaced by something that would break out of quotes."""
    if isinstance(node, dict):
        texts = ("description", "title", "summary")
        return {
            key: HOSTILE if key in texts and isinstance(value, str) else poisoned(value) for key, value in node.items()
        }
    return [poisoned(one) for one in node] if isinstance(node, list) else node


def test_text_of_a_document_never_becomes_code(tmp_path: Path) -> None:
    raw = poisoned(shop())
    raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]["status"]["enum"] = ["open", HOSTILE]
    package = built(raw, tmp_path)
    tree = ast.parse(package.server_source)
    assert "os" not in {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    assert behaviours.check(package).evidence == ()


def test_a_value_that_may_be_missing_is_refused_as_taken_only_where_a_row_has_it(tmp_path: Path) -> None:
    raw = shop()
    raw["components"]["schemas"]["Customer"]["allOf"][1]["required"] = ["name", "password"]
    package = built(raw, tmp_path)
    query = package.environment.tools["create_customer"].refused["unique-customer-email"]
    live = Template.of(package).acquire()
    emails = [email for *_, email in live.query(query)]
    assert len(emails) > 10
    assert None not in emails


def test_what_a_docstring_says_of_arguments_without_a_description(tmp_path: Path) -> None:
    raw = shop()
    order = raw["components"]["schemas"]["Order"]["allOf"][1]["properties"]
    del order["customer_id"]["description"]
    order |= {"voided": {"type": "boolean"}, "is_gift": {"type": "boolean"}, "has_notes": {"type": "boolean"}}
    package = built(raw, tmp_path)
    told = {one.name: one.description for one in package.environment.tools["create_order"].parameters}
    assert told["customer_id"] == "Identifier of the order's customer."
    assert told["voided"] == "Whether the order is voided."
    assert told["is_gift"] == "Whether the order is a gift."
    assert told["has_notes"] == "Has notes of the order."
