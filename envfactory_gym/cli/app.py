"""The command `envfactory`: its commands in reading order, and how errors reach a person."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup

from envfactory_gym.environment import EnvFactoryError

from .brief import brief
from .build import build
from .compare import compare
from .discover import discover
from .eval import evaluate_model
from .export import export
from .graph import graph
from .list import list_environments
from .output import MISTAKE
from .play import play
from .quickstart import quickstart
from .registry import registry
from .rescore import rescore
from .run import run
from .serve import serve
from .show import show
from .synth import synth
from .verify import verify


class Commands(TyperGroup):
    """The group of commands; turns the library's errors and unusable paths into one message and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except EnvFactoryError as error:
            typer.secho(f"error: {error}", err=True, fg=typer.colors.RED)
            raise typer.Exit(MISTAKE) from None
        except OSError as error:
            # Files are read and written for the user: a path that cannot be used is told, not traced.
            if error.filename is None or isinstance(error, BrokenPipeError):
                raise
            typer.secho(f"error: {error.filename}: {error.strerror}", err=True, fg=typer.colors.RED)
            typer.secho("  -> give a path that can be read and written here", err=True)
            raise typer.Exit(MISTAKE) from None

    def list_commands(self, ctx: Any) -> list[str]:
        """Commands in the order in which a newcomer meets them."""
        return list(self.commands)


app = typer.Typer(
    name="envfactory",
    help="Verified environments for tool-use agents: build, prove, play, serve.",
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
)

app.command("quickstart")(quickstart)
app.command("list")(list_environments)
app.command("show")(show)
app.command("play")(play)
app.command("run")(run)
app.command("eval")(evaluate_model)
app.command("rescore")(rescore)
app.command("compare")(compare)
app.command("export")(export)
app.command("build")(build)
app.command("brief")(brief)
app.command("discover")(discover)
app.command("verify")(verify)
app.command("graph")(graph)
app.command("synth")(synth)
app.command("serve")(serve)
app.command("registry")(registry)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"envfactory-gym {version('envfactory-gym')}")
        raise typer.Exit


@app.callback()
def options(
    version: bool = typer.Option(False, "--version", callback=_version, is_eager=True, help="Say which version."),
) -> None:
    """Verified environments for tool-use agents: build, prove, play, serve."""


def main() -> None:
    """Entry point of the command `envfactory`."""
    app(prog_name="envfactory")
