"""The figures as tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

from .. import tables
from . import targets
from .per_call import FEW, MANY

Parts = Mapping[str, Mapping[str, Any]]


def show(console: Console, parts: Parts) -> None:
    """All that was measured, targets last."""
    if "per_call" in parts:
        console.print(_per_call(parts["per_call"], parts.get("process_per_episode")))
    if any(target.part in parts for target in targets.TARGETS):
        console.print(_targets(parts))
    for line in _besides(parts):
        console.print(line)


def _per_call(found: Mapping[str, Any], stdio: Mapping[str, Any] | None) -> Table:
    table = Table(
        title="One light call", title_justify="left", title_style="bold", caption_justify="left",
        caption=f"CPU time of the server per call by schedstat; medians of {found['rounds']} interleaved rounds of "
        f"some {found['calls'][str(FEW)]:,} calls. × echo: median of the rounds' ratios. "
        "Latency is wall clock under full load, on whatever else the machine was doing. A fleet's memory is with "
        f"{MANY:,} live episodes.",
    )  # fmt: skip
    for name in ("server", "connections", "CPU", "× echo", f"× its {FEW}", "calls/s", "p50", "p95", "memory"):
        table.add_column(name, justify="left" if name == "server" else "right")
    for name, counts in found["servers"].items():
        for count, one in counts.items():
            memory = tables.size(found["memory"][name]) if name in found["memory"] and count == str(MANY) else ""
            table.add_row(
                name, f"{int(count):,}", f"{one['cpu']:.0f} µs", f"{one['ratio']:.2f}",
                f"{one['many']:.2f}" if "many" in one else "", f"{one['calls_per_second']:,.0f}",
                f"{one['p50_ms']:.1f} ms", f"{one['p95_ms']:.1f} ms", memory,
            )  # fmt: skip
    if stdio is not None:
        echo = found["servers"]["Starlette echo"][str(FEW)]["cpu"]
        table.add_row(
            "a process per episode, stdio", "1", f"{stdio['cpu']:.0f} µs", f"{stdio['cpu'] / echo:.2f}", "", "", "", "",
            f"{tables.size(stdio['memory'])} each",
        )  # fmt: skip
    return table


def _targets(parts: Parts) -> Table:
    table = Table(
        title="Targets", title_justify="left", title_style="bold", caption_justify="left",
        caption="CPU: time of the server's process, which a busy machine stretches less than the wall clock.",
    )  # fmt: skip
    for name in ("what", "at most", "measured", "by", ""):
        table.add_column(name, justify="left" if name in ("what", "by") else "right")
    for target, figure, kept in targets.judged(parts):
        verdict = "[green]pass[/]" if kept else "[red]FAIL[/]"
        unit = target.unit if target.unit == "×" else f" {target.unit}"
        digits = 1 if target.unit == "ms" and figure >= 10 else 2
        table.add_row(target.what, f"{target.limit:g}{unit}", f"{figure:.{digits}f}{unit}", target.judged_by, verdict)
    return table


def _besides(parts: Parts) -> list[str]:
    """What stands beside the targets, in words."""
    lines = []
    if one := parts.get("starting"):
        lines.append(
            f"Starting: the whole process with {one['environments']} environments took "
            f"{one['process_cpu_seconds']:.2f} s of CPU ({one['process_wall_seconds']:.2f} s by the wall clock), "
            "interpreter and imports included. "
            f"A cold environment, episode created and first call made: {one['cold_wall_ms']:.0f} ms by the wall clock "
            f"(median of {one['cold']}); the very first of a process {one['first_cold_wall_ms']:.0f} ms."
        )
    if one := parts.get("creating"):
        lines.append(
            f"Creating an episode: {one['create_ms']:.2f} ms by the wall clock (p95 {one['create_p95_ms']:.2f} ms), "
            f"deleting it {one['delete_ms']:.2f} ms."
        )
    if one := parts.get("process_per_episode"):
        lines.append(
            f"A process per episode: {one['start']:.2f} s by the wall clock and {one['start_cpu_ms']:.0f} ms of CPU "
            f"until the handshake is done (median of {one['episodes']})."
        )
    if one := parts.get("beside_slow"):
        lines.append(
            f"Light calls: p50 {one['alone_p50_ms']:.1f} ms and p95 {one['alone_p95_ms']:.1f} ms alone, "
            f"{one['beside_p50_ms']:.1f} and {one['beside_p95_ms']:.1f} ms beside a tool that takes "
            f"{one['slow_ms']:.0f} ms and never rests ({one['slow_calls']} of it)."
        )
    if one := parts.get("ending"):
        lines.append(f"SIGTERM: {one['500']:.2f} s with 500 open streams, {one['0']:.2f} s with none.")
    return lines
