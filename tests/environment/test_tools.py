"""A tool is a typed function: its schema is portable, its arguments strict, its errors helpful."""

import datetime
import enum
import json
from typing import Annotated, Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from envfactory_gym.environment import Ref, ToolError, build_tool
from envfactory_gym.environment.jsonschema import number_bounds, portable, size_bounds


class Cabin(enum.Enum):
    economy = "economy"
    business = "business"


class Part(BaseModel):
    name: str
    parts: list["Part"] = []


class Found(TypedDict):
    code: Annotated[str, Ref("things.code")]
    inner: list[Part]


def book(
    world: Any,
    code: Annotated[str, Ref("things.code"), Field(pattern="^[A-Z]{2}$")],
    seats: Annotated[int, Field(ge=1, le=9)],
    cabin: Cabin = Cabin.economy,
    when: datetime.date | None = None,
    tags: list[Literal["a", "b"]] | None = None,
) -> Found:
    """Book a thing.

    Args:
        code: Code of the thing,
            two letters.
        seats: How many.
    """
    return {"code": code, "inner": []}


class Counted(BaseModel):
    n: int


def count(
    world: Any, n: int = 0, many: list[list[int]] | None = None, part: Counted | None = None, any: Any = None
) -> int:
    """Count things."""
    return n


TOOL, COUNT = build_tool(book), build_tool(count)


def walk(node: Any):
    yield node
    if isinstance(node, dict):
        for child in node.values():
            yield from walk(child)
    elif isinstance(node, list):
        for child in node:
            yield from walk(child)


@pytest.mark.parametrize("schema", [TOOL.input_schema, TOOL.output_schema], ids=["input", "output"])
def test_schemas_are_inlined_and_portable(schema):
    for node in walk(schema):
        if isinstance(node, dict):
            assert not {"$ref", "$defs", "allOf", "x-ref"} & set(node)
            assert not isinstance(node.get("type"), list)
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


def test_descriptions_and_references_come_from_signature_and_docstring():
    assert TOOL.description == "Book a thing."
    by_name = {parameter.name: parameter for parameter in TOOL.parameters}
    assert by_name["code"].description == "Code of the thing, two letters."
    assert by_name["code"].ref == "things.code"
    assert by_name["code"].required
    assert not by_name["cabin"].required
    assert by_name["cabin"].default == "economy"
    assert TOOL.outputs == {"code": "things.code"}


def test_good_arguments_become_typed_values():
    values = TOOL.validate('{"code": "AB", "seats": 2, "when": "2026-01-31", "cabin": "business"}')
    assert values == {
        "code": "AB",
        "seats": 2,
        "cabin": Cabin.business,
        "when": datetime.date(2026, 1, 31),
        "tags": None,
    }


BAD = [
    ({"seats": 1}, "code", "needs the argument 'code'"),
    ({"code": "AB", "seats": "2"}, "seats", "valid integer"),
    ({"code": "AB", "seats": 2.5}, "seats", "integer"),
    ({"code": "AB", "seats": True}, "seats", "valid integer"),
    ({"code": "AB", "seats": 10}, "seats", "less than or equal to 9"),
    ({"code": "ABC", "seats": 1}, "code", "pattern"),
    ({"code": "AB", "seats": 1, "cabin": "first"}, "cabin", "economy"),
    ({"code": "AB", "seats": 1, "when": "31.1.2026"}, "when", "date"),
    ({"code": "AB", "seats": 1, "tags": ["c"]}, "tags", "tags.0"),
    ({"code": "AB", "seats": 1, "seat": 1}, "seat", "no argument 'seat'; it takes: code, seats"),
    ({"code": None, "seats": 1}, "code", "valid string"),
    ("{", None, "not valid JSON"),
    ("[1]", None, "valid object|object"),
    ('{"code": "AB", "seats": 1e400}', "seats", "."),
    (b"\xff\xfe", None, "not valid JSON|not JSON"),
    ({"code": "\ud800", "seats": 1}, None, "not JSON"),
    ({"code": object(), "seats": 1}, None, "not JSON"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "field", "message"), BAD, ids=[f"{number}-{row[1]}" for number, row in enumerate(BAD)]
)
def test_bad_arguments_are_refused_with_the_field(arguments, field, message):
    with pytest.raises(ToolError, match=message) as caught:
        TOOL.validate(arguments)
    assert (caught.value.code, caught.value.field) == ("invalid", field)
    json.dumps(caught.value.payload())


