"""Comparison up to renaming agrees with trying every renaming.

The oracle shares nothing with the code: it renames the expected ids in all possible ways and
compares literally.
"""

from itertools import permutations
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from envfactory_gym.environment.columns import read_schema
from envfactory_gym.world.compare import compare

SCHEMA = read_schema(
    """
CREATE TABLE nodes (
  id INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  next INTEGER REFERENCES nodes (id),
  leaf INTEGER REFERENCES leaves (id)
) STRICT;
CREATE TABLE leaves (
  id INTEGER PRIMARY KEY,
  size INTEGER NOT NULL,
  at TEXT NOT NULL -- compare: time(2)
) STRICT;
CREATE TABLE pairs (
  node INTEGER NOT NULL REFERENCES nodes (id),
  leaf INTEGER NOT NULL REFERENCES leaves (id),
  PRIMARY KEY (node, leaf)
) STRICT;
"""
)
OLD = (1, 2)


def moment(second):
    return f"2026-05-14T09:00:{second:02}Z"


def change(nodes, leaves, pairs, moved):
    """Rows: nodes id → (kind, next, leaf), leaves id → (size, second), pairs, old node → next."""
    rows = {("nodes", (i,)): (None, (i, *row)) for i, row in nodes.items()}
    rows |= {("leaves", (i,)): (None, (i, size, moment(second))) for i, (size, second) in leaves.items()}
    rows |= {("pairs", pair): (None, pair) for pair in pairs}
    rows |= {("nodes", (i,)): ((i, "old", None, None), (i, "old", to, None)) for i, to in moved.items()}
    return rows


def renamed(shape, nodes_to, leaves_to):
    nodes, leaves, pairs, moved = shape
    node = lambda value: nodes_to.get(value, value)  # noqa: E731
    leaf = lambda value: leaves_to.get(value, value)  # noqa: E731
    return (
        {node(i): (kind, node(to), leaf(end)) for i, (kind, to, end) in nodes.items()},
        {leaf(i): row for i, row in leaves.items()},
        {(node(a), leaf(b)) for a, b in pairs},
        {i: node(to) for i, to in moved.items()},
    )


def literally(ours, theirs):
    (nodes, leaves, pairs, moved), (nodes_b, leaves_b, pairs_b, moved_b) = ours, theirs
    moved = {i: to for i, to in moved.items() if to is not None}
    moved_b = {i: to for i, to in moved_b.items() if to is not None}
    return (
        nodes == nodes_b
        and pairs == pairs_b
        and moved == moved_b
        and leaves.keys() == leaves_b.keys()
        and all(size == leaves_b[i][0] and abs(second - leaves_b[i][1]) <= 2 for i, (size, second) in leaves.items())
    )


def brute_force(ours, theirs):
    if len(ours[0]) != len(theirs[0]) or len(ours[1]) != len(theirs[1]):
        return False
    return any(
        literally(
            renamed(ours, dict(zip(ours[0], nodes, strict=True)), dict(zip(ours[1], leaves, strict=True))), theirs
        )
        for nodes in permutations(theirs[0])
        for leaves in permutations(theirs[1])
    )


def random_shape(random, most=4):
    def pick(values):
        return values[int(random.random() * len(values))]

    nodes = list(range(10, 10 + int(random.random() * (most + 1))))
    leaves = list(range(10, 10 + int(random.random() * 4)))
    targets = [None, *OLD, *nodes, *nodes]
    ends = [None, 1, *leaves, *leaves]
    return (
        {i: (pick("aab"), pick(targets), pick(ends)) for i in nodes},
        {i: (pick((1, 1, 2)), pick((0, 1, 3, 4))) for i in leaves},
        {(pick([*OLD, *nodes]), pick([1, *leaves])) for _ in range(int(random.random() * 4))},
        {i: pick(targets) for i in OLD if random.random() < 0.4},
    )


