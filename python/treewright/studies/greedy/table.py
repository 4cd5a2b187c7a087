"""The table of a comparison of greedy heuristics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.table import Column, Table
from treewright.results import MESSAGES
from treewright.studies.selection.table import padded

if TYPE_CHECKING:
    from treewright.studies import GreedyComparison

COST_NAMES = {
    "average_depth": "average depth",
    "depth": "depth",
    "n_nodes": "nodes",
    "n_internal": "internal nodes",
    "n_leaves": "leaves",
}
N_BEST = 2
"""Heuristics of a cost that are marked."""


def heuristic_name(impurity: str, uncertainty: str) -> str:
    """Write a heuristic as a person says it."""
    return f"{impurity.replace('_', ' ')}, {uncertainty}"


def greedy_table(comparison: GreedyComparison) -> Table:
    """Lay out a comparison of greedy heuristics.

    Parameters
    ----------
    comparison : GreedyComparison
        What `treewright.studies.compare_greedy` found.

    Returns
    -------
    table : Table
        One row a heuristic: relative difference in percent with its standard error, a column a cost; the
        best two of each cost are marked.

    Examples
    --------
    >>> from treewright.studies.greedy.table import greedy_table
    >>> from treewright.studies import compare_greedy
    >>> table = greedy_table(compare_greedy(n_tables=50, n_rows=10, n_features=4))
    >>> [column.group for column in table.columns]
    ['', 'average depth', 'depth', 'nodes', 'internal nodes', 'leaves']
    """
    names = [heuristic_name(*heuristic) for heuristic in comparison.heuristics]
    costs = [_column(comparison, j, cost) for j, cost in enumerate(comparison.costs)]
    return Table(title(comparison), [Column("heuristic", names, align="left"), *costs], _notes(comparison))


def title(comparison: GreedyComparison) -> str:
    """Say what the numbers are."""
    return f"Greedy trees above the least cost, in % of it: mean over {tables_of(comparison)}"


def tables_of(comparison: GreedyComparison) -> str:
    """Say which tables were compared."""
    n, settings = comparison.n_tables, comparison.settings
    noun = "table" if n == 1 else "tables"
    if not comparison.is_random:
        return f"{n:,} {noun}"
    size = f"{settings['n_rows']} rows, {settings['n_features']} features, {settings['n_values']} values"
    return f"{n:,} random {noun} of {size}"


def _column(comparison: GreedyComparison, j: int, cost: str) -> Column:
    mean, error, rank = (
        part[:, j].tolist() for part in (comparison.mean, comparison.std_error, comparison.ranks)
    )
    has_best = comparison.n_tables > 0
    cells = [_cell(m, e, has_best and r <= N_BEST) for m, e, r in zip(mean, error, rank, strict=True)]
    return padded(Column("mean", cells, COST_NAMES[cost]))


def _cell(mean: float, error: float, is_best: bool) -> str:
    if np.isnan(mean):
        return "-"
    spread = "" if np.isnan(error) else f" ± {100 * error:.2f}"
    return f"{'* ' if is_best else ''}{100 * mean:.2f}{spread}"


def _notes(comparison: GreedyComparison) -> list[str]:
    notes = [
        f"± is one standard error. * : the best {N_BEST} for the cost. Weights are shares of the rows."
        if comparison.n_tables > 1
        else f"* : the best {N_BEST} for the cost. Weights are shares of the rows."
    ]
    if comparison.status != "complete":
        message = MESSAGES[comparison.status].split(";")[0]
        notes.append(f"{message}: {comparison.n_tables:,} of {comparison.n_asked:,} tables were compared.")
    return notes
