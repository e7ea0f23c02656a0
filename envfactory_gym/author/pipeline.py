"""One environment, stage by stage: propose, state, tools, data, words, behaviours, execute, revise, report.

Each stage asks, executes what was handed in, and goes on only when nothing executed speaks against it.
The checkpoint is written after each, so a run that ends anywhere goes on from the last stage that was finished; the
answers of an unfinished one come from the cassette.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

from ..environment import Package
from ..environment.files import read_text
from . import looking
from .answers import AnswerError, Files, files_of
from .asking import Asker, StageFailed
from .behaviour_files import merged, unblamed
from .briefing import TEMPLATES, render
from .looking import Executed, Rows
from .passages import SOURCES, Document, Sources, WebSearch, last_number
from .proposal import Proposal
from .proposing import propose
from .revising import revise
from .showing import hints_text, rows_text, shown_passages, signatures_text
from .state import Draft, Stage, State, Step

Result = TypeVar("Result")


@dataclass(frozen=True)
class Settings:
    """What is asked of every environment.

    Attributes:
        revisions: Revisions of the whole, at most.
        share: Share of the planted faults that the examples have to notice.
        tasks: Tasks to draw.
        rows: Rows that a new base world has to have.
        seed: Seeds the drawing of tasks.
        web: A search of the user's own, asked where the documents hold nothing.
        until: The last stage to go through; all by default.
    """

    revisions: int = 8
    share: float = 0.7
    tasks: int = 24
    rows: int = 120
    seed: int = 0
    web: WebSearch | None = None
    until: Stage = "report"


@dataclass(frozen=True)
class Order:
    """An environment to be written.

    Attributes:
        name: Its name.
        sources: What it is made from.
        out: The folder it is written to.
        base: The package that it builds on.
        library: Documents to be searched, besides the sources.
    """

    name: str
    sources: Sources
    out: Path
    base: Package | None = None
    library: Sources = field(default_factory=lambda: Sources(()))


Tell = Callable[[State, str, str], None]
"""Told an environment's state, a stage, and how it stands there."""


class Left(Exception):
    """Nobody waits for an execution any more: raised inside it, so that it ends."""


