"""The proposal: asked for, searches before it, and turned into the policy and the passages that a package keeps."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

import yaml

from . import looking
from .answers import model_of
from .asking import StageFailed
from .briefing import render
from .passages import Sources
from .proposal import Proposal, policy_text
from .showing import shown_passages
from .state import Found, Stage, Step

if TYPE_CHECKING:
    from .pipeline import Writing

SEARCHES = 3
"""Rounds of searching before a proposal."""

FOUND = 5
"""Passages that a search shows."""


async def propose(writing: Writing) -> Stage:
    """Have an environment proposed, and write what follows from it: policy.md, sources.md, environment.yaml."""
    sources, base = writing.sources, writing.order.base
    if base is not None and not writing.state.signatures:
        seen = await writing.executed(looking.look, "tools", writing.state.draft.files)
        writing.state.signatures = list(seen.signatures)
        if not seen.signatures:
            raise StageFailed("propose", seen.evidence, f"the package to build on does not load: {seen.evidence[:1]}")
    shown = shown_passages(sources)
    searchable = len(sources.passages) > len(shown) or writing.settings.web is not None
    prompt = render(
        "prompts/propose.md.j2", name=writing.order.name, base=base, sources=sources, shown=shown, searches=SEARCHES,
        searchable=searchable, files=writing.state.draft.files, signatures=writing.state.signatures,
    )  # fmt: skip
    if searchable:
        prompt += await _searched(writing, prompt)

    async def check(proposal: Proposal) -> list[str]:
        return proposal.problems(writing.sources, extends=base is not None)

    proposal: Proposal = await writing.asker.until(
        writing.state, "propose", prompt, lambda text: model_of(text, Proposal), check, ["one block of JSON"],
        tell=lambda attempt: writing.tell("propose", f"try {attempt}"),
    )  # fmt: skip
    writing.state.proposal = proposal
    files = writing.state.draft.files
    files["policy.md"] = policy_text(proposal, writing.sources, files.get("policy.md", ""))
    files["sources.md"] = _sources_text(writing, files.get("sources.md", ""))
    if base is None:
        files["environment.yaml"] = render(
            "environment.yaml.j2", name=writing.order.name, proposal=proposal, sources=writing.order.sources.documents
        )
    else:
        files["environment.yaml"] = _raised(files["environment.yaml"], writing.order.sources)
    return "state"


async def _searched(writing: Writing, prompt: str) -> str:
    """What the model finds when it asks, as words to add to the prompt."""
    told = ""
    for left in reversed(range(SEARCHES)):
        step = f"search/{SEARCHES - left}"
        messages = [
            {"role": "system", "content": render("prompts/system.md.j2")},
            {"role": "user", "content": prompt + told},
        ]
        exchange = await writing.asker.answer(writing.state, step, messages)
        asked = [line.partition("SEARCH:")[2].strip() for line in exchange.text.splitlines() if "SEARCH:" in line]
        writing.state.steps.append(Step(step=step, outcome=f"{len(asked)} searches" if asked else "needs no more"))
        if not asked:
            return told
        found = [(words, await _look_up(writing, words)) for words in asked[:FOUND]]
        told += "\n\n" + render("prompts/found.md.j2", found=found, left=left)
    return told


async def _look_up(writing: Writing, words: str) -> list[Any]:
    """Passages about some words: of the documents, or of what the user's own search brings."""
    found = writing.sources.search(words, FOUND)
    if found or writing.settings.web is None:
        return found
    documents = await asyncio.to_thread(writing.settings.web, words)
    writing.state.found += [
        Found(title=one.title, text=one.text, url=one.url, licence=one.licence) for one in documents[:FOUND]
    ]
    return writing.sources.search(words, FOUND)


def _sources_text(writing: Writing, before: str) -> str:
    """The passages that the package keeps: all of its sources, and what was cited of others."""
    sources = writing.sources
    cited = {passage for passage in writing.proposal.quoted(sources).values() if passage}
    own = len(writing.order.sources.passages)
    kept = [passage for number, passage in enumerate(sources.passages) if number < own or passage.id in cited]
    added = render("sources.md.j2", sources=sources, passages=kept, more=bool(before))
    return f"{before}\n{added}" if before else added


def _raised(manifest: str, sources: Sources) -> str:
    """environment.yaml with a higher minor version, since its tasks are others now, and with further sources."""
    told = yaml.safe_load(manifest)
    major, minor, _ = str(told.get("version", "0.1.0")).split(".")
    told["version"] = f"{major}.{int(minor) + 1}.0"
    told["clock"] = str(told["clock"])
    told["sources"] = [
        *(told.get("sources") or ()),
        *({"title": one.title, "licence": one.licence} for one in sources.documents),
    ]
    return yaml.safe_dump(told, sort_keys=False, allow_unicode=True, width=120)
