"""Pictures of a fitted plane: its path, its weights, and samples around it."""

from __future__ import annotations

from abc import abstractmethod
from itertools import product
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import ParameterError
from treewright._base.shown import shown_values
from treewright._base.wording import UNSET, Param
from treewright.data.dataset import Dataset
from treewright.data.types import AnyArray, BoolArray, FloatArray, TableLike, VectorLike
from treewright.planes.fit import Plane
from treewright.reporting.matplotlib_glue import axes, in_picture, new_figure, whole_numbers
from treewright.results import ResultTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

BELOW, ABOVE = "#0072b2", "#d55e00"
CHOSEN = "black"
MOST_WEIGHTS = 30
"""Largest number of weights in a picture."""
LEAST_WEIGHTS = 4
"""Bars of fewer weights are no thicker than these many."""
MOST_SPREAD = 10
"""Samples are spread in a column of at most so many values."""
SPREAD = 0.08
"""How far, as a share of the least distance of two values."""


class SurfaceAxes(Protocol):
    """Axes of three dimensions."""

    def add_collection3d(self, collection: object) -> object:
        """Draw a surface."""


class PlanePlots:
    """The plot methods of `RobustLinearClassifier`; with more than two classes they show the first plane.

    They raise ``ImportError`` if matplotlib is not installed.
    """

    selection: str | None
    planes_: list[Plane]
    path_: ResultTable
    column_names_: list[str]
    plane_classes_: AnyArray
    classes_: AnyArray

    @abstractmethod
    def _matrix(self, X: TableLike) -> FloatArray:
        """Return new data as columns of numbers."""

    def plot(self, X: TableLike = None, y: VectorLike = None) -> Figure:
        """Draw the path, the weights and the samples on one page.

        Parameters
        ----------
        X, y : array-like, default=None
            Samples to show around the plane, if it uses two or three columns; a nominal feature has several.

        Returns
        -------
        figure : matplotlib.figure.Figure
            The path if there is one, the weights, and the samples.
        """
        check_is_fitted(self)
        n_columns = int(np.count_nonzero(self.planes_[0].coef))
        has_path, has_samples = len(self.path_) > 0, X is not None and n_columns in (2, 3)
        n_drawings = 1 + has_path + has_samples
        figure = new_figure("plot", width=5.6 * n_drawings, height=4.6, padding=0.1)
        if has_path:
            self.plot_path(figure.add_subplot(1, n_drawings, 1))
        self.plot_weights(figure.add_subplot(1, n_drawings, 1 + has_path))
        if has_samples:
            projection = None if n_columns == 2 else "3d"
            ax = figure.add_subplot(1, n_drawings, n_drawings, projection=projection)
            self.plot_samples(X, y, ax)
        return figure

    def plot_path(self, ax: Axes | None = None) -> Axes:
        """Draw the least error found for every number of features, and the cross-validation error.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            The error of the plane on the left axis, the cross-validation error in percent with a standard
            error to either side on the right axis; a line marks the chosen number.

        Raises
        ------
        ParameterError
            If the model has no path: fit it with ``selection="path"``.
        """
        check_is_fitted(self)
        path = self.path_
        if not len(path):
            remedy = ("fit with ", Param("selection", "path"))
            raise ParameterError("selection", self.selection, "leaves no path to draw", remedy)
        ax = axes(ax, "plot_path", width=6.0, height=4.4)
        handles: list[object] = [
            *ax.plot(path["n_features"], path["error"], "o-", color=BELOW, label="error of the plane (left)")
        ]
        ax.set_xlabel("number of features")
        ax.set_ylabel("error of the plane on the samples of fit")
        ax.set_ylim(bottom=0)
        ax.xaxis.set_major_locator(whole_numbers())
        ax.grid(alpha=0.25, linewidth=0.6)
        if np.isfinite(path["test_error"]).any():
            handles.append(_test_errors(ax, path))
        n_chosen = len(self.planes_[0].support)
        handles.append(ax.axvline(n_chosen, color=CHOSEN, linestyle=":", label=f"chosen: {n_chosen}"))
        _legend(ax, n_columns=3, handles=handles)
        return ax

    def plot_weights(self, ax: Axes | None = None) -> Axes:
        """Draw the weights of the plane in scaled units, in which they can be compared.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One bar for each column that is used, the largest on top, at most thirty.
        """
        check_is_fitted(self)
        plane = self.planes_[0]
        scaled = plane.coef * plane.scaling.scale
        used = np.flatnonzero(scaled)
        order = used[np.argsort(-np.abs(scaled[used]), kind="stable")][:MOST_WEIGHTS]
        ax = axes(ax, "plot_weights", width=6.0, height=1.6 + 0.32 * max(len(order), 3))
        colours = [ABOVE if weight > 0 else BELOW for weight in scaled[order]]
        ax.barh(range(len(order)), scaled[order], color=colours)
        ax.set_yticks(range(len(order)), [in_picture(self.column_names_[column]) for column in order])
        blank = max(0, LEAST_WEIGHTS - len(order)) / 2
        ax.set_ylim(len(order) - 0.5 + blank, -0.5 - blank)
        ax.axvline(0, color="0.4", linewidth=0.8)
        lower, upper = self._sides()
        ax.set_xlabel(f"weight for one standard deviation\n(to the right: from {lower} to {upper})")
        ax.set_axisbelow(True)
        if not len(order):
            ax.text(0.5, 0.5, "no feature is used", transform=ax.transAxes, horizontalalignment="center")
        elif len(order) < len(used):
            ax.set_title(f"the {len(order)} largest of {len(used)} weights", fontsize="medium")
        ax.grid(axis="x", alpha=0.25, linewidth=0.6)
        return ax

    def plot_samples(self, X: TableLike, y: VectorLike = None, ax: Axes | None = None) -> Axes:
        """Draw samples around the plane, if it uses two or three columns.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples.
        y : array-like of shape (n_samples,), default=None
            Their classes, which give their colours; None shows all alike. A Dataset brings its own.
        ax : matplotlib.axes.Axes, default=None
            Where to draw, with ``projection="3d"`` for three columns; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            The samples in raw units, with a ring around those on the wrong side, and the plane as a line or a
            surface. In columns of at most ten values samples are spread a little, so that equal ones show.

        Raises
        ------
        ParameterError
            If the plane does not use two or three columns, or `ax` has the wrong number of dimensions.
        """
        check_is_fitted(self)
        plane = self.planes_[0]
        used = np.flatnonzero(plane.coef)
        ax = _axes_of_samples(ax, len(used))
        raw = self._matrix(X)
        matrix = _spread(np.where(np.isnan(raw), plane.scaling.centre, raw)[:, used])
        if y is None and isinstance(X, Dataset) and X.classes is not None and X.target is not None:
            y = X.classes[X.target]
        if y is None:
            _scatter(ax, matrix, 16, color="0.4", label="samples", alpha=0.6, linewidths=0)
        else:
            is_upper = np.asarray(np.asarray(y) == self.plane_classes_[0])
            _draw_classes(ax, matrix, is_upper, plane.scores(raw) > 0, self._sides())
        limits = np.array([matrix.min(axis=0), matrix.max(axis=0)])
        limits += np.array([[-0.04], [0.04]]) * np.ptp(limits, axis=0)
        (draw_line if len(used) == 2 else draw_surface)(ax, plane.coef[used], -plane.intercept, limits)
        for column, axis in zip(used, "xyz", strict=False):
            getattr(ax, f"set_{axis}label")(in_picture(self.column_names_[column]))
        _legend(ax, n_columns=4)
        return ax

    def _sides(self) -> tuple[str, str]:
        """Return what is below and what is above the first plane."""
        labels = self.classes_.tolist()
        names = dict(zip(labels, map(in_picture, shown_values(labels)), strict=True))
        upper = self.plane_classes_.tolist()[0]
        others = [label for label in labels if label != upper]
        return names[others[0]] if len(others) == 1 else "the others", names[upper]