class Writing:
    """An environment being written.

    Args:
        order: What is to be written.
        settings: What is asked of it.
        asker: Who writes.
        cores: Executions at a time, over all environments.
        tell: Told how it stands.
    """

    def __init__(
        self, order: Order, settings: Settings, asker: Asker, cores: asyncio.Semaphore, tell: Tell | None = None
    ) -> None:
        self.order, self.settings, self.asker, self._cores = order, settings, asker, cores
        self._tell = tell or (lambda state, stage, how: None)
        self._left = threading.Event()
        self.base_files: Files = (
            looking.read_files(order.base.path, without=("report.json", "coverage.json")) if order.base else {}
        )
        self.state = asker.folder.load(order.name, State) or State(name=order.name, draft=Draft(files=self._first()))
        self.last: Executed | None = None

    def _first(self) -> Files:
        return {name: text for name, text in self.base_files.items() if not name.startswith("authoring/")}

    # ------------------------------------------------------------ the way through

    async def run(self) -> State:
        """Go through the stages that are left.

        Raises:
            ModelError: Nothing more can be asked; the checkpoint is kept.
        """
        stages: dict[Stage, Callable[[], Awaitable[Stage]]] = {
            "propose": lambda: propose(self),
            "state": self._write_state,
            "tools": self._write_tools,
            "data": self._write_data,
            "words": self._write_words,
            "behaviours": self._write_behaviours,
            "execute": self._execute,
            "revise": self._revise,
            "report": self._report,
        }
        while self.state.stage != "done":
            stage = self.state.stage
            self.tell(stage, "begins")
            try:
                following = await stages[stage]()
            except StageFailed as failure:
                self.state.failure = f"{failure.stage}: {failure.why}"
                self.tell(stage, "failed")
                following = "report" if stage == "revise" else "done"
            else:
                self.tell(stage, "done")
            self.state.stage = following
            self.save()
            if stage == self.settings.until:
                break
        return self.state

    def tell(self, stage: str, how: str) -> None:
        """Say how it stands."""
        self._tell(self.state, stage, how)

    def save(self) -> None:
        """Keep the checkpoint."""
        self.asker.folder.save(self.order.name, self.state)

    async def executed(self, function: Callable[..., Result], *arguments: Any, **named: Any) -> Result:
        """Execute something in a sandbox, when a core is free."""
        async with self._cores:
            try:
                return await asyncio.to_thread(function, *arguments, **named)
            except asyncio.CancelledError:
                self._left.set()  # a thread cannot be cancelled; it looks at this whenever its sandbox says something
                raise

    @property
    def proposal(self) -> Proposal:
        """What the environment is to be."""
        assert self.state.proposal is not None
        return self.state.proposal

    @property
    def sources(self) -> Sources:
        """The sources, the library, and what was found on the web: passages keep their ids."""
        found = [Document(one.title, one.text, url=one.url, licence=one.licence) for one in self.state.found]
        own = replace(self.order.sources, first=last_number(self.base_files.get(SOURCES, "")) + 1)
        return own.with_documents([*self.order.library.documents, *found])

    def context(self, **more: Any) -> dict[str, Any]:
        """What every prompt may show."""
        cited = [passage for passage in self.proposal.quoted(self.sources).values() if passage]
        return {
            "name": self.order.name,
            "base": self.order.base,
            "proposal": self.proposal,
            "files": self.state.draft.shown(),
            "sources": self.sources,
            "shown": shown_passages(self.sources, cited),
            "helpers": _helpers(),
            **more,
        }

    # ------------------------------------------------------------ state, tools, data, words

    async def _written(
        self, stage: Stage, prompt: str, wanted: tuple[str, ...], check: Callable[[Draft], Awaitable[list[str]]]
    ) -> None:
        """Have files written until nothing speaks against them; they become part of the draft."""
        draft = self.state.draft

        def take(text: str) -> Files | None:
            if self.order.base is not None and text.strip().strip("`*. ") == "NOTHING":
                return None
            return files_of(text, wanted, draft.shown())

        async def tried(handed: Files | None) -> list[str]:
            nonlocal draft
            if handed is None:
                return await check(draft)
            fresh, problem = await self.taken(draft, handed)
            # What was handed in stays, so that the next try may mend it by edits.
            draft = fresh
            return [problem] if problem else await check(fresh)

        await self.asker.until(
            self.state, stage, prompt, take, tried, wanted, tell=lambda attempt: self.tell(stage, f"try {attempt}")
        )
        self.state.draft = draft

    async def taken(self, draft: Draft, handed: Files) -> tuple[Draft, str]:
        """A draft with files that were handed in; rows are made anew where the script changed."""
        files = {name: text for name, text in handed.items() if name != "make_data.py"}
        script = handed.get("make_data.py", draft.script)
        fresh = Draft(files={**draft.files, **files}, script=script)
        if "make_data.py" not in handed:
            return fresh, ""
        rows, problem = await self.executed(looking.generate, script, self._base_rows(), fresh.files)
        if problem:
            return fresh, problem
        fresh.files |= looking.lines_of(rows)
        return fresh, ""

    def _base_rows(self) -> Rows:
        return looking.rows_of(self.base_files)

    async def _look(self, stage: str, draft: Draft, **arguments: Any) -> list[str]:
        seen = await self.executed(looking.look, stage, _without_tasks(draft.files), **arguments)
        if seen.signatures:
            self.state.signatures = list(seen.signatures)
        return seen.evidence

    def _held_to(self) -> dict[str, Any]:
        enforced = {rule.id: list(rule.enforced_by) for rule in self.proposal.rules if rule.enforced_by}
        return {
            "tables": [table.name for table in self.proposal.tables],
            "tools": [tool.name for tool in self.proposal.tools],
            "enforced": sorted(enforced),
            "enforced_by": enforced,
        }

    async def _write_state(self) -> Stage:
        await self._written(
            "state", render("prompts/state.md.j2", **self.context()), ("schema.sql", "invariants.sql"),
            lambda draft: self._look("state", draft, **self._held_to()),
        )  # fmt: skip
        return "tools"

    async def _write_tools(self) -> Stage:
        prompt = render("prompts/tools.md.j2", **self.context(example=_example("server.py.j2")))
        await self._written(
            "tools", prompt, ("server.py", "schema.sql", "invariants.sql"),
            lambda draft: self._look("tools", draft, **self._held_to()),
        )  # fmt: skip
        return "data"

    async def _write_data(self) -> Stage:
        files = self.state.draft.files
        least = 0 if self.order.base is not None else self.settings.rows
        prompt = render(
            "prompts/data.md.j2",
            **self.context(least=least, hints=hints_text(files["server.py"]), rows=rows_text(files, 5)),
        )
        await self._written(
            "data", prompt, ("make_data.py", "data/*.jsonl", "server.py", "schema.sql", "invariants.sql"),
            lambda draft: self._look("data", draft, rows=least, **self._held_to()),
        )  # fmt: skip
        return "words"

    async def _write_words(self) -> Stage:
        example = _example("language.yaml.j2")
        prompt = render(
            "prompts/words.md.j2", **self.context(example=example, signatures=signatures_text(self.state.signatures))
        )
        await self._written("words", prompt, ("language.yaml",), lambda draft: self._look("words", draft))
        return "behaviours"

    # ------------------------------------------------------------ behaviours

    async def _write_behaviours(self) -> Stage:
        prompt = render("prompts/behaviours.md.j2", **self.blind_context())
        draft = self.state.draft
        kept = draft.files.get("behaviours.yaml", "")

        async def check(handed: Files) -> list[str]:
            nonlocal draft, kept
            try:
                text = merged(kept, handed["behaviours.yaml"])
            except AnswerError as error:
                return [error.problem]
            draft = Draft(files={**draft.files, "behaviours.yaml": text}, script=draft.script)
            evidence = await self.aims(draft)
            kept = unblamed(text, evidence)
            return evidence

        await self.asker.until(
            self.state,
            "behaviours",
            prompt,
            lambda text: files_of(text, ("behaviours.yaml",)),
            check,
            ("behaviours.yaml",),
            tell=lambda attempt: self.tell("behaviours", f"try {attempt}"),
        )
        self.state.draft = draft
        return "execute"

    def blind_context(self, **more: Any) -> dict[str, Any]:
        """What the author of examples may see: everything but the code of the tools."""
        context = self.context(
            signatures=signatures_text(self.state.signatures), rows=rows_text(self.state.draft.files), **more
        )
        context["files"] = {
            name: text
            for name, text in context["files"].items()
            if name in ("schema.sql", "invariants.sql", "policy.md", "behaviours.yaml")
        }
        return context

    async def basics(self, draft: Draft) -> list[str]:
        """What speaks against a draft before the whole is executed: that it does not load, or its rows do not fit."""
        seen = await self.executed(looking.look, "basics", _without_tasks(draft.files))
        if seen.signatures:
            self.state.signatures = list(seen.signatures)
        return seen.evidence

    async def aims(self, draft: Draft) -> list[str]:
        """What is wrong with the examples whatever the tools do; whether they hold is for the revision to settle."""
        passages = [plain for passage in self.sources.passages for plain in (passage.id, _plain(passage.text))]
        passages += [_plain(document.title) for document in self.sources.documents]
        seen = await self.executed(
            looking.look, "behaviours", _without_tasks(draft.files), passages=passages, **self._held_to()
        )
        return [line for one in seen.findings if one.check != "behaviours" and not one.passed for line in one.evidence]

    # ------------------------------------------------------------ the whole

    async def whole(self, draft: Draft) -> Executed:
        """The whole of `verify` on a draft; its tasks are left out until everything else passes."""
        return await self.executed(looking.execute, _without_tasks(draft.files), tell=self._progress)

    def _progress(self, what: str, done: int, total: int) -> None:
        if self._left.is_set():
            raise Left
        self.tell("execute" if self.state.stage == "execute" else "revise", f"{what} {done}/{total}")

    async def _execute(self) -> Stage:
        self.last = await self.whole(self.state.draft)
        self.state.steps.append(Step(step="execute", outcome="executed", figures=self.last.summary()))
        return "revise"

    async def _revise(self) -> Stage:
        await revise(self)
        return "report"

    async def with_tasks(self, draft: Draft, measured: Executed) -> tuple[Draft, Executed]:
        """A draft that passes, with the tasks that certify: those it had, and new ones.

        Args:
            draft: The draft.
            measured: Its execution without tasks; planted faults concern none of them.
        """
        before = self._first().get("tasks.jsonl", "")
        lines, rejected = await self.executed(
            looking.synthesise, _without_tasks(draft.files), self.settings.tasks, self.settings.seed, self._progress
        )
        text = before + "".join(lines)
        if not text:
            return draft, replace(measured, rejected=rejected)
        files = {**draft.files, "tasks.jsonl": text}
        found = await self.executed(looking.execute, files, measured=measured, tell=self._progress)
        if found.report is not None and not found.passed:
            certified = set(found.report.certified)
            files["tasks.jsonl"] = looking.only_tasks(text, certified)
            found = await self.executed(looking.execute, files, measured=measured, tell=self._progress)
        return Draft(files=files, script=draft.script), replace(found, rejected=rejected)

    async def _report(self) -> Stage:
        from .reporting import tier_of, write_package, write_report

        if self.state.revising.best.files:
            self.state.draft = self.state.revising.best
        if self.last is None:
            self.last = await self.executed(looking.execute, self.state.draft.files, tell=self._progress)
        self.state.draft = await asyncio.to_thread(write_package, self.order, self.state.draft, self.last)
        self.state.tier = tier_of(self.last)
        write_report(self.asker.folder, self.order, self.state, self.last, self.sources)
        return "done"


def _without_tasks(files: Files) -> Files:
    return {name: text for name, text in files.items() if name != "tasks.jsonl"}


def _example(name: str) -> str:
    return read_text(TEMPLATES / "package" / name)


def _plain(words: str) -> str:
    from .passages import plain

    return plain(words)


def _helpers() -> Sequence[Any]:
    from .helpers import helpers

    return helpers()


__all__ = ["Order", "Settings", "Tell", "Writing"]
