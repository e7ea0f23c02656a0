"""Rows and goal templates belong to one split, whatever is made of them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym import Package
from envfactory_gym.synthesize.splits import Splits, unseen_share
from tests.support import lending


@pytest.fixture(scope="module")
def package() -> Package:
    return lending()


@given(owner=st.integers() | st.text(), keys=st.lists(st.integers() | st.text(), min_size=2))
def test_all_rows_of_an_owner_belong_to_one_split(package: Package, owner: int | str, keys: list[int | str]) -> None:
    splits = Splits(package)
    assert len({splits.of_row("loans", key, owner) for key in keys}) == 1


def test_a_table_that_no_tool_writes_belongs_to_every_split(package: Package) -> None:
    splits = Splits(package)
    assert splits.of_row("members", "M-104") is None
    assert splits.of_row("loans", "L-1") in ("train", "dev", "test")


def test_some_templates_come_into_test_alone_however_often_they_occur(package: Package) -> None:
    splits = Splits(package)
    templates = [f"tool_{number}" for number in range(200)]
    found = {template: {splits.of_template([template], number) for number in range(60)} for template in templates}
    held_out = [template for template, seen in found.items() if seen == {"test"}]
    assert 10 <= len(held_out) <= 50
    assert all("train" in seen for template, seen in found.items() if template not in held_out)


def test_shares_of_owners_are_about_those_aimed_at(package: Package) -> None:
    splits = Splits(package)
    dealt = [splits.of_row("loans", 0, owner) for owner in range(2000)]
    assert 0.55 < dealt.count("train") / 2000 < 0.65
    assert 0.18 < dealt.count("test") / 2000 < 0.26


def test_the_unseen_share_counts_test_tasks_whose_template_no_other_split_has() -> None:
    assert unseen_share([("train", "a"), ("test", "a"), ("test", "b")]) == 0.5
    assert unseen_share([("train", "a")]) == 0.0
