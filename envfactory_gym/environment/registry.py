"""`registry.yaml`: the list of packages, found wherever they may lie, written by the tool only."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ConfigDict, Field

from .bundle import NAME as MULTI
from .bundle import Bundle
from .errors import PackageError
from .files import read_jsonl_as, read_yaml_as
from .hashing import package_files
from .package import Package
from .task import TaskPrivate
from .trust import installed_registry

ENTRY_POINTS = "envfactory.environments"
"""Entry-point group of distributions that carry packages; each names a module or folder of them."""

Tier = Literal["draft", "verified", "reference"]


class Entry(BaseModel):
    """One line of the registry: a package, its tier, its counts and its hashes."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    name: str
    path: str
    domain: str
    tier: Tier
    tools: int
    tables: int
    rows: int
    tasks: int
    world_hash: str
    rules_hash: str
    package_hash: str


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    environments: tuple[Entry, ...] = Field(default_factory=tuple)


HEADER = "# Written by `envfactory registry --write`; checked by `make test`. Do not edit by hand.\n"


@dataclass(frozen=True)
class Registry:
    """The packages of one `registry.yaml`, whose folder paths are relative to."""

    root: Path
    entries: tuple[Entry, ...]

    @classmethod
    def read(cls, file: Path) -> Registry:
        """Read a registry file."""
        return cls(file.parent, (read_yaml_as(file, _File) or _File()).environments)

    @classmethod
    def installed(cls) -> Registry:
        """The registry that came with this library; empty where there is none."""
        file = installed_registry()
        return cls.read(file) if file.exists() else cls(file.parent, ())

    def folder(self, entry: Entry) -> Path:
        """Where the package of an entry lies."""
        full = self.root / entry.path
        return full if full.is_dir() else self.root / Path(entry.path).name

    @cached_property
    def by_name(self) -> dict[str, Entry]:
        """Entries by name and by id."""
        return {**{entry.name: entry for entry in self.entries}, **{entry.id: entry for entry in self.entries}}

    @staticmethod
    def text(entries: Iterable[Entry]) -> str:
        """The registry file for some entries, sorted by name."""
        rows = [entry.model_dump() for entry in sorted(entries, key=lambda entry: entry.name)]
        return HEADER + yaml.safe_dump({"environments": rows}, sort_keys=False, allow_unicode=True, width=100)

    def problems(self) -> Iterator[str]:
        """What in this registry does not match the packages on disk; nothing where all is well."""
        for entry in self.entries:
            folder = self.folder(entry)
            if not folder.is_dir():
                yield f"{entry.name}: the folder {entry.path} is missing"
                continue
            fresh = describe(Package(folder), path=entry.path)
            for field, value in fresh.model_dump().items():
                if getattr(entry, field) != value:
                    yield f"{entry.name}: {field} is {getattr(entry, field)!r} here and {value!r} on disk"


def describe(package: Package, path: str) -> Entry:
    """The registry entry of a package, from its files and its last report."""
    report = package.report or {}
    tier: Tier = report.get("tier", "draft") if report.get("package_hash") == package.package_hash else "draft"
    return Entry(
        id=package.id,
        name=package.name,
        path=path,
        domain=package.manifest.domain,
        tier=tier,
        tools=int(report.get("tools", 0)),
        tables=len(package.schema.tables),
        rows=sum(map(len, package.data.values())),
        tasks=len(package.tasks),
        world_hash=package.world_hash,
        rules_hash=package.rules_hash,
        package_hash=package.package_hash,
    )


def search_path() -> list[Path]:
    """Folders of a user's own packages: `ENVFACTORY_PATH`, then the entry points."""
    folders = [Path(part) for part in os.environ.get("ENVFACTORY_PATH", "").split(os.pathsep) if part]
    for point in importlib.metadata.entry_points(group=ENTRY_POINTS):
        spec = importlib.util.find_spec(point.module)
        if spec is not None and spec.submodule_search_locations:
            folders.extend(map(Path, spec.submodule_search_locations))
        elif spec is not None and spec.origin:
            folders.append(Path(spec.origin).parent)
    return folders


def own_packages() -> dict[str, Path]:
    """Folders of packages on the search path, by name; earlier ones win.

    One that cannot be read goes by its folder's name: who asks for it is told why, and nobody else is held up.
    """
    found: dict[str, Path] = {}
    for folder in search_path():
        for candidate in [folder, *sorted(folder.iterdir() if folder.is_dir() else ())]:
            if (candidate / "environment.yaml").is_file():
                found.setdefault(_name_of(candidate), candidate)
    return found


def _name_of(folder: Path) -> str:
    try:
        return Package(folder).name
    except PackageError:
        return folder.name