@pytest.mark.parametrize("number", [1 << 63, -(1 << 63) - 1, 10**40])
@pytest.mark.parametrize(
    "where", ['{{"n": {}}}', '{{"many": [[1], [{}]]}}', '{{"part": {{"n": {}}}}}', '{{"any": {{"a": [{}]}}}}']
)
def test_an_integer_that_no_column_holds_is_refused_wherever_it_stands(where, number):
    with pytest.raises(ToolError, match="64 bits"):
        COUNT.validate(where.format(number))
    assert COUNT.validate(where.format((1 << 63) - 1))


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3), max_leaves=8))  # fmt: skip
def test_any_json_is_either_accepted_or_refused_as_the_agents_fault(value):
    try:
        TOOL.validate(value if isinstance(value, dict) else json.dumps(value))
    except ToolError as error:
        assert error.code == "invalid"


def test_unknown_error_codes_are_a_mistake_of_the_author():
    with pytest.raises(ValueError, match="not_found"):
        ToolError("missing", "x")  # type: ignore[arg-type]


def test_results_have_the_same_bytes_everywhere_and_are_checked_against_their_type():
    text = TOOL.encode({"code": "é", "inner": [], "big": 1e16, "nan": float("nan")})
    assert text == '{"code":"é","inner":[],"big":1e+16,"nan":null}'
    assert TOOL.check_result('{"code": "AB", "inner": [{"name": "x", "parts": []}]}') is None
    assert "code" in (TOOL.check_result('{"code": 3, "inner": []}') or "")


def test_recursive_schemas_are_unrolled_to_a_bounded_depth():
    text = json.dumps(portable(Part.model_json_schema()))
    assert "$ref" not in text
    assert 3 <= text.count('"name"') <= 8


def test_the_openai_form_is_a_fresh_copy():
    first = TOOL.openai()
    first["function"]["parameters"]["properties"].clear()
    assert TOOL.openai()["function"]["parameters"]["properties"]


room = st.none() | st.integers(0, 30)


@given(st.integers(-50, 50), room, room, st.booleans())
def test_numbers_are_drawn_from_what_a_schema_admits(inside, below, above, exclusive):
    schema = {"type": "integer"}
    if below is not None:
        schema |= {"exclusiveMinimum": inside - below - 1} if exclusive else {"minimum": inside - below}
    if above is not None:
        schema |= {"exclusiveMaximum": inside + above + 1} if exclusive else {"maximum": inside + above}
    low, high = number_bounds(schema, 1, 20)
    assert low <= high
    assert below is None or low == inside - below
    assert above is None or high == inside + above


def test_numbers_are_drawn_in_order_where_a_schema_admits_none():
    assert number_bounds({"type": "integer", "minimum": 10, "maximum": 1}, 1, 20) == (10, 10)
    assert number_bounds({"type": "number", "minimum": 1.5, "maximum": 1}, 0, 20) == (1.5, 1.5)


sides = st.none() | st.integers(0, 50)


@given(sides, sides)
def test_sizes_are_drawn_in_order_and_never_below_the_least(least, most):
    schema = {key: value for key, value in (("minLength", least), ("maxLength", most)) if value is not None}
    low, high = size_bounds(schema, "Length", 1, 7)
    assert low <= high
    assert least is None or low == least
    assert most is None or low > most or high <= most
