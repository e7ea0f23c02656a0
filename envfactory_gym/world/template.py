"""A template: the base world of a package, from which live worlds are taken and returned to.

It holds the image, the plan of the change log, and a pool. A returned world keeps its setup, so
the next episode with the same setup (a group of rollouts of one task) starts in microseconds;
another setup costs its own calls once.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import warnings
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from ..environment.bundle import Bundle
from ..environment.columns import Schema
from ..environment.errors import EnvFactoryError, EnvironmentFault, ToolError
from ..environment.task import Setup
from ..environment.tool import Tool
from . import functions, image
from . import setup as setups
from .connection import Connection, open_private, open_reference, open_shared
from .journal import Journal
from .live import LiveWorld
from .log import LogPlan
from .process import forks

if TYPE_CHECKING:
    from ..environment.package import Package

PRIVATE_UP_TO = 256 * 1024
"""Images of at most so many bytes are copied into memory; larger ones are shared."""

_templates: weakref.WeakValueDictionary[tuple[int, str, int], Template] = weakref.WeakValueDictionary()
_kept: weakref.WeakKeyDictionary[Package, Template] = weakref.WeakKeyDictionary()
"""A package keeps its template alive, and with it the pool, between one episode and the next."""
_templates_lock = threading.Lock()


class Template:
    """The base world of one package version.

    Args:
        schema: Its tables.
        rows: Table → rows (column → value; lists and objects become JSON text).
        tools: Name → tool.
        now: The time at which episodes begin, unless their setup says otherwise.
        world_hash: Names the world; goes into journals and tasks.
        cache_dir: Where the image is kept; by default the user's cache folder.

    Attributes:
        size: Bytes of the image.

    Raises:
        PackageError: A row does not fit.
    """

    def __init__(
        self,
        schema: Schema,
        rows: image.Rows,
        *,
        tools: Mapping[str, Tool],
        now: str,
        world_hash: str,
        cache_dir: str | Path | None = None,
    ) -> None:
        self.schema, self.now, self.world_hash = schema, now, world_hash
        self.tools = dict(tools)
        self._folder = Path(cache_dir) if cache_dir is not None else image.cache_folder()
        pinned = isinstance(rows, _PackageRows)  # a package's hash covers its rows
        self._name = image.key(schema, None if pinned else rows, now, world_hash)
        content = image.load(self._folder, self._name)
        if content is None:
            content = image.build(schema, rows, now)
            image.save(self._folder, self._name, content)
        self.size = len(content)
        self.path = self._folder / f"{self._name}.db"
        self._forks = forks()
        self._lock = threading.RLock()
        self._idle: dict[tuple[str, int | None], list[Connection]] = {}
        self._live: weakref.WeakSet[LiveWorld] = weakref.WeakSet()
        self._closed = True  # until everything stands
        self._warned = False
        self._open_image()
        self._plain = functions.Plain()
        self._plan = LogPlan(schema, self._reference)
        self._known: dict[str, tuple[str, ...]] = {}
        self._closed = False

    @classmethod
    def of(cls, package: Package) -> Template:
        """The template of a package: built once per world, kept as long as the package is."""
        with _templates_lock:
            key = (forks(), package.world_hash, package.tools_from)
            found = _templates.get(key)
            if found is None or found._closed:
                found = _templates[key] = _made(package)
            _kept[package] = found
            return found

    # ------------------------------------------------------------ worlds

    def acquire(self, setup: Setup = setups.EMPTY, *, seed: int = 0, shared: bool | None = None) -> LiveWorld:
        """A world with a setup applied; give it back with `release`.

        Args:
            setup: Changes before the episode.
            seed: Seed of its ids and chance.
            shared: Whether it shares the template's file; by default only images above 256 KiB.

        Raises:
            TaskError: The setup cannot be applied; the error names the row or call.
        """
        self._check()
        key = setups.key(setup)
        with self._lock:
            core, ready = self._take(key, seed, shared)
            if core is None:
                wanted = self.size > PRIVATE_UP_TO if shared is None else shared
                core = self._connect(wanted, explicit=shared is not None)
            if core.shared:
                self.check_untouched()
        try:
            world = LiveWorld(self, core, setup, seed)
            if ready:
                world._resume()
            else:
                world._begin(key)
        except BaseException:
            core.close()
            raise
        self._live.add(world)
        return world

    def release(self, world: LiveWorld) -> None:
        """Take a world back into the pool; it must not be used afterwards."""
        if world.template is not self:
            raise EnvironmentFault("this world was taken from another template")
        core = world._give_up()
        if core is None:
            return
        with self._lock:
            self._live.discard(world)
            if self._closed:
                core.close()
                return
            self._idle.setdefault(_pool_key(core), []).append(core)

    def replay(self, journal: Journal) -> LiveWorld:
        """Play a journal again.

        Raises:
            EnvironmentFault: It belongs to another world, a call fails, or the end has another digest.
        """
        if journal.world_hash != self.world_hash:
            raise EnvironmentFault(
                f"the journal was written for world {journal.world_hash}, this is {self.world_hash}; "
                "use the package version that wrote it"
            )
        world = self.acquire(journal.setup, seed=journal.seed)
        try:
            for number, call in enumerate(journal.calls):
                world.set_now(call.now)
                try:
                    world.call(call.tool, call.arguments, actor=call.actor)
                except ToolError as error:
                    raise EnvironmentFault(
                        f"call {number} of the journal ({call.tool}) succeeded then and fails now: {error}",
                        tool=call.tool,
                    ) from error
            world.set_now(journal.now)
            if (digest := world.digest()) != journal.digest:
                raise EnvironmentFault(f"the journal ends in digest {journal.digest}, its replay in {digest}")
        except BaseException:
            world.close()
            raise
        return world

    def close(self) -> None:
        """Close every world, live or idle. A closed template gives no more worlds."""
        with self._lock:
            if self._closed:
                return
            self._closed = True
            for world in list(self._live):
                world.close()
            for cores in self._idle.values():
                for core in cores:
                    core.close()
            self._idle.clear()
            self._reference.close()
            self._plain.close()
            os.close(self._descriptor)

    def check_untouched(self) -> None:
        """Make sure that the shared file is as it was.

        Raises:
            EnvironmentFault: Something wrote to the file.
        """
        if os.fstat(self._descriptor).st_mtime_ns != self._modified:
            self.path.unlink(missing_ok=True)
            raise EnvironmentFault(
                f"the image {self.path} was modified by something outside; every world on it is void. "
                "It has been deleted: close the template and make it again"
            )

    # ------------------------------------------------------------ connections

    def _check(self) -> None:
        if forks() != self._forks:
            raise EnvironmentFault(
                "this template was opened before os.fork(), and a database connection must not cross a fork; "
                "make it again in the child (Template.of(package) does)"
            )
        if self._closed:
            raise EnvironmentFault("this template is closed; make it again")

    def _open_image(self) -> None:
        self._descriptor = os.open(self.path, os.O_RDONLY)
        self._modified = os.fstat(self._descriptor).st_mtime_ns
        self._reference = open_reference(self.path)

    def _take(self, key: str, seed: int, shared: bool | None) -> tuple[Connection | None, bool]:
        """An idle connection, best one first: with this setup, else with any (the setup left alone longest)."""
        for wanted in ((key, seed), (key, None)):
            cores = self._idle.get(wanted, [])
            for at in range(len(cores) - 1, -1, -1):
                if shared is None or cores[at].shared == shared:
                    return self._pop(wanted, at), True
        for other, cores in self._idle.items():
            for at, core in enumerate(cores):
                if shared is None or core.shared == shared:
                    return self._pop(other, at), False
        return None, False

    def _pop(self, key: tuple[str, int | None], at: int) -> Connection:
        cores = self._idle[key]
        core = cores.pop(at)
        if not cores:
            del self._idle[key]
        return core

    def _connect(self, shared: bool, *, explicit: bool) -> Connection:
        if not shared:
            return self._core(open_private(self._reference), shared=False)
        self._restore_file()
        for attempt in (self._open_shared, self._open_with_more_files):
            try:
                return self._core(attempt(), shared=True)
            except sqlite3.OperationalError as error:
                failure = error
        if explicit:
            raise EnvFactoryError(
                f"no further shared world can be opened ({failure}): a process needs one file descriptor for each, "
                f"and may open {_file_limit()}. Raise the hard limit (ulimit -Hn), or use shared=False"
            ) from failure
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"no file descriptor left for another shared world (limit {_file_limit()}); further worlds are private "
                f"copies of {self.size / 1e6:.1f} MB each. Raise the hard limit (ulimit -Hn) to avoid this",
                RuntimeWarning,
                stacklevel=4,
            )
        return self._core(open_private(self._reference), shared=False)

    def _open_shared(self) -> sqlite3.Connection:
        connection = open_shared(self.path)
        try:
            connection.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchall()  # SQLite opens files late
        except sqlite3.Error:
            connection.close()
            raise
        return connection

    def _open_with_more_files(self) -> sqlite3.Connection:
        _raise_file_limit()
        return self._open_shared()

    def _core(self, connection: sqlite3.Connection, *, shared: bool) -> Connection:
        try:
            return Connection(
                connection,
                shared=shared,
                plan=self._plan,
                now=self.now,
                known=self._known,
                plain=self._plain,
            )
        except BaseException:
            connection.close()
            raise

    def _restore_file(self) -> None:
        """Cleaners of cache folders delete files; the open one still has the bytes."""
        if self.path.exists():
            return
        self.check_untouched()  # bytes that something wrote to must not come back
        content = os.pread(self._descriptor, self.size, 0)
        os.close(self._descriptor)
        self._reference.close()
        image.save(self._folder, self._name, content)
        self._open_image()

    def __del__(self) -> None:
        # At the interpreter's exit there is nothing left to close with, and nothing to close for.
        if not getattr(self, "_closed", True) and forks is not None and forks() == self._forks:
            self.close()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a template does not pickle; make it again from its package with Template.of(package)")


def package_template(package: Package, tools: Mapping[str, Tool]) -> Template:
    """A template of its own for a package, with its tools under whatever names."""
    return Template(
        package.schema,
        _PackageRows(package),
        tools=tools,
        now=package.manifest.clock,
        world_hash=package.world_hash,
    )


def _made(package: Package) -> Template:
    if isinstance(package, Bundle):
        from .bundle import BundleTemplate

        return BundleTemplate(package)
    return package_template(package, package.tools)


class _PackageRows(Mapping[str, Sequence[Mapping[str, Any]]]):
    """Rows of a package, read only when the image is built."""

    def __init__(self, package: Package) -> None:
        self._package = package

    def __getitem__(self, table: str) -> Sequence[Mapping[str, Any]]:
        if table not in self._package.schema.tables:
            raise KeyError(table)
        return self._package.rows(table)

    def __iter__(self) -> Iterator[str]:
        return iter(self._package.schema.tables)

    def __len__(self) -> int:
        return len(self._package.schema.tables)


def _pool_key(core: Connection) -> tuple[str, int | None]:
    """Setups that drew ids fit only their own seed; all others fit any."""
    return core.setup_key or "", core.ids.seed if core.base_ids[0] else None


def _file_limit() -> str:
    try:
        import resource
    except ImportError:  # not on Windows
        return "as many files as the system allows"
    return str(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def _raise_file_limit() -> None:
    """Raise the soft limit of open files to the hard one, where there are such limits."""
    try:
        import resource
    except ImportError:  # not on Windows
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != hard:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