def _test_errors(ax: Axes, path: ResultTable) -> object:
    """Draw cross-validation errors in percent on a second axis."""
    right = ax.twinx()
    test, spread = 100 * path["test_error"], 100 * path["standard_error"]
    bars = right.errorbar(
        path["n_features"],
        test,
        yerr=spread,
        label="test error (right)",
        color=ABOVE,
        fmt="D--",
        capsize=3,
        elinewidth=0.9,
    )
    right.set_ylabel("error on held-out samples, %")
    right.set_ylim(bottom=0)
    return bars


def _legend(ax: Axes, n_columns: int, handles: list[object] | None = None) -> None:
    """Put the legend above the axes."""
    ax.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=n_columns,
        frameon=False,
        fontsize="small",
    )


def _axes_of_samples(ax: Axes | None, n_columns: int) -> Axes:
    """Return axes with a dimension for each column; refuse what cannot be drawn."""
    if n_columns not in (2, 3):
        limited = Param("selection", "limited"), ", ", Param("n_features", 2)
        raise ParameterError(
            "X",
            UNSET,
            f"cannot be drawn: the plane uses {n_columns} columns, and samples can be drawn around 2 or 3",
            ("limit them with ", *limited),
        )
    if ax is None:
        figure = new_figure("plot_samples", width=6.4, height=5.2)
        return figure.add_subplot(projection=None if n_columns == 2 else "3d")
    is_deep = hasattr(ax, "get_zlim")
    if is_deep != (n_columns == 3):
        remedy = "without a projection" if is_deep else "that have projection='3d'"
        raise ParameterError(
            "ax", UNSET, f"must be axes {remedy}, or None: the plane uses {n_columns} columns"
        )
    return ax


