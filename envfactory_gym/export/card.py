"""The dataset card: what is in a folder, counted, so that nobody has to guess."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import mean

import yaml

from ..environment import Package
from .audit import Leak
from .prompts import Prompt
from .sample import Sample

SHOWN = 20
"""Findings of the audit that the card names; audit.json holds all."""


def write_card(
    folder: Path,
    title: str,
    to: str,
    counts: dict[str, int],
    samples: Sequence[Sample],
    prompts: Sequence[Prompt],
    leaks: Sequence[Leak],
    packages: Sequence[Package],
    *,
    plots: bool,
) -> None:
    """Write README.md, and plots where there are samples and they are wanted."""
    drawn: list[str] = []
    if plots and samples:
        from .plots import draw

        drawn = draw(samples, folder / "plots")
    parts = [
        _header(title, counts),
        f"# {title}",
        f"Multi-turn tool-use data in the format `{to}`, written by `envfactory export`. Rewards come from executed "
        "grading; a row holds what the agent saw and did, never a goal, a reference plan or a reason of the grader.",
        "## Files\n\n" + _table(("file", "rows"), counts.items()),
    ]
    if samples:
        parts += ["## Samples\n\n" + _samples(samples), "## Difficulty\n\n" + _difficulty(samples)]
    if prompts:
        rows = Counter((prompt.facts.name, prompt.task.split) for prompt in prompts)
        parts.append(
            "## Tasks for reinforcement learning\n\n"
            + _table(("environment", "split", "tasks"), ((*key, number) for key, number in sorted(rows.items())))
        )
    parts += [_sources(packages), _audit(leaks)]
    if drawn:
        parts.append("## Plots\n\n" + "\n".join(f"![{name}](plots/{name})" for name in drawn))
    (folder / "README.md").write_text("\n\n".join(part for part in parts if part) + "\n", encoding="utf-8")


def _header(title: str, counts: dict[str, int]) -> str:
    """The YAML head that hubs read: one configuration per kind of row, one data file per split."""
    kinds: dict[str, list[dict[str, str]]] = {}
    for name in counts:
        kind, _, file = name.partition("/")
        kinds.setdefault(kind, []).append({"split": Path(file).stem, "path": name})
    head = {
        "pretty_name": title,
        "tags": ["tool-use", "agents", "envfactory"],
        "configs": [{"config_name": kind, "data_files": files} for kind, files in sorted(kinds.items())],
    }
    return f"---\n{yaml.safe_dump(head, sort_keys=False, allow_unicode=True)}---"


def _samples(samples: Sequence[Sample]) -> str:
    groups: dict[tuple[str, ...], list[Sample]] = {}
    for sample in samples:
        key = (sample.facts.name, sample.facts.domain or "not stated", sample.split, sample.agent)
        groups.setdefault(key, []).append(sample)
    rows = [
        (
            *key,
            len(group),
            len({sample.task for sample in group}),
            f"{mean(bool(sample.success) for sample in group):.0%}",
            f"{mean(sample.steps for sample in group):.1f}",
            f"{mean(sample.calls for sample in group):.1f}",
        )
        for key, group in sorted(groups.items())
    ]
    heads = ("environment", "domain", "split", "agent", "samples", "tasks", "success", "steps", "calls")
    return _table(heads, rows)


def _difficulty(samples: Sequence[Sample]) -> str:
    stated = Counter(sample.facts.difficulty or "not stated" for sample in samples)
    kinds = Counter(kind for sample in samples for kind in sample.facts.kinds)
    text = _table(("difficulty", "samples"), sorted(stated.items()))
    return text + ("\n\n" + _table(("kind of task", "samples"), sorted(kinds.items())) if kinds else "")


def _sources(packages: Sequence[Package]) -> str:
    rows = [
        (package.id, source.title, source.licence)
        for package in packages
        for source in (package.manifest.sources or ())
    ]
    bare = [package.id for package in packages if not package.manifest.sources]
    rows += [(name, "none named", "not stated") for name in bare]
    text = _table(("environment", "source", "licence"), sorted(rows)) if rows else "No environment was named."
    return "## Sources and licences\n\n" + text


def _audit(leaks: Sequence[Leak]) -> str:
    if not leaks:
        return "## Leaks between splits\n\nNone found."
    serious = sum(leak.serious for leak in leaks)
    text = f"{serious} serious, {len(leaks) - serious} warnings; audit.json has them all."
    rows = [
        (leak.kind, "serious" if leak.serious else "warning", leak.one, leak.other)
        for leak in sorted(leaks, key=lambda leak: (not leak.serious, leak))[:SHOWN]
    ]
    return f"## Leaks between splits\n\n{text}\n\n" + _table(("kind", "", "one", "other"), rows)


def _table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
