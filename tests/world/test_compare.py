"""Two changes are the same when their rows agree under the column policies, ids renamed."""

import gc
from math import inf

import pytest

from envfactory_gym.environment.columns import read_schema
from envfactory_gym.world.compare import AmbiguousComparison, compare
from envfactory_gym.world.matching import Graph, Matcher
from envfactory_gym.world.roles import _CACHE, roles_of

SCHEMA = read_schema(
    """
CREATE TABLE customers (
  id INTEGER PRIMARY KEY, -- the surrogate
  name TEXT NOT NULL,
  friend INTEGER REFERENCES customers (id)
) STRICT;
CREATE TABLE orders (
  code TEXT PRIMARY KEY NOT NULL, -- as printed; compare: generated
  customer INTEGER NOT NULL REFERENCES customers (id),
  status TEXT NOT NULL,
  total REAL NOT NULL, -- compare: number(0.01)
  placed_at TEXT, -- compare: time(60)
  gate TEXT, -- compare: one_of(["A", "B"])
  seat INTEGER,
  remark TEXT, -- compare: text(ignored)
  reply TEXT, -- compare: text(contains)
  seen INTEGER, -- compare: ignore
  details TEXT
) STRICT;
CREATE TABLE lines (
  "order" TEXT NOT NULL REFERENCES orders (code),
  number INTEGER NOT NULL,
  quantity INTEGER NOT NULL,
  PRIMARY KEY ("order", number)
) STRICT, WITHOUT ROWID;
CREATE TABLE parts (
  line_order TEXT NOT NULL,
  line_number INTEGER NOT NULL,
  what TEXT NOT NULL,
  FOREIGN KEY (line_order, line_number) REFERENCES lines ("order", number)
) STRICT;
CREATE TABLE profiles (
  customer INTEGER PRIMARY KEY REFERENCES customers (id),
  colour TEXT NOT NULL
) STRICT;
"""
)


SOON, LATE = "2026-05-14T09:00:59Z", "2026-05-14T09:02:00Z"


def order(code, customer=1, status="open", total=10.0, **more):
    columns = {"placed_at": None, "gate": None, "seat": None, "remark": None, "reply": None, "seen": 0, "details": None}
    columns |= more
    return ("orders", (code,)), (code, customer, status, total, *columns.values())


def inserted(*rows):
    return {key: (None, row) for key, row in rows}


def updated(code="OLD1", was=None, **now):
    key, old = order(code, **(was or {}))
    _, new = order(code, **{**(was or {}), **now})
    return {key: (old, new)}


def test_the_same_change_is_the_same():
    change = inserted(order("AAAA"))
    assert compare(SCHEMA, change, dict(change))
    assert compare(SCHEMA, {}, {}).recall == 1.0


def test_renamed_surrogate_keys_are_the_same():
    expected = inserted(order("AAAA", status="one"), order("BBBB", status="two"))
    actual = inserted(order("BBBB", status="one"), order("AAAA", status="two"))
    assert compare(SCHEMA, expected, actual)


def test_references_follow_the_renaming():
    def change(first, second, line_of):
        return inserted(
            order(first, status="one"),
            order(second, status="two"),
            (("lines", (line_of, 1)), (line_of, 1, 3)),
            (("parts", (7,)), (line_of, 1, "wheel")),
        )

    assert compare(SCHEMA, change("AAAA", "BBBB", "AAAA"), change("XXXX", "YYYY", "XXXX"))
    assert not compare(SCHEMA, change("AAAA", "BBBB", "AAAA"), change("XXXX", "YYYY", "YYYY"))


def test_a_primary_key_that_is_a_foreign_key_is_a_reference_not_a_free_name():
    def profile(customer):
        return {("profiles", (customer,)): (None, (customer, "blue"))}

    assert not compare(SCHEMA, profile(1), profile(2))
    born = {("customers", (50,)): (None, (50, "Ann", None))} | profile(50)
    renamed = {("customers", (51,)): (None, (51, "Ann", None))} | profile(51)
    assert compare(SCHEMA, born, renamed)


