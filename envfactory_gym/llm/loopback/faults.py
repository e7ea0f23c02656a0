"""Which request fails, and how: decided by a seed and the request itself, never by the order of arrival.

Two requests that overlap may arrive in any order, so a counter would make every run another one.
Here the fate of a request hangs on its bytes, its session, and how often the same one came before.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from hashlib import blake2b

TRANSPORT_FAULTS = ("rate_limit", "server_error", "unavailable", "hang", "drop", "cut", "bad_json")
"""Faults of an endpoint: a client that tries again gets past them.

`rate_limit` 429 with Retry-After · `server_error` 500 · `unavailable` 503 · `hang` never answers ·
`drop` closes without an answer · `cut` closes in the middle of one · `bad_json` a whole answer that is
half a document.
"""

MODEL_FAULTS = ("malformed_call", "unknown_tool", "duplicate_ids", "missing_ids", "cut_off", "empty")
"""Faults of a model: they arrive as good answers, and are paid for.

`malformed_call` arguments that are no JSON · `unknown_tool` a name nobody listed · `duplicate_ids` one id for
all calls · `missing_ids` none · `cut_off` stopped by the limit of tokens · `empty` neither text nor call.
"""


@dataclass
class Faults:
    """A seeded source of faults.

    Args:
        rate: Share of requests that fail, in [0, 1].
        seed: Same seed, same faults for the same requests.
        kinds: Which faults; each is as likely as the others.
        most: At most so many faults for the same request in a row, so that who tries again gets through.
        hang: Seconds a `hang` lasts before the connection is closed.
        retry_after: Seconds that a 429 asks to wait.
    """

    rate: float = 0.05
    seed: int = 0
    kinds: tuple[str, ...] = TRANSPORT_FAULTS
    most: int = 2
    hang: float = 30.0
    retry_after: float = 0.01
    _seen: Counter[bytes] = field(default_factory=Counter, repr=False)

    def __post_init__(self) -> None:
        if unknown := sorted(set(self.kinds) - {*TRANSPORT_FAULTS, *MODEL_FAULTS}):
            raise ValueError(
                f"there is no fault {unknown[0]!r}; there are {', '.join(TRANSPORT_FAULTS + MODEL_FAULTS)}"
            )
        if not 0.0 <= self.rate <= 1.0:
            raise ValueError(f"rate is a share in [0, 1], not {self.rate}")

    def of(self, session: str, body: bytes) -> str | None:
        """The fault of this request, if it has one; asking counts as an arrival."""
        key = blake2b(body, key=session.encode()[:64], digest_size=16).digest()
        attempt = self._seen[key]
        self._seen[key] += 1
        if not self.kinds or attempt >= self.most:
            return None
        draw = int.from_bytes(blake2b(b"%d %d " % (self.seed, attempt) + key, digest_size=8).digest())
        if draw / 2**64 >= self.rate:
            return None
        return self.kinds[int.from_bytes(blake2b(b"kind %d" % draw, digest_size=4).digest()) % len(self.kinds)]
