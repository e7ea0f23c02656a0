"""An answer counts when it is asserted, in any usual form, and not drowned among other values."""

import time

import pytest

from envfactory_gym.episode.answers import Wanted, grade_answers, grade_values

FLIGHTS = {"booked": ("confirmed", "all set"), "cancelled": ("called off",), "flown": ()}


def wanted(kind, value, **more):
    return Wanted("it", kind, value, **more)


def told(kind, value, text, max_other=0, **more):
    return grade_answers([wanted(kind, value, **more)], text, max_other=max_other).passed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "There are 3 bags."),
        (3, "You have three bags."),
        (12, "Twelve seats are left."),
        (1, "There is one seat left."),
        (0, "You have no bags on this trip."),
        (0, "None are open."),
        (1234.5, "It weighs 1,234.5 kg."),
        (1234567, "1'234'567 rows"),
        (15, "You get 15% off."),
        (23, "up to 23kg"),
        (-5, "It is minus 5 degrees."),
        (-5, "It is \u22125 degrees."),
        (2500000, "2.5 million records"),
        (3.14159, "about 3.14"),
        (45, "forty-five minutes past"),
        (7, "Your total:\n\n| open | 7 |"),
        (7, "- open tickets: **7**"),
        (7, "```\nopen 7\n```"),
        (2, "Flight SK4035 on 3 May at 14:30 for $120 has 2 stops."),
        (7, "1. Open tickets: 7"),
    ],
)
def test_numbers(value, text):
    assert told("number", value, text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "There are 13 bags."),
        (3, "It is in 3rd place."),
        (3, "Your flight is on 3 May."),
        (14, "It leaves at 14:30."),
        (120, "It costs $120."),
        (4035, "Flight SK4035 is on time."),
        (3, "Version 3.1 runs."),
        (35, "It weighs 1.35 kg."),
        (7, "ORD-7 was sent."),
        (1, "1. Nothing was found"),
        (5, "It is -5 degrees."),
        (3.14159, "about 3.1"),
        (0, "There are 10."),
        (2, "See https://example.org/2/x"),
    ],
)
def test_not_that_number(value, text):
    assert not told("number", value, text)


@pytest.mark.parametrize(
    "text",
    [
        "The refund is $120.",
        "The refund is $120.00.",
        "120 dollars",
        "a 120-dollar refund",
        "120 USD",
        "USD 120",
        "120.00USD",
        "US$120",
        "$ 120",
        "12000 cents",
        "one refund of 120 bucks",
        "| Refund | 120.00 |",
        "120",
        "**$120**",
        "Refund ($120)",
        "refund=$120;",
        "You paid $95, and the refund is $120.",
        "It is 120.00 for 2 passengers on 3 May at 14:30.",
    ],
)
def test_money(text):
    assert told("money", 12000, text, currency="USD", max_other=1)


@pytest.mark.parametrize(
    "text",
    [
        "$1200",
        "$12",
        "$120.50",
        "€120",
        "120 EUR",
        "£120",
        "C$120",
        "$1,200",
        "$120k",
        "120 cents",
        "K120",
        "$0.12",
        "-$120",
    ],
)
def test_not_that_money(text):
    assert not told("money", 12000, f"The refund is {text}.", currency="USD")


@pytest.mark.parametrize(
    ("value", "currency", "text"),
    [
        (123450, "EUR", "EUR 1.234,50"),
        (123450, "EUR", "1.234,50 €"),
        (123450, "EUR", "1\u202f234,50 €"),
        (123450, "CHF", "CHF 1'234.50"),
        (1250, "EUR", "12,50 euros"),
        (120, "JPY", "¥120"),
        (120000, "NOK", "1 200 kr"),
        (12050, "USD", "120 dollars and 50 cents"),
        (12050, "GBP", "£120.50"),
        (50, "GBP", "50p"),
        (150000000, "USD", "$1.5 million"),
        (1500000, "USD", "$15k"),
        (-12000, "USD", "-$120"),
        (12000, None, "€120"),
        (1234, "KWD", "KWD 1.234"),
    ],
)
def test_money_of_many_places(value, currency, text):
    assert told("money", value, f"It is {text}.", currency=currency)


def test_an_ambiguous_amount_is_no_amount():
    assert not told("money", 123400, "It is €1.234.", currency="EUR")
    assert not told("money", 123, "It is €1.234.", currency="EUR")


