"""Plots of a data set: turns, steps, tools, and domains as a sunburst. The only module that knows matplotlib."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..environment import EnvFactoryError
from .sample import Sample

BARS = 20
"""Tools that the plot of tools shows."""


def draw(samples: Sequence[Sample], folder: Path) -> list[str]:
    """Draw all plots of some samples into a folder.

    Returns:
        The names of the files.

    Raises:
        EnvFactoryError: matplotlib is not installed.
    """
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise EnvFactoryError(
            "plots are drawn with matplotlib\n  -> pip install 'envfactory-gym[export]', or leave them out: --no-plots"
        ) from None
    folder.mkdir(parents=True, exist_ok=True)
    names = []
    for name, paint in {"turns": _turns, "steps": _steps, "tools": _tools, "domains": _domains}.items():
        figure = Figure(figsize=(6, 6 if name == "domains" else 3.4), layout="constrained")
        FigureCanvasAgg(figure)
        paint(figure, samples)
        # No version and no date inside: the same data draws the same bytes.
        figure.savefig(folder / f"{name}.png", dpi=110, metadata={"Software": None})
        names.append(f"{name}.png")
    return names


def _turns(figure: Any, samples: Sequence[Sample]) -> None:
    said = [sum(message["role"] == "user" for message in sample.messages) for sample in samples]
    _histogram(figure, said, "messages of the user", "samples")


def _steps(figure: Any, samples: Sequence[Sample]) -> None:
    _histogram(figure, [sample.steps for sample in samples], "messages of the agent", "samples")


def _histogram(figure: Any, numbers: Sequence[int], label: str, count: str) -> None:
    axes = figure.add_subplot()
    counts = Counter(numbers)
    axes.bar(list(counts), list(counts.values()), width=0.8, color="#4c72b0")
    axes.set_xlabel(label)
    axes.set_ylabel(count)
    axes.spines[["top", "right"]].set_visible(False)


def _tools(figure: Any, samples: Sequence[Sample]) -> None:
    counts = Counter(
        call["function"]["name"]
        for sample in samples
        for message in sample.messages
        for call in message.get("tool_calls", ())
    )
    shown = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:BARS][::-1]
    figure.set_size_inches(6, max(2.0, 0.26 * len(shown) + 0.8))
    axes = figure.add_subplot()
    axes.barh([name for name, _ in shown], [number for _, number in shown], color="#55a868")
    axes.set_xlabel(f"calls (the {len(shown)} tools most called of {len(counts)})")
    axes.spines[["top", "right"]].set_visible(False)


def _domains(figure: Any, samples: Sequence[Sample]) -> None:
    """Three rings: domain, environment, kind of task; each slice as wide as its samples."""
    axes = figure.add_subplot()
    rings: list[list[tuple[tuple[str, ...], int]]] = []
    for depth in (1, 2, 3):
        counts = Counter(_path(sample)[:depth] for sample in samples)
        rings.append(sorted(counts.items()))
    from matplotlib import colormaps

    colours = {key[0]: colormaps["tab20"](index % 20) for index, (key, _) in enumerate(rings[0])}
    for depth, ring in enumerate(rings):
        total = sum(number for _, number in ring)
        axes.pie(
            [number for _, number in ring],
            radius=0.4 + 0.3 * depth,
            labels=[key[-1] if number / total > 0.03 else "" for key, number in ring],
            labeldistance=(0.35, 0.7, 0.78)[depth],
            colors=[(*colours[key[0]][:3], 1.0 - 0.25 * depth) for key, _ in ring],
            wedgeprops={"width": 0.3, "edgecolor": "white"},
            textprops={"fontsize": 7, "ha": "center"},
        )
    axes.set_aspect("equal")


def _path(sample: Sample) -> tuple[str, str, str]:
    kind = sample.facts.kinds[0] if sample.facts.kinds else "not stated"
    return (sample.facts.domain or "not stated", sample.facts.name, kind)
