"""`SubtableGraph`: questions about all trees of a table."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Self, overload

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import Limits
from treewright._base.wording import Param
from treewright.search.tables.cost import (
    NAMES,
    AnyCost,
    CostLike,
    Then,
    check_alone,
    engine_cost,
    engine_costs,
    in_unit,
)
from treewright.search.tables.found import GRAPH, LEAST, found_tree
from treewright.search.tables.from_data import Samples
from treewright.search.tables.monotone import Edges, Least, MonotoneCost, Number, least_of, operator_of
from treewright.trees.tree import Tree

BATCH = 64
"""Most trees that are made before the first of them is handed out."""


class ParetoPoint(NamedTuple):
    """A point of the Pareto front of two costs, with a tree.

    Attributes
    ----------
    a, b : int or float
        The costs, in the order of the arguments of `SubtableGraph.pareto_front`.
    tree : Tree
        A tree with these costs.
    """

    a: int | float
    b: int | float
    tree: Tree


class SubtableGraph:
    """All subtables of a decision table, and the least cost of a tree for each.

    A subtable is the set of rows that reach a node. Different tests, or the same tests in another order, may
    lead to the same subtable. `DecisionTable.subtable_graph` builds the graph. All methods raise
    `UnfinishedError` if it is not complete; see `status`.

    Examples
    --------
    >>> from treewright.tables import DecisionTable
    >>> table = DecisionTable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
    >>> graph = table.subtable_graph()
    >>> graph
    <SubtableGraph: 5 subtables to split, 4 leaves, 6 bundles, 12 edges, complete>
    >>> graph.minimum("depth"), graph.count_optimal("depth")
    (2, 2)
    """

    def __init__(
        self, core: _core.SubtableGraph, table: _core.DecisionTable, samples: Samples | None = None
    ) -> None:
        self._core = core
        self._table = table
        self._n_rows = table.n_rows
        self._samples = samples
        self._solved: tuple[MonotoneCost, Least] | None = None

    @property
    def status(self) -> str:
        """Why the construction ended: ``"complete"``, or the limit that was reached."""
        return self._core.status

    @property
    def max_pairs(self) -> int:
        """Largest number of pairs of rows with different decisions in a leaf."""
        return self._core.alpha

    @property
    def elapsed(self) -> float:
        """Seconds of wall clock for the construction."""
        return self._core.elapsed

    @property
    def n_subtables(self) -> int:
        """Number of all subtables found so far."""
        return self.n_nonterminal + self.n_terminal

    @property
    def bounds(self) -> dict[str, tuple[int, int | None]]:
        """Proven lower and upper bound of the least cost, for every named cost.

        They are equal if the graph is complete. Otherwise the upper bound is None unless the graph holds a
        complete tree.
        """
        if self.status == "complete":
            least = {name: self._core.minimum(engine_cost("cost", name)) for name in NAMES}
            return {name: (value, value) for name, value in least.items()}
        floor, reached = self._core.floor, self._core.reached
        return {name: (floor[i], None if reached is None else reached[i]) for i, name in enumerate(NAMES)}

    @property
    def n_nonterminal(self) -> int:
        """Number of subtables found so far that are split further."""
        return self._core.n_nonterminal

    @property
    def n_terminal(self) -> int:
        """Number of subtables found so far that are leaves."""
        return self._core.n_terminal

    @property
    def n_bundles(self) -> int:
        """Number of pairs of a subtable and a feature that splits it."""
        return self._core.n_bundles

    @property
    def n_edges(self) -> int:
        """Number of parts, over all these pairs."""
        return self._core.n_edges

    @overload
    def minimum(self, cost: CostLike) -> int | float: ...

    @overload
    def minimum(self, cost: MonotoneCost) -> Number: ...

    def minimum(self, cost: AnyCost) -> Number:
        """Return the least cost of a tree for the table.

        Parameters
        ----------
        cost : str, Cost or MonotoneCost
            ``"depth"``, ``"total_path_length"``, ``"average_depth"``, ``"n_nodes"``, ``"n_internal"``,
            ``"n_leaves"``, a `Cost`, or a `MonotoneCost`.

        Returns
        -------
        minimum : int, float or Fraction
            A float for ``"average_depth"``, what its function returns for a `MonotoneCost`, else an int.
        """
        if isinstance(cost, MonotoneCost):
            return self._least(cost).cost
        asked = engine_cost("cost", cost)
        return in_unit(cost, self._core.minimum(asked), self._n_rows)

    def tree(self, cost: AnyCost, then: Then = None) -> Tree:
        """Return a tree of least cost.

        Parameters
        ----------
        cost : str, Cost or MonotoneCost
            As in `minimum`.
        then : str, Cost or sequence of them, default=None
            Costs that decide between trees of equal cost, in this order; depth may be at any place. Not with
            a `MonotoneCost`.

        Returns
        -------
        tree : Tree
            In a tie the tree that tests the first feature, from the root down.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> graph = DecisionTable.from_data(datasets.load("tic-tac-toe")).subtable_graph()
        >>> graph.tree("n_nodes"), graph.tree("depth", then=["total_path_length", "n_nodes"])
        (Tree(n_nodes=244, n_leaves=156, max_depth=7), Tree(n_nodes=279, n_leaves=180, max_depth=6))
        """
        if isinstance(cost, MonotoneCost):
            check_alone(then)
            core = self._table.plant(self._least(cost).features)
        else:
            core = self._core.tree(engine_costs("cost", cost, then))
        return found_tree(core, self._samples, f"{GRAPH}.tree", LEAST, cost=cost, then=then)

    def _least(self, cost: MonotoneCost) -> Least:
        """Return the least of a function, and a tree that has it; the last one asked for is kept."""
        if self._solved is None or self._solved[0] is not cost:
            edges = Edges.of(self._core, Limits())
            assert edges is not None, "only a signal ends it, and that was raised"
            self._solved = cost, least_of(operator_of(cost, self._table), edges, Limits())
        return self._solved[1]

    def count_optimal(self, cost: CostLike, *, every_subtree: bool = False) -> int:
        """Count the trees of least cost.

        Parameters
        ----------
        cost : str or Cost
            As in `minimum`, but no `MonotoneCost`.
        every_subtree : bool, default=False
            Count only trees in which every subtree has the least cost for its own subtable. For costs that
            are sums this makes no difference. For the depth, a branch may otherwise be deeper than necessary
            if another branch is as deep.

        Returns
        -------
        count : int
            The exact number, even if very large. Two trees are equal if they test the same features at the
            same places.
        """
        asked = engine_cost("cost", cost)
        return self._core.count_optimal(asked, bool(every_subtree))

    def enumerate_optimal(self, cost: CostLike) -> Iterator[Tree]:
        """Enumerate the trees of least cost, one at a time.

        Parameters
        ----------
        cost : str or Cost
            As in `minimum`, but no `MonotoneCost`.

        Yields
        ------
        tree : Tree
            Built when it is requested; there are as many as `count_optimal` returns.

        Examples
        --------
        >>> from itertools import islice
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> graph = DecisionTable.from_data(datasets.load("tic-tac-toe")).subtable_graph()
        >>> graph.count_optimal("n_nodes") > 10**6
        True
        >>> {tree.n_nodes for tree in islice(graph.enumerate_optimal("n_nodes"), 100)}
        {244}
        """
        asked = engine_cost("cost", cost)
        return _OptimalTrees(self._core.enumerate_optimal(asked), cost, self._samples)

    def pareto_front(self, a: CostLike, b: CostLike) -> list[ParetoPoint]:
        """Return the Pareto front of two costs, with a tree for each point.

        Parameters
        ----------
        a, b : str or Cost
            As in `minimum`, but no `MonotoneCost`; two different ones.

        Returns
        -------
        front : list of ParetoPoint
            Ascending in `a`, descending in `b`. No tree is at least as good in both costs and better in one.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> graph = DecisionTable.from_data(datasets.load("tic-tac-toe")).subtable_graph()
        >>> [(depth, nodes) for depth, nodes, tree in graph.pareto_front("depth", "n_nodes")]
        [(6, 266), (7, 244)]
        """
        asked = engine_cost("a", a), engine_cost("b", b)
        if asked[0] == asked[1]:
            allowed = ("is the same cost as ", Param("a", a))
            raise ParameterError("b", b, allowed, "give two different ones")
        return [
            ParetoPoint(
                in_unit(a, point.a, self._n_rows),
                in_unit(b, point.b, self._n_rows),
                found_tree(point.tree, self._samples, f"{GRAPH}.pareto_front", LEAST, a=a, b=b),
            )
            for point in self._core.pareto_front(*asked)
        ]

    def __repr__(self) -> str:
        counts = f"{self.n_nonterminal:,} subtables to split, {self.n_terminal:,} leaves"
        return f"<SubtableGraph: {counts}, {self.n_bundles:,} bundles, {self.n_edges:,} edges, {self.status}>"


class _OptimalTrees(Iterator[Tree]):
    """Trees in small batches, each larger than the one before up to `BATCH`."""

    def __init__(self, core: _core.OptimalTrees, cost: CostLike, samples: Samples | None) -> None:
        self._core, self._cost, self._samples = core, cost, samples
        self._ready: list[_core.Tree] = []
        self._size = 1

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> Tree:
        if not self._ready:
            self._ready = self._core.take(self._size)[::-1]
            self._size = min(2 * self._size, BATCH)
        if not self._ready:
            raise StopIteration
        core = self._ready.pop()
        return found_tree(core, self._samples, f"{GRAPH}.enumerate_optimal", LEAST, cost=self._cost)
