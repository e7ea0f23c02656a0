"""Draw what train_trl.py wrote: pass rates on held-out tasks, and the reward of GRPO, one line a seed.

python examples/trl_figures.py RUN0 RUN1 RUN2 --out docs/images
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

WHEN = ("before SFT", "after SFT", "after RL")


def canvas(width: float) -> Figure:
    """An empty figure that needs no screen."""
    figure = Figure(figsize=(width, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def pass_rates(results: list[dict[str, Any]]) -> Figure:
    """One panel per environment; a bar for the mean, a dot for each seed."""
    names = list(results[0]["pass"][WHEN[0]])
    figure = canvas(3.2 * len(names))
    (panels,) = figure.subplots(1, len(names), sharey=True, squeeze=False)
    for panel, (axes, name) in enumerate(zip(panels, names, strict=True)):
        for place, when in enumerate(WHEN):
            rates = [result["pass"][when][name]["rate"] for result in results if when in result["pass"]]
            axes.bar(place, sum(rates) / max(1, len(rates)), color="#4c72b0", alpha=0.5)
            axes.plot([place] * len(rates), rates, "o", color="#1f3a5f", markersize=4)
        axes.set_xticks(range(len(WHEN)), WHEN)
        axes.set_ylim(0, 1.02)
        axes.set_title(name)
        axes.set_ylabel("" if panel else "held-out tasks passed")
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def rewards(results: list[dict[str, Any]]) -> Figure:
    """The mean reward of each GRPO step, and its mean over five steps."""
    figure = canvas(6.4)
    axes = figure.subplots()
    for result in (result for result in results if "reward" in result):
        reward = result["reward"]
        smooth = [sum(reward[max(0, i - 4) : i + 1]) / len(reward[max(0, i - 4) : i + 1]) for i in range(len(reward))]
        (line,) = axes.plot(smooth, label=f"seed {result['seed']}")
        axes.plot(reward, ".", color=line.get_color(), alpha=0.3, markersize=3)
    axes.set_xlabel("GRPO step")
    axes.set_ylabel("mean reward of the rollouts")
    axes.set_ylim(0, 1.02)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return figure


def main() -> None:
    """Draw, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path())
    chosen = parser.parse_args()
    results = [json.loads((run / "result.json").read_text()) for run in chosen.runs]
    chosen.out.mkdir(parents=True, exist_ok=True)
    plain = {"dpi": 110, "metadata": {"Software": None}}
    pass_rates(results).savefig(chosen.out / "train_trl_pass.png", **plain)
    rewards(results).savefig(chosen.out / "train_trl_reward.png", **plain)
    names = list(results[0]["pass"][WHEN[0]])
    print(
        "| seed | "
        + " | ".join(f"{name}, {when}" for name in names for when in WHEN)
        + " | reward first, last fifth | CPU s | s |"
    )
    print("|---" * (4 + len(names) * len(WHEN)) + "|")
    for result in results:
        measured = [result["pass"].get(when, {}).get(name) for name in names for when in WHEN]
        cells = [f"{one['passed']}/{one['tasks']}" if one else "-" for one in measured]
        reward = result.get("reward", [])
        fifth = max(1, len(reward) // 5)
        paid = f"{sum(reward[:fifth]) / fifth:.2f}, {sum(reward[-fifth:]) / fifth:.2f}" if reward else "-"
        times = (result[key].get("all") for key in ("cpu seconds", "seconds"))
        took = " | ".join("-" if time is None else f"{time:.0f}" for time in times)
        print(f"| {result['seed']} | " + " | ".join(cells) + f" | {paid} | {took} |")


if __name__ == "__main__":
    main()
