"""`python server.py`: the few arguments a package's own file takes when it is run."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from ..environment import EnvFactoryError, Environment, Package
from .session import MAX_STEPS
from .stdio import serve_stdio

MISTAKE, INTERRUPTED = 2, 130
"""Exit codes: the server could not run as asked; Ctrl-C before it ran."""


def serve_environment(environment: Environment, arguments: Sequence[str] | None = None) -> None:
    """Serve the environment whose server.py runs as a script; what `env.serve()` calls.

    Args:
        environment: Its tools; the rest of the package is read from beside server.py.
        arguments: Command-line arguments; those of the process if left out.

    Raises:
        SystemExit: It cannot run as asked; the reason stands on standard error.
    """
    options = _parser().parse_args(arguments)
    try:
        package = Package(environment.path, environment=environment)
        serve_stdio(package, task=options.task, record=options.record, state=options.state, max_steps=options.max_steps)
    except EnvFactoryError as error:
        sys.stderr.write(f"error: {error}\n")
        raise SystemExit(MISTAKE) from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        description="Serve this environment over MCP on standard input and output.", allow_abbrev=False
    )
    parser.add_argument("--task", metavar="ID", help="play this task and grade it; the base world if left out")
    parser.add_argument("--record", metavar="FILE", type=Path, help="append the run record to FILE at the end")
    parser.add_argument("--state", metavar="FILE", type=Path, help="resume from FILE if it exists, and save there")
    parser.add_argument("--max-steps", metavar="N", type=_positive, default=MAX_STEPS, help="calls a task may take")
    return parser


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be at least 1")
    return number
