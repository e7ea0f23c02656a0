"""Wrong values are near ones: misread referents first, then what was listed beside, then small slips."""

import pytest

from envfactory_gym.verify.certificate.near_misses import near_rows, relaxed, slips
from envfactory_gym.world import Template
from tests.support import lending

PACKAGE = lending()


@pytest.fixture
def world():
    template = Template.of(PACKAGE)
    world = template.acquire()
    yield world
    template.release(world)


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("SELECT a FROM t WHERE x = 1 AND y = 2", ["SELECT a FROM t WHERE y = 2", "SELECT a FROM t WHERE x = 1"]),
        ("SELECT a FROM t WHERE x = 1 ORDER BY a", ["SELECT a FROM t WHERE 1 ORDER BY a"]),
        ("SELECT a FROM t", []),
        ("SELECT a FROM t WHERE x = 1 OR y = 2", []),
        (
            "SELECT a FROM t WHERE x BETWEEN 1 AND 2 AND y = 'p AND q'",
            ["SELECT a FROM t WHERE y = 'p AND q'", "SELECT a FROM t WHERE x BETWEEN 1 AND 2"],
        ),
        (
            "SELECT a FROM t WHERE x = (SELECT max(x) FROM t WHERE u = 1 AND w = 2) AND (y = 1 OR z = 2)",
            [
                "SELECT a FROM t WHERE (y = 1 OR z = 2)",
                "SELECT a FROM t WHERE x = (SELECT max(x) FROM t WHERE u = 1 AND w = 2)",
            ],
        ),
    ],
)
def test_one_condition_is_forgotten_at_a_time(sql, expected):
    assert [" ".join(looser.split()) for looser in relaxed(sql)] == expected


def test_misread_referents_come_first_then_what_was_listed_then_alike_rows(world):
    sql = "SELECT loan_id FROM loans JOIN items USING (item_id) WHERE member_id = 'M-101' AND title = 'Belt sander'"
    listed = {"loans": [{"loan_id": "H2MZP"}, {"loan_id": "W6TGD"}, {"loan_id": "XXXXX"}]}
    found = list(near_rows(world, "loans.loan_id", "H2MZP", [sql], [listed]))
    assert found[:2] == ["QF7KD", "W6TGD"]
    assert set(found) == {"QF7KD", "W6TGD", "T9XWA", "B4RCE", "Z3PLQ", "K8VNS"}
    assert len(found) == len(set(found))


def test_rows_most_alike_come_first(world):
    found = list(near_rows(world, "items.item_id", 2, []))
    assert found[0] == 1  # another cordless drill


@pytest.mark.parametrize(
    ("schema", "value", "expected"),
    [
        ({"enum": ["a", "b", "c"]}, "b", ["a", "c"]),
        ({"anyOf": [{"enum": ["a", "b"]}, {"type": "null"}]}, "b", ["a"]),
        ({"type": "boolean"}, True, [False]),
        ({"type": "integer"}, 3, [4, 2, 106]),
        ({"type": "string"}, "2026-02-28", ["2026-03-01", "2026-02-27"]),
        ({"type": "string"}, "2026-02-28T10:00:00Z", ["2026-03-01T10:00:00Z", "2026-02-27T10:00:00Z"]),
        ({"type": "string"}, "K7 Anz", ["K8 Anz", "K7 Ana", "K7 Anz too"]),
        ({"type": "array", "items": {"type": "integer"}}, [1, 2], [[1], [2, 2], [0, 2], [102, 2]]),
        ({"type": "object", "properties": {"n": {"type": "boolean"}}}, {"n": True}, [{}, {"n": False}]),
    ],
)
def test_slips_are_the_next_values(schema, value, expected):
    assert list(slips(schema, value)) == expected
