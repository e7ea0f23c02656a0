"""`envfactory brief`: what the author of an environment needs to know, and a package that loads, to begin with."""

from __future__ import annotations

from pathlib import Path

import typer

from .output import JSON_OPTION, console, counted, emit_json, say


def brief(
    source: list[str] = typer.Argument(
        None, metavar="SOURCE...", help="Sentences, documents (.md, .html, .txt), folders of them, or a package."
    ),
    out: Path | None = typer.Option(None, help="The folder to make: the package, with BRIEF.md in it."),
    on: str | None = typer.Option(None, "--on", metavar="PACKAGE", help="Build on a copy of this package."),
    name: str | None = typer.Option(None, help="The environment's name; the folder's if left out."),
    licence: str | None = typer.Option(None, help="Under which the documents came."),
    skill: bool = typer.Option(False, "--skill", help="Write the skill file for coding agents to standard output."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Brief an author, a person or a coding agent, and give them a package that loads already."""
    from envfactory_gym.author import AuthorError, skill_text, write_brief

    if skill:
        typer.echo(skill_text(), nl=False)
        return
    if out is None or not (source or on):
        raise AuthorError("a brief is about something, and for some folder", remedy="give SOURCE and --out DIR")
    made = write_brief(source or [], out, on=on, name=name, licence=licence)
    if as_json:
        emit_json(
            {
                "path": str(made.folder),
                "name": made.name,
                "brief": str(made.folder / "BRIEF.md"),
                "passages": made.passages,
                "based_on": made.based_on,
                "acceptance": made.command,
            }
        )
        return
    screen = console()
    begun = f"a copy of {made.based_on}" if made.based_on else "a small package that passes"
    say(screen, f"{out} holds {begun}, {counted(made.passages, 'passage')} to quote, and the brief.")
    say(screen, f"Next: read {out / 'BRIEF.md'}. What judges: `{made.command}`")
