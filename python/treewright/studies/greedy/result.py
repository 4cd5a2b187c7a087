"""The result of comparing greedy heuristics: a difference for every table, and what they come to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.params import one_of
from treewright.reporting.table import Table
from treewright.results import ResultTable
from treewright.search.tables.searches import HEURISTICS, Heuristic
from treewright.studies.common.report import Report
from treewright.studies.greedy.plot import greedy_page, plot_greedy
from treewright.studies.greedy.table import greedy_table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COSTS = ("average_depth", "depth", "n_nodes", "n_internal", "n_leaves")
"""In the order of the published tables."""


@dataclass(frozen=True, eq=False, repr=False)
class GreedyComparison(Report):
    """What `compare_greedy` found.

    Printing it shows the table, `plot` draws a heat map.

    Attributes
    ----------
    differences : ndarray of shape (n_tables, 16, 5)
        Relative difference of every table, heuristic (in the order of `heuristics`) and cost (of `costs`).
    minima : ndarray of shape (n_tables, 5)
        Least cost of every table; of the average depth the total path length.
    n_asked : int
        Number of tables there were to be.
    settings : dict
        Parameters of the study, to run it again.
    status : str
        ``"complete"``, or the limit that ended the study.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    compare_greedy : Makes one.

    Examples
    --------
    >>> from treewright.studies import compare_greedy
    >>> comparison = compare_greedy(n_tables=100, n_rows=12, n_features=4)
    >>> comparison.means.dtype.names[:3], len(comparison.means)
    (('impurity', 'uncertainty', 'cost'), 80)
    """

    differences: NDArray[np.float64]
    minima: NDArray[np.int64]
    n_asked: int
    settings: Mapping[str, Any]
    status: str
    elapsed: float

    @property
    def heuristics(self) -> tuple[Heuristic, ...]:
        """Pairs of impurity and uncertainty, in the order of the published tables."""
        return HEURISTICS

    @property
    def costs(self) -> tuple[str, ...]:
        """Names of the costs, in the order of the published tables."""
        return COSTS

    @property
    def n_tables(self) -> int:
        """Number of tables that were compared."""
        return len(self.differences)

    @property
    def is_random(self) -> bool:
        """Whether the tables were drawn."""
        return "random_state" in self.settings

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean relative difference, shape (16, 5); NaN without a table."""
        return _mean(self.differences)

    @property
    def std_error(self) -> NDArray[np.float64]:
        """Standard error of `mean`, shape (16, 5); NaN with fewer than two tables."""
        n = self.n_tables
        if n < 2:
            return np.full(self.differences.shape[1:], np.nan)
        error: NDArray[np.float64] = self.differences.std(axis=0, ddof=1) / np.sqrt(n)
        return error

    @property
    def means(self) -> ResultTable:
        """One row a heuristic and cost, with ``mean``, ``std_error`` and ``rank``."""
        dtype = [
            ("impurity", "U12"),
            ("uncertainty", "U17"),
            ("cost", "U13"),
            ("mean", "float64"),
            ("std_error", "float64"),
            ("rank", "int64"),
        ]
        return ResultTable.from_rows(self._rows(), dtype)

    def _rows(self) -> Iterator[tuple[Any, ...]]:
        mean, error, rank = self.mean, self.std_error, self.ranks
        for i, heuristic in enumerate(HEURISTICS):
            for j, cost in enumerate(COSTS):
                yield (*heuristic, cost, mean[i, j], error[i, j], rank[i, j])

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Rank of every heuristic for every cost, 1 the least mean, shape (16, 5); equal means by order."""
        order = np.argsort(self.mean, axis=0, kind="stable")
        ranks = np.empty_like(order)
        np.put_along_axis(ranks, order, np.arange(1, len(HEURISTICS) + 1)[:, np.newaxis], axis=0)
        return ranks

    def best(self, cost: str, n_best: int = 2) -> list[Heuristic]:
        """Return the heuristics of least mean difference for a cost.

        Parameters
        ----------
        cost : str
            One of `costs`.
        n_best : int, default=2
            How many.

        Returns
        -------
        best : list of (impurity, uncertainty)
            The best first.
        """
        column = self.ranks[:, COSTS.index(one_of("cost", cost, COSTS))]
        return [HEURISTICS[i] for i in np.argsort(column)[:n_best]]

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            One row a heuristic.
        """
        return greedy_table(self)

    def to_frame(self) -> pd.DataFrame:
        """Return `means` as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            Indexed by ``impurity`` and ``uncertainty``, the costs above ``mean``, ``std_error`` and ``rank``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        long = self.means.to_frame().set_index(["impurity", "uncertainty", "cost"])
        wide = long.unstack("cost").swaplevel(axis=1)
        columns = [(cost, quantity) for cost in COSTS for quantity in ("mean", "std_error", "rank")]
        return wide.loc[list(HEURISTICS), columns]

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the means as a heat map.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A row a heuristic, a column a cost, the best two of each framed.
        """
        return plot_greedy(self, ax)

    def plot_page(self) -> Figure:
        """Draw the heat map as a figure of its own.

        Returns
        -------
        figure : matplotlib.figure.Figure
            What `plot` draws, alone on a page.
        """
        return greedy_page(self)

    def __repr__(self) -> str:
        """Return one line: what was compared, and how it ended."""
        kind = "random " if self.is_random else ""
        noun = "table" if self.n_tables == 1 else "tables"
        counts = f"{len(HEURISTICS)} heuristics, {len(COSTS)} costs, {self.n_tables:,} {kind}{noun}"
        return f"<GreedyComparison: {counts}, {self.status}>"


def _mean(differences: NDArray[np.float64]) -> NDArray[np.float64]:
    if not len(differences):
        return np.full(differences.shape[1:], np.nan)
    mean: NDArray[np.float64] = differences.mean(axis=0)
    return mean
