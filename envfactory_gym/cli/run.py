"""`envfactory run`: agents over tasks, a summary for people, and RUN.jsonl for whatever comes next."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from statistics import mean
from typing import TYPE_CHECKING, Any

import typer

from .opening import UNVERIFIED_OPTION, Unverified
from .output import FAILED, JSON_OPTION, console, counted, emit_json, heading, progress, say, table

if TYPE_CHECKING:
    from envfactory_gym.agents import Agent
    from envfactory_gym.agents.adversaries import Public
    from envfactory_gym.environment import Package, TaskPrivate
    from envfactory_gym.episode import AnswerForm, Episode, RunRecord, UserForm


class AgentName(StrEnum):
    """Agents that need no model: four to compare with, one that solves tasks another way, and adversaries."""

    GOLD = "gold"
    NO_OP = "no-op"
    RANDOM = "random"
    STATED = "stated-arguments-only"
    ALTERNATIVE = "alternative"
    DUMP = "dump-everything"
    WIPE = "wipe"
    MASS_EDIT = "mass-edit"
    BRUTE_FORCE = "brute-force-over-ids"
    PRIVATE_NAMES = "private-names"
    GRADER_PROBING = "grader-probing"
    DECLINE = "always-decline"
    GUESS = "best-guess"
    INSTRUCT = "instruct-everything"
    RETRY = "retry-until-success"


BASELINES = (AgentName.GOLD, AgentName.NO_OP, AgentName.RANDOM)
"""Who plays where nobody is named."""


class UserName(StrEnum):
    """Forms of a task."""

    SCRIPTED = "scripted"
    SOLO = "solo"


class AnswerName(StrEnum):
    """How facts are told."""

    TEXT = "text"
    TOOL = "tool"


class SplitName(StrEnum):
    """Splits of the tasks."""

    TRAIN = "train"
    DEV = "dev"
    TEST = "test"


def run(
    name: str = typer.Argument(metavar="NAME", help="Name, id or folder of an environment."),
    agent: list[AgentName] = typer.Option(list(BASELINES), help="Who plays; may be given again."),
    split: SplitName | None = typer.Option(None, help="Only tasks of this split."),
    task: list[str] = typer.Option([], help="Only this task; may be given again."),
    user: UserName = typer.Option(UserName.SCRIPTED, help="A conversation, or one ticket (solo)."),
    answer: AnswerName = typer.Option(AnswerName.TEXT, help="Facts are told in text, or with the answer tool."),
    max_steps: int = typer.Option(30, min=1, help="Agent messages per episode."),
    seed: int = typer.Option(0, help="Seed of the random agent."),
    out: Path | None = typer.Option(None, help="Write one line per episode to this file, as episodes end."),
    append: bool = typer.Option(False, "--append", help="Add to the file of --out if it exists."),
    unverified: Unverified | None = UNVERIFIED_OPTION,
    as_json: bool = JSON_OPTION,
) -> None:
    """Let agents play tasks and summarise how they did."""
    from .opening import opened

    package = opened(name, unverified)
    tasks = chosen_tasks(package, split, task, user.value)
    agents = list(dict.fromkeys(agent))
    with ExitStack() as stack:
        file = None
        if out is not None:
            file = stack.enter_context(_opened(out, append))
        bar = stack.enter_context(progress(quiet=as_json))
        job = bar.add_task(package.name, total=len(tasks) * len(agents))
        records = []
        for record in episodes(package, tasks, agents, user.value, answer.value, max_steps, seed):
            records.append(record)
            if file is not None:
                file.write(record.line())
                file.flush()
            bar.update(job, completed=len({(done.task, done.agent.partition(":")[0]) for done in records}))
    summary = summarise(records, refusal_pairs(tasks))
    if as_json:
        emit_json({"environment": package.id, "tasks": len(tasks), "agents": summary, "out": str(out) if out else None})
    else:
        _show(package, records, summary, out)
    if any(not row["valid"] for row in summary) or any(
        row["agent"] == "gold" and row["success"] < 1 for row in summary
    ):
        raise typer.Exit(FAILED)


def chosen_tasks(package: Package, split: str | None, names: Sequence[str], user: str) -> list[TaskPrivate]:
    """The tasks to play.

    Raises:
        TaskError: A named task does not exist, or none is left.
    """
    from envfactory_gym.environment import TaskError

    found = [package.task(name) for name in names] or list(package.tasks)
    kept = [t for t in found if (split is None or t.split == split) and (user != "solo" or t.solo)]
    if not kept:
        raise TaskError(f"{package.name} has no task that fits; `envfactory show {package.name}` lists them")
    return kept


def episodes(
    package: Package,
    tasks: Iterable[TaskPrivate],
    agents: Sequence[AgentName],
    user: UserForm,
    answer: AnswerForm,
    max_steps: int,
    seed: int,
) -> Iterator[RunRecord]:
    """Play every task with every agent; one record per episode, as it ends."""
    from envfactory_gym.agents import play
    from envfactory_gym.agents.adversaries import Public
    from envfactory_gym.episode import Episode, record

    public = Public.of(package)
    for task in tasks:
        for name in agents:
            with Episode(package, task, user=user, answer=answer, max_steps=max_steps) as episode:
                for label, agent in make_agents(name, episode, seed, public).items():
                    started = time.perf_counter()
                    play(episode, agent)
                    seconds = round(time.perf_counter() - started, 6)
                    yield record(episode, label, seed=seed if name is AgentName.RANDOM else None, seconds=seconds)


def make_agents(name: AgentName, episode: Episode, seed: int, public: Public) -> dict[str, Agent]:
    """The agents of a name for one episode, by label: one, or one per rule, column, way: "always-decline: refunds"."""
    from envfactory_gym.agents import AlternativeSolver, StatedAgent, ways
    from envfactory_gym.agents.adversaries import FAMILIES

    if name in BASELINES:
        return {name.value: make_agent(name, episode, seed)}
    if name is AgentName.STATED:
        return {name.value: StatedAgent(episode)}
    if name is AgentName.ALTERNATIVE:
        return {f"{name.value}: {way}": AlternativeSolver(episode, way) for way in ways(episode)}
    members = FAMILIES[name.value.replace("-", " ")](public)
    return {f"{name.value}: {label}" if label else name.value: agent for label, agent in members.items()}


def make_agent(name: AgentName, episode: Episode, seed: int) -> Agent:
    """One of the baselines. The random one depends on the seed and the task, not on what was played before."""
    from envfactory_gym.agents import GoldAgent, NoOpAgent, RandomAgent

    if name is AgentName.GOLD:
        return GoldAgent(episode)
    if name is AgentName.NO_OP:
        return NoOpAgent()
    from envfactory_gym.rl.env import examples
    from envfactory_gym.rl.spaces import AgentMessages

    own = int.from_bytes(blake2b(f"{seed} {episode.task.id}".encode(), digest_size=4).digest())
    space = AgentMessages(episode.tools, examples(episode.package), seed=own)
    return RandomAgent(space.sample, own)


def refusal_pairs(tasks: Sequence[TaskPrivate]) -> dict[str, str]:
    """Refusal task → its twin, where both are among the tasks: declining alone tells nothing, doing both does."""
    names = {task.id for task in tasks}
    return {
        task.id: task.twin
        for task in tasks
        if task.twin in names and task.twin is not None and any(turn.goal.decline for turn in task.turns)
    }


def summarise(records: Sequence[RunRecord], pairs: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Per agent: episodes, share of successes, mean reward, steps, calls, refused calls, outcomes, seconds.

    Args:
        records: The episodes.
        pairs: Refusal task → twin; with them, `pair_accuracy` is the share of pairs of which both succeeded.
    """
    rows = []
    for agent in dict.fromkeys(record.agent for record in records):
        own = [record for record in records if record.agent == agent]
        outcomes = [record.outcome for record in own if record.outcome is not None]
        won = {record.task for record in own if record.outcome is not None and record.outcome.success}
        rows.append(
            {
                "agent": agent,
                "episodes": len(own),
                "success": mean(outcome.success for outcome in outcomes),
                "pair_accuracy": mean({one, twin} <= won for one, twin in pairs.items()) if pairs else None,
                "reward": mean(outcome.reward for outcome in outcomes),
                "steps": mean(outcome.steps for outcome in outcomes),
                "calls": mean(outcome.calls for outcome in outcomes),
                "refused": mean(outcome.errors for outcome in outcomes),
                "valid": all(outcome.reward_valid for outcome in outcomes),
                "outcomes": dict(Counter(outcome.kind for outcome in outcomes).most_common()),
                "seconds": mean(record.seconds or 0.0 for record in own),
            }
        )
    return rows


