"""Which packages' code may be imported: those the registry vouches for, and those verified here.

A report is never trust: it can be copied. Trust is a package hash in the installed
`registry.yaml`, or in the local list that `envfactory verify` appends to on success.
"""

from __future__ import annotations

import os
from pathlib import Path


def state_folder() -> Path:
    """Where this user's state is kept: `ENVFACTORY_HOME`, else the XDG state folder."""
    if home := os.environ.get("ENVFACTORY_HOME"):
        return Path(home)
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "envfactory"


def verified_list() -> Path:
    """The local list: one package hash and name a line."""
    return state_folder() / "verified.txt"


def installed_registry() -> Path:
    """The registry that came with this library: in the wheel, or at the checkout's root."""
    package = Path(__file__).resolve().parents[1]
    wheel = package / "_packages" / "registry.yaml"
    return wheel if wheel.exists() else package.parent / "registry.yaml"


def is_trusted(package_hash: str) -> bool:
    """Whether a package with that hash may be imported without further ado."""
    registry, verified = installed_registry(), verified_list()
    vouched = registry.exists() and f"package_hash: {package_hash}\n" in registry.read_text("utf-8")
    return vouched or (
        verified.exists()
        and any(line.split(" ", 1)[0] == package_hash for line in verified.read_text("utf-8").splitlines())
    )


def trust(package_hash: str, name: str) -> None:
    """Remember that a package with that hash was verified here."""
    if is_trusted(package_hash):
        return
    path = verified_list()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as file:
        file.write(f"{package_hash} {name}\n")
