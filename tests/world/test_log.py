"""The change log says exactly what changed, whatever way it was changed."""

from __future__ import annotations

from collections import Counter

import pytest

from envfactory_gym.environment.errors import EnvironmentFault, ToolError
from envfactory_gym.world import LiveWorld, Template

from .shop import TABLES, as_difference, difference, dump, run

CASES: dict[str, list[str]] = {
    "insert, update, delete": [
        "INSERT INTO a VALUES (9, 'k9', 9)",
        "UPDATE a SET v = 5 WHERE id = 1",
        "DELETE FROM a WHERE id = 2",
    ],
    "same value": ["UPDATE a SET v = v WHERE id = 1"],
    "there and back": ["UPDATE a SET v = 99 WHERE id = 1", "UPDATE a SET v = 1 WHERE id = 1"],
    "insert then delete": ["INSERT INTO a VALUES (9, 'k9', 9)", "DELETE FROM a WHERE id = 9"],
    "delete then insert the same": ["DELETE FROM a WHERE id = 3", "INSERT INTO a VALUES (3, 'k3', 3)"],
    "replace by key": ["REPLACE INTO a VALUES (1, 'k1z', 7)"],
    "replace by unique column kills another row": ["INSERT OR REPLACE INTO a VALUES (9, 'k2', 7)"],
    "replace kills two rows": ["INSERT OR REPLACE INTO a VALUES (1, 'k2', 7)"],
    "update or replace kills another row": ["UPDATE OR REPLACE a SET k = 'k2' WHERE id = 1"],
    "update or replace takes a key": ["UPDATE OR REPLACE a SET id = 2 WHERE id = 1"],
    "upsert": ["INSERT INTO a VALUES (1, 'k1', 50) ON CONFLICT (id) DO UPDATE SET v = excluded.v"],
    "insert or ignore": ["INSERT OR IGNORE INTO a VALUES (1, 'zz', 1)", "INSERT OR IGNORE INTO a VALUES (8, 'k8', 1)"],
    "delete all": ["DELETE FROM seq"],
    "delete all, without rowid": ["DELETE FROM b"],
    "new text key": ["UPDATE p SET id = 'p9' WHERE id = 'p2'"],
    "new key by rowid": ["UPDATE seq SET rowid = 77 WHERE id = 1"],
    "swap of keys": [
        "UPDATE a SET id = -1 WHERE id = 1",
        "UPDATE a SET id = 1 WHERE id = 2",
        "UPDATE a SET id = 2 WHERE id = -1",
    ],
    "all keys move by one": ["UPDATE a SET id = id - 1"],
    "without rowid": [
        "UPDATE b SET v = 9 WHERE x = 'x1'",
        "INSERT INTO b VALUES ('x3', 'y3', 3)",
        "DELETE FROM b WHERE x = 'x2'",
    ],
    "cascades": ["DELETE FROM p WHERE id = 'p1'", "UPDATE p SET id = 'p8' WHERE id = 'p2'"],
    "triggers of the schema": ["UPDATE trg SET v = 2", "DELETE FROM a WHERE id = 1"],
    "a trigger that changes the same row": ["UPDATE self SET v = 5 WHERE id = 1"],
    "a trigger that changes the new row": ["INSERT INTO self(id, v) VALUES (7, 7)"],
    "a trigger before, that changes the others": ["DELETE FROM self WHERE id = 1"],
    "a table without a key": ["INSERT INTO nopk VALUES ('u1', 1)", "UPDATE nopk SET v = 3 WHERE u = 'u2'"],
    "one of two equal rows": ["DELETE FROM nopk WHERE rowid = 1"],
    "a key that is NULL": ["UPDATE nullpk SET v = 9 WHERE id IS NULL", "INSERT INTO nullpk VALUES (NULL, 3)"],
    "autoincrement, burnt": ["INSERT INTO seq(v) VALUES ('z')", "DELETE FROM seq WHERE v = 'z'"],
    "computed columns": ["UPDATE gen SET v = 11", "INSERT INTO gen(id, v) VALUES (2, 2)"],
    "real and blob": ["UPDATE flt SET r = 2, bl = x'01ff' WHERE id = 1", "UPDATE flt SET bl = x'' WHERE id = 2"],
    "1 becomes 1.0": ["UPDATE loose SET any = 1.0 WHERE id = 1", "UPDATE loose SET any = 1 WHERE id = 2"],
    "insert from a query": ["INSERT INTO b SELECT 'q' || id, k, v FROM a"],
    "another spelling of a key": [
        "UPDATE mail SET address = 'ANN@example.com'",
        "UPDATE mail SET v = 2",
        "DELETE FROM mail",
        "INSERT INTO mail VALUES ('Ann@Example.com', 1)",
    ],
    "odd names": ["""UPDATE odd SET "sa""y" = 'x', "rowid" = 'y' """, """INSERT INTO odd VALUES (2, 'a', 'b')"""],
    "defaults": ["INSERT INTO stamp DEFAULT VALUES", "INSERT INTO stamp(at) VALUES ('2026-01-02 03:04:05')"],
    "a statement that fails": [
        "!INSERT INTO a VALUES (20, 'k20', 1), (21, 'k1', 1)",
        "UPDATE a SET v = 5 WHERE id = 3",
    ],
    "or fail keeps a part": ["!INSERT OR FAIL INTO a VALUES (20, 'k20', 1), (21, 'k1', 1)"],
    "with": ["WITH big AS (SELECT id FROM a WHERE v > 1) UPDATE a SET v = 0 WHERE id IN big"],
    "returning": ["DELETE FROM a WHERE v < 3 RETURNING id"],
    "everything": [f"DELETE FROM {table}" for table in reversed(TABLES)],
}


