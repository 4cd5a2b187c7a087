"""`MonotoneCost`: a cost of a tree that a function of the user's computes, and the least of it.

    value of a leaf: `leaf`
    value of a subtable, smaller ones first: the least, over the features that split it, of
        combine(rows of the subtable, name of the feature, values of its parts)

That is the procedure of the paper's section 4. It finds the least cost of all trees if `combine` is monotone:
the value of a node never falls when that of a branch rises. Nobody can see that of a function, so it is tried
out before the search on drawn arguments, and every call of the search is compared with earlier ones.
"""

from __future__ import annotations

import math
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import DataTypeError, ParameterError
from treewright._base.params import Limits
from treewright._base.wording import UNSET
from treewright.results import Progress
from treewright.trees.tree import Tree

Number = int | float | Fraction
"""What a cost may be: compared exactly, whatever the types."""

Positions = NDArray[np.uint32]
Combine = Callable[[int, str, tuple[Number, ...]], Number]

N_REMEMBERED = 5
"""Earlier calls of a feature and a number of rows that a call is compared with."""

N_TRIALS, MOST_TRIALS = 16, 512
"""Pairs of drawn calls for a feature, and for all features together."""

SUBTABLES_AT_ONCE = 1024
"""Subtables whose bundles become Python's numbers together."""

SECONDS_PER_REPORT = 0.05


@dataclass(frozen=True)
class MonotoneCost:
    """A cost of a tree by a monotone function of your own, computed from the leaves to the root.

    A leaf costs `leaf`. An internal node costs what `combine` makes of the costs of its branches. The least
    cost of all trees for a table is found exactly, with a tree.

    Parameters
    ----------
    leaf : int, float or Fraction
        Cost of a leaf.
    combine : callable
        ``combine(n_rows, feature, costs)`` returns the cost of an internal node: an int, float or Fraction.
        `n_rows` is the number of rows of the table that reach the node, `feature` the name of the feature
        that it tests, `costs` a tuple of the costs of its branches, in the order of the values of the
        feature. It must be *monotone*: if a branch costs more, the node must not cost less. It must depend
        on its arguments only.

    Raises
    ------
    ParameterError
        If `leaf` is no number or NaN, or `combine` is not callable. Whoever uses the cost raises it if
        `combine` returns no number or NaN, or if two of its calls show that it is not monotone; the message
        has both.

    See Also
    --------
    Cost : Sums and maxima in integers. The engine computes them by itself, much faster, and also counts
        optimal trees and finds Pareto fronts.

    Notes
    -----
    The method is dynamic programming over all subtables, as for the named costs. It calls `combine` once for
    every pair of a subtable and a feature that splits it. The graph of subtables must fit the limits: there
    is no branch and bound for a cost of which nothing else is known.

    That `combine` is monotone cannot be proven. Before a search it is tried on drawn arguments, and during
    the search every call is compared with earlier calls of the same feature and number of rows.

    Numbers are compared exactly, without a tolerance. ``inf`` stands for what must not be. Floats are rounded
    by your own sums: with prices such as 0.1 use Fraction, or integers of a smaller unit.

    A function that is defined in a module (not a lambda) can be pickled, and so can an estimator with it.

    References
    ----------
    A. Alkhalid, I. Chikalov, M. Moshkov, "Decision Tree Construction using Greedy Algorithms and Dynamic
    Programming -- Comparative Study", 2011, sections 2 and 4.

    Examples
    --------
    The depth and the number of nodes, as monotone costs:

    >>> from treewright.tables import DecisionTable, MonotoneCost
    >>> depth = MonotoneCost(0, lambda n_rows, feature, costs: 1 + max(costs))
    >>> n_nodes = MonotoneCost(1, lambda n_rows, feature, costs: 1 + sum(costs))

    Tests that have prices, paid by every row that is tested:

    >>> prices = {"blood": 30, "cough": 1, "fever": 2}
    >>> paid = MonotoneCost(0, lambda n_rows, feature, costs: n_rows * prices[feature] + sum(costs))
    >>> table = DecisionTable(
    ...     [["a", "yes", "no"], ["a", "no", "no"], ["b", "yes", "yes"], ["b", "no", "yes"]],
    ...     ["well", "well", "flu", "flu"],
    ...     feature_names=["blood", "cough", "fever"],
    ... )
    >>> result = table.minimum_tree(paid)
    >>> result.cost, result.status, [table.feature_names[i] for i in result.tree.used_features]
    (8, 'optimal', ['fever'])
    """

    leaf: Number
    combine: Combine

    def __post_init__(self) -> None:
        """Check the number and the function."""
        object.__setattr__(self, "leaf", _checked_leaf(self.leaf))
        combine: object = self.combine
        if not callable(combine):
            allowed = "must be a function of the rows of a node, its feature and the costs of its branches"
            remedy = "for example lambda n_rows, feature, costs: 1 + sum(costs)"
            raise ParameterError("combine", combine, allowed, remedy)