def bundle_folder() -> Path | None:
    """The folder with the tasks that span environments; a user's own first; None where there is none."""
    root = installed_registry().parent
    folders = [path for folder in search_path() for path in (folder, folder / MULTI) if path.name == MULTI]
    folders += [root / "generated_servers" / MULTI, root / MULTI]
    return next((folder for folder in folders if _is_bundle(folder)), None)


def _is_bundle(folder: Path) -> bool:
    return (folder / "tasks.jsonl").is_file() and not (folder / "environment.yaml").exists()


def load_bundle(
    environments: Iterable[str | Path] | None = None, *, folder: str | Path | None = None, trusted: bool = False
) -> Bundle:
    """Several environments as one.

    Args:
        environments: Names, ids or folders of the members; by default all that the tasks name.
        folder: Where the tasks lie; by default the folder `multi` on the search path, or the library's own.
        trusted: As in `Package`, for the members.

    Raises:
        PackageError: A member is not found; the message names close ones.
    """
    found = Path(folder) if folder is not None else bundle_folder()
    if environments is None:
        if found is None:
            raise PackageError(
                "no tasks that span environments are installed", remedy="name members: environments=['airline', ...]"
            )
        tasks = read_jsonl_as(found / "tasks.jsonl", TaskPrivate)
        environments = sorted({name for task in tasks for name in task.environments})
    members = [load_package(name, trusted=trusted) for name in environments]
    return Bundle(members) if found is None else _cached_bundle(members, found.resolve())


def open_package(folder: str | Path, *, trusted: bool = False) -> Package:
    """A folder read anew: a package, or the bundle of one that holds tasks only."""
    if _is_bundle(Path(folder)):
        return load_bundle(folder=folder, trusted=trusted)
    return Package(folder, trusted=trusted)


def names() -> list[str]:
    """Names of every package that `load_package` finds."""
    multi = [MULTI] if bundle_folder() is not None else []
    return sorted({*(entry.name for entry in Registry.installed().entries), *own_packages(), *multi})


def load_package(name: str | Path, *, trusted: bool = False) -> Package:
    """Find a package by name (`airline`), id (`EnvFactory/airline-v0`) or folder; `multi` is all that tasks span.

    Args:
        name: What to look for.
        trusted: As in `Package`.

    Raises:
        PackageError: Nothing is found; the message names close ones.
    """
    text = str(name)
    if isinstance(name, Path) or (os.sep in text and Path(text).is_dir()) or text in (".", ".."):
        if _is_bundle(Path(text)):
            return load_bundle(folder=text, trusted=trusted)
        return _cached_package(Path(text).resolve(), trusted)
    short = text.removeprefix("EnvFactory/").rsplit("-v", 1)[0] if text.startswith("EnvFactory/") else text
    if short == MULTI:
        return load_bundle(trusted=trusted)
    own = own_packages()
    if short in own:
        return _cached_package(own[short].resolve(), trusted)
    registry = Registry.installed()
    if entry := registry.by_name.get(text) or registry.by_name.get(short):
        return _cached_package(registry.folder(entry).resolve(), trusted)
    if (Path(text) / "environment.yaml").is_file():
        return _cached_package(Path(text).resolve(), trusted)
    known = names()
    close = get_close_matches(short, known, n=3)
    hint = f"did you mean {', '.join(close)}?" if close else f"known: {', '.join(known) or 'none'}"
    raise PackageError(
        f"no environment {text!r}; {hint}",
        remedy="`envfactory list` shows all; ENVFACTORY_PATH adds folders of your own",
    )


_packages: dict[tuple[Path, bool, int], Package] = {}
_bundles: dict[tuple[Path, ...], tuple[int, Bundle]] = {}


def _cached_bundle(members: Sequence[Package], folder: Path) -> Bundle:
    """As for packages: episodes of the same members and tasks share one; changed files are read anew."""
    file = folder / "tasks.jsonl"
    stamp = file.stat().st_mtime_ns if file.exists() else 0
    key = (folder, *sorted(package.path for package in members))
    known = _bundles.get(key)
    if known is None or known[0] != stamp or set(known[1].packages) != set(members):
        known = _bundles[key] = stamp, Bundle(members, folder=folder)
    return known[1]


def _cached_package(path: Path, trusted: bool) -> Package:
    """Packages are immutable, so thousands of episodes share one; a changed folder is read anew."""
    files = package_files(path) if path.is_dir() else []
    stamp = max((file.stat().st_mtime_ns for file in [*files, path / "report.json"] if file.exists()), default=0)
    key = (path, trusted, stamp)
    if key not in _packages:
        for old in [other for other in _packages if other[:2] == key[:2]]:
            del _packages[old]
        _packages[key] = Package(path, trusted=trusted)
    return _packages[key]
