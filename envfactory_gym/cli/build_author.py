"""`envfactory build SOURCE --model M`: environments written by a model, with a table that shows how each stands."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, console, counted, emit_json, say, table

if TYPE_CHECKING:
    from envfactory_gym.author.fleet import Endpoint, Outcome
    from envfactory_gym.author.passages import WebSearch
    from envfactory_gym.author.pipeline import Order, Settings
    from envfactory_gym.author.state import State


@dataclass(frozen=True)
class Asked:
    """The options of a build by a model.

    Attributes:
        sources: Each an environment of its own; several are written into folders of `out`.
        resume: Go on with the run in `run`.
    """

    sources: Sequence[str]
    out: Path
    model: str
    base_url: str
    api_key_env: str
    on: str | None
    name: str | None
    licence: str | None
    search: Sequence[Path]
    search_tool: str | None
    until: str
    revisions: int
    share: float
    tasks: int
    seed: int
    run: Path | None
    resume: bool
    force: bool
    cassette: Path | None
    replay: bool
    temperature: float | None
    completion_tokens: int | None
    timeout: float
    attempts: int
    concurrency: int
    jobs: int
    prices: Path | None
    price_in: float | None
    price_out: float | None
    max_calls: int | None
    max_tokens: int | None
    max_cost: float | None
    as_json: bool


def build_by_model(asked: Asked) -> None:
    """Have environments written, and say what became of each."""
    from envfactory_gym.author.fleet import write_environments
    from envfactory_gym.author.problem import AuthorError
    from envfactory_gym.author.run_folder import RunFolder
    from envfactory_gym.llm import ModelError

    orders = _orders(asked)
    place = asked.run or asked.out.with_name(f"{asked.out.name}.run")
    folder = RunFolder(place, _order_text(asked, orders), resume=asked.resume)
    board = Board([order.name for order in orders])
    try:
        with board.shown(quiet=asked.as_json):
            outcomes = asyncio.run(
                write_environments(
                    orders, _endpoint(asked), _settings(asked), folder, cores=asked.jobs, tell=board.tell
                )
            )
    except ModelError as error:
        raise AuthorError(str(error), remedy=f"when that is mended, --resume goes on with {place}") from None
    except KeyboardInterrupt:
        say(console(stderr=True), f"Interrupted; everything that was answered is kept. --resume goes on with {place}.")
        raise
    if asked.as_json:
        emit_json([_record(one, place) for one in outcomes])
    else:
        _show(outcomes, asked, place)
    if not all(one.good for one in outcomes):
        raise typer.Exit(FAILED)


# ---------------------------------------------------------------- what is asked for


def _orders(asked: Asked) -> list[Order]:
    from envfactory_gym.author.briefing import environment_name
    from envfactory_gym.author.passages import Sources, read_sources
    from envfactory_gym.author.pipeline import Order
    from envfactory_gym.author.problem import AuthorError
    from envfactory_gym.environment.registry import load_package

    if asked.name is not None and len(asked.sources) > 1:
        raise AuthorError("--name is for one environment", remedy="several are named by their sources")
    base = load_package(asked.on) if asked.on is not None else None
    library = read_sources(asked.search, licence=asked.licence) if asked.search else Sources(())
    orders = []
    for source in asked.sources:
        alone = len(asked.sources) == 1
        name = base.name if base else environment_name(asked.name or (asked.out.name if alone else _slug(source)))
        out = asked.out if alone else asked.out / name
        if out.exists() and (not out.is_dir() or any(out.iterdir())) and not (asked.force or asked.resume):
            raise AuthorError("there is something in this folder", file=out, remedy="choose another, or pass --force")
        orders.append(Order(name, read_sources([source], licence=asked.licence), out, base, library))
    names = [order.name for order in orders]
    if len(set(names)) < len(names):
        raise AuthorError(
            f"two environments would be called {_twice(names)}", remedy="build them one by one, with --name"
        )
    return orders


def _slug(source: str) -> str:
    """A name for the environment of a source: of its file, or of the words that say most."""
    from envfactory_gym.author.passages import is_sentence

    if not is_sentence(source):
        return Path(source).stem
    common = {"a", "an", "the", "of", "for", "and", "with", "that", "who", "where", "in", "to"}
    words = [word for word in "".join(c if c.isalnum() else " " for c in source.lower()).split() if word not in common]
    name = ""
    for word in words:
        if len(name) + len(word) + 1 > 20:
            break
        name = f"{name}_{word}" if name else word
    return name or (words[0][:20] if words else source)


def _twice(names: Sequence[str]) -> str:
    return next(name for name in names if names.count(name) > 1)


def _order_text(asked: Asked, orders: Sequence[Order]) -> dict[str, Any]:
    """What a run is held to when it is resumed: everything that its prompts depend on."""
    from envfactory_gym.environment.hashing import digest

    def hashed(texts: Sequence[str]) -> str:
        return digest(texts)

    return {
        "model": asked.model,
        "environments": {order.name: hashed([one.text for one in order.sources.documents]) for order in orders},
        "base": orders[0].base.package_hash if orders[0].base else None,
        "library": hashed([one.text for one in orders[0].library.documents]),
        "sampling": dict(_sampling(asked)),
        "tasks": asked.tasks,
        "seed": asked.seed,
    }


def _sampling(asked: Asked) -> Mapping[str, Any]:
    given = {"temperature": asked.temperature, "max_tokens": asked.completion_tokens}
    return {name: value for name, value in given.items() if value is not None}


def _endpoint(asked: Asked) -> Endpoint:
    from envfactory_gym.author.fleet import Endpoint
    from envfactory_gym.llm import Budget, Price, Retries, api_key_from, read_prices

    prices = read_prices(asked.prices) if asked.prices is not None else {}
    if asked.price_in is not None and asked.price_out is not None:
        prices["*"] = Price(asked.price_in, asked.price_out)
    return Endpoint(
        asked.model, asked.base_url, api_key_from(asked.api_key_env), _sampling(asked),
        Budget(asked.max_calls, asked.max_tokens, asked.max_cost), prices, asked.timeout,
        Retries(attempts=asked.attempts), asked.concurrency, asked.cassette, asked.replay,
    )  # fmt: skip


def _settings(asked: Asked) -> Settings:
    from envfactory_gym.author.pipeline import Settings
    from envfactory_gym.author.problem import AuthorError
    from envfactory_gym.author.state import STAGES

    if asked.until not in STAGES:
        raise AuthorError(f"there is no stage {asked.until!r}", remedy=f"the stages are {', '.join(STAGES)}")
    until: Any = asked.until
    return Settings(
        asked.revisions, asked.share, asked.tasks, seed=asked.seed, web=_web(asked.search_tool), until=until
    )


def _web(name: str | None) -> WebSearch | None:
    """The user's own search, `module:function`."""
    from envfactory_gym.author.problem import AuthorError

    if name is None:
        return None
    module, _, function = name.partition(":")
    try:
        found: WebSearch = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        raise AuthorError(
            f"{name} cannot be imported: {error}", remedy="give module:function, a function from words to Documents"
        ) from None
    return found