def shuffled(shape, random):
    """The shape under other ids, drawn from a wider range."""
    maps = []
    for rows in shape[:2]:
        free = sorted(range(10, 40), key=lambda _: random.random())
        maps.append(dict(zip(rows, free, strict=False)))
    return renamed(shape, *maps)


def mutated(shape, random):
    """The shape with one value changed, or one row more or less; possibly the same up to renaming."""
    nodes, leaves, pairs, moved = (part.copy() for part in shape)
    what = int(random.random() * 5)
    if what == 0 and nodes:
        i = sorted(nodes)[int(random.random() * len(nodes))]
        kind, _, end = nodes[i]
        targets = [None, *OLD, *sorted(nodes)]
        nodes[i] = (kind, targets[int(random.random() * len(targets))], end)
    elif what == 1 and leaves:
        i = sorted(leaves)[int(random.random() * len(leaves))]
        leaves[i] = (leaves[i][0], leaves[i][1] + int(random.random() * 4))
    elif what == 2 and nodes and leaves:
        pairs ^= {(sorted(nodes)[0], sorted(leaves)[-1])}
    elif what == 3 and nodes:
        moved[1] = sorted(nodes)[-1]
    else:
        nodes[99] = ("a", None, None)
    return nodes, leaves, pairs, moved


def agree(ours, theirs):
    truth = brute_force(ours, theirs)
    result = compare(SCHEMA, change(*ours), change(*theirs))
    assert result.equal == truth, (ours, theirs)
    if not truth:
        assert result.missing or result.unexpected or result.different
        assert result.recall < 1 or result.collateral
    return truth


def test_thousands_of_random_cases_agree_with_brute_force():
    verdicts = {True: 0, False: 0}
    for seed in range(4000):
        random = Random(seed)
        ours = random_shape(random)
        how = seed % 4
        theirs = random_shape(random) if how == 3 else ours if how == 0 else mutated(ours, random)
        if how < 2:
            theirs = shuffled(theirs, random)
        verdicts[agree(ours, theirs)] += 1
    assert min(verdicts.values()) > 1000, verdicts


@st.composite
def shapes(draw):
    nodes = list(range(10, 10 + draw(st.integers(0, 4))))
    leaves = list(range(10, 10 + draw(st.integers(0, 3))))
    targets = st.sampled_from([None, *OLD, *nodes])
    ends = st.sampled_from([None, 1, *leaves])
    return (
        {i: (draw(st.sampled_from("ab")), draw(targets), draw(ends)) for i in nodes},
        {i: (draw(st.integers(1, 2)), draw(st.integers(0, 5))) for i in leaves},
        draw(st.sets(st.tuples(st.sampled_from([1, *nodes]), st.sampled_from([1, *leaves])), max_size=4)),
        draw(st.dictionaries(st.sampled_from(OLD), targets)),
    )


@given(shapes(), shapes(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_shrinkable_cases_agree_with_brute_force(ours, theirs, seed):
    random = Random(seed)
    agree(ours, theirs)
    agree(ours, mutated(shuffled(ours, random), random))


@given(shapes(), st.integers(0, 2**32))
@settings(max_examples=150, deadline=None)
def test_any_renaming_is_the_same_change(ours, seed):
    theirs = shuffled(ours, Random(seed))
    assert compare(SCHEMA, change(*ours), change(*theirs))
    assert compare(SCHEMA, change(*theirs), change(*ours))


def test_rings_of_one_size_and_not_of_another():
    def rings(*sizes, start=100):
        nodes = {}
        for size in sizes:
            for i in range(size):
                nodes[start + i] = ("a", start + (i + 1) % size, None)
            start += size
        return nodes, {}, set(), {}

    assert compare(SCHEMA, change(*rings(3, 5, 4)), change(*rings(5, 4, 3, start=300)))
    assert not compare(SCHEMA, change(*rings(3, 5, 4)), change(*rings(4, 4, 4, start=300)))
    assert not compare(SCHEMA, change(*rings(12)), change(*rings(6, 6)))
    assert compare(SCHEMA, change(*rings(*[2] * 60)), change(*rings(*[2] * 60, start=500)))
