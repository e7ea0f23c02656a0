"""Writing a data set: rows by split, a card, plots, and the audit's findings, in one folder.

The layout is the same for every format: `sft/<split>` for samples, `rl/<split>` for prompts, README.md
as the card, `plots/`, `audit.json`. A format is one entry of `FORMATS`; it says how rows of each kind look.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from ..environment import EnvFactoryError, Package
from .audit import Leak, audit
from .card import write_card
from .chat import Arguments, Row, chat_rows
from .masks import Mask
from .messages import dump
from .parquet import packed, write_parquet
from .prompts import Prompt
from .rl import trl_row, verl_row, verl_tools
from .sample import Sample
from .sharegpt import DATASET_INFO, sharegpt_row


@dataclass(frozen=True)
class Choices:
    """How rows are made: per step or whole, which messages are trained on, and how arguments are written."""

    per_step: bool = False
    mask: Mask = Mask.ALL
    arguments: Arguments = "object"


Rows = Callable[[Sample, Choices], Iterable[Row]]


@dataclass(frozen=True)
class Format:
    """One format: rows of a sample, the row of a prompt (None where it has none), and the kind of file."""

    rows: Rows
    prompt: Callable[[Prompt, int], Row] | None
    parquet: bool = False


@dataclass(frozen=True)
class Dataset:
    """What `export` wrote.

    Attributes:
        folder: Where.
        rows: Number of rows per file, by path in the folder.
        leaks: Findings of the audit.
    """

    folder: Path
    rows: dict[str, int]
    leaks: list[Leak] = field(default_factory=list)

    @property
    def clean(self) -> bool:
        """Whether the audit found nothing serious."""
        return not any(leak.serious for leak in self.leaks)


def _chat(sample: Sample, choices: Choices) -> Iterator[Row]:
    return chat_rows(sample, per_step=choices.per_step, mask=choices.mask, arguments=choices.arguments)


def _whole_or_steps(sample: Sample, choices: Choices) -> Iterator[Row]:
    """Rows for trainers that know no mask per message: all messages, or rows per step."""
    _needs_steps(choices)
    for row in _chat(sample, choices):
        row.pop("loss", None)
        yield row


def _packed(sample: Sample, choices: Choices) -> Iterator[Row]:
    return map(packed, _chat(sample, choices))


def _verl(sample: Sample, choices: Choices) -> Iterator[Row]:
    if choices.per_step:
        raise EnvFactoryError("verl trains whole transcripts\n  -> leave --steps out")
    yield from map(packed, _chat(sample, choices))


def _sharegpt(sample: Sample, choices: Choices) -> Iterator[Row]:
    if choices.per_step or choices.mask is not Mask.ALL:
        raise EnvFactoryError("sharegpt rows are whole conversations without masks\n  -> leave --steps and --mask out")
    yield sharegpt_row(sample)


def _needs_steps(choices: Choices) -> None:
    if choices.mask is not Mask.ALL and not choices.per_step:
        raise EnvFactoryError(
            f"TRL masks by role and knows no mask per message, so --mask {choices.mask} needs rows per step\n"
            "  -> add --steps"
        )


FORMATS: dict[str, Format] = {
    "chat": Format(_chat, lambda prompt, index: trl_row(prompt)),
    "trl": Format(_whole_or_steps, lambda prompt, index: trl_row(prompt)),
    "verl": Format(_verl, verl_row, parquet=True),
    "sharegpt": Format(_sharegpt, None),
    "parquet": Format(_packed, lambda prompt, index: packed(trl_row(prompt)), parquet=True),
}
"""Every format by name."""


def export(
    samples: Iterable[Sample],
    folder: str | Path,
    to: str = "chat",
    *,
    prompts: Iterable[Prompt] = (),
    choices: Choices = Choices(),
    packages: Sequence[Package] = (),
    title: str = "EnvFactory trajectories",
    plots: bool = True,
) -> Dataset:
    """Write samples and prompts as a data set.

    Args:
        samples: Episodes for supervised training.
        folder: Where to write; made if need be, and must not hold a data set yet.
        to: Name of the format, see `FORMATS`.
        prompts: Tasks for reinforcement learning.
        choices: How rows are made.
        packages: The environments, for twins, sources and licences.
        title: Heading of the card.
        plots: Whether to draw (needs matplotlib).

    Raises:
        EnvFactoryError: The format is unknown or cannot do what was chosen, there is nothing to write, or the
            folder holds files.
    """
    if to not in FORMATS:
        raise EnvFactoryError(f"no format {to!r}\n  -> one of {', '.join(FORMATS)}")
    form, folder = FORMATS[to], Path(folder)
    if folder.exists() and any(folder.iterdir()):
        raise EnvFactoryError(f"{folder}: this folder holds files\n  -> name another, or empty it")
    kept, asked = list({sample.id: sample for sample in samples}.values()), list(prompts)
    if not kept and not asked:
        raise EnvFactoryError(
            "there is nothing to export\n  -> choose other splits or tasks, or keep more (--keep all)"
        )
    if asked and form.prompt is None:
        raise EnvFactoryError(f"{to} has no RL rows\n  -> export them --to trl or verl")
    files: dict[str, list[Row]] = {}
    suffix = "parquet" if form.parquet else "jsonl"
    for sample in kept:
        files.setdefault(f"sft/{sample.split}.{suffix}", []).extend(form.rows(sample, choices))
    for prompt in asked:
        assert form.prompt is not None
        rows = files.setdefault(f"rl/{prompt.task.split}.{suffix}", [])
        rows.append(form.prompt(prompt, len(rows)))
    files = {name: rows for name, rows in files.items() if rows}
    for name, rows in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if form.parquet:
            write_parquet(path, rows)
        else:
            path.write_text("".join(dump(row) + "\n" for row in rows), encoding="utf-8")
    _beside(folder, to, files, asked)
    leaks = audit([*kept, *asked], {package.id: package for package in packages})
    (folder / "audit.json").write_text(json.dumps([leak._asdict() for leak in leaks], indent=2) + "\n")
    counts = {name: len(rows) for name, rows in sorted(files.items())}
    write_card(folder, title, to, counts, kept, asked, leaks, packages, plots=plots)
    return Dataset(folder, counts, leaks)


def _beside(folder: Path, to: str, files: dict[str, list[Row]], asked: Sequence[Prompt]) -> None:
    """What a consumer needs beside its rows."""
    if to == "sharegpt":
        info = {Path(name).stem: {"file_name": name, **DATASET_INFO} for name in files}
        (folder / "dataset_info.json").write_text(json.dumps(info, indent=2) + "\n")
    if to == "verl" and asked:
        tools = {tool["function"]["name"]: tool for prompt in asked for tool in prompt.tools}
        text = yaml.safe_dump(verl_tools(list(tools.values())), sort_keys=False, allow_unicode=True)
        (folder / "tools.yaml").write_text(text, encoding="utf-8")
