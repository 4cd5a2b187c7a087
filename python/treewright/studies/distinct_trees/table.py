"""The table of a study of distinct trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.reporting.marks import MARKS
from treewright.reporting.table import Column, Table
from treewright.studies.distinct_trees.notes import study_notes
from treewright.studies.selection.table import (
    ABSENT,
    padded,
    three_digits,
)

if TYPE_CHECKING:
    from treewright.results import ResultTable
    from treewright.studies import DistinctTreeStudy

CUT = "*"
"""After a number that a time limit cut short."""


def distinct_table(study: DistinctTreeStudy) -> Table:
    """Lay out a study of distinct trees.

    Parameters
    ----------
    study : DistinctTreeStudy
        What `treewright.studies.study_distinct_trees` found.

    Returns
    -------
    table : Table
        One row an m: distinct trees; trees built for each, by order; seconds of finding them and of
        exhaustive search; search and held-out errors of every method in percent.

    Examples
    --------
    >>> from treewright.studies.distinct_trees.table import distinct_table
    >>> from treewright.studies import study_distinct_trees
    >>> study = study_distinct_trees("wine", min_samples_split=64, methods=["top"], cv=2, max_grown=10)
    >>> [column.name for column in distinct_table(study).columns][:3]
    ['m', 'distinct', 'ascending frontier']
    """
    columns = [
        Column("m", [f"{size:g}" for size in study.settings["min_samples_split"]]),
        _column(study, "distinct", "trees", _distinct(study)),
        *(
            _column(
                study,
                MARKS[order].label,
                "built / distinct",
                _row_of(study.counts, "order", order, _overhead),
            )
            for order in study.orders
        ),
        _column(study, "all trees", "seconds", _row_of(study.counts, "order", study.orders[0], _seconds)),
        _column(study, "exhaustive", "seconds", _row_of(study.exhaustive, None, "", _exhaustive)),
        *_errors(study),
    ]
    notes = study_notes(study, spread="± is one standard deviation", cut=f"{CUT} and >")
    return Table(_title(study), columns, notes[1:])


Cell = Callable[[float], str]
"""The text of one m."""


def _title(study: DistinctTreeStudy) -> str:
    return f"Distinct trees of {study.name}: {study.n_samples:,} samples, {study.n_features} features"


def _column(study: DistinctTreeStudy, name: str, group: str, cell: Cell) -> Column:
    return Column(name, [cell(size) for size in study.settings["min_samples_split"]], group)


def _row_of(table: ResultTable, field: str | None, name: str, write: Callable[[Any], str]) -> Cell:
    """Return what writes the row of an m that has this name, or the sign for none."""

    def cell(size: float) -> str:
        rows = table[table["min_samples_split"] == size]
        rows = rows if field is None else rows[rows[field] == name]
        return write(rows[0]) if len(rows) else ABSENT

    return cell


def _distinct(study: DistinctTreeStudy) -> Cell:
    def cell(size: float) -> str:
        rows = study.distribution[study.distribution["min_samples_split"] == size]
        sign = "" if rows["is_complete"].all() else "> "
        return f"{sign}{int(rows['n_trees'].sum()):,}" if len(rows) else ABSENT

    return cell


def _overhead(row: Any) -> str:
    cut = "" if row["status"] == "complete" else CUT
    return f"{row['overhead']:.3f}{cut}" if np.isfinite(row["overhead"]) else "?"


def _seconds(row: Any) -> str:
    return f"{'' if row['status'] == 'complete' else '> '}{three_digits(float(row['seconds']))}"


def _exhaustive(row: Any) -> str:
    seconds = float(row["seconds"])
    text = three_digits(seconds) if seconds < 1e6 else f"{seconds:.1e}"
    return f"≈ {text}" if row["is_estimated"] else text


def _errors(study: DistinctTreeStudy) -> Iterator[Column]:
    """Yield search errors, then held-out errors with their deviation."""
    for method in study.methods:
        yield _column(
            study, method, "search error in %", _row_of(study.errors, "method", method, _search_error)
        )
    for method in study.methods:
        cell = _row_of(study.errors, "method", method, _error)
        yield padded(_column(study, method, "cross-validation error in %", cell))


def _search_error(row: Any) -> str:
    return f"{100 * row['search_error']:.2f}{CUT if row['n_limited'] else ''}"


def _error(row: Any) -> str:
    return f"{100 * row['error']:.2f} ± {100 * row['error_std']:.2f}{CUT if row['n_limited'] else ''}"
