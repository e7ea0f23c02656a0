"""Referring: how people refer to a row of a list, with proof that they mean no other.

`references` composes noun phrases from the nouns of language.yaml, or from the schema where a table
has none. Everything a phrase says is read back by the operations a solver has.
"""

from .nouns import noun_of
from .references import references
from .relation import Relation

__all__ = ["Relation", "noun_of", "references"]
