"""A package is read lazily, and every mistake in it is named with file, place and remedy."""

import json
import os
import subprocess
import sys

import pytest

from envfactory_gym.environment import Package, PackageError, Registry, TaskError, UntrustedPackageError, load_package
from tests.support import LENDING, copy_of_lending, edit_task, lending


def test_only_the_manifest_is_read_at_first(tmp_path):
    folder = copy_of_lending(tmp_path)
    for path in folder.iterdir():
        if path.is_file() and path.name != "environment.yaml":
            path.unlink()
    package = Package.load(folder)
    assert package.id == "EnvFactory/lending-v0"
    with pytest.raises(PackageError, match=r"schema\.sql.*missing"):
        package.schema  # noqa: B018


def test_a_package_knows_its_parts():
    package = lending()
    assert list(package.schema.tables) == ["members", "items", "loans", "notes"]
    assert len(package.rows("items")) == 12
    assert list(package.tools) == ["search_items", "list_loans", "borrow_item", "extend_loan", "return_item"]
    assert package.policy.rules["extend-once"].startswith("A loan may be extended once")
    assert [invariant.name for invariant in package.invariants] == ["out-means-open-loan", "one-open-loan-per-item"]
    assert package.task("return-sander").split == "train"


BROKEN = [
    ("environment.yaml", "name: lending", "name: Lending!", "name", r"environment\.yaml:1 \(name\)"),
    ("environment.yaml", "domain: community", "domain: [", "syntax", r"environment\.yaml:\d+"),
    ("environment.yaml", '"2026-03-10T09:00:00Z"', "yesterday", "clock", r"environment\.yaml:7 \(clock\)"),
    ("environment.yaml", "licence: Apache-2.0", "license: MIT", "sources", r"environment\.yaml:10 \(sources\.0\.license\)"),
    ("schema.sql", "CREATE TABLE notes (", "CREATE TABEL notes (", "schema", r"schema\.sql.*syntax error"),
    ("schema.sql", "text(ignored)", "text(maybe)", "schema", r"schema\.sql:\d+ \(notes\.body\).*not a column policy"),
    ("schema.sql", "fee_cents INTEGER", "fee_cents REAL", "schema", r"\(items\.fee_cents\).*REAL column"),
    ("schema.sql", "(member_id),", "(member_id) DEFERRABLE INITIALLY DEFERRED,", "schema", "deferred foreign key"),
    ("invariants.sql", "-- name: out-means-open-loan\n", "", "invariants", r"invariants\.sql:1: a query has no name"),
    ("invariants.sql", "one-open-loan-per-item", "out-means-open-loan", "invariants", "stands twice"),
    ("data/items.jsonl", '{"item_id": 3', '{"item_id": 3,, ', "data", r"items\.jsonl:3: not valid JSON"),
    ("data/items.jsonl", '"title": "Jam pot"', '"titel": "Jam pot"', "data", r"items\.jsonl:7 \(titel\).*no column 'titel'"),
    ("policy.md", "[basic-limit]", "[extend-once]", "policy", r"policy\.md:\d+: the rule id 'extend-once' stands twice"),
    ("language.yaml", "asked:", "askd:", "language", r"language\.yaml:4 \(slots\.member_id\.askd\)"),
    ("behaviours.yaml", "code: forbidden", "code: nope", "behaviours", r"behaviours\.yaml:\d+ .*code"),
    ("tasks.jsonl", '"split": "dev"', '"split": "holdout"', "tasks", r"tasks\.jsonl:3 \(split\)"),
    ("tasks.jsonl", '"kind": "answered"', '"kind": "guessed"', "tasks", r"tasks\.jsonl:1 .*arguments"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("file", "old", "new", "part", "message"), BROKEN, ids=[f"{row[0]}-{row[2][:20]}" for row in BROKEN]
)
def test_a_mistake_is_named_with_its_place(tmp_path, file, old, new, part, message):
    folder = copy_of_lending(tmp_path, (file, old, new))
    with pytest.raises(PackageError, match=message) as caught:
        package = Package.load(folder, trusted=True)
        getattr(package, part)
    assert "->" in str(caught.value) or caught.value.line


SERVER = [
    ("def search_items(", "def search_items(world: World,) -> Items:\n    1/0\n\ndef x(", r"server\.py"),
    ("def extend_loan(world: World, loan_id: LoanId) -> Loan:", "def extend_loan(world: World, loan_id) -> Loan:", "has no type"),
    ("def extend_loan(world: World, loan_id: LoanId) -> Loan:", "def extend_loan(loan_id: LoanId) -> Loan:", "first parameter"),
    ("def extend_loan(", "def reset(", "reserved"),
    ("def extend_loan(", "def answer(", "reserved"),
    ("def extend_loan(", "def extend_loan_" + "x" * 40 + "(", "at most 40"),
    ('    """Extend an open loan by 7 days.', '    x = """Extend an open loan by 7 days.', "no docstring"),
    ("env = Environment(__file__)", "env = Environment(__file__)\nraise RuntimeError('boom')", r"server\.py:\d+: .*RuntimeError: boom"),
    ("env = Environment(__file__)", "env = Environment(__file__)\nimport nowhere_to_be_found", "ModuleNotFoundError"),
    ("def return_item(", "def extend_loan(", "two tools are called"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), SERVER, ids=[row[2] for row in SERVER])
def test_a_mistake_in_the_server_is_named(tmp_path, old, new, message):
    folder = copy_of_lending(tmp_path, ("server.py", old, new))
    with pytest.raises(PackageError, match=message):
        Package.load(folder, trusted=True).tools  # noqa: B018


def test_text_that_is_not_utf8_is_refused(tmp_path):
    folder = copy_of_lending(tmp_path)
    (folder / "policy.md").write_bytes(b"- [a-rule] caf\xe9\n")
    with pytest.raises(PackageError, match=r"policy\.md.*UTF-8"):
        Package.load(folder).policy  # noqa: B018


def test_code_that_nobody_verified_is_not_imported(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    folder = copy_of_lending(tmp_path, ("server.py", "env = ", "raise SystemExit('it ran')\nenv = "))
    with pytest.raises(UntrustedPackageError, match="envfactory verify"):
        Package.load(folder).tools  # noqa: B018


def test_a_report_is_never_trust(tmp_path, monkeypatch):
    monkeypatch.setenv("ENVFACTORY_HOME", str(tmp_path / "home"))
    folder = copy_of_lending(tmp_path)
    (folder / "report.json").write_text(json.dumps({"tier": "reference", "passed": True}))
    with pytest.raises(UntrustedPackageError):
        Package.load(folder).tools  # noqa: B018


def test_a_package_on_the_search_path_is_found_by_name_and_id(tmp_path, monkeypatch):
    copy_of_lending(tmp_path)
    monkeypatch.setenv("ENVFACTORY_PATH", str(tmp_path))
    assert load_package("lending").id == load_package("EnvFactory/lending-v0").id == "EnvFactory/lending-v0"


def test_an_unknown_name_suggests_close_ones(tmp_path, monkeypatch):
    copy_of_lending(tmp_path)
    monkeypatch.setenv("ENVFACTORY_PATH", str(tmp_path))
    with pytest.raises(PackageError, match="did you mean lending"):
        load_package("lendign")


def test_an_unknown_task_suggests_close_ones():
    with pytest.raises(TaskError, match="did you mean return-sander"):
        lending().task("return-sandr")


def test_a_task_id_that_stands_twice_is_refused(tmp_path):
    folder = copy_of_lending(tmp_path)
    edit_task(folder, "extend-tent-once", lambda task: task.update(id="return-sander"))
    with pytest.raises(PackageError, match=r"tasks\.jsonl:4.*twice"):
        Package.load(folder).tasks  # noqa: B018


CHANGES = [
    ("schema.sql", "-- a date", "-- a calendar date", set()),
    ("schema.sql", "DEFAULT 0", "DEFAULT 1", {"world_hash"}),
    ("schema.sql", "text(ignored)", "exact", {"world_hash"}),
    ("data/items.jsonl", '"fee_cents": 520', '"fee_cents": 521', {"world_hash"}),
    ("server.py", "+7 days", "+8 days", {"world_hash"}),
    ("environment.yaml", "2026-03-10", "2026-03-11", {"world_hash"}),
    ("policy.md", "by 7 days", "by 8 days", {"rules_hash"}),
    ("language.yaml", "camping gear", "camp gear", {"rules_hash"}),
    ("tasks.jsonl", "bringing back", "returning", set()),
]  # fmt: skip


@pytest.mark.parametrize(("file", "old", "new", "changed"), CHANGES, ids=[f"{row[0]}-{row[2]}" for row in CHANGES])
def test_each_hash_covers_what_it_says(tmp_path, file, old, new, changed):
    before, after = lending(), Package.load(copy_of_lending(tmp_path, (file, old, new)))
    differing = {name for name in ("world_hash", "rules_hash") if getattr(before, name) != getattr(after, name)}
    assert differing == changed
    assert before.package_hash != after.package_hash


def test_hashes_are_the_same_in_any_process_and_ignore_the_report(tmp_path):
    folder = copy_of_lending(tmp_path)
    (folder / "report.json").write_text("{}")
    (folder / "__pycache__").mkdir()
    (folder / "__pycache__" / "server.pyc").write_bytes(b"x")
    code = "from envfactory_gym.environment import Package; p = Package({!r}); print(p.world_hash, p.rules_hash, p.package_hash)"
    there = subprocess.run(
        [sys.executable, "-c", code.format(str(folder))],
        env={**os.environ, "PYTHONHASHSEED": "99"}, capture_output=True, text=True, check=True,
    ).stdout.split()  # fmt: skip
    here = lending()
    assert there == [here.world_hash, here.rules_hash, here.package_hash]


def test_the_registry_says_where_it_differs_from_the_packages(tmp_path):
    from envfactory_gym.environment.registry import describe

    folder = copy_of_lending(tmp_path)
    entry = describe(Package.load(folder), path="lending")
    (tmp_path / "registry.yaml").write_text(Registry.text([entry]))
    registry = Registry.read(tmp_path / "registry.yaml")
    assert list(registry.problems()) == []
    (folder / "policy.md").write_text("- [new-rule] No.\n")
    assert any("rules_hash" in problem for problem in registry.problems())
    assert any("package_hash" in problem for problem in registry.problems())


def test_tasks_show_nothing_that_is_graded():
    for task in lending().tasks:
        shown = task.public().model_dump_json()
        assert "gold" not in shown
        assert "goal" not in shown
        assert "loan_id" not in shown
        assert all(later.request not in shown for later in task.turns[1:])


def test_the_package_folder_is_left_clean(tmp_path):
    folder = copy_of_lending(tmp_path)
    before = sorted(path.name for path in folder.rglob("*"))
    assert Package.load(folder, trusted=True).tools
    assert sorted(path.name for path in folder.rglob("*")) == before
    assert not (LENDING / "__pycache__").exists()
