"""Mutation: small faults planted in server.py, in Python and in SQL, and whether a behaviour notices.

`source` and `sql_text` know the text, the two `_operators` modules the faults, `mutants` their
names and the sample, `patching` and `judge` run one, `workers` run many, `score` counts.
"""

from .mutants import LEAST, MOST, OPERATORS, Mutant, all_mutants, sample
from .score import MutationScore, Survivor, measure

__all__ = ["LEAST", "MOST", "OPERATORS", "Mutant", "MutationScore", "Survivor", "all_mutants", "measure", "sample"]
