"""Sources nobody wrote: whatever a schema, a path or a definition holds, reading ends in a model or in words."""

from __future__ import annotations

from graphlib import TopologicalSorter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.construct import BuildError
from envfactory_gym.construct.model import Model
from envfactory_gym.construct.portions import MAX_TOOLS, fit, split
from envfactory_gym.construct.reading import as_document, model_of
from envfactory_gym.construct.sql.reading import read_script

NAMES = st.sampled_from(
    ["id", "name", "status", "owner_id", "createdAt", "items", "data", "class", "Ünïcode", "", "$ref", "a.b", "x" * 80,
     "select", "pet", "pets", "value", "type", "parent_id", "deleted", "tax_ids"]
)  # fmt: skip
REFERENCES = st.sampled_from([*["Pet", "Owner", "Tree"] * 30, "Nobody"]).map(
    lambda name: {"$ref": f"#/components/schemas/{name}"}
)
WORDS = st.text(max_size=12)
SCALARS = st.one_of(
    st.fixed_dictionaries(
        {
            "type": st.sampled_from(
                ["string", "integer", "number", "boolean", "null", "any", ["string", "null"], "array"]
            )
        },
        optional={
            "format": st.sampled_from(["date", "date-time", "email", "int64", "uuid", "binary"]),
            "enum": st.lists(st.one_of(st.none(), st.integers(), WORDS), max_size=4),
            "minimum": st.one_of(st.integers(), st.floats(), WORDS),
            "maxLength": st.integers(-5, 10_000),
            "default": st.one_of(st.none(), st.integers(), WORDS, st.lists(st.integers(), max_size=2)),
            "nullable": st.booleans(),
            "readOnly": st.booleans(),
            "pattern": WORDS,
            "description": WORDS,
            "example": st.one_of(WORDS, st.integers(), st.none()),
        },
    ),
    REFERENCES,
    st.booleans(),
    st.none(),
)


def _wider(inner: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.fixed_dictionaries(
            {"type": st.just("object"), "properties": st.dictionaries(NAMES, inner, max_size=5)},
            optional={"required": st.lists(NAMES, max_size=3), "additionalProperties": inner, "description": WORDS},
        ),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"allOf": st.lists(inner, max_size=3)}),
        st.fixed_dictionaries(
            {"oneOf": st.lists(inner, max_size=3)},
            optional={"discriminator": st.one_of(WORDS, st.just({"propertyName": "type"}))},
        ),
    )


SCHEMAS = st.recursive(SCALARS, _wider, max_leaves=12)
SEGMENTS = st.sampled_from(
    ["pets", "{id}", "{petId}", "owners", "cancel", "{name}:close", "search", "v1", "settings", "{a}-{b}"]
)


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    schemas = {name: draw(SCHEMAS) for name in ("Pet", "Owner", "Tree")}
    content = SCHEMAS.map(lambda schema: {"application/json": {"schema": schema}})
    operations = st.fixed_dictionaries(
        {"responses": st.fixed_dictionaries({"200": st.fixed_dictionaries({"content": content})})},
        optional={
            "requestBody": st.fixed_dictionaries({"content": content}),
            "tags": st.lists(WORDS, max_size=2),
            "parameters": st.lists(
                st.fixed_dictionaries(
                    {"name": NAMES, "in": st.sampled_from(["query", "path", "header"]), "schema": SCHEMAS}
                ),
                max_size=3,
            ),
        },
    )
    items = st.dictionaries(st.sampled_from(["get", "post", "put", "patch", "delete"]), operations, min_size=1)
    paths = st.lists(SEGMENTS, max_size=5).map(lambda parts: "/" + "/".join(parts))
    # One resource is always whole, so that most documents reach the model; whatever its rows hold, they are objects.
    members = st.dictionaries(NAMES, SCHEMAS, min_size=1, max_size=6)
    schemas["Pet"] = {"type": "object", "properties": {"name": {"type": "string"}, **draw(members)}}
    pet = {"application/json": {"schema": {"$ref": "#/components/schemas/Pet"}}}
    listed = {"application/json": {"schema": {"type": "array", "items": {"$ref": "#/components/schemas/Pet"}}}}
    found = {
        "/pets": {"get": {"responses": {"200": {"content": listed}}}, "post": {"requestBody": {"content": pet}}},
        "/pets/{id}": draw(items) | {"patch": {"requestBody": {"content": pet}}},
        **draw(st.dictionaries(paths, items, max_size=4)),
    }
    return {"openapi": "3.0.0", "paths": found, "components": {"schemas": schemas}}


