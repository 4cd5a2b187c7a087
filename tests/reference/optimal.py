"""The least cost of a tree within a depth, for every number of leaves, over all trees there are.

Rows are tuples of values, None where one is missing. A tree is never built: what counts are the rows that a
node holds, so the best costs of a set of rows are found once and remembered.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

Value = object
Rows = frozenset[int]
Front = Mapping[int, Fraction]
"""The least cost of the trees of so many leaves."""


@dataclass
class OptimalTrees:
    """All trees of a table.

    Parameters
    ----------
    rows : sequence of tuples
        Values, None where one is missing; those of a numeric column are numbers.
    target : sequence of int
        Classes, counted from 0.
    numeric : sequence of bool
        Which columns are numeric.
    weights : sequence of Fraction, default=None
        What each row weighs; None for 1.
    losses : sequence of sequences, default=None
        What an answer costs: losses[true][predicted]; None for 1 where it is wrong.
    nominal_splits : {"one_value", "groups", "multiway"}
        How nominal columns are tested.
    min_leaf : Fraction, default=1
        Least weight of a leaf of a tree that has a test.
    """

    rows: Sequence[tuple[Value, ...]]
    target: Sequence[int]
    numeric: Sequence[bool]
    weights: Sequence[Fraction] | None = None
    losses: Sequence[Sequence[Fraction]] | None = None
    nominal_splits: str = "one_value"
    min_leaf: Fraction = Fraction(1)
    _known: dict[tuple[Rows, int], Front] = field(default_factory=dict, repr=False)

    def least(
        self, depth: int, leaf_penalty: Fraction = Fraction(0), max_leaves: int | None = None
    ) -> Fraction:
        """Return the least cost plus the price of the leaves, which is in mean rows."""
        price = leaf_penalty * self.mean_weight()
        front = self.front(frozenset(range(len(self.rows))), depth)
        return min(
            cost + price * leaves
            for leaves, cost in front.items()
            if max_leaves is None or leaves <= max_leaves
        )

    def front(self, held: Rows, depth: int) -> Front:
        """Return the least cost of the trees of every number of leaves over some rows."""
        found = self._known.get((held, depth))
        if found is None:
            found = self._known[held, depth] = self._front(held, depth)
        return found

    def _front(self, held: Rows, depth: int) -> Front:
        best = {1: self.leaf(held)}
        if depth == 0:
            return best
        for parts in {*self.splits(held)}:
            if any(self.weight(part) < self.min_leaf for part in parts):
                continue
            together: dict[int, Fraction] = {0: Fraction(0)}
            for part in parts:
                together = _sums(together, self.front(part, depth - 1))
            for leaves, cost in together.items():
                best[leaves] = min(cost, best.get(leaves, cost))
        return best

    def leaf(self, held: Rows) -> Fraction:
        """Return what the cheapest answer for all costs."""
        n_classes = max(max(self.target) + 1, len(self.losses or ()))
        return min(sum((self._cost(row, answer) for row in held), Fraction(0)) for answer in range(n_classes))

    def _cost(self, row: int, answer: int) -> Fraction:
        true = self.target[row]
        loss = Fraction(answer != true) if self.losses is None else self.losses[true][answer]
        return loss * self._weight(row)

    def _weight(self, row: int) -> Fraction:
        return Fraction(1) if self.weights is None else self.weights[row]

    def weight(self, held: Rows) -> Fraction:
        """Return what rows weigh together."""
        return sum((self._weight(row) for row in held), Fraction(0))

    def mean_weight(self) -> Fraction:
        """Return what the rows of positive weight weigh on average."""
        everything = frozenset(range(len(self.rows)))
        return self.weight(everything) / sum(self._weight(row) > 0 for row in everything)

    def splits(self, held: Rows) -> Iterator[frozenset[Rows]]:
        """Yield what every test makes of the rows of a node, without empty parts."""
        for column, is_numeric in enumerate(self.numeric):
            by_value: dict[Value, set[int]] = {}
            for row in held:
                by_value.setdefault(self.rows[row][column], set()).add(row)
            ways = _thresholds(by_value) if is_numeric else self._nominal(by_value)
            for parts in ways:
                if len(parts) > 1:
                    yield frozenset(map(frozenset, parts))

    def _nominal(self, by_value: Mapping[Value, set[int]]) -> Iterator[list[set[int]]]:
        gaps = by_value.get(None, set())
        known = {value: rows for value, rows in by_value.items() if value is not None}
        everything = set().union(*by_value.values())
        if self.nominal_splits == "multiway":
            yield from _with_gaps([*known.values()], gaps)
        elif self.nominal_splits == "groups":
            values = [*by_value]
            for size in range(1, len(values)):
                for chosen in combinations(values, size):
                    inside = set().union(*(by_value[value] for value in chosen))
                    yield [inside, everything - inside]
        else:
            for rows in known.values():
                yield from _with_gaps(_filled([rows, everything - gaps - rows]), gaps)
        if gaps and known:
            yield [gaps, everything - gaps]


def _thresholds(by_value: Mapping[Value, set[int]]) -> Iterator[list[set[int]]]:
    gaps = by_value.get(None, set())
    values = sorted(value for value in by_value if value is not None)  # type: ignore[type-var]
    known = set().union(*(by_value[value] for value in values))
    for i in range(1, len(values)):
        low = set().union(*(by_value[value] for value in values[:i]))
        yield from _with_gaps([low, known - low], gaps)
    if gaps and known:
        yield [gaps, known]


def _with_gaps(parts: Sequence[set[int]], gaps: set[int]) -> Iterator[list[set[int]]]:
    """Yield the parts with the gaps in each of them."""
    if not gaps:
        yield [*parts]
        return
    for i in range(len(parts)):
        yield [part | gaps if i == j else part for j, part in enumerate(parts)]


def _filled(parts: Sequence[set[int]]) -> list[set[int]]:
    return [part for part in parts if part]


def _sums(one: Front, other: Front) -> dict[int, Fraction]:
    """Return the least sums for every number of leaves of both together."""
    found: dict[int, Fraction] = {}
    for n, cost in one.items():
        for m, more in other.items():
            found[n + m] = min(cost + more, found.get(n + m, cost + more))
    return found
