"""A bundle: several packages that present themselves as one, for episodes that span environments.

Everything above takes a bundle for a package: one manifest, one set of tools, one policy, one schema,
one list of tasks. Names carry the environment they belong to (`qualified`). There is one clock: an
episode begins at the latest of its environments' clocks, since no world can be played before its own
data ends, unless the task's setup names a time.

A task names the environments it needs, and is played on those alone: `narrowed` gives the bundle of
just them. Members stand in the order of their names, so the order in which they are named is
without effect on tools, prompts, hashes and digests.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from . import hashing
from .behaviour import Behaviour
from .columns import Schema
from .environment import Environment
from .errors import PackageError, TaskError
from .language import Language, Policy
from .manifest import NAMESPACE, Manifest
from .package import Invariant, Package
from .qualified import Names, marked
from .task import TaskPrivate

NAME = "multi"
"""Name of every bundle."""

ID = f"{NAMESPACE}/{NAME}-v0"
"""The Gymnasium id of every bundle, to which the tasks that span environments belong."""

TITLES = " and "


class Bundle(Package):
    """Several packages as one.

    Args:
        packages: The members, in any order; their names differ.
        folder: Where `tasks.jsonl` lies, and the report; without one there are no tasks.

    Attributes:
        packages: The members, by name.
        names: Their names, in order → how their things are called here.

    Raises:
        PackageError: No member, or two of one name.
    """

    def __init__(self, packages: Iterable[Package], *, folder: str | Path | None = None) -> None:
        self.packages = tuple(sorted(packages, key=lambda package: package.name))
        if not self.packages:
            raise PackageError("a bundle of no environments", remedy="name at least one, such as airline")
        self.names = {package.name: Names(package) for package in self.packages}
        if len(self.names) < len(self.packages):
            twice = next(a.name for a, b in zip(self.packages, self.packages[1:], strict=False) if a.name == b.name)
            raise PackageError(f"two environments are called {twice!r}", remedy="a bundle holds each only once")
        self._folder = Path(folder).resolve() if folder is not None else None
        self.path = self._folder or self.packages[0].path.parent / NAME
        self.trusted = all(package.trusted for package in self.packages)
        self.manifest = self._manifest()
        self._narrow: dict[tuple[str, ...], Bundle] = {self.members: self}
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"Bundle({', '.join(self.names)})"

    @property
    def members(self) -> tuple[str, ...]:
        """Ids of the members, in the order of their names."""
        return tuple(package.id for package in self.packages)

    def _manifest(self) -> Manifest:
        parts = [package.manifest for package in self.packages]
        spoken = "; ".join(
            f"the tools of {part.title} begin with {self.names[part.name].prefix}"
            + (f", its rules with {part.name}/" if package.policy.rules else "")
            for part, package in zip(parts, self.packages, strict=True)
        )
        summaries = " ".join(part.summary.strip() for part in parts)
        return Manifest(
            name=NAME,
            title=TITLES.join(part.title for part in parts),
            domain=NAME,
            summary=f"You work for all of them at once: {spoken}. {summaries}" if len(parts) > 1 else summaries,
            users="\n".join(f"{part.title}: {part.users.strip()}" for part in parts if part.users.strip()),
            clock=max(part.clock for part in parts),
            sources=tuple(source for part in parts for source in part.sources),
        )

    # ------------------------------------------------------------ state

    @cached_property
    def schema(self) -> Schema:
        """All tables, by prefixed names. Its DDL shows and compares them; worlds are made from the members' own."""
        ddl = "\n".join(names.ddl() for names in self.names.values())
        return Schema(ddl=ddl, tables=self._joined("tables"))

    @cached_property
    def invariants(self) -> tuple[Invariant, ...]:
        """The members' invariants, each marked as one on its member's database."""
        return tuple(
            Invariant(f"{package.name}/{found.name}", marked(package.name, found.sql))
            for package in self.packages
            for found in package.invariants
        )

    @cached_property
    def data(self) -> Mapping[str, list[dict[str, Any]]]:
        """All rows of the base worlds, by prefixed table."""
        return {
            self.names[package.name].prefix + table: rows
            for package in self.packages
            for table, rows in package.data.items()
        }

    # ------------------------------------------------------------ rules and words

    @cached_property
    def policy(self) -> Policy:
        """The members' policies one after the other, each under its title."""
        parts = {name: names.policy() for name, names in self.names.items()}
        texts = {name: re.sub(r"^(?=#)", "#", part.text, flags=re.MULTILINE) for name, part in parts.items()}
        chapters = [
            f"# {names.package.manifest.title} ({name})\n\n{texts[name]}"
            for name, names in self.names.items()
            if texts[name].strip()
        ]
        rules = {rule: words for part in parts.values() for rule, words in part.rules.items()}
        return Policy("\n".join(chapters), rules)

    @cached_property
    def language(self) -> Language:
        """The members' languages side by side."""
        parts = [names.language() for names in self.names.values()]
        return Language.model_validate(
            {
                field: {key: value for part in parts for key, value in getattr(part, field).items()}
                for field in Language.model_fields
            }
        )

    @property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """None: behaviours belong to the members' own reports."""
        return ()

    # ------------------------------------------------------------ tasks

    @cached_property
    def tasks(self) -> tuple[TaskPrivate, ...]:
        """The tasks of the folder that need no environment beyond the members, in file order."""
        if self._folder is None:
            return ()
        return tuple(task for task in self._read_tasks() if set(task.environments) <= set(self.members))

    def narrowed(self, task: TaskPrivate) -> Package:
        """The bundle of just the environments that a task names; the same object each time.

        Raises:
            TaskError: It names none, or one that is no member.
        """
        if task.environment != self.id:
            return self
        wanted = set(task.environments)
        if not wanted:
            raise TaskError(f"task {task.id} of {self.id} names no environments; list them in `environments`")
        if missing := sorted(wanted - set(self.members)):
            raise TaskError(
                f"task {task.id} needs {', '.join(missing)}, and this bundle has {', '.join(self.members)}; "
                f"make it with environments={sorted(wanted)}"
            )
        key = tuple(member for member in self.members if member in wanted)
        with self._lock:
            if key not in self._narrow:
                packages = [package for package in self.packages if package.id in wanted]
                self._narrow[key] = Bundle(packages, folder=self._folder)
            return self._narrow[key]

    # ------------------------------------------------------------ code

    @property
    def server_source(self) -> str:
        """Never there: the code is the members'.

        Raises:
            PackageError: Always.
        """
        raise PackageError("a bundle has no server.py of its own", remedy=f"ask its members: {', '.join(self.names)}")

    @cached_property
    def environment(self) -> Environment:
        """The members' tools as one set.

        Raises:
            PackageError: A prefixed name is too long, or two tools get the same one.
        """
        environment = Environment(self.path / "server.py")
        environment.tools = self._joined("tools")
        return environment

    def _joined(self, part: str) -> dict[str, Any]:
        """A part of all members by prefixed name, where no two may meet (`a` + `b__c`, `a__b` + `c`)."""
        found: dict[str, Any] = {}
        for names in self.names.values():
            for name, value in getattr(names, part)().items():
                if name in found:
                    raise PackageError(
                        f"two environments have {part} that would be called {name!r}",
                        remedy=f"rename one, or leave {names.name} out",
                    )
                found[name] = value
        return found

    # ------------------------------------------------------------ hashes

    @cached_property
    def world_hash(self) -> str:
        """Every member's world hash, by name: `airline:3c14..+lending:09ab..`."""
        return "+".join(f"{package.name}:{package.world_hash}" for package in self.packages)

    @cached_property
    def rules_hash(self) -> str:
        """Every member's rules hash, by name."""
        return "+".join(f"{package.name}:{package.rules_hash}" for package in self.packages)

    @cached_property
    def package_hash(self) -> str:
        """Hash of the members' packages and of the folder's files."""
        own = hashing.package_hash(self._folder) if self._folder is not None and self._folder.is_dir() else ""
        return hashing.digest(["bundle 1", own, *(package.package_hash for package in self.packages)])
