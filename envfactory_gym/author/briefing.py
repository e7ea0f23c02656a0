"""The brief: what an author needs to know, the sources to quote, a package that loads, and the command that judges.

A coding agent or a person gets the same as a model does: the format, the rules that `verify` executes, the
passages of the source, and a small environment that passes from the first moment, to be replaced piece by piece.
On top of an existing package the folder is a copy of it, and the brief speaks of what is to be added.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..construct.naming import snake
from ..environment import Package
from ..environment.hashing import BRIEF
from ..environment.registry import open_package
from .helpers import helpers
from .passages import SOURCES, Sources, is_sentence, last_number, read_sources
from .problem import AuthorError

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"


@dataclass(frozen=True)
class Brief:
    """What was written.

    Attributes:
        folder: The package's folder.
        name: The environment's name.
        passages: How many passages of the source can be quoted.
        based_on: Name of the package that it builds on; None for a new one.
        command: What judges the work.
    """

    folder: Path
    name: str
    passages: int
    based_on: str | None
    command: str


def write_brief(
    given: Iterable[str | Path],
    out: str | Path,
    *,
    on: str | Path | None = None,
    name: str | None = None,
    licence: str | None = None,
) -> Brief:
    """Write a brief and a package to begin with.

    Args:
        given: Sentences, documents, folders of documents; a package folder among them is what is built on.
        out: The folder to make; its name is the environment's unless `name` is given.
        on: An existing package, by folder or name: the new one is a copy to be extended.
        name: Lower case, letters, digits and `_`, at most 20 long.
        licence: Under which the documents came.

    Raises:
        AuthorError: There is no source, or the folder holds something already.
    """
    folder = Path(out).resolve()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise AuthorError("there is something in this folder", file=folder, remedy="choose another with --out")
    texts, bases = _sorted_out(given, on)
    if len(bases) > 1:
        raise AuthorError("two packages cannot be built on at once", remedy="choose one; the others are only read")
    base = bases[0] if bases else None
    sources = read_sources(texts, licence=licence) if texts else Sources(())
    called = environment_name(name or folder.name)
    if base is not None:
        _copy(base, folder)
        called = base.name
    else:
        write_skeleton(folder, called, sources)
    sources = write_sources(folder, sources)
    command = f"envfactory verify {out}"
    brief = render("brief.md.j2", name=called, folder=str(out), command=command, base=base, sources=sources,
                   helpers=helpers())  # fmt: skip
    (folder / BRIEF).write_text(brief, encoding="utf-8")
    return Brief(folder, called, len(sources.passages), base.name if base else None, command)


def write_skeleton(folder: Path, name: str, sources: Sources) -> None:
    """Write the small environment that loads and passes, under a name and with the sources it is to be made from."""
    title = name.replace("_", " ").capitalize()
    summary = "People book rooms here. (The example to be replaced.)"
    root = TEMPLATES / "package"
    for template in sorted(root.rglob("*.j2")):
        target = folder / template.relative_to(root).with_suffix("")
        target.parent.mkdir(parents=True, exist_ok=True)
        text = render(f"package/{template.relative_to(root).as_posix()}", name=name, title=title, domain="services",
                      summary=summary, sources=sources.documents)  # fmt: skip
        target.write_text(text, encoding="utf-8")


def write_sources(folder: Path, sources: Sources) -> Sources:
    """Write the passages into a package, behind those that it has; the sources, numbered as they stand there."""
    path = folder / SOURCES
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    numbered = replace(sources, first=last_number(before) + 1)
    if sources.documents or not before:
        added = render("sources.md.j2", sources=numbered, passages=numbered.passages, more=bool(before))
        path.write_text(f"{before}\n{added}" if before else added, encoding="utf-8")
    return numbered


def skill_text() -> str:
    """The skill file for coding agents: how to make an environment with this library."""
    return (Path(__file__).parent / "skill" / "SKILL.md").read_text(encoding="utf-8")


def environment_name(text: str) -> str:
    """A name for an environment, from the name of a folder.

    Raises:
        AuthorError: Nothing of it can be used.
    """
    name = snake(text)[:20].strip("_")
    if not name or not name[0].isalpha():
        raise AuthorError(f"{text!r} cannot name an environment", remedy="give --name, such as tool_library")
    return name


def render(template: str, **values: Any) -> str:
    """A template of this room, filled in."""
    return _templates().get_template(template).render(**values)


@cache
def _templates() -> Environment:
    """The templates (cached: parsing them takes longer than filling them in)."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), undefined=StrictUndefined, keep_trailing_newline=True,
        trim_blocks=True, lstrip_blocks=True, autoescape=False,
    )  # fmt: skip


def _sorted_out(given: Iterable[str | Path], on: str | Path | None) -> tuple[list[str | Path], list[Package]]:
    """What is to be read, and what is to be built on."""
    texts: list[str | Path] = []
    bases = [open_package(on)] if on is not None else []
    for one in given:
        if not is_sentence(one) and (Path(one) / "environment.yaml").is_file():
            bases.append(open_package(one))
        else:
            texts.append(one)
    return texts, bases


def _copy(base: Package, folder: Path) -> None:
    """A copy of a package, without what was executed on it."""
    left_out = shutil.ignore_patterns("__pycache__", "report.json", BRIEF, "authoring", ".*")
    shutil.copytree(base.path, folder, ignore=left_out, dirs_exist_ok=True)
