"""`treewright table`: exact and greedy trees of a decision table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import click

from treewright._base.numbers import for_json
from treewright.cli._command import Command
from treewright.cli._growing import takes_classes
from treewright.cli._labels import with_labels
from treewright.cli._option import Words
from treewright.cli._options import (
    options,
    parameter_options,
    search_option,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._running import FirstCtrlC, ProgressLine
from treewright.cli._signature import Given, given, parameters_of
from treewright.cli._source import Reading
from treewright.cli._text import (
    Shown,
    columns,
    described,
    document,
    drawn,
    filled,
    joined,
    plural,
    search_facts,
    seconds,
    written_count,
)

if TYPE_CHECKING:
    from treewright import Dataset, Tree
    from treewright.results import Callback, SearchResult
    from treewright.tables import DecisionTable, SubtableGraph, TableRules

MINIMAL = "treewright.MinimalTreeClassifier"
COSTS = parameters_of(MINIMAL)["cost"].choices
_GREEDY_TREE = parameters_of("treewright.tables.DecisionTable.greedy_tree")
IMPURITIES, UNCERTAINTIES = (sorted(_GREEDY_TREE[name].choices) for name in ("impurity", "uncertainty"))

Heuristic = tuple[str, str]
"""Impurity and uncertainty."""

GRAPH_NODES = 2_000_000
"""Subtables up to which the graph is tried if no limit is given."""


def _heuristics(
    ctx: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[Heuristic, ...]:
    """Read heuristics: all, or impurity,uncertainty."""
    every = tuple(product(IMPURITIES, UNCERTAINTIES))
    if "all" in given:
        return every
    chosen = [tuple(part.strip() for part in text.split(",")) for text in given]
    for heuristic, text in zip(chosen, given, strict=True):
        if heuristic not in every:
            raise click.BadParameter(
                f"{text!r} is not known; write 'all', or one of {', '.join(IMPURITIES)} and one of "
                f"{', '.join(UNCERTAINTIES)}, as in 'sum,rt'."
            )
    return tuple(heuristic for heuristic in every if heuristic in chosen)


def _two_costs(ctx: click.Context, parameter: click.Parameter, given: str | None) -> tuple[str, str] | None:
    """Read two different costs, divided by a comma."""
    if given is None:
        return None
    names = [name.strip().replace("-", "_") for name in given.split(",")]
    if len(names) != 2 or not set(names) <= set(COSTS) or names[0] == names[1]:
        raise click.BadParameter(
            f"{given!r} must be two different costs, as in 'depth,n_nodes'; there are {', '.join(COSTS)}."
        )
    return names[0], names[1]


@click.command(
    "table",
    cls=Command,
    first=(
        "target",
        "drop",
        "bins",
        "on_conflict",
        "cost",
        "then",
        "greedy",
        "pareto",
        "rules",
        "time_limit",
        "out",
        "as_json",
    ),
    examples=(
        "treewright table tic-tac-toe",
        "treewright table monks-1 --cost depth --then n_nodes --greedy all --rules",
        "treewright table data.csv --target class --bins 4 --pareto depth,n_nodes",
        "treewright table data.csv --target class --bins 4 --cost-matrix sick:well=10",
    ),
)
@takes_data()
@takes_classes
@options(
    *parameter_options(
        "treewright.tables.DecisionTable.from_data", "bins", "on_conflict", section="Data"
    ).values(),
    *parameter_options(MINIMAL, "cost", section="Search").values(),
    search_option(
        "--then",
        multiple=True,
        type=Words(COSTS),
        metavar="NAME",
        help="Cost that decides between trees of equal cost. Repeatable.",
    ),
    search_option(
        "--greedy",
        multiple=True,
        metavar="NAMES",
        callback=_heuristics,
        help=(
            "Also show the costs of greedy trees: 'all', or impurity and uncertainty, as in "
            "'weighted_sum,gini'. Repeatable."
        ),
    ),
    search_option(
        "--pareto",
        metavar="A,B",
        callback=_two_costs,
        help="Also show the Pareto front of two costs, as in 'depth,n_nodes'.",
    ),
    search_option(
        "--rules",
        is_flag=True,
        help="Also find the shortest true rule of every row.",
    ),
    *parameter_options(
        MINIMAL, "max_pairs", "time_limit", "node_limit", "memory_limit", "n_jobs", section="Search"
    ).values(),
)
@takes_output(
    "Write the result to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "show_depth",
    "show_branches",
    "progress",
)
def table(
    data: str,
    reading: Reading,
    answering: Given,
    bins: int | None,
    on_conflict: str | None,
    greedy: tuple[Heuristic, ...],
    pareto: tuple[str, str] | None,
    rules: bool,
    output: Output,
    **search: object,
) -> int:
    """Find an optimal decision tree of a decision table, with a proof.

    The rows are different, each with its class. A tree tests a feature at every
    node, with a branch for each of its values, until all rows of a node have
    one class. If all subtables fit the limits, the least of every cost is
    found. Otherwise branch and bound minimises the cost of --cost. A missing
    value is a value. What is minimised counts different rows, each as one,
    whatever it weighs; leaves count the rows of DATA, by weight.
    """
    from treewright.tables import DecisionTable

    dataset = reading.load(data)
    made_of = given(bins=bins, on_conflict=on_conflict) | with_labels(answering, dataset)
    made = DecisionTable.from_data(dataset, **made_of)
    asked = given(**search)
    shortest = None
    with FirstCtrlC() as stop:
        most = f"{asked.get('node_limit', GRAPH_NODES):,}"
        with ProgressLine(output.progress, "subtables", "at best", most) as line:
            graph, result = _searched(made, asked, stop.after(line))
        if rules:
            with ProgressLine(output.progress, "rows", "at best") as line:
                shortest = _shortest(made, asked, result.elapsed, stop.after(line))
    report = Report(data, dataset, made, graph, result, asked, answering, greedy, pareto, shortest)
    output.give(
        document=report.document,
        text=lambda: report.text(output.shown),
        use=f"The tree is in {{out}}; {IS_USED}",
    )
    return stop.exit_code


def _searched(
    table: DecisionTable, asked: Given, callback: Callback
) -> tuple[SubtableGraph, SearchResult[Tree]]:
    """Build the graph within half of the time, and search by branch and bound where it does not fit."""
    known = {"cost", "then"}
    limits = {name: value for name, value in asked.items() if name not in known} | {"callback": callback}
    time = asked.get("time_limit")
    of_graph = {"node_limit": GRAPH_NODES} | limits | {"time_limit": time and time / 2}
    graph = table.subtable_graph(**of_graph)
    return graph, table.minimum_tree(**(asked | limits), graph=graph)


def _shortest(table: DecisionTable, asked: Given, elapsed: float, callback: Callback) -> TableRules:
    """Find the shortest rules within the rest of the time."""
    from treewright.tables import shortest_rules

    limit = asked.get("time_limit")
    return shortest_rules(
        table, time_limit=None if limit is None else max(limit - elapsed, 1e-3), callback=callback
    )


WORDS = {
    "depth": "depth",
    "total_path_length": "path length",
    "average_depth": "average depth",
    "n_nodes": "nodes",
    "n_internal": "internal nodes",
    "n_leaves": "leaves",
}
"""What costs are called in a report."""

COUNTED = [name for name in WORDS if name != "average_depth"]
"""Costs that are whole numbers; the average depth follows from the path length."""

MORE = {
    "time_limit": "more time",
    "node_limit": "a higher --node-limit",
    "memory_limit": "a higher --memory-limit",
}
"""What may close the gap where a limit ended the search."""

SIZES = ("n_nonterminal", "n_terminal", "n_bundles", "n_edges")
"""What there is of a graph."""


@dataclass(frozen=True)
class Report:
    """All that the command prints, of the parameters `asked` that were given."""

    name: str
    dataset: Dataset
    table: DecisionTable
    graph: SubtableGraph
    result: SearchResult[Tree]
    asked: Given
    answering: Given
    heuristics: tuple[Heuristic, ...]
    pareto: tuple[str, str] | None
    rules: TableRules | None

    @property
    def tree(self) -> Tree:
        """The tree that was found."""
        assert self.result.tree is not None, "a search has a tree from its start"
        return self.result.tree

    @property
    def cost(self) -> str:
        """The cost that is minimised."""
        return str(self.asked.get("cost", parameters_of(MINIMAL)["cost"].default))

    @property
    def is_complete(self) -> bool:
        """Whether the graph can be asked."""
        return self.graph.status == "complete"

    def minima(self) -> dict[str, int | float]:
        """Return the least of every named cost; none without the graph."""
        return {name: self.graph.minimum(name) for name in COUNTED} if self.is_complete else {}

    def counts(self) -> dict[str, int]:
        """Return how many trees attain each of them."""
        return {name: self.graph.count_optimal(name) for name in COUNTED} if self.is_complete else {}

    def greedy_costs(self) -> dict[Heuristic, dict[str, int | float]]:
        """Return what each greedy tree costs."""
        from treewright.tables import tree_cost

        trees = self.table.greedy_trees(max_pairs=self.asked.get("max_pairs", 0)) if self.heuristics else {}
        return {
            heuristic: {name: tree_cost(trees[heuristic], self.table, name) for name in COUNTED}
            for heuristic in self.heuristics
        }

    def front(self) -> list[tuple[int | float, int | float]]:
        """Return the pairs of costs that were asked for; none without the graph."""
        if self.pareto is None or not self.is_complete:
            return []
        return [(a, b) for a, b, _ in self.graph.pareto_front(*self.pareto)]

    def text(self, shown: Shown) -> str:
        """Return the report that is printed, the tree down to a depth."""
        start = described(self.name, self.dataset)
        parts = [start, self._table_facts(), *self._costs(), *self._greedy(), *self._front()]
        return joined([*parts, self._outcome(), self._tree(shown), *self._rules()])

    def _table_facts(self) -> str:
        table, graph = self.table, self.graph
        n_merged = self.dataset.n_samples - table.n_rows
        merged = f" ({plural(n_merged, 'row')} equal to one before)" if n_merged else ""
        rows = f"{plural(table.n_rows, 'different row')}{merged}, {plural(len(table.classes), 'decision')}."
        sizes = (
            f"{plural(graph.n_nonterminal, 'subtable')} to split, "
            f"{plural(graph.n_terminal, 'leaf subtable')}, "
            f"{plural(graph.n_bundles, 'bundle')}, {plural(graph.n_edges, 'edge')}."
        )
        ended = "" if self.is_complete else f" Not all: {_limit(graph.status)}. {self._proven_so_far()}"
        return filled(f"{rows} {sizes}{ended}")

    def _proven_so_far(self) -> str:
        """Say within what the least costs lie, as far as an unfinished graph tells."""
        bounds = {name: pair for name, pair in self.graph.bounds.items() if pair[1] is not None}
        if not bounds:
            return "It had no complete tree yet, so it proves no bounds."
        ranges = [f"{WORDS[name]} {low:,} to {high:,}" for name, (low, high) in bounds.items()]
        return f"It proves these ranges of the least costs: {', '.join(ranges)}."

    def _costs(self) -> Iterator[str]:
        """Yield the least of every cost, and how many trees attain it."""
        minima, counts = self.minima(), self.counts()
        if not minima:
            return
        average = f"{minima['total_path_length'] / self.table.n_rows:.3f}"
        lines = [(WORDS[name], f"{least:,}", written_count(counts[name])) for name, least in minima.items()]
        lines.insert(2, (WORDS["average_depth"], average, lines[1][2]))
        yield columns(["cost", "least", "trees with this cost"], lines)

    def _greedy(self) -> Iterator[str]:
        """Yield what greedy trees cost, below the least."""
        lines = [
            (f"{impurity.replace('_', ' ')}, {uncertainty}", *map(_number, costs.values()))
            for (impurity, uncertainty), costs in self.greedy_costs().items()
        ]
        if lines and self.is_complete:
            lines.insert(0, ("optimal tree", *map(_number, self.minima().values())))
        if lines:
            yield columns(["greedy tree by", "depth", "path length", "nodes", "internal", "leaves"], lines)

    def _front(self) -> Iterator[str]:
        """Yield what one cost is worth in terms of another."""
        if self.pareto is None:
            return
        a, b = (WORDS[name] for name in self.pareto)
        if not self.is_complete:
            yield filled(f"The Pareto front of {a} and {b} needs the complete graph: raise the limits.")
            return
        lines = [(_number(of_a), _number(of_b)) for of_a, of_b in self.front()]
        yield "Pareto front: no tree is better in one cost and as good in the other."
        yield columns([a, b], lines, left=())

    def _outcome(self) -> str:
        """Say what is proven of the tree, and what to try where that is not all."""
        result, word = self.result, WORDS[self.cost]
        searched = f"{plural(result.n_searched, 'subtable')} examined in {seconds(result.elapsed)}."
        if result.gap == 0:
            proven = f"{word}: {_number(result.cost)}, proven to be the least."
        else:
            bound = 0 if result.bound is None else result.bound
            proven = f"{word}: {_number(result.cost)}; no tree has less than {_number(bound)}."
        remark = result.message if result.status != "optimal" else ""
        if result.status in MORE and result.gap != 0:
            remedy = f"{MORE[result.status]} or a larger --max-pairs may close the gap"
            remark = f"T{_limit(result.status)[1:]}: {remedy}."
        return filled(f"{proven[0].upper()}{proven[1:]} {searched} {remark}".rstrip())

    def _tree(self, shown: Shown) -> str:
        if self.result.gap != 0:
            return drawn(self.tree, shown, "The best tree found:")
        words = [WORDS[self.cost], *(f"then {WORDS[cost]}" for cost in self.asked.get("then", ()))]
        return drawn(self.tree, shown, f"Tree of least {', '.join(words)}:")

    def _rules(self) -> Iterator[str]:
        """Yield the rules, and what is proven of them."""
        if self.rules is None:
            return
        found = self.rules
        mean = f"{float(found.n_conditions.mean()):.2f} conditions for a row on average"
        least = "no rule of a row is shorter."
        if found.status != "optimal":
            n_proven = int((found.n_conditions == found.bounds).sum())
            proven = f"for {n_proven:,} of {plural(len(found.bounds), 'row')} no rule is shorter"
            least = f"{proven}; {_limit(found.status)}, and the other rules are greedy."
        yield filled(f"Rules that are true for the table: {len(found):,}, {mean}; {least}")
        yield found.to_text()

    def document(self) -> str:
        """Return the report as JSON."""
        graph, asked = self.graph, self.asked
        facts = {
            "table": {"n_rows": self.table.n_rows, "n_features": self.table.n_features},
            "settings": {
                "cost": self.cost,
                "then": asked.get("then", ()),
                "max_pairs": asked.get("max_pairs", 0),
                **self.answering,
            },
            "graph": {name: getattr(graph, name) for name in ("status", *SIZES)},
            "minima": self.minima(),
            "n_optimal": {name: for_json(count) for name, count in self.counts().items()},
            "search": search_facts(self.result),
            "greedy": [
                {"impurity": impurity, "uncertainty": uncertainty, **costs}
                for (impurity, uncertainty), costs in self.greedy_costs().items()
            ],
            "pareto": self.pareto and [dict(zip(self.pareto, pair, strict=True)) for pair in self.front()],
            "tree": self.table.threshold_tree(self.tree),
        }
        if self.rules is not None:
            facts["rules"] = {
                "status": self.rules.status,
                "n_conditions": self.rules.n_conditions.tolist(),
                "bounds": self.rules.bounds.tolist(),
                "rules": self.rules.to_dicts(),
            }
        return document("table", self.name, self.dataset, facts)


def _limit(status: str) -> str:
    return "the callback stopped it" if status == "stopped" else f"the {status.replace('_', ' ')} was reached"


def _number(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.3f}"
