"""Play every task of an environment on a fleet of Ray actors, and write RUN.jsonl.

    pip install 'envfactory-gym[ray]'
    python examples/ray_fleet.py airline --actors 2 --out RUN.jsonl

In a cluster (`ray start` on each node), RAY_ADDRESS=auto makes it use all of it.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import ray

from envfactory_gym import load_package
from envfactory_gym.integrations.ray import EpisodePool, Job, gold_agent


def main() -> None:
    """Play, write, and say how it went."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("environment", nargs="?", default="airline")
    parser.add_argument("--actors", type=int, default=2, help="one per core that episodes may have")
    parser.add_argument("--rounds", type=int, default=1, help="how often each task is played")
    parser.add_argument("--out", type=Path, default=Path("RUN.jsonl"))
    chosen = parser.parse_args()
    ray.init(address=os.environ.get("RAY_ADDRESS"), include_dashboard=False, log_to_driver=False)
    tasks = load_package(chosen.environment).tasks
    jobs = [Job(chosen.environment, task.id, seed=number) for number in range(chosen.rounds) for task in tasks]
    start = time.perf_counter()
    with EpisodePool(gold_agent, actors=chosen.actors) as pool, chosen.out.open("w", encoding="utf-8") as file:
        won = 0
        for record in pool.play(jobs):
            file.write(record.line())
            won += bool(record.outcome and record.outcome.success)
        print(f"{won} of {len(jobs)} episodes succeeded, {pool.lost} actors lost, {time.perf_counter() - start:.1f} s")
    ray.shutdown()


if __name__ == "__main__":
    main()
