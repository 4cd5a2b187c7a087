"""Decision tables, the obvious way: every tree of a table, one after the other.

A tree is a `Leaf` or an `Inner` node; a subtable is a tuple of row numbers. Nothing is remembered between
subtables, so a table must be tiny: `n_trees` says how many trees there are before they are listed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, product

Rows = tuple[int, ...]
COSTS = ("depth", "total_path_length", "n_nodes", "n_internal", "n_leaves")
IMPURITIES = ("sum", "max", "weighted_sum", "weighted_max")
UNCERTAINTIES = ("entropy", "gini", "misclassification", "rt")
TOLERANCE = 1e-9
"""Entropies this close to the least so far are no better."""

Cost = str | tuple[int, int, int, str]
"""A name, or what a leaf, a row and a node cost and how children are put together."""


@dataclass(frozen=True)
class TinyTable:
    """Values and decisions as small ints; rows are different."""

    values: tuple[tuple[int, ...], ...]
    decisions: tuple[int, ...]
    alpha: int = 0

    @property
    def n_features(self) -> int:
        return len(self.values[0])

    @property
    def rows(self) -> Rows:
        return tuple(range(len(self.values)))


@dataclass(frozen=True)
class Leaf:
    """Rows that are not parted, and their most common decision."""

    rows: Rows
    decision: int


@dataclass(frozen=True)
class Inner:
    """A feature asked of rows; a child for each value that occurs, in the order of the values."""

    rows: Rows
    feature: int
    values: tuple[int, ...]
    children: tuple[Tree, ...]


Tree = Leaf | Inner


def merged(values: Sequence[tuple[int, ...]], decisions: Sequence[int], alpha: int = 0) -> TinyTable:
    """Make one row of equal ones, where the first was: most common decision, of equals the smallest."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for row, decision in zip(values, decisions, strict=True):
        groups.setdefault(tuple(row), []).append(decision)
    return TinyTable(tuple(groups), tuple(map(most_common, groups.values())), alpha)


def most_common(decisions: Sequence[int]) -> int:
    counts = Counter(decisions)
    return min(counts, key=lambda decision: (-counts[decision], decision))


def pairs(table: TinyTable, rows: Rows) -> int:
    """Count the pairs of rows with different decisions."""
    return sum(table.decisions[a] != table.decisions[b] for a, b in combinations(rows, 2))


def parts(table: TinyTable, rows: Rows, feature: int) -> dict[int, Rows]:
    """Part rows by their value of a feature."""
    values = sorted({table.values[row][feature] for row in rows})
    return {value: tuple(row for row in rows if table.values[row][feature] == value) for value in values}


def is_terminal(table: TinyTable, rows: Rows) -> bool:
    return pairs(table, rows) <= table.alpha


def admissible(table: TinyTable, rows: Rows) -> list[int]:
    """List the features with two different values."""
    return [f for f in range(table.n_features) if len(parts(table, rows, f)) > 1]


# Every tree ----------------------------------------------------------------------------


def n_trees(table: TinyTable, rows: Rows | None = None) -> int:
    """Count all trees without making them."""
    rows = table.rows if rows is None else rows
    if is_terminal(table, rows):
        return 1
    return sum(
        math.prod(n_trees(table, part) for part in parts(table, rows, f).values())
        for f in admissible(table, rows)
    )


def trees(table: TinyTable, rows: Rows | None = None) -> Iterator[Tree]:
    """Make every tree for the table."""
    rows = table.rows if rows is None else rows
    if is_terminal(table, rows):
        yield Leaf(rows, most_common([table.decisions[row] for row in rows]))
        return
    for feature in admissible(table, rows):
        split = parts(table, rows, feature)
        for children in product(*(list(trees(table, part)) for part in split.values())):
            yield Inner(rows, feature, tuple(split), children)


def subtables(table: TinyTable) -> set[Rows]:
    """Collect the subtables that some tree has."""
    found, waiting = {table.rows}, [table.rows]
    while waiting:
        rows = waiting.pop()
        for feature in [] if is_terminal(table, rows) else admissible(table, rows):
            new = set(parts(table, rows, feature).values()) - found
            found |= new
            waiting += new
    return found


def graph_sizes(table: TinyTable) -> dict[str, int]:
    """Count subtables, features that part them, and parts."""
    found = subtables(table)
    inner = [rows for rows in found if not is_terminal(table, rows)]
    bundles = [(rows, feature) for rows in inner for feature in admissible(table, rows)]
    return {
        "n_nonterminal": len(inner),
        "n_terminal": len(found) - len(inner),
        "n_bundles": len(bundles),
        "n_edges": sum(len(parts(table, rows, feature)) for rows, feature in bundles),
    }


