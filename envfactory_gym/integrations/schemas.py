"""Functions with real signatures from tool schemas, for trainers that read tools off Python functions.

Such trainers see what `inspect` shows: a name, annotations and a Google docstring. They lose bounds,
unions and nested schemas on the way, so that adapters show the exact schemas by another way where there is one.
"""

from __future__ import annotations

import inspect
import keyword
from collections.abc import Callable, Mapping
from typing import Any, Literal, Optional

from ..environment import EnvFactoryError

TYPES: dict[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


def method_of(tool: Mapping[str, Any], call: Callable[[Any, str, dict[str, Any]], str]) -> Callable[..., str]:
    """A method for a tool in OpenAI form.

    Args:
        tool: The tool.
        call: Gets the instance, the tool's name and the arguments that were given.

    Raises:
        EnvFactoryError: Its name, or that of a parameter, is no Python identifier.
    """
    spec = tool["function"]
    name, schema = spec["name"], spec["parameters"]
    properties, required = schema.get("properties", {}), set(schema.get("required", ()))
    for identifier in (name, *properties):
        if not identifier.isidentifier() or keyword.iskeyword(identifier):
            raise EnvFactoryError(f"{identifier!r} is no Python name\n  -> rename this tool or parameter")

    def method(self: Any, **arguments: Any) -> str:
        return call(self, name, arguments)

    hints = {key: _annotation(properties[key], key in required) for key in properties}
    keywords = [
        inspect.Parameter(
            key,
            inspect.Parameter.KEYWORD_ONLY,
            annotation=hints[key],
            default=inspect.Parameter.empty if key in required else properties[key].get("default"),
        )
        for key in sorted(properties, key=lambda key: key not in required)
    ]
    own = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__name__ = method.__qualname__ = name
    method.__signature__ = inspect.Signature([own, *keywords], return_annotation=str)  # type: ignore[attr-defined]
    method.__annotations__ = {**hints, "return": str}
    lines = "\n".join(f"    {key}: {_line(properties[key].get('description') or key)}" for key in properties)
    arguments = f"\n\nArgs:\n{lines}" if lines else ""
    method.__doc__ = f"{spec['description']}{arguments}\n\nReturns:\n    The result as JSON text."
    return method


def _line(text: str) -> str:
    return " ".join(text.split())


def _annotation(schema: Mapping[str, Any], required: bool) -> Any:
    found = _type(schema)
    return found if required else Optional[found]  # noqa: UP045 - `X | None` has no form for types made at run time


def _type(schema: Mapping[str, Any]) -> Any:
    if values := tuple(value for value in schema.get("enum", ()) if value is not None):
        return Literal[values]
    for option in schema.get("anyOf", ()):
        if option.get("type") != "null":
            return _type(option)
    kind = schema.get("type", "string")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "string")
    if kind == "array" and isinstance(schema.get("items"), Mapping):
        return list[_type(schema["items"])]  # type: ignore[misc]
    return TYPES.get(kind, str)
