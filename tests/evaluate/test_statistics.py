"""Figures that are known, or can be counted by hand, and intervals that hold what they promise."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.evaluate.statistics import NOTHING, all_of, difference, rate, share, wilson


def test_wilsons_interval_is_the_published_one() -> None:
    # Newcombe 1998, table I (Wilson's score method): 81 of 263, 15 of 148, 0 of 20, 1 of 29.
    for successes, number, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611),
                                         (1, 29, 0.0061, 0.1718)):  # fmt: skip
        found = wilson(successes / number, number)
        assert (found.low, found.high) == (pytest.approx(low, abs=6e-5), pytest.approx(high, abs=6e-5))


def test_with_one_episode_a_task_the_rate_is_a_plain_share() -> None:
    tasks = [[True]] * 30 + [[False]] * 10
    found, plain = rate(tasks), wilson(0.75, 40)
    assert found.value == 0.75
    assert found.low == pytest.approx(plain.low, abs=0.006) and found.high == pytest.approx(plain.high, abs=0.006)


def test_episodes_of_one_task_are_not_worth_as_much_as_other_tasks() -> None:
    alike = rate([[True] * 8] * 5 + [[False] * 8] * 5)
    mixed = rate([[True] * 4 + [False] * 4] * 10)
    assert alike.value == mixed.value == 0.5
    assert alike.high - alike.low > 2 * (mixed.high - mixed.low)  # type: ignore[operator]


def test_where_nothing_varies_the_interval_is_not_empty() -> None:
    for tasks in ([[True] * 4] * 12, [[False] * 4] * 12, [[True]]):
        found = rate(tasks)
        assert found.value in (0.0, 1.0) and found.high - found.low > 0.2  # type: ignore[operator]
    assert rate([]) == rate([[], []]) == share([]) == NOTHING


@pytest.mark.parametrize(("number", "episodes", "spread"), [(20, 1, 0.3), (40, 4, 0.2), (40, 4, 0.45), (100, 8, 0.35)])
def test_intervals_hold_the_truth_about_95_times_in_100(number: int, episodes: int, spread: float) -> None:
    chance, held, runs = Random(7), 0, 600
    for _ in range(runs):
        tasks = []
        for _ in range(number):
            likely = 0.5 + spread if chance.random() < 0.5 else 0.5 - spread  # tasks differ; the mean is 0.5
            tasks.append([chance.random() < likely for _ in range(episodes)])
        found = rate(tasks)
        held += found.low <= 0.5 <= found.high  # type: ignore[operator]
    assert 0.92 <= held / runs <= 0.99


@given(st.lists(st.lists(st.booleans(), max_size=6), max_size=12))
def test_a_rate_lies_in_its_interval_and_both_in_0_to_1(tasks: list[list[bool]]) -> None:
    found = rate(tasks)
    assert found == NOTHING or 0.0 <= found.low <= found.value <= found.high <= 1.0  # type: ignore[operator]


@pytest.mark.parametrize(("successes", "episodes", "k"), [(3, 4, 2), (4, 4, 3), (1, 5, 2), (0, 3, 1)])
def test_all_of_k_is_the_share_of_draws_that_all_succeed(successes: int, episodes: int, k: int) -> None:
    played = [True] * successes + [False] * (episodes - successes)
    draws = [all(played[at] for at in chosen) for chosen in product(range(episodes), repeat=k) if len(set(chosen)) == k]
    assert all_of(successes, episodes, k) == pytest.approx(sum(draws) / len(draws))
    assert all_of(successes, episodes, episodes + 1) is None


# ---------------------------------------------------------------- two runs


def pairs_of(*counts: int) -> list[tuple[Fraction, Fraction]]:
    """Pairs from (both, first only, second only, neither)."""
    kinds = ((1, 1), (1, 0), (0, 1), (0, 0))
    return [(Fraction(a), Fraction(b)) for (a, b), n in zip(kinds, counts, strict=True) for _ in range(n)]


@pytest.mark.parametrize(("lost", "gained"), [(1, 8), (5, 5), (0, 6), (3, 11), (0, 0)])
def test_with_one_episode_a_task_the_test_is_mcnemars_exact_one(lost: int, gained: int) -> None:
    number = lost + gained
    tail = sum(comb(number, i) for i in range(min(lost, gained) + 1)) / 2**number
    assert difference(pairs_of(20, lost, gained, 5)).p == pytest.approx(min(1.0, 2 * tail))


def test_with_more_episodes_every_flip_is_counted() -> None:
    chance = Random(3)
    for _ in range(20):
        pairs = [(Fraction(chance.getrandbits(2), 3), Fraction(chance.getrandbits(2), 4)) for _ in range(8)]
        gaps = [after - before for before, after in pairs]
        sums = [abs(sum(s * g for s, g in zip(signs, gaps, strict=True))) for signs in product((1, -1), repeat=8)]
        expected = sum(total >= abs(sum(gaps)) for total in sums) / len(sums)
        assert difference(pairs).p == pytest.approx(expected)


def test_a_difference_has_the_sign_of_the_second_run_and_repeats() -> None:
    found = difference(pairs_of(10, 2, 12, 6))
    assert found.value == pytest.approx(10 / 30)
    assert 0 < found.low < found.value < found.high and found.p < 0.05
    assert difference(pairs_of(10, 2, 12, 6)) == found
    other = difference([(after, before) for before, after in pairs_of(10, 2, 12, 6)])
    assert (other.value, other.p) == (-found.value, found.p)
    with pytest.raises(ValueError, match="without a task in common"):
        difference([])


def test_runs_that_are_alike_are_seldom_found_different() -> None:
    chance, found = Random(11), 0
    for _ in range(200):
        pairs = [(Fraction(chance.random() < 0.5), Fraction(chance.random() < 0.5)) for _ in range(30)]
        found += difference(pairs).p < 0.05
    assert found / 200 <= 0.06
