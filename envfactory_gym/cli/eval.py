"""`envfactory eval`: a model over the tasks of any environments, with intervals, costs and reasons."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .evaluation_tables import show_summary
from .output import FAILED, JSON_OPTION, console, counted, emit_json, progress, say
from .run import AgentName, AnswerName, SplitName, make_agents, refusal_pairs

if TYPE_CHECKING:
    from envfactory_gym.agents.rollout import UserModel
    from envfactory_gym.environment import Package
    from envfactory_gym.episode import RunRecord
    from envfactory_gym.evaluate import Player, Rules, RunFile
    from envfactory_gym.llm import Client


class UserName(StrEnum):
    """Who speaks for the user."""

    SCRIPTED = "scripted"
    SOLO = "solo"
    MODEL = "model"


class FormName(StrEnum):
    """How the model calls tools."""

    NATIVE = "native"
    TEXT = "text"


@dataclass(frozen=True)
class Endpoint:
    """Where models are and what may be spent on them."""

    model: str | None
    base_url: str
    api_key_env: str
    user_model: str | None
    user_base_url: str | None
    form: str
    sampling: Mapping[str, Any]
    timeout: float
    attempts: int
    concurrency: int
    requests_per_minute: float | None
    tokens_per_minute: float | None
    prices: Path | None
    price_in: float | None
    price_out: float | None
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None


def evaluate_model(
    model: str | None = typer.Option(None, help="Name of the model at the endpoint; none to play --agent alone."),
    base_url: str = typer.Option("http://127.0.0.1:8000/v1", help="Any OpenAI-compatible endpoint."),
    env: list[str] = typer.Option([], "--env", help="Name, id or folder; may be given again. All, by default."),
    agent: list[AgentName] = typer.Option([], help="An agent that needs no model, beside it; may be given again."),
    task_file: Path | None = typer.Option(None, "--from", help="Tasks of a file of `envfactory synth` instead."),
    split: SplitName | None = typer.Option(None, help="Only tasks of this split."),
    task: list[str] = typer.Option([], help="Only this task; may be given again."),
    tasks: int | None = typer.Option(None, min=1, help="So many tasks, drawn by --seed; all, by default."),
    k: int = typer.Option(1, "--k", min=1, help="Episodes per task."),
    concurrency: int = typer.Option(64, min=1, help="Episodes at a time."),
    user: UserName = typer.Option(UserName.SCRIPTED, help="A conversation, one ticket, or a model that speaks."),
    user_model: str | None = typer.Option(None, help="For --user model: its name; by default that of --model."),
    user_base_url: str | None = typer.Option(
        None, help="For --user model: its endpoint; by default that of --base-url."
    ),
    form: FormName = typer.Option(FormName.NATIVE, help="Native tool calls, or text with <tool_call> tags."),
    answer: AnswerName = typer.Option(AnswerName.TEXT, help="Facts are told in text, or with the answer tool."),
    max_steps: int = typer.Option(30, min=1, help="Agent messages per episode."),
    max_result: int | None = typer.Option(
        None, min=200, help="Characters of a tool result shown at once; longer ones are paged."
    ),
    token_limit: int | None = typer.Option(None, min=1, help="Tokens per episode."),
    temperature: float | None = typer.Option(None, help="Sent with each request."),
    completion_tokens: int | None = typer.Option(None, help="Sent with each request as max_tokens."),
    extra: str | None = typer.Option(None, help="Further fields of each request, as a JSON object."),
    api_key_env: str = typer.Option("OPENAI_API_KEY", help="Environment variable that holds the API key."),
    timeout: float = typer.Option(120.0, min=0.1, help="Seconds per request."),
    attempts: int = typer.Option(6, min=1, help="Requests per completion, at most."),
    rpm: float | None = typer.Option(None, help="Requests per minute, at most."),
    tpm: float | None = typer.Option(None, help="Tokens per minute, at most."),
    prices: Path | None = typer.Option(None, help="YAML: model -> {input, output, cached} per million tokens."),
    price_in: float | None = typer.Option(None, help="Instead: price of a million tokens read."),
    price_out: float | None = typer.Option(None, help="Instead: price of a million tokens written."),
    max_calls: int | None = typer.Option(None, help="Completions to pay for, at most."),
    max_tokens: int | None = typer.Option(None, help="Tokens to pay for, at most."),
    max_cost: float | None = typer.Option(None, help="Money to spend, at most."),
    seed: int = typer.Option(0, help="Draws the tasks; seed of the random agent."),
    out: Path = typer.Option(Path("RUN.jsonl"), help="One line per episode; goes on where it stopped."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Evaluate a model: pass@1, pass^k, by environment and difficulty, why it fails, what it costs.

    Go on with a run by giving the same command: episodes that are in the file are not played again, and answers that
    were paid for are not asked for again.
    """
    from envfactory_gym.environment import PackageError, TaskError
    from envfactory_gym.environment.registry import names
    from envfactory_gym.evaluate import Rules, RunFile, RunStopped, choose, items, summarise
    from envfactory_gym.llm import ModelError

    if model is None and not agent:
        raise PackageError("nobody plays", remedy="name a model with --model, or an agent with --agent gold")
    if model is not None and model in agent:
        raise PackageError(f"{model!r} is the name of an agent as well", remedy="play them in two runs")
    if (price_in is None) != (price_out is None):
        raise typer.BadParameter("--price-in and --price-out go together")
    packages = with_tasks_of(task_file) if task_file is not None else _packages(env or names())
    chosen = choose(packages, split=split, tasks=tasks, names=task, user=user.value, seed=seed)
    plan = list(items(chosen, k))
    rules = Rules(user.value, answer.value, max_steps, max_result)
    endpoint = Endpoint(
        model, base_url, api_key_env, user_model or model, user_base_url, form.value,
        _sampling(temperature, completion_tokens, extra), timeout, attempts, concurrency, rpm, tpm, prices, price_in,
        price_out, max_calls, max_tokens, max_cost,
    )  # fmt: skip
    stopped = None
    with RunFile(out, _settings(endpoint, rules, token_limit)) as file:
        try:
            asyncio.run(_play(endpoint, rules, token_limit, list(dict.fromkeys(agent)), seed, plan, file, as_json))
        except RunStopped as reason:
            stopped = str(reason)
        except ModelError as error:
            raise PackageError(str(error), remedy="when that is mended, the same command goes on") from None
        except ValueError as error:
            raise TaskError(str(error)) from None
        planned = {item.key for item in plan}
        records = [record for record in file.records if (record.environment, record.task, record.trial) in planned]
    summary = summarise(records, k=k, pairs=refusal_pairs([task for _, task in chosen]))
    if as_json:
        emit_json({"tasks": len(chosen), "k": k, "out": str(out), "stopped": stopped, "agents": summary})
    else:
        show_summary(summary, f"{counted(len(chosen), 'task')}, {counted(k, 'episode')} each, user {user.value}")
        spoilt = [(r.task, r.outcome.reason) for r in records if r.outcome and not r.outcome.reward_valid]
        for task_id, why in spoilt[-1:]:
            say(console(), f"not valid, for instance {task_id}: {why}")
        say(console(), f"{counted(len(records), 'episode')} in {out}")
    if stopped is not None:
        typer.secho(f"stopped: {stopped}", err=True, fg=typer.colors.RED)
    if stopped is not None or any(row["valid"] < row["episodes"] for row in summary):
        raise typer.Exit(FAILED)