def _checked_leaf(value: object) -> Number:
    number = _number(value)
    if number is None:
        remedy = "it is what a leaf costs, such as 0"
        raise ParameterError("leaf", value, "must be an int, a float or a Fraction, and not NaN", remedy)
    return number


def _number(value: object) -> Number | None:
    """Return a number as Python has it; None for what is none, and for NaN."""
    if isinstance(value, np.integer | np.floating):
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, int | float | Fraction):
        return None
    return None if isinstance(value, float) and math.isnan(value) else value


class Call(NamedTuple):
    """The costs of the branches, and what the node costs then."""

    costs: tuple[Number, ...]
    value: Number


class Operator:
    """The function of a cost at work on a table: its values are checked, and held against each other."""

    def __init__(self, cost: MonotoneCost, names: Sequence[str]) -> None:
        self.leaf, self._combine, self._names = cost.leaf, cost.combine, names
        self._earlier: dict[tuple[int, int, int], deque[Call]] = {}

    def __call__(self, n_rows: int, feature: int, costs: tuple[Number, ...]) -> Number:
        """Return the cost of a node.

        Raises
        ------
        ParameterError
            If it is no number, or shows that the function is not monotone.
        """
        found = self._combine(n_rows, self._names[feature], costs)
        value = found if type(found) is int else _number(found)
        if value is None:
            told = self._told(n_rows, feature, costs)
            allowed = f"returned {found!r} for {told}, which is no int, float or Fraction"
            raise ParameterError("combine", UNSET, allowed, "return a number that is not NaN")
        key = (feature, n_rows, len(costs))
        earlier = self._earlier.get(key)
        if earlier is None:
            earlier = self._earlier[key] = deque(maxlen=N_REMEMBERED)
        for call in earlier:
            if value < call.value:
                if _is_below(call.costs, costs):
                    raise self._not_monotone(n_rows, feature, call, Call(costs, value))
            elif value > call.value and _is_below(costs, call.costs):
                raise self._not_monotone(n_rows, feature, Call(costs, value), call)
        earlier.append(Call(costs, value))
        return value

    def _told(self, n_rows: int, feature: int, costs: tuple[Number, ...]) -> str:
        written = ", ".join(map(str, costs))
        return f"combine({n_rows}, {self._names[feature]!r}, ({written}{',' if len(costs) == 1 else ''}))"

    def _not_monotone(self, n_rows: int, feature: int, low: Call, high: Call) -> ParameterError:
        """Tell two calls; `low` has branches that cost no more, and yet costs more."""
        calls = [f"{self._told(n_rows, feature, call.costs)} is {call.value}" for call in (low, high)]
        if low.costs == high.costs:
            allowed = f"changes: {calls[0]}, and {high.value} at another call"
            return ParameterError("combine", UNSET, allowed, "it must depend on its arguments only")
        allowed = f"is not monotone: {calls[0]}, but {calls[1]}"
        remedy = "where branches cost more, the node must not cost less"
        return ParameterError("combine", UNSET, allowed, remedy)

    def try_out(self, n_rows: int, n_values: Sequence[int]) -> None:
        """Call the function on drawn arguments, each time with the cost of one branch raised or lowered.

        Parameters
        ----------
        n_rows : int
            Rows of the table.
        n_values : sequence of int
            Number of values of each feature.
        """
        random, known = Random(0), [self.leaf]
        splitting = [f for f, n in enumerate(n_values) if n > 1]
        n_trials = min(N_TRIALS * len(splitting), MOST_TRIALS)
        for trial in range(n_trials):
            feature = splitting[trial % len(splitting)]
            n_parts = random.randint(2, min(n_values[feature], n_rows))
            n_here = random.randint(n_parts, n_rows)
            costs = [random.choice(known) for _ in range(n_parts)]
            known.append(self(n_here, feature, tuple(costs)))
            costs[random.randrange(n_parts)] = random.choice(known)
            self(n_here, feature, tuple(costs))


def _is_below(costs: tuple[Number, ...], others: tuple[Number, ...]) -> bool:
    """Whether no cost is above its counterpart."""
    return all(cost <= other for cost, other in zip(costs, others, strict=True))


