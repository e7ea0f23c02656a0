"""A brief is enough to begin: its package passes, its examples are true, and it speaks of what is there."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from envfactory_gym import fields
from envfactory_gym.author import AuthorError, skill_text, write_brief
from envfactory_gym.cli.app import app
from envfactory_gym.environment import Package
from envfactory_gym.verify import verify
from envfactory_gym.verify.checks import CHECKS, static
from tests.support import LENDING

IDEA = "A neighbourhood tool library: members borrow tools for a week."


def test_the_package_of_a_brief_passes_before_anything_is_written(tmp_path: Path) -> None:
    made = write_brief([IDEA], tmp_path / "tool-shed")
    package = Package(made.folder, trusted=True)
    report = verify(package, mutate=True)
    assert [(check.check, check.evidence) for check in report.checks if not check.passed] == []
    assert report.mutation != "not measured" and report.mutation.share > 0.95
    assert (made.name, package.name) == ("tool_shed", "tool_shed")
    assert report.wanting and "certified tasks" in report.wanting[0]


def test_a_brief_quotes_the_source_and_names_what_judges(tmp_path: Path) -> None:
    made = write_brief([IDEA], tmp_path / "shed")
    text = (made.folder / "BRIEF.md").read_text()
    assert f"> {IDEA}" in text and f"> {IDEA}" in (made.folder / "sources.md").read_text()
    assert made.command in text and made.command == f"envfactory verify {tmp_path / 'shed'}"


def test_a_brief_names_every_check_every_helper_and_real_commands(tmp_path: Path) -> None:
    text = (write_brief([IDEA], tmp_path / "shed").folder / "BRIEF.md").read_text()
    rows = re.findall(r"^\| ([a-z, ]+) \|", text, re.MULTILINE)
    named = {name for row in rows for name in row.split(", ")}
    assert {"static", "determinism", "mutation", *CHECKS} <= named
    assert all(f"`{name}" in text for name in fields.__all__)
    known = {command.name for command in app.registered_commands}
    assert set(re.findall(r"envfactory ([a-z]+)", text)) - {"verify", "synth", "show"} == set()
    assert {"verify", "synth", "show"} <= known


def test_the_brief_itself_is_no_part_of_the_package(tmp_path: Path) -> None:
    made = write_brief([IDEA], tmp_path / "shed")
    before = Package(made.folder).package_hash
    (made.folder / "BRIEF.md").unlink()
    assert Package(made.folder).package_hash == before


def test_on_top_of_a_package_begins_with_a_copy_of_it(tmp_path: Path) -> None:
    rules = tmp_path / "rules.md"
    rules.write_text("A tent is lent for three days at most.\n")
    made = write_brief([rules], tmp_path / "more", on=LENDING)
    assert made.based_on == "lending"
    for file in ("server.py", "schema.sql", "data/items.jsonl"):
        assert (made.folder / file).read_bytes() == (LENDING / file).read_bytes()
    assert "extend the environment `lending`" in (made.folder / "BRIEF.md").read_text()
    again = write_brief(["And a fee of two dollars."], tmp_path / "again", on=made.folder)
    passages = re.findall(r"^\[S\d\]", (again.folder / "sources.md").read_text(), re.MULTILINE)
    assert passages == ["[S1]", "[S2]"]


def test_a_mark_that_names_no_passage_is_found(tmp_path: Path) -> None:
    made = write_brief([IDEA], tmp_path / "shed")
    for name, old, new in (
        ("policy.md", "and no more.", "and no more. (S7)"),
        ("behaviours.yaml", "{kind: policy, ref: seats}", "{kind: source, ref: S9}"),
    ):
        path = made.folder / name
        path.write_text(path.read_text().replace(old, new))
    evidence = static.check(Package(made.folder)).evidence
    assert evidence[0] == "policy.md: [seats] comes from (S7), which is no passage of sources.md"
    assert "comes from S9, which is no passage" in evidence[1] and len(evidence) == 2


def test_a_folder_with_something_in_it_is_left_alone(tmp_path: Path) -> None:
    shutil.copytree(LENDING, tmp_path / "mine")
    with pytest.raises(AuthorError, match="something in this folder"):
        write_brief([IDEA], tmp_path / "mine")


def test_the_skill_is_a_skill_file_with_real_commands() -> None:
    text = skill_text()
    head = text.split("---")[1]
    assert re.search(r"^name: [a-z-]+$", head, re.MULTILINE) and "description: " in head
    known = {command.name for command in app.registered_commands}
    assert set(re.findall(r"`envfactory ([a-z]+)", text)) <= known
