"""The environments of a fleet: named at the start, opened when somebody first asks for them.

Naming three hundred costs nothing; opening one reads its files, imports its tools (which trust
decides) and makes its template, in a thread, so that nobody else waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import Executor
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from ...environment import Bundle, EnvFactoryError, Package, Registry, UntrustedPackageError, load_bundle, load_package
from ...environment.bundle import NAME as MULTI
from ...environment.registry import bundle_folder, own_packages
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
    # Looking through the search path reads every manifest on it, so it is done once, and only if need be.
    folders = cache(_folders)

    def loader(name: str) -> Loader:
        return lambda: load_package(folders().get(name, name))

    found: dict[str, Loader] = {}
    for name in names:
        if name == MULTI:
            found[MULTI] = load_bundle
        elif "/" in name:
            # A folder, or an id: only the package itself knows its name.
            package = load_package(name)
            found[package.name] = _same(package)
        else:
            found[name] = loader(name)
    return found


def checked(names: Iterable[str]) -> dict[str, Loader]:
    """Loaders of environments that are known to be there and to be verified, by their plain names.

    Raises:
        PackageError: One is not found, broken, or was not verified here.
    """
    found: dict[str, Loader] = {}
    for name in names:
        package = load_package(name)
        members = package.packages if isinstance(package, Bundle) else (package,)
        for member in members:
            if not (member.trusted or is_trusted(member.package_hash)):
                raise UntrustedPackageError(
                    "this package's code was not verified here, so it is not served", file=member.path,
                    remedy=f"run `envfactory verify {member.path}` first",
                )  # fmt: skip
        found[package.name] = _same(package)
    return found


def _same(package: Package) -> Loader:
    return lambda: package


def _folders() -> dict[str, Path]:
    """Where each installed environment lies, by name; a user's own come first, as in `load_package`."""
    registry = Registry.installed()
    return {**{entry.name: registry.folder(entry) for entry in registry.entries}, **own_packages()}
