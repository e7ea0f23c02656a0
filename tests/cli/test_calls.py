"""A person types a call; it arrives with the types that the tool's schema wants."""

from __future__ import annotations

from typing import Any

import pytest

from envfactory_gym.cli.calls import Unreadable, read_call

TOOLS = {
    "search": {
        "properties": {
            "origin": {"type": "string"},
            "seats": {"type": "integer"},
            "direct": {"type": "boolean"},
            "cabin": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "days": {"type": "array", "items": {"type": "string"}},
        }
    }
}


@pytest.mark.parametrize(
    ("line", "arguments"),
    [
        ("search", {}),
        ("search origin=OSL seats=2 direct=true", {"origin": "OSL", "seats": 2, "direct": True}),
        ("search origin=123", {"origin": "123"}),
        ("search origin='New York' cabin=null", {"origin": "New York", "cabin": None}),
        ("search origin=null", {"origin": "null"}),
        ("""search days='["2026-05-14"]'""", {"days": ["2026-05-14"]}),
        ("search seats=two", {"seats": "two"}),
        ("search typo=5", {"typo": 5}),
        ("search origin=a=b", {"origin": "a=b"}),
        ('search {"seats": 2, "origin": "OSL"}', {"seats": 2, "origin": "OSL"}),
    ],
)
def test_values_are_read_by_the_type_of_the_argument(line: str, arguments: dict[str, Any]) -> None:
    assert read_call(line, TOOLS) == ("search", arguments)


@pytest.mark.parametrize(
    ("line", "advice"),
    [
        ("serach origin=OSL", "/tools lists them"),
        ("search OSL", "name=value"),
        ("search origin='New York", "quotes"),
        ('search {"seats": }', "not valid JSON"),
    ],
)
def test_a_line_that_cannot_be_read_is_answered_with_advice(line: str, advice: str) -> None:
    with pytest.raises(Unreadable, match=advice):
        read_call(line, TOOLS)
