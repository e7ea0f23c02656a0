"""One mutant against the behaviours: does any of them notice?

Runs in a worker process. Which behaviours reach which function is traced once on the sound server;
a behaviour that never enters a function cannot be changed by a fault in it.
"""

from __future__ import annotations

import ast
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from ...environment import Behaviour, EnvFactoryError, Package, TaskError, Tool, ToolError
from ...world import Template, image
from ..checks.behaviours import Problem, observe, setup_of
from ..reimport import CannotImport, tools_of
from .mutants import SCHEMA, Mutant
from .patching import Patcher
from .views import with_view

_ENTERED = "_envfactory_entered"

Outcome = Literal["killed", "survived", "left out"]

PATIENCE = 4.0
"""Seconds after which a mutant that only ever fails is given up as failing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of a mutant.

    Attributes:
        mutant: Its id.
        outcome: `killed`; `survived`; or `left out`: no import, or nothing but internal errors.
        by: The behaviour that killed it, or why it is left out.
        ran: The behaviours that ran and held, by name.
    """

    mutant: str
    outcome: Outcome
    by: str = ""
    ran: tuple[str, ...] = ()

    def content(self) -> dict[str, Any]:
        """As JSON keeps it."""
        return asdict(self)


def grounded(package: Package) -> list[Behaviour]:
    """The behaviours that prove something: all but recorded ones, quickest to set up first."""
    found = [behaviour for behaviour in package.behaviours if behaviour.origin.kind != "recorded"]
    return sorted(found, key=lambda behaviour: (len(behaviour.setup.calls), len(behaviour.calls)))


class Judge:
    """Runs mutants of one package.

    Args:
        package: The environment; its behaviours hold.
    """

    def __init__(self, package: Package) -> None:
        self.package = package
        self.patcher = Patcher(package)
        self.behaviours = grounded(package)
        self.schema = package.schema
        self.template = Template.of(package)
        self.reach = self._reaches()

    def judge(self, mutant: Mutant) -> Verdict:
        """Run the behaviours that reach the mutant until one notices."""
        reaching = [
            behaviour
            for behaviour, functions in zip(self.behaviours, self.reach, strict=True)
            if functions & set(mutant.functions)
        ]
        try:
            if mutant.file == SCHEMA:
                with self._viewing(mutant):
                    return self._verdict(mutant, reaching)
            with self.patcher.installed(mutant) as tools, self._serving(tools):
                return self._verdict(mutant, reaching)
        except CannotImport as error:
            return Verdict(mutant.id, "left out", f"import: {error}")

    def _verdict(self, mutant: Mutant, reaching: Sequence[Behaviour]) -> Verdict:
        failed, ran = "", []
        started = time.monotonic()
        for behaviour in reaching:
            problem = self._problem(behaviour)
            if problem is None:
                ran.append(behaviour.name)
            elif not problem.fault:
                return Verdict(mutant.id, "killed", behaviour.name)
            else:
                failed = failed or f"{behaviour.name}: {problem.text}"
            if failed and time.monotonic() - started > PATIENCE:
                break
        if failed:
            return Verdict(mutant.id, "left out", failed[:300])
        return Verdict(mutant.id, "survived", ran=tuple(ran))

    def _problem(self, behaviour: Behaviour) -> Problem | None:
        """What is wrong with a behaviour under the tools that are installed."""
        if not behaviour.setup.calls:
            world = self.template.acquire(setup_of(behaviour))
            try:
                return observe(world, behaviour)
            finally:
                self.template.release(world)
        # A pooled world may hold what this setup's calls did under other tools; so one of its own.
        template = Template(
            self.schema,
            self.package.data,
            tools=self.template.tools,
            now=self.package.manifest.clock,
            world_hash=self.package.world_hash,
        )
        try:
            return observe(template.acquire(setup_of(behaviour)), behaviour)
        except TaskError as error:
            return Problem(str(error), fault=not isinstance(error.__cause__, ToolError))
        finally:
            template.close()

    @contextmanager
    def _serving(self, tools: Mapping[str, Tool]) -> Iterator[None]:
        before = self.template.tools
        self.template.tools = dict(tools)
        try:
            yield
        finally:
            self.template.tools = before

    @contextmanager
    def _viewing(self, mutant: Mutant) -> Iterator[None]:
        """Worlds whose schema holds the mutant.

        Raises:
            CannotImport: SQLite refuses the schema.
        """
        before = self.schema, self.template
        schema = self.schema.model_copy(update={"ddl": mutant.apply(self.schema.ddl)})
        world_hash = f"{self.package.world_hash} {mutant.id}"
        now = self.package.manifest.clock
        with TemporaryDirectory() as folder:
            try:
                content = with_view(self.template.path.read_bytes(), schema.ddl, mutant.function)
                # The image holds the rows already; only where it has to be built are they needed.
                rows: Mapping[str, Any] = self.package.data if content is None else {}
                if content is not None:
                    image.save(Path(folder), image.key(schema, rows, now, world_hash), content)
                template = Template(
                    schema,
                    rows,
                    tools=self.package.tools,
                    now=now,
                    world_hash=world_hash,
                    cache_dir=folder,
                )
            except (EnvFactoryError, sqlite3.Error) as error:
                raise CannotImport(str(error)) from error
            self.schema, self.template = schema, template
            try:
                yield
            finally:
                self.schema, self.template = before
                template.close()

    def _reaches(self) -> list[frozenset[str]]:
        """The functions of server.py that each behaviour enters: every function says so as its first statement.

        Not by `sys.setprofile`: CPython 3.11 never returns from a profiled call in a process where the watchdog of a
        world ended a call before.

        Raises:
            EnvFactoryError: A behaviour does not hold on the sound server.
        """
        entered: set[str] = set()
        tree = ast.parse(self.package.server_source)
        for function in tree.body:
            if isinstance(function, ast.FunctionDef):
                note = ast.Call(ast.Name(_ENTERED, ast.Load()), [ast.Constant(function.name)], [])
                documented = ast.get_docstring(function) is not None
                function.body.insert(int(documented), ast.Expr(note))
        tools = tools_of(self.package, ast.fix_missing_locations(tree), {_ENTERED: entered.add})
        found: list[frozenset[str]] = []
        with self._serving(tools):
            for behaviour in self.behaviours:
                entered.clear()
                if (problem := self._problem(behaviour)) is not None:
                    text = f"the behaviour {behaviour.name!r} does not hold, so nothing can be measured: {problem}"
                    raise EnvFactoryError(text)
                found.append(frozenset(entered))
        return found
