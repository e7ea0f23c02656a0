"""The file of `--state`: where a session stands, so that the next process goes on from there.

It names its task by id and hash and holds no goal and no gold: an agent may read the file.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from ..environment import Package, TaskPrivate
from ..world import Journal
from .session import MAX_STEPS, ServeError, Session, open_session


class _State(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", ser_json_inf_nan="constants")

    format: Literal[1] = 1
    environment: str


class FreeState(_State):
    """A free session: the journal of its world."""

    kind: Literal["free"] = "free"
    world: Journal


class TaskState(_State):
    """A graded session: the task by id, and the agent's messages."""

    kind: Literal["task"] = "task"
    world_hash: str
    rules_hash: str
    task: str
    task_hash: str
    max_steps: int
    messages: tuple[dict[str, Any], ...]
    digest: str


SavedState = Annotated[FreeState | TaskState, Field(discriminator="kind")]
"""What a state file holds."""

_adapter: TypeAdapter[FreeState | TaskState] = TypeAdapter(SavedState)


def task_hash(task: TaskPrivate) -> str:
    """Hash of all that is played of a task; its certificate is not."""
    return hashlib.blake2b(task.model_dump_json(exclude={"certificate"}).encode(), digest_size=16).hexdigest()


def read_state(file: Path) -> FreeState | TaskState:
    """The state in a file.

    Raises:
        ServeError: The file cannot be read, or is no state file.
    """
    try:
        return _adapter.validate_json(file.read_bytes())
    except OSError as error:
        raise ServeError(f"{file}: the state cannot be read: {error.strerror}") from None
    except ValidationError:
        raise ServeError(f"{file}: this is not a state that was saved here; name another file, or delete it") from None


def write_state(file: Path, state: FreeState | TaskState) -> None:
    """Put a state into a file: it holds the old state or the new one, never half of one.

    Raises:
        ServeError: The file cannot be written.
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=file.parent, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(_adapter.dump_json(state) + b"\n")
            Path(temporary).replace(file)
        except BaseException:
            with contextlib.suppress(FileNotFoundError):
                Path(temporary).unlink()
            raise
    except OSError as error:
        raise ServeError(f"{file}: the state cannot be saved: {error.strerror}") from error


def resume_session(package: Package, file: Path, task: str | None = None, *, max_steps: int = MAX_STEPS) -> Session:
    """The session that a state file holds; a new one where there is no file yet.

    Args:
        package: The environment.
        file: The state file.
        task: The task asked for, as in `open_session`; it must be the file's.
        max_steps: For a new session; a saved one keeps its own.

    Raises:
        ServeError: The file is corrupt, or belongs to another environment or task.
    """
    if not file.exists():
        return open_session(package, task, max_steps=max_steps)
    state = read_state(file)
    saved = state.task if isinstance(state, TaskState) else None
    if state.environment != package.id:
        raise ServeError(f"{file}: this is the state of {state.environment}, not of {package.id}; name another file")
    if saved != task:
        was, now = (f"the task {name}" if name else "a session without a task" for name in (saved, task))
        raise ServeError(f"{file}: this is the state of {was}, not of {now}; name another file")
    try:
        if isinstance(state, TaskState):
            from .graded import GradedSession

            return GradedSession.resume(package, state)
        from .free import FreeSession

        return FreeSession.resume(package, state.world)
    except ServeError as error:
        raise ServeError(f"{file}: {error}; delete the file to begin anew") from error
