"""What every client does: list, look up, be refused, write, write again what depends on the first write.

Runs in the client's own virtual environment, so it imports nothing of this project. The address and the headers come
as a line of JSON on standard input; what was seen goes out as a line of JSON. Between the two writes the script says so
and waits for a line, if it was asked to: that is when a server can be restarted under it.
"""

import asyncio
import json
import sys
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple


class Seen(NamedTuple):
    """A result as the client's user gets it: a JSON value, and whether it counts as an error there."""

    value: Any
    refused: bool


Call = Callable[[str, dict[str, Any]], Awaitable[Seen]]


async def play(tools: list[str], call: Call, pause: bool) -> dict[str, Any]:
    """Make the calls; what was seen, by step."""
    looked_up = await call("list_loans", {"member_id": "M-101"})
    refused = await call("list_loans", {"member_id": "M-999"})
    borrowed = await call("borrow_item", {"member_id": "M-104", "item_id": 9})
    if pause:
        print(json.dumps("paused"), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
    extended = await call("extend_loan", {"loan_id": borrowed.value["loan_id"]})
    steps = {"looked_up": looked_up, "refused": refused, "borrowed": borrowed, "extended": extended}
    return {"tools": tools, **{step: list(seen) for step, seen in steps.items()}}


def value_of(text: str) -> Any:
    """The JSON value in a text; the text where it holds none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def run(client: Callable[[str, dict[str, str], bool], Awaitable[dict[str, Any]]]) -> None:
    """Read where to go, let the client go there, say what it saw."""
    given = json.loads(sys.stdin.readline())
    print(json.dumps(asyncio.run(client(given["url"], given["headers"], given["pause"]))), flush=True)
