"""One way in for every kind of source: what a file is, told by its content, and read to the form the model is made of.

Documents of all dialects end as one `Document` (OpenAPI 3); databases as one `Database`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .discovery import upgrade as discovery
from .model import Model
from .openapi import modelling as document_model
from .openapi.document import Document
from .parsing import as_text, parse, read_bytes
from .problem import BuildError, not_an_object
from .sql import modelling as database_model
from .sql.database import Database
from .sql.reading import SQLITE, read_file, read_script
from .swagger import upgrade as swagger

_SCRIPT = re.compile(
    r"\s*(?:(?:--|#)[^\n]*\n\s*|/\*.*?\*/[;\s]*)*(?:CREATE|DROP|SET|BEGIN|PRAGMA|INSERT|USE|START|ALTER|COMMENT)\s",
    re.I | re.S,
)
"""How an SQL script begins, after its comments."""


def read(source: str | Path) -> Document | Database:
    """Read a source of any kind.

    Args:
        source: An OpenAPI 3.x, Swagger 2 or Google discovery document, as JSON or YAML; a script of
            SQL definitions, with or without rows; or a SQLite file.

    Raises:
        BuildError: The file is missing, cannot be parsed, or is no source of a known kind.
    """
    path = Path(source)
    content = read_bytes(path)
    if content.startswith(SQLITE):
        return read_file(path)
    text = as_text(content, path)
    if path.suffix == ".sql" or _SCRIPT.match(text):
        return read_script(text, path.name)
    return as_document(parse(text, path), path.name)


def model_of(source: Document | Database, name: str, only: Sequence[str] = ()) -> Model:
    """Everything a source says, as a resource model of any size.

    Args:
        source: What `read` returned.
        name: Name of the environment.
        only: Tags, paths, operations or tables to which the model is limited.

    Raises:
        BuildError: The source keeps no state, or nothing matches `only`.
    """
    try:
        if isinstance(source, Database):
            return database_model.whole_model(source, name, only)
        return document_model.whole_model(source, name, only)
    except RecursionError:
        raise BuildError("this source is nested too deeply to be read", file=source.file) from None


def as_document(raw: Any, file: str = "document") -> Document:
    """A parsed document of any dialect as OpenAPI 3.

    Raises:
        BuildError: It is no dialect we know, or has no paths.
    """
    if not isinstance(raw, Mapping):
        raise BuildError(not_an_object(raw), file=file)
    try:
        if str(raw.get("swagger", "")).startswith("2"):
            return Document(swagger.upgrade(raw, file), file, kind="Swagger 2")
        if raw.get("kind") == "discovery#restDescription":
            return Document(discovery.upgrade(raw, file), file, kind="discovery document")
        return Document(raw, file)
    except RecursionError:
        raise BuildError("this document is nested too deeply to be read", file=file) from None
