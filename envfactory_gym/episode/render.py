"""A transcript that one enjoys reading: plain text, one block a message, calls and results aligned."""

from __future__ import annotations

import json
import textwrap
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .episode import Episode

WIDTH = 96


def render(episode: Episode, *, width: int = WIDTH) -> str:
    """The episode so far: header, messages, and the outcome where it has ended."""
    lines = [f"── {episode.package.manifest.title} · task {episode.task.id} · {episode.user_form} ".ljust(width, "─")]
    for message in episode.messages:
        lines += _message(message, width)
    if (outcome := episode.outcome) is not None:
        verdict = f"{outcome.kind} · reward {outcome.reward:g}" + ("" if outcome.reward_valid else " (not valid)")
        lines.append(f"── {verdict} · {outcome.steps} steps, {outcome.calls} calls ".ljust(width, "─"))
        for number, grade in enumerate(outcome.turns, start=1):
            mark = "passed" if grade.passed else "failed"
            lines += _wrapped(
                f"   turn {number}: {mark}" + "".join(f"\n     - {reason}" for reason in grade.reasons), "", width
            )
    return "\n".join(lines) + "\n"


def _message(message: dict[str, Any], width: int) -> list[str]:
    role, content = message["role"], message["content"]
    if role == "system":
        return _wrapped(f"[{len(content)} characters of instructions]", "system │ ", width)
    if role == "tool":
        return _wrapped(content, "       └ ", width)
    lines = _wrapped(content, "  user │ " if role == "user" else " agent │ ", width) if content else []
    for call in message.get("tool_calls", ()):
        body = call["function"]
        arguments = (
            body["arguments"]
            if isinstance(body["arguments"], str)
            else json.dumps(body["arguments"], ensure_ascii=False)
        )
        lines += _wrapped(f"{body['name']}({arguments})", " agent → ", width)
    return lines


def _wrapped(text: str, prefix: str, width: int) -> list[str]:
    rest = " " * (len(prefix) - 2) + "│ " if "│" in prefix else " " * len(prefix)
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        lines += textwrap.wrap(
            paragraph, max(20, width - len(prefix)), drop_whitespace=False, break_on_hyphens=False
        ) or [""]
    return [(prefix if number == 0 else rest) + line.rstrip() for number, line in enumerate(lines)]
