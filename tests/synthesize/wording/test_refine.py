"""Refinement reaches the wanted implicitness with the fewest words."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym.synthesize.reference import Reference
from envfactory_gym.synthesize.wording.refine import refine


def a_reference(words: int, implicit: int) -> Reference:
    return Reference(" ".join(["word"] * words), (), "", "trips.trip_id", implicit=implicit)


ROWS = st.lists(
    st.lists(st.builds(a_reference, st.integers(1, 9), st.integers(0, 4)), min_size=1, max_size=4), max_size=3
)
OPTIONAL = st.sampled_from([[], [("fare", "flex")], [("date", "on 21 May")], [("fare", "flex"), ("date", "on 21 May")]])


@given(ROWS, OPTIONAL, st.integers(0, 8).map(lambda half: half / 2))
def test_no_other_choice_that_is_hard_enough_is_shorter(
    rows: list[list[Reference]], optional: list[tuple[str, str]], wanted: float
) -> None:
    found = refine(rows, wanted, optional)
    parts = [[(len(one.words.split()), one.implicit) for one in row] for row in rows]
    parts += [[(len(words.split()), 0), (0, 4)] for _, words in optional]
    goal = wanted * len(parts)
    choices = [(sum(implicit for _, implicit in one), sum(words for words, _ in one)) for one in product(*parts)]
    reached = round(found.implicitness * len(parts))
    said = sum(len(one.words.split()) for one in found.references) + unsaid_words(optional, found.unsaid)
    enough = [(words, implicit) for implicit, words in choices if implicit >= goal]
    if enough:
        assert (said, reached) == min(enough)
    else:
        most = max(implicit for implicit, _ in choices)
        assert (said, reached) == min((words, implicit) for implicit, words in choices if implicit == most)


def unsaid_words(optional: list[tuple[str, str]], unsaid: tuple[str, ...]) -> int:
    """How many words of the optional values are still said, for values whose words are of one length."""
    return sum(len(words.split()) for name, words in optional if name not in unsaid)


def test_explicit_words_do_where_nothing_is_wanted() -> None:
    found = refine([[a_reference(1, 0), a_reference(5, 3)]], 0)
    assert found.references[0].implicit == 0 and found.implicitness == 0


def test_what_can_be_inferred_is_left_out_when_that_is_needed() -> None:
    assert refine([[a_reference(2, 1)]], 2, [("fare", "on the flex fare")]).unsaid == ("fare",)


def test_a_row_that_cannot_be_said_is_an_error() -> None:
    with pytest.raises(ValueError, match="without a reference"):
        refine([[]], 1)
