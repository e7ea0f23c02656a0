"""How many tasks come out of the sampler's chains, how fast, and what they are like: `python -m benchmarks.synthesis`.

Chains are counted from the sampler's raw output. Making (grounding, wording, gold) is timed apart from
certifying, in CPU seconds of one process; a machine with two cores makes twice as many. Certificates are
executed on the first chains of each set only, since they take most of the time; making goes on without them.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from itertools import islice
from time import process_time
from typing import Any

from envfactory_gym.synthesize.difficulty import Difficulty
from envfactory_gym.synthesize.duplicates import Duplicates
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, load, maker_of, work
from envfactory_gym.synthesize.presets import MIXES, Preset
from envfactory_gym.synthesize.turns import Rejected


def measure(source: tuple[str, ...], preset: Preset, chains: int, certified: int, seed: int) -> dict[str, Any]:
    """The figures of one environment (or several that are spanned) and preset."""
    package, recipe = load(source), Recipe(source, seed, preset)
    maker, drawn = maker_of(package, recipe), list(islice(chains_of(package, recipe), chains))
    for number, chain in enumerate(drawn[:40]):  # looking around in the environment is paid once, not per task
        try:
            maker.make(chain, number)
        except Rejected:
            continue
    became, grounded, failed = 0, 0, Counter[str]()
    for number, chain in enumerate(drawn[:certified]):
        worked = work(maker, chain, number)
        became += bool(worked.tasks)
        grounded += bool(worked.tasks) or bool(worked.failed)
        failed.update(worked.failed)
    duplicates, repeated, tools = Duplicates(), 0, Counter[str]()
    difficulties: list[Difficulty] = []
    rejected, began, tasks = Counter[str](), process_time(), 0
    for number, chain in enumerate(drawn):
        try:
            made = maker.make(chain, number)
        except Rejected as cause:
            rejected[cause.cause] += 1
            continue
        tasks += 2 if made.twin else 1
        tools.update(made.tools)
        difficulties.append(made.difficulty)
        repeated += not duplicates.add(made.template, "\n".join(turn.request for turn in made.task.turns))
    seconds = process_time() - began
    graded = sum(one.arguments for one in difficulties)
    offered = [name for name, tool in package.tools.items() if tool.actor != "episode"]
    return {
        "environments": "+".join(source),
        "preset": preset,
        "chains": chains,
        "made": len(difficulties),
        "tasks per CPU second": round(tasks / seconds, 1),
        "certified chains": certified,
        "became tasks": round(became / max(certified, 1), 4),
        "failed after wording": round((grounded - became) / max(grounded, 1), 4),
        "failed rows": dict(failed.most_common()),
        "rejected": dict(rejected.most_common()),
        "near-duplicates": round(repeated / max(len(difficulties), 1), 4),
        "tools unused": sorted(set(offered) - set(tools)),
        "referred to or inferred": round(
            sum(one.arguments * (one.referred + one.inferred) for one in difficulties) / max(graded, 1), 4
        ),
        "levels": dict(Counter(one.level for one in difficulties)),
    }


def main() -> None:
    """Print one JSON object per set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("environments", nargs="*", default=["airline", "crm", "airline+crm"])
    parser.add_argument("--presets", nargs="*", default=list(MIXES), choices=list(MIXES))
    parser.add_argument("--chains", type=int, default=300)
    parser.add_argument("--certified", type=int, default=60)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    for environments in options.environments:
        for preset in options.presets:
            found = measure(tuple(environments.split("+")), preset, options.chains, options.certified, options.seed)
            print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