@pytest.mark.parametrize(
    "text",
    [
        "2026-05-03",
        "2026-05-03T09:00:00Z",
        "3 May 2026",
        "3 May",
        "May 3",
        "May 3rd",
        "the 3rd of May",
        "3rd May 2026",
        "Sunday, May 3, 2026",
        "Sunday May 3",
        "Sun 3 May",
        "05/03/2026",
        "5/3/26",
        "03.05.2026",
        "3-May-2026",
        "on may 3",
        "MAY 3",
        "May 1-3",
        "3 May at 14:30",
        "May 3, 14:30",
    ],
)
def test_dates(text):
    assert told("date", "2026-05-03", f"You leave {text}.", max_other=1)


@pytest.mark.parametrize(
    "text", ["3 June", "May 4", "May 30", "2025-05-03", "May 3, 2025", "03/05/2026", "2026", "you may 3", "1/3"]
)
def test_not_that_date(text):
    assert not told("date", "2026-05-03", f"You leave {text}.")


@pytest.mark.parametrize(
    "text",
    ["14:30", "2:30 pm", "2:30PM", "2.30pm", "2:30 p.m.", "14:30:00", "14h30", "1430 hours", "2:30 in the afternoon"],
)
def test_times(text):
    assert told("time", "14:30", f"It leaves at {text}.")
    assert told("time", "2026-05-03T14:30:00Z", f"It leaves at {text}.")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("12:00", "noon"), ("00:00", "midnight"), ("00:15", "12:15 am"), ("12:15", "12:15 pm"), ("09:00", "9am"),
        ("18:00", "6 o'clock in the evening"), ("02:30", "half past two"),
    ],
)  # fmt: skip
def test_times_in_words(value, text):
    assert told("time", value, f"It leaves at {text}.")


@pytest.mark.parametrize("text", ["2:30", "2:30 am", "14:31", "4:30 pm", "14.30 kg", "2:30 hours", "114:30"])
def test_not_that_time(text):
    assert not told("time", "14:30", f"It leaves at {text}.")


@pytest.mark.parametrize(
    "text",
    [
        "2h 30m",
        "2h30",
        "2h30m",
        "2 h 30 min",
        "150 minutes",
        "150 min",
        "2 hours and 30 minutes",
        "2 hours, 30 minutes",
        "2 hours 30",
        "2.5 hours",
        "2:30 h",
        "2:30 hours",
        "two and a half hours",
        "two hours and thirty minutes",
        "2\u00bd hours",
        "a 150-minute flight",
        "PT2H30M",
    ],
)
def test_durations(text):
    assert told("duration", 150, f"It takes {text}.")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (30, "half an hour"),
        (60, "an hour"),
        (90, "an hour and a half"),
        (1440, "a day"),
        (1500, "1 day 1 hour"),
        (45, "45 mins"),
    ],
)
def test_durations_in_words(value, text):
    assert told("duration", value, f"It takes {text}.")


@pytest.mark.parametrize(
    "text", ["2 hours", "30 minutes", "2:30 pm", "150 km", "250 minutes", "2h 35m", "3 hours", "150"]
)
def test_not_that_duration(text):
    assert not told("duration", 150, f"It takes {text}.")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("Zürich", "You fly to Zurich."),
        ("Zurich", "You fly to ZÜRICH!"),
        ("Anna-Lena O'Hara", "Ask anna lena O\u2019Hara, please."),
        ("Tromsø", "via Tromso"),
        ("Straße 5", "at Strasse 5"),
        ("K7Q2MD", "Your code is `k7q2md`."),
        ("Oslo", "| to | Oslo |"),
        ("Dr. Lind", "with Dr Lind"),
        ("Dr Lind", "with Dr. Lind."),
        ("SK4035", "Flight SK 4035."),
        ("SK 4035", "Flight SK-4035"),
        ("ann@example.org", "write to ann@example.org."),
    ],
)
def test_names(value, text):
    assert told("name", value, text)


def test_names_stand_as_whole_words_and_the_longest_counts():
    assert not told("name", "Ann", "Ask Anna.")
    assert not told("name", "York", "You fly to New York.", others={"York", "New York"})
    assert told("name", "New York", "You fly to New York.", others={"York", "New York"})


def test_enums_are_told_by_value_or_phrase():
    for text in ("It is booked.", "It is confirmed.", "You're all set.", "Status: BOOKED"):
        assert told("enum", "booked", text, phrases=FLIGHTS["booked"], others=FLIGHTS), text
    assert told("enum", "cancelled", "It was canceled.")
    assert told("enum", "traveling", "She is travelling.")
    assert told("enum", "change_of_plan", "The reason is a change of plan.")
    for text in ("It is cancelled.", "It was called off.", "It is not booked.", "It is booked or called off."):
        assert not told("enum", "booked", text, phrases=FLIGHTS["booked"], others=FLIGHTS), text


