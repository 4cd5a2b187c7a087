"""The result of comparing fixed-depth trees: folds, their sums, tests, times; its table and plots."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.reporting.matplotlib_glue import new_figure
from treewright.reporting.table import Column, Table
from treewright.results import ResultTable
from treewright.studies.common.report import ABSENT, FoldReport, Record, padded
from treewright.studies.common.statistics import corrected_t
from treewright.studies.fixed_depth.plots import draw_errors, draw_speed_up, draw_times

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

ALL = "all sets"
"""What the test over the data sets is called in the place of one."""

NAMES = {"naive_bayes": "naive Bayes"}
LEVEL = 0.05
BETTER, WORSE = "-", "+"
"""Behind an error that differs from ID3's by more than chance."""

TestRow = tuple[str, str, float, float, float, int]


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
    status : {"complete", "stopped", "time_limit"}
        Whether all folds were run, the callback or Ctrl-C asked to stop, or time was up.
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
            One row a data set: its size, and the error of every method in percent, mean and standard
            deviation, marked where it differs from ID3's; the last row has the averages.
        """
        found, averages = self._records(), self.averages
        marks = {(row["data"], row["method"]): _mark(row) for row in self.tests.records()}
        names = self.data_sets["data"].tolist()
        columns = self._size_columns(["average"])
        for method in self.methods:
            cells = [_cell(found.get((name, method)), marks.get((name, method), "")) for name in names]
            heading = method_name(method, self.settings["id3_depth"])
            last = f"{100 * averages[method]:.1f}" if method in averages else ABSENT
            column = padded(Column(heading, cells, "error in %"))
            columns.append(Column(heading, [*column.cells, _under(last, column.cells)], "error in %"))
        title = (
            "Error on held-out samples, mean ± standard deviation over "
            f"{self.settings['repeats']} x {self.settings['cv']} folds"
        )
        return Table(title, columns, self._notes())

    def _notes(self) -> list[str]:
        """Say what the marks mean, and what the test over the data sets says."""
        notes = [
            f"depth d: best tree under naive Bayes. {BETTER} and {WORSE} : less and more than ID3 (paired "
            "t-test over folds, variance corrected for shared samples, p < 0.05)."
        ]
        tests = [row for row in self.tests.records() if row["data"] == ALL and row["n_pairs"] > 1]
        if tests:
            told = [
                f"{method_name(row['method'], 0)} {row['difference'] * 100:+.1f} (p = {row['p_value']:.2f})"
                for row in tests
            ]
            notes.append(
                f"Mean difference to ID3 over the data sets, in points, paired t-test: {', '.join(told)}."
            )
        return [*notes, *self._stopped_note()]

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
        width = max(7.0, 2.2 + 1.15 * len(self.data_sets))
        if not len(self.times):
            figure = new_figure("plot", width=width, height=4.4)
            self.plot_errors(figure.add_subplot())
            return figure
        figure = new_figure("plot", width=max(width, 11.0), height=9.0, padding=0.1)
        grid = figure.add_gridspec(2, 2, height_ratios=(1, 1.1))
        self.plot_errors(figure.add_subplot(grid[0, :]))
        self.plot_times(figure.add_subplot(grid[1, 0]))
        self.plot_speed_up(figure.add_subplot(grid[1, 1]))
        return figure

    def plot_errors(self, ax: Axes | None = None) -> Axes:
        """Draw the held-out error of every method on every data set.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One place a data set; marks are means over the folds, bars one standard deviation to either side.
            The best trees go from light to dark with their depth.
        """
        labels = {method: method_name(method, self.settings["id3_depth"]) for method in self.methods}
        return draw_errors(self.data_sets["data"].tolist(), self.summary, labels, ax)

    def plot_times(self, ax: Axes | None = None) -> Axes:
        """Draw the seconds of every search against the number of feature values of the data set.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line a solver and depth, hollow marks where a search reached its time limit; both axes are
            logarithmic. Empty unless times were asked for.
        """
        return draw_times(self.times, ax)

    def plot_speed_up(self, ax: Axes | None = None) -> Axes:
        """Draw how many times faster than exhaustive search the list is, against the number of features.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Marks, and the line through the origin that fits them best.
        """
        return draw_speed_up(self.scaling, ax)

    def _facts(self) -> Mapping[str, object]:
        more = {"averages": self.averages, "tests": self.tests, "times": self.times, "scaling": self.scaling}
        return {**super()._facts(), **more}

    def _summary_rows(self) -> Iterator[tuple[Any, ...]]:
        for name in self.data_sets["data"]:
            for method in self.methods:
                folds = self._chosen(name, method)
                if len(folds):
                    spread = float(np.std(folds["error"], ddof=1)) if len(folds) > 1 else 0.0
                    expected = 1 - float(np.mean(folds["expected_accuracy"]))
                    means = [float(np.mean(folds[field])) for field in ("n_leaves", "seconds")]
                    yield (name, method, len(folds), float(np.mean(folds["error"])), spread, expected, *means)


def method_name(method: str, id3_depth: int) -> str:
    """Write a method as a person says it."""
    return f"ID3, depth {id3_depth}" if method == "id3" else NAMES.get(method, method)


def paired_tests(
    folds: ResultTable, names: Sequence[str], methods: Sequence[str], rival: str, n_folds: int
) -> Iterator[TestRow]:
    """Yield data set, method, mean difference in error to the rival, t, two-sided p and number of pairs."""
    means: dict[str, list[float]] = {}
    for name in names:
        part = folds[folds["data"] == name]
        theirs = part["error"][part["method"] == rival]
        for method in methods:
            difference = part["error"][part["method"] == method] - theirs
            if len(difference):
                means.setdefault(method, []).append(float(difference.mean()))
                yield (name, method, *corrected_t(difference, 1 / (n_folds - 1)))
    for method, differences in means.items():
        yield (ALL, method, *corrected_t(np.array(differences), 0.0))


def _mark(test: Record) -> str:
    """Mark what is unlikely to be chance."""
    if not test["p_value"] < LEVEL:
        return ""
    return BETTER if test["difference"] < 0 else WORSE


def _cell(row: Record | None, mark: str) -> str:
    if row is None:
        return ABSENT
    return f"{100 * row['error']:.1f}{mark or ' '}± {100 * row['error_std']:.1f}"


def _under(average: str, cells: Sequence[str]) -> str:
    """Write the average below the means, with room for what stands behind them."""
    tails = [len(cell) - cell.index(".") - 2 for cell in cells if "." in cell]
    return average + " " * (max(tails, default=0))
