"""Several live worlds that present themselves as one: the state of an episode that spans environments.

Each environment keeps a world of its own, with its own database, ids and pool, so one can do nothing
to another. What is shared is the clock, and what is joined is what one asks of a world: changes,
digest, minted ids, journal. Tables and tools go by prefixed names (`environment/qualified`), and a
seed gives each member a sequence of its own, so that no id is minted twice.
"""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NoReturn

from ..environment.bundle import Bundle
from ..environment.errors import EnvironmentFault, TaskError, ToolError
from ..environment.qualified import Names, routed
from ..environment.task import RowPatch, Setup, SetupCall
from . import faults
from . import setup as setups
from .connection import Bind
from .facade import World
from .journal import Journal, JournalCall
from .live import LiveWorld
from .log import Changes, Happened, Row
from .moments import Checkpoint, Mark
from .process import forks
from .template import Template, package_template


@dataclass(frozen=True, slots=True, eq=False)
class JointMark(Mark):
    """A mark in each member's world."""

    parts: tuple[Mark, ...]


@dataclass(frozen=True, slots=True, eq=False)
class JointCheckpoint(Checkpoint):
    """A checkpoint in each member's world, all made at once."""

    parts: tuple[Checkpoint, ...]


class BundleTemplate(Template):
    """The base worlds of a bundle's members.

    Args:
        bundle: The members.
    """

    def __init__(self, bundle: Bundle) -> None:
        self._closed = True  # until everything stands
        self.names: tuple[Names, ...] = tuple(bundle.names.values())
        self.schema, self.now, self.world_hash = bundle.schema, bundle.manifest.clock, bundle.world_hash
        self.tools = dict(bundle.tools)
        self.templates = tuple(_member_template(names) for names in self.names)
        self.size = sum(template.size for template in self.templates)
        self.path = Path(bundle.path)
        self._forks = forks()
        self._lock = threading.RLock()
        self._live: weakref.WeakSet[LiveWorld] = weakref.WeakSet()
        self.owner = {name: at for at, template in enumerate(self.templates) for name in template.tools}
        self._tables = {
            names.prefix + table: at
            for at, names in enumerate(self.names)
            for table in self.templates[at].schema.tables
        }
        self._closed = False

    def acquire(self, setup: Setup = setups.EMPTY, *, seed: int = 0, shared: bool | None = None) -> BundleWorld:
        """A world per member, with its part of the setup applied, seen as one; give it back with `release`.

        Raises:
            TaskError: The setup cannot be applied, or names a table or tool of no member.
        """
        self._check()
        taken: list[LiveWorld] = []
        try:
            for names, template, part in zip(self.names, self.templates, self._split(setup), strict=True):
                taken.append(template.acquire(part, seed=member_seed(seed, names.name), shared=shared))
        except BaseException:
            for world in taken:
                world.template.release(world)
            raise
        joint = BundleWorld(self, tuple(taken), setup, seed)
        self._live.add(joint)
        return joint

    def _split(self, setup: Setup) -> list[Setup]:
        """Each member's part of a setup. One clock for all, named only where a member's own differs."""
        rows: list[list[RowPatch]] = [[] for _ in self.names]
        calls: list[list[SetupCall]] = [[] for _ in self.names]
        for number, patch in enumerate(setup.rows):
            at = self._tables.get(patch.table)
            if at is None:
                raise TaskError(f"setup.rows[{number}]: no environment has a table {patch.table!r}")
            rows[at].append(patch.model_copy(update={"table": patch.table.removeprefix(self.names[at].prefix)}))
        for number, call in enumerate(setup.calls):
            at = self.owner.get(call.tool)
            if at is None:
                raise TaskError(f"setup.calls[{number}]: no environment has a tool {call.tool!r}")
            calls[at].append(call)
        now = setup.now or self.now
        return [
            Setup(now=None if now == template.now else now, rows=tuple(rows[at]), calls=tuple(calls[at]))
            for at, template in enumerate(self.templates)
        ]

    def release(self, world: LiveWorld) -> None:
        """Take the members' worlds back into their pools."""
        if world.template is not self or not isinstance(world, BundleWorld):
            raise EnvironmentFault("this world was taken from another template")
        for part in world.give_up():
            part.template.release(part)
        self._live.discard(world)

    def close(self) -> None:
        """Close every live world. The members' templates stay: other bundles may share them."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for world in list(self._live):
                world.close()

    def check_untouched(self) -> None:
        """Make sure that the members' shared files are as they were."""
        for template in self.templates:
            template.check_untouched()


