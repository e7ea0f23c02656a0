"""Endurance of the fleet: a hundred thousand episodes, requests made up by machines. Run by `make soak` and `make fuzz`.

Its files are called `check_*.py`, so that a plain `pytest` does not collect them: they take minutes.
"""