def _opened(path: Path, append: bool) -> Any:
    from envfactory_gym.environment import PackageError

    if path.exists() and not append:
        raise PackageError("this file exists", file=path, remedy="name another, or add to it with --append")
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("a", encoding="utf-8")


def _show(package: Package, records: Sequence[RunRecord], summary: Sequence[dict[str, Any]], out: Path | None) -> None:
    screen = console()
    screen.print(heading(f"{package.manifest.title}: {counted(len({r.task for r in records}), 'task')}"))
    columns = ("agent", "episodes", "success", "pairs", "reward", "steps", "calls", "refused", "ms", "ended as")
    screen.print(table(columns, [_row(row) for row in summary], right=columns[1:-1]))
    for record in records:
        outcome = record.outcome
        if outcome is not None and (not outcome.reward_valid or (record.agent == "gold" and not outcome.success)):
            say(screen, f"{record.agent} on {record.task}: {outcome.kind}, {outcome.reason}")
    if out is not None:
        say(screen, f"{counted(len(records), 'episode')} in {out}")


def _row(row: dict[str, Any]) -> tuple[str, ...]:
    ended = ", ".join(f"{kind.replace('_', ' ')} {number}" for kind, number in row["outcomes"].items())
    return (
        row["agent"],
        f"{row['episodes']}",
        f"{row['success']:.0%}",
        "" if row["pair_accuracy"] is None else f"{row['pair_accuracy']:.0%}",
        f"{row['reward']:.2f}",
        f"{row['steps']:.1f}",
        f"{row['calls']:.1f}",
        f"{row['refused']:.1f}",
        f"{row['seconds'] * 1e3:.1f}",
        ended,
    )
