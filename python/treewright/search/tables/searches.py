"""Trees of a table: the greedy ones, and one of least cost within limits.

A tree of least cost comes from the graph of all subtables if that fits the limits, else from branch and
bound.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, cast

from treewright import _core
from treewright._base.memory import memory_limit as memory_of
from treewright._base.params import Limits, node_limit_or_none, whole_number
from treewright.results import MESSAGES, Callback, SearchResult, Watch
from treewright.search.tables.cost import (
    AnyCost,
    CostLike,
    Then,
    check_alone,
    engine_cost,
    engine_costs,
    in_unit,
)
from treewright.search.tables.found import TABLE, answered, found_tree
from treewright.search.tables.graph import SubtableGraph
from treewright.search.tables.monotone import (
    Edges,
    Least,
    MonotoneCost,
    Number,
    Operator,
    StoppedError,
    cost_of,
    least_of,
    operator_of,
)
from treewright.search.tables.table_facts import TableFacts
from treewright.trees.tree import Tree

DEFAULT_MEMORY = 2**30
"""Bytes that a graph or a search may take if nothing is said."""

MOST_PAIRS = 2**63 - 1
"""More pairs of rows than any table has."""


def checked_pairs(max_pairs: object) -> int:
    """Return how many pairs of rows with different decisions a leaf may have."""
    return min(whole_number("max_pairs", max_pairs, least=0, remedy="0 tells all rows apart"), MOST_PAIRS)


IMPURITIES = ("max", "sum", "weighted_max", "weighted_sum")
UNCERTAINTIES = ("entropy", "gini", "misclassification", "rt")

Heuristic = tuple[str, str]
"""Impurity and uncertainty."""

HEURISTICS: tuple[Heuristic, ...] = tuple((i, u) for i in IMPURITIES for u in UNCERTAINTIES)


def grown(table: TableFacts, heuristics: Sequence[Heuristic], max_pairs: object) -> dict[Heuristic, Tree]:
    """Grow the tree of each heuristic, all in one pass."""
    cores = _core.greedy_trees(table.core, heuristics=list(heuristics), alpha=checked_pairs(max_pairs))
    trees = {}
    for (impurity, uncertainty), core in zip(heuristics, cores, strict=True):
        trees[impurity, uncertainty] = found_tree(
            core,
            table._samples,
            f"{TABLE}.greedy_tree",
            impurity=impurity,
            uncertainty=uncertainty,
            max_pairs=max_pairs,
        )
    return trees


GRAPH_NODES = 2_000_000
"""Subtables up to which a graph is tried if no limit is given."""

REMEDIES = {
    "time_limit": "more time may close the gap, and so may a larger max_pairs",
    "node_limit": "a higher node_limit may close the gap, and so may a larger max_pairs",
    "memory_limit": "more memory may close the gap, and so may a larger max_pairs",
    "stopped": "going on longer may close the gap",
}
"""What to try where a search ended early."""

SECONDS_AFTER = 0.1
"""Seconds in which greedy trees are compared after a search was ended by the time, or stopped."""

OF_GREEDY = (
    "the tree is the best of the greedy ones, and nothing is proven of it: a MonotoneCost needs the "
    "graph of all subtables."
)
"""What is said of a tree where the graph did not fit."""

BOUNDED_FIRST = tuple(engine_cost("cost", name) for name in ("depth", "total_path_length"))
"""Costs for which branch and bound looks at far fewer subtables than there are."""


@dataclass(frozen=True)
class Budget:
    """Checked limits of a search; `vars` gives them as the engines take them."""

    node_limit: int | None
    memory_limit: int
    limits: Limits

    @classmethod
    def of(
        cls,
        node_limit: int | None,
        memory_limit: int | str | None,
        time_limit: float | None,
        callback: Callback | None,
        n_jobs: int | None,
    ) -> Budget:
        """Check the limits as a user gives them."""
        return cls(
            node_limit_or_none(node_limit),
            memory_of("memory_limit", memory_limit, DEFAULT_MEMORY),
            Limits.of(n_jobs, time_limit, callback),
        )

    def of_graph(self) -> Budget:
        """Return what a graph may use: half of the time, so that there is some for branch and bound."""
        seconds = None if self.limits.time_limit is None else self.limits.time_limit / 2
        limits = self.limits._replace(time_limit=seconds)
        return replace(self, node_limit=self.node_limit or GRAPH_NODES, limits=limits)

    def after(self, seconds: float) -> Budget:
        """Return what is left, the callback counting time from the start."""
        n_threads, left, asked = self.limits
        left = None if left is None else max(left - seconds, 1e-3)
        later = asked and (lambda p: asked(replace(p, elapsed=p.elapsed + seconds)))
        return replace(self, limits=Limits(n_threads, left, later))


class Spent(NamedTuple):
    """What a graph that did not fit has used."""

    status: str
    n_subtables: int
    elapsed: float


class Minimum(NamedTuple):
    """A tree of least cost; `raised` stopped the search, and is raised once what it found is kept."""

    result: SearchResult[Tree]
    raised: BaseException | None = None


def minimum_tree(
    table: TableFacts,
    cost: AnyCost,
    then: Then,
    alpha: int,
    budget: Budget,
    graph: SubtableGraph | None = None,
) -> Minimum:
    """Search for a tree of least cost, in a graph that was built before or in one that is built here."""
    if isinstance(cost, MonotoneCost):
        check_alone(then)
        return minimum_of_function(table, cost, alpha, budget, graph)
    costs = engine_costs("cost", cost, then)
    if graph is None:
        if len(costs) == 1 and costs[0] in BOUNDED_FIRST:
            return _by_bound(table, cost, then, alpha, budget, None)
        started = time.monotonic()
        try:
            graph = SubtableGraph(  # no other name may hold the engine's graph: see below
                table.core.subtable_graph(alpha=alpha, **vars(budget.of_graph())),
                table.core,
                table._samples,
            )
        except KeyboardInterrupt as interrupt:
            spent = Spent("stopped", 0, time.monotonic() - started)
            return _by_bound(table, cost, then, alpha, budget, spent)._replace(raised=interrupt)
    if graph.status == "complete":
        started = time.monotonic()
        least, tree = graph.minimum(cost), graph.tree(cost, then)
        elapsed = graph.elapsed + time.monotonic() - started
        return Minimum(SearchResult(least, "optimal", graph.n_subtables, elapsed, tree, least))
    spent = Spent(graph.status, graph.n_subtables, graph.elapsed)
    del graph  # its memory is needed
    return _by_bound(table, cost, then, alpha, budget, spent)


def minimum_of_function(
    table: TableFacts, cost: MonotoneCost, alpha: int, budget: Budget, graph: SubtableGraph | None
) -> Minimum:
    """Search for a tree of the least cost that a function gives; the graph must fit the limits.

    Where it does not, the best of the greedy trees is returned, of which nothing is proven.
    """
    started = time.monotonic()
    operator, n_subtables, raised = operator_of(cost, table.core), 0, None
    spent = 0.0 if graph is None else graph.elapsed
    try:
        core = None if graph is None else graph._core
        if core is None:
            core = table.core.subtable_graph(alpha=alpha, **vars(budget.of_graph()))
        n_subtables = core.n_nonterminal + core.n_terminal
        least, features = _least_in(core, operator, budget.after(time.monotonic() - started))
        tree, bound, status, message = table.core.plant(features), _as_cost(least), "optimal", ""
    except StoppedError as stop:
        bound, status = None, str(stop)
    except KeyboardInterrupt as interrupt:
        bound, status, raised = None, "stopped", interrupt
    if bound is None:
        least, tree = _best_greedy(table, operator, alpha, in_haste=status in ("time_limit", "stopped"))
        message = f"{MESSAGES[status].rstrip('.')}; {OF_GREEDY}"
    elapsed = spent + time.monotonic() - started
    shown = answered(tree, table._samples)
    result = SearchResult(_as_cost(least), status, n_subtables, elapsed, shown, bound, message)
    return Minimum(result, raised)


def _best_greedy(
    table: TableFacts, operator: Operator, alpha: int, *, in_haste: bool
) -> tuple[Number, _core.Tree]:
    """Return the least cost of a greedy tree, and the tree; in haste, of those that there is time for."""
    trees = _core.greedy_trees(table.core, heuristics=list(reversed(HEURISTICS)), alpha=alpha)
    end = time.monotonic() + (SECONDS_AFTER if in_haste else math.inf)
    least, best = cost_of(operator, trees[0], table.core), trees[0]
    for tree in trees[1:]:
        if time.monotonic() > end:
            break
        cost = cost_of(operator, tree, table.core)
        if cost < least:
            least, best = cost, tree
    return least, best


def _as_cost(number: Number) -> float:
    """Return a number unchanged, for a result, whose costs may be Fractions too, says it has floats."""
    return cast("float", number)


def _least_in(core: _core.SubtableGraph, operator: Operator, budget: Budget) -> Least:
    """Find the least cost of a tree in a graph.

    Raises
    ------
    StoppedError
        If the graph is not complete, or a limit ends the work.
    """
    if core.status != "complete":
        raise StoppedError(core.status)
    if Edges.n_bytes(core) > budget.memory_limit:
        raise StoppedError("memory_limit")
    started = time.monotonic()
    edges = Edges.of(core, budget.limits._replace(callback=None))
    if edges is None:
        raise StoppedError("time_limit")
    return least_of(operator, edges, budget.after(time.monotonic() - started).limits)


def _by_bound(
    table: TableFacts, cost: CostLike, then: Then, alpha: int, budget: Budget, graph: Spent | None
) -> Minimum:
    """Search by branch and bound with what a graph that did not fit has left of the limits."""
    started = time.monotonic()
    costs = engine_costs("cost", cost, then)
    spent = 0.0 if graph is None else graph.elapsed
    left = budget.after(spent)
    watch = Watch(left.limits.callback, begin=spent)
    left = replace(left, limits=left.limits._replace(callback=watch))
    is_stopped = graph is not None and graph.status == "stopped"
    if is_stopped:
        left = replace(left, node_limit=1, limits=left.limits._replace(callback=None))
    found = _core.minimum_tree_bounded(table.core, cost=costs[0], alpha=alpha, **vars(left))
    reached = "stopped" if is_stopped and found.status == "node_limit" else found.status
    status, message = _verdict(reached, graph if len(costs) > 1 else None)
    result = SearchResult(
        cost=in_unit(cost, found.cost, table.n_rows),
        status=status,
        n_searched=found.n_searched + (0 if graph is None else graph.n_subtables),
        elapsed=time.monotonic() - started + spent,
        tree=answered(found.tree, table._samples),
        bound=in_unit(cost, found.bound, table.n_rows),
        message=message,
    )
    return Minimum(watch.onto(result, lambda told: in_unit(cost, told, table.n_rows)), found.raised)


def _verdict(status: str, graph: Spent | None) -> tuple[str, str]:
    """Return the status and its sentence; ties that `then` did not break are no optimum."""
    if status != "optimal":
        return status, f"{MESSAGES[status].rstrip('.')}, with a proven bound; {REMEDIES[status]}."
    if graph is None:
        return status, MESSAGES[status]
    return graph.status, (
        "The cost is proven to be the least; trees of this cost were not compared further, for the graph of "
        "subtables did not fit the limits."
    )
