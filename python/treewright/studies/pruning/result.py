"""The result of comparing pruning rules: every fold or generated set, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from treewright._base.numbers import counted_noun
from treewright._base.params import one_of
from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.studies.common.intervals import interval
from treewright.studies.common.report import FoldReport
from treewright.studies.pruning.table import pruning_table
from treewright.studies.ranks.compare import RankComparison, compare_ranks
from treewright.studies.ranks.plot import critical_difference_page

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ALL = "all"
"""What stands for all data sets together."""

SUMMARY = [
    ("n_folds", "int64"),
    ("error", "float64"),
    ("error_low", "float64"),
    ("error_high", "float64"),
    ("difference", "float64"),
    ("difference_low", "float64"),
    ("difference_high", "float64"),
    ("n_nodes", "float64"),
    ("rank", "float64"),
]
"""What the folds of one rule come to."""


@dataclass(frozen=True, eq=False, repr=False)
class PruningComparison(FoldReport):
    """What `compare_pruning` found.

    Printing it shows the table, `plot` draws the ranks; `per_fold` has everything.

    Attributes
    ----------
    data_sets : ResultTable
        One row a data set: ``data`` (its name), ``n_samples``, ``n_features``. Of generated sets one row a
        number of removed inputs: ``data``, ``n_sets``.
    methods : tuple of str
        Names of the rules.
    reference : str
        The rule that the others are compared with.
    per_fold : ResultTable
        One row a fold and rule: ``data``, ``repeat``, ``fold``, ``seed``, ``method``, ``n_errors`` (weight of
        the samples held out that are predicted wrongly), ``error`` (the same as a share), ``n_nodes``. A
        generated set is a fold: ``seed`` is its number, ``fold`` its combination, ``repeat`` its repetition.
    settings : dict
        Parameters of the study, to run it again.
    status : {"complete", "stopped"}
        Whether everything was run or the callback asked to stop.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_pruning : Makes one, and shows how it prints.
    """

    data_sets: ResultTable
    methods: tuple[str, ...]
    reference: str
    per_fold: ResultTable
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def is_generated(self) -> bool:
        """Whether the data sets were drawn."""
        return "generator" in self.settings

    @property
    def summary(self) -> ResultTable:
        """One row a data set and rule, then a row a rule of ``data`` = ``"all"``.

        ``error`` is the mean over the folds, with the ends of its 95 % interval; ``difference`` that of the
        errors to those of the reference, likewise; ``n_nodes`` the mean number of nodes; ``rank`` that by
        the number of errors, 1 the fewest: of a data set its own, of generated sets the mean. Intervals of
        folds allow for the samples that they share. The rows of all average the data sets, or all generated
        sets.
        """
        width = max(len(ALL), *map(len, self.data_sets["data"].tolist()))
        rows = [*self._rows_by_data(), *self._rows_of_all()]
        return ResultTable.from_rows(rows, [("data", f"U{width}"), self._field("method"), *SUMMARY])

    def ranks(self, data: str = ALL) -> RankComparison:
        """Compare the ranks of the rules, with Friedman's test and Holm's.

        Parameters
        ----------
        data : str, default="all"
            Which generated sets, such as ``"2 removed"``; ``"all"`` takes all of them, or all data sets. A
            data set alone has one rank a rule, and no test.

        Returns
        -------
        comparison : RankComparison
            Prints as a table, draws itself.
        """
        return compare_ranks(self._errors_of_blocks(data), self.methods, reference=self.reference)

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a data set, and one of all.
        """
        return pruning_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return one row a data set and rule as a pandas frame.

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

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the average ranks over all data sets, rules that do not differ joined by a bar.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A critical-difference diagram.
        """
        return self.ranks().plot(ax)

    def plot_page(self) -> Figure:
        """Draw the ranks as a figure of its own.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What `plot` draws, alone on a page.
        """
        return critical_difference_page(self.ranks())

    def __repr__(self) -> str:
        """Return one line: what was compared, on how much."""
        if not self.is_generated:
            return super().__repr__()
        n_sets = len(self.per_fold) // len(self.methods)
        drawn = f"{counted_noun(n_sets, 'set')} of {self.settings['generator']}"
        return f"<PruningComparison: {', '.join(self.methods)}; {drawn}, {self.status}>"

    @cached_property
    def _parts(self) -> dict[str, ResultTable]:
        """The folds of every data set of which one was run, one row a fold, one column a rule."""
        folds = self.per_fold.reshape(-1, len(self.methods))
        owners = folds["data"][:, 0]
        parts = {name: folds[owners == name] for name in self.data_sets["data"].tolist()}
        return {name: part for name, part in parts.items() if len(part)}

    def _rows_by_data(self) -> Iterator[tuple[Any, ...]]:
        overlap = 0.0 if self.is_generated else 1 / (self.settings["cv"] - 1)
        for name, part in self._parts.items():
            ranks = _mean_ranks(self._errors_of_blocks(name))
            yield from self._rows(name, part["error"], part["n_nodes"], ranks, len(part), overlap)

    def _rows_of_all(self) -> Iterator[tuple[Any, ...]]:
        """Every generated set counts alike, and so does every data set."""
        if not self._parts:
            return
        parts = self._parts.values()
        errors, nodes = ([part[field] for part in parts] for field in ("error", "n_nodes"))
        if not self.is_generated:
            errors, nodes = (
                [each.mean(axis=0, keepdims=True) for each in values] for values in (errors, nodes)
            )
        ranks = _mean_ranks(self._errors_of_blocks(ALL))
        yield from self._rows(ALL, np.vstack(errors), np.vstack(nodes), ranks, sum(map(len, parts)), 0.0)

    def _rows(
        self,
        name: str,
        errors: NDArray[np.float64],
        nodes: NDArray[Any],
        ranks: NDArray[np.float64],
        n_folds: int,
        overlap: float,
    ) -> Iterator[tuple[Any, ...]]:
        reference = errors[:, self.methods.index(self.reference)]
        for i, method in enumerate(self.methods):
            spread = (*interval(errors[:, i], overlap), *interval(errors[:, i] - reference, overlap))
            yield (name, method, n_folds, *spread, float(nodes[:, i].mean()), float(ranks[i]))

    def _errors_of_blocks(self, data: str) -> NDArray[np.float64]:
        """Return errors by what is ranked: each generated set, or each data set with all its folds."""
        parts = self._parts.values() if data == ALL else [self._part(data)]
        blocks = [part["n_errors"] for part in parts]
        if not self.is_generated:
            blocks = [block.sum(axis=0, keepdims=True) for block in blocks]
        return np.vstack(blocks)

    def _part(self, data: str) -> ResultTable:
        return self._parts[one_of("data", data, [*self._parts, ALL])]


def _mean_ranks(errors: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = stats.rankdata(errors, axis=1).mean(axis=0)
    return ranks
