"""What execution finds out: links confirmed and refuted, echoes, what a write makes, cures, what users can say."""

from __future__ import annotations

from pathlib import Path

import pytest

from envfactory_gym.environment import Bundle, Package, load_package
from envfactory_gym.synthesize.graph import InputNode, Link, ToolGraph
from envfactory_gym.synthesize.graph.proposals import Proposal
from tests.support import copy_of_lending, lending


@pytest.fixture(scope="module")
def airline() -> ToolGraph:
    return ToolGraph.build(load_package("airline"))


def link(graph: ToolGraph, producer: str, output: str, consumer: str, wanted: str) -> Link:
    return next(one for one in graph.links if one.key == (producer, output, consumer, wanted))


def test_a_lookup_is_asked_about_the_same_thing_as_the_call_it_is_held_against(airline: ToolGraph) -> None:
    found = link(airline, "get_reservation", "segments[].flight_id", "change_flight", "flight_id")
    assert (found.accepted, found.usable) == (found.tried, True)


def test_a_search_is_asked_for_the_very_row_that_a_call_was_accepted_with(airline: ToolGraph) -> None:
    found = link(airline, "search_flights", "flights[].flight_id", "change_flight", "new_flight_id")
    assert found.accepted == found.tried > 0


def test_a_declared_link_whose_values_are_never_accepted_is_refuted(airline: ToolGraph) -> None:
    found = link(airline, "get_reservation", "segments[].flight_id", "change_flight", "new_flight_id")
    assert found.declared
    assert not found.usable


def test_an_output_that_repeats_an_input_produces_nothing(airline: ToolGraph) -> None:
    assert airline.outputs["cancel_reservation", "reservation_id"].echoes == "reservation_id"
    producers = {one.producer for one in airline.links_into["add_bags", "reservation_id"]}
    assert producers == {"list_reservations", "book_reservation"}


def test_a_write_produces_only_what_it_makes(airline: ToolGraph) -> None:
    fresh = {node.key for node in airline.outputs.values() if node.fresh}
    assert ("book_reservation", "reservation_id") in fresh
    assert all(airline.tools[tool].writes for tool, _ in fresh)
    writes = {
        one.producer for links in airline.links_into.values() for one in links if airline.tools[one.producer].writes
    }
    assert writes <= {tool for tool, _ in fresh}


def test_cures_are_those_that_the_rules_ask_for_and_no_others(airline: ToolGraph) -> None:
    assert {(cure.writer, cure.tool, cure.reason) for cure in airline.cures} == {
        ("send_verification_code", "read_verification_code", "not_found"),
        ("send_verification_code", "verify_identity", "code-expired"),
        ("verify_identity", "update_contact", "identity-check"),
    }


@pytest.mark.parametrize(
    ("tool", "path", "source"),
    [
        ("list_reservations", "customer_id", "user"),  # a slot
        ("cancel_reservation", "reservation_id", "call"),  # a key
        ("cancel_reservation", "reason", "user"),  # a choice
        ("search_flights", "from_date", "user"),
        ("search_flights", "origin", "user"),  # a label
        ("search_flights", "page", "schema"),
        ("verify_identity", "code", "call"),  # told by a tool of the user's
        ("add_bags", "bags", "user"),
    ],
)
def test_users_can_say_what_people_know(airline: ToolGraph, tool: str, path: str, source: str) -> None:
    assert airline.inputs[tool, path].source == source


def test_a_judge_is_asked_only_about_what_a_name_decided() -> None:
    asked: list[InputNode] = []

    def judge(nodes: list[InputNode]) -> dict[tuple[str, str], bool]:
        asked.extend(nodes)
        return {node.key: False for node in nodes} | {("search_items", "query"): False}

    plain = ToolGraph.build(lending(), execute=False, cache=False)
    judged = ToolGraph.build(lending(), execute=False, cache=False, judge=judge)  # type: ignore[arg-type]
    changed = {key for key, node in judged.inputs.items() if node.source != plain.inputs[key].source}
    assert changed <= {node.key for node in asked}
    assert all(node.why in ("text", "number", "identifier") for node in asked)


def test_a_proposed_link_counts_only_where_execution_accepts_it() -> None:
    right = Proposal("list_loans", "loans[].loan_id", "extend_loan", "loan_id")
    unknown = Proposal("list_loans", "no.such.place", "extend_loan", "loan_id")
    built = ToolGraph.build(lending(), cache=False, proposer=lambda tools, inputs, outputs: [right, unknown])
    assert [one.usable for one in built.links if one.proposed] == [True]
    proposed = Link(producer="a", output="x", consumer="b", input="y", proposed=True)
    assert not proposed.usable


def test_in_a_bundle_names_carry_their_environment_and_links_stay_what_they_were() -> None:
    alone = ToolGraph.build(lending(), cache=False)
    met = ToolGraph.build(Bundle([lending(), load_package("crm")]), cache=False)
    assert met.servers == ("crm", "lending")
    inside = {
        tuple(part.removeprefix("lending__") for part in one.key)
        for one in met.links
        if one.usable and one.producer.startswith("lending__") and one.consumer.startswith("lending__")
    }
    assert inside == {one.key for one in alone.links if one.usable}


def test_environments_that_share_a_key_are_linked_and_execution_confirms_it(tmp_path: Path) -> None:
    def member(name: str) -> Package:
        shared = ("server.py", 'Ref("members.member_id")', 'Ref("universe.person")')
        renamed = ("environment.yaml", "name: lending", f"name: {name}")
        return Package.load(copy_of_lending(tmp_path / name, shared, renamed), trusted=True)

    graph = ToolGraph.build(Bundle([member("north"), member("south")]), cache=False)
    across = [one for one in graph.links if graph.tools[one.producer].server != graph.tools[one.consumer].server]
    keys = [one for one in across if graph.inputs[one.consumer, one.input].ref == "universe.person"]
    assert keys
    assert any("declared" in one.evidence and "executed" in one.evidence for one in keys)
