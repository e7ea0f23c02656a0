"""Behaviours of origin `compiler`: what the resource model says each tool does.

Expectations are computed from the model and the base rows alone; nothing here reads emitted code
or SQL, so that a mistake in either shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .dependants import going_with, kept_by
from .model import Field, Model, Resource, Row, ToolPlan
from .rows.data import Data, order_pairs
from .rules import final_rule, order_rule, unique_rule, used_rule

Call = dict[str, Any]


def make_behaviours(model: Model, data: Data) -> list[dict[str, Any]]:
    """Examples for every tool: success, each refusal that live rows can show, and what changes."""
    found: list[dict[str, Any]] = []
    for resource in model.resources:
        for tool in resource.tools:
            for title, calls, changes in _of(model, data, resource, tool):
                behaviour: dict[str, Any] = {
                    "name": f"{tool.name.replace('_', '-')}-{title}",
                    "origin": {"kind": "compiler", "ref": tool.operation},
                    "calls": calls,
                }
                if changes is not None:
                    behaviour["changes"] = changes
                found.append(behaviour)
    return found


Example = tuple[str, list[Call], dict[str, int] | None]


def _of(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    make: Callable[..., Iterator[Example]] = {
        "list": _list,
        "get": _get,
        "create": _create,
        "update": _update,
        "replace": _replace,
        "delete": _delete,
        "action": _action,
    }[tool.verb]
    yield from make(model, data, resource, tool)


def call(tool: ToolPlan, arguments: dict[str, Any], *, result: Any = None, error: dict[str, Any] | None = None) -> Call:
    """One call with what it must give."""
    return {"tool": tool.name, "arguments": arguments, "expect": {"error": error} if error else {"result": result}}


def item(resource: Resource, row: Row) -> dict[str, Any]:
    """The arguments that name a row."""
    parent = resource.parent_field
    named = {parent.name: row[parent.name]} if parent else {}
    return {**named, resource.key_argument: row[resource.key]}


def shown(resource: Resource, row: Row) -> dict[str, Any]:
    """A row as tools must return it."""
    return visible(resource, row)


def visible(resource: Resource, values: dict[str, Any]) -> dict[str, Any]:
    """The values that tools return, in the order of the table."""
    return {field.name: values[field.name] for field in resource.shown if field.name in values}


def _missing(resource: Resource) -> Any:
    return -1 if resource.key_field.kind == "integer" else "NOSUCH"


def _not_found(
    model: Model, data: Data, resource: Resource, tool: ToolPlan, extra: dict[str, Any]
) -> Iterator[Example]:
    rows = data[resource.table]
    if not rows:
        return
    named = {**item(resource, rows[0]), resource.key_argument: _missing(resource)}
    yield "unknown", [call(tool, {**named, **extra}, error={"code": "not_found", "field": resource.key_argument})], {}
    if parent := resource.parent_field:
        above = model.resource(parent.references or "")
        named = {**item(resource, rows[0]), parent.name: _missing(above)}
        yield "unknown-parent", [call(tool, {**named, **extra}, error={"code": "not_found", "field": parent.name})], {}


def _list(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    parent = resource.parent_field
    rows = sorted(data[resource.table], key=lambda row: row[resource.key])
    if not rows:
        return
    scope: dict[str, Any] = {}
    if parent:
        counts: dict[Any, int] = {}
        for row in rows:
            counts[row[parent.name]] = counts.get(row[parent.name], 0) + 1
        scope = {parent.name: max(counts, key=lambda key: (counts[key], str(key)))}
        rows = [row for row in rows if row[parent.name] == scope[parent.name]]
    listing = resource.listing
    page = rows[: listing.default_limit]
    keys = [{resource.key: row[resource.key]} for row in page]
    yield "first-page", [call(tool, scope, result={resource.table: keys, "total": len(rows)})], {}
    if len(rows) > 1:
        size = 2 if len(rows) > 2 else 1
        second = [{resource.key: row[resource.key]} for row in rows[size : 2 * size]]
        rest: Any = size * 2 if size * 2 < len(rows) else None
        pages: list[tuple[str, str, Any]] = [("cursor", "next_cursor", str), ("offset", "next_offset", int)]
        argument, pointer, form = pages[0] if listing.cursor else pages[1]
        following = {argument: form(size), "limit": size}
        expected = {resource.table: second, "total": len(rows), pointer: None if rest is None else form(rest)}
        first = call(tool, {**scope, "limit": size}, result={pointer: form(size)})
        yield "second-page", [first, call(tool, {**scope, **following}, result=expected)], {}
        far = call(tool, {**scope, argument: form(len(rows))}, result={resource.table: [], pointer: None})
        yield "past-the-end", [far], {}
    largest = {**scope, "limit": listing.max_limit}
    whole: dict[str, Any] = {
        "total": len(rows),
        resource.table: [{resource.key: row[resource.key]} for row in rows[: listing.max_limit]],
    }
    if len(rows) <= listing.max_limit:
        whole["next_cursor" if listing.cursor else "next_offset"] = None
        largest["limit"] = len(rows)
    too_many = call(tool, {**scope, "limit": listing.max_limit + 1}, error={"code": "invalid", "field": "limit"})
    too_few = call(tool, {**scope, "limit": 0}, error={"code": "invalid", "field": "limit"})
    yield "limits", [call(tool, largest, result=whole), too_many, too_few], {}
    for one in listing.filters:
        if one.op == "search" or resource.field(one.column).kind == "json":
            continue
        value = next((row[one.column] for row in rows if row[one.column] is not None), None)
        if value is None:
            continue
        compare: Callable[[Any], bool] = {
            "=": lambda other, value=value: _equal(other, value, resource.field(one.column)),  # noqa: B023
            ">=": lambda other, value=value: other is not None and other >= value,
            "<=": lambda other, value=value: other is not None and other <= value,
        }[one.op]
        matching = [row for row in rows if compare(row[one.column])]
        expected = {
            "total": len(matching),
            resource.table: [{resource.key: row[resource.key]} for row in matching[: listing.default_limit]],
        }
        yield f"by-{one.argument.replace('_', '-')}", [call(tool, {**scope, one.argument: value}, result=expected)], {}
    if search := next((one for one in listing.filters if one.op == "search"), None):
        text = next((str(row[search.columns[0]]) for row in rows if row[search.columns[0]]), "")
        if text and text.isascii():
            needle = text.lower()
            matching = [
                row for row in rows if any(needle in str(row[column] or "").lower() for column in search.columns)
            ]
            yield (
                "by-search",
                [call(tool, {**scope, search.argument: text.upper()}, result={"total": len(matching)})],
                {},
            )
    if listing.sorts:
        column = listing.sorts[0]
        known = [row for row in rows if row[column] is not None]
        if known:
            last = max(row[column] for row in known)
            best = min((row for row in known if row[column] == last), key=lambda row: row[resource.key])
            arguments = {**scope, "sort_by": column, "descending": True, "limit": 1}
            yield "sorted", [call(tool, arguments, result={resource.table: [{resource.key: best[resource.key]}]})], {}
    if parent:
        above = model.resource(parent.references or "")
        yield (
            "unknown-parent",
            [call(tool, {parent.name: _missing(above)}, error={"code": "not_found", "field": parent.name})],
            {},
        )


def _equal(stored: Any, value: Any, field: Field) -> bool:
    if field.kind == "text" and not field.enum and not field.references and isinstance(stored, str):
        return stored.casefold() == str(value).casefold() if stored.isascii() else stored == value
    return stored is not None and stored == value


def _get(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    for title, row in zip(
        ("first", "last"), (data[resource.table] or [{}])[:: max(1, len(data[resource.table]) - 1)], strict=False
    ):
        if row:
            yield title, [call(tool, item(resource, row), result=shown(resource, row))], {}
    yield from _not_found(model, data, resource, tool, {})


def new_values(
    model: Model, resource: Resource, tool: ToolPlan, rows: list[Row], *, only_required: bool = False
) -> dict[str, Any] | None:
    """Values for every argument of a create or replace in the first row's parent, fresh where they must be."""
    if not rows:
        return None
    model_row = rows[len(rows) // 2]
    values: dict[str, Any] = {}
    for field in tool.arguments:
        value = model_row[field.name]
        if within_parent(model, resource, field):
            value = next((row[field.name] for row in _beside(resource, rows[0], rows) if row[field.name]), None)
            if value is None and not field.required:
                continue
        if field.role == "key":
            continue
        if only_required and not field.required:
            continue
        if value is None:
            value = next((row[field.name] for row in rows if row[field.name] is not None), None)
        if value is None:
            if field.required:
                return None
            continue
        values[field.name] = f"New {value}" if field.unique else value
    for start, end in order_pairs(resource):
        if start.name in values and end.name in values and values[end.name] < values[start.name]:
            values[end.name] = values[start.name]
    return values


def _fresh_key(resource: Resource, data: Data) -> dict[str, Any] | None:
    """The key argument of a row that does not exist yet; empty where the server makes it."""
    if resource.minted:
        return {}
    if target := resource.key_field.references:
        taken = {row[resource.key] for row in data[resource.table]}
        free = [key for row in data[target] if (key := next(iter(row.values()))) not in taken]
        return {resource.key_argument: free[0]} if free else None
    return {resource.key_argument: 999_999 if resource.key_field.kind == "integer" else "a-new-one"}


def _create(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    rows = data[resource.table]
    full = new_values(model, resource, tool, rows)
    short = new_values(model, resource, tool, rows, only_required=True)
    key = _fresh_key(resource, data)
    if full is None or short is None or key is None:
        return
    parent = resource.parent_field
    scope = {parent.name: rows[0][parent.name]} if parent else {}
    expected = {**scope, **({resource.key: key[resource.key_argument]} if key else {})}
    full = {
        name: value
        for name, value in full.items()
        if not (resource.field(name).references == resource.table and parent)
    }
    seen = visible(resource, {**expected, **full})
    yield (
        "full",
        [call(tool, {**scope, **key, **full}, result=seen)],
        {resource.table: 1},
    )
    empty: dict[str, Any] = {
        field.name: field.initial for field in tool.arguments if field.role != "key" and not field.required
    }
    stamps = {field.name: model.clock for field in resource.fields if field.role in ("created", "updated")}
    yield (
        "required-only",
        [call(tool, {**scope, **key, **short}, result=visible(resource, {**expected, **empty, **stamps, **short}))],
        {resource.table: 1},
    )
    get = resource.tool("get")
    if get is not None and not key:
        follow = {**scope, resource.key_argument: {"$call": 0, "path": resource.key}}
        seen = visible(resource, {**scope, **short})
        calls = [call(tool, {**scope, **short}, result=seen), call(get, follow, result=seen)]
        yield "then-get", calls, {resource.table: 1}
    for field in tool.arguments:
        if field.required and field.role != "key":
            without = {name: value for name, value in short.items() if name != field.name}
            yield (
                f"without-{field.name.replace('_', '-')}",
                [call(tool, {**scope, **key, **without}, error={"code": "invalid", "field": field.name})],
                {},
            )
        if field.references and field.role != "key":
            wrong = {**scope, **key, **short, field.name: _missing(model.resource(field.references))}
            yield (
                f"unknown-{field.name.replace('_', '-')}",
                [call(tool, wrong, error={"code": "not_found", "field": field.name})],
                {},
            )
        if field.unique:
            taken = {
                **({parent.name: rows[0][parent.name]} if parent else {}),
                **key,
                **short,
                field.name: rows[0][field.name],
            }
            yield (
                f"taken-{field.name.replace('_', '-')}",
                [
                    call(
                        tool,
                        taken,
                        error={"code": "conflict", "field": field.name, "reason": unique_rule(resource, field)},
                    )
                ],
                {},
            )
        if field.enum and field.kind == "text":
            wrong = {**scope, **key, **short, field.name: "no-such-value"}
            yield (
                f"wrong-{field.name.replace('_', '-')}",
                [call(tool, wrong, error={"code": "invalid", "field": field.name})],
                {},
            )
    for field in resource.fields:
        if field.server:
            given = {**scope, **key, **short, field.name: "X"}
            yield (
                f"sets-{field.name.replace('_', '-')}",
                [call(tool, given, error={"code": "invalid", "field": field.name})],
                {},
            )
    if not resource.minted:
        again = {**item(resource, rows[0]), **short}
        reason = unique_rule(resource, resource.key_field)
        yield (
            "taken-key",
            [call(tool, again, error={"code": "conflict", "field": resource.key_argument, "reason": reason})],
            {},
        )
    yield from _backwards(resource, tool, {**scope, **key, **short})
    if parent:
        above = model.resource(parent.references or "")
        wrong = {parent.name: _missing(above), **key, **short}
        yield "unknown-parent", [call(tool, wrong, error={"code": "not_found", "field": parent.name})], {}


def _backwards(resource: Resource, tool: ToolPlan, given: dict[str, Any]) -> Iterator[Example]:
    names = {field.name for field in tool.arguments}
    for start, end in order_pairs(resource):
        if start.name in names and end.name in names:
            late, early = (
                ("2026-06-02", "2026-06-01")
                if start.kind == "date"
                else ("2026-06-02T10:00:00Z", "2026-06-02T09:00:00Z")
            )
            error = {"code": "invalid", "field": end.name, "reason": order_rule(resource)}
            yield (
                f"backwards-{end.name.replace('_', '-')}",
                [call(tool, {**given, start.name: late, end.name: early}, error=error)],
                {},
            )


def within_parent(model: Model, resource: Resource, field: Field) -> bool:
    """Whether a field may only refer to rows of the row's own parent."""
    return field.role == "plain" and field.references is not None and model.resource(field.references).beside(resource)


def _beside(resource: Resource, row: Row, rows: list[Row]) -> list[Row]:
    """The rows of the same parent; all of them without one."""
    parent = resource.parent_field
    return [other for other in rows if parent is None or other[parent.name] == row[parent.name]]


def _other(field: Field, row: Row, rows: list[Row]) -> Any:
    """A value of the column that another row has and this one has not; None where there is none."""
    return next((other[field.name] for other in rows if other[field.name] not in (None, row[field.name])), None)


def _update(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    rows = data[resource.table]
    if not rows:
        return
    row = rows[0]
    ordered = {field.name for pair in order_pairs(resource) for field in pair}
    for field in tool.arguments:
        value = _other(field, row, _beside(resource, row, rows) if within_parent(model, resource, field) else rows)
        if value is None or field.name in ordered or (field.references == resource.table):
            continue
        if field.unique:
            value = f"New {value}"
        expected = {**shown(resource, row), field.name: value, **_stamps(model, resource)}
        yield (
            f"only-{field.name.replace('_', '-')}",
            [call(tool, {**item(resource, row), field.name: value}, result=visible(resource, expected))],
            {resource.table: 1},
        )
    for field in tool.clearable:
        full = next((one for one in rows if one[field.name] is not None), None)
        if full is not None:
            expected = {**shown(resource, full), field.name: None, **_stamps(model, resource)}
            calls = [call(tool, {**item(resource, full), "clear": field.name}, result=visible(resource, expected))]
            yield f"clears-{field.name.replace('_', '-')}", calls, {resource.table: 1}
    for field in tool.arguments:
        if field.references:
            wrong = {**item(resource, row), field.name: _missing(model.resource(field.references))}
            yield (
                f"unknown-{field.name.replace('_', '-')}",
                [call(tool, wrong, error={"code": "not_found", "field": field.name})],
                {},
            )
        if field.unique and len(rows) > 1:
            yield from _taken(resource, tool, field, rows, {})
    yield from _backwards(resource, tool, item(resource, row))
    yield from _not_found(model, data, resource, tool, {})


def _stamps(model: Model, resource: Resource) -> Row:
    """What a change sets by itself."""
    return {field.name: model.clock for field in resource.fields if field.role == "updated"}


def _taken(
    resource: Resource, tool: ToolPlan, field: Field, rows: list[Row], extra: dict[str, Any]
) -> Iterator[Example]:
    parent = resource.parent_field
    for row in rows[1:]:
        if parent is None or row[parent.name] == rows[0][parent.name]:
            error = {"code": "conflict", "field": field.name, "reason": unique_rule(resource, field)}
            given = {**item(resource, row), **extra, field.name: rows[0][field.name]}
            yield f"taken-{field.name.replace('_', '-')}", [call(tool, given, error=error)], {}
            return


def _replace(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    rows = data[resource.table]
    short = new_values(model, resource, tool, rows, only_required=True)
    full = new_values(model, resource, tool, rows)
    if not rows or short is None or full is None:
        return
    row = rows[0]
    touched = {field.name for field in tool.arguments}
    kept = {name: value for name, value in shown(resource, row).items() if name not in touched}
    stamps = {field.name: model.clock for field in resource.fields if field.role == "updated"}
    full = {name: value for name, value in full.items() if resource.field(name).references != resource.table}
    for title, given in (("full", full), ("clears-the-rest", short)):
        expected = {**kept, **dict.fromkeys(sorted(touched - set(given))), **given, **stamps}
        hidden = any(field.secret for field in tool.arguments if field.name in given)
        changes = {resource.table: 1} if hidden or expected != shown(resource, row) else {}
        yield title, [call(tool, {**item(resource, row), **given}, result=visible(resource, expected))], changes
    for field in tool.arguments:
        if field.unique and len(rows) > 1:
            yield from _taken(resource, tool, field, rows, short)
    yield from _backwards(resource, tool, {**item(resource, row), **short})
    yield from _not_found(model, data, resource, tool, short)


def _delete(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    free = next((row for row in reversed(data[resource.table]) if not kept_by(model, data, resource, row)), None)
    if free is not None:
        changes = {table: len(rows) for table, rows in going_with(model, data, resource, free).items()}
        yield "free", [call(tool, item(resource, free), result={"deleted": free[resource.key]})], changes
        get = resource.tool("get")
        if get is not None:
            gone = {"code": "not_found", "field": resource.key_argument}
            calls = [
                call(tool, item(resource, free), result={"deleted": free[resource.key]}),
                call(get, item(resource, free), error=gone),
            ]
            yield "then-get", calls, changes
    yield from _delete_with_all(model, data, resource, tool)
    shown_tables: set[str] = set()
    for row in data[resource.table]:
        tables = kept_by(model, data, resource, row)
        if len(tables) == 1 and tables[0] not in shown_tables:
            shown_tables.add(tables[0])
            error = {"code": "conflict", "field": resource.key_argument, "reason": used_rule(resource)}
            yield f"kept-by-{tables[0].replace('_', '-')}", [call(tool, item(resource, row), error=error)], {}
    yield from _not_found(model, data, resource, tool, {})


def _delete_with_all(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    """The deletion that takes along rows of most tables."""
    best: tuple[int, Row, dict[str, int]] | None = None
    for row in data[resource.table]:
        going = going_with(model, data, resource, row)
        if len(going) > (best[0] if best else 1) and not kept_by(model, data, resource, row):
            best = len(going), row, {table: len(rows) for table, rows in going.items()}
    if best is not None:
        _, row, changes = best
        yield "with-all-it-owns", [call(tool, item(resource, row), result={"deleted": row[resource.key]})], changes


def _action(model: Model, data: Data, resource: Resource, tool: ToolPlan) -> Iterator[Example]:
    step = tool.transition
    if step is None:
        return
    rows = data[resource.table]
    ready = next((row for row in rows if row[step.column] not in (step.value, *step.refused_from)), None)
    if ready is not None:
        yield "done", [call(tool, item(resource, ready), result={step.column: step.value})], {resource.table: 1}
        error = {
            "code": "conflict",
            "field": resource.key_argument,
            "reason": f"already_{step.state}",
        }
        calls = [
            call(tool, item(resource, ready), result={step.column: step.value}),
            call(tool, item(resource, ready), error=error),
        ]
        yield "twice", calls, {resource.table: 1}
    final = next((row for row in rows if row[step.column] in step.refused_from), None)
    if final is not None:
        error = {"code": "conflict", "field": resource.key_argument, "reason": final_rule(resource, tool)}
        yield "too-late", [call(tool, item(resource, final), error=error)], {}
    yield from _not_found(model, data, resource, tool, {})
