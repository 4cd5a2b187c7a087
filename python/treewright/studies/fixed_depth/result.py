"""The result of comparing fixed-depth trees: every fold, what they come to, times."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.studies.common.report import FoldReport
from treewright.studies.fixed_depth.plot import (
    plot_fixed_depth,
    plot_fixed_depth_errors,
    plot_search_times,
    plot_speed_up,
)
from treewright.studies.fixed_depth.table import fixed_depth_table
from treewright.studies.fixed_depth.tests import ALL, paired_tests

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUMMARY = [
    ("n_folds", "int64"),
    ("error", "float64"),
    ("error_std", "float64"),
    ("expected_error", "float64"),
    ("n_leaves", "float64"),
    ("seconds", "float64"),
]
TESTS = [("difference", "float64"), ("t", "float64"), ("p_value", "float64"), ("n_pairs", "int64")]


@dataclass(frozen=True, eq=False, repr=False)
class FixedDepthComparison(FoldReport):
    """What `compare_fixed_depth` found.

    Printing it shows the table, `plot` draws it; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row a data set: ``data`` (its name), ``n_samples``, ``n_features``, ``n_values`` (of all features
        together, numeric ones in bins).
    methods : tuple of str
        ``"depth 1"``, ... for the best trees, ``"id3"``, ``"naive_bayes"``.
    per_fold : ResultTable
        One row a fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error`` (share of
        the held-out samples), ``expected_accuracy`` (NaN where there is none), ``n_leaves``, ``seconds`` (of
        the whole fit).
    times : ResultTable
        One row a data set and search: ``data``, ``n_features``, ``n_values``, ``solver``, ``depth``,
        ``seconds`` (of the search alone, least of three), ``status``. Empty unless times were asked for.
    scaling : ResultTable
        Depth 3 on the first features of the set of two classes with the most: ``n_features``, ``n_values``,
        ``exhaustive`` and ``feature_list`` (seconds), ``ratio``.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped"}
        Whether all folds were run or the callback asked to stop.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_fixed_depth : Makes one, and shows how it prints.
    """

    data_sets: ResultTable
    methods: tuple[str, ...]
    per_fold: ResultTable
    times: ResultTable
    scaling: ResultTable
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def summary(self) -> ResultTable:
        """One row a data set and method, of the folds that were run.

        ``error`` is the mean, ``error_std`` the standard deviation (n - 1) over the ``n_folds`` folds;
        ``expected_error``, ``n_leaves`` and ``seconds`` are means.
        """
        return ResultTable.from_rows(
            self._summary_rows(), [self._field("data"), self._field("method"), *SUMMARY]
        )

    @property
    def averages(self) -> dict[str, float]:
        """Mean over the data sets of the mean errors, by method."""
        rows = self.summary
        return {
            method: float(rows["error"][rows["method"] == method].mean())
            for method in self.methods
            if (rows["method"] == method).any()
        }

    @property
    def tests(self) -> ResultTable:
        """Paired t-tests of every other method against ID3.

        One row a data set and method: ``difference`` of the mean errors (below 0: fewer than ID3), ``t``,
        two-sided ``p_value``, ``n_pairs``. Pairs are folds there, and the variance is corrected for samples
        that they share; in the rows of ``data`` = ``"all sets"`` pairs are data sets, as in the paper.
        """
        others = [method for method in self.methods if method != "id3"]
        names = self.data_sets["data"].tolist()
        rows = paired_tests(self.per_fold, names, others, "id3", self.settings["cv"])
        method = self._field("method")
        longest = max(len(ALL), *map(len, names))
        return ResultTable.from_rows(rows, [("data", f"U{longest}"), method, *TESTS])

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a data set, and their averages.
        """
        return fixed_depth_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a data set and method as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            `summary` with the tests against ID3 beside it.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        tests = self.tests.to_frame().drop(columns="n_pairs")
        return self.summary.to_frame().merge(tests, on=["data", "method"], how="left")

    def plot(self) -> Figure:
        """Draw errors, search times and speed-up on one page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What figures 4 to 6 of the paper show, of these data sets; times only if they were measured.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return plot_fixed_depth(self)

    def plot_errors(self, ax: Axes | None = None) -> Axes:
        """Draw the held-out error of every method on every data set, as `plot_fixed_depth_errors` does."""
        return plot_fixed_depth_errors(self, ax)

    def plot_times(self, ax: Axes | None = None) -> Axes:
        """Draw the seconds of searches against the number of values, as `plot_search_times` does."""
        return plot_search_times(self, ax)

    def plot_speed_up(self, ax: Axes | None = None) -> Axes:
        """Draw what the list saves against the number of features, as `plot_speed_up` does."""
        return plot_speed_up(self, ax)

    def _summary_rows(self) -> Iterator[tuple[Any, ...]]:
        for name in self.data_sets["data"]:
            for method in self.methods:
                folds = self._chosen(name, method)
                if len(folds):
                    spread = float(np.std(folds["error"], ddof=1)) if len(folds) > 1 else 0.0
                    expected = 1 - float(np.mean(folds["expected_accuracy"]))
                    means = [float(np.mean(folds[field])) for field in ("n_leaves", "seconds")]
                    yield (name, method, len(folds), float(np.mean(folds["error"])), spread, expected, *means)
