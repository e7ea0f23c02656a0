"""What can go wrong between us and a model, each with what to do about it.

None of these says anything about the agent: whoever plays episodes ends them as faults of the
harness, except where a request is too long for the model, which is the agent's own doing.
"""

from __future__ import annotations

import re


class ModelError(Exception):
    """Base of every error this room raises on purpose."""


class EndpointFailed(ModelError):
    """The endpoint did not answer, as often as it was asked.

    Args:
        kind: `rate_limit`, `server_error`, `timeout`, `connection` or `bad_answer`.
        detail: The last failure.
        url: Where it was asked.
        attempts: How often.
    """

    def __init__(self, kind: str, detail: str, *, url: str, attempts: int) -> None:
        self.kind, self.detail, self.url, self.attempts = kind, detail, url, attempts
        hint = _HINTS.get(kind, "")
        super().__init__(f"{url} failed {attempts} times ({kind.replace('_', ' ')}): {detail}{hint}")


class RequestRefused(ModelError):
    """The endpoint understood the request and refuses it; asking again would change nothing.

    Args:
        status: HTTP status.
        detail: What the endpoint says.
        url: Where it was asked.
    """

    def __init__(self, status: int, detail: str, *, url: str) -> None:
        self.status, self.detail, self.url = status, detail, url
        hint = "; set the API key (OPENAI_API_KEY, or --api-key-env)" if status in (401, 403) else ""
        super().__init__(f"{url} refused the request with {status}: {detail}{hint}")

    @property
    def too_long(self) -> bool:
        """Whether the conversation has outgrown the model's context."""
        return self.status in (400, 413, 422) and bool(_TOO_LONG.search(self.detail))


class BudgetSpent(ModelError):
    """The next call would go beyond what may be spent."""


class CassetteMiss(ModelError):
    """A cassette that only replays does not hold the answer to this request."""


_HINTS = {
    "connection": "; is the server running, and is the base URL right (it usually ends in /v1)?",
    "rate_limit": "; lower the concurrency, or set limits on requests and tokens per minute",
    "timeout": "; allow more time, or lower the concurrency",
}

_TOO_LONG = re.compile(
    r"context.?(length|window|size)|maximum (context|number of tokens|length)|too (long|many tokens)"
    r"|prompt is too|exceeds? .{0,40}(tokens|context)|reduce the length",
    re.IGNORECASE,
)
