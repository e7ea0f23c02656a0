"""What a fleet counts, for Prometheus. Each fleet has a registry of its own, so two in one process do not mix.

Calls and requests are counted in plain numbers, and become metrics when somebody asks: the library's own
counters would cost a short call a tenth of its time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily, Metric

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"

BUCKETS = (0.0001, 0.0003, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0)
"""Seconds; most calls take less than a millisecond."""


class Timed:
    """Calls of one environment with one result: how many in each bucket, and how long in all."""

    __slots__ = ("buckets", "seconds")

    def __init__(self) -> None:
        self.buckets = [0] * (len(BUCKETS) + 1)
        self.seconds = 0.0


class Metrics:
    """The counters of one fleet."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        self._calls: dict[tuple[Sequence[str], str], Timed] = {}
        self._requests: dict[tuple[str, int], int] = {}
        self._episodes = Counter(
            "envfactory_episodes", "Episodes by what became of them.", ["event"], registry=self.registry
        )
        self._outcomes = Counter(
            "envfactory_outcomes", "Graded episodes.", ["environment", "kind"], registry=self.registry
        )
        self.registry.register(_Collected(self.collect))

    def called(self, environments: Sequence[str], result: str, seconds: float) -> None:
        """A tool ran, and computed for so long."""
        timed = self._calls.get((environments, result))
        if timed is None:
            timed = self._calls[environments, result] = Timed()
        timed.buckets[bisect_left(BUCKETS, seconds)] += 1
        timed.seconds += seconds

    def answered(self, route: str, status: int) -> None:
        """A request was answered."""
        key = route, status
        self._requests[key] = self._requests.get(key, 0) + 1

    def happened(self, event: str) -> None:
        """An episode was `created`, `deleted`, `expired`, put to sleep (`slept`) or `refused`."""
        self._episodes.labels(event).inc()

    def scored(self, environment: str, kind: str) -> None:
        """An episode was graded."""
        self._outcomes.labels(environment, kind).inc()

    def gauge(self, name: str, about: str, value: Callable[[], float]) -> None:
        """Something that is looked up when it is asked for."""
        Gauge(name, about, registry=self.registry).set_function(value)

    def collect(self) -> Iterator[Metric]:
        """The plain numbers as metrics."""
        calls = HistogramMetricFamily(
            "envfactory_call_seconds", "How long tools computed.", labels=["environment", "result"]
        )
        for (environments, result), timed in self._calls.items():
            total, buckets = 0, []
            for bound, count in zip([*map(str, BUCKETS), "+Inf"], timed.buckets, strict=True):
                total += count
                buckets.append((bound, float(total)))
            calls.add_metric(["+".join(environments), result], buckets, timed.seconds)
        yield calls
        requests = CounterMetricFamily(
            "envfactory_http_requests", "Requests by where they went.", labels=["route", "status"]
        )
        for (route, status), count in self._requests.items():
            requests.add_metric([route, str(status)], count)
        yield requests

    def text(self) -> bytes:
        """Everything, as Prometheus reads it."""
        return generate_latest(self.registry)


class _Collected:
    """What a registry wants to be given."""

    def __init__(self, collect: Callable[[], Iterator[Metric]]) -> None:
        self.collect = collect
