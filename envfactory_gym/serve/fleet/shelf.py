"""The environments of a fleet: named at the start, opened when somebody first asks for them.

Naming three hundred costs nothing; opening one reads its files, imports its tools (which trust
decides) and makes its template, in a thread, so that nobody else waits.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ...environment import Bundle, EnvFactoryError, Package, Registry, UntrustedPackageError, load_bundle, load_package
from ...environment.bundle import NAME as MULTI
from ...environment.hashing import package_hash
from ...environment.registry import bundle_folder, search_path
from ...environment.trust import is_trusted
from ...world import Template
from ..session import ServeError
from .pace import Pace

Loader = Callable[[], Package]
"""Gives a package; called when it is first needed."""

EPISODE = "episode"
"""Stands in addresses for the tools that act on the episode, so no environment can be called so."""


class NotServed(ServeError):
    """An environment that this fleet does not have."""


class Shelf:
    """The environments by name.

    Args:
        loaders: Name → what gives the package.
        threads: Where packages are opened.
    """

    def __init__(self, loaders: Mapping[str, Loader], threads: Executor) -> None:
        if EPISODE in loaders:
            raise ServeError(
                f"an environment cannot be called {EPISODE!r} here: that stands for an episode's own tools"
            )
        self._loaders, self._threads = dict(loaders), threads
        self._opened: dict[tuple[str, ...], Package] = {}
        self._opening: dict[tuple[str, ...], asyncio.Task[Package]] = {}
        self._paces: dict[str, Pace] = {}

    @property
    def names(self) -> list[str]:
        """Names of all environments, in order."""
        return sorted(self._loaders)

    def __contains__(self, name: str) -> bool:
        return name in self._loaders

    def known(self, name: str) -> str:
        """The plain name of an environment that was named or called by its id.

        Raises:
            NotServed: This fleet does not have it; the message names close ones.
        """
        short = name.removeprefix("EnvFactory/").rsplit("-v", 1)[0] if name.startswith("EnvFactory/") else name
        if short in self._loaders:
            return short
        close = get_close_matches(short, self._loaders, n=3)
        hint = f"did you mean {', '.join(close)}?" if close else "GET /v1/environments lists those there are"
        raise NotServed(f"no environment {name!r} is served here; {hint}")

    def package(self, name: str) -> Package:
        """The package of an environment, unopened: its files, of which only the manifest is read."""
        return self._loaders[self.known(name)]()

    def opened(self, names: Iterable[str]) -> Package | None:
        """An environment, or several as one, if it is open already."""
        return self._opened.get(tuple(names))

    async def open(self, names: tuple[str, ...]) -> Package:
        """An environment, or several as one, ready to be played.

        Raises:
            NotServed: There is none of that name.
            EnvFactoryError: Its code was not verified here, or it is broken.
        """
        found = self._opened.get(names)
        if found is not None:
            return found
        names = tuple(self.known(name) for name in names)
        if len(names) > 1:
            names = tuple(sorted(set(names)))
        if (found := self._opened.get(names)) is None:
            task = self._opening.get(names)
            if task is None:
                task = self._opening[names] = asyncio.create_task(self._open(names))
            found = await asyncio.shield(task)
        return found

    async def _open(self, names: tuple[str, ...]) -> Package:
        try:
            loop = asyncio.get_running_loop()
            found = self._opened[names] = await loop.run_in_executor(self._threads, self._make, names)
            return found
        finally:
            del self._opening[names]

    def _make(self, names: tuple[str, ...]) -> Package:
        packages = [self._loaders[name]() for name in names]
        for name, package in zip(names, packages, strict=True):
            if package.name != name:
                raise NotServed(f"the environment in {package.path} is called {package.name}, not {name}")
        package = packages[0] if len(packages) == 1 else Bundle(packages, folder=bundle_folder())
        if MULTI in names and len(names) > 1:
            raise NotServed(f"{MULTI!r} stands for several environments already; name the environments themselves")
        if not package.tools:
            raise EnvFactoryError(f"{package.name} has no tools")
        Template.of(package)
        _ = package.policy, package.language, package.tasks
        return package

    def pace(self, package: Package) -> Pace:
        """What is known about how quick its tools are."""
        return self._paces.setdefault(package.package_hash, Pace())


def loaders(names: Iterable[str]) -> dict[str, Loader]:
    """Loaders of installed environments by name, id or folder; each is read when first needed.

    `multi` is what all tasks that span environments need.
    """
    folders = cache(installed_folders)

    def loader(name: str) -> Loader:
        return lambda: load_package(folders().get(name, name))

    found: dict[str, Loader] = {}
    for name in names:
        if name == MULTI:
            found[MULTI] = load_bundle
        elif os.sep in name:
            # A folder, or an id: only the package itself knows its name.
            package = load_package(name)
            found[package.name] = _same(package)
        else:
            found[name] = loader(name)
    return found


def everything() -> dict[str, Loader]:
    """Loaders of all installed environments. Whether one was verified is asked when it is opened."""
    found = {name: _at(folder) for name, folder in installed_folders().items()}
    if bundle_folder() is not None:
        found[MULTI] = load_bundle
    return found


def checked(names: Iterable[str]) -> dict[str, Loader]:
    """Loaders of environments that are known to be there and to be verified, by their plain names.

    Raises:
        PackageError: One is not found, or was not verified here.
    """
    folders = installed_folders()
    found: dict[str, Loader] = {}
    for name in names:
        if name in folders:
            _check(folders[name], package_hash(folders[name]))
            found[name] = _at(folders[name])
            continue
        package = load_package(name)
        for member in package.packages if isinstance(package, Bundle) else (package,):
            _check(member.path, member.package_hash)
        found[package.name] = _same(package)
    return found


def _check(folder: Path, known_as: str) -> None:
    if not is_trusted(known_as):
        raise UntrustedPackageError(
            "this package's code was not verified here, so it is not served", file=folder,
            remedy=f"run `envfactory verify {folder}` first",
        )  # fmt: skip


def _same(package: Package) -> Loader:
    return lambda: package


def _at(folder: Path) -> Loader:
    return lambda: load_package(folder)


_NAME_LINE = re.compile(rb"^name:\s*[\"']?([\w-]+)", re.MULTILINE)


def installed_folders() -> dict[str, Path]:
    """Where each installed environment lies, by name; a user's own come first, as in `load_package`.

    Manifests are not parsed: with hundreds of them that would take longer than everything else at the start.
    """
    found: dict[str, Path] = {}
    for folder in search_path():
        for candidate in [folder, *sorted(folder.iterdir() if folder.is_dir() else ())]:
            with contextlib.suppress(OSError):  # no manifest, or none that can be read: no environment
                line = _NAME_LINE.search((candidate / "environment.yaml").read_bytes())
                found.setdefault(line[1].decode() if line is not None else candidate.name, candidate)
    registry = Registry.installed()
    return {**{entry.name: registry.folder(entry) for entry in registry.entries}, **found}
