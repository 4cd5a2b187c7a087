"""What `treewright table` found, as text for a person."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from treewright.cli._lines import (
    filled,
    plural,
    screen_width,
    seconds,
    written_count,
)
from treewright.cli._tree import described, drawn
from treewright.cli._wording import in_options
from treewright.reporting.table import Column, Table
from treewright.studies.greedy.result import heuristic_name

if TYPE_CHECKING:
    from treewright.cli._table_answers import Answers

WORDS = {
    "depth": "depth",
    "total_path_length": "path length",
    "average_depth": "average depth",
    "n_nodes": "nodes",
    "n_internal": "internal nodes",
    "n_leaves": "leaves",
}
"""What costs are called in a report."""


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
    remark = "" if result.status == "optimal" else f" {in_options(result.message, _parameters())}"
    return filled(f"{proven[0].upper()}{proven[1:]} {searched}{remark}")


def _parameters() -> Sequence[click.Parameter]:
    context = click.get_current_context(silent=True)
    return context.command.params if context is not None else []


def _tree(answers: Answers, depth: int) -> str:
    if answers.result.gap != 0:
        return drawn(answers.tree, depth, "The best tree found:")
    words = [WORDS[answers.questions.cost], *(f"then {WORDS[cost]}" for cost in answers.questions.then)]
    return drawn(answers.tree, depth, f"Tree of least {', '.join(words)}:")
