"""The figures as tables: one per part, with a line that says how they were measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from rich.console import Console
from rich.table import Table

Result = Mapping[str, Any]


def show_machine(console: Console, result: Result) -> None:
    """What the figures belong to."""
    about = result["machine"]
    console.print(f"[bold]EnvFactory Gym {about['envfactory_gym']}[/bold] on {about['machine']}")
    console.print(f"Python {about['python']}, SQLite {about['sqlite']}, {about['system']}, {about['date']}")
    console.print("Times are CPU time of the measuring thread unless a table says wall clock. µs: microseconds.")


def show(console: Console, part: str, results: Mapping[str, Result]) -> None:
    """The table of one part."""
    console.print()
    console.print(_TABLES[part](results))


def microseconds(value: float) -> str:
    """A time, with as many digits as it deserves."""
    if value >= 100_000:
        return f"{value / 1e6:,.2f} s"
    if value >= 1_000:
        return f"{value / 1e3:,.2f} ms"
    return f"{value:.1f} µs" if value < 100 else f"{value:.0f} µs"


def size(value: float) -> str:
    """An amount of memory given in bytes; a KB is 1,000."""
    if value >= 1e9:
        return f"{value / 1e9:,.2f} GB"
    return f"{value / 1e6:,.1f} MB" if value >= 10e6 else f"{value / 1e3:,.0f} KB"


def _table(title: str, how: str, *columns: str) -> Table:
    table = Table(title=title, caption=how, title_justify="left", caption_justify="left", title_style="bold")
    for number, column in enumerate(columns):
        table.add_column(column, justify="left" if number == 0 else "right")
    return table


def _times(figures: Result, *names: str) -> list[str]:
    return [microseconds(figures[name]) for name in names]


def _image(results: Mapping[str, Result]) -> Table:
    table = _table(
        "Images", "Opening reads and hashes the package and takes the image from the cache: once per process.",
        "image", "bytes", "rows", "open a package",
    )  # fmt: skip
    for name, found in results.items():
        table.add_row(name, f"{found['bytes']:,}", f"{found['rows']:,}", microseconds(found["open_ms"] * 1e3))
    return table


def _reset(results: Mapping[str, Result]) -> Table:
    table = _table(
        "world.reset()", "The setup of 20 rows is kept. * the form this image gets by default.",
        "image, form", "undoing", "p50", "p95", "min",
    )  # fmt: skip
    for name, found in results.items():
        for form in ("private", "shared"):
            star = " *" if form == found["default"] else ""
            for undone, figures in found[form].items():
                table.add_row(f"{name}, {form}{star}", undone, *_times(figures, "p50", "p95", "min"))
        table.add_section()
    return table


def _step(results: Mapping[str, Result]) -> Table:
    table = _table(
        "One call, JSON text in and out",
        "Framework: the step less the bare SQL of its body on a plain connection. Means of 24 calls, then reset.",
        "image", "call", "mean", "p50", "min",
    )  # fmt: skip
    labels = {
        "write": "write, 2 statements", "write_bare": "  its bare SQL", "write_share": "  framework",
        "read": "read, 3 statements", "read_bare": "  its bare SQL", "read_share": "  framework",
        "refused": "refused half way, 4 statements",
    }  # fmt: skip
    for name, found in results.items():
        for key, label in labels.items():
            table.add_row(name, label, *_times(found[key], "mean", "p50", "min"))
        for label, figures in found["parts"].items():
            table.add_row(name, f"  part: {label}", *_times(figures, "mean", "p50", "min"))
        table.add_section()
    return table


def _compare(results: Mapping[str, Result]) -> Table:
    table = _table(
        "compare()",
        "Literal: the same ids. Renamed: every id differs, and the order. Wrong: renamed, one value differs, reasons "
        "given.",
        "inserted rows", "literal", "renamed", "wrong",
    )  # fmt: skip
    for found in results.values():
        for rows, kinds in found.items():
            table.add_row(rows, *(microseconds(kinds[kind]["p50"]) for kind in ("literal", "renamed", "wrong")))
    return table


def _episode(results: Mapping[str, Result]) -> Table:
    table = _table(
        "Episode on a world: reset, 24 calls (2 refused), reward", "Arguments and results are JSON text. Medians.",
        "image", "whole", "min", "calls", "reward", "changed rows",
    )  # fmt: skip
    for name, found in results.items():
        table.add_row(
            name, *_times(found["whole"], "p50", "min"), microseconds(found["calls"]["p50"]),
            microseconds(found["reward"]["p50"]), str(found["changed_rows"]),
        )  # fmt: skip
    return table


def _faces(results: Mapping[str, Result]) -> Table:
    table = _table(
        "The same episode through the public faces", "25 messages: 24 with one call each, one that ends the turn.",
        "face", "mean", "p50", "min",
    )  # fmt: skip
    for found in results.values():
        for face, figures in found.items():
            table.add_row(face, *_times(figures, "mean", "p50", "min"))
    return table


def _imports(results: Mapping[str, Result]) -> Table:
    table = _table("Imports", "CPU time of fresh interpreters, files cached.", "import", "p50", "min")
    for found in results.values():
        table.add_row("gymnasium", *_times(found["gymnasium"], "p50", "min"))
        table.add_row("envfactory_gym, after it", *_times(found["envfactory_gym"], "p50", "min"))
    return table


def _memory(results: Mapping[str, Result]) -> Table:
    table = _table(
        "Memory per live world",
        "PSS of the process by smaps_rollup. Idle: right after the setup. Played: all 24 calls made and not undone. "
        "The first world also pays for what all share.",
        "image, form", "live worlds", "idle", "played", "anonymous", "whole process",
    )  # fmt: skip
    for name, found in results.items():
        for count, one in found["counts"].items():
            table.add_row(
                name, f"{int(count):,}", size(one["idle"]["pss"]), size(one["played"]["pss"]),
                size(one["played"]["anonymous"]), size(one["total"]["pss"]),
            )  # fmt: skip
        if "refused" in found:
            table.add_row(name, found["refused"])
        table.add_section()
    return table


def _deepcopy(results: Mapping[str, Result]) -> Table:
    table = _table(
        "Beside it: copy.deepcopy of the same state as dicts", "Garbage collection is off while it copies.",
        "image", "copies", "one copy, p50", "min", "memory per copy",
    )  # fmt: skip
    for name, found in results.items():
        memory = size(found["memory"]["anonymous"])
        table.add_row(name, str(found["copies"]), *_times(found["time"], "p50", "min"), memory)
    return table


def _servers(results: Mapping[str, Result]) -> Table:
    table = _table(
        "Beside it: an MCP server process per episode",
        "Wall clock, official client over stdio; CPU time of both sides; PSS of the servers.",
        "image", "episodes", "start", "one call", "episode, p50", "min", "CPU time, mean", "memory per server",
    )  # fmt: skip
    for name, found in results.items():
        table.add_row(
            name, str(found["episodes"]), microseconds(found["start"]["p50"]), microseconds(found["step"]["p50"]),
            *_times(found["whole"], "p50", "min"), microseconds(found["cpu"]), size(found["memory"]["pss"]),
        )  # fmt: skip
    return table


_TABLES: dict[str, Callable[[Mapping[str, Result]], Table]] = {
    "image": _image, "reset": _reset, "step": _step, "compare": _compare, "episode": _episode, "faces": _faces,
    "imports": _imports, "memory": _memory, "deepcopy": _deepcopy, "servers": _servers,
}  # fmt: skip


def show_budgets(console: Console, result: Result) -> None:
    """The budgets this project sets itself, and the ratios to the alternatives, as far as they were measured."""
    table = _table("Budgets and ratios of this run", "", "what", "budget", "measured")
    for what, budget, value, show_value in _budgets(result["parts"]):
        good = value <= budget
        table.add_row(what, show_value(budget), f"[{'green' if good else 'red'}]{show_value(value)}[/]")
    for what, ratio in _ratios(result["parts"]):
        table.add_row(what, "", f"{ratio:,.0f} ×" if ratio >= 10 else f"{ratio:.1f} ×")
    if table.row_count:
        console.print()
        console.print(table)


def _budgets(parts: Result) -> Iterator[tuple[str, float, float, Callable[[float], str]]]:
    for image, found in parts.get("reset", {}).items():
        form = found["default"]
        yield f"reset, {image}, after 16 writes, p50", 8, found[form]["16 writes"]["p50"], microseconds
    for image, found in parts.get("step", {}).items():
        yield f"two-statement step, {image}, mean", 25, found["write"]["mean"], microseconds
        yield f"  of it the framework, {image}, mean", 8, found["write_share"]["mean"], microseconds
    for image, found in parts.get("episode", {}).items():
        yield f"episode on a world, {image}, p50", 1_000, found["whole"]["p50"], microseconds
    for found in parts.get("faces", {}).values():
        for face in ("Episode", "EnvFactoryEnv"):
            yield f"episode through {face}, p50", 1_000, found[face]["p50"], microseconds
    for found in parts.get("imports", {}).values():
        yield "import, beyond gymnasium", 200_000, found["envfactory_gym"]["p50"], microseconds
    for name, found in parts.get("memory", {}).items():
        if "10000" in found["counts"]:
            yield f"10,000 worlds, {name}", 6e9, found["counts"]["10000"]["total"]["pss"], size


def _ratios(parts: Result) -> Iterator[tuple[str, float]]:
    resets, episodes, memory = parts.get("reset", {}), parts.get("episode", {}), parts.get("memory", {})
    for image, found in parts.get("deepcopy", {}).items():
        if image not in resets:
            continue
        form = resets[image]["default"]
        yield f"deepcopy : reset after 24 calls, {image}", found["time"]["p50"] / resets[image][form]["24 calls"]["p50"]
        if (worlds := memory.get(f"{image}, {form}")) and worlds["counts"]:
            per_world = list(worlds["counts"].values())[-1]["played"]["pss"]
            yield f"memory of a deepcopy : of a {form} world, {image}", found["memory"]["pss"] / per_world
    for image, found in parts.get("servers", {}).items():
        if image in episodes:
            world = episodes[image]["whole"]["mean"]
            yield f"CPU time of a server per episode : of an episode on a world, {image}", found["cpu"] / world
