"""Revising until the proof holds: by evidence alone, everything executed again after each change, the best draft kept.

Tools and examples have authors of their own. The author of the tools sees calls, expectations, results and tracebacks;
they may object to an example, on the word of a rule. The author of the examples never sees the code; they correct an
example, or insist. A change that breaks more than it mends is thrown away, and its author is told what it broke. What
is kept at the end is the draft with the best executed figures, not the last one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal

from ..verify.mutation import MutationScore
from ..verify.report import MIN_TASKS
from .answers import AnswerError, Files, data_of, files_of
from .asking import StageFailed, told
from .behaviour_files import merged, unblamed
from .briefing import render
from .looking import Executed
from .showing import rows_text, signatures_text
from .state import Draft, Step

if TYPE_CHECKING:
    from .pipeline import Writing

PATIENCE = 4
"""Revisions without an improvement after which it is enough."""

WORDED = 2
"""Revisions of the words for the sake of tasks."""

TRIES = 3
"""Answers per revision."""

EXAMPLES = frozenset({"behaviours", "coverage"})
"""Checks that the author of the examples may be able to mend."""

CODE_FILES = ("server.py", "schema.sql", "invariants.sql", "make_data.py", "data/*.jsonl", "language.yaml")

KINDS = {
    "comparison": "a comparison was turned",
    "boundary": "a border was moved by one",
    "where": "a condition of a query was dropped",
    "statement": "a statement was dropped",
    "swapped": "a column or argument was swapped with another",
    "constant": "a constant was changed",
    "check": "a check was removed",
    "negated": "a condition was negated",
}
"""How planted faults are told to whoever does not see the code."""

Who = Literal["code", "behaviours", "words"]


async def revise(writing: Writing) -> None:
    """Revise the draft of an environment until it passes, or no revision is left; the best draft is in its state."""
    state, settings = writing.state, writing.settings
    kept = state.revising
    last = writing.last or await writing.whole(state.draft)
    best = last
    if not kept.best.files:
        _keep(writing, last)
    while True:
        if last.passed and last.share >= settings.share:
            state.draft, last = await writing.with_tasks(state.draft, last)
            kept.rejected = dict(last.rejected)
            best = last if _keep(writing, last) else best
            state.steps.append(Step(step=f"tasks/{kept.number}", outcome="executed", figures=last.summary()))
            if last.passed and (last.tasks >= min(MIN_TASKS, settings.tasks) or kept.worded >= WORDED):
                break
        if kept.number >= settings.revisions or kept.stale >= PATIENCE:
            break
        kept.number += 1
        last = await _revision(writing, _who(writing, last), last)
        best = last if kept.stale == 0 else best
        writing.save()
    # What is reported is the best draft; where this process did not execute it itself, it is executed again.
    writing.last = best if list(best.key) == kept.best_key else None


def _who(writing: Writing, last: Executed) -> Who:
    """Who revises next."""
    failed = {one.check for one in last.failures}
    if last.passed and last.share >= writing.settings.share:
        return "words"
    if not failed <= EXAMPLES or last.report is None:
        return "code"
    if "behaviours" in failed:
        return writing.state.revising.turn or "code"
    return "behaviours"


async def _revision(writing: Writing, who: Who, last: Executed) -> Executed:
    """One revision: asked for, executed, and judged against what was there before."""
    state, kept = writing.state, writing.state.revising
    before = state.draft
    stage = f"revise-{kept.number}"
    try:
        draft = await {"code": _by_code, "behaviours": _by_behaviours, "words": _by_words}[who](writing, stage, last)
    except StageFailed as failure:
        kept.stale += 1
        kept.turn = "behaviours" if who == "code" else "code"
        state.steps.append(Step(step=stage, outcome="failed", evidence=[failure.why]))
        return last
    kept.turn = "behaviours" if who == "code" else "code"
    found = last if draft == before else await writing.whole(draft)
    lost = _lost(last, found)
    if who != "behaviours" and found.key < last.key and lost:
        kept.discarded, kept.stale = lost, kept.stale + 1
        state.steps.append(
            Step(
                step=stage,
                outcome="discarded",
                figures=found.summary(),
                regressions=lost,
                evidence=told(lines_of(found)),
            )
        )
        return last
    kept.discarded = []
    state.draft = draft
    state.steps.append(Step(step=stage, outcome=f"{who} revised", figures=found.summary(), regressions=lost))
    _keep(writing, found)
    return found


def _keep(writing: Writing, found: Executed) -> bool:
    """Keep the draft as the best, if its executed figures are better than those of the best so far; whether it was."""
    kept = writing.state.revising
    if not kept.best.files or list(found.key) > kept.best_key:
        kept.best, kept.best_key, kept.stale = writing.state.draft.model_copy(deep=True), list(found.key), 0
        return True
    kept.stale += 1
    return False


def _lost(before: Executed, after: Executed) -> list[str]:
    """What held before, and does not any more: checks, and examples."""
    checks = [
        f"{check} passed before" for check in sorted(before.held - after.held) if before.passed or " of " not in check
    ]
    failing = {_example_of(line) for line in _evidence(before, "behaviours")}
    return checks + [
        f"behaviours: {line}" for line in _evidence(after, "behaviours") if _example_of(line) not in failing
    ]


def _evidence(found: Executed, check: str) -> list[str]:
    return [line for one in found.failures if one.check == check for line in one.evidence]


def _example_of(line: str) -> str:
    """The example that a piece of evidence is about: `behaviours.yaml:12 its name: call 0 ...`."""
    return re.sub(r"^behaviours\.yaml:\d+ ", "", line).split(": call ")[0]


def lines_of(found: Executed) -> list[str]:
    """All evidence of an execution, each line with its check, and what to do."""
    lines = []
    for one in found.failures:
        shown = list(one.evidence[:10]) or ["it failed"]
        lines += [f"{one.check}: {line}" for line in shown]
        if one.remedy:
            lines[-1] += f"  -> {one.remedy}"
    return lines


# ---------------------------------------------------------------- the author of the tools


async def _by_code(writing: Writing, stage: str, last: Executed) -> Draft:
    state, kept = writing.state, writing.state.revising
    draft = state.draft
    objections: list[str] = []
    files = draft.shown()
    shown = [name for name in ("server.py", "schema.sql", "invariants.sql", "make_data.py") if name in files]
    prompt = render(
        "prompts/revise_code.md.j2", evidence=told(lines_of(last)), insisted=kept.insisted, discarded=kept.discarded,
        files=files, shown=shown, rows=rows_text(draft.files, 4),
    )  # fmt: skip

    def take(text: str) -> Files:
        objections[:] = claims(text, "disputes")
        try:
            return files_of(text, CODE_FILES, files)
        except AnswerError:
            if objections:
                return {}
            raise

    async def check(handed: Files) -> list[str]:
        nonlocal draft
        fresh, problem = await writing.taken(state.draft, handed)
        if problem:
            return [problem]
        draft = fresh
        return await writing.basics(fresh) if handed else []

    await writing.asker.until(state, stage, prompt, take, check, CODE_FILES, tries=TRIES)
    kept.disputes, kept.insisted = list(objections), []
    return draft


def claims(text: str, kind: str) -> list[str]:
    """Objections in an answer: of a block `{"disputes": [{"behaviour": ..., "because": ...}]}`, as lines."""
    try:
        data = data_of(text)
    except AnswerError:
        return []
    told_of = data.get(kind, []) if isinstance(data, dict) else []
    return [
        f"{one['behaviour']}: {one.get('because', 'no reason given')}"[:800]
        for one in (told_of if isinstance(told_of, list) else [])
        if isinstance(one, dict) and one.get("behaviour")
    ]


# ---------------------------------------------------------------- the author of the examples


async def _by_behaviours(writing: Writing, stage: str, last: Executed) -> Draft:
    state, kept = writing.state, writing.state.revising
    draft = state.draft
    known = draft.files["behaviours.yaml"]
    insisted: list[str] = []
    failed = [re.sub(r" \(server\.py:\d+\)", "", line) for line in _evidence(last, "behaviours")]
    missing = [*_unnoticed(last), *(f"coverage: {line}" for line in _evidence(last, "coverage")[:20])]
    prompt = render(
        "prompts/revise_behaviours.md.j2",
        **writing.blind_context(failed=told(failed), disputes=kept.disputes, missing=told(missing)),
    )

    def take(text: str) -> Files:
        insisted[:] = claims(text, "insists")
        try:
            return files_of(text, ("behaviours.yaml",))
        except AnswerError:
            if insisted:
                return {}
            raise

    async def check(handed: Files) -> list[str]:
        nonlocal draft, known
        if not handed:
            return []
        try:
            text = merged(known, handed["behaviours.yaml"])
        except AnswerError as error:
            return [error.problem]
        draft = Draft(files={**draft.files, "behaviours.yaml": text}, script=draft.script)
        evidence = await writing.aims(draft)
        known = unblamed(text, evidence)
        return evidence

    await writing.asker.until(state, stage, prompt, take, check, ("behaviours.yaml",), tries=TRIES)
    kept.disputes, kept.insisted = [], list(insisted)
    return draft


def _unnoticed(last: Executed) -> list[str]:
    """Planted faults that nothing noticed, by tool and kind, without showing any code."""
    score = last.report.mutation if last.report is not None else "not measured"
    if not isinstance(score, MutationScore):
        return []
    groups = Counter(tuple(one.id.split(".")[:2]) for one in score.survivors)
    ran: dict[tuple[str, ...], set[str]] = {}
    for one in score.survivors:
        ran.setdefault(tuple(one.id.split(".")[:2]), set()).update(one.ran)
    lines = []
    for (function, operator), count in sorted(groups.items(), key=lambda item: (-item[1], item[0])):
        reached = "; ".join(sorted(ran[function, operator])[:4]) or "none"
        lines.append(f"{function}: {count} × {KINDS.get(operator, operator)}; examples that reach it: {reached}")
    return lines


# ---------------------------------------------------------------- the words


async def _by_words(writing: Writing, stage: str, last: Executed) -> Draft:
    state, kept = writing.state, writing.state.revising
    kept.worded += 1
    draft = state.draft
    files = draft.shown()
    wanted = ("language.yaml", "make_data.py")
    context: dict[str, Any] = writing.context(signatures=signatures_text(state.signatures))
    rejected = sorted(kept.rejected.items(), key=lambda item: (-item[1], item[0]))
    prompt = render("prompts/revise_words.md.j2", **{**context, "kept": last.tasks, "rejected": rejected})

    async def check(handed: Files) -> list[str]:
        nonlocal draft
        fresh, problem = await writing.taken(state.draft, handed)
        if problem:
            return [problem]
        draft = fresh
        return await writing.basics(fresh)

    await writing.asker.until(
        state, stage, prompt, lambda text: files_of(text, wanted, files), check, wanted, tries=TRIES
    )
    return draft


__all__ = ["claims", "lines_of", "revise"]