def with_tasks_of(path: Path) -> list[Package]:
    """The environments that a file of tasks is about, with these tasks in the place of their own."""
    from envfactory_gym.environment import PackageError, TaskPrivate, load_bundle, load_package
    from envfactory_gym.environment.files import read_jsonl_as

    if not path.exists():
        raise PackageError("there is no such file", file=path, remedy="`envfactory synth NAME --out FILE` writes one")
    found: dict[tuple[str, ...], list[TaskPrivate]] = {}
    for task in read_jsonl_as(path, TaskPrivate):
        found.setdefault(task.environments or (task.environment,), []).append(task)
    return [
        (load_package(names[0]) if len(names) == 1 else load_bundle(names)).with_tasks(tasks)
        for names, tasks in found.items()
    ]


def _packages(names: Sequence[str]) -> list[Package]:
    from envfactory_gym.environment import load_package

    return list({package.id: package for package in map(load_package, names)}.values())


def _sampling(temperature: float | None, completion_tokens: int | None, extra: str | None) -> dict[str, Any]:
    """The fields that are sent with each request."""
    found: dict[str, Any] = {}
    if temperature is not None:
        found["temperature"] = temperature
    if completion_tokens is not None:
        found["max_tokens"] = completion_tokens
    if extra is not None:
        try:
            told = json.loads(extra)
        except ValueError as error:
            raise typer.BadParameter(f"--extra is no JSON: {error}") from None
        if not isinstance(told, dict) or told.keys() & {"messages", "tools", "model", "stream"}:
            raise typer.BadParameter("--extra is a JSON object without messages, tools, model and stream")
        found |= told
    return found


def _settings(endpoint: Endpoint, rules: Rules, token_limit: int | None) -> dict[str, Any]:
    """What decides outcomes. Addresses and limits of the endpoint do not; agents and tasks may be added."""
    played = {"user": rules.user, "answer": rules.answer, "max_steps": rules.max_steps, "max_result": rules.max_result}
    if endpoint.model is None:
        return played
    return {
        **played,
        "model": endpoint.model,
        "form": endpoint.form,
        "sampling": dict(endpoint.sampling),
        "token_limit": token_limit,
        "user_model": endpoint.user_model if rules.user == "model" else None,
    }


