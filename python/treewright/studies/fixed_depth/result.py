"""The result of comparing fixed-depth trees: folds, their sums, tests, times; its table and plots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.marks import Mark, marked_line
from treewright.reporting.matplotlib_glue import axes, new_figure, shades
from treewright.reporting.table import Column, Table
from treewright.results import Record, ResultTable, floats, ints, texts
from treewright.studies.common.folds import FoldSettings
from treewright.studies.common.places import Look, Shown, draw_places, width_of
from treewright.studies.common.report import ABSENT, FoldReport, deviation, mean_of, padded
from treewright.studies.common.statistics import corrected_t

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TESTS = [*floats("difference", "t", "p_value"), *ints("n_pairs")]

ALL = "all sets"
"""What the test over the data sets is called in the place of one."""

NAMES = {"naive_bayes": "naive Bayes"}
LEVEL = 0.05
BETTER, WORSE = "-", "+"
"""Behind an error that differs from ID3's by more than chance."""


RIVALS = {"id3": ("#d55e00", "s"), "naive_bayes": ("0.45", "X")}
"""Colour and mark of what is not a best tree."""

SOLVERS = {
    "feature_list": ("list", "#0072b2", "-"),
    "bounded": ("branch and bound", "#009e73", ":"),
    "exhaustive": ("exhaustive", "#333333", "--"),
    "id3": ("ID3", "#d55e00", "-."),
}
SHAPES = "osv^DP*X"


