"""A run for tests: a scripted author behind a real endpoint on this machine, and what becomes of its environment."""

from __future__ import annotations

import asyncio
import copy
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from envfactory_gym.author import looking
from envfactory_gym.author.fleet import Endpoint, Outcome, write_environments
from envfactory_gym.author.pipeline import Order, Settings
from envfactory_gym.author.run_folder import RunFolder
from envfactory_gym.llm import Retries
from envfactory_gym.llm.loopback import Faults, Loopback

from .playing import Author, sources_of

QUICK = Retries(attempts=5, first=0.01, longest=0.1)


@dataclass(frozen=True)
class Run:
    """What became of an environment, and what its author was asked."""

    outcome: Outcome
    author: Author

    @property
    def steps(self) -> dict[str, str]:
        """Step → what came of it."""
        return {step.step: step.outcome for step in self.outcome.state.steps}

    def evidence(self, step: str) -> str:
        """What spoke against an answer."""
        (found,) = [one for one in self.outcome.state.steps if one.step == step]
        return "\n".join(found.evidence)


Play = Callable[..., Run]


def play(folder: Path, author: Author, *, resume: bool = False, faults: Faults | None = None, **named: Any) -> Run:
    """Run an author over an environment called `rooms`."""
    endpoint = {key: named.pop(key) for key in ("budget", "prices", "timeout", "cassette", "replay") if key in named}
    base = named.pop("base", None)
    library = {key: named.pop(key) for key in ("library",) if key in named}
    order = Order(base.name if base else "rooms", sources_of(folder, author.texts), folder / "out", base, **library)
    with Loopback(author, faults=faults) as server:
        place = Endpoint("scripted", server.url, retries=QUICK, **endpoint)
        kept = RunFolder(folder / "run", {"model": "scripted"}, resume=resume)
        (outcome,) = asyncio.run(write_environments([order], place, replace(Settings(), **named), kept))
    return Run(outcome, author)


@pytest.fixture(autouse=True)
def executed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A look at the very same files finds the same: within one process of tests it is executed once."""
    for name in ("look", "generate"):
        monkeypatch.setattr(looking, name, remembering(getattr(looking, name)))


_known: dict[str, Any] = {}


def remembering(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that is called once for the same arguments."""

    def remembered(*arguments: Any, **named: Any) -> Any:
        key = json.dumps([function.__name__, arguments, named], sort_keys=True, default=str)
        if key not in _known:
            _known[key] = function(*arguments, **named)
        return copy.deepcopy(_known[key])

    return remembered


@pytest.fixture
def run(tmp_path: Path) -> Play:
    """Run an author in a folder of this test."""

    def played(author: Author, **named: Any) -> Run:
        return play(tmp_path, author, **named)

    return played
