"""What another leaf is worth: the optimal tree for every price of a leaf, by depth."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright._base.clock import Clock
from treewright._base.errors import ParameterError
from treewright.data.types import TableLike, VectorLike
from treewright.reporting.matplotlib_glue import axes, shades, whole_numbers
from treewright.reporting.table import Column, Table
from treewright.results import MESSAGES, Record, ResultTable
from treewright.trees.learner import copy_of
from treewright.trees.optimal.course import Course
from treewright.trees.optimal.estimator import OptimalTreeClassifier
from treewright.trees.optimal.front import Searches
from treewright.trees.optimal.task import OptimalTask
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FIELDS = [
    ("depth", "int64"),
    ("n_leaves", "int64"),
    ("loss", "float64"),
    ("bound", "float64"),
    ("penalty_from", "float64"),
    ("penalty_to", "float64"),
    ("status", "U12"),
]


@dataclass(frozen=True, eq=False, repr=False)
class OptimalPath:
    """The optimal trees for every price of a leaf, by depth.

    Attributes
    ----------
    table : ResultTable
        One row for each tree, by depth and number of leaves: ``depth``, the limit; ``n_leaves``; ``loss``,
        the weight (or cost) of its wrong answers; ``bound``: none of this depth and size has less;
        ``penalty_from`` and ``penalty_to``, the prices of a leaf for which the tree is the best, in mean
        samples as `leaf_penalty`; ``status``:
        ``"optimal"``, or the limit that ended its search.
    trees : tuple of Tree
        The tree of each row.
    status : str
        ``"optimal"`` if the path is whole, else the limit that ended it: then depths, or trees between those
        that were found, are not there.

    See Also
    --------
    optimal_path : Makes one, with an example.
    """

    table: ResultTable
    trees: tuple[Tree, ...]
    status: str = "optimal"

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the loss against the number of leaves, a line for each depth.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Every marker is a tree that is the best for some price of a leaf, hollow where that is not
            proven. A tree that is the best of several depths has a ring for each.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        ax = axes(ax, "OptimalPath.plot", width=6.0, height=4.4)
        depths = sorted(set(self.table["depth"].tolist()))
        for depth, colour in zip(depths, shades(len(depths))[::-1], strict=True):
            rows = self.table[self.table["depth"] == depth]
            size = 5 + 3 * (depths[-1] - depth)
            ax.plot(rows["n_leaves"], rows["loss"], color=colour, linewidth=1, zorder=depth)
            for is_proven, label in ((True, f"depth {depth}"), (False, None)):
                of = rows[(rows["status"] == "optimal") == is_proven]
                face = colour if is_proven else "white"
                ax.plot(
                    of["n_leaves"], of["loss"], "o", markersize=size, color=colour, markerfacecolor=face,
                    zorder=depth + 1, label=label,
                )  # fmt: skip
        ax.set_xlabel("leaves")
        ax.set_ylabel(f"{self._measure} on the training samples")
        ax.set_ylim(bottom=0)
        ax.xaxis.set_major_locator(whole_numbers())
        ax.grid(alpha=0.25, linewidth=0.6)
        ax.legend(frameon=False)
        return ax

    @property
    def _measure(self) -> str:
        return "errors" if self.trees[0].cost_matrix is None else "cost of wrong answers"

    def to_text(self, max_width: int | None = None) -> str:
        """Return the path as a table for a screen.

        Parameters
        ----------
        max_width : int, default=None
            Largest number of characters in a line; None does not split the table.

        Returns
        -------
        text : str
            A line for each tree, by depth and leaves, with the prices of a leaf for which it is the best.

        Raises
        ------
        ParameterError
            If the width is not an int of at least 1.
        """
        rows = self.table.records()
        cells = {
            "depth": [str(row["depth"]) for row in rows],
            "leaves": [str(row["n_leaves"]) for row in rows],
            self._measure: [f"{row['loss']:.10g}" for row in rows],
            "at least": [f"{row['bound']:.10g}" for row in rows],
            "price of a leaf": [_prices(row) for row in rows],
            "proven": ["yes" if row["status"] == "optimal" else "no" for row in rows],
        }
        ends = {"depth", "price of a leaf", "proven"}
        columns = [
            Column(name, own, align="left" if name in ends else "right") for name, own in cells.items()
        ]
        told = [] if self.status == "optimal" else [f"The path is not whole: {MESSAGES[self.status]}"]
        return Table("Optimal trees for every price of a leaf", columns, told).to_text(max_width)

    def __str__(self) -> str:
        """Return the table as text."""
        return self.to_text()

    def __repr__(self) -> str:
        """Return one line: how many trees, to which depth."""
        return f"<OptimalPath: {len(self.trees)} trees up to depth {int(self.table['depth'].max())}>"


def _prices(row: Record) -> str:
    """Write the prices for which a tree is the best."""
    least, most = row["penalty_from"], row["penalty_to"]
    if math.isinf(most):
        return f"{least:.4g} or more" if least else "any"
    return f"{least:.4g} to {most:.4g}" if least else f"up to {most:.4g}"


def optimal_path(
    X: TableLike,
    y: VectorLike = None,
    *,
    max_depth: int = 3,
    model: OptimalTreeClassifier | None = None,
    sample_weight: VectorLike = None,
) -> OptimalPath:
    """Find the optimal tree for every price of a leaf, for every depth up to a limit.

    These trees are the corners of the convex front of leaves and loss. Each is proven to be the best for the
    prices between ``penalty_from`` and ``penalty_to``.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,), default=None
        Class labels; None if `X` is a Dataset that holds them.
    max_depth : int, default=3
        The largest depth.
    model : OptimalTreeClassifier, default=None
        Estimator whose other parameters are used; it is not fitted. Its `leaf_penalty` is ignored, its
        `time_limit` holds for all searches together. None uses the defaults.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, as in ``fit``.

    Returns
    -------
    path : OptimalPath
        It prints as a table, and draws itself with ``path.plot()``.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If the data cannot be used.

    Examples
    --------
    >>> from treewright import datasets
    >>> from treewright.optimal import optimal_path
    >>> path = optimal_path(datasets.load("iris"), max_depth=2)
    >>> path.table[["depth", "n_leaves", "loss"]].tolist()
    [(0, 1, 100.0), (1, 1, 100.0), (1, 2, 50.0), (2, 1, 100.0), (2, 2, 50.0), (2, 3, 6.0)]
    """
    used = copy_of("model", model, OptimalTreeClassifier).set_params(max_depth=max_depth, leaf_penalty=0.0)
    task = OptimalTask.of(used)
    if task.chooses_depth:
        raise ParameterError("max_depth", max_depth, "must be an int of at least 0: the path has every depth")
    training = used._intake(X, y, sample_weight)
    course = Course(Clock(task.limits.time_limit))
    searches = Searches(training, task, course)
    rows: list[tuple[object, ...]] = []
    trees: list[Tree] = []
    for depth in range(task.max_depth + 1):
        front = searches.front(depth)
        for i, point in enumerate(front):
            larger = front[i + 1] if i + 1 < len(front) else None
            smaller = front[i - 1] if i else None
            least = 0.0 if larger is None else float(point.price_against(larger))
            most = float("inf") if smaller is None else float(smaller.price_against(point))
            rows.append((depth, point.n_leaves, float(point.loss), point.bound, least, most, point.status))
            trees.append(point.tree)
        if course.raised is not None:
            raise course.raised
        if course.is_over:
            break
    return OptimalPath(ResultTable.from_rows(rows, FIELDS), tuple(trees), course.status or "optimal")
