"""A run in figures: how often it passed, where, and why not, with how uncertain that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from statistics import mean
from typing import Any

from ..episode import RunRecord
from .failures import FAILURES, failure_of
from .statistics import Rate, all_of, rate, share

METHOD = (
    "95 % intervals: Wilson with the effective sample size over tasks; pass^k: unbiased, over tasks with at least k "
    "valid episodes"
)

GROUPS: Mapping[str, Callable[[RunRecord], str]] = {
    "environment": lambda record: record.environment.removeprefix("EnvFactory/"),
    "domain": lambda record: record.domain or "unknown",
    "difficulty": lambda record: record.difficulty or "not rated",
    "turns": lambda record: str(_turns(record)),
}
"""By what a table can be broken down."""


def _turns(record: RunRecord) -> int:
    return int(record.outcome.metrics.get("turns", 0)) if record.outcome is not None else 0


def summarise(
    records: Sequence[RunRecord], *, k: int | None = None, pairs: Mapping[str, str] | None = None
) -> list[dict[str, Any]]:
    """Every agent of a run in figures, as plain data.

    Args:
        records: The episodes. Those whose reward is not valid are counted apart, and in no rate.
        k: For pass^k; by default the number of trials that the run has.
        pairs: Refusal task → its twin, for the share of pairs of which both passed.
    """
    graded = [record for record in records if record.outcome is not None]
    return [
        _agent(agent, [record for record in graded if record.agent == agent], k, pairs or {})
        for agent in dict.fromkeys(record.agent for record in graded)
    ]


def _agent(agent: str, records: Sequence[RunRecord], k: int | None, pairs: Mapping[str, str]) -> dict[str, Any]:
    valid = [record for record in records if record.outcome is not None and record.outcome.reward_valid]
    outcomes = [record.outcome for record in valid if record.outcome is not None]
    tasks = by_task(valid)
    k = k or max((record.trial + 1 for record in records), default=1)
    failures = Counter(failure_of(record) for record in records)
    return {
        "agent": agent,
        "tasks": len({(record.environment, record.task) for record in records}),
        "episodes": len(records),
        "valid": len(valid),
        "pass_1": _plain(rate(list(tasks.values()))),
        "pass_k": {str(number): _plain(_all_of(tasks, number)) for number in range(1, k + 1)},
        "pairs": _pairs(valid, pairs),
        "reward": _mean([outcome.reward for outcome in outcomes]),
        "steps": _mean([outcome.steps for outcome in outcomes]),
        "calls": _mean([outcome.calls for outcome in outcomes]),
        "refused": _mean([outcome.errors for outcome in outcomes]),
        "failures": {name: failures[name] for name in FAILURES if failures[name]},
        "by": {name: _by(valid, group) for name, group in GROUPS.items()},
        "usage": usage(records),
    }


def by_task(records: Sequence[RunRecord]) -> dict[tuple[str, str], list[bool]]:
    """Environment and task → whether each episode succeeded."""
    found: dict[tuple[str, str], list[bool]] = {}
    for record in records:
        if record.outcome is not None and record.outcome.reward_valid:
            found.setdefault((record.environment, record.task), []).append(record.outcome.success)
    return found


def _all_of(tasks: Mapping[tuple[str, str], Sequence[bool]], k: int) -> Rate:
    estimates = [all_of(sum(task), len(task), k) for task in tasks.values()]
    counted = [estimate for estimate in estimates if estimate is not None]
    return share(counted, sum(len(task) // k for task in tasks.values()))


def _by(records: Sequence[RunRecord], group: Callable[[RunRecord], str]) -> dict[str, dict[str, Any]]:
    found: dict[str, list[RunRecord]] = {}
    for record in records:
        found.setdefault(group(record), []).append(record)
    return {
        name: {
            "tasks": len(tasks := by_task(members)),
            "episodes": len(members),
            "pass_1": _plain(rate(list(tasks.values()))),
        }
        for name, members in sorted(found.items())
    }


def _pairs(records: Sequence[RunRecord], pairs: Mapping[str, str]) -> float | None:
    """Share of pairs, trial by trial, of which both passed: declining alone proves nothing."""
    passed = {(r.task, r.trial): r.outcome.success for r in records if r.outcome is not None}
    both = [
        won and passed[pairs[task], trial]
        for (task, trial), won in passed.items()
        if task in pairs and (pairs[task], trial) in passed
    ]
    return _mean([float(each) for each in both])


def usage(records: Sequence[RunRecord]) -> dict[str, Any] | None:
    """What models used, those that played users included; None where none played."""
    used = [model for record in records for model in (record.agent_model, record.user_model) if model is not None]
    if not used:
        return None
    costs = [model.cost for model in used if model.cost is not None]
    problems: Counter[str] = Counter()
    for model in used:
        problems.update(model.problems)
    return {
        "calls": sum(model.calls for model in used),
        "prompt": sum(model.prompt for model in used),
        "completion": sum(model.completion for model in used),
        "cached": sum(model.cached for model in used),
        "reasoning": sum(model.reasoning for model in used),
        "retries": sum(model.retries for model in used),
        "cost": sum(costs) if costs else None,
        "problems": dict(sorted(problems.items())),
    }


def _plain(found: Rate) -> dict[str, float | None]:
    return dict(found._asdict())


def _mean(values: Sequence[float]) -> float | None:
    return mean(values) if values else None
