"""What a bundle is: one package to everything above it, with prefixed names that cannot collide."""

from __future__ import annotations

import json
import shutil
import sqlite3
from pathlib import Path

import pytest

from envfactory_gym import Package
from envfactory_gym.environment import Bundle, EnvironmentFault, PackageError, TaskError, load_bundle, load_package
from envfactory_gym.environment.qualified import routed
from envfactory_gym.episode import Episode
from tests.multi import desks
from tests.support import LENDING, copy_of_lending, lending


def renamed(folder: Path, name: str, *edits: tuple[str, str, str]) -> Package:
    """A copy of the lending package under another name."""
    target = copy_of_lending(folder, ("environment.yaml", "name: lending", f"name: {name}"), *edits)
    return Package(target.rename(folder / name), trusted=True)


def test_every_name_says_which_environment_it_belongs_to(both: Bundle) -> None:
    assert list(both.tools)[:2] == ["lending__search_items", "lending__list_loans"]
    assert len(both.tools) == 10
    extend = both.tools["workshop__extend_loan"]
    assert extend.writes == ("workshop__loans",)
    assert [parameter.ref for parameter in extend.parameters] == ["workshop__loans.loan_id"]
    assert extend.outputs["item_id"] == "workshop__items.item_id"
    assert "workshop/extend-once" in extend.refused
    assert extend.title == "Workshop: extend loan"
    assert list(both.schema.tables)[:1] == ["lending__members"]
    assert both.schema.column("workshop__loans.item_id").references == "workshop__items.item_id"
    assert set(both.language.slots) == {"lending__member_id", "workshop__member_id"}
    assert set(both.language.phrases) == {"lending__category", "workshop__category"}
    assert list(both.policy.rules)[:2] == ["lending/extend-once", "lending/basic-limit"]
    assert "- [workshop/extend-once] A loan may" in both.policy.text
    assert len(both.rows("workshop__items")) == len(lending().rows("items"))


def test_the_composed_schema_is_sql_that_runs_and_refers_to_itself(both: Bundle) -> None:
    connection = sqlite3.connect(":memory:")
    connection.executescript(both.schema.ddl)
    keys = connection.execute('PRAGMA foreign_key_list("workshop__notes")').fetchall()
    connection.close()
    assert [row[2] for row in keys] == ["workshop__loans"]


def test_prose_speaks_of_tools_and_rules_by_their_prefixed_names(tmp_path: Path) -> None:
    one = renamed(
        tmp_path, "attic",
        ("policy.md", "State the loan", "Call list_loans first, see [extend-once]. State the loan"),
        ("server.py", '"""Extend an open loan by 7 days.', '"""Extend an open loan by 7 days; see list_loans.'),
    )  # fmt: skip
    found = Bundle([one, lending()])
    assert "Call attic__list_loans first, see [attic/extend-once]." in found.policy.text
    assert found.tools["attic__extend_loan"].description.endswith("see attic__list_loans.")


def test_shared_keys_keep_their_name(tmp_path: Path) -> None:
    one = renamed(tmp_path, "attic", ("server.py", 'Ref("members.member_id")', 'Ref("universe.person")'))
    found = Bundle([one, lending()])
    refs = {name: found.tools[name].parameters[0].ref for name in ("attic__list_loans", "lending__list_loans")}
    assert refs == {"attic__list_loans": "universe.person", "lending__list_loans": "lending__members.member_id"}


def test_the_order_in_which_members_are_named_changes_nothing(both: Bundle, tmp_path: Path) -> None:
    other = Bundle(reversed(both.packages), folder=tmp_path / "multi")
    for part in ("world_hash", "rules_hash", "package_hash", "agent_tools_json", "manifest", "policy"):
        assert getattr(other, part) == getattr(both, part)


def test_hashes_name_every_member(both: Bundle) -> None:
    here, there = both.packages
    assert both.world_hash == f"lending:{here.world_hash}+workshop:{there.world_hash}"
    assert both.rules_hash == f"lending:{here.rules_hash}+workshop:{there.rules_hash}"


def test_a_task_is_played_on_the_environments_it_names(both: Bundle) -> None:
    episode = Episode(both, "just-there")
    assert {name.partition("__")[0] for name in episode.tool_names} == {"workshop", "decline_request"}
    assert episode.package is both.narrowed(both.task("just-there"))
    assert both.narrowed(both.task("borrow-at-both")) is both
    assert both.task("just-there").public().environments == ("EnvFactory/workshop-v0",)


