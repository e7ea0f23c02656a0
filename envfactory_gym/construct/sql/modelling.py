"""From a database to the resource model: tables as they are, and the operations that their keys allow.

Every table is listed, read, created, changed and deleted by its key. Columns that a foreign key
deletes with their row become its parent; all others keep the row they point at from being deleted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ..model import Field, Filter, Kind, LeftOut, Listing, Model, Resource, ToolPlan
from ..naming import identifier, plural, sentence, singular, snake, words
from ..openapi.listing import searched
from ..openapi.plans import tool_name
from ..openapi.settling import in_order, uniquely_named, without_circles, without_copies, without_deep
from ..portions import without_idle
from ..problem import BuildError
from ..rows.data import order_pairs
from .columns import make_field
from .database import Database, Reference, Table
from .linking import linked_rows
from .rows import MAX_ROWS

_MAX_FILTERS = 8
_INTERNAL = ("sqlite_", "alembic_version", "schema_migrations", "django_migrations", "flyway_", "ar_internal_metadata")
"""Tables that tools keep for themselves."""


def whole_model(database: Database, name: str, only: Sequence[str] = ()) -> Model:
    """Everything a database defines, as a resource model of any size.

    Args:
        database: The database.
        name: Name of the environment.
        only: Tables to which the model is limited, with those they have to refer to.

    Raises:
        BuildError: No table can be an environment's, or `only` names none.
    """
    tables = {one.name: one for one in database.tables.values() if not one.name.casefold().startswith(_INTERNAL)}
    left_out = [LeftOut(text, why) for text, why in database.skipped.items()]
    left_out += [LeftOut(f"TABLE {one}", "is kept by a migration tool") for one in database.tables if one not in tables]
    assumptions = []
    if only:
        part = _selected(database, tables, only)
        assumptions.append(f"Only a part was asked for: {len(part)} of the database's {len(tables)} tables.")
        tables = part
    names = _names(tables)
    resources: list[Resource] = []
    for table in tables.values():
        resource = _resource(database, table, names)
        if isinstance(resource, str):
            left_out.append(LeftOut(f"TABLE {table.name}", resource))
        else:
            resources.append(resource)
    held = {one.table for one in resources}
    resources = [_known(one, held) for one in resources]
    resources = in_order(without_circles(resources))
    resources, deep = without_deep(sorted(resources, key=lambda one: one.parent is not None))
    left_out += deep
    resources, idle = without_idle(uniquely_named(without_copies(in_order(resources))))
    left_out += idle
    if not resources:
        raise BuildError("no table of this database can be an environment's", file=database.file)
    sources = {names[one.name]: one for one in tables.values()}
    found = linked_rows(resources, {one.table: sources[one.table].rows for one in resources})
    for one in resources:
        held_verbs = {tool.verb for tool in one.tools}
        left_out += [
            LeftOut(f"{statement} {sources[one.table].name}", "no column could be given to it")
            for statement, verb in (("INSERT", "create"), ("UPDATE", "update"))
            if verb not in held_verbs
        ]
    resources = [_with_rows(one, sources[one.table], found[one.table]) for one in resources]
    title = words(snake(name)).capitalize()
    return Model(
        name=name,
        title=title,
        summary=f"{title}: {', '.join(words(one.table) for one in resources[:5])}"
        f"{' and more' if len(resources) > 5 else ''}, as the database defines them.",
        domain="general",
        sources=({"title": database.file, "licence": "not stated"},),
        resources=tuple(resources),
        left_out=tuple(left_out),
        operations=sum(len(one.tools) for one in resources) + len(left_out),
        assumptions=tuple(assumptions),
        kind=database.kind,
    )


def _selected(database: Database, tables: dict[str, Table], only: Sequence[str]) -> dict[str, Table]:
    """The named tables, and all that they have to refer to."""
    waiting = []
    for wanted in only:
        table = database.table(wanted.strip().lstrip("/"))
        if table is None or table.name not in tables:
            raise BuildError(
                f"no table is called {wanted!r}", file=database.file, remedy=f"it has {', '.join(sorted(tables)[:20])}"
            )
        waiting.append(table)
    found: set[str] = set()
    while waiting:
        table = waiting.pop()
        if table.name not in found:
            found.add(table.name)
            targets = [database.table(one.table) for one in table.references]
            waiting += [one for one in targets if one is not None and one.name in tables]
    return {name: table for name, table in tables.items() if name in found}


def _names(tables: dict[str, Table]) -> dict[str, str]:
    """Name in the database → table of the environment: plural, in small letters, each once."""
    taken: dict[str, str] = {}
    for name in tables:
        wanted = plural(identifier(name.removeprefix("tbl_").removeprefix("tbl")))
        found, number = wanted, 2
        while found in taken.values():
            found, number = f"{wanted}_{number}", number + 1
        taken[name] = found
    return taken


def _resource(database: Database, table: Table, names: dict[str, str]) -> Resource | str:
    """The table as a resource without rows, or why it is none."""
    name = names[table.name]
    one = singular(name)
    values = {column: [row.get(column) for row in table.rows] for column in table.columns}
    fields: list[Field] = []
    out: list[tuple[str, str]] = []
    for column in table.columns.values():
        field = make_field(column, values[column.name])
        if isinstance(field, str):
            out.append((column.name, field))
        elif any(other.name == field.name for other in fields):
            out.append((column.name, f"another column already is {field.name}"))
        elif field.secret and not field.required:
            out.append((column.name, "is a secret that no tool should show"))
        else:
            fields.append(field)
    if not fields:
        return "none of its columns can be modelled"
    by_source = {field.source: field for field in fields}
    for reference in table.references:
        _refer(database, by_source, reference, names, out)
    key, parent, assumptions = _keys(database, table, name, by_source)
    minted = key.server
    rest = [field for field in by_source.values() if field.source not in (key.source, parent.source if parent else "")]
    ordered = (key, *([parent] if parent else []), *rest)
    resource = Resource(
        table=name,
        one=one,
        description=sentence(table.comment) or f"{words(name).capitalize()}.",
        fields=ordered,
        key=key.name,
        minted=minted,
        parent=parent.references if parent else None,
        scoped=parent is not None and len(table.key) == 2,
        left_out=tuple(out),
        assumptions=tuple(assumptions),
    )
    return _with_tools(resource, table)


def _refer(
    database: Database,
    fields: dict[str, Field],
    reference: Reference,
    names: dict[str, str],
    out: list[tuple[str, str]],
) -> None:
    """Make a field a reference where the model can hold it, and say so where it cannot."""
    target = database.table(reference.table)
    if target is None or target.name not in names:
        return
    if len(reference.columns) > 1:
        out.append((", ".join(reference.columns), f"refers to {names[target.name]} by several columns"))
        return
    field = fields.get(reference.columns[0])
    if field is None or len(target.key) != 1 or reference.targets not in ((), target.key):
        return
    fields[reference.columns[0]] = replace(field, references=names[target.name], enum=(), long=False, unique=False)


def _keys(
    database: Database, table: Table, name: str, fields: dict[str, Field]
) -> tuple[Field, Field | None, list[str]]:
    """The key, the column through which rows belong to another row, and what is assumed for it."""
    cascading = {
        one.columns[0]: one for one in table.references if len(one.columns) == 1 and one.on_delete == "CASCADE"
    }
    key = [fields[column] for column in table.key if column in fields]
    if len(key) == 2 and len(table.key) == 2 and any(one.references for one in key):
        owner = next((one for one in key if one.source in cascading and one.references), None) or next(
            one for one in key if one.references
        )
        inner = next(one for one in key if one is not owner)
        if owner.references != name:
            return _as_key(inner, made=False), _as_parent(owner), []
    if len(key) == 1 and len(table.key) == 1:
        found = key[0]
        column = table.columns[found.source]
        whole = found.kind == "integer" and not found.references
        made = not found.references and (column.made or whole)
        parent = next(
            (
                one
                for one in fields.values()
                if one.source in cascading and one.references not in (None, name) and one.source != found.source
                and table.columns[one.source].required and not found.references
            ),
            None,
        )  # fmt: skip
        return _as_key(found, made=made), _as_parent(parent) if parent else None, []
    taken = {one.name for one in fields.values()}
    free = next(one for one in ("id", "row_id", "row_number") if one not in taken)
    one = words(singular(name))
    told = f"Number of the {one}."
    surrogate = Field(free, "(row)", "integer", told, role="key", server=True)
    why = "has no primary key" if not table.key else "is named by several columns"
    return surrogate, None, [f"{table.name} {why}: its rows are numbered in `{free}`."]


def _as_key(field: Field, *, made: bool) -> Field:
    kind: Kind = "integer" if field.kind == "integer" else "text"
    return replace(
        field, role="key", server=made, required=not made, secret=False, nullable=False, enum=(), long=False,
        kind=kind, unique=False,
    )  # fmt: skip


def _as_parent(field: Field) -> Field:
    return replace(field, role="parent", required=True, nullable=False, fixed=True, server=False, unique=False)


def _known(resource: Resource, held: set[str]) -> Resource:
    """References to tables that became none are plain columns."""
    fields = tuple(
        one
        if one.references is None or one.references in held
        else replace(one, references=None, role="plain" if one.role == "parent" else one.role)
        for one in resource.fields
    )
    arguments = {one.name: one for one in fields}
    return resource.with_(
        fields=fields,
        parent=resource.parent if resource.parent in held else None,
        scoped=resource.scoped and resource.parent in held,
        tools=tuple(replace(t, arguments=tuple(arguments[a.name] for a in t.arguments)) for t in resource.tools),
    )


def _with_tools(resource: Resource, table: Table) -> Resource:
    settable = tuple(one for one in resource.fields if not one.server and one.role != "parent")
    changeable = tuple(one for one in settable if one.role != "key" and not one.fixed)
    one, many = words(resource.one), words(resource.table)
    plans: list[ToolPlan] = [
        ToolPlan("list", tool_name("list", resource.table), f"SELECT {table.name}", f"List {many}."),
        ToolPlan("get", tool_name("get", resource.one), f"SELECT {table.name} BY KEY", f"Read one {one}."),
    ]
    if settable or (resource.minted and resource.parent):
        plans.append(
            ToolPlan("create", tool_name("create", resource.one), f"INSERT {table.name}", f"Add one {one}.", settable)
        )
    if changeable:
        plans.append(
            ToolPlan(
                "update", tool_name("update", resource.one), f"UPDATE {table.name}", f"Change one {one}.", changeable
            )
        )
    plans.append(ToolPlan("delete", tool_name("delete", resource.one), f"DELETE {table.name}", f"Remove one {one}."))
    return resource.with_(tools=tuple(plans), listing=_listing(resource, table))


def _listing(resource: Resource, table: Table) -> Listing:
    """Filters by references, enums, flags and indexed columns, ranges of dates, and a search over texts."""
    plain = [one for one in resource.fields if one.role == "plain" and not one.secret and one.kind != "json"]
    filters: list[Filter] = []
    if texts := searched(plain):
        told = f"Words to look for in {', '.join(words(one) for one in texts)}."
        filters.append(Filter("query", "", "search", True, told, texts))
    for one in plain:
        if one.references or one.enum or one.kind == "boolean" or (one.source in table.indexed and not one.long):
            filters.append(Filter(one.name, one.name, "=", True, f"Only rows with this {words(one.name)}."))
    for one in plain:
        if one.kind in ("date", "datetime"):
            filters.append(Filter(f"{one.name}_from", one.name, ">=", True, f"The earliest {words(one.name)}."))
            filters.append(Filter(f"{one.name}_to", one.name, "<=", True, f"The latest {words(one.name)}."))
            break
    taken = {one.name for one in resource.fields}
    filters = [one for one in filters if one.column == one.argument or one.argument not in taken]
    sorts = [one.name for one in plain if one.label or one.kind in ("number", "date", "datetime", "integer")]
    sorts = [one for one in sorts if resource.field(one).references is None]
    return Listing(tuple(filters[:_MAX_FILTERS]), tuple(sorts[:6]))


def _unheld(resource: Resource, table: Table) -> list[str]:
    """Rules of a table that its tools do not hold, as SQL."""
    held = {one.source for one in resource.fields if one.unique or one.role == "key"}
    orders = {(end.name, start.name) for start, end in order_pairs(resource)}
    names = {one.source: one.name for one in resource.fields}
    unique = [f"UNIQUE ({one.name})" for one in table.columns.values() if one.unique and one.name not in held]
    after = [
        f"CHECK ({one.name} >= {one.after})"
        for one in table.columns.values()
        if one.after and (names.get(one.name), names.get(one.after)) not in orders
    ]
    return [*table.unread, *unique, *after]


def _with_rows(resource: Resource, table: Table, rows: list[dict[str, object]]) -> Resource:
    resource = resource.with_(rows=tuple(rows))
    told = list(resource.assumptions)
    told += [f"{table.name} has the rule `{one}`, which no tool holds." for one in _unheld(resource, table)]
    if table.total > len(rows):
        few = (
            f"at most {MAX_ROWS} are kept"
            if len(rows) == MAX_ROWS
            else "the others hang on rows that are not kept, or on rows that can only be deleted without them"
        )
        told.append(f"{table.name} has {table.total:,} rows, and the environment {len(rows)} of them: {few}.")
    return resource.with_(assumptions=tuple(told))
