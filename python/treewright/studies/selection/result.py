"""The result of comparing selections: every fold, what they come to, its table and its plot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from treewright.reporting.matplotlib_glue import axes
from treewright.reporting.table import Column, Table
from treewright.results import Columns, Record, ResultTable, floats, ints
from treewright.studies.common.folds import FoldSettings
from treewright.studies.common.measure import Measure
from treewright.studies.common.report import ABSENT, FoldReport, deviation, mean_of, padded, three_digits
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.pruning.named import checked_rule

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


SIZES = ("n_selected", "n_used", "n_leaves", "n_trees_built")
"""Columns of a summary that are means over the folds and no errors."""


def summary_columns(measure: Measure) -> Columns:
    """Return the columns of what the folds of one method come to."""
    means = (measure.mean, f"{measure.mean}_std", measure.validation)
    numbers = floats(*means, *SIZES, "seconds")
    return [*ints("n_folds"), *numbers, *ints("n_limited")]


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

SPREAD = 0.5
"""How much of a data set's row its methods take up."""


class SelectionSettings(FoldSettings):
    """Parameters of the study."""

    estimator: GreedyTreeClassifier
    methods: tuple[str, ...]
    validation_set: float
    time_black_box: bool
    time_sklearn: bool
    search_time_limit: float | None


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class SelectionComparison(FoldReport[SelectionSettings]):
    """Result of `compare_selection`.

    It prints as a table with one row for each data set, as in table 1 of the enumeration paper: error of
    every method in percent (mean and standard deviation); leaves of the trees, features kept and tested
    (means); seconds of a selection (median), and PSBE as a share of SBE. `to_frame` has the same rows:
    ``n_samples``, ``n_features``, and every column of `summary` for each method, such as
    ``backward_error``; ``ratio`` if both were timed. `plot` draws the errors; `per_fold` has every fold.

    Attributes
    ----------
    data_sets : ResultTable
        One row for each data set: ``data`` (its name), ``n_samples``, ``n_features``.
    methods : tuple of str
        Methods run on every fold: those compared, such as ``"top"`` and ``"backward"``, and optionally
        ``"retrain"`` (black-box elimination) and ``"sklearn"`` (scikit-learn's selector).
    per_fold : ResultTable
        One row for each fold and method: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``error`` and
        ``validation_error`` (shares; with a cost matrix ``mean_cost`` and ``mean_validation_cost`` of an
        answer stand in their place, in the summary too), ``n_selected``, ``n_used``, ``n_leaves``
        (of the tree on all training samples), ``n_trees_built``, ``seconds``, ``status``.
    summary : ResultTable
        One row for each data set and method, of the folds that were run. ``error`` is the mean, ``error_std``
        the standard deviation (n - 1) over the ``n_folds`` folds; ``validation_error``, ``n_selected``,
        ``n_used``, ``n_leaves`` and ``n_trees_built`` are means; ``seconds`` is the median, and
        ``n_limited`` counts the folds whose selection reached its time limit.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped", "time_limit"}
        ``"complete"``: all folds were run; ``"stopped"``: by the callback or Ctrl-C; ``"time_limit"``: the
        limit was reached.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_selection : Makes one, with an example of the printed table.

    Notes
    -----
    ``seconds`` is the wall-clock time of a selection on one thread; it is longer if folds or other programs
    run in parallel. All other numbers depend only on the data and the settings.
    """

    @property
    def _measure(self) -> Measure:
        """What the methods are compared by."""
        return Measure.of(self.settings["estimator"])

    @property
    def _summary_columns(self) -> Columns:
        return summary_columns(self._measure)

    def _summed_up(self, folds: ResultTable) -> tuple[object, ...]:
        return summed_up(folds, self._measure)

    def _table(self) -> Table:
        found, measure = self._records(), self._measure

        def column(name: str, group: str, method: str, write: Callable[[Record], str]) -> Column:
            rows = [found.get((data, method)) for data in self._names]
            return Column(name, [ABSENT if row is None else write(row) for row in rows], group)

        judged = self._judged
        selected = [method for method in judged if method != "top"]
        timed = [(method, name) for method, name in TIMED.items() if method in self.methods]
        columns = [
            *self._size_columns(),
            *(
                padded(column(method, measure.heading, method, partial(_mean_loss, measure)))
                for method in judged
            ),
            *(column(method, "leaves", method, _mean("n_leaves")) for method in judged),
            *(column(method, "features kept", method, _mean("n_selected")) for method in selected),
            *(column(method, "features tested", method, _mean("n_used")) for method in judged),
            *(column(name, "seconds", method, _seconds) for method, name in timed),
            *_ratio(self._names, found, self.methods),
        ]
        title = (
            f"{measure.word.capitalize()} on held-out samples, mean ± standard deviation over {self._n_parts}"
        )
        return Table(title, columns, self._notes())

    @property
    def _judged(self) -> list[str]:
        """The methods whose errors are compared: black-box elimination finds what backward does."""
        return [method for method in self.methods if method != "retrain"]

    def _notes(self) -> list[str]:
        meanings = [meaning for method, meaning in MEANINGS.items() if method in self.methods]
        notes = [f"Seconds: median of a selection. {'; '.join(meanings)}."] if meanings else []
        if self.summary["n_limited"].any():
            notes.append(
                f"> : a selection reached the limit of {self.settings['search_time_limit']:g} seconds."
            )
        return [*notes, *pruned_note(self.settings["estimator"]), *self._stopped_note()]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the held-out error of every method on every data set.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One row for each data set; dots are means over the folds, bars one standard deviation to either
            side.

        Examples
        --------
        >>> from treewright.studies import compare_selection
        >>> study = compare_selection(["wine", "iris"], cv=5, repeats=2)
        >>> study.plot().get_xlabel()
        'error on held-out samples, %'
        """
        names, methods, summary, measure = self._names, self._judged, self.summary, self._measure
        ax = axes(ax, "plot", width=6.4, height=1.6 + 0.5 * len(names))
        offsets = np.linspace(-SPREAD / 2, SPREAD / 2, len(methods)) if len(methods) > 1 else [0.0]
        for method, offset in zip(methods, offsets, strict=True):
            rows = summary[summary["method"] == method]
            places = [names.index(name) + offset for name in rows["data"]]
            mean, spread = (measure.factor * rows[f"{measure.mean}{end}"] for end in ("", "_std"))
            ax.errorbar(mean, places, xerr=spread, fmt="o", capsize=3, label=method)
        ax.set_yticks(range(len(names)), names)
        ax.set_ylim(len(names) - 0.5, -0.5)  # the first on top
        ax.set_xlim(left=0)
        ax.set_xlabel(f"{measure.axis} on held-out samples{measure.unit}")
        ax.grid(axis="x", alpha=0.3)
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=len(methods), frameon=False)
        return ax

    def _frame(self) -> pd.DataFrame:
        frame = self.data_sets.to_frame().set_index("data")
        long = self.summary.to_frame()
        for method in self.methods:
            part = long[long["method"] == method].set_index("data").drop(columns="method")
            frame = frame.join(part.add_prefix(f"{method}_"))
        if {"backward", "retrain"} <= set(self.methods):
            frame["ratio"] = frame["backward_seconds"] / frame["retrain_seconds"]
        return frame


def pruned_note(estimator: GreedyTreeClassifier) -> list[str]:
    """Say what prunes the trees, if anything does."""
    rule = checked_rule(estimator.pruning)
    return [] if rule is None else [f"Trees are pruned by {rule}."]


def summed_up(folds: ResultTable, measure: Measure) -> tuple[object, ...]:
    """Return one method's folds as one row, in the order of the summary's columns."""
    return (
        len(folds),
        mean_of(folds, measure.mean),
        deviation(folds[measure.mean]),
        *(mean_of(folds, name) for name in (measure.validation, *SIZES)),
        float(np.median(folds["seconds"])),
        int(np.sum(folds["status"] == "time_limit")),
    )


def _mean_loss(measure: Measure, row: Record) -> str:
    return f"{measure.told(row[measure.mean])} ± {measure.told(row[f'{measure.mean}_std'])}"


def _mean(field: str) -> Callable[[Record], str]:
    return lambda row: f"{row[field]:.1f}"


def _seconds(row: Record) -> str:
    return f"{'> ' if row['n_limited'] else ''}{three_digits(row['seconds'])}"


def _ratio(
    names: Sequence[str], found: dict[tuple[str, str], Record], methods: Sequence[str]
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
