"""Pictures that can be read: boxes apart, producers to the left, few lines, each by its evidence."""

from __future__ import annotations

from itertools import combinations, pairwise
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.environment import load_package
from envfactory_gym.synthesize.graph import InputNode, Link, OutputNode, ToolGraph, ToolNode
from envfactory_gym.synthesize.graph.layout import HEIGHT, WIDTH, Plan, backbone, plan


def some_graph(seed: int, size: int) -> ToolGraph:
    """Tools of up to three environments with random links, circles included."""
    random = Random(seed)
    names = [f"get_{number}" for number in range(size)]
    tools = [ToolNode(name=name, server=f"s{int(random.random() * 3)}") for name in names]
    inputs = [InputNode(tool=name, path="key", type="string", required=True) for name in names]
    outputs = [OutputNode(tool=name, path="out", type="string") for name in names]
    links = [
        Link(producer=one, output="out", consumer=other, input="key", declared=True)
        for one in names
        for other in names
        if one != other and random.random() < 0.15
    ]
    return ToolGraph(tools=tools, inputs=inputs, outputs=outputs, links=links)


def overlapping(drawn: Plan) -> list[tuple[str, str]]:
    return [
        (one, other)
        for (one, a), (other, b) in combinations(drawn.places.items(), 2)
        if abs(a.x - b.x) < WIDTH and abs(a.y - b.y) < HEIGHT - 1e-6
    ]


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.integers(0, 24))
def test_no_two_tools_overlap_and_all_are_inside(seed: int, size: int) -> None:
    graph = some_graph(seed, size)
    drawn = plan(graph)
    assert set(drawn.places) == set(graph.tools)
    assert overlapping(drawn) == []
    for at in drawn.places.values():
        assert 0 <= at.x <= drawn.width - WIDTH
        assert 0 <= at.y <= drawn.height - HEIGHT
    assert plan(graph) == drawn


@pytest.mark.parametrize("name", ["airline", "crm"])
def test_producers_stand_to_the_left_and_the_lines_are_few(name: str) -> None:
    graph = ToolGraph.build(load_package(name))
    drawn, strong = plan(graph), backbone(graph)
    assert overlapping(drawn) == []
    assert len(strong) <= 1.2 * len(graph.tools)
    for producer, consumer in strong:
        assert drawn.places[producer].x < drawn.places[consumer].x


def test_each_environment_has_a_part_of_its_own() -> None:
    graph = some_graph(3, 20)
    drawn = plan(graph)
    spans = {}
    for server in graph.servers:
        heights = [drawn.places[name].y for name, tool in graph.tools.items() if tool.server == server]
        spans[server] = min(heights), max(heights)
    ordered = sorted(spans.values())
    assert all(first[1] + HEIGHT <= second[0] for first, second in pairwise(ordered))
