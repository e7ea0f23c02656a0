"""Who may do what: tokens, and the hosts and origins of requests.

The master token opens everything. An episode's token opens that episode's MCP addresses and nothing
else. It is derived from the master token and the episode's id, so that it is stored nowhere, is the
same after a restart, and is checked without a look at the episode.
"""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping
from hashlib import blake2b
from urllib.parse import urlsplit

from .http import Header, Refused
from .settings import LOOPBACK, Settings, bracketed

_EPISODE_TOKEN = re.compile(rb"ef-([0-9a-f-]{1,64})-([0-9a-f]{32})")
CHALLENGE: Header = (b"www-authenticate", b"Bearer")
_ANY = ("0.0.0.0", "::", "[::]")


MOST_TOKENS = 20_000
"""Tokens that are kept after they were derived, so that each is derived once as a rule."""


class Gate:
    """Judges the credentials and the sender of requests.

    Args:
        settings: Token, hosts and origins.
    """

    def __init__(self, settings: Settings) -> None:
        self._master = settings.token.encode() if settings.token is not None else None
        self._key = blake2b(self._master, digest_size=32, person=b"episode tokens").digest() if self._master else b""
        names = {*LOOPBACK, *settings.hosts}
        if settings.host not in _ANY:
            names.add(bracketed(settings.host))
        if settings.public_url is not None:
            names.add(urlsplit(settings.public_url).netloc)
        self._hosts = {name.lower().encode() for name in names}
        self._origins = {origin.lower().rstrip("/").encode() for origin in settings.origins}
        self._seen_hosts: set[bytes] = set()
        self._tokens: dict[str, bytes] = {}

    @property
    def open(self) -> bool:
        """Whether nobody is asked for a token."""
        return self._master is None

    def token_of(self, episode: str) -> str | None:
        """The token of an episode; None where nobody is asked for one."""
        return None if self._master is None else f"ef-{episode}-{self._mac(episode.encode())}"

    def _mac(self, episode: bytes) -> str:
        return blake2b(episode, digest_size=16, key=self._key).hexdigest()

    def is_master(self, bearer: bytes | None) -> bool:
        """Whether a credential is the master token."""
        if self._master is None:
            return True
        return bearer is not None and hmac.compare_digest(bearer, self._master)

    def opened_by(self, bearer: bytes | None) -> str | None:
        """The episode whose token a credential is."""
        if self._master is None or bearer is None or (match := _EPISODE_TOKEN.fullmatch(bearer)) is None:
            return None
        genuine = hmac.compare_digest(match[2], self._mac(match[1]).encode())
        return match[1].decode() if genuine else None

    def may_play(self, bearer: bytes | None, episode: str) -> bool:
        """Whether a credential opens an episode."""
        if self._master is None:
            return True
        if bearer is None:
            return False
        expected = self._tokens.get(episode)
        if expected is None:
            expected = f"ef-{episode}-{self._mac(episode.encode())}".encode()
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.clear()  # most are of episodes that are gone
            self._tokens[episode] = expected
        return hmac.compare_digest(bearer, expected) or self.is_master(bearer)

    def knows_host(self, host: bytes | None) -> bool:
        """Whether a `Host` names this server: what a web page rebinds to it does not."""
        if host is None:
            return False
        if host in self._seen_hosts:
            return True
        name = host.lower()
        known = name in self._hosts or re.sub(rb":\d{1,5}$", b"", name) in self._hosts
        if known and len(self._seen_hosts) < 100:
            self._seen_hosts.add(host)
        return known

    def allows_origin(self, origin: bytes | None) -> bool:
        """Whether a web page may call; programs that are no web pages send no `Origin`."""
        if origin is None:
            return True
        value = origin.lower()
        if value in self._origins:
            return True
        match = re.fullmatch(rb"https?://([^/]+?)(?::\d{1,5})?", value)
        return match is not None and match[1].decode("latin-1") in LOOPBACK

    # ------------------------------------------------------------ what a request is told

    def check_sender(self, headers: Mapping[bytes, bytes]) -> None:
        """Refuse what was sent to another name, or by a foreign web page.

        Raises:
            Refused: It was.
        """
        if not self.knows_host(headers.get(b"host")):
            raise Refused(421, "wrong_host", "this server does not go by that Host; --allow-host adds names")
        if not self.allows_origin(headers.get(b"origin")):
            raise Refused(403, "wrong_origin", "web pages of that Origin may not call; --allow-origin adds some")

    def plainly_admits(self, headers: Mapping[bytes, bytes], episode: str) -> bool:
        """Whether a request for an episode is in order beyond doubt; where it is not, the checks say why."""
        return (
            headers.get(b"host") in self._seen_hosts
            and b"origin" not in headers
            and (self._master is None or self.may_play(bearer_of(headers), episode))
        )

    def check_master(self, headers: Mapping[bytes, bytes]) -> None:
        """Refuse whoever does not show the master token.

        Raises:
            Refused: They do not.
        """
        bearer = bearer_of(headers)
        if self.is_master(bearer):
            return
        if self.opened_by(bearer) is not None:
            raise Refused(403, "forbidden", "an episode's token opens its own MCP addresses and nothing else")
        raise Refused(401, "unauthorized", "send the master token: Authorization: Bearer ...", headers=[CHALLENGE])

    def check_player(self, headers: Mapping[bytes, bytes], episode: str) -> None:
        """Refuse whoever shows neither an episode's token nor the master token.

        Raises:
            Refused: They do not.
        """
        if not self.may_play(bearer_of(headers), episode):
            raise Refused(
                401, "unauthorized", "send the episode's token: Authorization: Bearer ...", headers=[CHALLENGE]
            )


def bearer_of(headers: Mapping[bytes, bytes]) -> bytes | None:
    """The credential in a request's `Authorization`."""
    value = headers.get(b"authorization")
    if value is None or value[:7].lower() != b"bearer ":
        return None
    return value[7:].strip()