@pytest.mark.parametrize("case", CASES)
def test_changes_are_what_a_full_comparison_finds(world: LiveWorld, case: str) -> None:
    before = dump(world)
    run(world, *CASES[case])
    assert as_difference(world.changes()) == difference(before, dump(world))


@pytest.mark.parametrize("case", CASES)
def test_a_mark_divides_them_exactly(world: LiveWorld, case: str) -> None:
    for earlier in ("all keys move by one", "cascades", "another spelling of a key", "computed columns"):
        run(world, *CASES[earlier])
    before, mark = dump(world), world.mark()
    run(world, *[text if text[0] == "!" else text.replace("INSERT INTO", "REPLACE INTO") for text in CASES[case]])
    assert as_difference(world.changes(mark)) == difference(before, dump(world))


@pytest.mark.parametrize("case", CASES)
def test_reset_restores_everything_and_the_second_time_is_the_first(world: LiveWorld, case: str) -> None:
    before, sequence = dump(world), world.query("SELECT * FROM sqlite_sequence ORDER BY 1")
    rounds = []
    for _ in range(3):
        run(world, *CASES[case])
        rounds.append((dump(world), world.changes(), world.digest(), world.query("SELECT * FROM sqlite_sequence")))
        world.reset()
        assert dump(world) == before
        assert world.query("SELECT * FROM sqlite_sequence ORDER BY 1") == sequence
        assert world.changes() == {}
    assert rounds[0] == rounds[1] == rounds[2]


def test_old_and_new_row_stand_under_their_key(world: LiveWorld) -> None:
    run(world, *CASES["insert, update, delete"], "INSERT INTO nopk VALUES ('n', 1)", "DELETE FROM b WHERE x = 'x1'")
    assert world.changes() == {
        ("a", (9,)): (None, (9, "k9", 9)),
        ("a", (1,)): ((1, "k1", 1), (1, "k1", 5)),
        ("a", (2,)): ((2, "k2", 2), None),
        ("trglog", (1,)): (None, (1, "del a 2")),
        ("nopk", (4,)): (None, ("n", 1)),
        ("b", ("x1", "y1")): (("x1", "y1", 1), None),
    }


def test_a_failed_call_is_not_in_the_log(world: LiveWorld) -> None:
    run(world, "UPDATE p SET v = 7 WHERE id = 'p1'")
    changes, digest = world.changes(), world.digest()
    with pytest.raises(ToolError):
        world.call("refuse", {})
    with pytest.raises(EnvironmentFault):
        run(world, "DELETE FROM c", "DELETE FROM p", "SELECT * FROM nowhere")
    assert (world.changes(), world.digest()) == (changes, digest)


