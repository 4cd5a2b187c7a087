"""What `treewright table` finds."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.cli._lines import written_count
from treewright.cli._table_report import text_of
from treewright.cli._tree import data_facts
from treewright.search.tables.cost import NAMES
from treewright.search.tables.searches import (
    Budget,
    Heuristic,
    Spent,
    by_bound,
    graph_within,
    grown,
)
from treewright.search.tables.tree_cost import tree_cost

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.results import SearchResult
    from treewright.search.tables.graph import SubtableGraph
    from treewright.search.tables.table import DecisionTable
    from treewright.trees.tree import Tree

FORMAT = "treewright-table"
FORMAT_VERSION = 1
MOST_DIGITS = 4000
"""Longer counts are rounded: Python writes no longer ints."""


@dataclass(frozen=True)
class Questions:
    """What was asked."""

    cost: str
    then: tuple[str, ...]
    greedy: tuple[Heuristic, ...]
    pareto: tuple[str, str] | None
    alpha: int


@dataclass(frozen=True)
class Answers:
    """All that the command prints.

    Attributes
    ----------
    name : str
        What the data were called.
    dataset, table
        The data, and the table made of them.
    questions : Questions
        What was asked.
    graph : SubtableGraph
        All subtables, or as many as the limits allowed.
    result : SearchResult
        The tree, its cost and the bound.
    """

    name: str
    dataset: Dataset
    table: DecisionTable
    questions: Questions
    graph: SubtableGraph
    result: SearchResult

    @property
    def tree(self) -> Tree:
        """The tree that was found."""
        assert self.result.tree is not None, "a search has a tree from its start"
        return self.result.tree

    @property
    def is_complete(self) -> bool:
        """Whether the graph can be asked."""
        return self.graph.status == "complete"

    def minima(self) -> dict[str, int | float]:
        """Return the least of every named cost; none without the graph."""
        return {name: self.graph.minimum(name) for name in NAMES} if self.is_complete else {}

    def counts(self) -> dict[str, int]:
        """Return how many trees attain each of them."""
        return {name: self.graph.count_optimal(name) for name in NAMES} if self.is_complete else {}

    def greedy_costs(self) -> dict[Heuristic, dict[str, int | float]]:
        """Return what each greedy tree costs."""
        trees = grown(self.table.core, self.questions.greedy, self.questions.alpha)
        return {
            heuristic: {name: tree_cost(tree, self.table, name) for name in NAMES}
            for heuristic, tree in trees.items()
        }

    def front(self) -> list[tuple[int | float, int | float]]:
        """Return the pairs of costs that were asked for; none without the graph."""
        if self.questions.pareto is None or not self.is_complete:
            return []
        return [(a, b) for a, b, _ in self.graph.pareto_front(*self.questions.pareto)]

    def text(self, depth: int) -> str:
        """Return the report that is printed, the tree down to a depth."""
        return text_of(self, depth)

    def document(self) -> str:
        """Return the report as JSON."""
        import treewright

        questions, graph, result = self.questions, self.graph, self.result
        facts = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "treewright": treewright.__version__,
            "data": {"name": self.name, **data_facts(self.dataset)},
            "table": {"n_rows": self.table.n_rows, "n_features": self.table.n_features},
            "settings": {"cost": questions.cost, "then": questions.then, "alpha": questions.alpha},
            "graph": {
                "status": graph.status,
                "n_nonterminal": graph.n_nonterminal,
                "n_terminal": graph.n_terminal,
                "n_bundles": graph.n_bundles,
                "n_edges": graph.n_edges,
            },
            "minima": self.minima(),
            "n_optimal": {name: _writable(count) for name, count in self.counts().items()},
            "search": {
                "cost": result.cost,
                "bound": result.bound,
                "status": result.status,
                "message": result.message,
                "n_searched": result.n_searched,
                "seconds": result.elapsed,
            },
            "greedy": [
                {"impurity": impurity, "uncertainty": uncertainty, **costs}
                for (impurity, uncertainty), costs in self.greedy_costs().items()
            ],
            "pareto": None if questions.pareto is None else self._front_facts(questions.pareto),
            "tree": json.loads(self.tree.to_json()),
        }
        return json.dumps(facts, ensure_ascii=False) + "\n"

    def _front_facts(self, costs: tuple[str, str]) -> list[dict[str, int | float]]:
        return [dict(zip(costs, pair, strict=True)) for pair in self.front()]


def _writable(count: int) -> int | str:
    return count if count < 10**MOST_DIGITS else written_count(count)


def answered(
    name: str, dataset: Dataset, table: DecisionTable, questions: Questions, limits: dict[str, Any]
) -> Answers:
    """Build the graph, and search by branch and bound where it does not fit."""
    budget = Budget.of(**limits)
    graph, result = graph_within(table.core, questions.cost, questions.then, questions.alpha, budget)
    if result is None:
        result = by_bound(
            table.core, questions.cost, questions.then, questions.alpha, budget, Spent.on(graph)
        )
    return Answers(name, dataset, table, questions, graph, result)