def test_a_task_that_needs_another_environment_is_left_out_or_refused_by_name(both: Bundle, tmp_path: Path) -> None:
    narrow = Bundle([lending()], folder=tmp_path / "multi")
    assert narrow.tasks == ()
    with pytest.raises(TaskError, match="needs EnvFactory/workshop-v0"):
        Episode(narrow, both.task("borrow-at-both"))
    with pytest.raises(TaskError, match="names no environments"):
        Episode(both, both.task("borrow-at-both").model_copy(update={"environments": ()}))
    with pytest.raises(TaskError, match="belongs to EnvFactory/lending-v0"):
        Episode(both, lending().tasks[0])


def test_a_task_pins_every_member(both: Bundle, tmp_path: Path) -> None:
    task = both.task("borrow-at-both")
    pinned = task.model_copy(update={"world_hash": both.world_hash, "rules_hash": both.rules_hash})
    Episode(both, pinned).close()
    target = tmp_path / "changed" / "workshop"
    shutil.copytree(tmp_path / "workshop", target)
    policy = target / "policy.md"
    policy.write_text(policy.read_text().replace("by 7 days", "by 9 days"))
    changed = Bundle([lending(), Package(target, trusted=True)], folder=tmp_path / "multi")
    assert changed.world_hash == both.world_hash
    with pytest.raises(TaskError, match="certified against rules_hash"):
        Episode(changed, pinned)


def test_the_clock_is_the_latest(both: Bundle) -> None:
    assert [package.manifest.clock for package in both.packages] == ["2026-03-10T09:00:00Z", desks.CLOCK]
    assert both.manifest.clock == desks.CLOCK


def test_members_that_cannot_be_told_apart_are_refused() -> None:
    with pytest.raises(PackageError, match="two environments are called 'lending'"):
        Bundle([lending(), Package(LENDING, trusted=True)])
    with pytest.raises(PackageError, match="no environments"):
        Bundle([])


def test_prefixed_names_that_meet_are_refused(tmp_path: Path) -> None:
    first = renamed(tmp_path, "attic", ("server.py", "def list_loans(", "def x__list_loans("))
    second = renamed(tmp_path, "attic__x")
    with pytest.raises(PackageError, match="would be called 'attic__x__list_loans'"):
        Bundle([first, second]).tools  # noqa: B018 - asking is what fails


def test_a_name_that_grows_too_long_is_refused_by_the_tool(tmp_path: Path) -> None:
    long = "return_" + "very_" * 5 + "slowly"
    one = renamed(tmp_path, "attic", ("server.py", "def return_item(", f"def {long}("))
    assert long in one.tools
    with pytest.raises(PackageError, match=f"the tool '{long}' of attic would be called") as refusal:
        Bundle([one, lending()]).tools  # noqa: B018
    assert "give the tool a shorter name" in str(refusal.value)


@pytest.mark.usefixtures("installed")
def test_an_unknown_member_is_named_with_close_ones() -> None:
    with pytest.raises(PackageError, match="no environment 'workshp'; did you mean workshop"):
        load_bundle(["lending", "workshp"])


def test_multi_is_found_by_name_id_and_folder(installed: Path) -> None:
    found = load_package("multi")
    assert isinstance(found, Bundle)
    assert found.members == tuple(desks.IDS)
    assert load_package("EnvFactory/multi-v0") is found
    assert load_package(installed) is found
    assert load_bundle(["workshop"]).members == ("EnvFactory/workshop-v0",)
    (installed / "tasks.jsonl").write_text(json.dumps(desks.JUST_THERE) + "\n")
    assert [task.id for task in load_package("multi").tasks] == ["just-there"]


def test_sql_goes_to_the_one_environment_it_names() -> None:
    names = ["lending", "lending_x", "x"]
    assert routed("SELECT * FROM lending__loans l JOIN lending__items", names)[1] == "SELECT * FROM loans l JOIN items"
    assert routed('SELECT 1 FROM "lending_x__loans"', names) == ("lending_x", 'SELECT 1 FROM "loans"')
    assert routed("/* x__ */ SELECT 'lending__'", names) == ("x", "/*  */ SELECT 'lending__'")
    with pytest.raises(EnvironmentFault, match="does not say which environment"):
        routed("SELECT * FROM loans", names)
    with pytest.raises(EnvironmentFault, match=r"several environments \(x, lending\)"):
        routed("SELECT * FROM x__loans, lending__loans", names)
