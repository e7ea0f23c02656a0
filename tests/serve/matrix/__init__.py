"""Clients as people have them, each in a virtual environment of its own, against a running fleet: `make clients`.

Its files are called `check_*.py`, so that a plain `pytest` does not collect them: they install from PyPI.
"""
