"""`envfactory serve`: environments over MCP, to one client on standard input and output, or to many over HTTP."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from envfactory_gym.serve.fleet import Settings
    from envfactory_gym.serve.fleet.workers import Front

HTTP = "Over HTTP"


def serve(
    names: list[str] = typer.Argument(None, metavar="[NAME]...", help="Name, id or folder; over HTTP, several."),
    task: str | None = typer.Option(None, help="Id of a task to play and grade; the base world if left out."),
    record: Path | None = typer.Option(None, help="File to append the run record to when the client leaves."),
    state: Path | None = typer.Option(None, help="File to resume from, if it exists, and to save to."),
    max_steps: int | None = typer.Option(None, min=1, help="Tool calls that a task may take; 100 if left out."),
    http: bool = typer.Option(False, "--http", help="Serve many clients over HTTP."),
    every: bool = typer.Option(False, "--all", help="Every environment there is.", rich_help_panel=HTTP),
    host: str = typer.Option("127.0.0.1", help="Where to listen; elsewhere only with a token.", rich_help_panel=HTTP),
    port: int = typer.Option(8765, min=0, max=65535, help="0 takes a free one and says which.", rich_help_panel=HTTP),
    token: str | None = typer.Option(
        None, envvar="ENVFACTORY_TOKEN", help="Master token; `auto` makes one.", rich_help_panel=HTTP
    ),
    allow_host: list[str] = typer.Option([], help="A further name of the server.", rich_help_panel=HTTP),
    allow_origin: list[str] = typer.Option([], help="A web page that may call.", rich_help_panel=HTTP),
    public_url: str | None = typer.Option(None, help="How clients reach it, behind a proxy.", rich_help_panel=HTTP),
    max_episodes: int = typer.Option(10_000, min=1, help="Episodes at once.", rich_help_panel=HTTP),
    max_live: int = typer.Option(1_000, min=1, help="Of them, with a world in memory.", rich_help_panel=HTTP),
    max_calls: int = typer.Option(100_000, min=1, help="Tool calls of an episode.", rich_help_panel=HTTP),
    ttl: float = typer.Option(3600.0, min=1.0, help="Seconds until an unused one is deleted.", rich_help_panel=HTTP),
    hibernate: Path | None = typer.Option(
        None, help="Folder for journals: episodes survive a restart.", rich_help_panel=HTTP
    ),
    workers: int = typer.Option(1, min=1, max=64, help="Processes, each with a port of its own.", rich_help_panel=HTTP),
    fast: bool = typer.Option(True, help="Take the short way for well-formed calls.", rich_help_panel=HTTP),
    log_format: str = typer.Option("text", help="`text` or `json`, one line an event.", rich_help_panel=HTTP),
    log_level: str = typer.Option("info", help="`debug`, `info`, `warning` or `error`.", rich_help_panel=HTTP),
) -> None:
    """Serve an environment to one MCP client, on standard input and output; with --http, many to many.

    On standard input and output it ends when the client leaves; with --task the task's solo form is played
    and graded then. Over HTTP it ends on SIGTERM or Ctrl-C; docs/serving.md tells the rest.
    """
    if not http:
        if every or len(names or []) != 1:
            raise typer.BadParameter("name one environment, or serve several with --http")
        _stdio(names[0], task, record, state, max_steps)
        return
    for option, given in {"--task": task, "--record": record, "--state": state, "--max-steps": max_steps}.items():
        if given is not None:
            raise typer.BadParameter(f"{option} goes without --http; over HTTP the control plane says it per episode")
    if log_format not in ("text", "json"):
        raise typer.BadParameter("--log-format is text or json")
    if log_level not in ("debug", "info", "warning", "error"):
        raise typer.BadParameter("--log-level is debug, info, warning or error")

    from envfactory_gym.serve.fleet import Settings, check_extra

    check_extra()
    settings = Settings(
        host=host,
        port=port,
        token=secrets.token_urlsafe(24) if token == "auto" else token or None,
        hosts=tuple(allow_host),
        origins=tuple(allow_origin),
        public_url=public_url,
        max_episodes=max_episodes,
        max_live=max_live,
        max_calls=max_calls,
        ttl=ttl,
        fast=fast,
        hibernate=hibernate,
        log_format=log_format,
        log_level=log_level,
    )
    _fleet(names or [], every, settings, workers, made=token == "auto")


def _stdio(name: str, task: str | None, record: Path | None, state: Path | None, max_steps: int | None) -> None:
    from envfactory_gym.environment import load_package
    from envfactory_gym.serve import serve_stdio
    from envfactory_gym.serve.session import MAX_STEPS

    serve_stdio(load_package(name), task=task, record=record, state=state, max_steps=max_steps or MAX_STEPS)


def _fleet(names: list[str], every: bool, settings: Settings, workers: int, *, made: bool) -> None:
    """Serve over HTTP; returns when told to stop."""
    from envfactory_gym.serve.fleet.app import Fleet
    from envfactory_gym.serve.fleet.running import run
    from envfactory_gym.serve.fleet.shelf import checked, everything
    from envfactory_gym.serve.fleet.workers import run_workers

    if every == bool(names):
        raise typer.BadParameter("name environments, or say --all")
    # Who names environments is told at once what is wrong with one; with --all, whoever asks for it is told.
    served = everything() if every else checked(names)
    if workers == 1:
        fleet = Fleet(served, settings)
        run(fleet, started=lambda: _say(fleet.base_url, settings, len(served), made=made))
        return

    def started(front: Front) -> None:
        _say(front.base_url, settings, len(served), made=made)
        for worker in front.workers:
            typer.echo(f"  worker {worker.number}      {worker.url}", err=True)

    run_workers(sorted(served) if every else names, settings, workers, started=started)


def _say(url: str, settings: Settings, count: int, *, made: bool) -> None:
    """Tell where it is and who may use it; on standard error, like every line of a server."""
    from .output import counted

    typer.secho(f"{counted(count, 'environment')} on {url}", err=True, bold=True)
    typer.echo(f"  control plane {url}/docs", err=True)
    if made:
        typer.echo(f"  master token  {settings.token}", err=True)
    elif settings.token is None:
        typer.echo("  no token: every program on this machine may use it; --token auto makes one", err=True)
