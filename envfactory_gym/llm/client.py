"""The client: a request in, an exchange out, whatever happens on the way.

It speaks the chat completions of any OpenAI-compatible endpoint, and hands requests and answers
through as they are. A request is sent again only until it was answered once; what an answer leads
to (a tool call, say) is the caller's, and happens once.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Mapping
from ipaddress import ip_address
from random import Random
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from pydantic_core import from_json, to_json

from .budget import Budget, Spent
from .cassette import Cassette, key_of
from .connections import Connections
from .errors import EndpointFailed, ModelError, RequestRefused
from .exchange import Exchange, fault_of
from .pace import Gate
from .retries import AGAIN, Retries, retry_after
from .usage import Price

Failure = tuple[str, str, float | None]
"""What kind of failure, in words, and how long to wait if that was said."""


class Client:
    """One endpoint. Use it as an async context manager, in one event loop.

    ```python
    async with Client("http://127.0.0.1:8000/v1") as client:
        exchange = await client.complete({"model": "m", "messages": [{"role": "user", "content": "Hi"}]})
        print(exchange.text, client.spent.usage.total)
    ```

    Args:
        base_url: Such as `https://api.example.com/v1`; plain `http://` is taken as it is.
        api_key: Sent as a bearer token; none where it is empty. See `api_key_from`.
        timeout: Seconds that one request may take.
        retries: How persistent to be.
        concurrency: Requests in flight, at most.
        requests_per_minute, tokens_per_minute: Further limits.
        prices: Model → price, for `cost`; `"*"` for all others.
        budget: What may be spent.
        cassette: Answers that were paid for before, and where new ones are kept.
        headers: Sent with each request.
        seed: Scatters the waiting between attempts.

    Attributes:
        spent: What was spent so far.
    """

    def __init__(
        self,
        base_url: str,
        *,
        api_key: str | None = None,
        timeout: float = 120.0,
        retries: Retries | None = None,
        concurrency: int = 64,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        prices: Mapping[str, Price] | None = None,
        budget: Budget | None = None,
        cassette: Cassette | None = None,
        headers: Mapping[str, str] | None = None,
        seed: int = 0,
    ) -> None:
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ModelError(f"a base URL is such as http://127.0.0.1:8000/v1, not {base_url!r}")
        self.base_url = base_url.rstrip("/")
        self.url = f"{self.base_url}/chat/completions"
        self.timeout, self.retries = timeout, retries or Retries()
        self.prices, self.budget, self.cassette = dict(prices or {}), budget or Budget(), cassette
        self.spent = Spent()
        self._concurrency, self._local = concurrency, _is_local(parts.hostname)
        self._gate = Gate(concurrency, requests_per_minute, tokens_per_minute)
        self._chance = Random(seed)
        self._headers = {"content-type": "application/json", **(headers or {})}
        if api_key:
            self._headers["authorization"] = f"Bearer {api_key}"
        self._http: Connections | None = None

    async def __aenter__(self) -> Client:
        # A proxy is no way to this machine.
        self._http = Connections(self._concurrency, timeout=self.timeout, proxies=not self._local)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._http is not None:
            await self._http.aclose()
            self._http = None

    async def complete(self, request: dict[str, Any], *, tag: str = "") -> Exchange:
        """Have a request answered.

        Args:
            request: The JSON body of a chat completion, without `stream`. It is kept in the exchange, so
                whoever goes on with its list of messages hands over a copy.
            tag: Whose it is; travels as the header `x-session-id`, and keeps cassettes apart.

        Raises:
            EndpointFailed: No answer came, as often as it was asked.
            RequestRefused: The endpoint refuses this request for good.
            BudgetSpent: Nothing more may be spent.
            CassetteMiss: The cassette only replays, and does not hold this one.
        """
        body = to_json(request)
        key = key_of(body) if self.cassette is not None else ""
        if self.cassette is not None and (known := self.cassette.find(tag, key, request)) is not None:
            self.spent.replayed += 1
            return known
        price = self.price_of(request)
        self.spent.begin(self.budget)
        started = time.perf_counter()
        try:
            response, attempts, cancelled = await self._ask(body, tag)
        except BaseException:
            self.spent.forgo()
            raise
        seconds = time.perf_counter() - started
        exchange = Exchange(request, response, tag, attempts, seconds)
        usage = exchange.usage
        if price is not None:
            exchange = Exchange(request, response, tag, attempts, seconds, price.of(usage))
        self.spent.pay(usage, exchange.cost)
        self._gate.used(usage.total)
        if self.cassette is not None:
            self.cassette.keep(key, exchange)
        if cancelled is not None:
            raise cancelled
        return exchange

    def price_of(self, request: Mapping[str, Any]) -> Price | None:
        """The price of a request's model.

        Raises:
            ModelError: There is a budget of money and no price to count it by.
        """
        price = self.prices.get(request.get("model", ""), self.prices.get("*"))
        if price is None and self.budget.cost is not None:
            raise ModelError(
                f"a budget of money needs the price of {request.get('model')!r}: give a file with --prices, or both "
                "--price-in and --price-out"
            )
        return price

    # ------------------------------------------------------------ one request, as often as it takes

    async def _ask(self, body: bytes, tag: str) -> tuple[dict[str, Any], int, asyncio.CancelledError | None]:
        """The answer, how many requests it took, and whether the caller was cancelled while it was on its way."""
        headers = {**self._headers, "x-session-id": tag} if tag else self._headers
        attempt = 0
        while True:
            attempt += 1
            async with self._gate:
                found, cancelled = await self._waited_for(body, headers)
            if isinstance(found, dict):
                return found, attempt, cancelled
            if cancelled is not None:
                raise cancelled
            kind, detail, asked = found
            if attempt >= self.retries.attempts:
                raise EndpointFailed(kind, detail, url=self.url, attempts=attempt)
            self.spent.retried[kind] += 1
            wait = self.retries.wait(attempt, self._chance, asked)
            if asked is not None:
                self._gate.close_for(min(asked, self.retries.longest))
            await asyncio.sleep(wait)

    async def _waited_for(
        self, body: bytes, headers: Mapping[str, str]
    ) -> tuple[dict[str, Any] | Failure, asyncio.CancelledError | None]:
        """One request. With a cassette, an answer on its way is paid for: whoever is cancelled waits for it."""
        if self.cassette is None:
            return await self._once(body, headers), None
        asking = asyncio.ensure_future(self._once(body, headers))
        try:
            return await asyncio.shield(asking), None
        except asyncio.CancelledError as cancelled:
            return await asking, cancelled  # cancelled once more, it is given up

    async def _once(self, body: bytes, headers: Mapping[str, str]) -> dict[str, Any] | Failure:
        """One request: the answer, or why there is none."""
        import httpx2

        if self._http is None:
            raise ModelError("this client is not open: use `async with Client(...) as client`")
        try:
            answer = await self._http.post(self.url, body, headers)
        except httpx2.TimeoutException as error:
            return "timeout", f"no answer within {self.timeout:g} s ({type(error).__name__})", None
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            return "connection", str(error) or type(error).__name__, None
        if answer.status_code >= 300:
            detail = _detail(answer.content)
            if answer.status_code not in AGAIN:
                raise RequestRefused(answer.status_code, detail, url=self.url)
            kind = "rate_limit" if answer.status_code == 429 else "server_error"
            return kind, f"{answer.status_code} {detail}", retry_after(answer.headers)
        try:
            response = from_json(answer.content)
        except ValueError as error:
            return "bad_answer", f"the answer is no JSON ({error})", None
        wrong = fault_of(response)
        return response if wrong is None else ("bad_answer", wrong, None)


def _detail(body: bytes) -> str:
    """What an error answer says."""
    try:
        told = from_json(body)
        error = told.get("error", told) if isinstance(told, dict) else told
        said = error.get("message", error) if isinstance(error, dict) else error
        code = error.get("code") or error.get("type") if isinstance(error, dict) else None
    except ValueError:
        said, code = body.decode("utf-8", "replace").strip(), None
    text = str(said)[:500] or "no reason given"
    return f"{text} ({code})" if isinstance(code, str) and code not in text else text


def _is_local(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def api_key_from(variable: str = "OPENAI_API_KEY") -> str | None:
    """The API key of an environment variable, if it is set."""
    return os.environ.get(variable) or None
