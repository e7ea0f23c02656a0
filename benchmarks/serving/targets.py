"""What serving promises, and whether a run kept it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .per_call import FAST, FEW, MANY, SDK

Parts = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Target:
    """A promise: what, at most how much, how it is judged, and where a run's figure for it lies."""

    what: str
    limit: float
    unit: str
    judged_by: str
    part: str
    figure: Callable[[Mapping[str, Any]], float]


def _server(name: str, count: int, key: str) -> Callable[[Mapping[str, Any]], float]:
    return lambda part: float(part["servers"][name][str(count)][key])


TARGETS = (
    Target("a call on the SDK path, against the echo", 6, "×", "CPU", "per_call", _server(SDK, FEW, "ratio")),
    Target("a call on the fast path, against the echo", 1.2, "×", "CPU", "per_call", _server(FAST, FEW, "ratio")),
    Target("1,000 connections against 16, SDK path", 1.3, "×", "CPU", "per_call", _server(SDK, MANY, "many")),
    Target("1,000 connections against 16, fast path", 1.3, "×", "CPU", "per_call", _server(FAST, MANY, "many")),
    Target("what 300 environments add to the start", 0.5, "s", "CPU", "starting", lambda part: part["added_seconds"]),
    Target("first call of a cold environment", 100, "ms", "CPU", "starting", lambda part: part["cold_cpu_ms"]),
    Target("creating an episode", 2, "ms", "CPU", "creating", lambda part: part["create_cpu_ms"]),
    Target("light calls beside a slow tool, p95", 20, "ms", "wall", "beside_slow", lambda part: part["beside_p95_ms"]),
    Target("SIGTERM with 500 open streams", 3, "s", "wall", "ending", lambda part: part["500"]),
)


def judged(parts: Parts) -> Iterator[tuple[Target, float, bool]]:
    """The targets of the parts that were measured: target, figure, whether it is kept."""
    for target in TARGETS:
        if target.part in parts:
            figure = target.figure(parts[target.part])
            yield target, figure, figure <= target.limit
