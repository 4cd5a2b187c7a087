"""The result of a study of distinct trees: numbers, tables and drawings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.studies.common.report import Report
from treewright.studies.distinct_trees.page import plot_study
from treewright.studies.distinct_trees.plot import plot_distribution, plot_overhead, plot_time
from treewright.studies.distinct_trees.plot_errors import plot_error_lines
from treewright.studies.distinct_trees.table import distinct_table
from treewright.studies.selection.result import SUMMARY, summed_up

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SIZE = "min_samples_split"


@dataclass(frozen=True, eq=False, repr=False)
class DistinctTreeStudy(Report):
    """What `study_distinct_trees` found.

    Printing it shows the table, `plot` draws it. In all tables ``min_samples_split`` is the paper's m,
    ascending.

    Attributes
    ----------
    name : str
        What the data set is called.
    n_samples, n_features : int
        Its size.
    orders : tuple of str
        Orders in which features were taken away; the first is the one whose time is compared.
    methods : tuple of str
        Selections whose errors are compared, such as ``"top"`` and ``"backward"``.
    counts : ResultTable
        One row an m and order: ``n_distinct``, ``n_built``, ``overhead`` (built / distinct), ``share`` (of
        the subsets that the trees account for; 1 if none is missing), ``seconds``, ``status``.
    distribution : ResultTable
        One row an m and number of features k: ``n_trees``, how many distinct trees test k features, and
        ``n_subsets``, how many subsets have k. ``is_complete`` says whether a count of that m was complete;
        if not, these are the trees that the first order found.
    exhaustive : ResultTable
        One row an m: ``seconds`` to grow a tree for each of the subsets, every one from nothing;
        ``is_estimated``, whether that is the mean time of ``n_grown`` of them (which took
        ``seconds_grown``) times ``2**n_features``, and the ``std_error`` of it.
    per_fold : ResultTable
        One row an m, fold and method, as `SelectionComparison` has it.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped"}
        Whether everything was run or the callback asked to stop.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    study_distinct_trees : Makes one, and shows how it prints.

    Notes
    -----
    Reaching a time limit is a status of the one count or selection that did, and is shown wherever its
    numbers are. All but the times, and what a time limit cut short, depends on data and settings only.
    """

    name: str
    n_samples: int
    n_features: int
    orders: tuple[str, ...]
    methods: tuple[str, ...]
    counts: ResultTable
    distribution: ResultTable
    exhaustive: ResultTable
    per_fold: ResultTable
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def errors(self) -> ResultTable:
        """One row an m and method: its folds summed up, as `SelectionComparison.summary` does it."""
        names = self.per_fold.dtype.fields
        assert names is not None, "the folds are a structured array"
        head = [(SIZE, "float64"), ("method", names["method"][0].str)]
        return ResultTable.from_rows(self._error_rows(), [*head, *SUMMARY])

    def _error_rows(self) -> Iterator[tuple[Any, ...]]:
        folds = self.per_fold
        for size in self.settings[SIZE]:
            for method in self.methods:
                chosen = folds[(folds[SIZE] == size) & (folds["method"] == method)]
                if len(chosen):
                    yield (size, method, *summed_up(chosen))

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row an m.
        """
        return distinct_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row an m as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            Indexed by ``min_samples_split``: every column of `counts` once an order, as in
            ``frontier_overhead``; every column of `exhaustive`, as in ``exhaustive_seconds``; every column
            of `errors` once a method, as in ``backward_error``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        parts = [
            *_spread(self.counts, "order", self.orders),
            self.exhaustive.to_frame().set_index(SIZE).add_prefix("exhaustive_"),
            *_spread(self.errors, "method", self.methods),
        ]
        return parts[0].join(parts[1:], how="outer")

    def plot_distribution(self, ax: Axes | None = None) -> Axes:
        """Draw how many distinct trees test how many features.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line an m, and one of the subsets there are.
        """
        return plot_distribution(self, ax)

    def plot_overhead(self, ax: Axes | None = None) -> Axes:
        """Draw the trees built for each distinct one.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line an order, against m.
        """
        return plot_overhead(self, ax)

    def plot_time(self, ax: Axes | None = None) -> Axes:
        """Draw the seconds of enumeration and of exhaustive search.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line each, against m.
        """
        return plot_time(self, ax)

    def plot_errors(self, ax: Axes | None = None, *, on_validation_set: bool = False) -> Axes:
        """Draw the error of every method.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.
        on_validation_set : bool, default=False
            Draw the errors on the search sets, which chose the features, not those on held-out folds.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line a method, against m.
        """
        return plot_error_lines(self, ax, on_validation_set=on_validation_set)

    def plot(self) -> Figure:
        """Draw all of it on one page.

        Returns
        -------
        figure : matplotlib.figure.Figure
            Five drawings, and what there is to know about them.
        """
        return plot_study(self)

    def __repr__(self) -> str:
        """Return one line: what was studied, and how it ended."""
        n_sizes = len(self.settings[SIZE])
        sizes = "1 value of m" if n_sizes == 1 else f"{n_sizes} values of m"
        features = counted_noun(self.n_features, "feature")
        return f"<DistinctTreeStudy: {self.name}, {features}, {sizes}, {self.status}>"


def _spread(table: ResultTable, field: str, names: Sequence[str]) -> list[pd.DataFrame]:
    """Return the rows of each name as a frame of its own, columns named after it."""
    long = table.to_frame()
    parts = {name: long[long[field] == name].set_index(SIZE).drop(columns=field) for name in names}
    return [part.add_prefix(f"{name}_") for name, part in parts.items()]
