"""What `treewright table` computes and prints."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright.cli._lines import (
    filled,
    plural,
    screen_width,
    seconds,
    written_count,
)
from treewright.cli._tree import data_facts, described, drawn
from treewright.reporting import Column, Table
from treewright.search.tables.cost import NAMES
from treewright.search.tables.searches import (
    Budget,
    Heuristic,
    Spent,
    by_bound,
    graph_within,
    grown,
)
from treewright.studies.greedy.result import heuristic_name
from treewright.tables import tree_cost

if TYPE_CHECKING:
    from treewright import Dataset, Tree
    from treewright.results import SearchResult
    from treewright.tables import DecisionTable, SubtableGraph


WORDS = {
    "depth": "depth",
    "total_path_length": "path length",
    "average_depth": "average depth",
    "n_nodes": "nodes",
    "n_internal": "internal nodes",
    "n_leaves": "leaves",
}
"""What costs are called in a report."""

REMARKS = {
    "time_limit": "The time limit was reached: more time may close the gap, and so may a larger --max-pairs.",
    "node_limit": "The node limit was reached: a higher --node-limit may close the gap, and so may a larger "
    "--max-pairs.",
    "memory_limit": "The memory limit was reached: a higher --memory-limit may close the gap, and so may a "
    "larger --max-pairs.",
    "stopped": "It was stopped: going on longer may close the gap.",
}
"""Why a search ended early, and what to try."""


def text_of(answers: Answers, depth: int) -> str:
    """Return the report, the tree down to a depth."""
    parts = [described(answers.name, answers.dataset), _table_facts(answers), *_costs(answers)]
    parts += [*_greedy(answers), *_front(answers), _outcome(answers), _tree(answers, depth)]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _table_facts(answers: Answers) -> str:
    table, graph = answers.table, answers.graph
    n_merged = answers.dataset.n_samples - table.n_rows
    merged = f" ({plural(n_merged, 'row')} equal to one before)" if n_merged else ""
    rows = f"{plural(table.n_rows, 'different row')}{merged}, {plural(len(table.classes), 'decision')}."
    sizes = (
        f"{plural(graph.n_nonterminal, 'subtable')} to part and {graph.n_terminal:,} to stop at, "
        f"{plural(graph.n_bundles, 'bundle')}, {plural(graph.n_edges, 'edge')}."
    )
    ended = "" if answers.is_complete else f" Not all: {_limit(graph.status)}. {_proven_so_far(answers)}"
    return filled(f"{rows} {sizes}{ended}")


def _proven_so_far(answers: Answers) -> str:
    """Say within what the least costs lie, as far as an unfinished graph tells."""
    bounds = {name: pair for name, pair in answers.graph.bounds.items() if pair[1] is not None}
    if not bounds:
        return "It had no tree yet, so no least cost is proven by it."
    ranges = [f"{WORDS[name]} {low:,} to {high:,}" for name, (low, high) in bounds.items()]
    return f"By it the least costs are within: {', '.join(ranges)}."


def _limit(status: str) -> str:
    return "the callback stopped it" if status == "stopped" else f"the {status.replace('_', ' ')} was reached"


def _costs(answers: Answers) -> Iterator[str]:
    """Yield the least of every cost, and how many trees attain it."""
    minima, counts = answers.minima(), answers.counts()
    if not minima:
        return
    n_rows = answers.table.n_rows
    average = f"{minima['total_path_length'] / n_rows:.3f}"
    lines = [(WORDS[name], f"{least:,}", written_count(counts[name])) for name, least in minima.items()]
    lines.insert(2, (WORDS["average_depth"], average, lines[1][2]))
    yield _columns(["cost", "least", "trees of that cost"], lines)


def _greedy(answers: Answers) -> Iterator[str]:
    """Yield what greedy trees cost, below the least."""
    found = answers.greedy_costs()
    if not found:
        return
    lines = [
        (heuristic_name(*heuristic), *map(_number, costs.values())) for heuristic, costs in found.items()
    ]
    minima = answers.minima()
    if minima:
        lines.insert(0, ("least of any tree", *map(_number, minima.values())))
    heads = ["greedy tree by", "depth", "path length", "nodes", "internal", "leaves"]
    yield _columns(heads, lines)


def _front(answers: Answers) -> Iterator[str]:
    """Yield what one cost is worth in terms of another."""
    if answers.questions.pareto is None:
        return
    a, b = (WORDS[name] for name in answers.questions.pareto)
    if not answers.is_complete:
        yield filled(f"Which {a} goes with which {b} takes the whole graph: raise the limits.")
        return
    lines = [(_number(of_a), _number(of_b)) for of_a, of_b in answers.front()]
    yield f"No tree is better in one and as good in the other:\n\n{_columns([a, b], lines, left=0)}"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"


def _columns(heads: Sequence[str], lines: Sequence[Sequence[str]], left: int = 1) -> str:
    """Write lines below headings, the first columns to the left."""
    cells = list(zip(*lines, strict=True))
    columns = [
        Column(head, column, align="left" if i < left else "right")
        for i, (head, column) in enumerate(zip(heads, cells, strict=True))
    ]
    return Table("", columns).to_text(screen_width()).lstrip("\n")


def _outcome(answers: Answers) -> str:
    """Say what is proven of the tree, and what to try where that is not all."""
    result, word = answers.result, WORDS[answers.questions.cost]
    searched = f"{plural(result.n_searched, 'subtable')} looked at in {seconds(result.elapsed)}."
    if result.gap == 0:
        proven = f"{word}: {_number(result.cost)}, proven to be the least."
    else:
        bound = 0 if result.bound is None else result.bound
        proven = f"{word}: {_number(result.cost)}; no tree has less than {_number(bound)}."
    if result.status == "optimal":
        remark = ""
    else:
        remark = f" {result.message if result.gap == 0 else REMARKS[result.status]}"
    return filled(f"{proven[0].upper()}{proven[1:]} {searched}{remark}")


def _tree(answers: Answers, depth: int) -> str:
    if answers.result.gap != 0:
        return drawn(answers.tree, depth, "The best tree found:")
    words = [WORDS[answers.questions.cost], *(f"then {WORDS[cost]}" for cost in answers.questions.then)]
    return drawn(answers.tree, depth, f"Tree of least {', '.join(words)}:")


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
    max_pairs: int


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
    result: SearchResult[Tree]

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
        trees = grown(self.table.core, self.questions.greedy, self.questions.max_pairs)
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
            "settings": {"cost": questions.cost, "then": questions.then, "max_pairs": questions.max_pairs},
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
    graph, result = graph_within(table.core, questions.cost, questions.then, questions.max_pairs, budget)
    if result is None:
        result = by_bound(
            table.core, questions.cost, questions.then, questions.max_pairs, budget, Spent.on(graph)
        )
    return Answers(name, dataset, table, questions, graph, result)
