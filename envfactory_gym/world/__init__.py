"""What one world IS: a live copy of an environment's database, and everything that keeps it exact.

Here live the template and its pool, connections and their guards, the change log, comparison,
ids, clock, budgets and the journal. Nothing here knows a conversation, a user or a reward.
"""

from __future__ import annotations

from .compare import Comparison, compare
from .facade import World
from .journal import Journal, JournalCall
from .live import LiveWorld
from .log import Changes, Happened
from .moments import Checkpoint, Mark
from .template import Template

__all__ = [
    "Changes",
    "Checkpoint",
    "Comparison",
    "Happened",
    "Journal",
    "JournalCall",
    "LiveWorld",
    "Mark",
    "Template",
    "World",
    "compare",
]
