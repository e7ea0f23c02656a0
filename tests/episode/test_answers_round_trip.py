"""Whatever way a value is written, it is recognised; and no other value of its kind is taken for it."""

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.episode.answers import Wanted, grade_answers
from envfactory_gym.episode.values import parse, render, say

CARRIERS = (
    "{}",
    "The answer is {}.",
    "It is {}, as you asked.",
    "| it | {} |",
    "- it: {}\n- nothing more to add",
    "Not that one but {}!",
)
CURRENCIES = ("USD", "EUR", "GBP", "JPY", "CHF", "NOK", "KWD", None)

numbers = st.one_of(
    st.integers(-20, 20), st.integers(0, 5_000_000), st.integers(-99_999, 99_999).map(lambda n: n / 100)
).map(lambda n: ("number", n, None))
money = st.tuples(st.integers(-500_000, 5_000_000), st.sampled_from(CURRENCIES)).map(lambda m: ("money", *m))
dates = st.integers(0, 40_000).map(lambda n: ("date", (date(1990, 1, 1) + timedelta(n)).isoformat(), None))
times = st.integers(0, 1439).map(lambda n: ("time", f"{n // 60:02}:{n % 60:02}", None))
durations = st.integers(1, 6_000).map(lambda n: ("duration", n, None))
names = st.sampled_from(
    ["Oslo", "Zürich", "São Paulo", "Anna-Lena O'Hara", "K7Q2MD", "Dr Lind", "Łódź", "Al", "New York"]
).map(lambda name: ("name", name, None))
enums = st.sampled_from(["booked", "change_of_plan", "in_transit", "gold"]).map(lambda value: ("enum", value, None))
values = st.one_of(numbers, money, dates, times, durations, names, enums)


def tells(kind, value, currency, text):
    return grade_answers([Wanted("it", kind, value, currency)], text, max_other=0).passed


@given(values, st.sampled_from(CARRIERS))
@settings(max_examples=300, deadline=None)
def test_every_rendering_of_a_value_tells_it(typed, carrier):
    kind, value, currency = typed
    forms = render(kind, value, currency)
    assert len(forms) >= 10
    for form in forms:
        assert tells(kind, value, currency, carrier.format(form)), form


@given(
    st.one_of(*(st.tuples(s, s) for s in (numbers, money, dates, times, durations, names, enums))),
    st.sampled_from(CARRIERS),
)
@settings(max_examples=300, deadline=None)
def test_no_rendering_of_another_value_tells_it(pair, carrier):
    (kind, value, currency), (_, other, _) = pair
    if value == other:
        return
    for form in render(kind, other, currency):
        text = carrier.format(form)
        if kind == "date" and value[5:] == other[5:] and other[:4] not in text and other[2:4] not in text:
            continue  # the same day of another year, told without the year
        assert not tells(kind, value, currency, text), form


@given(values)
@settings(max_examples=300, deadline=None)
def test_a_denied_value_is_not_told(typed):
    kind, value, currency = typed
    for form in render(kind, value, currency):
        assert not tells(kind, value, currency, f"It is not {form}."), form


@given(st.one_of(numbers, money, dates, times, durations))
@settings(max_examples=300, deadline=None)
def test_what_scripts_say_is_read_back(typed):
    kind, value, currency = typed
    assert parse(kind, f"I want {say(kind, value, currency)}, please.", currency=currency) == value


@pytest.mark.parametrize(
    ("kind", "text", "value"),
    [
        ("date", "on May 20", "2026-05-20"),
        ("date", "on 3 May", "2026-05-03"),
        ("date", "on 2 January", "2027-01-02"),
        ("date", "on 20 December", "2026-12-20"),
        ("date", "in March", None),
        ("number", "two bags, and 3 seats", 2),
        ("number", "none at all", 0),
        ("money", "from 90 to at most $120", 12000),
        ("money", "at most 120", 12000),
        ("time", "around noon", "12:00"),
        ("duration", "an hour and a half", 90),
        ("name", "  New   York ", "New York"),
    ],
)
def test_the_words_of_a_user_are_parsed(kind, text, value):
    assert parse(kind, text, now="2026-08-14T09:00:00Z") == value


def test_the_29th_of_february_is_found_in_a_year_that_has_it():
    assert parse("date", "29 February", now="2026-05-14T09:00:00Z") == "2028-02-29"


def test_a_rendering_of_no_kind_is_an_error():
    with pytest.raises(ValueError, match="no kind"):
        render("colour", "red")
    with pytest.raises(ValueError, match="not a duration"):
        render("duration", -5)