_member_templates: weakref.WeakKeyDictionary[Any, Template] = weakref.WeakKeyDictionary()
"""Package → the template of its prefixed form: one for all bundles that it is in, kept as long as the package."""


def _member_template(names: Names) -> Template:
    package = names.package
    found = _member_templates.get(package)
    if found is None or found._closed or found._forks != forks():
        found = _member_templates[package] = package_template(package, names.tools())
    return found


def member_seed(seed: int, name: str) -> int:
    """The seed of one member's ids and chance."""
    return int.from_bytes(blake2b(b"envfactory-member %d\x00%s" % (seed, name.encode()), digest_size=8).digest(), "big")


class BundleWorld(LiveWorld):
    """One world per member, played as one. Taken from `BundleTemplate.acquire`.

    Attributes:
        worlds: The members' worlds, in the order of the members' names.
    """

    __slots__ = ("_names", "_order", "worlds")

    def __init__(self, template: BundleTemplate, worlds: tuple[LiveWorld, ...], setup: Setup, seed: int) -> None:
        self.template, self.setup, self.seed = template, setup, seed
        self.schema = template.schema
        self.worlds = worlds
        self._names = template.names
        self._order: list[int] = []

    @property
    def view(self) -> World:  # type: ignore[override]
        """Not there: a tool sees the world of its own environment, and no other.

        Raises:
            EnvironmentFault: Always.
        """
        raise EnvironmentFault("a bundle's world has no single view; ask one of its `worlds`")

    def _parts(self) -> tuple[LiveWorld, ...]:
        if not self.worlds:
            raise EnvironmentFault("this world was closed or released before")
        return self.worlds

    # ------------------------------------------------------------ calls

    def call(self, tool: str, arguments: Mapping[str, Any] | str | bytes, *, actor: str = "agent") -> str:
        """Call a tool of one member, by its prefixed name; as `LiveWorld.call`."""
        template: BundleTemplate = self.template  # type: ignore[assignment]
        parts = self._parts()
        at = template.owner.get(tool)
        if at is None:
            raise faults.unknown(template.tools, tool, actor)
        try:
            result = parts[at].call(tool, arguments, actor=actor)
        except ToolError as error:
            names = self._names[at]
            reason = names.rule(error.reason) if error.reason is not None else None
            raise ToolError(error.code, names.text(error.message), field=error.field, reason=reason) from None
        self._order.append(at)
        return result

    # ------------------------------------------------------------ going back

    def reset(self) -> None:
        """Go back to right after the setup, in every member."""
        for world in self._parts():
            world.reset()
        self._order.clear()

    def checkpoint(self) -> JointCheckpoint:
        """Remember the state of every member; `restore` comes back to it."""
        points = tuple(world.checkpoint() for world in self._parts())
        first = points[0]
        return JointCheckpoint(first.depth, first.serial, first.draws, len(self._order), first.now, points)

    def restore(self, token: Checkpoint) -> None:
        """Go back to a checkpoint in every member."""
        if not isinstance(token, JointCheckpoint) or len(token.parts) != len(self._parts()):
            raise EnvironmentFault("this checkpoint is of another world")
        for world, point in zip(self._parts(), token.parts, strict=True):
            world.restore(point)
        del self._order[token.calls :]

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A block whose effects are undone at its end, in every member."""
        calls = len(self._order)
        try:
            with ExitStack() as stack:
                for world in self._parts():
                    stack.enter_context(world.trial())
                yield
        finally:
            del self._order[calls:]

    def fork(self) -> BundleWorld:
        """Another world in the same state, member by member."""
        taken: list[LiveWorld] = []
        try:
            for world in self._parts():
                taken.append(world.fork())
        except BaseException:
            for world in taken:
                world.close()
            raise
        template: BundleTemplate = self.template  # type: ignore[assignment]
        other = BundleWorld(template, tuple(taken), self.setup, self.seed)
        other._order = list(self._order)
        template._live.add(other)
        return other

    # ------------------------------------------------------------ what happened

    def mark(self) -> JointMark:
        """Remember this moment in every member."""
        parts = tuple(world.mark() for world in self._parts())
        return JointMark(parts[0].position, parts[0].serial, parts)

    def _since(self, since: Mark | None) -> Iterator[tuple[str, LiveWorld, Mark | None]]:
        """Prefix, world and mark of each member."""
        parts = self._parts()
        if since is not None and not (isinstance(since, JointMark) and len(since.parts) == len(parts)):
            raise EnvironmentFault("this mark is of another world")
        for at, world in enumerate(parts):
            yield self._names[at].prefix, world, since.parts[at] if isinstance(since, JointMark) else None

    def happened(self, since: Mark | None = None) -> Happened:
        """What happened in all members, by prefixed table."""
        changes: Changes = {}
        transient = 0
        touched: set[str] = set()
        for prefix, world, mark in self._since(since):
            part = world.happened(mark)
            changes |= {(prefix + table, key): change for (table, key), change in part.changes.items()}
            transient += part.transient
            touched |= {prefix + table for table in part.touched}
        return Happened(changes, transient, touched)

    @contextmanager
    def reads(self) -> Iterator[set[str]]:
        """Collects the tables that the calls of a block read, by prefixed name; complete when it has ended."""
        found: set[str] = set()
        with ExitStack() as stack:
            parts = [(prefix, stack.enter_context(world.reads())) for prefix, world, _ in self._since(None)]
            yield found
        found.update(prefix + table for prefix, tables in parts for table in tables)

    def digest(self) -> str:
        """Digest of all members' digests with their names."""
        state = blake2b(digest_size=16)
        for names, world in zip(self._names, self._parts(), strict=True):
            state.update(f"{names.name} {world.digest()}\n".encode())
        return state.hexdigest()

    @property
    def minted(self) -> set[int | str]:
        """Every id and code minted in any member."""
        return {value for world in self._parts() for value in world.minted}

    def journal(self) -> Journal:
        """What is needed to play this world again; the calls stand in the order in which they were made."""
        calls = [iter(world.journal().calls) for world in self._parts()]
        ordered: tuple[JournalCall, ...] = tuple(next(calls[at]) for at in self._order)
        return Journal(
            world_hash=self.template.world_hash,
            setup=self.setup,
            seed=self.seed,
            now=self.now,
            calls=ordered,
            digest=self.digest(),
        )

    # ------------------------------------------------------------ time and queries

    @property
    def now(self) -> str:
        """The time, the same in every member."""
        return self._parts()[0].now

    def advance(self, seconds: int) -> None:
        """Move every member's clock forward."""
        for world in self._parts():
            world.advance(seconds)

    def set_now(self, iso: str) -> None:
        """Set every member's clock."""
        for world in self._parts():
            world.set_now(iso)

    def query(self, sql: str, params: Bind = ()) -> list[Row]:
        """Read one member with SQL that names it by its prefix: `SELECT * FROM airline__flights`."""
        world, plain = self._routed(sql)
        return world.query(plain, params)

    def rows(self, sql: str, params: Bind = ()) -> list[dict[str, Any]]:
        """As `query`, with each row as a dict."""
        world, plain = self._routed(sql)
        return world.rows(plain, params)

    def _routed(self, sql: str) -> tuple[LiveWorld, str]:
        by_name = {names.name: world for names, world in zip(self._names, self._parts(), strict=True)}
        name, plain = routed(sql, by_name)
        return by_name[name], plain

    # ------------------------------------------------------------ the end

    def close(self) -> None:
        """Close every member for good."""
        for world in self.worlds:
            world.close()
        self.worlds = ()

    def give_up(self) -> tuple[LiveWorld, ...]:
        """The members' worlds, which are no longer this one's."""
        parts, self.worlds = self._parts(), ()
        return parts

    def __reduce__(self) -> NoReturn:
        raise TypeError("a live world does not pickle; pickle its journal() and call Template.replay(journal)")
