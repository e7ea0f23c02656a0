"""The control plane: what a trainer does with episodes, as JSON over HTTP.

Loaded with FastAPI in the background once the fleet is up. Whoever gets here has shown the master
token. Nothing of it is a tool, and no answer holds goal or gold.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ...environment import EnvFactoryError, Package, TaskError, TaskPrivate
from ...environment.task import Split
from ...episode import EpisodeOver, Outcome, RunRecord
from ..session import NotGraded, Session, SessionFault, agent_tools
from .app import Fleet, unusable
from .face import MAX_KEY
from .http import Refused
from .journal import JournalError
from .lasting import Conflict, Deleted, NoSnapshot
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
    Refusal,
    Restore,
    RowChange,
    Say,
    Score,
    Snapshot,
    TaskPage,
    UserReply,
)
from .play import KeyReused, Play
from .store import Full, UnknownEpisode

RETRY_AFTER = (b"retry-after", b"5")

Offset = Annotated[int, Query(ge=0, description="How many to leave out.")]
Limit = Annotated[int, Query(ge=1, le=PAGE, description="How many at most.")]


def refusals(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of a route, for its documentation."""
    return {status: {"model": Refusal} for status in (400, 401, 403, 404, 405, 413, 421, 422, 503, *statuses)}


def control_plane(fleet: Fleet) -> FastAPI:
    """The application of the control plane.

    Args:
        fleet: What is controlled.
    """
    plane = Plane(fleet)
    app = FastAPI(
        title="EnvFactory fleet",
        version=_version(),
        summary="Episodes of tool environments: create, step the user, snapshot, fork, score.",
        redoc_url=None,
        responses=refusals(),
    )
    if not fleet.gate.open:
        _ask_for_a_token(app)
    for kind in (EnvFactoryError, Refused):
        app.add_exception_handler(kind, _on_error)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    route = app.add_api_route
    route("/v1/environments", plane.environments, methods=["GET"], tags=["environments"])
    route("/v1/environments/{name}", plane.environment, methods=["GET"], tags=["environments"])
    route("/v1/environments/{name}/tasks", plane.tasks, methods=["GET"], tags=["environments"])
    made: dict[str, Any] = {"status_code": 201, "responses": refusals(409, 429)}
    once: dict[str, Any] = {"responses": refusals(409)}
    route("/v1/episodes", plane.create, methods=["POST"], tags=["episodes"], openapi_extra=_KEYED, **made)
    route("/v1/episodes", plane.episodes, methods=["GET"], tags=["episodes"])
    route("/v1/episodes/{id}", plane.status, methods=["GET"], tags=["episodes"])
    route("/v1/episodes/{id}", plane.delete, methods=["DELETE"], tags=["episodes"], status_code=204)
    route("/v1/episodes/{id}/reset", plane.reset, methods=["POST"], tags=["episodes"], **once)
    route("/v1/episodes/{id}/user", plane.user, methods=["POST"], tags=["playing"], openapi_extra=_KEYED, **once)
    route("/v1/episodes/{id}/snapshots", plane.snapshot, methods=["POST"], tags=["playing"], **made)
    route("/v1/episodes/{id}/restore", plane.restore, methods=["POST"], tags=["playing"], **once)
    route("/v1/episodes/{id}/fork", plane.fork, methods=["POST"], tags=["playing"], openapi_extra=_KEYED, **made)
    route("/v1/episodes/{id}/digest", plane.digest, methods=["GET"], tags=["looking"], **once)
    route("/v1/episodes/{id}/diff", plane.diff, methods=["GET"], tags=["looking"], **once)
    route("/v1/episodes/{id}/record", plane.record, methods=["GET"], tags=["looking"], **once)
    route("/v1/episodes/{id}/score", plane.score, methods=["POST"], tags=["grading"], **once)
    return app


_KEYED = {
    "parameters": [
        {
            "name": "Idempotency-Key",
            "in": "header",
            "required": False,
            "description": "The same key gets the same answer, and nothing happens again.",
            "schema": {"type": "string", "minLength": 1, "maxLength": MAX_KEY},
        }
    ]
}


def _version() -> str:
    """The library's version; a checkout that was never installed has none."""
    try:
        return version("envfactory-gym")
    except PackageNotFoundError:
        return "0"


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


# ---------------------------------------------------------------- errors


def _refused(error: EnvFactoryError) -> Refused:
    """The status of an error of the library."""
    match error:
        case Full():
            return Refused(429, "too_many_episodes", str(error), headers=[RETRY_AFTER])
        case UnknownEpisode() | Deleted():
            return Refused(404, "unknown_episode", str(error))
        case NoSnapshot():
            return Refused(404, "unknown_snapshot", str(error))
        case KeyReused():
            return Refused(409, "key_reused", str(error))
        case NotGraded():
            return Refused(409, "not_graded", str(error))
        case Conflict() | EpisodeOver():
            return Refused(409, "conflict", str(error))
        case SessionFault():
            return Refused(409, "broken", str(error))
        case JournalError():
            return Refused(503, "journal", str(error))
        case TaskError():
            return Refused(409, "unplayable_task", str(error))
        case _:
            return unusable(error)


async def _on_error(request: Request, error: Exception) -> Response:
    refused = error if isinstance(error, Refused) else _refused(error)  # type: ignore[arg-type]
    headers = {name.decode(): value.decode() for name, value in refused.headers}
    return Response(refused.body(), refused.status, headers, "application/json")


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # it is registered for nothing else
    code = {404: "not_found", 405: "method_not_allowed"}.get(error.status_code, "invalid")
    message = {404: "there is nothing here; /docs shows what there is"}.get(error.status_code, str(error.detail))
    headers = dict(error.headers or {})
    return Response(Refused(error.status_code, code, message).body(), error.status_code, headers, "application/json")


async def _on_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # it is registered for nothing else
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:]) or str(first["loc"][0])
    message = f"{where}: {first['msg'].removeprefix('Value error, ')}"
    return Response(Refused(422, "invalid", message).body(), 422, media_type="application/json")


def _ask_for_a_token(app: FastAPI) -> None:
    """Say in the documentation that the master token is needed."""
    plain: Callable[[], dict[str, Any]] = app.openapi

    def described() -> dict[str, Any]:
        document = plain()
        document["components"]["securitySchemes"] = {"master": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"master": []}]
        return document

    app.openapi = described  # type: ignore[method-assign]
