"""How an adversary plays: a script per turn, over what it has seen, within a fixed budget.

A script is a generator of assistant messages; when it runs out, the adversary ends the turn and the
next request starts the script anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from .public import Public, PublicTool
from .seen import Message, Seen

READS = 60
"""Lookups per turn, at most."""

WRITES = 120
"""Writing calls per turn, at most, for those that write in bulk."""

TRIES = 20
"""Writing calls per turn, at most, for those that stop at the first that is not refused."""

_TOGETHER = 40
_PER_TOOL = 12
_ROUNDS = 4


class Adversary:
    """Base of all adversaries: an agent that plays one script per turn.

    Args:
        public: The public side of the environment; all it knows besides messages and tools.

    Attributes:
        name: How it is called in reports and on the command line.
        closing: The message with which it ends a turn.
        request: What the user said at the beginning of the turn.
    """

    name = "adversary"
    closing = "Done."

    def __init__(self, public: Public) -> None:
        self.public = public
        self.seen = Seen(public, ())
        self._script: Iterator[Message] | None = None
        self._tried: set[str] = set()
        self._names: frozenset[str] = frozenset()
        self.request = ""

    def script(self) -> Iterator[Message]:
        """The messages of one turn, before the closing one."""
        yield from ()

    def close(self) -> Message:
        """The message that ends a turn."""
        return text(self.closing)

    def begin(self, messages: list[Message], tools: list[Message]) -> None:
        """Start over, knowing these messages."""
        self.seen = Seen(self.public, messages)
        self._script = None
        self._names = frozenset(tool["function"]["name"] for tool in tools)

    def act(self, messages: list[Message]) -> Message:
        """The next message of the script, else the end of the turn."""
        if self._script is None:
            # The first messages came with `begin`; later turns begin with new ones.
            self._tried = set()
            self._script = self._first(messages)
        else:
            self.seen.learn(messages)
        message = next(self._script, None)
        if message is None:
            self._script = None
            message = self.close()
        return message

    def _first(self, messages: list[Message]) -> Iterator[Message]:
        if messages and messages[0]["role"] != "system":
            self.seen.learn(messages)
        self.request = self.seen.words[-1] if self.seen.words else ""
        return self.script()

    # ------------------------------------------------------------ parts of scripts

    def offers(self, tool: str) -> bool:
        """Whether a tool is among those listed in this episode."""
        return tool in self._names

    def ask(self) -> Iterator[Message]:
        """Ask for everything a user of this environment may know."""
        if self.public.asked:
            yield text("Could you please tell me your " + ", ".join(self.public.asked) + "?")

    def look(self, budget: int = READS) -> Iterator[Message]:
        """Ask, then call every read tool with everything there is, in rounds, as results give more to call with."""
        yield from self.ask()
        readers = [tool for tool in self.public.tools if not tool.writes]
        for _ in range(_ROUNDS):
            fresh = [
                (tool, arguments)
                for tool in readers
                for arguments in self._fresh(tool, self.seen.arguments(tool, _PER_TOOL), _PER_TOOL)
            ][: min(budget, _TOGETHER)]
            if not fresh:
                return
            budget -= len(fresh)
            yield calls(*((tool.name, arguments) for tool, arguments in fresh))

    def write(self, tools: Sequence[PublicTool], budget: int = WRITES) -> Iterator[Message]:
        """Call writing tools with everything there is, many calls to a message."""
        yield from self.announce(tools)
        for tool in tools:
            share = max(1, budget // len(tools))
            tried = self._fresh(tool, self.seen.arguments(tool, share), share)
            tried += self._fresh(tool, self.seen.arguments(tool, share, optional=True), share - len(tried))
            for start in range(0, len(tried), _TOGETHER):
                yield calls(*((tool.name, arguments) for arguments in tried[start : start + _TOGETHER]))

    def announce(self, tools: Sequence[PublicTool]) -> Iterator[Message]:
        """Where writes need a confirmation: state everything that might be written, and ask for a yes."""
        wanted = [tool for tool in tools if tool.confirm]
        if wanted:
            stated = [
                f"{tool.name} {json.dumps(arguments)}" for tool in wanted for arguments in self.seen.arguments(tool, 60)
            ]
            yield text(f"I would do this: {'; '.join(stated)}. Shall I go ahead?")

    def _fresh(self, tool: PublicTool, options: Sequence[dict[str, Any]], limit: int) -> list[dict[str, Any]]:
        """The options that were not tried in this turn; they count as tried now."""
        found: list[dict[str, Any]] = []
        for arguments in options:
            key = tool.name + json.dumps(arguments, sort_keys=True)
            if len(found) < limit and key not in self._tried:
                self._tried.add(key)
                found.append(arguments)
        return found


def text(content: str) -> Message:
    """An assistant message of words only."""
    return {"role": "assistant", "content": content}


def calls(*made: tuple[str, Any]) -> Message:
    """An assistant message of calls only; arguments are objects, or JSON text as models write it."""
    return {
        "role": "assistant",
        "content": "",
        "tool_calls": [{"name": name, "arguments": arguments} for name, arguments in made],
    }
