"""What a tool IS: a typed function, its schemas, and what it declares about itself.

A tool is a plain function whose first parameter is the world. Everything else is read from its
signature and its docstring; `Ref` in a type says which column a value comes from, so that the
tool graph knows dependencies instead of guessing them.
"""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pydantic
from pydantic import ConfigDict, TypeAdapter, create_model
from pydantic_core import PydanticSerializationError, to_json

from .errors import EnvironmentFault, PackageError, ToolError
from .jsonschema import portable

MAX_NAME = 40
"""Longest tool name, prefix of a multi-environment episode included (hosts add their own)."""

RESERVED_NAMES = frozenset(
    {"reset", "step", "state", "close", "verify", "seed_session", "aggregate_metrics", "mcp", "get_reward"}
)
"""Names that trainers and hubs use themselves."""

EPISODE_TOOLS = frozenset({"decline_request", "answer", "read_more"})
"""Tools that act on the episode; no environment may define them."""

Actor = Literal["agent", "user", "episode"]
"""Who calls a tool, or what it acts on."""

_NAME = re.compile(r"^[a-z][a-z0-9_]*$")


@dataclass(frozen=True)
class Ref:
    """Marks a value as coming from a column (`table.column`) or a shared key (`universe.person`)."""

    target: str

    def __get_pydantic_json_schema__(self, core_schema: Any, handler: Any) -> dict[str, Any]:
        schema: dict[str, Any] = handler(core_schema)
        schema["x-ref"] = self.target
        return schema


@dataclass(frozen=True)
class Parameter:
    """One argument of a tool, as the tool graph and the samplers see it."""

    name: str
    required: bool
    default: Any
    schema: Mapping[str, Any]
    description: str
    ref: str | None


