"""Looking around: list, show, registry, and what a mistake is answered with."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import envfactory_gym
from tests.support import LENDING, copy_of_lending

from .conftest import Terminal


def test_help_tells_the_commands_in_reading_order(envfactory: Terminal) -> None:
    answer = envfactory("--help")
    names = ["quickstart", "list", "show", "play", "run", "build", "verify", "serve"]
    places = [answer.out.index(f"\n  {name} ") for name in names]
    assert (answer.code, places) == (0, sorted(places))


def test_list_shows_own_packages_beside_the_librarys(envfactory: Terminal, trusted_lending: str) -> None:
    entries = {entry["id"]: entry for entry in envfactory("list", "--json").data}
    assert entries["EnvFactory/lending-v0"]["origin"] == "own"
    assert entries["EnvFactory/lending-v0"]["tasks"] == 5
    assert entries["EnvFactory/airline-v0"]["origin"] == "library"
    assert "EnvFactory/lending-v0" in envfactory("list").out


def test_list_keeps_to_a_domain(envfactory: Terminal, trusted_lending: str) -> None:
    everything = envfactory("list", "--json").data
    domain = next(entry["domain"] for entry in everything if entry["name"] == "lending")
    kept = envfactory("list", "--domain", domain, "--json").data
    assert [entry["name"] for entry in kept] == [entry["name"] for entry in everything if entry["domain"] == domain]
    assert envfactory("list", "--domain", "no such domain", "--json").data == []


def test_show_tells_tools_tables_rules_and_tasks(envfactory: Terminal, trusted_lending: str) -> None:
    answer = envfactory("show", "lending")
    assert answer.code == 0
    for word in ("borrow_item(member_id, item_id)", "members", "extend-once", "return-sander"):
        assert word in answer.out


def test_show_as_json_carries_schemas_and_only_public_tasks(envfactory: Terminal, trusted_lending: str) -> None:
    shown = envfactory("show", "lending", "--json").data
    assert shown["tools"][2]["input_schema"]["required"] == ["member_id", "item_id"]
    assert all("turns" in task and not isinstance(task["turns"], list) for task in shown["tasks"])
    assert "gold" not in str(shown["tasks"])


def test_show_hides_the_solution_until_asked(envfactory: Terminal, trusted_lending: str) -> None:
    asked = ("show", "lending", "--task", "return-sander")
    assert "H2MZP" not in envfactory(*asked).out + envfactory(*asked, "--json").out
    assert "return_item(loan_id='H2MZP')" in envfactory(*asked, "--gold").out
    assert envfactory(*asked, "--gold", "--json").data["turns"][0]["gold"]


def test_show_a_tool_and_the_policy(envfactory: Terminal, trusted_lending: str) -> None:
    assert "members.member_id" in envfactory("show", "lending", "--tool", "borrow_item").out
    assert envfactory("show", "lending", "--tool", "borrow_item", "--json").data["writes"] == ["loans", "items"]
    assert "[extend-once]" in envfactory("show", "lending", "--policy").out


def test_show_does_not_import_what_nobody_verified(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path, ("server.py", "env = Environment", "raise SystemExit(99)\nenv = Environment"))
    answer = envfactory("show", folder)
    assert answer.code == 0
    assert f"envfactory verify {folder}" in answer.out
    assert envfactory("show", folder, "--json").data["trusted"] is False


@pytest.mark.parametrize(
    ("arguments", "advice"),
    [
        (("show", "lendign"), "did you mean lending"),
        (("show", "lending", "--task", "return-sandr"), "did you mean return-sander?"),
        (("show", "lending", "--tool", "lend"), "it has: search_items"),
        (("run", "lending", "--task", "nothing-like-it"), "envfactory show lending"),
        (("run", "lending", "--split", "test", "--task", "return-sander"), "no task that fits"),
        (("verify",), "give a name or a folder"),
    ],
)
def test_a_mistake_is_one_message_and_exit_code_2(
    envfactory: Terminal, trusted_lending: str, arguments: tuple[str, ...], advice: str
) -> None:
    answer = envfactory(*arguments)
    assert answer.code == 2
    assert answer.err.startswith("error: ")
    assert advice in answer.err
    assert "Traceback" not in answer.err + answer.out


def test_a_broken_file_is_named_with_line_and_remedy(envfactory: Terminal, tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path)
    (folder / "tasks.jsonl").write_text('{"id": "x"\n')
    answer = envfactory("show", folder)
    assert (answer.code, f"{folder / 'tasks.jsonl'}:1" in answer.err, "->" in answer.err) == (2, True, True)


def test_a_broken_package_on_the_path_holds_up_nobody_else(
    envfactory: Terminal, trusted_lending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ENVFACTORY_PATH", f"{LENDING.parent}{os.pathsep}{tmp_path}")
    broken = copy_of_lending(
        tmp_path, ("environment.yaml", "title:", "titel:"), ("environment.yaml", "name: lending", "name: x")
    )
    broken = broken.rename(tmp_path / "leaning")
    listed = envfactory("list", "--json")
    assert "lending" in [entry["name"] for entry in listed.data]
    assert f"left out: {broken / 'environment.yaml'}:" in listed.err
    assert envfactory("run", "lending", "--agent", "gold").code == 0
    assert f"{broken / 'environment.yaml'}:" in envfactory("show", "leaning").err
    with pytest.warns(UserWarning, match="leaning is not registered"):
        assert "EnvFactory/lending-v0" in envfactory_gym.register()


@pytest.mark.parametrize(
    "options",
    [("--gold",), ("--tool", "borrow_item", "--policy"), ("--task", "return-sander", "--tool", "borrow_item")],
)
def test_show_refuses_options_that_do_not_go_together(
    envfactory: Terminal, trusted_lending: str, options: tuple[str, ...]
) -> None:
    answer = envfactory("show", "lending", *options)
    assert (answer.code, answer.out) == (2, "")
    assert "--t" in answer.err


def test_the_registry_is_written_and_checked(envfactory: Terminal, tmp_path: Path) -> None:
    shutil.copytree(LENDING, tmp_path / "generated_servers" / "lending")
    assert envfactory("registry", "--write", "--folder", tmp_path).code == 0
    assert envfactory("registry", "--folder", tmp_path).code == 0
    with (tmp_path / "generated_servers" / "lending" / "policy.md").open("a") as file:
        file.write("\n- [new-rule] Something else.\n")
    answer = envfactory("registry", "--folder", tmp_path)
    assert answer.code == 1
    assert "lending: rules_hash is" in answer.out
    checked = envfactory("registry", "--folder", tmp_path, "--json")
    assert (checked.code, [entry["name"] for entry in checked.data["environments"]]) == (1, ["lending"])
    assert "rules_hash" in checked.data["problems"][0]


def test_the_librarys_own_registry_is_true(envfactory: Terminal) -> None:
    answer = envfactory("registry")
    assert (answer.code, answer.out.count("all as on disk")) == (0, 1), answer.out
