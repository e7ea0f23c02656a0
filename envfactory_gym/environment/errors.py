"""What can go wrong, and whose fault it is.

Every error names what happened, where, and what to do next. Three of them matter to everyone:
`ToolError` is the agent's fault and part of the world; `EnvironmentFault` is the environment's
fault and makes a reward invalid; `PackageError` is for the author of a package.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal, get_args

ErrorCode = Literal["not_found", "invalid", "conflict", "forbidden", "limit"]
ERROR_CODES: tuple[str, ...] = get_args(ErrorCode)


class EnvFactoryError(Exception):
    """Base of every error this library raises on purpose."""


class PackageError(EnvFactoryError):
    """A package file is missing or wrong.

    Args:
        message: What is wrong.
        file: The offending file.
        line: Line in that file, counted from 1.
        key: The key or column inside the file, such as `sources.0.url`.
        remedy: The next thing to do.
    """

    def __init__(
        self,
        message: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        key: str | None = None,
        remedy: str | None = None,
    ) -> None:
        self.message, self.file, self.line, self.key, self.remedy = message, file, line, key, remedy
        where = str(file) if file is not None else ""
        if line is not None:
            where += f":{line}"
        if key:
            where += f" ({key})" if where else key
        text = f"{where}: {message}" if where else message
        super().__init__(f"{text}\n  -> {remedy}" if remedy else text)


class UntrustedPackageError(PackageError):
    """A package whose code nobody verified here was about to be imported."""


class TaskError(EnvFactoryError):
    """A task cannot be played or graded: unknown tool, broken gold, wrong hash."""


class ToolError(EnvFactoryError):
    """A tool refuses a call. The agent's fault; the call leaves no trace.

    Args:
        code: One of `not_found, invalid, conflict, forbidden, limit`.
        message: One sentence that tells the agent what was wrong.
        field: The argument (or the argument whose row) that is the cause.
        reason: An identifier of the cause, or the id of the policy rule that forbids the call.
    """

    def __init__(self, code: ErrorCode, message: str, *, field: str | None = None, reason: str | None = None) -> None:
        if code not in ERROR_CODES:
            raise ValueError(f"ToolError code {code!r} is not one of {', '.join(ERROR_CODES)}")
        super().__init__(message)
        self.code: ErrorCode = code
        self.message, self.field, self.reason = message, field, reason

    def payload(self) -> dict[str, Any]:
        """The error as the agent sees it; absent parts are left out."""
        body: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.field is not None:
            body["field"] = self.field
        if self.reason is not None:
            body["reason"] = self.reason
        return {"error": body}


class EnvironmentFault(EnvFactoryError):
    """The environment broke its own promises: a tool raised something other than `ToolError`."""

    def __init__(self, message: str, *, tool: str | None = None) -> None:
        super().__init__(message)
        self.tool = tool


class BudgetExceeded(EnvironmentFault):
    """A call used up its budget of SQL opcodes or of wall-clock seconds."""
