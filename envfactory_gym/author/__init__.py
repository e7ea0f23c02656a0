"""EnvGen with an author: from a sentence or documents to an environment, written by a model, an agent or a person.

What lives here: reading sources into quotable passages, the brief that every author gets, the staged
pipeline that a model goes through, and what is kept of a run. What may not: opinions. Whatever an
author hands in counts only as far as it was executed; the checks are those of `verify`.
"""

from .briefing import Brief, skill_text, write_brief
from .passages import Document, Passage, Sources, read_sources
from .problem import AuthorError

__all__ = [
    "AuthorError",
    "Brief",
    "Document",
    "Passage",
    "Sources",
    "read_sources",
    "skill_text",
    "write_brief",
]
