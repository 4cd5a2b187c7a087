"""The result of comparing optimal trees with greedy ones: folds, their sums, tests; its table and plots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import axes, new_figure, no_ticks, plain_numbers, shades
from treewright.reporting.table import Column, Table
from treewright.results import Record, ResultTable, floats, ints, texts
from treewright.studies.common.folds import FoldSettings
from treewright.studies.common.places import Look, Shown, draw_places, width_of
from treewright.studies.common.report import ABSENT, FoldReport, deviation, mean_of, three_digits
from treewright.studies.common.statistics import corrected_t
from treewright.studies.optimal.run import GREEDY_STATUS
from treewright.studies.ranks import RankComparison, compare_ranks

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ALL = "all sets"
"""What stands for the data sets together."""
LEVEL = 0.05
TESTS = [*floats("difference", "t", "p_value"), *ints("n_pairs")]
DIGITS = 12
"""Mean errors that agree so far are of equally many samples."""

NAMES = {
    "penalty_cv": "price by cv",
    "depth_cv": "depth by cv",
    "c45": "C4.5",
    "cost_complexity": "cost complexity",
}
LOOKS: Mapping[str, Look] = {
    "penalty_cv": ("#009e73", "D"),
    "depth_cv": ("#009e73", "P"),
    "c45": ("#d55e00", "s"),
    "cost_complexity": ("#cc79a7", "^"),
    "fit": ("0.45", "X"),
}
"""Colour and mark of what has no depth of its own."""
MEANINGS = {
    "penalty_cv": "price by cv: that whose price of a leaf inner folds choose",
    "depth_cv": "depth by cv: that whose depth they choose",
    "c45": "C4.5: its tree, pruned",
    "cost_complexity": "cost complexity: a binary tree whose pruning inner folds choose",
    "fit": "fit: what `treewright fit` grows",
}


class OptimalSettings(FoldSettings):
    """Parameters of the study."""

    depths: tuple[int, ...]
    methods: tuple[str, ...]
    reference: str
    search_time_limit: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class OptimalComparison(FoldReport[OptimalSettings]):
    """Result of `compare_optimal`.

    Printing it shows the table, one row for each data set and method: errors in percent on the training
    samples and, with its standard deviation, on the held-out ones; the difference to the reference, with a
    star where it is more than chance; leaves, depth, seconds, and how many of the searches were proven. The
    last rows have the averages over the data sets, and the average ranks. `to_frame` has the rows of
    `summary` with the tests beside them. `plot` draws it; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row for each data set: ``data`` (its name), ``n_samples``, ``n_features``.
    methods : tuple of str
        ``"depth 2"``, ... for the optimal trees of a depth, then the names of the others.
    per_fold : ResultTable
        One row for each fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``,
        ``training_error`` and ``error`` (shares of the training and of the held-out samples), ``n_leaves``,
        ``depth`` (of the tree), ``seconds`` (of the whole fit), ``status``: ``"optimal"`` if the tree is
        proven, ``"complete"`` for trees that prove nothing, else the limit that ended the search.
    settings, status, elapsed
        As in `SelectionComparison`.
    summary : ResultTable
        One row for each data set and method, of the folds that were run. ``error`` is the mean, ``error_std``
        the standard deviation (n - 1) over the ``n_folds`` folds; ``training_error``, ``n_leaves``, ``depth``
        and ``seconds`` are means; ``n_proven`` counts the folds whose tree is proven.

    See Also
    --------
    compare_optimal : Makes one, with an example.
    """

    _SUMMARY = (
        *ints("n_folds"),
        *floats("training_error", "error", "error_std", "n_leaves", "depth", "seconds"),
        *ints("n_proven"),
    )

    def _summed_up(self, folds: ResultTable) -> tuple[object, ...]:
        means = (mean_of(folds, field) for field in ("n_leaves", "depth", "seconds"))
        n_proven = int((folds["status"] == "optimal").sum())
        errors = (mean_of(folds, "training_error"), mean_of(folds, "error"), deviation(folds["error"]))
        return len(folds), *errors, *means, n_proven

    @property
    def reference(self) -> str:
        """The method with which the others are compared."""
        return self.settings["reference"]

    @property
    def tests(self) -> ResultTable:
        """Paired t-tests of every other method against the reference.

        One row for each data set and method: ``difference`` of the mean errors on held-out samples (below 0:
        fewer than the reference), ``t``, two-sided ``p_value``, ``n_pairs``. Pairs are folds there, and the
        variance is corrected for samples that they share; in the rows of ``data`` = ``"all sets"`` pairs are
        data sets.
        """
        return ResultTable.from_rows(
            self._tests(1 / (self.settings["cv"] - 1)),
            [texts("data", [ALL, *self._names]), self._head[1], *TESTS],
        )

    def _tests(self, overlap: float) -> Iterator[tuple[object, ...]]:
        """Yield data set, method, mean difference in error, t, two-sided p and number of pairs."""
        others = [method for method in self.methods if method != self.reference]
        means: dict[str, list[float]] = {}
        for name in self._names:
            usual = self._chosen(name, self.reference)["error"]
            for method in others if len(usual) else []:
                difference = self._chosen(name, method)["error"] - usual
                means.setdefault(method, []).append(float(difference.mean()))
                yield (name, method, *corrected_t(difference, overlap))
        for method, differences in means.items():
            yield (ALL, method, *corrected_t(np.array(differences), 0.0))

    @property
    def averages(self) -> ResultTable:
        """One row for each method: means over the data sets.

        Columns are ``method``, ``training_error``, ``error``, ``n_leaves``, ``depth`` and ``seconds``.
        """
        fields = ("training_error", "error", "n_leaves", "depth", "seconds")
        summary = self.summary
        rows = [
            (method, *(float(of_method[field].mean()) for field in fields))
            for method in self.methods
            if len(of_method := summary[summary["method"] == method])
        ]
        return ResultTable.from_rows(rows, [self._head[1], *floats(*fields)])

    def ranks(self) -> RankComparison:
        """Compare the ranks of the methods over the data sets, with Friedman's test and Holm's procedure.

        Returns
        -------
        comparison : RankComparison
            The result: it prints as a table, and its ``plot()`` draws it. Ranks are those of the mean errors
            on held-out samples. Sets of which no fold was run are left out.
        """
        return compare_ranks(self._errors(), self.methods, reference=self.reference)

    def _errors(self) -> NDArray[np.float64]:
        """Return mean errors, a row for each data set and a column for each method."""
        found = self._records()
        done = [name for name in self._names if (name, self.methods[0]) in found]
        return np.round([[found[name, method]["error"] for method in self.methods] for name in done], DIGITS)

    def _table(self) -> Table:
        blocks = [(name, self._block(name)) for name in self._names]
        if len(self.data_sets) > 1 and len(self.per_fold):
            blocks.append((ALL, self._last_block()))
        labels = [method_name(method) for method in self.methods]
        first = [f"{name}, {label}" for name, _ in blocks for label in labels]
        columns = [Column("data, method", first, align="left")]
        for place, (heading, group) in enumerate(self._headings):
            cells = [row[place] for _, block in blocks for row in block]
            columns.append(Column(heading, cells, group))
        title = f"Optimal and greedy trees: errors in %, ± one standard deviation, {self._n_parts}"
        return Table(title, columns, self._notes())

    @property
    def _headings(self) -> list[tuple[str, str]]:
        """Headings of the columns after the method, with those of their groups."""
        less = f"less {method_name(self.reference)}"
        errors = [(name, "error in %") for name in ("training", "held out", less)]
        ranks = [("rank", "")] if len(self.methods) > 1 else []
        return [*errors, ("leaves", ""), ("depth", ""), ("seconds", ""), ("proven", ""), *ranks]

    def _block(self, name: str) -> list[Sequence[str]]:
        """Return the cells of a data set, a row for each method."""
        found, tests = self._records(), {(row["data"], row["method"]): row for row in self.tests.records()}
        rows = [found.get((name, method)) for method in self.methods]
        ranks = self._ranks_of(name)
        return [
            [
                *(ABSENT if row is None else write(row) for write in (_training, _held_out)),
                _difference(tests.get((name, method))),
                *(ABSENT if row is None else write(row) for write in (_leaves, _depth, _seconds)),
                ABSENT if row is None else self._proven(method, row),
                *ranks.get(method, [] if len(self.methods) < 2 else [ABSENT]),
            ]
            for method, row in zip(self.methods, rows, strict=True)
        ]

    def _ranks_of(self, name: str) -> dict[str, list[str]]:
        """Return the ranks of the methods on a data set, as cells."""
        found = self._records()
        errors = [found[name, method]["error"] for method in self.methods if (name, method) in found]
        if len(errors) < 2:
            return {}
        ranks = compare_ranks(np.round([errors], DIGITS), self.methods, reference=self.reference).ranks
        return {method: [f"{rank:g}"] for method, rank in zip(self.methods, ranks, strict=True)}

    def _last_block(self) -> list[Sequence[str]]:
        """Return the cells of all data sets together."""
        tests = {row["method"]: row for row in self.tests.records() if row["data"] == ALL}
        ranked = self.ranks().tests.records() if len(self.methods) > 1 else []
        ranks = {row["method"]: [f"{row['rank']:.2f}{row['mark']}"] for row in ranked}
        return [
            [
                _training(row),
                f"{100 * row['error']:.1f}",
                _difference(tests.get(row["method"])),
                *(write(row) for write in (_leaves, _depth, _seconds)),
                "",
                *ranks.get(row["method"], []),
            ]
            for row in self.averages.records()
        ]

    def _proven(self, method: str, row: Record) -> str:
        folds = self._chosen(row["data"], method)
        if (folds["status"] == GREEDY_STATUS).all():
            return ABSENT
        return f"{row['n_proven']} of {row['n_folds']}"

    def _notes(self) -> list[str]:
        """Say what the methods are, what the marks mean, and what the test over the data sets says."""
        told = [text for method, text in MEANINGS.items() if method in self.methods]
        notes = [f"depth d: the optimal tree; {'; '.join(told)}." if told else "depth d: the optimal tree."]
        if len(self.methods) > 1:
            pairs = "; of all sets pairs are sets" if len(self.data_sets) > 1 else ""
            notes.append(
                f"* : more than chance against {method_name(self.reference)} (paired t-test over folds, "
                f"variance corrected for shared samples, p < 0.05){pairs}."
            )
        if len(self.data_sets) > 1 and len(self.methods) > 1 and len(self.per_fold):
            notes.append(
                "+ and - behind a rank: better and worse than the reference (Friedman, Holm, p < 0.05). "
                + self.ranks().friedman_note()
            )
        return [*notes, *self._stopped_note()]

    def _frame(self) -> pd.DataFrame:
        tests = self.tests.to_frame().drop(columns="n_pairs")
        return self.summary.to_frame().merge(tests, on=["data", "method"], how="left")

    def plot(self) -> Figure:
        """Draw errors and leaves of every method on every data set, one above the other.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What `plot_errors` and `plot_leaves` draw.
        """
        figure = new_figure("plot", width=width_of(self._names), height=7.0, padding=0.1)
        above, below = figure.subplots(2, 1)
        self.plot_errors(above)
        self.plot_leaves(below)
        below.get_legend().remove()
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
            side. Optimal trees go from light to dark with their depth.
        """
        ax = axes(ax, "plot_errors", width=width_of(self._names), height=4.4)
        self._draw(ax, Shown("error", 100.0, "error_std"))
        ax.set_ylim(bottom=0)
        ax.set_ylabel("error on held-out samples, %")
        return ax

    def plot_leaves(self, ax: Axes | None = None) -> Axes:
        """Draw the mean number of leaves of every method on every data set.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            As `plot_errors` draws it; leaves are on a logarithmic axis.
        """
        ax = axes(ax, "plot_leaves", width=width_of(self._names), height=3.6)
        self._draw(ax, Shown("n_leaves"))
        ax.set_yscale("log")
        ax.yaxis.set_major_locator(plain_numbers())
        ax.yaxis.set_minor_locator(no_ticks())
        ax.yaxis.set_major_formatter("{x:g}")
        ax.set_ylabel("leaves (mean, logarithmic)")
        return ax

    def _draw(self, ax: Axes, shown: Shown) -> None:
        labels = {method: method_name(method) for method in self.methods}
        depths = [method for method in self.methods if method not in LOOKS]
        colours = shades(len(depths))[::-1]
        looks = {**{method: (colour, "o") for method, colour in zip(depths, colours, strict=True)}, **LOOKS}
        draw_places(ax, self.summary, self._names, labels, looks, shown)

    def _facts(self) -> Mapping[str, object]:
        facts: dict[str, object] = {**super()._facts(), "averages": self.averages, "tests": self.tests}
        if len(self.per_fold) and len(self.methods) > 1:
            ranks = self.ranks()
            facts["friedman"] = {"statistic": ranks.statistic, "p_value": ranks.p_value}
            facts["ranks"] = ranks.tests
        return facts


def method_name(method: str) -> str:
    """Write a method as a person says it."""
    return NAMES.get(method, method)


def _training(row: Record) -> str:
    return f"{100 * row['training_error']:.1f}"


def _held_out(row: Record) -> str:
    return f"{100 * row['error']:.1f} ± {100 * row['error_std']:4.1f}"


def _difference(test: Record | None) -> str:
    """Write a difference in points, starred where it is unlikely to be chance."""
    if test is None or math.isnan(test["difference"]):
        return ABSENT + " "
    points = round(100 * test["difference"], 1) + 0.0
    return f"{points:+.1f}{'*' if test['p_value'] < LEVEL else ' '}"


def _number(field: str) -> Callable[[Record], str]:
    return lambda row: f"{row[field]:.1f}"


def _seconds(row: Record) -> str:
    return three_digits(row["seconds"])


_leaves, _depth = _number("n_leaves"), _number("depth")
