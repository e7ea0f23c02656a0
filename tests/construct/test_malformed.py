"""Whatever is wrong with a document, there is a package or one clear sentence: never a traceback."""

from __future__ import annotations

import ast
import copy
import json
import time
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.construct import BuildError, bundled_source
from envfactory_gym.construct.behaviours import make_behaviours
from envfactory_gym.construct.emit.schema import emit_schema
from envfactory_gym.construct.emit.server import emit_server
from envfactory_gym.construct.emit.trial import trial
from envfactory_gym.construct.openapi.document import Document
from envfactory_gym.construct.openapi.modelling import build_model
from envfactory_gym.construct.rows.data import make_data
from envfactory_gym.construct.tasks.writer import make_tasks
from envfactory_gym.verify.arguments import schema_value

from .shop import built, shop

JUNK = st.sampled_from(
    [None, 0, True, -1.5, "x", "\u2028\"'\\\n", [], ["a", 1], {}, {"a": {"b": []}}, {"$ref": "#/nowhere"}, {"$ref": 3},
     {"type": ["null", "string"]}, {"allOf": [{"type": "object"}]}, {"enum": [1, "a", None]}, {"properties": {"": {}}}]
)  # fmt: skip
DOCUMENTS = [shop(), json.loads(bundled_source("powerdns").read_text())]


def paths_in(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    children = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(found for key, child in children for found in paths_in(child, (*path, key)))]


PLACES = [paths_in(document)[1:] for document in DOCUMENTS]


REMOVED = "(removed)"


@st.composite
def edits(draw: st.DrawFn) -> tuple[int, list[tuple[tuple[Any, ...], Any]]]:
    """Which document to spoil, and what stands where afterwards."""
    which = draw(st.integers(0, len(DOCUMENTS) - 1))
    edit = st.tuples(st.sampled_from(PLACES[which]), st.one_of(JUNK, st.just(REMOVED)))
    return which, draw(st.lists(edit, min_size=1, max_size=12))


def spoil(which: int, changes: list[tuple[tuple[Any, ...], Any]]) -> Any:
    """A real document in which some nodes were removed or replaced; places that are gone are passed over."""
    document = copy.deepcopy(DOCUMENTS[which])
    for place, junk in changes:
        try:
            node = document
            for key in place[:-1]:
                node = node[key]
            if junk == REMOVED:
                del node[place[-1]]
            else:
                node[place[-1]] = copy.deepcopy(junk)
        except (KeyError, IndexError, TypeError):
            continue
    return document


@settings(max_examples=80)
@given(edits())
def test_a_spoiled_document_builds_or_is_refused_in_words(
    change: tuple[int, list[tuple[tuple[Any, ...], Any]]],
) -> None:
    try:
        model = build_model(Document(spoil(*change)), "spoiled")
    except BuildError:  # one clear sentence is a good end; anything else fails this test
        return
    data = make_data(model, 0)
    make_behaviours(model, data)
    make_tasks(model, data, 0)
    schema = emit_schema(model)
    with trial(model, schema, data) as world:
        ast.parse(emit_server(model, world))


LIMITS = {
    "upside_down": {"type": "integer", "minimum": 10, "maximum": 1},
    "below_zero": {"type": "integer", "maximum": -5},
    "no_number": {"type": "number", "minimum": 10.5, "maximum": 1.5, "multipleOf": 0},
    "no_text": {"type": "string", "minLength": 10, "maxLength": -1},
    "many": {"type": "string", "enum": [f"v{number}" for number in range(5_000)]},
}


def test_fields_that_admit_nothing_or_very_many_values_are_built_and_sampled(tmp_path: Path) -> None:
    document = shop()
    document["components"]["schemas"]["Customer"]["allOf"][1]["properties"] |= copy.deepcopy(LIMITS)
    begin = time.process_time()
    package = built(document, tmp_path)
    assert time.process_time() - begin < 30  # a choice of thousands is read once, not once per value
    random = Random(0)
    plain = [tool for tool in package.tools.values() if '"pattern"' not in json.dumps(tool.input_schema)]
    assert plain
    for tool in plain:
        for _ in range(20):
            assert tool.validate({one.name: schema_value(one.schema, random) for one in tool.parameters})
