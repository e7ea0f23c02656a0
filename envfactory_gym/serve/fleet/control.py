"""The control plane: what a trainer does with episodes, as JSON over HTTP.

Loaded with FastAPI in the background once the fleet is up. Whoever gets here has shown the master
token. Nothing of it is a tool, and no answer holds goal or gold.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from starlette.exceptions import HTTPException

from ...environment import EnvFactoryError, TaskError
from ...episode import EpisodeOver
from ..session import NotGraded, SessionFault
from .app import Fleet, unusable
from .face import MAX_KEY
from .http import Refused
from .journal import JournalError
from .lasting import Conflict, Deleted, NoSnapshot
from .models import Refusal
from .plane import Plane
from .play import KeyReused
from .store import Full, UnknownEpisode

RETRY_AFTER = (b"retry-after", b"5")


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
