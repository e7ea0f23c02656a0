"""`envfactory serve`: an environment over MCP on standard input and output."""

from __future__ import annotations

from pathlib import Path

import typer


def serve(
    name: str = typer.Argument(metavar="NAME", help="Name, id or folder of the environment."),
    task: str | None = typer.Option(None, help="Id of a task to play and grade; the base world if left out."),
    record: Path | None = typer.Option(None, help="File to append the run record to when the client leaves."),
    state: Path | None = typer.Option(None, help="File to resume from, if it exists, and to save to."),
    max_steps: int | None = typer.Option(None, min=1, help="Tool calls that a task may take; 100 if left out."),
) -> None:
    """Serve an environment to one MCP client, on standard input and output.

    Ends when the client leaves. With --task the task's solo form is played and graded then.
    """
    from envfactory_gym.environment import load_package
    from envfactory_gym.serve import serve_stdio
    from envfactory_gym.serve.session import MAX_STEPS

    serve_stdio(load_package(name), task=task, record=record, state=state, max_steps=max_steps or MAX_STEPS)
