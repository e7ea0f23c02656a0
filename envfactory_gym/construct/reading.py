"""One way in for every kind of source: what a file is, told by its content, and read to the form the model is made of.

Documents of all dialects end as one `Document` (OpenAPI 3); databases as one `Database`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .discovery import upgrade as discovery
from .openapi.document import Document
from .parsing import as_text, parse, read_bytes
from .problem import BuildError
from .swagger import upgrade as swagger


def read(source: str | Path) -> Document:
    """Read a source of any kind.

    Args:
        source: An OpenAPI 3.x, Swagger 2 or Google discovery document, as JSON or YAML.

    Raises:
        BuildError: The file is missing, cannot be parsed, or is no source of a known kind.
    """
    path = Path(source)
    return as_document(parse(as_text(read_bytes(path), path), path), path.name)


def as_document(raw: Any, file: str = "document") -> Document:
    """A parsed document of any dialect as OpenAPI 3.

    Raises:
        BuildError: It is no dialect we know, or has no paths.
    """
    if not isinstance(raw, Mapping):
        raise BuildError("this is not an API document but " + type(raw).__name__, file=file)
    try:
        if str(raw.get("swagger", "")).startswith("2"):
            return Document(swagger.upgrade(raw, file), file, kind="Swagger 2")
        if raw.get("kind") == "discovery#restDescription":
            return Document(discovery.upgrade(raw, file), file, kind="discovery document")
        return Document(raw, file)
    except RecursionError:
        raise BuildError("this document is nested too deeply to be read", file=file) from None