def test_a_self_reference_is_not_a_reference_to_a_twin():
    def pair(first, second):
        return {
            ("customers", (8,)): (None, (8, "Ann", first)),
            ("customers", (9,)): (None, (9, "Ann", second)),
        }

    assert not compare(SCHEMA, pair(8, 9), pair(9, 8))
    assert compare(SCHEMA, pair(8, None), pair(None, 9))


def test_two_triangles_are_not_a_hexagon():
    def ring(*friends):
        return {("customers", (i,)): (None, (i, "Ann", f)) for i, f in enumerate(friends, start=100)}

    triangles = ring(101, 102, 100, 104, 105, 103)
    hexagon = ring(101, 102, 103, 104, 105, 100)
    assert not compare(SCHEMA, triangles, hexagon)
    assert compare(SCHEMA, triangles, ring(102, 103, 104, 105, 100, 101))
    assert compare(SCHEMA, hexagon, ring(102, 104, 101, 105, 103, 100))


def test_updated_rows_may_refer_to_inserted_ones():
    def change(ann, bob, friend):
        return {
            ("customers", (ann,)): (None, (ann, "Ann", None)),
            ("customers", (bob,)): (None, (bob, "Bob", None)),
            ("customers", (1,)): ((1, "Eve", None), (1, "Eve", friend)),
        }

    assert compare(SCHEMA, change(10, 11, 10), change(11, 10, 11))
    result = compare(SCHEMA, change(10, 11, 10), change(11, 10, 10))
    assert not result
    assert [(d.table, d.column, d.actual) for d in result.different] == [("customers", "friend", 10)]
    assert result.recall == pytest.approx(2 / 3)


def test_minted_ids_are_renamed_inside_text_and_json():
    def change(code, other):
        return inserted(
            order(code, status="one", details=f'{{"see": "{other}"}}'),
            order(other, status="two", details=f"after {code}, not {code}-b"),
        )

    assert compare(SCHEMA, change("AAAA", "BBBB"), change("CCCC", "DDDD"))
    swapped = inserted(
        order("CCCC", status="one", details='{"see": "CCCC"}'),
        order("DDDD", status="two", details="after CCCC, not CCCC-b"),
    )
    assert not compare(SCHEMA, change("AAAA", "BBBB"), swapped)


def test_a_minted_value_that_is_no_key_is_renamed_everywhere_at_once():
    def change(code, second=None):
        return updated("OLD1", details=code) | updated("OLD2", details=f"as {second or code}")

    assert compare(SCHEMA, change("QRST"), change("WXYZ"), minted_expected={"QRST"}, minted_actual={"WXYZ"})
    assert not compare(
        SCHEMA, change("QRST"), change("WXYZ", "UVWX"), minted_expected={"QRST"}, minted_actual={"WXYZ", "UVWX"}
    )
    assert not compare(SCHEMA, change("QRST"), change("WXYZ"), minted_expected={"QRST"})
    unused = compare(SCHEMA, change("QRST"), change("WXYZ"), minted_expected={"QRST"}, minted_actual={"WXYZ", "LOST"})
    assert unused


def test_a_minted_exact_key_is_renamed_too():
    schema = SCHEMA.with_policies({"orders.code": "exact"})
    lines = lambda code: {("lines", (code, 1)): (None, (code, 1, 2))}  # noqa: E731
    expected = inserted(order("AAAA")) | lines("AAAA")
    actual = inserted(order("BBBB")) | lines("BBBB")
    assert not compare(schema, expected, actual)
    assert compare(schema, expected, actual, minted_expected={"AAAA"}, minted_actual={"BBBB"})


def test_minted_numbers_are_renamed_in_json():
    expected, actual = updated(details='{"ticket": 4711, "count": 2}'), updated(details='{"ticket": 4812, "count": 2}')
    assert not compare(SCHEMA, expected, actual)
    assert compare(SCHEMA, expected, actual, minted_expected={4711}, minted_actual={4812})