@dataclass(frozen=True)
class Tool:
    """A function that changes or reads a world, with everything a client may know about it.

    Attributes:
        name: Unique in its environment; a portable identifier of at most 40 characters.
        description: First paragraph(s) of the docstring, without the `Args` section.
        input_schema, output_schema: Portable JSON schemas (2020-12, inlined).
        writes: Tables the tool may change; empty for a read-only tool.
        destructive: Whether it may delete or overwrite what existed before.
        idempotent: Whether a second identical call changes nothing more.
        candidates: SQL giving argument tuples that should succeed; columns are argument names.
        refused: `ToolError.reason` (or code) → SQL giving argument tuples that should be refused.
        actor: `agent`; `user` for a tool that only the user can call; `episode` for one that acts
            on the episode and not on the world.
        confirm: Key arguments that the policy wants stated and affirmed before the call.
        outputs: Path in the result (`trips[].reservation_id`) → `Ref` target.
        prefix: What its name begins with because several environments meet, such as `airline__`.
    """

    name: str
    function: Callable[..., Any]
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    parameters: tuple[Parameter, ...]
    writes: tuple[str, ...] = ()
    destructive: bool = False
    idempotent: bool = False
    candidates: str | None = None
    refused: Mapping[str, str] = field(default_factory=dict)
    actor: Actor = "agent"
    confirm: tuple[str, ...] = ()
    outputs: Mapping[str, str] = field(default_factory=dict)
    prefix: str = ""
    _arguments: Any = None
    _result: Any = None

    @property
    def read_only(self) -> bool:
        """Whether the tool declares that it changes nothing."""
        return not self.writes

    @property
    def title(self) -> str:
        """The name as a person would write it."""
        return self.name.replace("__", ": ", 1).replace("_", " ").capitalize()

    def validate(self, arguments: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
        """Arguments, given as an object or as JSON text, as keyword arguments for the function.

        Types are strict (the text "5" is not a number); unknown arguments are refused.

        Raises:
            ToolError: `invalid`, with the offending argument in `field`.
        """
        try:
            text = arguments if isinstance(arguments, (str, bytes)) else to_json(arguments)
            model = self._arguments.validate_json(text or "{}")
        except pydantic.ValidationError as error:
            raise _invalid(self, error) from None
        except (PydanticSerializationError, UnicodeError, ValueError, TypeError) as error:
            raise ToolError("invalid", f"The arguments of {self.name} are not JSON: {error}") from None
        values: dict[str, Any] = model.__dict__
        for name, value in values.items():
            if not isinstance(value, str) and _too_large(value):
                raise ToolError("invalid", f"{name}: an integer has at most 64 bits.", field=name)
        return values

    def encode(self, result: Any) -> str:
        """The result as compact JSON text: the same bytes on every face of the library.

        Raises:
            EnvironmentFault: The result is not JSON.
        """
        try:
            return to_json(result, inf_nan_mode="null").decode()
        except (PydanticSerializationError, UnicodeError) as error:
            raise EnvironmentFault(
                f"{self.name} returned something that is not JSON: {error}", tool=self.name
            ) from error

    def check_result(self, text: str) -> str | None:
        """Why a result (as JSON text) does not fit the declared result type; None where it does."""
        try:
            self._result.validate_json(text, strict=True)
        except pydantic.ValidationError as error:
            first = error.errors(include_url=False)[0]
            return f"{'.'.join(map(str, first['loc'])) or 'result'}: {first['msg']}"
        return None

    def openai(self) -> dict[str, Any]:
        """The tool in the form of the OpenAI chat API; a fresh dict each time."""
        import copy

        return {
            "type": "function",
            "function": {
                "name": self.name,
                "description": self.description,
                "parameters": copy.deepcopy(self.input_schema),
            },
        }


def _too_large(value: Any) -> bool:
    """Whether an integer in a value does not fit a column: no tool can expect one, and SQLite takes none."""
    if isinstance(value, int):
        return not -(1 << 63) <= value < 1 << 63
    if isinstance(value, (list, tuple, set, frozenset)):
        items: Iterable[Any] = value
    elif isinstance(value, dict):
        items = value.values()
    elif isinstance(value, pydantic.BaseModel):
        items = vars(value).values()
    else:
        return False
    for item in items:  # noqa: SIM110 - at every call; a generator would cost twice as much
        if not isinstance(item, str) and _too_large(item):
            return True
    return False


def _invalid(tool: Tool, error: pydantic.ValidationError) -> ToolError:
    first = error.errors(include_url=False, include_input=False)[0]
    where = first["loc"]
    name = str(where[0]) if where else None
    known = ", ".join(parameter.name for parameter in tool.parameters) or "none"
    if first["type"] == "json_invalid":
        return ToolError("invalid", f"The arguments of {tool.name} are not valid JSON: {first['ctx']['error']}.")
    if first["type"] == "extra_forbidden":
        return ToolError("invalid", f"{tool.name} has no argument {name!r}; it takes: {known}.", field=name)
    if first["type"] == "missing" and len(where) == 1:
        return ToolError("invalid", f"{tool.name} needs the argument {name!r}.", field=name)
    path = ".".join(map(str, where)) or "arguments"
    return ToolError("invalid", f"{path}: {first['msg']}.", field=name)


def build_tool(
    function: Callable[..., Any],
    *,
    writes: tuple[str, ...] = (),
    destructive: bool = False,
    idempotent: bool = False,
    candidates: str | None = None,
    refused: Mapping[str, str] | None = None,
    actor: Actor = "agent",
    confirm: tuple[str, ...] = (),
) -> Tool:
    """Read a function into a `Tool`.

    Raises:
        PackageError: A name is not portable, a parameter or the result is not typed, or the
            docstring is missing.
    """
    name = function.__name__
    file, line = inspect.getsourcefile(function), function.__code__.co_firstlineno

    def wrong(problem: str, remedy: str) -> PackageError:
        return PackageError(problem, file=file, line=line, key=name, remedy=remedy)

    if not _NAME.match(name) or len(name) > MAX_NAME:
        raise wrong("a tool name is lower case, of letters, digits and _, at most 40 long", "rename the function")
    if name in RESERVED_NAMES or (name in EPISODE_TOOLS and actor != "episode"):
        raise wrong(f"the name {name!r} is reserved", "rename the function")
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except NameError as error:
        raise wrong(f"a type cannot be resolved: {error}", "import or define it at module level") from error
    signature = inspect.signature(function)
    if not signature.parameters or next(iter(signature.parameters)) != "world":
        raise wrong("the first parameter of a tool is `world`", f"write def {name}(world: World, ...)")
    if "return" not in hints:
        raise wrong("the result has no type", "annotate the return type, a TypedDict or a pydantic model")
    description, documented = _docstring(function)
    if not description:
        raise wrong("the tool has no docstring", "say in one sentence what it does, and describe arguments under Args:")

    fields: dict[str, Any] = {}
    for parameter in list(signature.parameters.values())[1:]:
        if parameter.name not in hints:
            raise wrong(f"the argument {parameter.name!r} has no type", "annotate it")
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            raise wrong("a tool takes no *args or **kwargs", "name each argument")
        default = ... if parameter.default is parameter.empty else parameter.default
        # What Args says comes first; without it, a type may describe itself (`Field(description=...)`).
        said: dict[str, Any] = {"description": documented[parameter.name]} if parameter.name in documented else {}
        fields[parameter.name] = (hints[parameter.name], pydantic.Field(default, **said))
    config = ConfigDict(extra="forbid", strict=True, protected_namespaces=())
    try:
        arguments = create_model(name, __config__=config, **fields)
        result = TypeAdapter(hints["return"])
        input_raw, output_raw = arguments.model_json_schema(), result.json_schema(mode="serialization")
    except (pydantic.errors.PydanticSchemaGenerationError, pydantic.errors.PydanticUserError) as error:
        raise wrong(
            f"a type cannot be described as JSON: {error}", "use plain types, TypedDict or pydantic models"
        ) from error

    inputs, outputs = portable(input_raw), portable(output_raw)
    inputs.setdefault("type", "object")
    inputs.setdefault("properties", {})
    inputs["additionalProperties"] = False
    required = set(inputs.get("required", ()))
    parameters = tuple(
        Parameter(
            name=key,
            required=key in required,
            default=schema.get("default"),
            schema=schema,
            description=schema.get("description", ""),
            ref=_first_ref(schema),
        )
        for key, schema in inputs["properties"].items()
    )
    if unknown := [key for key in confirm if key not in fields]:
        raise wrong(f"confirm names {unknown[0]!r}, which is no argument", f"its arguments are {', '.join(fields)}")
    found: dict[str, str] = {}
    _collect_refs(outputs, "", found)
    return Tool(
        name=name,
        function=function,
        description=description,
        input_schema=_without_refs(inputs),
        output_schema=_without_refs(outputs),
        parameters=parameters,
        writes=tuple(writes),
        destructive=destructive,
        idempotent=idempotent,
        candidates=candidates,
        refused=dict(refused or {}),
        actor=actor,
        confirm=tuple(confirm),
        outputs=found,
        _arguments=arguments.__pydantic_validator__,
        _result=result,
    )


def _docstring(function: Callable[..., Any]) -> tuple[str, dict[str, str]]:
    """Description and argument texts of a Google-style docstring."""
    text = inspect.getdoc(function) or ""
    head, _, rest = text.partition("\nArgs:\n")
    arguments: dict[str, str] = {}
    current = None
    for line in rest.splitlines():
        if line and not line.startswith(" "):
            break
        if match := re.match(r"^ {2,8}(\w+)(?: \([^)]*\))?: (.*)$", line):
            current = match.group(1)
            arguments[current] = match.group(2).strip()
        elif current and line.strip():
            arguments[current] += " " + line.strip()
    for section in ("\nReturns:\n", "\nRaises:\n"):
        head = head.partition(section)[0]
    return " ".join(head.split()), arguments


def _first_ref(schema: Mapping[str, Any]) -> str | None:
    if "x-ref" in schema:
        return str(schema["x-ref"])
    for child in [*schema.get("anyOf", ()), schema.get("items")]:
        if isinstance(child, Mapping) and (found := _first_ref(child)):
            return found
    return None


def _collect_refs(schema: Any, path: str, found: dict[str, str]) -> None:
    if not isinstance(schema, Mapping):
        return
    if "x-ref" in schema:
        found[path] = str(schema["x-ref"])
    for name, child in schema.get("properties", {}).items():
        _collect_refs(child, f"{path}.{name}" if path else name, found)
    _collect_refs(schema.get("items"), f"{path}[]", found)
    for child in schema.get("anyOf", ()):
        _collect_refs(child, path, found)


def _without_refs(node: Any) -> Any:
    if isinstance(node, dict):
        return {key: _without_refs(value) for key, value in node.items() if key != "x-ref"}
    return [_without_refs(item) for item in node] if isinstance(node, list) else node


Text = Annotated[str, pydantic.Field(max_length=2000)]
"""Free text of a bounded length."""
