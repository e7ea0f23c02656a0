"""Playing a plan: many episodes at a time, each recorded as it ends, and stopped in order."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence

from ..environment import EnvFactoryError
from ..episode import RunRecord
from ..llm import BudgetSpent, ModelError
from ..world import Template
from .plan import Item
from .players import Player
from .runs import RunFile

IN_A_ROW = 20
"""Episodes that may fail one after the other for the harness's sake before the run stops."""


class RunStopped(ModelError):
    """A run stopped before its end; what was played stands in its file, and the same command goes on."""


async def evaluate(
    plan: Iterable[Item],
    players: Sequence[Player],
    file: RunFile,
    *,
    concurrency: int = 64,
    on_record: Callable[[RunRecord], None] | None = None,
) -> None:
    """Play what is not played yet.

    Args:
        plan: The episodes.
        players: Who plays them.
        file: Where records go; what it holds already is left alone.
        concurrency: Episodes at a time.
        on_record: Told of each record, for a progress display.

    Raises:
        RunStopped: The budget is spent, or the endpoint answers nobody any more.
        RequestRefused: The endpoint refuses whatever is asked.
        PackageError: An environment has changed since the run began.
        TaskError: A task cannot be played.
    """
    plan = list(plan)
    file.check(plan)
    todo = [(player, item) for item in plan for player in players if not file.done(item, player.name)]
    for package in {id(item.package): item.package for _, item in todo}.values():
        await asyncio.to_thread(Template.of, package)
    waiting = iter(todo)
    halt: list[ModelError | EnvFactoryError] = []
    failed = 0

    async def work() -> None:
        nonlocal failed
        for player, item in waiting:
            try:
                records = await player.play(item)
            except (ModelError, EnvFactoryError) as error:
                # The others end by themselves, for the same reason: what they asked for is paid for.
                halt.append(error)
                return
            file.add(*records)
            for record in records:
                spoilt = record.outcome is not None and record.outcome.kind == "infra"
                failed = failed + 1 if spoilt else 0
                if on_record is not None:
                    on_record(record)
                if failed == IN_A_ROW and record.outcome is not None:
                    halt.append(
                        RunStopped(
                            f"{failed} episodes in a row failed for the harness's sake, the last one so: "
                            f"{record.outcome.reason}; when that is mended, the same command goes on"
                        )
                    )
            if halt:
                return
            await asyncio.sleep(0)  # an agent that needs no model never waits: let others in

    async with asyncio.TaskGroup() as group:
        for _ in range(min(concurrency, len(todo))):
            group.create_task(work())
    if halt and isinstance(halt[0], BudgetSpent):
        raise RunStopped(f"{halt[0]}; the same command goes on, with a larger budget")
    if halt:
        raise halt[0]
