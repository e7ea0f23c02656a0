"""Clients that leave: work for somebody who does not wait for it any more is stopped."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

Result = TypeVar("Result")

Gone = Callable[[], Awaitable[None]]
"""Returns when the client has left."""


class ClientLeft(Exception):
    """Nobody waits for the answer any more."""


async def unless(gone: Gone, work: Awaitable[Result]) -> Result:
    """Do something, and stop halfway if the client leaves.

    Raises:
        ClientLeft: It left.
    """
    doing = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(gone())
    try:
        await asyncio.wait([doing, leaving], return_when=asyncio.FIRST_COMPLETED)
        if doing.done():
            return doing.result()
        raise ClientLeft
    finally:
        leaving.cancel()
        if not doing.done():
            doing.cancel()
            await asyncio.wait([doing])
            if not doing.cancelled():
                doing.exception()  # nobody is left to be told
