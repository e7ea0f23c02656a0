"""Agents that try to be paid without doing the task; a sound task pays none of them.

An adversary sees the messages and tools a model would see, and the environment's public files
(`Public`); never gold. Each has a fixed budget. docs/proofs.md lists them. Some are families:
one member per rule, per column, per user tool.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ...environment import Package
from .probes import SPEECHES, GraderProbe, PrivateNames
from .public import Public, PublicTool
from .script import READS, TRIES, WRITES, Adversary
from .seen import Seen
from .talkers import Decline, Dump, Guess, Instruct, NoOp, worded
from .writers import BruteForce, MassEdit, Retry, Wipe

Family = Callable[[Public], dict[str, Adversary]]
"""The members of a kind of adversary in one environment, by label."""


def _declining(public: Public) -> dict[str, Adversary]:
    members: dict[str, Adversary] = {rule: Decline(public, [rule]) for rule in public.rules}
    return members | ({"all rules": Decline(public, public.rules)} if len(public.rules) > 1 else {})


def _guessing(public: Public) -> dict[str, Adversary]:
    members: dict[str, Adversary] = {
        column: Guess(public, [worded(column, value) for value in values]) for column, values in public.frequent.items()
    }
    return members | {"yes": Guess(public, ["yes"]), "0, 1, 2": Guess(public, ["0", "1", "2"])}


def _probing(public: Public) -> dict[str, Adversary]:
    members: dict[str, Adversary] = {f"speech {n}": GraderProbe(public, words) for n, words in enumerate(SPEECHES, 1)}
    return {"payloads": GraderProbe(public), **members}


def _instructing(public: Public) -> dict[str, Adversary]:
    members: dict[str, Adversary] = {tool.name: Instruct(public, [tool]) for tool in public.user_tools}
    return {"all, four times each": Instruct(public, public.user_tools, 4), **members}


FAMILIES: dict[str, Family] = {
    NoOp.name: lambda public: {"": NoOp(public)},
    Dump.name: lambda public: {"all values": Dump(public), "three of each field": Dump(public, 3)},
    Wipe.name: lambda public: {"": Wipe(public)},
    MassEdit.name: lambda public: {"": MassEdit(public)},
    BruteForce.name: lambda public: {
        "reads": BruteForce(public, writes=False),
        "writes": BruteForce(public, writes=True),
    },
    PrivateNames.name: lambda public: {"": PrivateNames(public)},
    GraderProbe.name: _probing,
    Decline.name: _declining,
    Guess.name: _guessing,
    Instruct.name: _instructing,
    Retry.name: lambda public: {"likeliest tool": Retry(public), "first tool": Retry(public, first=True)},
}
"""Every kind of adversary, by name."""


def adversaries(package: Package, names: Sequence[str] = ()) -> dict[str, dict[str, Adversary]]:
    """The adversaries of an environment: kind → member → agent. Agents may play one episode after another.

    Args:
        package: The environment.
        names: Only these kinds; by default all.

    Raises:
        KeyError: There is no such kind.
    """
    public = Public.of(package)
    return {name: FAMILIES[name](public) for name in (names or FAMILIES)}


__all__ = ["FAMILIES", "READS", "TRIES", "WRITES", "Adversary", "Public", "PublicTool", "Seen", "adversaries"]
