"""Names from any document become identifiers, plurals and words."""

from __future__ import annotations

import keyword

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import create_model

from envfactory_gym.construct.naming import a, identifier, pascal, plural, sentence, singular, snake


@pytest.mark.parametrize(
    ("written", "name"),
    [("timeZone", "time_zone"), ("time-off-requests", "time_off_requests"), ("HTTPServer", "http_server"),
     ("iCalUID", "i_cal_uid"), ("2fa", "x_2fa"), ("Straße", "stra_e"), ("", "x")],
)  # fmt: skip
def test_names_become_snake_case(written: str, name: str) -> None:
    assert snake(written) == name


@pytest.mark.parametrize(
    ("many", "one"),
    [("companies", "company"), ("boxes", "box"), ("addresses", "address"), ("people", "person"),
     ("metadata", "metadata"), ("time_off_requests", "time_off_request"), ("statuses", "status"), ("news", "news"), ("classes", "class")],
)  # fmt: skip
def test_plurals_and_singulars(many: str, one: str) -> None:
    assert singular(many) == one
    assert plural(one) == many


def test_articles_follow_the_sound() -> None:
    assert [a(word) for word in ("event", "user", "company", "update", "unit")] == [
        "an event", "a user", "a company", "an update", "a unit",
    ]  # fmt: skip


@given(st.text(max_size=30))
def test_any_text_gives_a_usable_argument(text: str) -> None:
    name = identifier(text)
    assert name.isidentifier()
    assert not keyword.iskeyword(name)
    create_model("Arguments", **{name: (str, ...)})
    assert pascal(text).isidentifier()


@pytest.mark.parametrize("word", ["class", "from", "schema", "copy", "json", "world", "rows", "model_dump"])
def test_words_that_mean_something_else_get_an_underscore(word: str) -> None:
    assert identifier(word) == f"{word}_"


@given(st.text(max_size=300))
def test_a_sentence_fits_a_docstring(text: str) -> None:
    made = sentence(text)
    assert "\n" not in made
    assert "\\" not in made
    assert '"""' not in made
    assert made == "" or made[-1] in ".!?"