def test_the_state_decides_the_digest_not_the_way(template: Template, form: bool) -> None:
    ways = [
        ["UPDATE a SET v = 5 WHERE id = 1", "INSERT INTO p VALUES ('p3', 1)", "DELETE FROM c WHERE id = 3"],
        ["DELETE FROM c WHERE id = 3", "INSERT INTO p VALUES ('p3', 9)", "UPDATE p SET v = 1 WHERE id = 'p3'",
         "REPLACE INTO a VALUES (1, 'k1', 4)", "DELETE FROM trglog", "UPDATE a SET v = v + 1 WHERE id = 1"],
        ["INSERT INTO p VALUES ('p3', 1)", "INSERT INTO mail VALUES ('x@y', 1)", "DELETE FROM mail WHERE v = 1",
         "INSERT INTO mail VALUES ('ANN@example.com', 1)", "UPDATE mail SET address = 'ann@example.com'",
         "DELETE FROM c WHERE v = 3", "UPDATE a SET v = 5 WHERE k = 'k1'"],
    ]  # fmt: skip
    digests = set()
    for way in ways:
        world = template.acquire(shared=form)
        run(world, *way)
        digests.add(world.digest())
        template.release(world)
    assert len(digests) == 1


def test_digests_tell_types_apart_but_not_roundings(template: Template) -> None:
    def digest(statement: str) -> str:
        world = template.acquire()
        run(world, statement)
        found = world.digest()
        template.release(world)
        return found

    assert (
        len({digest(f"UPDATE loose SET any = {value} WHERE id = 2") for value in ("1", "1.0", "'1'", "x'31'", "NULL")})
        == 5
    )
    assert digest("UPDATE flt SET r = 2") == digest("UPDATE flt SET r = 2.001")
    assert digest("UPDATE flt SET r = 2") != digest("UPDATE flt SET r = 2.02")
    assert digest("UPDATE flt SET r = 1.0001 WHERE id = 1") == digest("UPDATE a SET v = v")
    far = ("9e999", "-9e999", "1e308", "-1e308", "1e306")
    assert len({digest(f"UPDATE flt SET r = {value}") for value in far}) == len(far)
    assert digest("UPDATE loose SET any = -0.0") == digest("UPDATE loose SET any = 0.0")


def test_transient_counts_what_was_changed_and_restored(world: LiveWorld) -> None:
    run(world, "UPDATE a SET v = v", "UPDATE p SET v = 9 WHERE id = 'p1'")
    assert (world.transient(), world.touched()) == (0, {"p"})
    run(
        world, "UPDATE p SET v = 1 WHERE id = 'p1'", "INSERT INTO b VALUES ('z', 'z', 1)", "DELETE FROM b WHERE x = 'z'"
    )
    assert world.changes() == {}
    assert (world.transient(), world.touched()) == (2, {"p", "b"})
    mark = world.mark()
    assert (world.transient(mark), world.touched(mark)) == (0, set())
    run(world, "DELETE FROM a WHERE id = 2")
    assert (world.transient(mark), world.touched(mark)) == (0, {"a", "trglog"})


def test_marks_die_with_the_states_they_mean(world: LiveWorld, template: Template) -> None:
    early = world.mark()
    run(world, "UPDATE p SET v = 3 WHERE id = 'p1'")
    point = world.checkpoint()
    late = world.mark()
    run(world, "UPDATE p SET v = 4 WHERE id = 'p1'")
    assert world.changes(late) == {("p", ("p1",)): (("p1", 3), ("p1", 4))}
    world.restore(point)
    assert world.changes(early) == {("p", ("p1",)): (("p1", 1), ("p1", 3))}
    with pytest.raises(EnvironmentFault, match="mark is gone"):
        world.changes(late)
    other = template.acquire()
    with pytest.raises(EnvironmentFault, match="mark is gone"):
        other.changes(early)
    other.close()
    world.reset()
    with pytest.raises(EnvironmentFault, match="mark is gone"):
        world.touched(early)


def test_many_rows_fit_the_log(world: LiveWorld) -> None:
    grow = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
    run(world, f"INSERT INTO seq(v) {grow} SELECT hex(zeroblob(200)) || i FROM n", "UPDATE seq SET v = v || '.'")
    assert Counter(table for table, _ in world.changes()) == {"seq": 3002}
    world.reset()
    assert world.query("SELECT count(*) FROM seq") == [(2,)]
