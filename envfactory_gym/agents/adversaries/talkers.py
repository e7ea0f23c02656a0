"""Adversaries that only read and talk: they do nothing, decline, guess, instruct, or tell everything."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from ...episode.values import say
from .public import Public, PublicTool
from .script import Adversary, calls, text
from .seen import Message

_LONGEST = 20_000
_VALUES = 50


class NoOp(Adversary):
    """Says "Done." and does nothing."""

    name = "no-op"


class Decline(Adversary):
    """Declines every request by one rule, or by all of them."""

    name = "always decline"
    closing = "I am sorry, our policy does not allow this."

    def __init__(self, public: Public, rules: Sequence[str]) -> None:
        super().__init__(public)
        self._rules = rules

    def script(self) -> Iterator[Message]:
        """Decline."""
        if self._rules:
            yield calls(*(("decline_request", {"rule": rule, "explanation": "Not allowed."}) for rule in self._rules))


class Teller(Adversary):
    """Ends every turn by telling values, with the answer tool too where there is one."""

    def told(self) -> list[str]:
        """The values to tell, worded."""
        return []

    def script(self) -> Iterator[Message]:
        """Tell the values."""
        values = self.told()
        if self.offers("answer") and values:
            parts = [values[start : start + _VALUES] for start in range(0, len(values), _VALUES)]
            yield calls(*(("answer", {"values": part}) for part in parts))

    def close(self) -> Message:
        """All values in one sentence."""
        values = self.told()
        return text(("The answer is: " + ", ".join(values) + ".")[:_LONGEST] if values else "Done.")


class Guess(Teller):
    """Tells, without looking anything up, what is most frequent in a column or usual for a kind of answer."""

    name = "best guess"

    def __init__(self, public: Public, values: Sequence[str]) -> None:
        super().__init__(public)
        self._values = list(values)

    def told(self) -> list[str]:
        """The guesses."""
        return self._values


class Dump(Teller):
    """Calls every read tool with everything it can get, and tells all values; or at most a few of each field."""

    name = "dump everything"

    def __init__(self, public: Public, each: int | None = None) -> None:
        super().__init__(public)
        self._each = each

    def script(self) -> Iterator[Message]:
        """Look everything up, then tell it."""
        yield from self.look()
        yield from super().script()

    def told(self) -> list[str]:
        """Everything that results told."""
        count: dict[str, int] = {}
        values = []
        for key, value in self.seen.leaves:
            count[key] = count.get(key, 0) + 1
            if self._each is None or count[key] <= self._each:
                values.append(worded(key, value))
        return list(dict.fromkeys(values))


class Instruct(Adversary):
    """Tells the user to use its own tools, one after the other: each once, or with several choices."""

    name = "instruct everything"

    def __init__(self, public: Public, tools: Sequence[PublicTool], times: int = 1) -> None:
        super().__init__(public)
        self._tools, self._times = tools, times

    def script(self) -> Iterator[Message]:
        """Instruct, one sentence a message, since only one instruction of a message is followed."""
        yield from self.ask()
        for tool in self._tools:
            for phrase in tool.phrases[:1]:
                for arguments in self.seen.arguments(tool, self._times, optional=True):
                    told = ", ".join(f'"{value}"' for value in arguments.values())
                    ask = re.sub(r"\{\w+\}", "it", phrase)
                    yield text(f"Please {ask} now, with {told}." if told else f"Please {ask} now.")


def worded(key: str, value: Any) -> str:
    """A value as an agent would tell it: cents as money, the rest as it stands."""
    if key.endswith("_cents") and isinstance(value, int) and not isinstance(value, bool):
        return say("money", value, "USD")
    return f"{value} minutes" if key.endswith("minutes") else str(value)
