"""What the routes of the control plane do with episodes; the application around them is `control`."""

from __future__ import annotations

import asyncio
import contextlib
import random
from typing import Annotated, Any

from fastapi import Query, Request
from fastapi.responses import Response

from ...environment import EnvFactoryError, Package, TaskError, TaskPrivate
from ...environment.task import Split
from ...episode import Outcome, RunRecord
from ..session import Session, SessionFault, agent_tools
from .app import Fleet, unusable
from .face import MAX_KEY
from .http import Refused
from .journal import JournalError
from .lasting import Conflict, Deleted
from .models import (
    PAGE,
    Beginning,
    CreateEpisode,
    Diff,
    Digest,
    EnvironmentDetail,
    EnvironmentInfo,
    EpisodeInfo,
    EpisodePage,
    EpisodeState,
    EpisodeStatus,
    Fork,
    Restore,
    RowChange,
    Say,
    Score,
    Snapshot,
    TaskPage,
    UserReply,
)
from .play import KeyReused, Play

Offset = Annotated[int, Query(ge=0, description="How many to leave out.")]
Limit = Annotated[int, Query(ge=1, le=PAGE, description="How many at most.")]


class Plane:
    """What the routes do.

    Args:
        fleet: What is controlled.
    """

    def __init__(self, fleet: Fleet) -> None:
        self._fleet, self._store = fleet, fleet.store
        self._tools: dict[tuple[Package, str | None], list[dict[str, Any]]] = {}

    # ------------------------------------------------------------ environments

    async def environments(self) -> list[EnvironmentInfo]:
        """The environments that are served, by name."""
        shelf = self._fleet.shelf
        packages = await asyncio.to_thread(lambda: [shelf.package(name) for name in shelf.names])
        return [self._info(package) for package in packages]

    def _info(self, package: Package) -> EnvironmentInfo:
        manifest = package.manifest
        return EnvironmentInfo(
            id=package.id,
            name=package.name,
            title=manifest.title,
            domain=manifest.domain,
            version=manifest.version,
            summary=manifest.summary,
            url=f"{self._fleet.base_url}/{package.name}/mcp",
        )

    async def environment(self, name: str) -> EnvironmentDetail:
        """An environment with its tools and its policy."""
        package = await self._open((name,))
        return EnvironmentDetail(
            **self._info(package).model_dump(),
            tools=[tool.openai() for tool in agent_tools(package).values()],
            policy=package.policy.text,
            tasks=len(package.tasks),
        )

    async def tasks(self, name: str, split: Split | None = None, offset: Offset = 0, limit: Limit = PAGE) -> TaskPage:
        """What may be shown of its tasks: nothing that is graded."""
        package = await self._open((name,))
        found = [task for task in package.tasks if split in (None, task.split)]
        return TaskPage(tasks=[task.public() for task in found[offset : offset + limit]], total=len(found))

    async def _open(self, names: tuple[str, ...]) -> Package:
        try:
            return await self._fleet.shelf.open(names)
        except EnvFactoryError as error:
            raise unusable(error) from error

    # ------------------------------------------------------------ episodes

    async def create(self, body: CreateEpisode, request: Request) -> EpisodeInfo:
        """Begin an episode: of a task, or on the base world."""
        key, asked = _key(request), f"create {body!r}"
        if key is not None and (play := self._made_before(key, asked)) is not None:
            return await self._told(play)
        self._store.check_room()
        names = body.environments or (body.environment or "",)
        names = tuple(sorted({self._fleet.shelf.known(name) for name in names}))
        package = await self._open(names)
        if key is not None and (play := self._made_before(key, asked)) is not None:
            return await self._told(play)
        task = _task_of(package, body)
        play = self._store.create(
            package,
            names,
            task=task,
            seed=body.seed,
            user=body.user,
            answer=body.answer,
            max_steps=body.max_steps,
        )
        if key is not None:
            self._store.remember(key, asked, play.id)
        return await self._told(play)

    def _made_before(self, key: str, asked: str) -> Play | None:
        """The episode that a key made before.

        Raises:
            KeyReused: With another request.
            Conflict: It is gone.
        """
        known = self._store.made_by(key, asked)
        if known is None:
            return None
        identifier, same = known
        if not same:
            raise KeyReused("this idempotency key came with another request before; use a new one for a new request")
        play = self._store.get(identifier)
        if play is None:
            raise Conflict("this idempotency key made an episode that is gone; use a new one for a new episode")
        return play

    async def _told(self, play: Play) -> EpisodeInfo:
        """What the creator of an episode is told."""
        session = await play.session()
        header, package = play.header, session.package
        urls = self._fleet.urls(play, package)
        return EpisodeInfo(
            id=play.id,
            url=urls[package.name],
            urls=urls,
            token=self._fleet.gate.token_of(play.id),
            environments=_members(package),
            task=header.task,
            user=header.user,
            answer=header.answer,
            messages=session.messages,
            tools=self._listed(play, session),
        )

    def _listed(self, play: Play, session: Session) -> list[dict[str, Any]]:
        """The tools in OpenAI form, written once for all episodes that have the same."""
        form = session.package, play.header.answer if play.header.task is not None else None
        if form not in self._tools:
            self._tools[form] = [tool.openai() for tool in session.tools.values()]
        return self._tools[form]

    async def episodes(self, offset: Offset = 0, limit: Limit = 100) -> EpisodePage:
        """All episodes, the longest unused first."""
        plays = self._store.all()
        found = []
        for play in plays[offset : offset + limit]:
            with contextlib.suppress(Deleted):  # while its neighbours were looked at
                found.append(await self._status(play))
        return EpisodePage(episodes=found, total=len(plays))

    async def status(self, id: str) -> EpisodeStatus:
        """Where an episode stands."""
        play = self._store.find(id)
        await play.session()
        return await self._status(play)

    async def _status(self, play: Play) -> EpisodeStatus:
        header, session = play.header, play.peek()
        try:
            snapshots, readable = await play.snapshots(), True
        except JournalError:
            snapshots, readable = [], False
        state: EpisodeState = "live" if session is not None else "hibernated"
        if play.broken is not None or not readable:
            state = "broken"
        return EpisodeStatus(
            id=play.id,
            environments=list(header.environments) if session is None else _members(session.package),
            task=header.task,
            user=header.user,
            answer=header.answer,
            state=state,
            calls=play.calls,
            steps=play.steps,
            over=play.over,
            created_at=header.created_at,
            used_at=play.used_at,
            snapshots=snapshots,
        )

    async def delete(self, id: str) -> Response:
        """End an episode for good, and give its world back."""
        await self._store.delete(id)
        return Response(status_code=204)

    async def reset(self, id: str) -> Beginning:
        """Back to right after the setup: nothing was called, nothing was said."""
        play = self._store.find(id)
        session = await play.reset()
        return Beginning(messages=session.messages, tools=self._listed(play, session))

    async def user(self, id: str, body: Say, request: Request) -> UserReply:
        """Say something to the user: an agent message without tool calls."""
        step = await self._store.find(id).say(body.message, key=_key(request))
        return UserReply(
            messages=step.messages, reward=step.reward, done=step.terminated or step.truncated, outcome=step.outcome
        )

    async def snapshot(self, id: str) -> Snapshot:
        """A point to come back to, or to fork from."""
        return Snapshot(snapshot=await self._store.find(id).snapshot())

    async def restore(self, id: str, body: Restore) -> EpisodeStatus:
        """Back to a snapshot. What came after it is gone, later snapshots too."""
        play = self._store.find(id)
        await play.restore(body.snapshot)
        return await self._status(play)

    async def fork(self, id: str, request: Request, body: Fork | None = None) -> EpisodeInfo:
        """Another episode that stands where this one stands, or stood."""
        origin, wanted = self._store.find(id), (body or Fork()).snapshot
        key, asked = _key(request), f"fork {id} {wanted}"
        if key is not None and (play := self._made_before(key, asked)) is not None:
            return await self._told(play)
        play = self._store.fork(origin, await origin.place(wanted))
        if key is not None:
            self._store.remember(key, asked, play.id)
        try:
            return await self._told(play)
        except SessionFault:
            # Where this one cannot be played on, neither can the other: nobody would know of it.
            await self._store.delete(play.id)
            raise

    async def digest(self, id: str) -> Digest:
        """Digest of all rows: equal states have equal digests."""
        return Digest(digest=await self._store.find(id).digest())

    async def diff(self, id: str) -> Diff:
        """Every row that differs from what the setup left."""
        session, changes = await self._store.find(id).changes()
        tables = session.world.schema.tables
        return Diff(
            rows=[
                RowChange(
                    table=table,
                    key=[_plain(value) for value in key],
                    before=_row(tables[table].names, before),
                    after=_row(tables[table].names, after),
                )
                for (table, key), (before, after) in sorted(changes.items(), key=repr)
            ]
        )

    async def record(self, id: str) -> RunRecord:
        """Transcript, calls and outcome, as far as it has come."""
        return await self._store.find(id).record()

    async def score(self, id: str, body: Score | None = None) -> Outcome:
        """Grade an episode, which ends it; or say how it would end now, and go on."""
        body = body or Score()
        return await self._store.find(id).score(body.message, end=body.end)


def _members(package: Package) -> list[str]:
    packages = getattr(package, "packages", None)
    return [package.name] if packages is None else [member.name for member in packages]


def _task_of(package: Package, body: CreateEpisode) -> TaskPrivate | None:
    """The task that is asked for: by name, or chosen by the seed."""
    if body.task is not None:
        try:
            return package.task(body.task)
        except TaskError as error:
            raise Refused(404, "unknown_task", str(error)) from error
    if body.split is None:
        return None
    found = [task for task in package.tasks if task.split == body.split and (task.solo or body.user != "solo")]
    if not found:
        raise Refused(
            404, "unknown_task", f"{package.name} has no task in the split {body.split} that can be played so"
        )
    return found[int(random.Random(body.seed).random() * len(found))]


def _row(names: tuple[str, ...], row: tuple[Any, ...] | None) -> dict[str, Any] | None:
    return None if row is None else {name: _plain(value) for name, value in zip(names, row, strict=False)}


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _key(request: Request) -> str | None:
    key = request.headers.get("idempotency-key")
    if key is not None and not 0 < len(key) <= MAX_KEY:
        raise Refused(422, "invalid", f"an Idempotency-Key has 1 to {MAX_KEY} characters")
    return key
