"""One mutant against the behaviours: does any of them notice?

Runs in a worker process. Which behaviours reach which function is traced once on the sound server;
a behaviour that never enters a function cannot be changed by a fault in it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from types import FrameType
from typing import Any, Literal

from ...environment import Behaviour, EnvFactoryError, Package, TaskError, Tool, ToolError
from ...world import Template
from ..checks.behaviours import Problem, observe, setup_of
from ..reimport import CannotImport
from .mutants import Mutant
from .patching import Patcher

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
        self.template = Template.of(package)
        self.reach = [self._reached(behaviour) for behaviour in self.behaviours]

    def judge(self, mutant: Mutant) -> Verdict:
        """Run the behaviours that reach the mutant until one notices."""
        reaching = [
            behaviour
            for behaviour, functions in zip(self.behaviours, self.reach, strict=True)
            if functions & set(mutant.functions)
        ]
        try:
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
            self.package.schema,
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
    def _serving(self, tools: Mapping[str, Tool]) -> Any:
        before = self.template.tools
        self.template.tools = dict(tools)
        try:
            yield
        finally:
            self.template.tools = before

    def _reached(self, behaviour: Behaviour) -> frozenset[str]:
        """The functions of server.py that a behaviour enters.

        Raises:
            EnvFactoryError: It does not hold on the sound server.
        """
        entered: set[str] = set()
        file = self.patcher.file

        def entering(frame: FrameType, event: str, argument: Any) -> None:
            if event == "call" and frame.f_code.co_filename == file:
                entered.add(frame.f_code.co_name)

        previous = sys.getprofile()
        sys.setprofile(entering)
        try:
            problem = self._problem(behaviour)
        finally:
            sys.setprofile(previous)
        if problem is not None:
            raise EnvFactoryError(
                f"the behaviour {behaviour.name!r} does not hold, so nothing can be measured: {problem}"
            )
        return frozenset(entered)