@pytest.mark.parametrize(
    ("column", "expected", "good", "bad"),
    [
        ("total", 20.0, (20.0, 20.001, 20), (20.02, 21.0)),
        ("placed_at", "2026-05-14T09:00:00Z", (SOON, "2026-05-14T11:00:10+02:00"), (LATE, "2026-05-15", "soon", None)),
        ("gate", "A", ("A", "B"), ("C", None)),
        ("remark", "as asked", ("whatever", None, ""), ()),
        ("seen", 1, (2, None), ()),
        ("status", "sent", ("sent",), ("Sent", "open")),
        ("details", None, (), ("", "x")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("form", ["insert", "update"])
def test_each_policy_accepts_what_it_says_and_nothing_else(form, column, expected, good, bad):
    def change(value):
        if form == "insert":
            return inserted(order("NEW1" if value == expected else "NEW2", **{column: value}))
        return (
            updated(was={"customer": 7}, status="moved", **{column: value})
            if column != "status"
            else updated(status=value)
        )

    for value in good:
        assert compare(SCHEMA, change(expected), change(value)), value
    for value in bad:
        result = compare(SCHEMA, change(expected), change(value))
        assert not result, value
        assert result.missing or result.different, value


def test_text_must_contain_every_answer_even_where_it_equals_the_expected_one():
    change = updated(reply="It costs  $120 today.")
    assert compare(SCHEMA, change, change, texts=["costs $120", "TODAY"])
    assert not compare(SCHEMA, change, change, texts=["$130"])
    assert not compare(SCHEMA, change, updated(reply=None), texts=["$120"])


def test_where_is_asked_for_the_row_that_was_changed():
    asked = []

    def holds(table, key, sql):
        asked.append((table, key, sql))
        return key == ("BBBB",)

    schema = SCHEMA.with_policies({"orders.seat": "where(seat > 10)"})
    expected = inserted(order("AAAA", seat=12))
    assert compare(schema, expected, inserted(order("BBBB", seat=14)), holds=holds)
    assert asked[-1] == ("orders", ("BBBB",), "seat > 10")
    assert not compare(schema, expected, expected, holds=holds)
    with pytest.raises(ValueError, match="holds"):
        compare(schema, expected, inserted(order("BBBB", seat=14)))


def test_checked_columns_are_checked_on_the_pairing_not_in_order():
    def change(*times):
        return inserted(*(order(f"T{i:03}", placed_at=f"2026-05-14T09:00:{s:02}Z") for i, s in enumerate(times)))

    schema = SCHEMA.with_policies({"orders.placed_at": "time(10)"})
    assert compare(schema, change(0, 9, 18), change(19, 0, 9))
    assert compare(schema, change(5, 12), change(15, 2))  # greedy from the left must be revised
    assert not compare(schema, change(0, 9, 18), change(0, 1, 30))


def test_an_unasked_change_is_collateral_even_in_a_loosened_column():
    asked = updated("OLD1", status="sent")
    result = compare(SCHEMA, asked, asked | updated("OLD2", was={"gate": "C"}, gate="A"))
    assert not result
    assert (result.recall, result.collateral) == (1.0, 1)
    assert result.unexpected[0].values == {"gate": "A"}


def test_a_change_that_the_policies_do_not_see_is_none():
    assert compare(SCHEMA, {}, updated(remark="hello", seen=9))
    assert compare(SCHEMA, {}, updated(was={"total": 5.0}, total=5.001))
    assert compare(SCHEMA, updated(remark="x"), {})
    still = updated(was={"placed_at": "2026-05-14T09:00:00Z"}, placed_at="2026-05-14T09:00:30Z")
    assert compare(SCHEMA, {}, still)


def test_a_window_is_measured_from_the_expected_end_not_from_the_start():
    was = {"placed_at": "2026-05-14T09:00:00Z"}
    expected = updated(was=was, placed_at="2026-05-14T09:00:50Z")
    assert compare(SCHEMA, expected, updated(was=was, placed_at="2026-05-14T09:01:40Z"))
    assert not compare(SCHEMA, expected, updated(was=was, placed_at="2026-05-14T09:01:59Z"))


def test_deleting_is_not_updating():
    key, row = order("OLD1")
    deleted = {key: (row, None)}
    assert compare(SCHEMA, deleted, {key: (row, None)})
    result = compare(SCHEMA, deleted, updated("OLD1", status="closed"))
    assert not result
    assert [(d.column, d.expected) for d in result.different] == [(None, None)]
    assert compare(SCHEMA, deleted, {}).missing[0].change == "delete"
    assert compare(SCHEMA, {}, deleted).unexpected[0].change == "delete"


def test_the_report_names_what_is_missing_wrong_and_unasked():
    expected = inserted(order("AAAA", status="one"), order("BBBB", status="two")) | updated("OLD1", status="sent")
    actual = inserted(order("CCCC", status="one"), order("DDDD", status="two", total=11.0)) | updated(
        "OLD2", status="x"
    )
    result = compare(SCHEMA, expected, actual)
    assert not result.equal
    assert [(m.table, m.key, m.change, m.values) for m in result.missing] == [
        ("orders", ("OLD1",), "update", {"status": "sent"})
    ]
    assert [(u.key, u.values) for u in result.unexpected] == [(("OLD2",), {"status": "x"})]
    assert [(d.key, d.column, d.expected, d.actual) for d in result.different] == [(("DDDD",), "total", 10.0, 11.0)]
    assert result.recall == pytest.approx(1 / 3)
    assert result.collateral == 1


def test_twice_is_too_often():
    result = compare(SCHEMA, inserted(order("AAAA")), inserted(order("AAAA"), order("BBBB")))
    assert not result
    assert (result.recall, result.collateral) == (1.0, 1)


def test_numbers_compare_by_value_and_texts_by_type():
    assert compare(SCHEMA, updated(total=25), updated(total=25.0))
    assert not compare(SCHEMA, updated(details="25"), updated(details="25.0"))
    for far in (inf, -inf, 1e308):
        assert compare(SCHEMA, updated(total=far, details="a"), updated(total=far, details="a"))
        assert not compare(SCHEMA, updated(total=far), updated(total=1.0))
        assert not compare(SCHEMA, inserted(order("AAAA", total=far)), inserted(order("BBBB", total=1e306)))


def test_symmetric_rows_are_paired_within_the_bound():
    lonely = {("customers", (i,)): (None, (i, "Ann", None)) for i in range(100, 300)}
    renamed = {("customers", (i,)): (None, (i, "Ann", None)) for i in range(500, 700)}
    assert compare(SCHEMA, lonely, renamed)
    couples = {("customers", (i,)): (None, (i, "Ann", i ^ 1)) for i in range(100, 200)}
    others = {("customers", (i,)): (None, (i, "Ann", i + 50 if i < 450 else i - 50)) for i in range(400, 500)}
    assert compare(SCHEMA, couples, others)


def test_too_much_symmetry_is_refused_with_a_remedy():
    ring = Graph(base=["a"] * 60, out=[[(i + 1) % 60] for i in range(60)], labels=[[1]] * 60)
    assert Matcher(ring, ring, lambda a, b: True).pairing() is not None
    with pytest.raises(AmbiguousComparison, match="tells them apart"):
        Matcher(ring, ring, lambda a, b: True, work=500).pairing()


def test_what_is_known_of_a_schema_is_dropped_with_it():
    schema = SCHEMA.with_policies({"orders.status": "ignore"})
    identity = id(schema)
    assert roles_of(schema) is roles_of(schema)
    assert identity in _CACHE
    del schema
    gc.collect()
    assert identity not in _CACHE
