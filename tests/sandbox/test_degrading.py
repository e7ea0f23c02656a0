"""Where the system has not everything, a sandbox starts all the same, says what is missing and why, and the rest holds.

A poorer system is made of this one: a process that gives something up for good, and then opens a sandbox.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.sandbox.kernel import landlock, seccomp
from envfactory_gym.sandbox.kernel.calls import Unavailable
from tests.sandbox.conftest import Outside

PROGRAM = """
import json, sys
from envfactory_gym.sandbox import Sandbox
given = json.loads(sys.argv[1])
{poorer}
with Sandbox("envfactory_gym.sandbox.trial:serve", given["package"]) as sandbox:
    codes = ["open(secret).read()", "open(target, 'w')", "import socket; socket.create_connection(('127.0.0.1', port))",
             "import os; os.fork()"]
    answers = [sandbox.request({{"code": code, "given": given}}, 30).get("raised", "done") for code in codes]
    layers = [layer.model_dump() for layer in sandbox.protection.layers]
    print(json.dumps({{"layers": layers, "answers": answers, "summary": sandbox.protection.summary()}}))
"""

NO_NAMESPACES = "from envfactory_gym.sandbox.kernel import seccomp\nseccomp.restrict(processes=True)"
NO_MOUNTS = "from envfactory_gym.sandbox.kernel import landlock\nlandlock.restrict(['/'], ['/'], ['/'])"


def opened(poorer: str, package: Path, outside: Outside) -> dict[str, Any]:
    """What a sandbox on a poorer system says, and what became of four attempts in it."""
    given = json.dumps({**outside.given, "package": str(package)})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(poorer=poorer), given], capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.parametrize("poorer", [NO_NAMESPACES, NO_MOUNTS], ids=["no namespaces", "no mounts in a namespace"])
def test_what_is_missing_is_said_with_its_reason_and_the_rest_holds(
    package: Path, outside: Outside, poorer: str
) -> None:
    try:
        seccomp.program(processes=True)
    except Unavailable as error:
        pytest.skip(str(error))
    if not landlock.version():
        pytest.skip("this kernel has no landlock to make a poorer system with")
    found = opened(poorer, package, outside)
    missing = {layer["name"]: layer["why"] for layer in found["layers"] if not layer["active"]}
    assert "does not allow" in missing["namespaces"]
    assert {"landlock", "seccomp", "audit"}.isdisjoint(missing)
    assert "missing: namespaces" in found["summary"]
    assert all("Error" in answer for answer in found["answers"]), found["answers"]
    assert outside.harm() == ""
