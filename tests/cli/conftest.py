"""A terminal for tests: run a command, get exit code, standard output and standard error."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from envfactory_gym.cli import app
from envfactory_gym.environment import Package
from envfactory_gym.environment.trust import trust
from tests.support import LENDING


@dataclass(frozen=True)
class Answer:
    """What a command answered."""

    code: int
    out: str
    err: str

    @property
    def data(self) -> Any:
        """The JSON document it wrote."""
        return json.loads(self.out)


Terminal = Callable[..., Answer]


@pytest.fixture(autouse=True)
def own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Nothing verified yet, and no packages but the library's: state of these tests alone."""
    home = tmp_path / "state"
    monkeypatch.setenv("ENVFACTORY_HOME", str(home))
    monkeypatch.delenv("ENVFACTORY_PATH", raising=False)
    monkeypatch.setenv("COLUMNS", "160")
    return home


@pytest.fixture
def envfactory() -> Terminal:
    """Run `envfactory` with some arguments, in this process."""

    def run(*arguments: str | Path, typed: str | None = None) -> Answer:
        result = CliRunner().invoke(app, [str(part) for part in arguments], input=typed, catch_exceptions=False)
        return Answer(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def trusted_lending(own_state: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of the small lending environment, found through ENVFACTORY_PATH and verified before."""
    package = Package(LENDING)
    trust(package.package_hash, package.name)
    monkeypatch.setenv("ENVFACTORY_PATH", str(LENDING.parent))
    return package.name
