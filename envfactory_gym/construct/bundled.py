"""The documents that come with the library, so that a first build needs no download."""

from __future__ import annotations

from pathlib import Path

from .problem import BuildError

_PACKAGE = Path(__file__).resolve().parent.parent


def bundled_source(name: str = "apideck-crm") -> Path:
    """Path of a document that comes with the library.

    Installed, it lies in `envfactory_gym/_data`; in a checkout, in `examples/sources`.

    Raises:
        BuildError: There is no document of that name.
    """
    for folder in (_PACKAGE / "_data", _PACKAGE.parent / "examples" / "sources"):
        path = folder / f"{name}.json"
        if path.is_file():
            return path
    raise BuildError(
        f"no document called {name!r} comes with the library", remedy="give the path of an OpenAPI document"
    )
