"""What is kept of a run: every prompt and answer, a checkpoint per environment, and what the run was asked.

A checkpoint appears whole or not at all. Answers are kept by the cassette the moment they arrive, so a run that was
killed between two checkpoints asks again for nothing: what it repeats is execution.
"""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from ..llm import Exchange, Spent, Usage, read_cassette
from .problem import AuthorError

Kept = TypeVar("Kept", bound=BaseModel)


class RunFolder:
    """A folder of one run.

    Args:
        path: Where; made if it is not there.
        asked: What the run was asked for, as data: a run goes on only with the same.
        resume: Whether to go on with what is there.

    Raises:
        AuthorError: There is a run already and `resume` is not set, or it was asked for something else.
    """

    def __init__(self, path: Path, asked: dict[str, Any], *, resume: bool = False) -> None:
        self.path = path
        order = path / "run.json"
        if order.exists():
            if not resume:
                raise AuthorError("a run lies in this folder already", file=path, remedy="--resume goes on with it")
            before = json.loads(order.read_text(encoding="utf-8"))
            differing = sorted(name for name in {*before, *asked} if before.get(name) != asked.get(name))
            if differing:
                raise AuthorError(
                    f"this run was begun with another {' and '.join(differing)}", file=order,
                    remedy="resume it with what it was begun with, or begin another with --run",
                )  # fmt: skip
        else:
            write_whole(order, json.dumps(asked, ensure_ascii=False, indent=2) + "\n")

    @property
    def cassette(self) -> Path:
        """Every prompt and answer, for `Cassette`."""
        return self.path / "cassette.jsonl"

    def load(self, name: str, kind: type[Kept]) -> Kept | None:
        """The checkpoint of an environment; None where there is none."""
        path = self._checkpoint(name)
        if not path.exists():
            return None
        try:
            return kind.model_validate_json(path.read_text(encoding="utf-8"))
        except ValidationError as error:
            raise AuthorError(
                f"this checkpoint cannot be read: {error.errors(include_url=False)[0]['msg']}", file=path,
                remedy="remove it: the answers are kept, so nothing is paid for again",
            ) from None  # fmt: skip

    def save(self, name: str, state: BaseModel) -> None:
        """Keep the checkpoint of an environment."""
        write_whole(self._checkpoint(name), state.model_dump_json(indent=1) + "\n")

    def note(self, name: str, step: str, exchange: Exchange) -> None:
        """Keep a prompt and its answer where a person can read them."""
        parts = [f"# {step}\n"]
        for message in exchange.request["messages"]:
            parts.append(f"\n---- {message['role']} ----\n\n{message['content']}\n")
        parts.append(
            f"\n---- answer ({exchange.finish_reason}, {exchange.usage.total} tokens) ----\n\n{exchange.text}\n"
        )
        write_whole(self.path / name / "answers" / f"{step.replace('/', '-')}.md", "".join(parts))

    def write(self, name: str, file: str, text: str) -> None:
        """Keep a text beside the checkpoint of an environment."""
        write_whole(self.path / name / file, text)

    def _checkpoint(self, name: str) -> Path:
        return self.path / name / "checkpoint.json"


def paid_before(cassette: Path) -> Spent:
    """What a run has paid so far, as its cassette tells."""
    spent = Spent()
    for exchange in read_cassette(cassette) if cassette.exists() else ():
        spent.calls += 1
        spent.usage = spent.usage.plus(Usage.of(exchange.response))
        spent.cost += exchange.cost or 0.0
    return spent


def write_whole(path: Path, text: str) -> None:
    """Write a file so that it is there whole or not at all, also when the power fails."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
