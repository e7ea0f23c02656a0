"""Many documents at once: which ones, one process for each, and a record of how far each got.

What lives here: choosing and naming documents, the process that takes one document from text to
verified package, and the sweep that runs those processes and keeps their records. What may not:
anything about what a document means.
"""

from .record import STAGES, Record, Records
from .sources import Source, find_sources
from .sweep import Limits, Sweep

__all__ = ["STAGES", "Limits", "Record", "Records", "Source", "Sweep", "find_sources"]
