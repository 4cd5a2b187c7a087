"""A tree of least cost: from the graph of subtables if it fits, else by branch and bound."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from treewright import _core
from treewright._memory import bytes_or_none
from treewright._params import callable_or_none, n_threads, seconds_or_none, whole_number_or_none
from treewright.results import MESSAGES, Callback, Progress, SearchResult
from treewright.tables._cost import EngineCost, engine_costs, in_unit
from treewright.tables._limits import DEFAULT_MEMORY
from treewright.tree import Tree

if TYPE_CHECKING:
    from treewright.tables._table import DecisionTable

GRAPH_NODES = 2_000_000
"""Subtables up to which a graph is tried if no limit is given."""

BOUNDED_FIRST = ("depth", "total_path_length")
"""Costs for which branch and bound looks at far fewer subtables than there are."""


@dataclass(frozen=True)
class Budget:
    """Checked limits of a search."""

    node_limit: int | None
    memory_limit: int
    time_limit: float | None
    callback: Callback | None
    n_threads: int

    @classmethod
    def of(cls, node_limit: Any, memory_limit: Any, time_limit: Any, callback: Any, n_jobs: Any) -> Budget:
        """Check the limits as a user gives them."""
        return cls(
            whole_number_or_none("node_limit", node_limit, least=1, remedy="None is no limit"),
            bytes_or_none("memory_limit", memory_limit) or DEFAULT_MEMORY,
            seconds_or_none("time_limit", time_limit),
            callable_or_none("callback", callback),
            n_threads(n_jobs),
        )

    def limits(self) -> dict[str, Any]:
        """Return the limits as the engines take them."""
        return {
            "node_limit": self.node_limit,
            "memory_limit": self.memory_limit,
            "n_threads": self.n_threads,
            "time_limit": self.time_limit,
            "callback": self.callback,
        }

    def of_graph(self) -> Budget:
        """Return what a graph may use: half of the time, so that there is some for branch and bound."""
        seconds = None if self.time_limit is None else self.time_limit / 2
        return replace(self, node_limit=self.node_limit or GRAPH_NODES, time_limit=seconds)

    def after(self, seconds: float) -> Budget:
        """Return what is left, the callback counting time from the start."""
        left = None if self.time_limit is None else max(self.time_limit - seconds, 1e-3)
        return replace(self, time_limit=left, callback=_later(self.callback, seconds))


def _later(callback: Callback | None, seconds: float) -> Callback | None:
    if callback is None:
        return None
    return lambda p: callback(Progress(p.done, p.total, p.best, p.elapsed + seconds))


def minimum_tree(table: DecisionTable, cost: Any, then: Any, alpha: int, budget: Budget) -> SearchResult:
    """Search for a tree of least cost."""
    started = time.monotonic()
    costs = engine_costs("cost", cost, then)
    n_searched, unfinished = 0, None
    if len(costs) > 1 or costs[0] not in BOUNDED_FIRST:
        graph = table.core.subtable_graph(alpha=alpha, **budget.of_graph().limits())
        n_searched = graph.n_nonterminal + graph.n_terminal
        if graph.status == "complete":
            least = in_unit(cost, graph.minimum(costs[0]), table.n_rows)
            tree = Tree(graph.tree(costs))
            return SearchResult(least, "optimal", n_searched, time.monotonic() - started, tree, least)
        unfinished = graph.status
    spent = time.monotonic() - started
    found = _bounded(table, costs[0], alpha, budget.after(spent), unfinished)
    status, message = _verdict(found["status"], unfinished if len(costs) > 1 else None)
    return SearchResult(
        cost=in_unit(cost, found["cost"], table.n_rows),
        status=status,
        n_searched=n_searched + found["n_searched"],
        elapsed=time.monotonic() - started,
        tree=Tree(found["tree"]),
        bound=in_unit(cost, found["bound"], table.n_rows),
        message=message,
    )


def _bounded(
    table: DecisionTable, cost: EngineCost, alpha: int, budget: Budget, unfinished: str | None
) -> dict[str, Any]:
    """Search by branch and bound; a stop asked for during the graph is a stop of all."""
    if unfinished == "stopped":
        budget = replace(budget, callback=lambda _: True)
    return _core.minimum_tree_bounded(table.core, cost=cost, alpha=alpha, **budget.limits())


def _verdict(status: str, graph_status: str | None) -> tuple[str, str]:
    """Return the status and its sentence; ties that `then` did not break are no optimum."""
    if status != "optimal":
        return status, f"{MESSAGES[status]} The bound is proven; more time or memory may close the gap."
    if graph_status is None:
        return status, MESSAGES[status]
    return graph_status, (
        "The cost is proven to be the least; trees of this cost were not compared by `then`, for the graph "
        "of subtables did not fit the limits."
    )
