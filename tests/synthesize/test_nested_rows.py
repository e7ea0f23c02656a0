"""Environments whose rows lie within others: parts come with their whole, are reached, changed and named."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from random import Random

import pytest

from envfactory_gym.environment import Language, load_package
from envfactory_gym.environment.columns import read_schema
from envfactory_gym.synthesize.grounding.families import Families
from envfactory_gym.synthesize.grounding.wishes import repeats
from envfactory_gym.synthesize.pipeline import Recipe, chains_of, maker_of
from envfactory_gym.synthesize.referring import Relation, references
from envfactory_gym.synthesize.splits import Splits
from envfactory_gym.synthesize.turns import Rejected
from envfactory_gym.world import LiveWorld, Template

NESTED = ["issues", "dns", "school", "calendar"]
DDL = """
CREATE TABLE hosts (id TEXT PRIMARY KEY NOT NULL, kind TEXT) STRICT;
CREATE TABLE boards (id TEXT PRIMARY KEY NOT NULL, title TEXT) STRICT;
CREATE TABLE pins (id TEXT PRIMARY KEY NOT NULL REFERENCES boards (id), colour TEXT) STRICT;
"""


@contextmanager
def base_world(name: str) -> Iterator[LiveWorld]:
    template = Template.of(load_package(name))
    world = template.acquire(seed=0)
    try:
        yield world
    finally:
        template.release(world)


@pytest.mark.parametrize("name", NESTED)
def test_most_chains_become_tasks_where_calls_name_a_row_and_what_it_lies_in(name: str) -> None:
    recipe = Recipe((name,), 99, "medium")
    maker = maker_of(load_package(name), recipe)
    made = 0
    for number, chain in enumerate(islice(chains_of(maker.package, recipe), 20)):
        with suppress(Rejected):
            maker.make(chain, number)
            made += 1
    assert made >= 12


def test_a_part_comes_into_the_split_of_its_whole() -> None:
    package = load_package("issues")
    splits = Splits(package)
    with base_world("issues") as world:
        families = Families(package, world, splits.reference)
        for comment, ticket in world.query("SELECT id, ticket_id FROM comments"):
            assert families.head("comments", comment) == families.head("tickets", ticket) == ("tickets", ticket)


def test_saying_what_a_row_lies_in_gives_it_nothing() -> None:
    package = load_package("issues")
    tool = package.tools["update_comment"]
    with base_world("issues") as world:
        row = world.rows("SELECT * FROM comments WHERE body IS NOT NULL LIMIT 1")[0]
        place = {"ticket_id": row["ticket_id"], "comment_id": row["id"]}
        assert repeats(world, tool, {**place, "body": row["body"]})
        assert not repeats(world, tool, {**place, "body": "Something else."})


def said(items: list[dict[str, str | None]], relation: str, column: str, fields: list[str]) -> list[str]:
    found = references(
        items, 0, relation=Relation(relation, "id", column, {name: name for name in fields}), language=Language(),
        schema=read_schema(DDL), now="2026-05-14T09:00:00Z", random=Random(0),
    )  # fmt: skip
    return [one.words for one in found]


def test_a_code_names_what_nothing_else_tells_apart() -> None:
    hosts: list[dict[str, str | None]] = [{"id": "LAM9TK", "kind": "plain"}, {"id": "UZAYHT", "kind": "plain"}]
    assert said(hosts, "hosts", "hosts.id", ["id", "kind"]) == ["the host LAM9TK"]
    assert not any(
        "LAM9TK" in words
        for words in said([{**hosts[0], "kind": "big"}, hosts[1]], "hosts", "hosts.id", ["id", "kind"])
    )


def test_rows_are_described_by_what_a_list_shows_of_them() -> None:
    pins: list[dict[str, str | None]] = [{"id": "A", "colour": "red"}, {"id": "B", "colour": "blue"}]
    assert said(pins, "pins", "boards.id", ["id", "colour"]) == ["the board whose colour is red"]
