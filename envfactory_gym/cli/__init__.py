"""The terminal: one file per command, each a thin face on what the lower rooms do.

Nothing here decides anything: a command reads its options, calls one room, and shows the result,
for people (rich, plain when the output is not a terminal) or for programs (`--json`). Whatever a
command needs is imported when it runs, so that `envfactory --help` stays quick.
"""

from .app import app, main

__all__ = ["app", "main"]
