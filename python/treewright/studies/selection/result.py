"""The result of comparing selections: every fold, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.studies.common.report import FoldReport
from treewright.studies.selection.table import selection_table

if TYPE_CHECKING:
    import pandas as pd

SUMMARY = [
    ("n_folds", "int64"),
    ("error", "float64"),
    ("error_std", "float64"),
    ("validation_error", "float64"),
    ("n_selected", "float64"),
    ("n_used", "float64"),
    ("n_trees_built", "float64"),
    ("seconds", "float64"),
    ("n_limited", "int64"),
]
"""What the folds of one method come to."""


@dataclass(frozen=True, eq=False, repr=False)
class SelectionComparison(FoldReport):
    """What `compare_selection` found.

    Printing it shows the table; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row a data set: ``data`` (its name), ``n_samples``, ``n_features``.
    methods : tuple of str
        What was run on every fold: the methods compared, such as ``"top"`` and ``"backward"``, and, if asked
        for, ``"retrain"`` (black-box elimination) and ``"sklearn"`` (scikit-learn's selector).
    per_fold : ResultTable
        One row a fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error`` and
        ``validation_error`` (shares), ``n_selected``, ``n_used``, ``n_trees_built``, ``seconds``, ``status``.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped"}
        Whether all folds were run or the callback asked to stop.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_selection : Makes one, and shows how it prints.

    Notes
    -----
    ``seconds`` is the wall clock of a selection on one thread; folds that run side by side or beside
    other work take longer. All else depends on the data and the settings only.
    """

    data_sets: ResultTable
    methods: tuple[str, ...]
    per_fold: ResultTable
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def summary(self) -> ResultTable:
        """One row a data set and method, of the folds that were run.

        ``error`` is the mean, ``error_std`` the standard deviation (n - 1) over the ``n_folds`` folds;
        ``validation_error``, ``n_selected``, ``n_used`` and ``n_trees_built`` are means; ``seconds`` is the
        median, and ``n_limited`` counts the folds whose selection reached the time limit.
        """
        head = [self._field("data"), self._field("method")]
        return ResultTable.from_rows(self._summary_rows(), [*head, *SUMMARY])

    def _summary_rows(self) -> Iterator[tuple[Any, ...]]:
        for name in self.data_sets["data"]:
            for method in self.methods:
                chosen = self._chosen(name, method)
                if len(chosen):
                    yield (name, method, *summed_up(chosen))

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a data set.
        """
        return selection_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a data set as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            Indexed by data set: ``n_samples``, ``n_features``, and every column of `summary` once a
            method, as in ``backward_error``; ``ratio`` is the time of backward elimination as a share of
            that of the black box, where both were timed.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        frame = self.data_sets.to_frame().set_index("data")
        long = self.summary.to_frame()
        for method in self.methods:
            part = long[long["method"] == method].set_index("data").drop(columns="method")
            frame = frame.join(part.add_prefix(f"{method}_"))
        if {"backward", "retrain"} <= set(self.methods):
            frame["ratio"] = frame["backward_seconds"] / frame["retrain_seconds"]
        return frame


def summed_up(folds: NDArray[Any]) -> tuple[Any, ...]:
    """Return one method's folds as one row, in the order of the summary's columns."""
    n_folds = len(folds)
    means = [
        float(np.mean(folds[name])) for name in ("validation_error", "n_selected", "n_used", "n_trees_built")
    ]
    return (
        n_folds,
        float(np.mean(folds["error"])),
        float(np.std(folds["error"], ddof=1)) if n_folds > 1 else 0.0,
        *means,
        float(np.median(folds["seconds"])),
        int(np.sum(folds["status"] == "time_limit")),
    )
