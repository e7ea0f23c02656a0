"""Samplers: the invariants of the topology-aware one hold on every graph, and the baselines break them as measured."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.environment import PackageError, load_package
from envfactory_gym.synthesize.graph import InputNode, Link, OutputNode, ToolGraph, ToolNode
from envfactory_gym.synthesize.sampling import Limits, TopologySampler
from envfactory_gym.synthesize.sampling.check import problems
from envfactory_gym.synthesize.sampling.compare import compare
from tests.support import lending


@pytest.fixture(scope="module")
def graph() -> ToolGraph:
    return ToolGraph.build(lending())


def random_graph(seed: int) -> ToolGraph:
    """Tools of up to three environments, with inputs that only some of the others' outputs can fill."""
    random = Random(seed)
    names = [f"tool_{number}" for number in range(3 + int(random.random() * 12))]
    tools = [
        ToolNode(
            name=name,
            server=f"server_{int(random.random() * 3)}",
            actor="user" if random.random() < 0.1 else "agent",
            writes=("t",) if random.random() < 0.5 else (),
        )
        for name in names
    ]
    inputs, outputs, links = [], [], []
    for name in names:
        outputs.append(OutputNode(tool=name, path="out", type="string", fresh=random.random() < 0.5))
        for number in range(int(random.random() * 4)):
            source = ("call", "user", "schema", "clock")[int(random.random() * 4)]
            inputs.append(
                InputNode(tool=name, path=f"in_{number}", type="string", required=random.random() < 0.7, source=source)  # type: ignore[arg-type]
            )
    for node in inputs:
        for other in names:
            if other != node.tool and random.random() < 0.3:
                links.append(Link(producer=other, output="out", consumer=node.tool, input=node.path, declared=True))
    return ToolGraph(tools=tools, inputs=inputs, outputs=outputs, links=links)


@settings(max_examples=60, deadline=None)
@given(made=st.integers(0, 10_000), seed=st.integers(0, 10_000), preset=st.sampled_from(["easy", "medium", "hard"]))
def test_every_chain_on_every_graph_keeps_the_invariants(made: int, seed: int, preset: str) -> None:
    graph = random_graph(made)
    try:
        sampler = TopologySampler(graph, seed=seed, preset=preset)  # type: ignore[arg-type]
        chains = list(islice(sampler, 8))
    except PackageError:
        return  # such a graph has no tool that can be called, or none that fits: nothing is sampled from it
    for chain in chains:
        assert problems(chain, graph, sampler.limits) == []


@pytest.mark.parametrize("preset", ["easy", "medium", "hard"])
def test_the_same_seed_gives_the_same_chains_and_another_one_others(graph: ToolGraph, preset: str) -> None:
    def drawn(seed: int) -> list[str]:
        sampler = TopologySampler(graph, seed=seed, preset=preset)  # type: ignore[arg-type]
        return [chain.model_dump_json() for chain in islice(sampler, 12)]

    assert drawn(3) == drawn(3)
    assert drawn(3) != drawn(4)


def test_a_sampler_goes_on_where_another_one_was(graph: ToolGraph) -> None:
    whole = list(islice(TopologySampler(graph, seed=1), 10))
    first = TopologySampler(graph, seed=1)
    begun = list(islice(first, 4))
    assert begun + list(islice(TopologySampler(graph, seed=1, state=first.state()), 6)) == whole


def test_every_tool_that_can_be_called_is_used_evenly() -> None:
    graph = ToolGraph.build(load_package("crm"), execute=False)
    used: dict[str, int] = {}
    for chain in islice(TopologySampler(graph, seed=0), 150):
        for tool in chain.tools:
            used[tool] = used.get(tool, 0) + 1
    assert set(used) == set(graph.tools)


def test_a_sampler_asks_only_for_what_can_be_wished_together(graph: ToolGraph) -> None:
    def apart(tools: frozenset[str]) -> bool:
        return not {"extend_loan", "return_item"} <= tools

    for chain in islice(TopologySampler(graph, seed=0, preset="hard", together=apart), 40):
        assert not {"extend_loan", "return_item"} <= set(chain.tools)


def test_the_baselines_violate_what_the_topology_sampler_keeps() -> None:
    graph = ToolGraph.build(load_package("airline"))
    topology, reference, walk = compare(graph, 120)
    assert (topology.unsatisfied, topology.duplicates, topology.over_nodes, topology.split_badly) == (0, 0, 0, 0)
    assert reference.duplicates > 0.3
    assert reference.unsatisfied > 0
    assert walk.unsatisfied > reference.unsatisfied


def test_limits_that_make_no_sense_are_refused() -> None:
    with pytest.raises(PackageError):
        Limits(max_nodes=0)
    with pytest.raises(PackageError):
        Limits(wishes=(3, 2))
