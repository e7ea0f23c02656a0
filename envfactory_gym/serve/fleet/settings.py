"""What a fleet is told when it starts: its limits, and who may reach it."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path

from ..session import ServeError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine, as they stand in addresses."""

_UNSENDABLE = re.compile(r"[^!-~]")
_ADDRESS = re.compile(r"https?://[^/\s]+(/\S*)?")


@dataclass(frozen=True)
class Settings:
    """How a fleet is to be run.

    Attributes:
        host, port: Where to listen; port 0 takes any that is free.
        token: The master token. Without one the server stays on this machine and asks nobody for anything.
        hosts: Names by which the server may be addressed, beside those of this machine and `host`.
        origins: Web pages that may call it, such as `https://studio.example`, beside pages of this machine.
        public_url: How clients reach it, where that is not the address it listens on (behind a proxy).
        max_episodes: Most episodes at once; further ones are refused with 429.
        max_live: Most episodes with a world in memory; the longest unused ones sleep on.
        max_calls: Most tool calls of an episode.
        ttl: Seconds without a request after which an episode is deleted.
        max_body: Most bytes of a request.
        fast: Whether well-formed calls of the current protocol take the short way.
        hibernate: Folder for journals; with one, episodes survive a restart.
        drain: Seconds that requests in progress are given at the end.
        worker: Number of this process among several; it begins the ids of its episodes.
        log_format: `json` or `text`.
        log_level: The least important lines to write.
    """

    host: str = "127.0.0.1"
    port: int = 8765
    token: str | None = field(default=None, repr=False)
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    public_url: str | None = None
    max_episodes: int = 10_000
    max_live: int = 1_000
    max_calls: int = 100_000
    ttl: float = 3600.0
    max_body: int = 1 << 20
    fast: bool = True
    hibernate: Path | None = None
    drain: float = 2.0
    worker: int | None = None
    log_format: str = "text"
    log_level: str = "info"

    def __post_init__(self) -> None:
        if self.token is not None and len(self.token) < 8:
            raise ServeError("a token of fewer than 8 characters can be guessed; give a longer one, or --token auto")
        if self.token is not None and _UNSENDABLE.search(self.token):
            raise ServeError("a token goes in a header, so it is of letters, digits and signs of ASCII, without spaces")
        if self.public_url is not None and not _ADDRESS.fullmatch(self.public_url):
            raise ServeError(
                f"--public-url begins with http:// or https:// and names a host, unlike {self.public_url!r}"
            )
        if self.token is None and not is_loopback(self.host):
            raise ServeError(
                f"without a token anybody who reaches {self.host} could use the server; "
                "give --token (or ENVFACTORY_TOKEN), or stay on 127.0.0.1"
            )


def is_loopback(host: str) -> bool:
    """Whether a host to listen on is reached from this machine alone."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def bracketed(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
