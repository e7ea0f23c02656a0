"""Several environments at a time: one endpoint, one budget, one cassette; each goes its own way and fails by itself.

When nothing more can be asked (the budget is spent, the endpoint is gone), every environment keeps its
checkpoint and says where it stands; the same command with `resume` goes on from there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ..llm import Budget, Cassette, Client, ModelError, Price, Retries
from .asking import Asker
from .pipeline import Order, Settings, Tell, Writing
from .reporting import tier_of
from .run_folder import RunFolder, paid_before
from .state import State


@dataclass(frozen=True)
class Endpoint:
    """Where the author is, and what may be spent on it.

    Attributes:
        model: Its name.
        base_url: Any OpenAI-compatible endpoint.
        api_key: Sent as a bearer token.
        sampling: Further fields of each request, such as `temperature`.
        budget: Limits of the whole run, earlier parts of it included.
        prices: Model → price.
        timeout: Seconds per request.
        retries: How persistent to be.
        concurrency: Requests at a time.
        cassette: Another cassette than the run's own.
        replay: Whether to answer from the cassette alone.
    """

    model: str
    base_url: str = "http://127.0.0.1:8000/v1"
    api_key: str | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    prices: Mapping[str, Price] = field(default_factory=dict)
    timeout: float = 600.0
    retries: Retries = field(default_factory=Retries)
    concurrency: int = 8
    cassette: Path | None = None
    replay: bool = False


@dataclass(frozen=True)
class Outcome:
    """What became of an environment.

    Attributes:
        name: Of the environment.
        tier: The tier that was reached; `did not pass`, `failed` (a stage came to nothing) or `stopped`.
        why: Why it did not get further; empty where it is at least `verified`.
        written: The package's folder, if one was written.
        state: Its last state.
    """

    name: str
    tier: str
    why: str
    written: Path | None
    state: State

    @property
    def good(self) -> bool:
        """Whether it reached the tier `verified` or a better one."""
        return self.tier in ("verified", "reference")


async def write_environments(
    orders: Sequence[Order],
    endpoint: Endpoint,
    settings: Settings,
    folder: RunFolder,
    *,
    cores: int = 1,
    tell: Tell | None = None,
) -> list[Outcome]:
    """Have environments written, all of them at a time.

    Args:
        orders: What is to be written.
        endpoint: Who writes.
        settings: What is asked of each.
        folder: Where the run is kept.
        cores: Executions at a time.
        tell: Told how each stands.

    Returns:
        What became of each, in the order of the orders.
    """
    path = endpoint.cassette or folder.cassette
    with Cassette(path, "replay" if endpoint.replay else "record") as cassette:
        client = Client(
            endpoint.base_url, api_key=endpoint.api_key, timeout=endpoint.timeout, retries=endpoint.retries,
            concurrency=endpoint.concurrency, prices=endpoint.prices, cassette=cassette,
            budget=_left(endpoint.budget, path),
        )  # fmt: skip
        busy = asyncio.Semaphore(cores)
        async with client:
            asker = Asker(client, endpoint.model, endpoint.sampling, folder)
            return list(await asyncio.gather(*(_write(order, settings, asker, busy, tell) for order in orders)))


async def _write(order: Order, settings: Settings, asker: Asker, busy: asyncio.Semaphore, tell: Tell | None) -> Outcome:
    writing = Writing(order, settings, asker, busy, tell)
    try:
        state = await writing.run()
    except ModelError as error:
        # The checkpoint on disk is that of the last finished stage; what was paid since is in the cassette.
        writing.tell(writing.state.stage, "stopped")
        return Outcome(order.name, "stopped", str(error), None, writing.state)
    if state.stage != "done":
        return Outcome(order.name, "stopped", f"it was to go on to {settings.until} only", None, state)
    if state.failure and not state.tier:
        return Outcome(order.name, "failed", state.failure, None, state)
    tier = tier_of(writing.last) if writing.last is not None else state.tier
    why = "" if tier in ("verified", "reference") else _why(state, writing)
    return Outcome(order.name, tier, why, order.out, state)


def _why(state: State, writing: Writing) -> str:
    """Why an environment that was written is less than verified."""
    last = writing.last
    if last is None or last.report is None:
        return state.failure or "it was written before; its report says why"
    if last.failures:
        failed = sorted({one.check for one in last.failures})
        return f"{', '.join(failed[:5])} failed after {state.revising.number} revisions"
    return "; ".join(last.report.wanting)


def _left(budget: Budget, cassette: Path) -> Budget:
    """What may still be spent: limits are of the whole run, however often it is resumed."""
    if budget == Budget():
        return budget
    paid = paid_before(cassette)
    return replace(
        budget,
        calls=None if budget.calls is None else max(0, budget.calls - paid.calls),
        tokens=None if budget.tokens is None else max(0, budget.tokens - paid.usage.total),
        cost=None if budget.cost is None else max(0.0, budget.cost - paid.cost),
    )


__all__ = ["Endpoint", "Outcome", "write_environments"]
