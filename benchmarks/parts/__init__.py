"""The measurements: one module each, with one function `measure` that returns plain data.

Each runs in a process of its own (`benchmarks.processes`). Times are microseconds, memory is
bytes, unless a name says otherwise.
"""
