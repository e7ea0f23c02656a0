"""How well similarity finds what is declared, and how samplers differ: `python -m benchmarks.tool_graph`.

The shipped environments say by `Ref` which results and inputs belong together. So a backend's links can be held
against the declared ones: precision is the share of its links that are declared, recall the share of the
declared ones that it finds. Samplers are compared on the executed graph.
"""

from __future__ import annotations

import argparse
import json
from time import perf_counter, process_time
from typing import Any

from envfactory_gym.environment import Bundle, load_package
from envfactory_gym.synthesize.graph import ToolGraph
from envfactory_gym.synthesize.graph.similarity import similarity
from envfactory_gym.synthesize.sampling import compare


def agreement(name: str, backend: str, threshold: float | None) -> dict[str, Any]:
    """Precision and recall of a backend's links on one environment, by the declared ones."""
    by = similarity(backend) if threshold is None else similarity(backend, threshold=threshold)
    begun = process_time()
    graph = ToolGraph.build(load_package(name), similarity=by, execute=False, cache=False)
    took = process_time() - begun
    declared = {link.key for link in graph.links if link.declared}
    alike = {link.key for link in graph.links if link.similar is not None}
    return {
        "environment": name,
        "similarity": backend,
        "threshold": by.threshold,
        "declared": len(declared),
        "similar": len(alike),
        "precision": round(len(declared & alike) / max(1, len(alike)), 3),
        "recall": round(len(declared & alike) / max(1, len(declared)), 3),
        "cpu_seconds": round(took, 2),
    }


def building(*names: str) -> dict[str, Any]:
    """How long an executed graph takes, nothing cached, the world's template included."""
    packages = [load_package(name) for name in names]
    begun = perf_counter()
    graph = ToolGraph.build(packages[0] if len(packages) == 1 else Bundle(packages), cache=False)
    took = perf_counter() - begun
    return {
        "environments": list(names),
        "tools": len(graph.tools),
        "links": len(graph.links),
        "seconds": round(took, 2),
    }


def main() -> None:
    """Measure and print as JSON, one object a line."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--similarity", nargs="*", default=["lexical"], help="lexical, minilm, openai")
    options.add_argument("--thresholds", nargs="*", type=float, help="by default each backend's own")
    options.add_argument("--chains", type=int, default=600)
    chosen = options.parse_args()
    for name in ("airline", "crm"):
        for backend in chosen.similarity:
            for threshold in chosen.thresholds or [None]:
                print(json.dumps(agreement(name, backend, threshold)), flush=True)
    for names in (("airline",), ("crm",), ("airline", "crm")):
        print(json.dumps(building(*names)), flush=True)
        packages = [load_package(name) for name in names]
        graph = ToolGraph.build(packages[0] if len(packages) == 1 else Bundle(packages))
        for figures in compare(graph, chosen.chains):
            print(json.dumps({"environments": list(names), **figures.as_dict()}), flush=True)


if __name__ == "__main__":
    main()
