"""Paths taken apart: segments, parameters, and the verb that may hang on the end.

`/v1/{name}:cancel`, `/calls/{sid}.json`, `/tags#arn` and `/Users('{id}')` say the same things as
`/v1/{name}/cancel`, `/calls/{sid}`, `/tags` and `/Users/{id}`; above this module only the latter exist.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

_PARAMETER = re.compile(r"^\{([^{}]+)\}$")
_SUFFIX = re.compile(r"\.(?:json|xml|\{format\})$")
_VERB = re.compile(r"^(.+?):([A-Za-z]\w*)$")
_CALLED = re.compile(r"^([\w.-]+)\(['\"]?(?:\w+=)?(\{[^{}]+\})['\"]?\)$")

Key = tuple[str, ...]
"""Segments with every parameter as `{}`: paths with equal keys mean the same place."""


@dataclass(frozen=True)
class Path:
    """A path's segments, and the word of an action where one hangs on the end.

    Attributes:
        segments: As the path writes them: `("pets", "{petId}")`.
        verb: `cancel` of `/orders/{id}:cancel`; empty where there is none.
    """

    segments: tuple[str, ...]
    verb: str = ""

    @classmethod
    def of(cls, text: str) -> Path:
        """Take a path apart."""
        place, _, _ = text.partition("#")
        text = place if len(place) > 1 else text  # `/tags#arn` is /tags; `/#Action` is nothing but its action
        segments: list[str] = []
        for part in text.split("/"):
            plain = _SUFFIX.sub("", part.partition("?")[0])
            if called := _CALLED.match(plain):
                segments += called.groups()
            elif plain:
                segments.append(plain)
        if segments and (match := _VERB.match(segments[-1])):
            return cls((*segments[:-1], match.group(1)), match.group(2))
        return cls(tuple(segments))

    @cached_property
    def key(self) -> Key:
        """The place it names, whatever its parameters are called."""
        return tuple("{}" if _PARAMETER.match(one) else one for one in self.segments)

    @property
    def parameter(self) -> str:
        """Name of the last segment's parameter; empty where it is none."""
        return parameter_of(self.segments[-1]) if self.segments else ""

    @property
    def statics(self) -> tuple[str, ...]:
        """The segments that are no parameters."""
        return tuple(one for one in self.segments if not _PARAMETER.match(one))


def parameter_of(segment: str) -> str:
    """The name inside `{name}`; empty for any other segment."""
    match = _PARAMETER.match(segment)
    return match.group(1) if match else ""
