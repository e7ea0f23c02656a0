"""How runs are shown: who passed how often and how sure that is, where, and why not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from .output import console, heading, say, table


def show_summary(summary: Sequence[Mapping[str, Any]], title: str) -> None:
    """A run for people: one row per agent, the same broken down, failures, and what it cost."""
    from envfactory_gym.evaluate import FAILURES, METHOD

    screen = console()
    screen.print(heading(title))
    k = max((len(row["pass_k"]) for row in summary), default=1)
    columns = ("agent", "tasks", "episodes", "pass@1", "95 %", *([f"pass^{k}"] if k > 1 else []), "pairs", "steps",
               "calls", "refused", "not valid")  # fmt: skip
    rows = [_row(row, k) for row in summary]
    screen.print(table(columns, rows, right=columns[1:]))
    for name in ("environment", "domain", "difficulty", "turns"):
        groups = sorted({group for row in summary for group in row["by"][name]})
        if len(groups) > 1:
            agents = [row["agent"] for row in summary]
            cells = [
                [group, _most(summary, name, group), *(_group(row["by"][name].get(group)) for row in summary)]
                for group in groups
            ]
            screen.print(table((name, "tasks", *agents), cells, right=("tasks", *agents)))
    kinds = [name for name in FAILURES if any(name in row["failures"] for row in summary)]
    if kinds:
        agents = [row["agent"] for row in summary]
        cells = [[kind, *(row["failures"].get(kind) for row in summary), FAILURES[kind]] for kind in kinds]
        screen.print(table(("failure", *agents, "meaning"), cells, right=agents))
    for row in summary:
        if row["usage"] is not None:
            say(screen, _usage(row["agent"], row["usage"]))
    say(screen, METHOD)


def _row(row: Mapping[str, Any], k: int) -> list[object]:
    spoilt = row["episodes"] - row["valid"]
    return [
        row["agent"],
        row["tasks"],
        row["episodes"],
        percent(row["pass_1"]["value"]),
        interval(row["pass_1"]),
        *([percent(row["pass_k"].get(str(k), {}).get("value"))] if k > 1 else []),
        percent(row["pairs"]),
        number(row["steps"]),
        number(row["calls"]),
        number(row["refused"]),
        spoilt or None,
    ]


def _group(found: Mapping[str, Any] | None) -> str | None:
    return None if found is None else f"{percent(found['pass_1']['value'])} {interval(found['pass_1'])}"


def _most(summary: Sequence[Mapping[str, Any]], name: str, group: str) -> int:
    return max(int(row["by"][name].get(group, {"tasks": 0})["tasks"]) for row in summary)


def _usage(agent: str, used: Mapping[str, Any]) -> str:
    cost = f", cost {used['cost']:.4f}" if used["cost"] is not None else ""
    problems = ", ".join(f"{name.replace('_', ' ')} {count}" for name, count in used["problems"].items())
    return (
        f"{agent}: {used['calls']:,} completions, {used['prompt']:,} tokens read ({used['cached']:,} from a cache), "
        f"{used['completion']:,} written{cost}; {used['retries']:,} requests sent again"
        + (f"; broken messages: {problems}" if problems else "")
        + ("; calls stand in its text: try --form text" if "tags_in_text" in used["problems"] else "")
    )


def percent(value: float | None) -> str | None:
    """A share, for people."""
    return None if value is None else f"{value:.1%}"


def interval(rate: Mapping[str, float | None]) -> str | None:
    """The interval of a rate, for people."""
    low, high = rate["low"], rate["high"]
    return None if low is None or high is None else f"[{low:.0%}, {high:.0%}]"


def number(value: float | None) -> str | None:
    """A mean, for people."""
    return None if value is None else f"{value:.1f}"