class Edges(NamedTuple):
    """A graph that is written out: subtables, children first, with their bundles and the edges of these.

    `n_rows` are those of every subtable, the first of which stands for all leaves; `ends` tells where its
    bundles end, `features` the feature of each bundle, `edge_ends` where its edges end, and `children` the
    subtables that edges lead to.
    """

    n_rows: Positions
    ends: Positions
    features: Positions
    edge_ends: Positions
    children: Positions

    @classmethod
    def of(cls, graph: _core.SubtableGraph, limits: Limits) -> Edges | None:
        """Write a graph out; None if the limits ended it."""
        lists = graph.unroll(limits=limits)
        return None if lists is None else cls(*lists)

    @staticmethod
    def n_bytes(graph: _core.SubtableGraph) -> int:
        """Return the bytes that are needed at most, with the values of the subtables."""
        return 120 * (graph.n_nonterminal + 1) + 16 * graph.n_bundles + 8 * graph.n_edges

    def bundles(self) -> Iterator[tuple[int, list[tuple[int, list[int]]]]]:
        """Yield the rows of every subtable, and the feature and the children of its bundles."""
        for first in range(1, len(self.n_rows), SUBTABLES_AT_ONCE):
            ends = self.ends[first - 1 : first + SUBTABLES_AT_ONCE].tolist()
            start, n_rows = ends[0], self.n_rows[first : first + SUBTABLES_AT_ONCE].tolist()
            features = self.features[start : ends[-1]].tolist()
            before = int(self.edge_ends[start - 1]) if start else 0
            edges = [before, *self.edge_ends[start : ends[-1]].tolist()]
            children = self.children[edges[0] : edges[-1]].tolist()
            at = 0
            for rows, end in zip(n_rows, ends[1:], strict=True):
                bundles = []
                for bundle in range(at, end - start):
                    part = children[edges[bundle] - edges[0] : edges[bundle + 1] - edges[0]]
                    bundles.append((features[bundle], part))
                at = end - start
                yield rows, bundles


class Least(NamedTuple):
    """The least cost of a tree for a table, and the features of such a tree in preorder; None is a leaf."""

    cost: Number
    features: list[int | None]


class StoppedError(Exception):
    """A limit ended the work; `args` has its status."""


def operator_of(cost: MonotoneCost, table: _core.DecisionTable) -> Operator:
    """Return the function of a cost, tried out for a table."""
    operator = Operator(cost, table.names)
    operator.try_out(table.n_rows, [len(np.unique(table.column(f))) for f in range(table.n_features)])
    return operator


def least_of(operator: Operator, edges: Edges, limits: Limits) -> Least:
    """Find the least cost of a tree, and a tree that has it: at every node the first such feature.

    Raises
    ------
    StoppedError
        If the time is over or the callback says so.
    """
    started = time.monotonic()
    report_at = started + SECONDS_PER_REPORT
    values: list[Number] = [operator.leaf]
    chosen: list[tuple[int, list[int]]] = [(-1, [])]
    for n_rows, bundles in edges.bundles():
        values.append(operator.leaf)
        chosen.append(bundles[0])
        for at, (feature, children) in enumerate(bundles):
            value = operator(n_rows, feature, tuple([values[child] for child in children]))
            if at == 0 or value < values[-1]:
                values[-1], chosen[-1] = value, (feature, children)
        now = time.monotonic()
        if limits.time_limit is not None and now - started > limits.time_limit:
            raise StoppedError("time_limit")
        if limits.callback is not None and now >= report_at:
            report_at = now + SECONDS_PER_REPORT
            if limits.callback(Progress(len(values), len(edges.n_rows), None, now - started)):
                raise StoppedError("stopped")
    return Least(values[-1], _preorder(chosen))


def _preorder(chosen: list[tuple[int, list[int]]]) -> list[int | None]:
    """Return the features of a tree, given those of all subtables; the last is the whole table."""
    features: list[int | None] = []
    pending = [len(chosen) - 1]
    while pending:
        feature, children = chosen[pending.pop()]
        features.append(None if feature < 0 else feature)
        pending.extend(reversed(children))
    return features


def cost_of(operator: Operator, tree: _core.Tree, table: _core.DecisionTable) -> Number:
    """Return the cost of any tree for a table."""
    shown = Tree(tree)
    n_rows = _core.rows_reaching(tree, table).tolist()
    nodes = zip(shown.feature.tolist(), shown.first_child.tolist(), shown.n_children.tolist(), strict=True)
    values: list[Number] = [operator.leaf] * len(n_rows)
    for at, (feature, first, n_children) in reversed(list(enumerate(nodes))):
        if n_children:
            if feature < 0:
                raise DataTypeError("a node of the tree tests no single feature, which a cost is asked of")
            values[at] = operator(n_rows[at], feature, tuple(values[first : first + n_children]))
    return values[0]
