"""Check `determinism`, and the certificates' row `replay`: fresh processes reach the same digests."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from ...environment import EnvFactoryError, Package, TaskPrivate
from ..finding import Finding, finding
from ..replay import HASH_SEEDS, digests, fresh_digests, other_pythons


def check(package: Package, tasks: Sequence[TaskPrivate]) -> Finding:
    """Play gold of all tasks and a random walk here and in fresh processes; compare digests.

    Args:
        package: The environment.
        tasks: Tasks whose gold plays; broken ones are reported by their own certificates.
    """
    evidence: list[str] = []
    here = digests(package, tasks, order=0)
    elsewhere = [(f"with PYTHONHASHSEED={seed} in another order", seed, sys.executable) for seed in HASH_SEEDS]
    pythons = other_pythons()
    elsewhere += [(f"with Python {version}", "0", python) for version, python in pythons.items()]
    for order, (where, seed, python) in enumerate(elsewhere, start=1):
        try:
            there = fresh_digests(package, tasks, seed, order, python)
        except EnvFactoryError as error:
            evidence.append(f"{where}: {error}")
            continue
        for name, digest in here.items():
            if there.get(name) != digest:
                evidence.append(f"{name}: {digest} here, {there.get(name)} {where}")
    # Which Pythons are at hand depends on the machine, and figures go into report.json: so a note.
    also = (
        f"replayed with Python {', '.join(pythons)} too"
        if pythons
        else "no other Python with the needs of this library"
    )
    return finding(
        "determinism", evidence[:20], figures={"processes": len(HASH_SEEDS), "replays": len(here) * len(HASH_SEEDS)},
        notes=[also],
        remedy="ORDER BY in every query; time, ids and chance from the world; no sets, no hash() in server.py",
    )  # fmt: skip
