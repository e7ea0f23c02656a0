"""Tables without a noun in language.yaml get a decent one, without names that only a database has."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from envfactory_gym.environment import Language
from envfactory_gym.environment.columns import read_schema
from envfactory_gym.synthesize.referring import Relation, noun_of, references
from envfactory_gym.synthesize.referring.inflect import article, comparative, count, plural, singular, words_of
from envfactory_gym.synthesize.referring.said import is_clause, sayable, ways

SCHEMA = read_schema("""
CREATE TABLE support_tickets (
    id TEXT NOT NULL PRIMARY KEY,
    subject TEXT NOT NULL,
    stage_id TEXT,
    status TEXT NOT NULL,
    priority TEXT,
    due_date TEXT,
    created_at TEXT NOT NULL,
    total_cents INTEGER,
    is_open INTEGER NOT NULL,
    external_url TEXT
) STRICT;
""")
NOW = "2026-05-14T09:00:00Z"


def tickets() -> list[dict[str, Any]]:
    return [
        {
            "id": f"TK{number:04}", "subject": subject, "stage_id": f"ST{number}9X", "status": status,
            "priority": priority, "due_date": f"2026-06-{number + 1:02}",
            "created_at": f"2026-04-{number + 1:02}T10:00:00Z", "total_cents": 1000 * number + 500,
            "is_open": number % 2, "external_url": f"https://example.org/{number}",
        }
        for number, (subject, status, priority) in enumerate(
            [("Broken lift", "new", "high"), ("Leaking roof", "closed", "high"), ("Lost key", "new", "low")]
        )
    ]  # fmt: skip


def phrases(target: int) -> set[str]:
    relation = Relation(
        "support_tickets", "id", "support_tickets.id", {name: name for name in SCHEMA.tables["support_tickets"].names}
    )
    return {
        one.words
        for seed in range(20)
        for one in references(
            tickets(), target, relation=relation, language=Language(), schema=SCHEMA, now=NOW, random=Random(seed)
        )
    }


def test_a_table_is_named_in_words() -> None:
    noun = noun_of("support_tickets", "support_tickets", Language(), SCHEMA)
    assert noun.one == ("support ticket",) and noun.many == ("support tickets",)


def test_rows_are_described_by_label_day_and_age() -> None:
    said = phrases(0)
    assert 'the support ticket "Broken lift"' in said
    assert "the oldest support ticket" in said
    assert any(re.match(r"the support ticket due (on|by) 1 June", one) for one in said)


@pytest.mark.parametrize("target", range(3))
def test_nothing_but_words_is_said(target: int) -> None:
    for one in phrases(target):
        assert "_" not in one and "http" not in one and "stage" not in one and "TK0" not in one and "open" not in one


@pytest.mark.parametrize(
    ("one", "many"),
    [("company", "companies"), ("trip", "trips"), ("bag claim", "bag claims"), ("person", "people"), ("box", "boxes"),
     ("address", "addresses"), ("status", "statuses"), ("day", "days"), ("branch", "branches")],
)  # fmt: skip
def test_nouns_inflect(one: str, many: str) -> None:
    assert plural(one) == many and singular(many) == one and singular(one) == one


@pytest.mark.parametrize(
    ("superlative", "of_two"),
    [("cheapest", "cheaper"), ("most expensive", "more expensive"), ("biggest", "bigger"), ("best", "better"),
     ("last", "last"), ("next", "next"), ("earliest", "earlier")],
)  # fmt: skip
def test_superlatives_of_two_are_comparatives(superlative: str, of_two: str) -> None:
    assert comparative(superlative) == of_two


@pytest.mark.parametrize(
    ("words", "right"),
    [("apple", "an"), ("user", "a"), ("hour", "an"), ("one-way trip", "a"), ("SMS", "an"), ("USB stick", "a"),
     ("8 o'clock bus", "an"), ("11 May flight", "an"), ("unusual case", "an"), ("unit", "a"), ("uninsured bag", "an")],
)  # fmt: skip
def test_articles(words: str, right: str) -> None:
    assert article(words) == right


def test_counts_and_column_names_in_words() -> None:
    assert count(3) == "three" and count(14) == "14"
    assert words_of("paid_cents") == "paid" and words_of("stage_id") == "stage" and words_of("dueDate") == "due date"


def test_values_are_said_as_people_say_them_and_read_back() -> None:
    def said(column: str, value: Any) -> list[str]:
        return [way.words for way in ways(column, value, Language(), NOW)]

    assert "21 May" in said("day", "2026-05-21")
    assert said("paid_cents", 21000)[:2] == ["$210", "210 dollars"]
    assert "half past nine in the morning" in said("at", "2026-05-21T09:30:00Z")
    assert said("seats", 2) == ["two", "2"]
    assert said("note", "x" * 200) == [] and said("data", {"a": 1}) == [] and said("gone", None) == []


@pytest.mark.parametrize("words", ["my plans changed", "I'm ill", "you cancelled the flight", "my bag never came"])
def test_clauses_are_known(words: str) -> None:
    assert is_clause(words)


@pytest.mark.parametrize(
    "words",
    ["in hospital", "the flight you cancelled", "my points", "doctor", "delayed", "the same type as was changed"],
)
def test_fragments_are_known(words: str) -> None:
    assert not is_clause(words)


def test_clauses_are_said_rather_than_fragments() -> None:
    assert sayable(("ill", "I'm ill", "doctor")) == ("I'm ill",)
    assert sayable(("broken", "torn")) == ("broken", "torn")
