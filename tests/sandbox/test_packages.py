"""Attempts by the files of a package: links out of the folder, code that Python would run by itself, disguised names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from envfactory_gym.environment import PackageError, load_package
from envfactory_gym.sandbox import Limits, Sandbox
from envfactory_gym.verify import verify_sandboxed
from envfactory_gym.verify.unverified import open_unverified

TARGET = "envfactory_gym.sandbox.trial:serve"


@pytest.fixture
def dns(tmp_path: Path) -> Path:
    """A package of one's own."""
    return Path(shutil.copytree(load_package("dns").path, tmp_path / "dns"))


def test_links_and_special_files_in_the_folder_are_refused_before_anything_is_read(
    package: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "secret"
    secret.write_text("secret", encoding="utf-8")
    ways: dict[str, Callable[[Path], object]] = {
        "a symbolic link": lambda path: path.symlink_to(secret),
        "a link to a folder": lambda path: path.symlink_to(tmp_path),
        "a dangling link": lambda path: path.symlink_to(tmp_path / "nowhere"),
        "a hard link": lambda path: path.hardlink_to(secret),
        "a pipe": lambda path: os.mkfifo(path),
    }
    for name, make in ways.items():
        make(package / "odd")
        with pytest.raises(PackageError, match="odd"):
            Sandbox(TARGET, package)
        assert (package / "odd").is_symlink() or (package / "odd").exists(), name
        (package / "odd").unlink()


def test_a_folder_that_is_too_large_is_refused(package: Path) -> None:
    (package / "large").write_bytes(bytes(5000))
    with pytest.raises(PackageError, match="too large"):
        Sandbox(TARGET, package, limits=Limits(package=4096))


def test_nothing_in_the_folder_is_run_by_being_there(package: Path) -> None:
    for name in ("sitecustomize.py", "usercustomize.py", "json.py", "re.py", "envfactory_gym.py", "conftest.py"):
        (package / name).write_text("raise SystemExit('ran by itself')\n", encoding="utf-8")
    (package / "x.pth").write_text("import os; os._exit(9)\n", encoding="utf-8")
    (package / "__pycache__").mkdir()
    (package / "pyvenv.cfg").write_text("home = /nowhere\n", encoding="utf-8")
    code = "import json\ngot = json.dumps([1])"
    with Sandbox(TARGET, package) as sandbox:
        assert sandbox.request({"code": code, "given": {}}, 30) == {"got": "'[1]'"}


DISGUISES = {
    "full-width module": "import ｏｓ",
    "full-width name": "x = ｅｖａｌ",
    "full-width dunder": "x = ().＿＿class＿＿",
    "ligature": "x = ﬁlter and ().__class__",
    "another encoding": "# -*- coding: utf-7 -*-\nx = +AF8-+AF8-import+AF8-+AF8-('os')",
    "a line that looks like a comment": "# \u2028x = 1\nimport os",
    "a form feed": "\x0cimport os",
    "a continued line": "import \\\n  os",
    "an alias": "from typing import sys",
    "by another module": "import enum\nx = enum.sys",
    "by builtins": "x = __builtins__",
    "a lambda's code": "x = (lambda: 1).__code__",
    "a decorator": "@exec\ndef f(): pass",
    "a class that imports": "class X:\n    import os",
    "a default": "def f(x=open): pass",
    "an annotation": "x: open('/etc/passwd')",
    "a match": "match 1:\n    case int(__class__=y): pass",
    "an f-string": "x = f'{__import__(\"os\")}'",
    "a walrus": "x = (y := __import__)",
    "a star": "from os import *",
    "a relative import": "from . import os",
    "a format": "x = '{0.__class__}'.format(1)",
    "a format made of parts": "x = ('{0.' + '__class__}').format(1)",
    "a format of a map": "x = '{a.__class__}'.format_map({'a': 1})",
}


@pytest.mark.parametrize("name", DISGUISES)
def test_disguised_names_do_not_pass_what_is_looked_at_before_an_import(dns: Path, name: str) -> None:
    from envfactory_gym.environment import Package
    from envfactory_gym.verify.checks import static

    server = dns / "server.py"
    server.write_text(DISGUISES[name] + "\n" + server.read_text("utf-8"), encoding="utf-8")
    assert not static.check(Package(dns)).passed


def test_a_refusal_before_the_import_is_the_same_in_verify_and_at_play(dns: Path) -> None:
    server = dns / "server.py"
    server.write_text("import ｏｓ\nopen('ran', 'w')\n" + server.read_text("utf-8"), encoding="utf-8")
    found = verify_sandboxed(dns)
    assert [failure.check for failure in found.failures] == ["static"]
    with pytest.raises(PackageError, match=r"server\.py:1"):
        open_unverified(dns)


def test_a_report_that_a_package_brings_is_worth_nothing(dns: Path) -> None:
    server = dns / "server.py"
    server.write_text(server.read_text("utf-8") + "\nraise ValueError('broken')\n", encoding="utf-8")
    assert (dns / "report.json").exists()
    assert not verify_sandboxed(dns).passed


BOMBS = {
    "environment.yaml": "a: &a [x,x,x,x,x,x,x,x]\n"
    + "".join(f"{b}: &{b} [{','.join([f'*{a}'] * 8)}]\n" for a, b in zip("abcdefghi", "bcdefghij", strict=True)),
    "schema.sql": "CREATE TABLE t (a TEXT PRIMARY KEY) STRICT;\n" + "-- x\n" * 10 + "CREATE VIEW v AS " + "(" * 50_000,
    "policy.md": "- [a](" * 100_000,
}


@pytest.mark.parametrize("file", BOMBS)
def test_a_file_that_is_a_bomb_is_a_finding(dns: Path, file: str) -> None:
    (dns / file).write_text(BOMBS[file], encoding="utf-8")
    found = verify_sandboxed(dns, checks=False, tasks=[])
    assert not found.passed
    assert found.failures