def consistent(model: Model) -> None:
    """What every model promises to those who emit from it."""
    tables = [one.table for one in model.resources]
    names = [tool.name for one in model.resources for tool in one.tools]
    assert len(set(tables)) == len(tables)
    assert len(set(names)) == len(names)
    for resource in model.resources:
        columns = [field.name for field in resource.fields]
        assert len(set(columns)) == len(columns)
        assert resource.key in columns
        assert all(resource.field(name).kind != "json" for name in resource.listing.sorts)
        for one in resource.listing.filters:
            assert set(one.columns or (one.column,)) <= set(columns)
        assert all(field.references in tables for field in resource.fields if field.references)
        assert all(argument in resource.fields for tool in resource.tools for argument in tool.arguments)
    needs = {one.table: {f.references for f in one.fields if f.references and f.required} for one in model.resources}
    TopologicalSorter(needs).prepare()  # raises where rows could never be made, each waiting for the other
    writing = [tool for one in model.resources for tool in one.tools if tool.verb in ("update", "replace")]
    assert all(tool.arguments for tool in writing)
    told = {tool.operation for one in model.resources for tool in one.tools}
    left_out = [one.operation for one in model.left_out]
    assert len(set(left_out)) == len(left_out)
    assert len(told | set(left_out)) == len(told) + len(left_out) == model.operations


@settings(max_examples=150, deadline=None)
@given(documents())
def test_any_document_gives_a_consistent_model_or_a_sentence(raw: dict[str, Any]) -> None:
    try:
        model = model_of(as_document(raw), "random")
    except BuildError:
        return
    consistent(model)
    consistent(fit(model))
    for part in split(model, 6):
        consistent(part)
    assert sum(len(one.tools) for one in fit(model, 3).resources) <= 3
    assert sum(len(one.tools) for one in fit(model).resources) <= MAX_TOOLS


TYPES = st.sampled_from(["INT", "TEXT", "", "DATE", "NUMERIC(5,2)", "BOOLEAN", "BLOB", "VARCHAR(9)", "TIMESTAMP"])
RULES = st.sampled_from(
    ["", "NOT NULL", "PRIMARY KEY", "UNIQUE", "DEFAULT 3", "DEFAULT CURRENT_TIMESTAMP", "CHECK (a IN ('x', 'y'))",
     "CHECK (a > 1 OR a < 0)", "REFERENCES pets (id)", "REFERENCES owners ON DELETE CASCADE", "NOT NULL REFERENCES pets"]
)  # fmt: skip
COLUMNS = st.lists(
    st.tuples(st.sampled_from(["id", "a", "b", "pet_id", "name", "class"]), TYPES, RULES), min_size=1, max_size=5
)
VALUES = st.sampled_from(["1", "NULL", "'x'", "'2024-01-01'", "2.5", "'it''s'", "x'00'"])


@st.composite
def scripts(draw: st.DrawFn) -> str:
    lines = []
    for table in ("pets", "owners", "links"):
        columns = {name: (kind, rule) for name, kind, rule in draw(COLUMNS)}
        body = ", ".join(f'"{name}" {kind} {rule}' for name, (kind, rule) in columns.items())
        lines.append(f"CREATE TABLE {table} ({body}{draw(st.sampled_from(['', ', PRIMARY KEY (a, b)']))});")
        for _ in range(draw(st.integers(0, 3))):
            lines.append(f"INSERT INTO {table} VALUES ({', '.join(draw(VALUES) for _ in columns)});")
    return "\n".join(lines)


@settings(max_examples=80, deadline=None)
@given(scripts())
def test_any_script_gives_a_consistent_model_with_linked_rows_or_a_sentence(text: str) -> None:
    try:
        model = model_of(read_script(text, "random.sql"), "random")
    except BuildError:
        return
    consistent(model)
    rows = {one.table: one.rows for one in model.resources}
    for resource in model.resources:
        keys = [tuple(row[name] for name in resource.key_columns) for row in resource.rows]
        assert len(set(keys)) == len(keys)
        for field in resource.fields:
            if field.references:
                target = model.resource(field.references).key
                there = {row[target] for row in rows[field.references]}
                assert {row[field.name] for row in resource.rows} - {None} <= there


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="ABCTE '\"`;$-/*()\n,\\.", max_size=120))
def test_any_text_is_read_as_a_script_or_refused(text: str) -> None:
    try:
        read_script(f"CREATE TABLE a (b INT);\n{text}", "random.sql")
    except BuildError:
        return
