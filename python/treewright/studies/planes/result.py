"""The result of comparing planes: every fold, what they come to, its table and plots."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright._base.params import one_of
from treewright.reporting.matplotlib_glue import axes, new_figure, no_ticks, plain_numbers
from treewright.reporting.table import Column, Table
from treewright.results import Record, ResultTable, floats, ints
from treewright.studies.common.folds import FoldSettings
from treewright.studies.common.report import ABSENT, FoldReport, mean_of
from treewright.studies.common.statistics import variance_of_mean
from treewright.studies.planes.run import SAME_SIZE

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

METHOD_NAMES = {
    "rlp": "RLP",
    "fm_rlp": "FM_RLP, paper",
    "fm_rlp_swap": "FM_RLP, swap",
    "rlp_p": "RLP-P",
    "fm_rlp_p": "FM_RLP-P, paper",
    "fm_rlp_p_swap": "FM_RLP-P, swap",
    "path": "path, RLP",
    "path_p": "path, RLP-P",
    "c45": "C4.5 tree",
    "l1_logistic": "L1-logistic",
    "l1_svm": "L1-SVM",
    "l1_svm_k": "L1-SVM, k",
    "rfe_svm_k": "RFE-SVM, k",
    "abess_k": "abess, k",
}
"""Methods as the table writes them."""

MEANINGS = (
    (("rlp", "rlp_p"), "RLP: the plane of least error; -P: with perturbation."),
    (("fm_rlp", "fm_rlp_p"), "FM, paper: fewest features within the bound, by the published search."),
    (
        ("fm_rlp_swap", "fm_rlp_p_swap"),
        "FM, swap: the same by the search of this package, the plane of least error on its features.",
    ),
    (("path", "path_p"), "path: inner cross-validation chooses the number of features."),
    (("c45",), "The features of the tree are its internal nodes."),
    (SAME_SIZE, "k: with as many features as path, RLP, in the same fold."),
)

LOOKS = {
    "rlp": ("#0072b2", "o", False),
    "fm_rlp": ("#0072b2", "s", False),
    "fm_rlp_swap": ("#0072b2", "s", True),
    "path": ("#0072b2", "D", True),
    "rlp_p": ("#d55e00", "o", False),
    "fm_rlp_p": ("#d55e00", "s", False),
    "fm_rlp_p_swap": ("#d55e00", "s", True),
    "path_p": ("#d55e00", "D", True),
    "c45": ("#333333", "^", True),
    "l1_logistic": ("#009e73", "v", False),
    "l1_svm": ("#009e73", "P", False),
    "l1_svm_k": ("#009e73", "P", True),
    "rfe_svm_k": ("#cc79a7", "X", True),
    "abess_k": ("#8c6d00", "*", True),
}
"""Colour, shape, and whether the mark is full."""


class PlaneSettings(FoldSettings):
    """Parameters of the study."""

    methods: tuple[str, ...]
    perturbation: float
    n_features: int | None
    search_time_limit: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class PlaneComparison(FoldReport[PlaneSettings]):
    """Result of `compare_planes`.

    Printing it shows the table, one row for each method, as in the second table of the paper: of every data
    set the test error in percent with its standard error, the mean number of features, and seconds a fit.
    `to_frame` has a row for each data set and method, that of `summary`. `plot` draws errors against
    features; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row for each data set: ``data`` (its name), ``n_samples``, ``n_features``.
    methods : tuple of str
        Names of the methods.
    per_fold : ResultTable
        One row for each fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error``
        (share of the held-out samples), ``training_error``, ``n_features`` (internal nodes of a tree),
        ``seconds``.
    absent : tuple of str
        Requested methods that could not be run because their package is not installed.
    settings, status, elapsed
        As in `SelectionComparison`.
    summary : ResultTable
        One row for each data set and method, of the folds that were run. ``error``, ``training_error``,
        ``n_features`` and ``seconds`` are means over the ``n_folds`` folds. ``standard_error`` is that of the
        mean error, allowing for the samples that folds share; ``error_low`` and ``error_high`` are the least
        and the largest mean of a shuffling.

    See Also
    --------
    compare_planes : Makes one, with an example of the printed table.
    """

    _SUMMARY = (
        *ints("n_folds"),
        *floats("error", "standard_error", "error_low", "error_high"),
        *floats("training_error", "n_features", "seconds"),
    )

    absent: tuple[str, ...]

    def _summed_up(self, folds: ResultTable) -> tuple[object, ...]:
        errors = folds["error"]
        spread = self._standard_error(errors) if len(folds) > 1 else math.nan
        shuffled = [float(errors[folds["repeat"] == repeat].mean()) for repeat in np.unique(folds["repeat"])]
        means = (mean_of(folds, field) for field in ("training_error", "n_features", "seconds"))
        return len(folds), mean_of(folds, "error"), spread, min(shuffled), max(shuffled), *means

    def _standard_error(self, values: NDArray[np.float64]) -> float:
        """Return the standard error of the mean over folds, which share samples."""
        return math.sqrt(variance_of_mean(values, 1.0 / (self.settings["cv"] - 1)))

    @property
    def against_path(self) -> ResultTable:
        """Comparison of the path with classifiers that use the same number of features in every fold.

        One row for each data set and classifier: mean numbers of features, ``difference`` of the mean errors
        (below 0: the path makes fewer errors) with its ``standard_error`` over the pairs of folds, and
        whether the path is worse by more than this.
        """
        numbers = floats("n_features", "n_features_path", "difference", "standard_error")
        return ResultTable.from_rows(self._against_rows(), [*self._head, *numbers, ("is_worse", "bool")])

    def _table(self) -> Table:
        methods, found = self.methods, self._records()
        columns = [Column("method", [METHOD_NAMES[method] for method in methods], align="left")]
        for data in self.data_sets.records():
            rows = [found.get((data["data"], method)) for method in methods]
            group = f"{data['data']}, {data['n_samples']:,} x {data['n_features']:,}"
            columns += [
                Column(heading, [ABSENT if row is None else write(row) for row in rows], group)
                for heading, write in CELLS.items()
            ]
        title = f"Planes and other classifiers: held-out errors, {self._n_parts}, mean ± standard error"
        return Table(title, columns, self._notes())

    def _notes(self) -> list[str]:
        """Say what the methods are, how the path does at equal size, and what is missing."""
        notes = [text for methods, text in MEANINGS if any(method in self.methods for method in methods)]
        notes.append("Standard errors allow for samples that folds share.")
        against = self.against_path.records()
        for rival in sorted({row["method"] for row in against}, key=self.methods.index):
            told = [
                f"{row['data']} {100 * row['difference']:+.1f} ± {100 * row['standard_error']:.1f}"
                + (" (worse)" if row["is_worse"] else "")
                for row in against
                if row["method"] == rival
            ]
            notes.append(
                f"Error of path, RLP, less that of {METHOD_NAMES[rival]}, in points: {', '.join(told)}."
            )
        if self.absent:
            left_out = ", ".join(METHOD_NAMES[method] for method in self.absent)
            notes.append(f"Left out: {left_out} (the package is not installed).")
        return [*notes, *self._stopped_note()]

    def plot(self) -> Figure:
        """Draw the test error of every method against its number of features, every data set on one page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What `plot_errors` draws, of every data set.
        """
        names = self._names
        n_columns = min(2, len(names))
        n_rows = math.ceil(len(names) / n_columns)
        figure = new_figure("plot", width=2.2 + 4.2 * n_columns, height=3.7 * n_rows, padding=0.08)
        grid = figure.subplots(n_rows, n_columns, squeeze=False)
        for place, name in zip(grid.flat, names, strict=False):
            self._draw(name, place)
        for place in list(grid.flat)[len(names) :]:
            place.set_axis_off()
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside right center", frameon=False, fontsize="small")
        return figure

    def plot_errors(self, data: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw the test error of every method on one data set against its number of features.

        Parameters
        ----------
        data : str, default=None
            Name of the data set; None is the first.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Marks are means over the folds, bars a standard error to either side; features are on a
            logarithmic axis. Further down and further left is better.
        """
        name = self._names[0] if data is None else one_of("data", data, self._names)
        ax = axes(ax, "plot_errors", width=6.4, height=4.8)
        self._draw(name, ax)
        ax.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False, fontsize="small")
        return ax

    def _draw(self, name: str, ax: Axes) -> None:
        for row in self.summary[self.summary["data"] == name].records():
            colour, shape, is_full = LOOKS[row["method"]]
            face = colour if is_full else "white"
            spread = 100 * row["standard_error"]
            ax.errorbar(
                max(row["n_features"], 0.5),
                100 * row["error"],
                yerr=None if math.isnan(spread) else spread,
                markerfacecolor=face,
                label=METHOD_NAMES[row["method"]],
                color=colour,
                fmt=shape,
                markersize=7,
                elinewidth=0.9,
            )
        ax.set_xscale("log")
        ax.xaxis.set_major_locator(plain_numbers())
        ax.xaxis.set_minor_locator(no_ticks())
        ax.xaxis.set_major_formatter("{x:g}")
        ax.set_title(name, fontsize="medium")
        ax.set_xlabel("features used (mean, logarithmic)")
        ax.set_ylabel("error on held-out samples, %")
        ax.grid(alpha=0.25, linewidth=0.6)

    def _facts(self) -> Mapping[str, object]:
        return {**super()._facts(), "absent": self.absent, "against_path": self.against_path}

    def _against_rows(self) -> Iterator[tuple[object, ...]]:
        rivals = [method for method in self.methods if method in SAME_SIZE]
        for name in self._names:
            path = self._chosen(name, "path")
            for rival in rivals if len(path) > 1 else []:
                rows = self._chosen(name, rival)
                differences = path["error"] - rows["error"]
                mean, error = float(differences.mean()), self._standard_error(differences)
                sizes = (mean_of(rows, "n_features"), mean_of(path, "n_features"))
                yield (name, rival, *sizes, mean, error, mean > error)


def _error(row: Record) -> str:
    spread = row["standard_error"]
    return f"{100 * row['error']:.1f}" + ("" if math.isnan(spread) else f" ± {100 * spread:.1f}")


CELLS: Mapping[str, Callable[[Record], str]] = {
    "error in %": _error,
    "features": lambda row: f"{row['n_features']:.1f}",
    "seconds": lambda row: f"{row['seconds']:.3f}",
}
"""What the table says of a method on a data set."""
