"""`server.py` of a model: plain functions over a world, one table after the other."""

from __future__ import annotations

import keyword
import re

from ..model import Model, Resource
from ..naming import a, words
from .checks import emit_reader
from .helpers import helpers_for
from .render import bracket, documented, render
from .tool import emit_tool
from .trial import Trial
from .types import Types


def emit_server(model: Model, world: Trial) -> str:
    """The source text, formatted as `ruff format` with a line length of 120 would.

    Args:
        model: The resource model.
        world: Its base world, on which `candidates` and `refused` are tried.
    """
    types = Types.of(model)
    returns = _returns(model, types)
    tables = []
    for resource in model.resources:
        tables.append(emit_reader(model, types, resource))
        tables += [emit_tool(model, types, resource, tool, world) for tool in resource.tools]
    code = "\n\n\n".join([returns, *tables])
    helpers = helpers_for(code, model)
    values = _values(model, types, code)
    everything = "\n".join([values, code, *helpers])
    return render(
        "server.py.j2",
        opening=_opening(model),
        json=re.search(r"\bjson\.", everything) is not None,
        typing=[
            name
            for name in ("Annotated", "Any", "Literal", "NotRequired", "cast")
            if re.search(rf"\b{name}\b", everything)
        ],
        fields=[name for name in ("Day", "Moment") if re.search(rf"\b{name}\b", everything)],
        extensions=["TypedDict"] if re.search(r"\bTypedDict\b", everything) else [],
        values=values,
        returns=returns,
        helpers=helpers,
        tables=tables,
    )


def _opening(model: Model) -> str:
    tables = ", ".join(words(one.table) for one in model.resources)
    tools = sum(len(one.tools) for one in model.resources)
    head = documented(f"{model.title}: {tools} tools over {tables}.", [], indent=0).removesuffix('"""').rstrip("\n")
    return f'{head}\n\nCompiled from {model.origin}. {_GUIDE}\n"""'


_GUIDE = """\
Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason."""


_ALIASES = {
    "Line": ("Annotated[str, Field(min_length=1, max_length=200)]", "One line of text."),
    "Prose": ("Annotated[str, Field(max_length=2000)]", "Free text."),
    "Whole": ("Annotated[int, Field(ge=-(10**12), le=10**12)]", "A whole number."),
    "Number": ("Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]", "A number."),
    "Cursor": ('Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]', "Where the next page starts, as a list returned it."),
    "Offset": ("Annotated[int, Field(ge=0, le=1_000_000)]", "How many rows to skip."),
}


def _values(model: Model, types: Types, body: str) -> str:
    """Aliases for plain values, enums and keys, where the tools use them."""
    lines = []
    for values, name in types.enums.items():
        if re.search(rf"\b{name}\b", body):
            lines.append(types.enum_line(values))
    seen = set()
    for resource in model.resources:
        name = types.keys[resource.table]
        if name in seen or resource.key_field.references:
            continue
        seen.add(name)
        kind = "int" if resource.key_field.kind == "integer" else "str"
        bound = "Field(ge=-(10**12), le=10**12)" if kind == "int" else "Field(max_length=200)"
        lines.append(f'{name} = Annotated[{kind}, Ref("{resource.table}.{resource.key}"), {bound}]')
    for resource in model.resources:
        if order := types.orders.get(resource.table):
            lines.append(bracket(f"{order} = Literal[", [f'"{column}"' for column in resource.listing.sorts], "]"))
        if clearable := types.clearables.get(resource.table):
            fields = next(tool.clearable for tool in resource.tools if tool.clearable)
            lines.append(bracket(f"{clearable} = Literal[", [f'"{one.name}"' for one in fields], "]"))
    plain = [
        f'{name} = {kind}\n"""{about}"""' for name, (kind, about) in _ALIASES.items() if re.search(rf"\b{name}\b", body)
    ]
    return "\n".join([*plain, *lines])


def _row_doc(resource: Resource) -> str:
    """What the source says a row is; one of its kind where it says nothing."""
    if resource.description.rstrip(".").lower() != words(resource.table).lower():
        return resource.description
    one = a(words(resource.one))
    return f"{one[:1].upper()}{one[1:]}."


def _returns(model: Model, types: Types) -> str:
    blocks = []
    for nested, name in types.objects.items():
        members = types.object_members(nested)
        if any(keyword.iskeyword(key) for key, _ in members):
            inside = bracket("{", [f'"{key}": {kind}' for key, kind in members], "}", 4)
            blocks.append(bracket(f"{name} = TypedDict(", [f'"{name}"', inside], ")"))
        else:
            blocks.append(f"class {name}(TypedDict):\n" + "\n".join(f"    {key}: {kind}" for key, kind in members))
    for resource in model.resources:
        lines = [f"class {types.rows[resource.table]}(TypedDict):"]
        lines += [documented(_row_doc(resource), []), ""]
        lines += [f"    {one.name}: {types.returned(resource, one)}" for one in resource.shown]
        blocks.append("\n".join(lines))
        if resource.tool("list"):
            following = "next_cursor: Cursor | None" if resource.listing.cursor else "next_offset: Offset | None"
            blocks.append(
                f"class {types.pages[resource.table]}(TypedDict):\n"
                f"    {resource.table}: list[{types.rows[resource.table]}]\n    total: int\n    {following}"
            )
    if any(resource.tool("delete") for resource in model.resources):
        blocks.append("class Deleted(TypedDict):\n    deleted: str | int")
    return "\n\n\n".join(blocks)
