"""The base world of a model: plausible linked rows, the same for the same seed on every Python.

What may not live here: anything about how rows are stored, or about the document they come from.
"""
