"""Acceptance by other people's tools: the official conformance suite and the inspector, run by `make conformance`.

Its files are called `check_*.py`, so that a plain `pytest` does not collect them: they install from npm and take minutes.
"""
