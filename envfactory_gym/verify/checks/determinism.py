"""Check `determinism`, and the certificates' row `replay`: fresh processes reach the same digests."""

from __future__ import annotations

from collections.abc import Sequence

from ...environment import EnvFactoryError, Package, TaskPrivate
from ..finding import Finding, finding
from ..replay import HASH_SEEDS, digests, fresh_digests


def check(package: Package, tasks: Sequence[TaskPrivate]) -> Finding:
    """Play gold of all tasks and a random walk here and in fresh processes; compare digests.

    Args:
        package: The environment.
        tasks: Tasks whose gold plays; broken ones are reported by their own certificates.
    """
    evidence: list[str] = []
    here = digests(package, tasks, order=0)
    for order, seed in enumerate(HASH_SEEDS, start=1):
        try:
            there = fresh_digests(package, tasks, seed, order)
        except EnvFactoryError as error:
            evidence.append(str(error))
            continue
        for name, digest in here.items():
            if there.get(name) != digest:
                evidence.append(f"{name}: {digest} here, {there.get(name)} with PYTHONHASHSEED={seed} in another order")
    return finding(
        "determinism", evidence[:20], figures={"processes": len(HASH_SEEDS), "replays": len(here) * len(HASH_SEEDS)},
        remedy="ORDER BY in every query; time, ids and chance from the world; no sets, no hash() in server.py",
    )  # fmt: skip
