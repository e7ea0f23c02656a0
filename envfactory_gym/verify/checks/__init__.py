"""The checks of an environment, a module each with the same shape: `check(package) -> Finding`.

docs/proofs.md says what each proves. `static` runs nothing of the package; all others do.
"""

from __future__ import annotations

from collections.abc import Callable

from ...environment import Package
from ..finding import Finding
from . import atomicity, behaviours, coverage, data, declarations, determinism, fuzz, isolation, mutation, static, tools

CHECKS: dict[str, Callable[[Package], Finding]] = {
    "tools": tools.check,
    "data": data.check,
    "declarations": declarations.check,
    "behaviours": behaviours.check,
    "atomicity": atomicity.check,
    "isolation": isolation.check,
    "fuzz": fuzz.check,
    "coverage": coverage.check,
}
"""Checks that execute a package, in order.

`static` comes before them, `determinism` after the certificates, `mutation` last and only where all else passed.
"""

__all__ = ["CHECKS", "determinism", "mutation", "static"]
