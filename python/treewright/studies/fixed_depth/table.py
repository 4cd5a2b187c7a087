"""The table of a comparison of fixed-depth trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.studies.selection.table import ABSENT, padded

if TYPE_CHECKING:
    from treewright.studies import FixedDepthComparison

NAMES = {"naive_bayes": "naive Bayes"}
LEVEL = 0.05
BETTER, WORSE = "-", "+"
"""Behind an error that differs from ID3's by more than chance."""


def method_name(method: str, id3_depth: int) -> str:
    """Write a method as a person says it."""
    return f"ID3, depth {id3_depth}" if method == "id3" else NAMES.get(method, method)


def fixed_depth_table(comparison: FixedDepthComparison) -> Table:
    """Lay out a comparison of fixed-depth trees.

    Parameters
    ----------
    comparison : FixedDepthComparison
        What `treewright.studies.compare_fixed_depth` found.

    Returns
    -------
    table : Table
        One row a data set: its size, and the error of every method in percent, mean and standard deviation,
        marked where it differs from ID3's; the last row has the averages.

    Examples
    --------
    >>> from treewright.studies.fixed_depth.table import fixed_depth_table
    >>> from treewright.studies import compare_fixed_depth
    >>> study = compare_fixed_depth("monks-1", depths=[1, 2], repeats=1)
    >>> [column.name for column in fixed_depth_table(study).columns]
    ['data', 'samples', 'features', 'values', 'depth 1', 'depth 2', 'ID3, depth 3', 'naive Bayes']
    """
    sets = comparison.data_sets
    found = {(row["data"], row["method"]): row for row in comparison.summary.records()}
    marks = {(row["data"], row["method"]): _mark(row) for row in comparison.tests.records()}
    averages = comparison.averages
    names = sets["data"].tolist()
    columns = [
        Column("data", [*names, "average"], align="left"),
        *(
            Column(heading, [*(f"{n:,}" for n in sets[field].tolist()), ""])
            for heading, field in (
                ("samples", "n_samples"),
                ("features", "n_features"),
                ("values", "n_values"),
            )
        ),
    ]
    for method in comparison.methods:
        cells = [_cell(found.get((name, method)), marks.get((name, method), "")) for name in names]
        heading = method_name(method, comparison.settings["id3_depth"])
        last = f"{100 * averages[method]:.1f}" if method in averages else ABSENT
        column = padded(Column(heading, cells, "error in %"))
        columns.append(Column(heading, [*column.cells, _under(last, column.cells)], "error in %"))
    return Table(_title(comparison), columns, _notes(comparison))


def _mark(test: dict[str, Any]) -> str:
    """Mark what is unlikely to be chance."""
    if not test["p_value"] < LEVEL:
        return ""
    return BETTER if test["difference"] < 0 else WORSE


def _cell(row: dict[str, Any] | None, mark: str) -> str:
    if row is None:
        return ABSENT
    return f"{100 * row['error']:.1f}{mark or ' '}± {100 * row['error_std']:.1f}"


def _under(average: str, cells: Sequence[str]) -> str:
    """Write the average below the means, with room for what stands behind them."""
    tails = [len(cell) - cell.index(".") - 2 for cell in cells if "." in cell]
    return average + " " * (max(tails, default=0))


def _title(comparison: FixedDepthComparison) -> str:
    settings = comparison.settings
    return (
        f"Error on held-out samples, mean ± standard deviation over {settings['repeats']} x {settings['cv']} "
        "folds"
    )


def _notes(comparison: FixedDepthComparison) -> list[str]:
    """Say what the marks mean, and what the test over the data sets says."""
    notes = [
        f"depth d: best tree under naive Bayes. {BETTER} and {WORSE} : less and more than ID3 (paired t-test "
        "over folds, variance corrected for shared samples, p < 0.05)."
    ]
    tests = [row for row in comparison.tests.records() if row["data"] == "all sets" and row["n_pairs"] > 1]
    if tests:
        told = [
            f"{_spoken(row['method'])} {row['difference'] * 100:+.1f} (p = {row['p_value']:.2f})"
            for row in tests
        ]
        notes.append(
            f"Mean difference to ID3 over the data sets, in points, paired t-test: {', '.join(told)}."
        )
    if comparison.status == "stopped":
        done = len(comparison.per_fold) // len(comparison.methods)
        notes.append(f"Stopped after {counted_noun(done, 'fold')}.")
    return notes


def _spoken(method: str) -> str:
    return NAMES.get(method, method)