class FixedDepthSettings(FoldSettings):
    """Parameters of the study."""

    class_prior: float
    value_prior: float
    n_bins: int
    binning: str
    search_time_limit: float | None
    depths: tuple[int, ...]
    id3_depth: int
    time_searches: bool


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FixedDepthComparison(FoldReport[FixedDepthSettings]):
    """Result of `compare_fixed_depth`.

    Printing it shows the table, one row for each data set: its size, and the error of every method in
    percent, mean and standard deviation, marked where it differs from ID3's; the last row has the averages.
    `to_frame` has a row for each data set and method: `summary` with the tests against ID3 beside it. `plot`
    draws it; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row for each data set: ``data`` (its name), ``n_samples``, ``n_features``, ``n_values`` (of all
        features together, numeric ones in bins).
    methods : tuple of str
        ``"depth 1"``, ... for the best trees, ``"id3"``, ``"naive_bayes"``.
    per_fold : ResultTable
        One row for each fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error``
        (share of the held-out samples), ``expected_accuracy`` (NaN where there is none), ``n_leaves``,
        ``seconds`` (of the whole fit).
    times : ResultTable
        One row for each data set and search: ``data``, ``n_features``, ``n_values``, ``solver``, ``depth``,
        ``seconds`` (of the search alone, least of three), ``status``. Empty unless times were asked for.
    scaling : ResultTable
        Depth 3 on the first features of the set of two classes with the most: ``n_features``, ``n_values``,
        ``exhaustive`` and ``feature_list`` (seconds), ``ratio``.
    settings, status, elapsed
        As in `SelectionComparison`.
    summary : ResultTable
        One row for each data set and method, of the folds that were run. ``error`` is the mean, ``error_std``
        the standard deviation (n - 1) over the ``n_folds`` folds; ``expected_error``, ``n_leaves`` and
        ``seconds`` are means.

    See Also
    --------
    compare_fixed_depth : Makes one, with an example of the printed table.
    """

    _SUMMARY = (*ints("n_folds"), *floats("error", "error_std", "expected_error", "n_leaves", "seconds"))

    times: ResultTable
    scaling: ResultTable

    def _summed_up(self, folds: ResultTable) -> tuple[object, ...]:
        expected = 1 - mean_of(folds, "expected_accuracy")
        means = (mean_of(folds, field) for field in ("n_leaves", "seconds"))
        return len(folds), mean_of(folds, "error"), deviation(folds["error"]), expected, *means

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

        One row for each data set and method: ``difference`` of the mean errors (below 0: fewer than ID3),
        ``t``, two-sided ``p_value``, ``n_pairs``. Pairs are folds there, and the variance is corrected for
        samples that they share; in the rows of ``data`` = ``"all sets"`` pairs are data sets, as in the
        paper.
        """
        others = [method for method in self.methods if method != "id3"]
        rows = self._tests(others, 1 / (self.settings["cv"] - 1))
        return ResultTable.from_rows(rows, [texts("data", [ALL, *self._names]), self._head[1], *TESTS])

    def _tests(self, methods: Sequence[str], overlap: float) -> Iterator[tuple[object, ...]]:
        """Yield data set, method, mean difference in error to ID3, t, two-sided p and number of pairs."""
        means: dict[str, list[float]] = {}
        for name in self._names:
            of_id3 = self._chosen(name, "id3")["error"]
            for method in methods:
                difference = self._chosen(name, method)["error"] - of_id3
                if len(difference):
                    means.setdefault(method, []).append(float(difference.mean()))
                    yield (name, method, *corrected_t(difference, overlap))
        for method, differences in means.items():
            yield (ALL, method, *corrected_t(np.array(differences), 0.0))

    def _table(self) -> Table:
        found, averages = self._records(), self.averages
        marks = {(row["data"], row["method"]): _mark(row) for row in self.tests.records()}
        columns = self._size_columns(["average"])
        for method in self.methods:
            cells = [_cell(found.get((name, method)), marks.get((name, method), "")) for name in self._names]
            heading = method_name(method, self.settings["id3_depth"])
            last = f"{100 * averages[method]:.1f}" if method in averages else ABSENT
            cells = list(padded(Column(heading, cells, "error in %")).cells)
            # The average stands below the means, with room for what stands behind them.
            tails = [len(cell) - cell.index(".") - 2 for cell in cells if "." in cell]
            cells.append(last + " " * max(tails, default=0))
            columns.append(Column(heading, cells, "error in %"))
        title = f"Error on held-out samples, mean ± standard deviation over {self._n_parts}"
        return Table(title, columns, self._notes())

    def _notes(self) -> list[str]:
        """Say what the marks mean, and what the test over the data sets says."""
        notes = [
            f"depth d: optimal tree under naive Bayes. {BETTER} and {WORSE} : less and more than ID3 (paired "
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

    def _frame(self) -> pd.DataFrame:
        tests = self.tests.to_frame().drop(columns="n_pairs")
        return self.summary.to_frame().merge(tests, on=["data", "method"], how="left")

    def plot(self) -> Figure:
        """Draw errors, search times and speed-up on one page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What figures 4 to 6 of the paper show, of these data sets; times only if they were measured.
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
            One place for each data set; marks are means over the folds, bars one standard deviation to either
            side. The best trees go from light to dark with their depth.
        """
        labels = {method: method_name(method, self.settings["id3_depth"]) for method in self.methods}
        ax = axes(ax, "plot_errors", width=width_of(self._names), height=4.4)
        shown = Shown("error", 100.0, "error_std")
        draw_places(ax, self.summary, self._names, labels, _looks(labels), shown)
        ax.set_ylim(bottom=0)
        ax.set_ylabel("error on held-out samples, %")
        return ax

    def plot_times(self, ax: Axes | None = None) -> Axes:
        """Draw the seconds of every search against the number of feature values of the data set.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line for each solver and depth, hollow marks where a search reached its time limit; both axes
            are logarithmic. Empty unless times were asked for.
        """
        ax = axes(ax, "plot_times", width=6.4, height=5.0)
        for solver, (label, colour, dashes) in SOLVERS.items():
            of_solver = self.times[self.times["solver"] == solver]
            for depth in np.unique(of_solver["depth"]).tolist():
                rows = of_solver[of_solver["depth"] == depth]
                rows = rows[np.argsort(rows["n_values"])]
                mark = Mark(f"{label}, depth {depth}", colour, SHAPES[depth % len(SHAPES)], dashes)
                is_limited = ~np.isin(rows["status"], ["optimal", "complete"])
                marked_line(ax, mark, rows["n_values"], rows["seconds"], is_limited)
        ax.set_xscale("log")
        ax.set_yscale("log")
        values = np.unique(self.times["n_values"])
        shown = [20, 30, 50, 100, 200, 500, 1000]
        ax.set_xticks(shown, map(str, shown))
        ax.set_xticks([], minor=True)
        if len(values):
            ax.set_xlim(values[0] / 1.15, values[-1] * 1.15)
        ax.set_xlabel("values of all features together")
        ax.set_ylabel("seconds of the search, one thread")
        ax.grid(alpha=0.25, linewidth=0.6)
        ax.legend(loc="lower left", bbox_to_anchor=(0, 1), ncols=3, frameon=False, fontsize="x-small")
        return ax

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
        ax = axes(ax, "plot_speed_up", width=5.6, height=5.0)
        n, ratio = self.scaling["n_features"].astype(float), self.scaling["ratio"]
        ax.set_xlabel("number of features")
        ax.set_ylabel("seconds, exhaustive / with the list (depth 3)")
        if not len(n):
            ax.text(0.5, 0.5, "not timed", transform=ax.transAxes, horizontalalignment="center")
            return ax
        ax.plot(n, ratio, "o", color="#0072b2", label="measured")
        slope = float((n * ratio).sum() / (n * n).sum())
        ends = np.array([0.0, float(n.max())])
        ax.plot(ends, slope * ends, color="0.5", linewidth=1, label=f"{slope:.2f} x number of features")
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.grid(alpha=0.25, linewidth=0.6)
        ax.legend(loc="upper left", frameon=False)
        return ax

    def _facts(self) -> Mapping[str, object]:
        more = {"averages": self.averages, "tests": self.tests, "times": self.times, "scaling": self.scaling}
        return {**super()._facts(), **more}


def _looks(methods: Iterable[str]) -> dict[str, Look]:
    """Return the colour and the shape of every method."""
    depths = [method for method in methods if method not in RIVALS]
    colours = shades(len(depths))[::-1]
    trees: dict[str, Look] = {method: (colour, "o") for method, colour in zip(depths, colours, strict=True)}
    return {**trees, **RIVALS}


def method_name(method: str, id3_depth: int) -> str:
    """Write a method as a person says it."""
    return f"ID3, depth {id3_depth}" if method == "id3" else NAMES.get(method, method)


def _mark(test: Record) -> str:
    """Mark what is unlikely to be chance."""
    if not test["p_value"] < LEVEL:
        return ""
    return BETTER if test["difference"] < 0 else WORSE


def _cell(row: Record | None, mark: str) -> str:
    if row is None:
        return ABSENT
    return f"{100 * row['error']:.1f}{mark or ' '}± {100 * row['error_std']:.1f}"
