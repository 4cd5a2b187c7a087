"""The result of comparing planes: every fold, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.studies.common.intervals import variance_of_mean
from treewright.studies.common.report import FoldReport
from treewright.studies.planes.plot import planes_page, plot_planes
from treewright.studies.planes.run import SAME_SIZE
from treewright.studies.planes.table import planes_table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SUMMARY = [
    ("n_folds", "int64"),
    ("error", "float64"),
    ("standard_error", "float64"),
    ("error_low", "float64"),
    ("error_high", "float64"),
    ("training_error", "float64"),
    ("n_features", "float64"),
    ("seconds", "float64"),
]
AGAINST = [
    ("n_features", "float64"),
    ("n_features_path", "float64"),
    ("difference", "float64"),
    ("standard_error", "float64"),
    ("is_worse", "bool"),
]


@dataclass(frozen=True, eq=False, repr=False)
class PlaneComparison(FoldReport):
    """What `compare_planes` found.

    Printing it shows the table, `plot` draws errors against features; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row a data set: ``data`` (its name), ``n_samples``, ``n_features``.
    methods : tuple of str
        Names of the methods.
    per_fold : ResultTable
        One row a fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error`` (share of
        the held-out samples), ``training_error``, ``n_features`` (internal nodes of a tree), ``seconds``.
    settings : dict
        Parameters of the study, to run it again.
    absent : tuple of str
        Methods that were asked for and are not there, their package not being installed.
    status : {"complete", "stopped"}
        Whether all folds were run or the callback asked to stop.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_planes : Makes one, and shows how it prints.
    """

    data_sets: ResultTable
    methods: tuple[str, ...]
    per_fold: ResultTable
    settings: Mapping[str, Any]
    absent: tuple[str, ...]
    status: str
    elapsed: float

    @property
    def summary(self) -> ResultTable:
        """One row a data set and method, of the folds that were run.

        ``error``, ``training_error``, ``n_features`` and ``seconds`` are means over the ``n_folds`` folds.
        ``standard_error`` is that of the mean error, allowing for the samples that folds share;
        ``error_low`` and ``error_high`` are the least and the largest mean of a shuffling.
        """
        return ResultTable.from_rows(
            self._summary_rows(), [self._field("data"), self._field("method"), *SUMMARY]
        )

    @property
    def against_path(self) -> ResultTable:
        """The path against rivals of the same size, which were told its number of features in every fold.

        One row a data set and rival: mean numbers of features, ``difference`` of the mean errors (below 0:
        the path errs less) with its ``standard_error`` over the pairs of folds, and whether the path is worse
        by more than that.
        """
        dtype = [self._field("data"), self._field("method"), *AGAINST]
        return ResultTable.from_rows(self._against_rows(), dtype)

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a method, three columns a data set.
        """
        return planes_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a data set and method as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            `summary`.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.summary.to_frame()

    def plot(self, data: str | None = None, ax: Axes | None = None) -> Figure | Axes:
        """Draw the test error of every method against its number of features.

        Parameters
        ----------
        data : str, default=None
            Name of one data set; None draws all on a page.
        ax : matplotlib.axes.Axes, default=None
            Where to draw one data set; None makes a new figure.

        Returns
        -------
        drawn : matplotlib.figure.Figure or matplotlib.axes.Axes
            The page, or the axes of the data set.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return plot_planes(self, data, ax)

    def plot_page(self) -> Figure:
        """Draw all data sets on a page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What ``plot()`` returns.
        """
        return planes_page(self)

    @property
    def _overlap(self) -> float:
        return 1.0 / (int(self.settings["cv"]) - 1)

    def _summary_rows(self) -> Iterator[tuple[Any, ...]]:
        for name in self.data_sets["data"].tolist():
            for method in self.methods:
                rows = self._chosen(name, method)
                if len(rows):
                    yield (name, method, len(rows), *self._means(rows))

    def _means(self, rows: ResultTable) -> Iterator[float]:
        errors = rows["error"]
        yield float(errors.mean())
        yield float(np.sqrt(variance_of_mean(errors, self._overlap))) if len(rows) > 1 else np.nan
        shuffled = [float(errors[rows["repeat"] == repeat].mean()) for repeat in np.unique(rows["repeat"])]
        yield from (min(shuffled), max(shuffled))
        yield from (float(rows[field].mean()) for field in ("training_error", "n_features", "seconds"))

    def _against_rows(self) -> Iterator[tuple[Any, ...]]:
        rivals = [method for method in self.methods if method in SAME_SIZE]
        for name in self.data_sets["data"].tolist():
            path = self._chosen(name, "path")
            for rival in rivals if len(path) > 1 else []:
                rows = self._chosen(name, rival)
                differences = path["error"] - rows["error"]
                mean = float(differences.mean())
                error = float(np.sqrt(variance_of_mean(differences, self._overlap)))
                sizes = (float(rows["n_features"].mean()), float(path["n_features"].mean()))
                yield (name, rival, *sizes, mean, error, mean > error)
