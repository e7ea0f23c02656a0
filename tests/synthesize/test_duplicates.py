"""Near-duplicates are told by their words, within one goal template."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.synthesize.duplicates import Duplicates, jaccard, trigrams

LONG = "please cancel my trip to oslo on the third of june because my plans have changed again and again this spring"


def test_the_same_words_count_once_within_a_template() -> None:
    seen = Duplicates()
    assert seen.add("cancel", LONG)
    assert not seen.add("cancel", LONG.upper() + "!")


def test_the_same_words_for_another_template_are_another_task() -> None:
    seen = Duplicates()
    assert seen.add("cancel", LONG)
    assert seen.add("cancel + add_bags", LONG)


def test_one_word_changed_in_a_long_request_is_still_nearly_the_same() -> None:
    seen = Duplicates()
    seen.add("cancel", LONG)
    assert not seen.add("cancel", LONG.replace("spring", "summer"))
    assert seen.add("cancel", "I cannot fly to Oslo after all, take it off my account please")


@given(st.text(), st.text())
def test_similarity_is_symmetric_and_one_only_for_equal_sets(one: str, other: str) -> None:
    first, second = trigrams(one), trigrams(other)
    assert jaccard(first, second) == jaccard(second, first)
    assert (jaccard(first, second) == 1.0) == (first == second)
