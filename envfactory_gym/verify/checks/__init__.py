"""The checks of an environment, a module each with the same shape: `check(package) -> Finding`.

docs/proofs.md says what each proves. `static` runs nothing of the package; all others do.
"""

from __future__ import annotations

from collections.abc import Callable

from ...environment import Package
from ..finding import Finding
from . import atomicity, behaviours, data, declarations, determinism, isolation, static, tools

CHECKS: dict[str, Callable[[Package], Finding]] = {
    "tools": tools.check,
    "data": data.check,
    "declarations": declarations.check,
    "behaviours": behaviours.check,
    "atomicity": atomicity.check,
    "isolation": isolation.check,
}
"""Checks that execute a package, in order; `static` comes before them, `determinism` after the certificates."""

__all__ = ["CHECKS", "determinism", "static"]
