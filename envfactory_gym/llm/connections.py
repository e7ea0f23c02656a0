"""Connections to one endpoint, kept open in several small pools.

A pool looks at each of its connections, and asks the system about those that are idle, for every request
that comes and goes. With hundreds of connections that costs more than the request itself; with a few
per pool it does not. Requests go to the pool that was used last, so few of them open only few connections.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .errors import ModelError

if TYPE_CHECKING:
    import httpx2

PER_POOL = 8
"""Connections that one pool looks after."""


class Connections:
    """Open connections, as many as there may be requests at a time; close them with `aclose`.

    Args:
        number: Requests in flight, at most; whoever sends them keeps to it.
        timeout: Seconds that one request may take.
        proxies: Whether the environment's proxies are used.

    Raises:
        ModelError: The library that speaks HTTP is not installed.
    """

    def __init__(self, number: int, *, timeout: float, proxies: bool) -> None:
        try:
            import httpx2
        except ImportError as missing:
            raise ModelError("models are asked over httpx2: pip install 'envfactory-gym[llm]'") from missing
        certificates = httpx2.create_ssl_context(trust_env=proxies)  # reading them takes a while: once for all pools
        self._pools = [
            httpx2.AsyncClient(
                verify=certificates,
                timeout=httpx2.Timeout(timeout, pool=None),
                limits=httpx2.Limits(max_connections=PER_POOL, max_keepalive_connections=PER_POOL),
                trust_env=proxies,
            )
            for _ in range(-(-number // PER_POOL))
        ]
        self._free = [pool for pool in self._pools for _ in range(PER_POOL)]

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> httpx2.Response:
        """Send a request, and read its answer whole."""
        pool = self._free.pop()
        try:
            return await pool.post(url, content=body, headers=headers)
        finally:
            self._free.append(pool)

    async def aclose(self) -> None:
        """Close them all."""
        for pool in self._pools:
            await pool.aclose()
