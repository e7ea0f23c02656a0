"""Row `unrelated write`: one more successful write, on rows that gold does not touch, scores 0."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

from ...environment import Tool
from ...world import LiveWorld, compare
from ..arguments import sampled_arguments
from ..finding import Finding, finding
from .context import TaskContext

TRIES = 25
"""Argument tuples tried per tool before it is listed as untried."""


def check(context: TaskContext) -> Finding:
    """Add one unrelated write per writing tool just before gold's last message."""
    evidence: list[str] = []
    untried: list[str] = []
    tried = 0
    for tool in context.package.tools.values():
        if tool.read_only or tool.actor != "agent":
            continue
        found = _played(context, tool)
        if found is None:
            untried.append(tool.name)
            continue
        tried += 1
        arguments, pays = found
        if pays:
            evidence.append(f"gold with the unrelated write {tool.name}{arguments} still pays")
    notes = [f"no unrelated write found for: {', '.join(untried)}"] if untried else []
    return finding(
        "unrelated write", evidence, figures={"tools": tried}, notes=notes,
        remedy="compare the columns that this write changes, or do not let the task loosen them",
    )  # fmt: skip


def _played(context: TaskContext, tool: Tool) -> tuple[dict[str, Any], bool] | None:
    """The first arguments with which the tool changes a compared column of rows that gold leaves alone, and if it pays.

    None where none of those tried do.
    """
    last = len(context.gold) - 1
    with context.before(last) as episode:
        world = episode.world
        touched = set(world.changes())
    for arguments in islice(_attempts(context, world, tool), TRIES):
        with context.before(last) as episode:
            mark = world.mark()
            episode.step({"tool_calls": [{"name": tool.name, "arguments": arguments}]})
            changed = world.changes(mark)
            if changed and not touched & set(changed) and not compare(episode.plan.schema, {}, changed).equal:
                return arguments, context.succeeds(context.rest(last))
    return None


def _attempts(context: TaskContext, world: LiveWorld, tool: Tool) -> Iterator[dict[str, Any]]:
    """Candidates spread over the base world's, then samples from this state."""
    known = context.candidates.of(tool)
    yield from known[:: max(1, len(known) // (TRIES - 5))]
    yield from sampled_arguments(world, tool, Random(1))
