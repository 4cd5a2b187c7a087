"""The result of comparing greedy heuristics: a difference for every table, the means, the heat map."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from treewright._base.numbers import counted_noun
from treewright._base.params import one_of
from treewright.reporting.matplotlib_glue import axes, rectangle
from treewright.reporting.table import Column, Table
from treewright.results import MESSAGES, ResultTable, floats, ints
from treewright.search.tables.searches import HEURISTICS, Heuristic
from treewright.studies.common.report import Report, padded

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

COSTS = ("average_depth", "depth", "n_nodes", "n_internal", "n_leaves")
"""In the order of the published tables."""

COST_NAMES = {
    "average_depth": "average depth",
    "depth": "depth",
    "n_nodes": "nodes",
    "n_internal": "internal nodes",
    "n_leaves": "leaves",
}
N_BEST = 2
"""Heuristics of a cost that are marked."""

DARK = 0.55
"""Share of the colour scale from which numbers are written in black."""


class Drawing(TypedDict, total=False):
    """What random tables are drawn with; empty of tables that are given."""

    n_tables: int
    n_rows: int
    n_features: int
    n_values: int
    random_state: int


class GreedySettings(Drawing, total=False):
    """Parameters of the study."""

    node_limit: int | None
    memory_limit: int


@dataclass(frozen=True, eq=False, repr=False)
class GreedyComparison(Report):
    """Result of `compare_greedy`.

    It prints as a table with one row for each heuristic and one column for each cost: the relative difference
    in percent with its standard error; the best two of each cost are marked. `to_frame` has `means` by
    ``impurity`` and ``uncertainty``, with ``mean``, ``std_error`` and ``rank`` for each cost. `plot` draws a
    heat map.

    Attributes
    ----------
    differences : ndarray of shape (n_tables, 16, 5)
        Relative difference of every table, heuristic (in the order of `heuristics`) and cost (in the order of
        `costs`).
    minima : ndarray of shape (n_tables, 5)
        Least cost of every table; for the average depth it is the total path length.
    n_asked : int
        Number of requested tables.
    settings, status, elapsed
        As in `SelectionComparison`; the status names the limit that ended the study early.

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
    settings: GreedySettings
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
        """Whether the tables are random."""
        return "random_state" in self.settings

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean relative difference, shape (16, 5); NaN without a table."""
        if not self.n_tables:
            return np.full(self.differences.shape[1:], np.nan)
        mean: NDArray[np.float64] = self.differences.mean(axis=0)
        return mean

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
        """One row for each heuristic and cost, with ``mean``, ``std_error`` and ``rank``."""
        mean, error, rank = self.mean, self.std_error, self.ranks
        rows = [
            (*heuristic, cost, mean[i, j], error[i, j], rank[i, j])
            for i, heuristic in enumerate(HEURISTICS)
            for j, cost in enumerate(COSTS)
        ]
        head = [("impurity", "U12"), ("uncertainty", "U17"), ("cost", "U13")]
        return ResultTable.from_rows(rows, [*head, *floats("mean", "std_error"), *ints("rank")])

    @property
    def ranks(self) -> NDArray[np.int64]:
        """Rank of every heuristic for every cost, 1 for the least mean, shape (16, 5); ties by order."""
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
            Number of heuristics to return.

        Returns
        -------
        best : list of (impurity, uncertainty)
            The best first.
        """
        column = self.ranks[:, COSTS.index(one_of("cost", cost, COSTS))]
        return [HEURISTICS[i] for i in np.argsort(column)[:n_best]]

    def _table(self) -> Table:
        names = [heuristic_name(*heuristic) for heuristic in self.heuristics]
        costs = [self._column(j, cost) for j, cost in enumerate(self.costs)]
        title = f"Greedy trees above the least cost, in % of it: mean over {self._tables}"
        return Table(title, [Column("heuristic", names, align="left"), *costs], self._notes())

    def _column(self, j: int, cost: str) -> Column:
        mean, error, rank = (part[:, j].tolist() for part in (self.mean, self.std_error, self.ranks))
        has_best = self.n_tables > 0
        cells = [_cell(m, e, has_best and r <= N_BEST) for m, e, r in zip(mean, error, rank, strict=True)]
        return padded(Column("mean", cells, COST_NAMES[cost]))

    def _notes(self) -> list[str]:
        spread = "± is one standard error. " if self.n_tables > 1 else ""
        notes = [f"{spread}* : the best {N_BEST} for the cost. Weights are shares of the rows."]
        if self.status != "complete":
            message = MESSAGES[self.status].split(";")[0]
            notes.append(f"{message}: {self.n_tables:,} of {self.n_asked:,} tables were compared.")
        return notes

    @property
    def _tables(self) -> str:
        """Which tables were compared."""
        n, settings = self.n_tables, self.settings
        if not self.is_random:
            return counted_noun(n, "table")
        size = f"{settings['n_rows']} rows, {settings['n_features']} features, {settings['n_values']} values"
        return f"{counted_noun(n, 'random table')} of {size}"

    def _frame(self) -> pd.DataFrame:
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
            A row for each heuristic and a column for each cost; each cell has the mean relative difference in
            percent. In each column the best heuristic is dark and the worst is light; the best two are
            framed.
        """
        ax, mean = axes(ax, "plot", width=6.4, height=6.6), self.mean
        low, high = mean.min(axis=0), mean.max(axis=0)
        shade = np.nan_to_num((mean - low) / np.where(high > low, high - low, 1.0))
        ax.imshow(shade, cmap="viridis", vmin=0, vmax=1, aspect="auto")
        for (i, j), value in np.ndenumerate(mean):
            colour = "black" if shade[i, j] > DARK else "white"
            text = "-" if np.isnan(value) else f"{100 * value:.1f}"
            ax.text(j, i, text, ha="center", va="center", color=colour, fontsize="small")
        for i, j in np.argwhere(self.ranks <= N_BEST) if self.n_tables else ():
            ax.add_patch(rectangle(j - 0.46, i - 0.44, 0.92, 0.88, colour="#ff8c00", line_width=2.0))
        self._label(ax)
        return ax

    def _label(self, ax: Axes) -> None:
        ax.set_xticks(range(len(self.costs)), [COST_NAMES[cost] for cost in self.costs])
        names = [heuristic_name(*heuristic) for heuristic in self.heuristics]
        ax.set_yticks(range(len(names)), names)
        ax.tick_params(length=0, labelsize="small")
        ax.tick_params(axis="x", top=True, labeltop=True, bottom=False, labelbottom=False)
        for line in range(4, len(names), 4):
            ax.axhline(line - 0.5, color="white", linewidth=2.5)
        ax.set_xlabel(
            f"% above the least cost, mean over {self._tables.replace(' of ', chr(10) + 'of ')}\n"
            "colour: within its column, dark is best; framed: the best two",
            fontsize="small",
        )

    def _facts(self) -> Mapping[str, object]:
        return {
            "settings": self.settings,
            "status": self.status,
            "seconds": self.elapsed,
            "n_tables": self.n_tables,
            "means": self.means,
            "best": {cost: self.best(cost) for cost in self.costs},
        }

    def _numbers(self) -> ResultTable:
        return self.means

    def __repr__(self) -> str:
        """Return one line: what was compared, and how it ended."""
        tables = counted_noun(self.n_tables, "random table" if self.is_random else "table")
        return (
            f"<GreedyComparison: {len(HEURISTICS)} heuristics, {len(COSTS)} costs, {tables}, {self.status}>"
        )


def heuristic_name(impurity: str, uncertainty: str) -> str:
    """Write a heuristic as a person says it."""
    return f"{impurity.replace('_', ' ')}, {uncertainty}"


def _cell(mean: float, error: float, is_best: bool) -> str:
    if np.isnan(mean):
        return "-"
    spread = "" if np.isnan(error) else f" ± {100 * error:.2f}"
    return f"{'* ' if is_best else ''}{100 * mean:.2f}{spread}"
