"""Grounding: from a chain of tools to calls that work, with a source for every argument.

What a chain leaves open is found by execution in a world: which rows the tools are about
(`candidates` of the tools, joined by who owns the rows), and how a solver gets from what a user
knows to each value (`routes`). Nothing is assumed to work that has not been called.
"""
