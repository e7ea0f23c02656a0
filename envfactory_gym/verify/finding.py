"""One shape for the result of every check: verdict, figures, evidence, remedy."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class Finding(BaseModel):
    """What a check found.

    Attributes:
        check: Its name, such as `gold` or `atomicity`.
        passed: The verdict.
        figures: Small numbers that say how much was executed.
        evidence: What failed, concretely: call, expected, actual. Empty where it passed.
        remedy: What to do about it.
        notes: What was not tried, or is worth knowing, without being a failure.
    """

    model_config = ConfigDict(frozen=True)

    check: str
    passed: bool
    figures: dict[str, Any] = Field(default_factory=dict)
    evidence: tuple[str, ...] = ()
    remedy: str = ""
    notes: tuple[str, ...] = ()


def finding(
    check: str,
    evidence: list[str],
    *,
    figures: dict[str, Any] | None = None,
    remedy: str = "",
    notes: list[str] | None = None,
) -> Finding:
    """A finding that passes exactly when there is no evidence against it."""
    return Finding(
        check=check,
        passed=not evidence,
        figures=figures or {},
        evidence=tuple(evidence),
        remedy=remedy if evidence else "",
        notes=tuple(notes or ()),
    )