async def _play(
    endpoint: Endpoint,
    rules: Rules,
    token_limit: int | None,
    agents: Sequence[AgentName],
    seed: int,
    plan: Sequence[Any],
    file: RunFile,
    quiet: bool,
) -> None:
    """Play what is not played yet, with a progress line that says how it goes."""
    from contextlib import AsyncExitStack

    from envfactory_gym.evaluate import ModelPlayer, evaluate, exchanges_path
    from envfactory_gym.llm import Cassette

    async with AsyncExitStack() as stack:
        players: list[Player] = [_reference(name, rules, seed) for name in agents]
        if endpoint.model is not None:
            tape = stack.enter_context(Cassette(exchanges_path(file.path)))
            client = await stack.enter_async_context(_client(endpoint, endpoint.base_url, tape))
            for asked in {endpoint.model, endpoint.user_model if rules.user == "model" else endpoint.model}:
                client.price_of({"model": asked})  # better now than after the first episode
            user = await _user(endpoint, client, tape, stack) if rules.user == "model" else None
            players.append(
                ModelPlayer(client, endpoint.model, rules, endpoint.form, endpoint.sampling, user, token_limit)  # type: ignore[arg-type]
            )
        with ExitStack() as shown:
            bar = shown.enter_context(progress(quiet=quiet))
            job = bar.add_task("playing", total=len(plan) * len(players))
            tally = Tally(endpoint.model)
            done = sum(file.done(item, player.name) for item in plan for player in players)

            def tell(record: RunRecord) -> None:
                tally.add(record)
                bar.update(job, advance=1, description=str(tally))

            for record in file.records:
                tally.add(record)
            bar.update(job, completed=done, description=str(tally))
            await evaluate(plan, players, file, concurrency=endpoint.concurrency, on_record=tell)


@dataclass
class Tally:
    """How a run is going, in a few words."""

    model: str | None
    passed: int = 0
    valid: int = 0
    spoilt: int = 0
    cost: float = 0.0

    def add(self, record: RunRecord) -> None:
        """Count an episode; where a model plays, its episodes alone."""
        outcome = record.outcome
        if outcome is None or (self.model is not None and record.agent != self.model):
            return
        self.valid += outcome.reward_valid
        self.spoilt += not outcome.reward_valid
        self.passed += outcome.success
        self.cost += sum(used.cost or 0.0 for used in (record.agent_model, record.user_model) if used is not None)

    def __str__(self) -> str:
        parts = [f"pass {self.passed / self.valid:.0%}" if self.valid else "playing"]
        parts += [f"not valid {self.spoilt}"] if self.spoilt else []
        parts += [f"cost {self.cost:.2f}"] if self.cost else []
        return " · ".join(parts)


def _client(endpoint: Endpoint, base_url: str, tape: Any) -> Client:
    from envfactory_gym.llm import Budget, Client, Price, Retries, api_key_from, read_prices

    prices = read_prices(endpoint.prices) if endpoint.prices is not None else {}
    if endpoint.price_in is not None and endpoint.price_out is not None:
        prices["*"] = Price(endpoint.price_in, endpoint.price_out)
    return Client(
        base_url,
        api_key=api_key_from(endpoint.api_key_env),
        timeout=endpoint.timeout,
        retries=Retries(attempts=endpoint.attempts),
        concurrency=endpoint.concurrency,
        requests_per_minute=endpoint.requests_per_minute,
        tokens_per_minute=endpoint.tokens_per_minute,
        prices=prices,
        budget=Budget(endpoint.max_calls, endpoint.max_tokens, endpoint.max_cost),
        cassette=tape,
    )


async def _user(endpoint: Endpoint, client: Client, tape: Any, stack: Any) -> UserModel:
    from envfactory_gym.agents.rollout import UserModel

    own = client
    if endpoint.user_base_url is not None:
        own = await stack.enter_async_context(_client(endpoint, endpoint.user_base_url, tape))
    return UserModel(own, endpoint.user_model or endpoint.model or "")


def _reference(name: AgentName, rules: Rules, seed: int) -> Player:
    """An agent that needs no model, as a player."""
    from envfactory_gym.agents.adversaries import Public
    from envfactory_gym.environment import TaskError
    from envfactory_gym.evaluate import AgentPlayer

    if rules.user == "model":
        raise TaskError("agents without a model are played with --user scripted or solo")
    publics: dict[str, Public] = {}

    def make(episode: Any, trial: int) -> dict[str, Any]:
        package = episode.package
        if package.id not in publics:
            publics[package.id] = Public.of(package)
        return make_agents(name, episode, seed + trial, publics[package.id])

    return AgentPlayer(name.value, make, rules)
