"""The resource model: what a document says exists and can be done, before any code is written.

Readers fill it, emitters render it, and behaviours are derived from it; nothing here knows SQL or
Python. The model is the origin called `compiler`, so it must stay independent of emitted code.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .naming import singular, snake

Kind = Literal["text", "integer", "number", "boolean", "date", "datetime", "json"]
Verb = Literal["list", "get", "create", "update", "replace", "delete", "action"]

Row = dict[str, Any]
"""Column → value as stored; `json` values as Python lists and dicts until they are written."""


@dataclass(frozen=True)
class Part:
    """One member of a nested object: its key in JSON, its kind, and whether it must be there."""

    name: str
    kind: Kind
    required: bool = False
    many: bool = False
    enum: tuple[Any, ...] = ()
    example: Any = None


@dataclass(frozen=True)
class Nested:
    """What a `json` column holds: a list or one value, of scalars or of small objects.

    Attributes:
        many: Whether it is a list.
        kind: Kind of the scalars; unused where there are parts.
        parts: Members of the objects.
        name: Name for the objects' type, such as `PhoneNumber`.
        mapping: Whether it is an open map from text to scalars.
    """

    many: bool
    kind: Kind = "text"
    parts: tuple[Part, ...] = ()
    name: str = ""
    mapping: bool = False


@dataclass(frozen=True)
class Field:
    """One column, and the argument that writes it.

    Attributes:
        name: Column and argument.
        source: Path in the document's schema: `start.dateTime`.
        required: Whether creating needs it.
        server: Whether only the server sets it (identifiers, timestamps).
        secret: Whether it is sent but never returned.
        role: `key`, `parent` (the path's nesting), `created`, `updated`, or `plain`.
        references: Table whose key it holds.
        unique: Whether two rows (of one parent) may not share it.
        long: Free text that is not compared.
        fixed: Whether it is set at creation and never changed by an update.
        nullable: Whether the document says that it may be null, so that an update may clear it.
        default: What a created row has where creating does not give it, as the source writes it; see `initial`.
        format: The source's own word for what the text is: `email`, `uri`, `uuid`; empty where it has none.
        pattern: Regular expression that the text has to match, as the source writes it.
        min_length: Fewest characters of a text.
        max_length: Most characters of a text.
        after: Column of the same kind that may not lie after this one, where the source says so.
    """

    name: str
    source: str
    kind: Kind
    description: str = ""
    enum: tuple[Any, ...] = ()
    required: bool = False
    server: bool = False
    secret: bool = False
    role: Literal["plain", "key", "parent", "created", "updated"] = "plain"
    references: str | None = None
    unique: bool = False
    long: bool = False
    fixed: bool = False
    nullable: bool = False
    default: Any = None
    example: Any = None
    minimum: float | None = None
    maximum: float | None = None
    max_length: int | None = None
    min_length: int | None = None
    format: str = ""
    pattern: str | None = None
    nested: Nested | None = None
    after: str = ""

    @property
    def initial(self) -> Any:
        """The default, where it is a value that the column may have; None where a created row is empty there."""
        kinds: dict[str, Any] = {"text": str, "integer": int, "number": (int, float), "boolean": bool}
        value = self.default
        if self.kind not in kinds or self.role != "plain" or self.references or self.unique or self.long:
            return None
        if not isinstance(value, kinds[self.kind]) or (isinstance(value, bool) and self.kind != "boolean"):
            return None
        if self.enum:
            return value if value in self.enum else None
        if isinstance(value, str):
            return value if 0 < len(value) <= min(self.max_length or 200, 200) and value.isprintable() else None
        low, high = self.minimum, self.maximum
        fits = (low is None or value >= low) and (high is None or value <= high) and abs(value) < 10**12
        return value if fits else None

    @property
    def label(self) -> bool:
        """Whether people call a row by it."""
        return self.name in LABELS


LABELS = ("name", "title", "summary", "display_name", "full_name", "subject", "label", "username", "summary_override")
"""Column names by which people call a row, best first."""


@dataclass(frozen=True)
class Filter:
    """One way to narrow a list: `argument` compares `column` by `op`."""

    argument: str
    column: str
    op: Literal["=", "contains", ">=", "<=", "search"]
    documented: bool
    description: str = ""
    columns: tuple[str, ...] = ()


@dataclass(frozen=True)
class Listing:
    """How a list narrows, sorts and pages."""

    filters: tuple[Filter, ...] = ()
    sorts: tuple[str, ...] = ()
    default_limit: int = 20
    max_limit: int = 100
    cursor: bool = False

    def over(self, names: Collection[str]) -> Listing:
        """The same listing over fewer columns: what narrows or sorts by others goes, a search has those left."""
        kept = [
            replace(one, columns=tuple(column for column in one.columns if column in names)) for one in self.filters
        ]
        return replace(
            self,
            filters=tuple(one for one in kept if (one.column in names if one.column else one.columns)),
            sorts=tuple(one for one in self.sorts if one in names),
        )


@dataclass(frozen=True)
class Transition:
    """An action that sets one column: from any state but those `refused_from`."""

    word: str
    column: str
    value: Any
    refused_from: tuple[Any, ...] = ()

    @property
    def state(self) -> str:
        """The state it leads to, as a word: `cancelled`, or the flag's name."""
        if isinstance(self.value, bool):
            return self.column if self.value else f"not_{self.column}"
        return snake(str(self.value))


@dataclass(frozen=True)
class ToolPlan:
    """One tool to emit, and the operation it comes from.

    Attributes:
        arguments: Fields a client may give, in order (create, update, replace).
        deed: Whether it is an action that changes some fields, such as `assign_order`: it empties none.
    """

    verb: Verb
    name: str
    operation: str
    summary: str
    arguments: tuple[Field, ...] = ()
    transition: Transition | None = None
    deed: bool = False

    @property
    def clearable(self) -> tuple[Field, ...]:
        """Arguments of an update that it may also empty: those that may be null and need not be there."""
        if self.verb != "update" or self.deed:
            return ()
        return tuple(one for one in self.arguments if one.nullable and not one.required)


@dataclass(frozen=True)
class Resource:
    """One table and what can be done with its rows.

    Attributes:
        table: Name of the table, plural where the language allows.
        one: Name of one row.
        key: The column that identifies a row (within its parent, if `scoped`).
        minted: Whether the server makes the key.
        parent: Table it is nested under by its paths.
        scoped: Whether the key is unique only within the parent.
        left_out: Fields of the document that are not modelled, with the reason.
        rows: Rows that the source itself holds, complete and linked; where there are some, the base world has
            these and none are invented.
    """

    table: str
    one: str
    description: str
    fields: tuple[Field, ...]
    key: str
    minted: bool
    parent: str | None = None
    scoped: bool = False
    listing: Listing = Listing()
    tools: tuple[ToolPlan, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()
    assumptions: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()

    def field(self, name: str) -> Field:
        """The field of that name; KeyError where there is none."""
        for candidate in self.fields:
            if candidate.name == name:
                return candidate
        raise KeyError(f"{self.table}.{name}")

    @property
    def shown(self) -> tuple[Field, ...]:
        """The fields that tools return."""
        return tuple(one for one in self.fields if not one.secret)

    @property
    def key_field(self) -> Field:
        """The field that identifies a row."""
        return self.field(self.key)

    @property
    def key_argument(self) -> str:
        """How tools call the key: `company_id` for the column `id` of companies."""
        if self.key_field.references:
            return f"{singular(self.key_field.references)}_id"
        if self.key in (
            "id",
            "pk",
            "name",
            "key",
            "code",
            "kind",
            "type",
            "uuid",
            "slug",
            "label",
            "title",
            "number",
            "path",
        ):
            return f"{self.one}_{self.key}"
        return self.key

    @property
    def parent_field(self) -> Field | None:
        """The column that holds the parent's key."""
        return next((candidate for candidate in self.fields if candidate.role == "parent"), None)

    @property
    def key_columns(self) -> tuple[str, ...]:
        """Columns of the primary key."""
        parent = self.parent_field
        return (parent.name, self.key) if self.scoped and parent else (self.key,)

    @property
    def label(self) -> Field | None:
        """The field by which people call a row, where there is one."""
        person = {"first_name", "last_name"} <= {f.name for f in self.fields}
        named = [f for f in self.fields if f.label and f.kind == "text" and not (person and f.name == "title")]
        ranked = sorted(named, key=lambda f: LABELS.index(f.name))
        return ranked[0] if ranked else None

    def tool(self, verb: Verb) -> ToolPlan | None:
        """The first tool of that kind."""
        return next((tool for tool in self.tools if tool.verb == verb), None)

    def beside(self, other: Resource) -> bool:
        """Whether rows of both belong to rows of one table, so that one can only refer to the other within one row."""
        return self.parent is not None and self.parent == other.parent

    def with_(self, **changes: Any) -> Resource:
        """A copy with other values."""
        return replace(self, **changes)


@dataclass(frozen=True)
class LeftOut:
    """An operation that is no tool, and why."""

    operation: str
    reason: str


@dataclass(frozen=True)
class Model:
    """Everything a package will hold, before it is written.

    Attributes:
        operations: Operations of the source, or of the part that was asked for.
        kind: What the source is: `OpenAPI 3.0.3`, `Swagger 2`, `discovery document`, `SQL`, `SQLite database`.
        assumptions: What the model takes for granted about the whole source, a sentence each.
    """

    name: str
    title: str
    summary: str
    domain: str
    sources: tuple[dict[str, str], ...]
    resources: tuple[Resource, ...]
    left_out: tuple[LeftOut, ...] = ()
    operations: int = 0
    clock: str = "2026-05-14T09:00:00Z"
    assumptions: tuple[str, ...] = field(default=())
    kind: str = ""

    @property
    def origin(self) -> str:
        """What it was made from, in words: `an API document`, `an SQL script`, `a SQLite database`."""
        return {"SQL": "an SQL script", "SQLite database": "a SQLite database"}.get(self.kind, "an API document")

    def resource(self, table: str) -> Resource:
        """The resource of that table; KeyError where there is none."""
        for candidate in self.resources:
            if candidate.table == table:
                return candidate
        raise KeyError(table)

    def references_to(self, table: str) -> Iterator[tuple[Resource, Field]]:
        """Every column, in any table, that holds a key of that table."""
        for resource in self.resources:
            for candidate in resource.fields:
                if candidate.references == table:
                    yield resource, candidate

    def owned_by(self, table: str) -> Iterator[tuple[Resource, Field]]:
        """Columns through which rows belong to a row of that table and go with it."""
        for resource, candidate in self.references_to(table):
            if candidate.role in ("parent", "key"):
                yield resource, candidate

    def pointing_at(self, table: str) -> Iterator[tuple[Resource, Field]]:
        """Columns that only point at a row of that table, and so keep it from being deleted."""
        for resource, candidate in self.references_to(table):
            if candidate.role not in ("parent", "key"):
                yield resource, candidate
