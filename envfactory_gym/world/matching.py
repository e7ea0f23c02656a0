"""Whether two labelled graphs are the same up to the names of their nodes, and by which pairing.

Inserted rows compare without their surrogate ids, and that is graph isomorphism: rows are nodes,
references are edges. Colours of both graphs are refined together until stable; what refinement
cannot tell apart falls into components, which are matched with each other one by one, inside a
component by individualising a node and refining again (McKay and Piperno, 2014). Colours alone
would be wrong for cyclic references, so every pairing found is checked against all edges.

A colour is the number under which a signature was first seen in a table shared by both graphs:
exact, free of collisions, and never stored, so nothing depends on `hash()` of a process.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ..environment.errors import EnvFactoryError

WORK = 500_000
"""Node visits after which a matching is given up: about a second. Symmetric rows need few."""


class AmbiguousComparison(EnvFactoryError):
    """Inserted rows are so symmetric that pairing them exceeds the bound; refuse such a task."""


@dataclass(slots=True)
class Graph:
    """Nodes with a start signature and ordered outgoing edges.

    Attributes:
        base: Per node, a hashable value that must be equal; it fixes number and labels of edges.
        out: Per node, the nodes its edges lead to, in the order of the labels.
        labels: Per node, the label (an integer) of each edge.
        checked: Nodes whose pairing must also pass the caller's `fits`.
    """

    base: list[Any] = field(default_factory=list)
    out: list[Sequence[int]] = field(default_factory=list)
    labels: list[Sequence[int]] = field(default_factory=list)
    checked: set[int] = field(default_factory=set)

    def incoming(self) -> list[list[tuple[int, int]]]:
        """Per node, the (label, source) of each edge that arrives."""
        into: list[list[tuple[int, int]]] = [[] for _ in self.base]
        for source, targets in enumerate(self.out):
            for label, target in zip(self.labels[source], targets, strict=True):
                into[target].append((label, source))
        return into


Fits = Callable[[int, int], bool]


class Matcher:
    """The search for a pairing of `left` nodes with `right` nodes.

    Args:
        left, right: The graphs.
        fits: Whether a left and a right node may be paired, asked for `checked` nodes only.
        work: Node visits allowed.

    Attributes:
        rounds: Colours of the left and right nodes after each round, the coarsest first; a report
            pairs rows by the finest round in which they still agree.
    """

    def __init__(self, left: Graph, right: Graph, fits: Fits, work: int = WORK) -> None:
        self.left, self.right, self.fits, self.work = left, right, fits, work
        self.fresh = count()
        start: dict[Any, int] = {}
        self.rounds: list[tuple[list[int], list[int]]] = [
            (
                [start.setdefault(base, len(start)) for base in left.base],
                [start.setdefault(base, len(start)) for base in right.base],
            )
        ]
        self.fresh = count(len(start))
        self._into: tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]] | None = None

    def pairing(self) -> list[int] | None:
        """For each left node its right partner, or None where the graphs differ.

        Raises:
            AmbiguousComparison: The bound was reached before an answer.
        """
        left, right = self.rounds[0]
        if sorted(left) != sorted(right):
            self._refine_for_report()
            return None
        if len(set(left)) == len(left):
            at = {colour: node for node, colour in enumerate(right)}
            found: dict[int, int] | None = {node: at[colour] for node, colour in enumerate(left)}
            checked = self.left.checked
            if checked and not all(self.fits(node, found[node]) for node in checked):  # type: ignore[index]
                return None
        else:
            colours = dict(enumerate(left)), dict(enumerate(right))
            if not self._refine(*colours, keep=True):
                return None
            found = self._solve(*colours)
        if found is None:
            return None
        pairing = [found[node] for node in range(len(left))]
        return pairing if self._holds(pairing) else None

    def _holds(self, pairing: Sequence[int]) -> bool:
        out, other = self.left.out, self.right.out
        return all(
            [pairing[target] for target in targets] == list(other[pairing[node]])
            for node, targets in enumerate(out)
            if targets
        )

    def _edges(self) -> tuple[list[list[tuple[int, int]]], list[list[tuple[int, int]]]]:
        if self._into is None:
            self._into = self.left.incoming(), self.right.incoming()
        return self._into

    def _refine(self, left: dict[int, int], right: dict[int, int], *, keep: bool = False) -> bool:
        """Refine both colourings in place until stable; False as soon as they differ.

        Edges that leave the given nodes are left out: colours outside are settled.
        """
        into_left, into_right = self._edges()
        sides = (left, self.left.out, into_left), (right, self.right.out, into_right)
        active = [[node for node in colours if out[node] or into[node]] for colours, out, into in sides]
        if len(active[0]) != len(active[1]):
            return False
        classes = len({left[node] for node in active[0]})
        while True:
            self.work -= len(active[0]) + len(active[1])
            if self.work < 0:
                raise AmbiguousComparison(
                    f"{len(self.left.base)} changed rows are too symmetric to be paired: "
                    "give the inserted rows a column that tells them apart"
                )
            seen: dict[Any, int] = {}
            balance: dict[int, int] = {}
            renewed: list[dict[int, int]] = []
            for side, (colours, out, into) in enumerate(sides):
                new = {}
                step = -1 if side else 1
                for node in active[side]:
                    leaving, arriving = out[node], into[node]
                    signature = (
                        colours[node],
                        tuple([colours.get(target, -1) for target in leaving]) if leaving else (),
                        tuple(sorted([(label, colours[source]) for label, source in arriving if source in colours]))
                        if arriving
                        else (),
                    )
                    colour = seen.get(signature)
                    if colour is None:
                        colour = seen[signature] = next(self.fresh)
                        balance[colour] = step
                    else:
                        balance[colour] += step
                    new[node] = colour
                renewed.append(new)
            left.update(renewed[0])
            right.update(renewed[1])
            if keep:
                self.rounds.append(([left[n] for n in range(len(left))], [right[n] for n in range(len(right))]))
            if any(balance.values()):
                return False
            if len(seen) == classes or (keep and len(seen) == len(active[0])):
                return True  # at the top every pairing is checked in the end, so telling all apart is enough
            classes = len(seen)

    def _refine_for_report(self) -> None:
        """One more round although the graphs differ: tells apart rows that only references tell apart."""
        left, right = self.rounds[0]
        if any(self.left.out) and any(self.right.out):
            self._refine(dict(enumerate(left)), dict(enumerate(right)), keep=True)

    def _solve(self, left: dict[int, int], right: dict[int, int]) -> dict[int, int] | None:
        """Pair nodes whose colours are stable and equally many on both sides."""
        groups: dict[int, tuple[list[int], list[int]]] = {}
        for node, colour in left.items():
            groups.setdefault(colour, ([], []))[0].append(node)
        for node, colour in right.items():
            groups[colour][1].append(node)
        found = {}
        open_left, open_right = [], []
        for ours, theirs in groups.values():
            if len(ours) > 1:
                open_left += ours
                open_right += theirs
            elif ours[0] in self.left.checked and not self.fits(ours[0], theirs[0]):
                return None
            else:
                found[ours[0]] = theirs[0]
        into_left, into_right = self._edges()
        kinds: dict[tuple[int, ...], tuple[list[list[int]], list[list[int]]]] = {}
        for side, parts in enumerate(
            (
                _components(open_left, self.left.out, into_left),
                _components(open_right, self.right.out, into_right),
            )
        ):
            colours = right if side else left
            for part in parts:
                kinds.setdefault(tuple(sorted([colours[node] for node in part])), ([], []))[side].append(part)
        for our_parts, their_parts in kinds.values():
            paired = self._match(our_parts, their_parts, left, right)
            if paired is None:
                return None
            found.update(paired)
        return found

    def _match(
        self, ours: list[list[int]], theirs: list[list[int]], left: dict[int, int], right: dict[int, int]
    ) -> dict[int, int] | None:
        """Pair components of one kind: greedily, then by augmenting paths where `fits` decides."""
        if len(ours) != len(theirs):
            return None
        tried: dict[tuple[int, int], dict[int, int] | None] = {}

        def same(our: int, their: int) -> bool:
            if (our, their) not in tried:
                tried[our, their] = self._same(ours[our], theirs[their], left, right)
            return tried[our, their] is not None

        partner: dict[int, int] = {}
        mate: dict[int, int] = {}
        free = list(range(len(theirs)))
        equivalence = not any(node in self.left.checked for part in ours for node in part)
        for our in range(len(ours)):
            their = next((their for their in free if same(our, their)), None)
            if their is not None:
                free.remove(their)
                partner[their], mate[our] = our, their
            elif equivalence or not _augment(our, len(theirs), partner, mate, same):
                return None
            else:
                free = [their for their in free if their not in partner]
        found: dict[int, int] = {}
        for their, our in partner.items():
            found.update(tried[our, their] or {})
        return found

    def _same(
        self, ours: list[int], theirs: list[int], left: dict[int, int], right: dict[int, int]
    ) -> dict[int, int] | None:
        """A pairing inside two components, by individualising one node and refining again."""
        if len(ours) == 1:
            self.work -= 1
            fits = ours[0] not in self.left.checked or self.fits(ours[0], theirs[0])
            return {ours[0]: theirs[0]} if fits else None
        sizes: dict[int, int] = {}
        for node in ours:
            sizes[left[node]] = sizes.get(left[node], 0) + 1
        pivot = min(ours, key=lambda node: (sizes[left[node]], node))
        for other in theirs:
            if right[other] != left[pivot]:
                continue
            if pivot in self.left.checked and not self.fits(pivot, other):
                continue
            our_colours = {node: left[node] for node in ours}
            their_colours = {node: right[node] for node in theirs}
            our_colours[pivot] = their_colours[other] = next(self.fresh)
            if self._refine(our_colours, their_colours):
                found = self._solve(our_colours, their_colours)
                if found is not None:
                    return found
        return None


def _components(
    nodes: list[int], out: Sequence[Sequence[int]], into: Sequence[Sequence[tuple[int, int]]]
) -> list[list[int]]:
    """The parts of `nodes` that edges among them hold together."""
    left_over = dict.fromkeys(nodes)
    parts = []
    while left_over:
        part = [next(iter(left_over))]
        del left_over[part[0]]
        for node in part:
            for other in (*out[node], *(source for _, source in into[node])):
                if other in left_over:
                    del left_over[other]
                    part.append(other)
        parts.append(part)
    return parts


def _augment(
    our: int, size: int, partner: dict[int, int], mate: dict[int, int], same: Callable[[int, int], bool]
) -> bool:
    """Find a partner for `our` by moving others (augmenting path, breadth first)."""
    came: dict[int, int] = {}
    queue = [our]
    for mine in queue:
        for their in range(size):
            if their in came or not same(mine, their):
                continue
            came[their] = mine
            if their in partner:
                queue.append(partner[their])
                continue
            end: int | None = their
            while end is not None:
                mover = came[end]
                partner[end] = mover
                mate[mover], end = end, mate.get(mover)
            return True
    return False
