"""Simple tasks on a compiled base world: what to ask, how a solver finds its way, and the words.

What may not live here: certification; `verify` executes the tasks and decides.
"""