def _draw_classes(
    ax: Axes, matrix: FloatArray, is_upper: BoolArray, above: BoolArray, sides: tuple[str, str]
) -> None:
    """Draw samples in the colours of their classes, with a ring around those on the wrong side."""
    lower, upper = sides
    for part, colour, shape, name in ((is_upper, ABOVE, "^", upper), (~is_upper, BELOW, "o", lower)):
        _scatter(ax, matrix[part], 16, color=colour, marker=shape, label=name, alpha=0.6, linewidths=0)
    wrong = is_upper != above
    if wrong.any():
        ring = f"on the wrong side ({int(wrong.sum()):,})"
        _scatter(ax, matrix[wrong], 42, label=ring, facecolors="none", edgecolors=CHOSEN, linewidths=0.8)


def _spread(matrix: FloatArray) -> FloatArray:
    """Move samples a little in columns of few values, so that equal ones show; always in the same way."""
    moves, spread = np.random.default_rng(0), matrix.copy()
    for column in range(matrix.shape[1]):
        values = np.unique(matrix[:, column])
        if 2 <= len(values) <= MOST_SPREAD:
            reach = SPREAD * float(np.diff(values).min())
            spread[:, column] += moves.uniform(-reach, reach, len(matrix))
    return spread


def _scatter(ax: Axes, matrix: FloatArray, size: float, **style: object) -> None:
    """Draw points in two or three dimensions."""
    ax.scatter(*matrix.T, s=size, **style)  # type: ignore[misc, arg-type]


def draw_line(ax: Axes, weights: FloatArray, level: float, limits: FloatArray) -> None:
    """Draw the line over the wider of its two axes, so that a steep line is drawn too."""
    reach = np.abs(weights) * np.ptp(limits, axis=0)
    along = int(np.argmin(reach))
    across = 1 - along
    ends = limits[:, along]
    other = (level - weights[along] * ends) / weights[across]
    points = (ends, other) if along == 0 else (other, ends)
    ax.plot(*points, color=CHOSEN, linewidth=1.4, label="plane")
    ax.set_xlim(*limits[:, 0])
    ax.set_ylim(*limits[:, 1])


def draw_surface(ax: Axes, weights: FloatArray, level: float, limits: FloatArray) -> None:
    """Draw the plane inside the limits; `ax` has three dimensions."""
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # type: ignore[import-untyped]

    space = cast("SurfaceAxes", ax)
    space.add_collection3d(
        Poly3DCollection([sheet(weights, level, limits)], color="0.5", alpha=0.35, linewidth=0)
    )
    for axis, name in enumerate("xyz"):
        getattr(space, f"set_{name}lim")(*limits[:, axis])


def sheet(weights: FloatArray, level: float, limits: FloatArray) -> FloatArray:
    """Return the corners of the part of a plane that is inside a box, in the order around it."""
    found = []
    for axis, ends in product(range(3), product((0, 1), repeat=2)):
        others = [other for other in range(3) if other != axis]
        corner = np.empty(3)
        corner[others] = limits[ends, others]
        corner[axis] = (level - weights[others] @ corner[others]) / weights[axis]
        if limits[0, axis] <= corner[axis] <= limits[1, axis]:
            found.append(corner)
    corners = np.array(found, dtype=np.float64).reshape(-1, 3)
    if not found:
        return corners
    seen = np.delete(corners, np.argmax(np.abs(weights) * np.ptp(limits, axis=0)), axis=1)
    away = seen - seen.mean(axis=0)
    order = np.argsort(np.arctan2(away[:, 1], away[:, 0]), kind="stable")
    return np.asarray(corners[order], dtype=np.float64)
