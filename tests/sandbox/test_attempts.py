"""Attempts to get out. With all layers none gets anything; each layer alone stops what it promises to stop.

Which layer was tested is in the name of the test. A layer that this system has not is skipped, and says so.
"""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from envfactory_gym.sandbox import LAYERS, Sandbox, SandboxStopped
from envfactory_gym.sandbox.kernel import landlock
from envfactory_gym.verify.reach import PURE
from tests.sandbox.attempts import ATTEMPTS
from tests.sandbox.conftest import SECRET, Outside

ONE_BY_ONE = ("namespaces", "landlock", "seccomp", "audit", "limits")
NOT_EVERYWHERE = {
    "load an extension of SQLite": hasattr(sqlite3.Connection, "enable_load_extension"),
    "raise the limits": False,  # takes a privilege that root of a container lacks too
    "trace a process": os.geteuid() == 0,
}
"""Attempts that this Python, or this user, could not make succeed, whatever the layers."""


def tried(package: Path, outside: Outside, names: list[str], layers: list[str] | None) -> dict[str, str]:
    """What became of attempts that are made one after the other: why each failed, or `ESCAPED` and what it got."""
    found: dict[str, str] = {}
    sandbox: Sandbox | None = None
    for name in names:
        if sandbox is None:
            sandbox = Sandbox("envfactory_gym.sandbox.trial:serve", package, imports=PURE, layers=layers)
            missing = [layer for layer in layers or () if layer not in sandbox.protection.active]
            if missing:
                sandbox.close()
                pytest.skip(f"this system has not: {'; '.join(sandbox.protection.missing)}")
        work = str(sandbox.copy.parent / "work")
        given = {**outside.given, "work": work, "folder": str(sandbox.copy), "library": f"{sandbox.copy.parent}/path"}
        try:
            answer = sandbox.request({"code": ATTEMPTS[name].code, "given": given}, 20)
            got = answer.get("got", "None")
            found[name] = f"ESCAPED: {got}" if got != "None" else answer.get("raised", "nothing came of it")
        except SandboxStopped as end:
            found[name] = str(end)
            sandbox.close()
            sandbox = None
        if harm := outside.harm():
            found[name] = f"ESCAPED: {harm}"
    if sandbox is not None:
        assert SECRET not in sandbox.output
        sandbox.close()
    return found


def escaped(found: dict[str, str]) -> dict[str, str]:
    return {name: how for name, how in found.items() if how.startswith("ESCAPED")}


def test_with_all_layers_nothing_gets_out(package: Path, outside: Outside) -> None:
    assert len(ATTEMPTS) >= 50
    found = tried(package, outside, list(ATTEMPTS), None)
    assert escaped(found) == {}
    assert SECRET not in str(found)


@pytest.mark.parametrize("layer", ONE_BY_ONE)
def test_each_layer_alone_stops_what_it_promises(package: Path, outside: Outside, layer: str) -> None:
    names = [name for name, attempt in ATTEMPTS.items() if layer in attempt.layers]
    if layer == "landlock" and landlock.version() >= 6:
        names += [name for name, attempt in ATTEMPTS.items() if "landlock6" in attempt.layers]
    assert names
    assert escaped(tried(package, outside, names, [layer])) == {}


def test_without_any_layer_every_attempt_succeeds(package: Path, outside: Outside) -> None:
    """Else an attempt would prove nothing about the layers that stop it."""
    names = [name for name in ATTEMPTS if NOT_EVERYWHERE.get(name, True)]
    found = tried(package, outside, names, [])
    assert sorted(escaped(found)) == sorted(names), {n: h for n, h in found.items() if n not in escaped(found)}


@pytest.mark.parametrize("layer", [name for name in LAYERS if name in ONE_BY_ONE])
def test_a_layer_that_is_switched_off_is_reported_as_missing(package: Path, layer: str) -> None:
    others = [name for name in LAYERS if name != layer]
    with Sandbox("envfactory_gym.sandbox.trial:serve", package, layers=others) as sandbox:
        assert layer not in sandbox.protection.active
        assert f"{layer} (switched off)" in sandbox.protection.summary()
