"""What is worth building next: sources with state first, unlike what there is, the domains in turn."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from envfactory_gym.cli.app import app
from envfactory_gym.construct import BuildError
from envfactory_gym.construct.batch import find_sources
from envfactory_gym.construct.discover import distance, propose, survey
from envfactory_gym.construct.domains import domain_of_text

from .shop import shop


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A shop, the same shop again, a document that only reads, and one that is none."""
    raw = shop()
    (tmp_path / "shop.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    (tmp_path / "again").mkdir()
    (tmp_path / "again" / "shop.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    raw["paths"] = {path: {"get": item["get"]} for path, item in raw["paths"].items() if "get" in item}
    (tmp_path / "reader.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    (tmp_path / "notes.txt").write_text("not a source", encoding="utf-8")
    return tmp_path


def test_sources_with_state_come_first_and_the_others_say_why_not(folder: Path) -> None:
    ranked = survey(find_sources(folder))
    assert [one.source for one in ranked[:2]] == ["again/shop.yaml", "shop.yaml"]
    assert ranked[0].score > 0
    assert ranked[0].families == 2
    assert {one.source for one in ranked if one.problem} == {"reader.yaml", "broken.json"}


def test_what_was_chosen_makes_its_like_less_worth(folder: Path) -> None:
    chosen = propose(survey(find_sources(folder)), 2)
    assert len(chosen) == 2
    assert distance(chosen[0].words, [chosen[1].words]) == 0


def test_only_documents_that_may_be_passed_on_are_proposed_when_asked(folder: Path) -> None:
    raw = shop()
    raw["info"]["license"] = {"name": "All rights reserved"}
    (folder / "own.yaml").write_text(yaml.safe_dump(raw), encoding="utf-8")
    proposed = {one.source for one in propose(survey(find_sources(folder)), 9, permissive=True)}
    assert "own.yaml" not in proposed
    assert "shop.yaml" in proposed


def test_distance_is_the_share_of_words_not_in_common() -> None:
    assert distance(frozenset("ab"), [frozenset("bc"), frozenset("xy")]) == pytest.approx(2 / 3)
    assert distance(frozenset("ab"), []) == 1.0


@pytest.mark.parametrize(
    ("title", "tables", "domain"),
    [
        ("CRM API", ["companies", "leads"], "sales"),
        ("Corner Shop API", ["orders"], "commerce"),
        ("Zone API", ["dns zones"], "network"),
        ("MightyDNS HTTP API", ["keys", "zones", "tsig keys"], "network"),
        ("Thing", ["thingummies"], "general"),
    ],
)
def test_the_domain_is_told_by_title_and_tables(title: str, tables: list[str], domain: str) -> None:
    assert domain_of_text(title, tables, "") == domain


def test_the_command_ranks_and_proposes_also_as_json(folder: Path) -> None:
    shown = CliRunner().invoke(app, ["discover", str(folder), "--propose", "1"])
    assert shown.exit_code == 0, shown.output
    assert "To build next" in shown.output
    written = json.loads(CliRunner().invoke(app, ["discover", str(folder), "--json"]).stdout)
    assert {"ranking", "proposals"} == set(written)
    assert len(written["ranking"]) == 4
    assert written["proposals"][0] == "again/shop.yaml"


def test_a_folder_without_sources_is_told(tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="no document lies"):
        find_sources(tmp_path)
    with pytest.raises(BuildError, match="no such folder"):
        find_sources(tmp_path / "nowhere")
