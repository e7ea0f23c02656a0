"""Samplers: chains of tools from a tool graph.

`TopologySampler` is the one to use: every required input of every step can be supplied. The two others are
there to be compared with. Nothing here knows a world or a word.
"""

from __future__ import annotations

from .coverage import Coverage, evenness
from .limits import PRESETS, Limits
from .topology import TopologySampler

__all__ = ["PRESETS", "Coverage", "Limits", "TopologySampler", "evenness"]
