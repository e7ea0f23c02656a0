"""The mutation score: what share of small faults the behaviours notice, and which they do not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pydantic import BaseModel, ConfigDict

from ...environment import Package
from ...environment.files import read_yaml_as
from . import kept
from .judge import Verdict
from .mutants import LEAST, MOST, Mutant, all_mutants, sample, text_of
from .workers import SECONDS, verdicts

EQUIVALENT_SHARE = 0.05
"""At most this share of the counted mutants may be called equivalent."""

EQUIVALENT_FILE = "equivalent.yaml"
"""Mutant id → why no behaviour could ever tell it from the sound server."""


class Survivor(BaseModel):
    """A fault that nothing noticed.

    Attributes:
        id: The mutant.
        line: Line of its file, counted from 1.
        diff: The fault as a unified diff.
        ran: The behaviours that reached it and held all the same.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    line: int
    diff: str
    ran: tuple[str, ...]

    def __str__(self) -> str:
        ran = f"held: {'; '.join(self.ran)}" if self.ran else "no behaviour reaches it"
        return f"{self.id} (line {self.line})\n{self.diff}\n{ran}"


class MutationScore(BaseModel):
    """What became of the mutants of a package.

    Attributes:
        killed: Mutants that a behaviour noticed by a wrong result, error or change.
        survivors: Mutants that none noticed.
        left_out: Mutants that do not import, or only ever fail inside; they count nowhere.
        equivalent: Survivors that the package explains to be no faults; they count nowhere.
        possible: All mutants there are; of some tools only a sample was run.
        tools: Tool → counted mutants that it reaches.
        operators: Operator → (killed, counted).
        problems: What is wrong with the package's list of equivalent mutants.
        seed: Which sample was run.
    """

    model_config = ConfigDict(frozen=True)

    killed: int
    survivors: tuple[Survivor, ...]
    left_out: int
    equivalent: int
    possible: int
    tools: dict[str, int]
    operators: dict[str, tuple[int, int]]
    problems: tuple[str, ...] = ()
    seed: int = 0

    @property
    def counted(self) -> int:
        """Mutants in the denominator."""
        return self.killed + len(self.survivors)

    @property
    def share(self) -> float:
        """Killed mutants, of those counted; 0 where none counts."""
        return self.killed / self.counted if self.counted else 0.0

    def __str__(self) -> str:
        return f"{int(self.share * 1000) / 10:g} % of {self.counted}"

    def content(self) -> dict[str, Any]:
        """As report.json holds it."""
        return {
            "score": int(self.share * 1000) / 1000,
            "killed": self.killed,
            "counted": self.counted,
            "left_out": self.left_out,
            "equivalent": self.equivalent,
            "possible": self.possible,
            "seed": self.seed,
            "operators": {name: f"{killed}/{counted}" for name, (killed, counted) in self.operators.items()},
            "survivors": [survivor.id for survivor in self.survivors],
        }


def measure(
    package: Package,
    *,
    jobs: int = 1,
    most: int = MOST,
    seed: int = 0,
    seconds: float = SECONDS,
    progress: Callable[[int, int], None] | None = None,
    cache: bool = True,
) -> MutationScore:
    """Run mutants of every tool against the behaviours.

    The package's code runs in processes of its own, with your rights.

    Args:
        package: The environment. Its behaviours must hold.
        jobs: Processes.
        most: Mutants per tool; of more, a sample evenly over the operators.
        seed: Decides the sample.
        seconds: Wall-clock limit of one mutant.
        progress: Called with how many are done, and of how many.
        cache: Take verdicts from the user's cache folder where the same package was measured before.

    Raises:
        EnvFactoryError: A behaviour does not hold on the sound server.
    """
    every = all_mutants(package)
    chosen = sample(every, most=most, seed=seed)
    known = kept.load(package) if cache else {}
    left = [mutant for mutant in chosen if mutant.id not in known]
    found = dict(known)
    for verdict in verdicts(package, left, jobs=jobs, seconds=seconds):
        found[verdict.mutant] = verdict
        if progress:
            progress(len(chosen) - len(left) + len(found) - len(known), len(chosen))
    if cache and left:
        kept.save(package, found)
    return _score(package, every, chosen, found, seed)


def _score(
    package: Package, every: Sequence[Mutant], chosen: Sequence[Mutant], found: Mapping[str, Verdict], seed: int
) -> MutationScore:
    reasons = equivalents(package)
    killed, left_out, equivalent = 0, 0, 0
    survivors: list[Survivor] = []
    problems: list[str] = []
    tools: Counter[str] = Counter({tool: 0 for mutant in every for tool in mutant.tools})
    operators: dict[str, tuple[int, int]] = {}
    for mutant in chosen:
        verdict = found[mutant.id]
        if verdict.outcome == "left out":
            left_out += 1
            continue
        if verdict.outcome == "survived" and mutant.id in reasons:
            equivalent += 1
            continue
        if mutant.id in reasons:
            problems.append(f"{EQUIVALENT_FILE}: {mutant.id} is not equivalent: {verdict.by!r} tells it apart")
        dead = verdict.outcome == "killed"
        killed += dead
        done, counted = operators.get(mutant.operator, (0, 0))
        operators[mutant.operator] = (done + dead, counted + 1)
        tools.update(mutant.tools)
        if not dead:
            survivors.append(_survivor(mutant, text_of(package, mutant.file), verdict))
    names = {mutant.id for mutant in every}
    problems += [f"{EQUIVALENT_FILE}: there is no mutant {name}" for name in reasons if name not in names]
    if equivalent > EQUIVALENT_SHARE * (killed + len(survivors) + equivalent):
        problems.append(f"{EQUIVALENT_FILE}: {equivalent} of {killed + len(survivors) + equivalent} mutants, over 5 %")
    return MutationScore(
        killed=killed,
        survivors=tuple(survivors),
        left_out=left_out,
        equivalent=equivalent,
        possible=len(every),
        tools=dict(tools),
        operators=dict(sorted(operators.items())),
        problems=tuple(problems),
        seed=seed,
    )


def _survivor(mutant: Mutant, source: str, verdict: Verdict) -> Survivor:
    line = source.count("\n", 0, mutant.start) + 1
    return Survivor(id=mutant.id, line=line, diff=mutant.diff(source), ran=verdict.ran)


def equivalents(package: Package) -> dict[str, str]:
    """Mutant id → the reason why it is no fault; empty where the package has no such file."""
    path = package.path / EQUIVALENT_FILE
    if not path.exists():
        return {}
    return {name: reason for name, reason in (read_yaml_as(path, dict[str, str]) or {}).items() if reason.strip()}


__all__ = ["LEAST", "MutationScore", "Survivor", "equivalents", "measure"]