@pytest.mark.parametrize(
    "text",
    [
        "It is not $120.",
        "It isn't $120.",
        "It is no longer $120.",
        "You get $130 instead of $120.",
        "You get $130 rather than $120.",
        "It was never $120.",
        "Neither $120 nor $130 is right.",
        "Not $100, $110 or $120.",
        "It's $130, not $120.",
        "$120 is not the refund.",
        "$120 is wrong.",
        "There is no refund of $120.",
        "You cannot get $120 back.",
    ],
)
def test_a_denied_value_is_not_told(text):
    assert not told("money", 12000, text, currency="USD", max_other=5)


@pytest.mark.parametrize(
    "text",
    [
        "It is not $130 but $120.",
        "Not $130, but $120.",
        "It's $120, not $130.",
        "It isn't $130, it is $120.",
        "It is no longer $130; it is $120.",
        "You get $120 instead of $130.",
        "Rather than $130, you get $120.",
        "Neither $130 nor $140, but $120.",
        "It is not $100, $110 or $130. It is $120.",
        "No problem, the total is $120.",
        "There are no changes needed and your total is $120.",
        "You don't need to do anything: $120 will be refunded.",
        "I don't have other details, but $120 was refunded.",
        "$120 is not refundable.",
        "You do not have to pay more than $120.",
        "You won't get the whole $130 back, only $120.",
        "The fee isn't charged because the fare of $120 includes it.",
    ],
)
def test_a_denied_other_value_neither_counts_nor_hides_the_answer(text):
    assert told("money", 12000, text, currency="USD", max_other=0)


def test_quoting_everything_fails():
    assert not told("number", 120, " ".join(map(str, range(1, 1001))), max_other=2)
    assert not told("money", 12000, " ".join(f"${n}" for n in range(1, 1001)), currency="USD", max_other=2)
    assert not told("money", 12000, "\n".join(map(str, range(1, 1001))), currency="USD", max_other=2)
    days = [f"2026-05-{day:02}" for day in range(1, 32)]
    assert not told("date", "2026-05-03", ", ".join(days), max_other=2)
    assert not told("number", 120, " ".join(map(str, range(1, 1001))), max_other=2, others={120, 5000})
    assert not told("enum", "booked", ", ".join(FLIGHTS), max_other=1, others=FLIGHTS)


def test_a_few_other_values_are_forgiven_and_the_limit_is_exact():
    text = "It was $100, then $110, and now it is $120."
    assert told("money", 12000, text, currency="USD", max_other=2)
    assert not told("money", 12000, text, currency="USD", max_other=1)
    assert told("money", 12000, text + " Yes, $100, really $110.", currency="USD", max_other=2)


def test_values_of_other_columns_do_not_count_where_the_column_is_known():
    text = "The refund of $120 covers the fare of $95, the seat of $15 and the bag of $10."
    assert told("money", 12000, text, currency="USD", others={12000, 13000, 14000})
    assert not told("money", 12000, text, currency="USD", others={12000, 9500})


def test_allowed_values_and_those_of_the_request_do_not_count():
    text = "Instead of paying $500 you pay $120. Your options were $300 and $400."
    required = [wanted("money", 12000, currency="USD")]
    assert not grade_answers(required, text, max_other=0)
    assert grade_answers(required, text, allowed=[30000, 40000], max_other=0)
    assert grade_answers(required, text, allowed=["I saw $300 and $400 online"], max_other=0)


def test_the_request_may_be_repeated_in_another_form():
    asked = ["Is there anything on 3 May at 2:30, for two people, rather than Bergen?"]
    day, time = wanted("date", "2026-05-04"), wanted("time", "16:00")
    assert grade_answers([day], "Not on 2026-05-03, on May 3rd, but on 4 May.", allowed=asked, max_other=0)
    assert grade_answers([day], "On May 3rd (2026-05-03) all is full. 4 May is free.", allowed=asked, max_other=0)
    assert grade_answers([time], "14:30 is taken; 16:00 is free.", allowed=asked, max_other=0)
    assert grade_answers([wanted("number", 5)], "For 2 people there are 5 left.", allowed=asked, max_other=0)
    cities = {"Oslo", "Bergen", "Berg"}
    oslo = wanted("name", "Oslo", others=cities)
    assert grade_answers([oslo], "Bergen is full, Oslo is free.", allowed=asked, max_other=0)
    assert not grade_answers([oslo], "Berg is full, Oslo is free.", allowed=asked, max_other=0)


