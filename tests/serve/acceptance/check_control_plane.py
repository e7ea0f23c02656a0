"""The control plane under requests that Schemathesis makes up from its OpenAPI document: no 5xx, no hang, no surprise.

Whatever is answered has a status that the document lists, and a body as it describes.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks.serving import running
from tests.serve.matrix.environments import Unavailable, interpreter
from tests.support import LENDING, lending

SECONDS = int(os.environ.get("ENVFACTORY_FUZZ", "120"))
"""How long requests are made up; the seed is the same each time."""

TOKEN = "fuzz-master-token"
CHECKS = (
    "not_a_server_error",
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "unsupported_method",
    "ignored_auth",
    "use_after_free",
)
HANGING = 10
"""Seconds after which a response that has not come counts as a hang."""


def test_no_request_breaks_the_control_plane(tmp_path: Path) -> None:
    try:
        python = interpreter("schemathesis==4.32.5")
    except Unavailable as reason:
        pytest.skip(str(reason))
    variables = running.trusting(tmp_path, LENDING.parent, [lending()])
    with running.fleet("lending", "--token", TOKEN, environment=variables) as server:
        run = subprocess.run(
            [
                str(python.parent / "schemathesis"), "run", f"{server.address}/openapi.json", "--checks", ",".join(CHECKS),
                "--header", f"Authorization: Bearer {TOKEN}", "--max-time", str(SECONDS), "--seed", "1",
                "--request-timeout", str(HANGING), "--max-response-time", str(HANGING), "--continue-on-failure",
                "--suppress-health-check", "all", "--no-color",
            ],
            capture_output=True, text=True, cwd=tmp_path, timeout=SECONDS + 600, check=False,
        )  # fmt: skip
        assert server.process.poll() is None, "the server died"
    print(run.stdout[-3000:])
    assert run.returncode == 0, run.stdout[-20_000:] + run.stderr[-2000:]
