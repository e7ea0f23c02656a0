"""Combinations of values come likeliest first, and none is made before it is asked for."""

from itertools import islice, product

from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.agents.adversaries.seen import likeliest


@given(st.lists(st.integers(0, 4), max_size=5))
def test_every_combination_comes_once_in_order_of_its_ranks(sizes):
    lists = [list(range(size)) for size in sizes]
    wanted = sorted(product(*lists), key=sum)
    assert list(likeliest(lists)) == wanted


def test_a_tool_of_forty_arguments_has_likely_ones_at_once():
    found = list(islice(likeliest([range(4)] * 40), 50))
    assert found[0] == (0,) * 40
    assert len(set(found)) == 50
