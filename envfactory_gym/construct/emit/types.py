"""Names and types of the emitted server: one alias per identifier, enum and nested object."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from ..model import Field, Kind, Model, Nested, Resource
from ..naming import pascal, plural
from .render import WIDTH, bracket, text

_PLAIN: dict[Kind, str] = {
    "text": "Line",
    "integer": "Whole",
    "number": "Number",
    "boolean": "bool",
    "date": "Day",
    "datetime": "Moment",
}
_RETURNED: dict[Kind, str] = {
    "text": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "date": "str",
    "datetime": "str",
}
_TAKEN = frozenset(
    {
        "Annotated", "Any", "Literal", "Environment", "Ref", "ToolError", "World", "Field", "TypedDict",
        "NotRequired", "Line", "Prose", "Day", "Moment", "Whole", "Number", "Limit", "Cursor", "Offset", "Deleted",
    }
)  # fmt: skip


@dataclass
class Types:
    """Every type of one server, by what it stands for.

    Attributes:
        keys: Table → alias of its key.
        rows, pages: Table → class of a row, and of a list result.
        orders: Table → alias of the columns it sorts by.
        clearables: Table → alias of the columns that an update may empty.
        enums: Values → alias of the Literal.
        objects: Nested object → class.
    """

    keys: dict[str, str] = field(default_factory=dict)
    rows: dict[str, str] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    orders: dict[str, str] = field(default_factory=dict)
    clearables: dict[str, str] = field(default_factory=dict)
    enums: dict[tuple[object, ...], str] = field(default_factory=dict)
    objects: dict[Nested, str] = field(default_factory=dict)
    _names: set[str] = field(default_factory=lambda: set(_TAKEN))

    @classmethod
    def of(cls, model: Model) -> Types:
        """Choose all names, rows first, so that what people read most is called best."""
        types = cls()
        for resource in model.resources:
            types.rows[resource.table] = types._fresh(pascal(resource.one))
        for resource in model.resources:
            key = resource.key.rstrip("_")
            stem = key if key.startswith(resource.one) else f"{resource.one}_{key}"
            if resource.key_field.references:
                continue
            types.keys[resource.table] = types._fresh(pascal(stem))
            many = plural(resource.one)
            types.pages[resource.table] = types._fresh(pascal(many) if many != resource.one else f"{pascal(many)}List")
        for resource in model.resources:
            if resource.key_field.references:
                types.keys[resource.table] = types.keys[resource.key_field.references]
                types.pages[resource.table] = types._fresh(pascal(plural(resource.one)))
        for resource in model.resources:
            if resource.listing.sorts:
                types.orders[resource.table] = types._fresh(f"{types.rows[resource.table]}Order")
        for resource in model.resources:
            if any(tool.clearable for tool in resource.tools):
                types.clearables[resource.table] = types._fresh(f"{types.rows[resource.table]}Clearable")
        owners: dict[tuple[object, ...], list[tuple[Resource, Field]]] = {}
        for resource in model.resources:
            for one in resource.fields:
                if one.enum:
                    owners.setdefault(one.enum, []).append((resource, one))
        short = {values: pascal(users[0][1].name) for values, users in owners.items()}
        long = {values: pascal(f"{users[0][0].one}_{users[0][1].name}") for values, users in owners.items()}
        shared = Counter(name for users in owners.values() for name in {one.name for _, one in users})
        clashing = {
            values for values, users in owners.items() if short[values] in types._names or shared[users[0][1].name] > 1
        }
        taken = {long[values] for values in clashing}
        for values in owners:
            clash = values in clashing or short[values] in taken
            types.enums[values] = types._fresh(long[values] if clash else short[values])
        for resource in model.resources:
            for one in resource.fields:
                if one.nested is not None and one.nested.parts and one.nested not in types.objects:
                    name = one.nested.name or pascal(one.name)
                    types.objects[one.nested] = types._fresh(
                        name if name not in types._names else f"{pascal(resource.one)}{name}"
                    )
        return types

    def _fresh(self, name: str) -> str:
        found, number = name, 2
        while found in self._names:
            found, number = f"{name}{number}", number + 1
        self._names.add(found)
        return found

    def argument(self, one: Field, model: Model) -> str:
        """The type of an argument that writes (or filters by) a field, without its optionality."""
        if one.references:
            return self.keys[one.references]
        if one.enum:
            return self.enums[one.enum]
        if one.kind == "json":
            return self._json(one)
        if one.kind in ("integer", "number") and (one.minimum is not None or one.maximum is not None):
            kind = "int" if one.kind == "integer" else "float"
            low = one.minimum if one.minimum is not None else -(10**12)
            high = one.maximum if one.maximum is not None else 10**12
            return f"Annotated[{kind}, Field(ge={_figure(low, kind)}, le={_figure(high, kind)})]"
        if one.kind == "text" and one.max_length and one.max_length < 200 and not one.long:
            return f"Annotated[str, Field(max_length={one.max_length})]"
        return "Prose" if one.long else _PLAIN[one.kind]

    def returned(self, resource: Resource, one: Field) -> str:
        """The type of a field in a result."""
        if one.role == "key":
            kind = self.keys[resource.table]
        elif one.references:
            kind = self.keys[one.references]
        elif one.enum:
            kind = self.enums[one.enum]
        else:
            kind = self._json(one) if one.kind == "json" else _RETURNED[one.kind]
        return kind if one.required or one.role in ("key", "parent") else f"{kind} | None"

    def _json(self, one: Field) -> str:
        nested = one.nested
        if nested is None:
            return "Any"
        inner = self.objects[nested] if nested.parts else _PLAIN[nested.kind]
        if nested.mapping:
            return f"dict[str, {inner}]"
        return f"list[{inner}]" if nested.many else inner

    def object_members(self, nested: Nested) -> list[tuple[str, str]]:
        """Members of a nested object: key in JSON, and type."""
        members = []
        for part in nested.parts:
            kind = f"Literal[{', '.join(text(str(value)) for value in part.enum)}]" if part.enum else _PLAIN[part.kind]
            kind = f"list[{kind}]" if part.many else kind
            line = kind if part.required else f"NotRequired[{kind}]"
            if len(line) + len(part.name) + 6 > WIDTH:
                plain = f"list[{_PLAIN[part.kind]}]" if part.many else _PLAIN[part.kind]
                line = plain if part.required else f"NotRequired[{plain}]"
            members.append((part.name, line))
        return members

    def enum_line(self, values: tuple[object, ...]) -> str:
        """The definition of an enum's alias, packed when one value a line would be too long."""
        items = [text(value) if isinstance(value, str) else repr(value) for value in values]
        line = bracket(f"{self.enums[values]} = Literal[", items, "]")
        if line.count("\n") <= 16:
            return line
        packed, current = [], ""
        for item in items:
            if len(current) + len(item) + 2 > WIDTH - 4:
                packed.append(current.rstrip())
                current = ""
            current += f"{item}, "
        packed.append(current.rstrip())
        return f"{self.enums[values]} = Literal[\n    " + "\n    ".join(packed) + "\n]  # fmt: skip"


def _figure(value: float, kind: str) -> str:
    return repr(int(value)) if kind == "int" or float(value).is_integer() else repr(value)
