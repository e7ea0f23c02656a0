"""What a fleet counts, for Prometheus. Each fleet has a registry of its own, so two in one process do not mix."""

from __future__ import annotations

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

_BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Seconds; most calls take less than a millisecond."""


class Metrics:
    """The counters of one fleet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._calls = Counter("envfactory_calls", "Tool calls.", ["environment", "result"], registry=self.registry)
        self._seconds = Histogram(
            "envfactory_call_seconds", "How long tools ran.", ["environment"], buckets=_BUCKETS, registry=self.registry
        )
        self._episodes = Counter(
            "envfactory_episodes", "Episodes by what became of them.", ["event"], registry=self.registry
        )
        self._outcomes = Counter(
            "envfactory_outcomes", "Graded episodes.", ["environment", "kind"], registry=self.registry
        )
        self._requests = Counter(
            "envfactory_http_requests", "Requests by where they went.", ["route", "status"], registry=self.registry
        )
        self._made: dict[tuple[str, str], tuple[Counter, Histogram]] = {}
        self._counted: dict[tuple[str, int], Counter] = {}

    def called(self, environment: str, result: str, seconds: float) -> None:
        """A tool ran."""
        made = self._made.get((environment, result))
        if made is None:
            made = self._calls.labels(environment, result), self._seconds.labels(environment)
            self._made[environment, result] = made
        made[0].inc()
        made[1].observe(seconds)

    def answered(self, route: str, status: int) -> None:
        """A request was answered."""
        counter = self._counted.get((route, status))
        if counter is None:
            counter = self._counted[route, status] = self._requests.labels(route, str(status))
        counter.inc()

    def happened(self, event: str) -> None:
        """An episode was `created`, `deleted`, `expired`, put to sleep (`slept`), woken (`woke`) or `refused`."""
        self._episodes.labels(event).inc()

    def scored(self, environment: str, kind: str) -> None:
        """An episode was graded."""
        self._outcomes.labels(environment, kind).inc()

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Something that is looked up when it is asked for."""
        Gauge(name, about, registry=self.registry).set_function(value)

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)
