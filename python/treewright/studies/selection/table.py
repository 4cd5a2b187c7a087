"""The table of a comparison of selections."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table

if TYPE_CHECKING:
    from treewright.studies import SelectionComparison

ABSENT = "-"
"""The cell of a data set of which no fold was run."""

TIMED = {
    "backward": "PSBE",
    "retrain": "SBE",
    "forward": "forward",
    "complete": "complete",
    "sklearn": "sklearn",
}
"""What the columns of seconds are called, in the paper's words where it has some."""

MEANINGS = {
    "backward": "PSBE: backward elimination",
    "retrain": "SBE: the same with every tree grown anew; ratio: PSBE / SBE",
    "forward": "forward: forward selection",
    "complete": "complete: search of all subsets",
    "sklearn": "sklearn: scikit-learn's selector around its own tree",
}

Summary = dict[str, Any]
"""One row of a comparison's summary."""


def selection_table(comparison: SelectionComparison) -> Table:
    """Lay out a comparison of selections as in table 1 of the enumeration paper.

    Parameters
    ----------
    comparison : SelectionComparison
        What `treewright.studies.compare_selection` found.

    Returns
    -------
    table : Table
        One row a data set: error of every method in percent, mean and standard deviation; features kept
        and tested, means; seconds a selection, the median, and PSBE as a share of SBE.

    Examples
    --------
    >>> from treewright.studies.selection.table import selection_table
    >>> from treewright.studies import compare_selection
    >>> table = selection_table(compare_selection("wine", cv=3, repeats=1))
    >>> [column.name for column in table.columns]
    ['data', 'samples', 'features', 'top', 'backward', 'backward', 'top', 'backward', 'PSBE']
    """
    names = comparison.data_sets["data"].tolist()
    found = {(row["data"], row["method"]): row for row in comparison.summary.records()}

    def column(name: str, group: str, method: str, write: Callable[[Summary], str]) -> Column:
        rows = [found.get((data, method)) for data in names]
        return Column(name, [ABSENT if row is None else write(row) for row in rows], group)

    judged = [method for method in comparison.methods if method != "retrain"]
    selected = [method for method in judged if method != "top"]
    columns = [
        *_facts(comparison),
        *(padded(column(method, "error in %", method, _error)) for method in judged),
        *(column(method, "features kept", method, _mean("n_selected")) for method in selected),
        *(column(method, "features tested", method, _mean("n_used")) for method in judged),
        *(
            column(name, "seconds", method, _seconds)
            for method, name in TIMED.items()
            if method in comparison.methods
        ),
        *_ratio(names, found, comparison.methods),
    ]
    return Table(_title(comparison), columns, _notes(comparison))


def _title(comparison: SelectionComparison) -> str:
    settings = comparison.settings
    return (
        f"Error on held-out samples, mean ± standard deviation over {settings['repeats']} x {settings['cv']} "
        "folds"
    )


def _facts(comparison: SelectionComparison) -> list[Column]:
    data_sets = comparison.data_sets
    return [
        Column("data", data_sets["data"].tolist(), align="left"),
        Column("samples", [f"{n:,}" for n in data_sets["n_samples"]]),
        Column("features", [f"{n:,}" for n in data_sets["n_features"]]),
    ]


def _error(row: Summary) -> str:
    return f"{100 * row['error']:.2f} ± {100 * row['error_std']:.2f}"


def padded(column: Column) -> Column:
    """Line up the signs of a column of means and deviations."""
    tails = [cell.rpartition(" ")[2] for cell in column.cells]
    width = max(map(len, tails))
    cells = [
        cell if cell == ABSENT else f"{cell.removesuffix(tail)}{tail:>{width}}"
        for cell, tail in zip(column.cells, tails, strict=True)
    ]
    return Column(column.name, cells, column.group)


def _mean(field: str) -> Callable[[Summary], str]:
    return lambda row: f"{row[field]:.1f}"


def _seconds(row: Summary) -> str:
    return f"{'> ' if row['n_limited'] else ''}{three_digits(row['seconds'])}"


def three_digits(value: float) -> str:
    """Write a positive number with three digits that matter, and at most five after the point."""
    if value < 0.001:
        return f"{value:.5f}"
    if value < 100:
        return f"{value:#.3g}"
    return f"{value:,.0f}"


def _ratio(
    names: Sequence[str], found: dict[tuple[str, str], Summary], methods: Sequence[str]
) -> list[Column]:
    """Return PSBE as a share of SBE, where both were timed; an upper bound if SBE ended early."""
    if not {"backward", "retrain"} <= set(methods):
        return []
    cells = []
    for name in names:
        fast, slow = found.get((name, "backward")), found.get((name, "retrain"))
        if fast is None or slow is None:
            cells.append(ABSENT)
        else:
            sign = "< " if slow["n_limited"] else ""
            cells.append(f"{sign}{fast['seconds'] / slow['seconds']:.3f}")
    return [Column("ratio", cells, "seconds")]


def _notes(comparison: SelectionComparison) -> list[str]:
    meanings = [meaning for method, meaning in MEANINGS.items() if method in comparison.methods]
    notes = [f"Seconds: median of a selection. {'; '.join(meanings)}."] if meanings else []
    if comparison.summary["n_limited"].any():
        notes.append(f"> : a selection reached the limit of {comparison.settings['time_limit']:g} seconds.")
    if comparison.status == "stopped":
        n_folds = len(comparison.per_fold) // len(comparison.methods)
        notes.append(f"Stopped after {counted_noun(n_folds, 'fold')}.")
    return notes