# What a tree costs ---------------------------------------------------------------------

RULES: dict[str, tuple[int, int, int, str]] = {
    "depth": (0, 0, 1, "max"),
    "total_path_length": (0, 1, 0, "sum"),
    "n_nodes": (1, 0, 1, "sum"),
    "n_internal": (0, 0, 1, "sum"),
    "n_leaves": (1, 0, 0, "sum"),
}


def cost_of(tree: Tree, cost: Cost) -> int:
    """Add up the cost of a tree from its leaves."""
    leaf, per_row, per_node, combine = RULES[cost] if isinstance(cost, str) else cost
    if isinstance(tree, Leaf):
        return leaf
    children = [cost_of(child, cost) for child in tree.children]
    joined = sum(children) if combine == "sum" else max(children)
    return per_node + per_row * len(tree.rows) + joined


def minimum(table: TinyTable, cost: Cost, rows: Rows | None = None) -> int:
    return min(cost_of(tree, cost) for tree in trees(table, rows))


def optimal(table: TinyTable, cost: Cost) -> list[Tree]:
    """List the trees of least cost."""
    least = minimum(table, cost)
    return [tree for tree in trees(table) if cost_of(tree, cost) == least]


def is_optimal_throughout(table: TinyTable, tree: Tree, cost: Cost) -> bool:
    """Whether every subtree is of least cost for its own subtable."""
    if cost_of(tree, cost) != minimum(table, cost, tree.rows):
        return False
    children = tree.children if isinstance(tree, Inner) else ()
    return all(is_optimal_throughout(table, child, cost) for child in children)


def lexicographic(table: TinyTable, costs: Sequence[Cost]) -> tuple[int, ...]:
    """Return the least costs, the first of them first."""
    return min(tuple(cost_of(tree, cost) for cost in costs) for tree in trees(table))


def pareto(table: TinyTable, a: Cost, b: Cost) -> list[tuple[int, int]]:
    """Return the pairs of costs that no tree betters in one without losing in the other."""
    points = {(cost_of(tree, a), cost_of(tree, b)) for tree in trees(table)}
    return sorted(p for p in points if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in points))


# Greedy trees --------------------------------------------------------------------------


def uncertainty(name: str, decisions: Sequence[int]) -> Fraction | float:
    counts, n = Counter(decisions).values(), len(decisions)
    if name == "entropy":
        return -math.fsum(count / n * math.log2(count / n) for count in sorted(counts))
    if name == "gini":
        return 1 - sum(Fraction(count, n) ** 2 for count in counts)
    if name == "misclassification":
        return Fraction(n - max(counts))
    return Fraction(n * n - sum(count * count for count in counts), 2)


def impurity(table: TinyTable, rows: Rows, feature: int, kind: str, measure: str) -> Fraction | float:
    terms: list[Fraction | float] = []
    for part in parts(table, rows, feature).values():
        value = uncertainty(measure, [table.decisions[row] for row in part])
        weight = Fraction(len(part), len(rows)) if kind.startswith("weighted") else Fraction(1)
        terms.append(value * (float(weight) if isinstance(value, float) else weight))
    return max(terms) if kind.endswith("max") else sum(terms, Fraction(0))


def greedy(table: TinyTable, kind: str, measure: str, rows: Rows | None = None) -> Tree:
    """Ask at every node the feature of least impurity; of equal ones the first."""
    rows = table.rows if rows is None else rows
    if is_terminal(table, rows):
        return Leaf(rows, most_common([table.decisions[row] for row in rows]))
    tolerance = TOLERANCE if measure == "entropy" else 0
    best, least = -1, None
    for feature in admissible(table, rows):
        value = impurity(table, rows, feature, kind, measure)
        if least is None or value < least - tolerance:
            best, least = feature, value
    split = parts(table, rows, best)
    children = tuple(greedy(table, kind, measure, part) for part in split.values())
    return Inner(rows, best, tuple(split), children)


# Other things to compare with ----------------------------------------------------------


def classified(tree: Tree, row: Sequence[int]) -> int:
    """Return the decision for a row all of whose values have a branch."""
    while isinstance(tree, Inner):
        tree = tree.children[tree.values.index(row[tree.feature])]
    return tree.decision


def nested(tree: Tree, name: Callable[[int, int], object]) -> object:
    """Return a tree as nested tuples; `name` gives the value for a feature and a code."""
    if isinstance(tree, Leaf):
        return tree.decision
    branches = zip(tree.values, tree.children, strict=True)
    return tree.feature, tuple((name(tree.feature, code), nested(child, name)) for code, child in branches)
