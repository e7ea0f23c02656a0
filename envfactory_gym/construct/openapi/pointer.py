"""Following `$ref` inside one document: JSON pointers, circles, and what to say when one leads nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from ..problem import BuildError


def follow(raw: Any, node: Any, file: str) -> Any:
    """Follow `$ref` until something that is not a reference.

    Args:
        raw: The whole document.
        node: Where to start; returned as it is unless it is a reference.
        file: Name used in error messages.

    Raises:
        BuildError: The reference leaves the document, leads nowhere, or runs in a circle.
    """
    seen: list[str] = []
    while isinstance(node, Mapping) and isinstance(node.get("$ref"), str):
        ref = node["$ref"]
        if ref in seen:
            raise BuildError(f"the reference {ref} leads back to itself", file=file)
        seen.append(ref)
        node = look_up(raw, ref, file)
    return node


def look_up(raw: Any, ref: str, file: str) -> Any:
    """What stands at a JSON pointer such as `#/components/schemas/Pet`.

    Raises:
        BuildError: The reference leaves the document or leads nowhere.
    """
    if ref == "#":
        return raw
    if not ref.startswith("#/"):
        raise BuildError(
            f"the reference {ref} leaves this document", file=file, remedy="bundle the document into one file first"
        )
    node: Any = raw
    for part in ref[2:].split("/"):
        plain = part.replace("~1", "/").replace("~0", "~")
        keys = (plain, unquote(plain))
        if isinstance(node, Mapping) and (key := next((one for one in keys if one in node), None)) is not None:
            node = node[key]
        elif isinstance(node, list) and plain.isdecimal() and int(plain) < len(node):
            node = node[int(plain)]
        else:
            raise BuildError(f"the reference {ref} leads nowhere", file=file)
    return node
