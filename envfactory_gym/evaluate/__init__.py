"""Evaluation: many episodes, what they say about an agent, and how sure that is.

What lives here: plans, the file of a run that can be gone on with, summaries with intervals, rescoring
without a model, and the comparison of two runs. What may not: playing (`agents`) and grading (`episode`);
a rate counts only episodes whose reward is valid, and everything else is counted beside it.
"""

from .comparing import Comparison, compare
from .failures import FAILURES, failure_of
from .plan import Item, choose, items
from .players import AgentPlayer, ModelPlayer, Player, Rules
from .rescoring import Rescored, rescore
from .running import RunStopped, evaluate
from .runs import RunFile, exchanges_path, settings_path
from .summary import METHOD, summarise

__all__ = [
    "FAILURES",
    "METHOD",
    "AgentPlayer",
    "Comparison",
    "Item",
    "ModelPlayer",
    "Player",
    "Rescored",
    "Rules",
    "RunFile",
    "RunStopped",
    "choose",
    "compare",
    "evaluate",
    "exchanges_path",
    "failure_of",
    "items",
    "rescore",
    "settings_path",
    "summarise",
]
