"""Samplers: chains of tools from a tool graph.

`TopologySampler` is the one to use: every required input of every step can be supplied. The two others are
there to be compared with (`compare`). Nothing here knows a world or a word.
"""

from __future__ import annotations

from .baselines import RandomWalkSampler, ReferenceSampler, Walk
from .check import Problem, problems
from .compare import Figures, compare
from .coverage import Coverage, evenness
from .limits import PRESETS, Limits, preset
from .topology import TopologySampler

__all__ = [
    "PRESETS",
    "Coverage",
    "Figures",
    "Limits",
    "Problem",
    "RandomWalkSampler",
    "ReferenceSampler",
    "TopologySampler",
    "Walk",
    "compare",
    "evenness",
    "preset",
    "problems",
]
