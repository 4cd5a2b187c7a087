"""The table of a comparison of pruning rules."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.studies.ranks.table import friedman_note
from treewright.studies.selection.table import ABSENT

if TYPE_CHECKING:
    from treewright.studies import PruningComparison

ALL = "all"
Summary = dict[str, Any]


def pruning_table(comparison: PruningComparison) -> Table:
    """Lay out a comparison of pruning rules as in the tables of the paper.

    Parameters
    ----------
    comparison : PruningComparison
        What `treewright.studies.compare_pruning` found.

    Returns
    -------
    table : Table
        One row a data set, or a number of removed inputs, and one of all: the rank of every rule, marked
        where it is better or worse than the reference; errors in percent and half the width of their 95 %
        intervals; nodes.

    Examples
    --------
    >>> from treewright.studies.pruning.table import pruning_table
    >>> from treewright.studies import compare_pruning
    >>> study = compare_pruning(generator="paper_table", n_sets=60, rules=["none", "naive"])
    >>> [column.name for column in pruning_table(study).columns]
    ['data', 'sets', 'none', 'naive', 'none', 'naive', 'none', 'naive']
    """
    found = {(row["data"], row["method"]): row for row in comparison.summary.records()}
    names = [*comparison.data_sets["data"].tolist(), ALL]
    marks = _marks(comparison, names, found)

    def columns(group: str, write: Callable[[Summary], str]) -> list[Column]:
        return [_column(group, method, names, found, write) for method in comparison.methods]

    ranks = columns(
        "rank", lambda row: f"{row['rank']:.3f}" if comparison.is_generated else _rank(row["rank"])
    )
    marked = [
        Column(
            column.name, _with_marks(column, [marks.get((name, column.name), "") for name in names]), "rank"
        )
        for column in ranks
    ]
    facts = [Column("data", names, align="left"), *_sizes(comparison)]
    # An interval of the mean over a few different data sets says nothing of the rules.
    with_interval = {*names} if comparison.is_generated else {*names} - {ALL}
    errors = columns("error in %", lambda row: _error(row, row["data"] in with_interval))
    nodes = columns("nodes", lambda row: f"{row['n_nodes']:,.1f}")
    lined_up = [_lined_up(column) for column in errors]
    return Table(_title(comparison), [*facts, *marked, *lined_up, *nodes], _notes(comparison))


def _column(
    group: str,
    method: str,
    names: list[str],
    found: dict[tuple[str, str], Summary],
    write: Callable[[Summary], str],
) -> Column:
    rows = [found.get((name, method)) for name in names]
    return Column(method, [ABSENT if row is None else write(row) for row in rows], group)


def _marks(comparison: PruningComparison, names: list[str], found: Any) -> dict[tuple[str, str], str]:
    """Return the marks of the rows whose ranks are means of many."""
    tested = [name for name in names if name == ALL or comparison.is_generated]
    marks: dict[tuple[str, str], str] = {}
    for name in tested:
        if (name, comparison.reference) in found:
            tests = comparison.ranks(name).tests
            marks |= {(name, row["method"]): row["mark"] for row in tests.records()}
    return marks


def _with_marks(column: Column, marks: list[str]) -> list[str]:
    """Write marks behind numbers that stay lined up."""
    if not any(marks):
        return list(column.cells)
    return [f"{cell}{mark or ' '}" for cell, mark in zip(column.cells, marks, strict=True)]


def _rank(rank: float) -> str:
    return f"{rank:.1f}" if rank == round(2 * rank) / 2 else f"{rank:.2f}"


def _error(row: Summary, has_interval: bool) -> str:
    half = (row["error_high"] - row["error_low"]) / 2
    shown = has_interval and not math.isnan(half)
    return f"{100 * row['error']:.2f}" + (f" ± {100 * half:.2f}" if shown else "")


def _lined_up(column: Column) -> Column:
    """Line up means and the halves of their intervals, where some have none."""
    parts = [cell.partition(" ± ") for cell in column.cells]
    width = max(len(half) for _, _, half in parts)
    cells = [f"{mean}{sign or ' ' * 3}{half:>{width}}" if width else mean for mean, sign, half in parts]
    return Column(column.name, cells, column.group)


def _sizes(comparison: PruningComparison) -> list[Column]:
    data_sets = comparison.data_sets
    if comparison.is_generated:
        counts = data_sets["n_sets"].tolist()
        return [Column("sets", [f"{n:,}" for n in [*counts, sum(counts)]])]
    return [
        Column(heading, [*(f"{n:,}" for n in data_sets[field].tolist()), ""])
        for heading, field in (("samples", "n_samples"), ("features", "n_features"))
    ]


def _title(comparison: PruningComparison) -> str:
    settings = comparison.settings
    if comparison.is_generated:
        return f"Pruning rules on generated sets ({settings['generator']}), by errors on the rows held out"
    return f"Pruning rules, by errors on held-out samples, {settings['repeats']} x {settings['cv']} folds"


def _notes(comparison: PruningComparison) -> list[str]:
    """Say what the marks mean, and what the test over the data sets says."""
    reference = comparison.reference
    notes = [
        f"Rank 1: the fewest errors. + and - : better and worse than {reference} (Friedman, Holm, p < 0.05).",
        "±: half the width of a 95 % interval"
        + (" of the mean." if comparison.is_generated else ", corrected for samples that folds share."),
    ]
    if len(comparison.per_fold):
        notes.append(friedman_note(comparison.ranks()).partition(" z and p")[0])
    if comparison.status == "stopped":
        done = len(comparison.per_fold) // len(comparison.methods)
        notes.append(f"Stopped after {counted_noun(done, 'set' if comparison.is_generated else 'fold')}.")
    return notes