# ---------------------------------------------------------------- how it stands


@dataclass
class Board:
    """Environments × stages, as they stand."""

    names: Sequence[str]
    marks: dict[tuple[str, str], str] = field(default_factory=dict)
    costs: dict[str, str] = field(default_factory=dict)
    _live: Any = None
    _screen: Any = None

    def tell(self, state: State, stage: str, how: str) -> None:
        """Note how a stage stands, and what the environment has cost so far."""
        name = state.name
        self.marks[name, stage] = {"begins": "...", "failed": "FAILED"}.get(how, how)
        self.costs[name] = f"{state.ledger.calls} answers, {state.ledger.cost:.2f}"
        if self._live is not None:
            self._live.update(self.drawn())
        elif self._screen is not None and how in ("done", "failed", "stopped"):
            say(self._screen, f"{name}: {stage} {how}", "dim")

    def drawn(self) -> Any:
        """The table."""
        from envfactory_gym.author.state import STAGES

        rows = [
            (name, *(self.marks.get((name, stage), "") for stage in STAGES), self.costs.get(name, ""))
            for name in self.names
        ]
        return table(("environment", *STAGES, "cost"), rows)

    @contextmanager
    def shown(self, *, quiet: bool) -> Iterator[None]:
        """Show the table while something goes on: live on a terminal, as lines elsewhere."""
        screen = console(stderr=True)
        if quiet:
            yield
        elif screen.is_terminal:
            from rich.live import Live

            with Live(self.drawn(), console=screen, refresh_per_second=4) as self._live:
                yield
            self._live = None
        else:
            self._screen = screen
            yield


def _show(outcomes: Sequence[Outcome], asked: Asked, place: Path) -> None:
    screen = console()
    rows = [
        (
            one.name, one.tier, one.state.ledger.calls, one.state.ledger.tokens, f"{one.state.ledger.cost:.2f}",
            one.state.revising.number,
        )
        for one in outcomes
    ]  # fmt: skip
    heads = ("environment", "reached", "answers", "tokens", "cost", "revisions")
    screen.print(table(heads, rows, right=heads[2:]))
    for one in outcomes:
        if one.why:
            say(screen, f"{one.name}: {one.tier}: {one.why}")
        if one.tier == "failed":
            for line in (one.state.steps[-1].evidence if one.state.steps else [])[:5]:
                say(screen, f"  {line}")
        if one.written is not None:
            say(screen, f"{one.name} lies in {one.written}. It was executed in a sandbox; to trust it here: "
                        f"`envfactory verify {one.written}`")  # fmt: skip
    if any(one.tier == "stopped" for one in outcomes):
        say(screen, f"The same command with --resume goes on; nothing that was answered is paid for again ({place}).")
    say(
        screen, f"Every prompt, every answer and the account of {counted(len(outcomes), 'environment')} lie in {place}."
    )


def _record(one: Outcome, place: Path) -> dict[str, Any]:
    return {
        "name": one.name,
        "reached": one.tier,
        "why": one.why,
        "path": None if one.written is None else str(one.written),
        "run": str(place),
        "answers": one.state.ledger.calls,
        "tokens": one.state.ledger.tokens,
        "cost": round(one.state.ledger.cost, 6),
        "revisions": one.state.revising.number,
        "steps": [step.model_dump(mode="json") for step in one.state.steps],
    }


__all__ = ["Asked", "Board", "build_by_model"]