def test_one_date_in_two_forms_is_one_other_value():
    assert told("date", "2026-05-03", "3 May. Before it was 4 May (2026-05-04).", max_other=1)


def test_the_answer_itself_may_stand_in_the_request():
    assert grade_answers([wanted("date", "2026-05-03")], "It is on 3 May.", allowed=["Is it on 3 May?"], max_other=0)


def test_several_answers_are_all_required_and_do_not_count_against_each_other():
    required = [
        Wanted("price", "money", 8900, "USD"),
        Wanted("fee", "money", 1500, "USD"),
        Wanted("departure", "time", "07:15"),
        Wanted("to", "name", "Oslo", others={"Bergen", "Oslo"}),
    ]
    grade = grade_answers(required, "To Oslo at 7:15 am: $89, plus $15 for the bag.", max_other=0)
    assert (grade.passed, grade.share, grade.missing, grade.others) == (True, 1.0, (), ())
    grade = grade_answers(required, "To Oslo or Bergen at 7:15 am: $89.", max_other=0)
    assert (grade.passed, grade.share, grade.missing, grade.others) == (False, 0.75, ("fee",), ("bergen",))
    assert grade.reasons == ("fee: not told", "to: too many other values (bergen)")


def test_saying_nothing_tells_nothing():
    for text in ("", "Done.", "I cannot help with that."):
        grade = grade_answers([wanted("number", 3)], text)
        assert not grade
        assert grade.share == 0.0


def test_the_answer_tool_takes_one_value_each_under_the_same_rules():
    required = [Wanted("price", "money", 8900, "USD"), Wanted("length", "duration", 150), Wanted("bags", "number", 2)]
    assert grade_values(required, ["$89", "2h 30m", 2], max_other=0)
    assert grade_values([Wanted("length", "duration", 150)], [150], max_other=0)
    assert grade_values([Wanted("price", "money", 8950, "USD")], [89.5], max_other=0)
    assert not grade_values(required, ["$89", "2h 30m"], max_other=0)
    assert not grade_values([required[0]], [f"${n}" for n in range(80, 100)])
    assert not grade_values([required[0]], ["$88 $89 $90 $91 $92"])
    assert not grade_values([required[0]], ["not $89"])


def test_a_value_that_is_not_of_its_kind_is_an_error():
    with pytest.raises(ValueError, match="not an ISO 8601"):
        grade_answers([wanted("date", "soon")], "soon")


@pytest.mark.parametrize(
    "text",
    [
        "1," * 20_000,
        "1 " * 20_000,
        "not " * 10_000,
        "9" * 30_000,
        "May " * 10_000,
        "a-1" * 10_000,
        "$" * 20_000,
        "1h" * 10_000,
    ],
)
def test_long_texts_are_graded_in_reasonable_time(text):
    required = [
        wanted("money", 12000, currency="USD"),
        wanted("date", "2026-05-03"),
        wanted("duration", 150),
        wanted("number", 5),
    ]
    assert not grade_answers(required, text)


@pytest.mark.parametrize(
    "piece", ["-", "a--", "1--a", "1-", "not 120 ", "120, ", "not 120, 120 and ", "neither ", "n't", "1 "]
)
def test_long_texts_take_time_in_proportion_to_their_length(piece):
    """The bound is far above what any of them takes, and far below what one quadratic pattern does."""
    text = "1" + piece * (60_000 // len(piece))
    begin = time.process_time()
    for kind, value in (("number", 7), ("money", 700), ("date", "2026-05-14"), ("time", "14:30"), ("duration", 90)):
        assert not grade_answers([Wanted("it", kind, value)], text)
    assert time.process_time() - begin < 20


def test_long_texts_are_not_kept_in_memory():
    """An agent that quotes a megabyte a turn must not fill the memory of the process that grades it."""
    import tracemalloc

    wanted = [Wanted("price", "money", 12000, "USD"), Wanted("name", "name", "Oslo", others=["Oslo", "Bergen"])]

    def grade(number):
        return grade_answers(wanted, f"{number}: " + "the fare is $17.50 on 3 May at 14:30, not in Bergen. " * 1500)

    grade(0)
    tracemalloc.start()
    try:
        for number in range(1, 6):
            grade(number)
        after_few = tracemalloc.get_traced_memory()[0]
        for number in range(6, 18):
            grade(number)
        assert tracemalloc.get_traced_memory()[0] < 1.5 * after_few
    finally:
        tracemalloc.stop()
