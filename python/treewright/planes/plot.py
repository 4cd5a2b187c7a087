"""A fitted plane, drawn: its path, its weights, the samples it parts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import ParameterError
from treewright.reporting.matplotlib_glue import (
    axes,
    new_figure,
    whole_numbers,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.planes import RobustLinearClassifier

BELOW, ABOVE = "#0072b2", "#d55e00"
CHOSEN = "black"
MOST_WEIGHTS = 30
"""Weights that are drawn; of more, the largest."""


def plot_plane(model: RobustLinearClassifier, X: Any = None, y: Any = None) -> Figure:
    """Draw all there is to see of a fitted plane on one page.

    Parameters
    ----------
    model : RobustLinearClassifier
        Fitted.
    X, y : array-like, default=None
        Samples to show around the plane, if it uses two or three features.

    Returns
    -------
    figure : matplotlib.figure.Figure
        The path where there is one, the weights, and the samples.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    check_is_fitted(model)
    has_path = len(model.path_) > 0
    has_samples = X is not None and len(model.planes_[0].support) in (2, 3)
    n_drawings = 1 + has_path + has_samples
    figure = new_figure("plot_plane", width=5.6 * n_drawings, height=4.6, padding=0.1)
    place = 1
    if has_path:
        plot_plane_path(model, figure.add_subplot(1, n_drawings, place))
        place += 1
    plot_plane_weights(model, figure.add_subplot(1, n_drawings, place))
    if has_samples:
        flat = len(model.planes_[0].support) == 2
        room: dict[str, Any] = {} if flat else {"projection": "3d"}
        plot_plane_samples(model, X, y, figure.add_subplot(1, n_drawings, place + 1, **room))
    return figure


def plot_plane_path(model: RobustLinearClassifier, ax: Axes | None = None) -> Axes:
    """Draw the least error found for every number of features, and what cross-validation says of it.

    Parameters
    ----------
    model : RobustLinearClassifier
        Fitted with ``selection="path"``; with more than two classes, the first plane is drawn.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        The error of the plane on the left axis, the test error in percent with a standard error to either
        side on the right one; a line marks the number that was chosen.

    Raises
    ------
    ParameterError
        If the model has no path.
    ImportError
        If matplotlib is not installed.
    """
    check_is_fitted(model)
    path = model.path_
    if not len(path):
        raise ParameterError(
            f"selection={model.selection!r} leaves no path to draw; fit with selection='path'"
        )
    ax = axes(ax, "plot_plane_path", width=6.0, height=4.4)
    lines = ax.plot(path["n_features"], path["error"], "o-", color=BELOW, label="error of the plane (left)")
    ax.set_xlabel("number of features")
    ax.set_ylabel("error of the plane on the samples of fit")
    ax.set_ylim(bottom=0)
    ax.xaxis.set_major_locator(whole_numbers())
    ax.grid(alpha=0.25, linewidth=0.6)
    handles: list[Any] = list(lines)
    if np.isfinite(path["test_error"]).any():
        right = ax.twinx()
        look: dict[str, Any] = {"color": ABOVE, "fmt": "D--", "capsize": 3, "elinewidth": 0.9}
        test, spread = 100 * path["test_error"], 100 * path["standard_error"]
        handles.append(
            right.errorbar(path["n_features"], test, yerr=spread, label="test error (right)", **look)
        )
        right.set_ylabel("error on held-out samples, %")
        right.set_ylim(bottom=0)
    n_chosen = len(model.planes_[0].support)
    handles.append(ax.axvline(n_chosen, color=CHOSEN, linestyle=":", label=f"chosen: {n_chosen}"))
    ax.legend(
        handles=handles,
        loc="lower center",
        bbox_to_anchor=(0.5, 1),
        ncols=3,
        frameon=False,
        fontsize="small",
    )
    return ax


def plot_plane_weights(model: RobustLinearClassifier, ax: Axes | None = None) -> Axes:
    """Draw the weights of a plane in scaled units, where they can be compared.

    Parameters
    ----------
    model : RobustLinearClassifier
        Fitted; with more than two classes, the first plane is drawn.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        A bar a column that is used, the largest on top, at most thirty.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    check_is_fitted(model)
    plane = model.planes_[0]
    scaled = plane.coef * plane.scaling.scale
    used = np.flatnonzero(scaled)
    order = used[np.argsort(-np.abs(scaled[used]), kind="stable")][:MOST_WEIGHTS]
    ax = axes(ax, "plot_plane_weights", width=6.0, height=1.6 + 0.32 * max(len(order), 3))
    colours = [ABOVE if weight > 0 else BELOW for weight in scaled[order]]
    ax.barh(range(len(order)), scaled[order], color=colours)
    ax.set_yticks(range(len(order)), [model.column_names_[column] for column in order])
    ax.invert_yaxis()
    ax.axvline(0, color="0.4", linewidth=0.8)
    upper = model.plane_classes_[0]
    ax.set_xlabel(f"weight for one standard deviation\n(to the right: from {_other(model)} to {upper})")
    ax.set_axisbelow(True)
    if not len(order):
        ax.text(0.5, 0.5, "no feature is used", transform=ax.transAxes, horizontalalignment="center")
    elif len(order) < len(used):
        ax.set_title(f"the {len(order)} largest of {len(used)} weights", fontsize="medium")
    ax.grid(axis="x", alpha=0.25, linewidth=0.6)
    return ax


def plot_plane_samples(model: RobustLinearClassifier, X: Any, y: Any = None, ax: Axes | None = None) -> Axes:
    """Draw samples around a plane of two or three features.

    Parameters
    ----------
    model : RobustLinearClassifier
        Fitted, its first plane using two or three columns.
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,), default=None
        Their classes, by which they are coloured; None shows all alike. A Dataset brings its own.
    ax : matplotlib.axes.Axes, default=None
        Where to draw, with ``projection="3d"`` for three features; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        Samples in raw units, those on the wrong side ringed, and the plane: a line, or a sheet.

    Raises
    ------
    ParameterError
        If the plane does not use two or three columns, or `ax` is flat and it uses three, or the other way
        round.
    ImportError
        If matplotlib is not installed.
    """
    check_is_fitted(model)
    plane = model.planes_[0]
    used = np.flatnonzero(plane.coef)
    if len(used) not in (2, 3):
        raise ParameterError(
            f"the plane uses {len(used)} columns, and samples can be drawn around 2 or 3; limit them with "
            "selection='limited', n_features=2"
        )
    if ax is None:
        figure = new_figure("plot_plane_samples", width=6.4, height=5.2)
        ax = figure.add_subplot() if len(used) == 2 else figure.add_subplot(projection="3d")
    _check_room(ax, len(used))
    matrix = np.where(np.isnan(raw := model._prepared(X)), plane.scaling.centre, raw)[:, used]
    _draw_classes(ax, model, matrix, _classes(X, y), plane.scores(raw) > 0)
    weights, level = plane.coef[used], -plane.intercept
    limits = np.array([matrix.min(axis=0), matrix.max(axis=0)])
    limits += np.array([[-0.04], [0.04]]) * np.ptp(limits, axis=0)
    (_line if len(used) == 2 else _sheet)(ax, weights, level, limits)
    names = [model.column_names_[column] for column in used]
    for name, setter in zip(names, ("set_xlabel", "set_ylabel", "set_zlabel"), strict=False):
        getattr(ax, setter)(name)
    ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1), ncols=4, frameon=False, fontsize="small")
    return ax


def _check_room(ax: Axes, n_columns: int) -> None:
    """Refuse axes of the wrong number of dimensions."""
    is_deep = hasattr(ax, "get_zlim")
    if is_deep != (n_columns == 3):
        remedy = "without a projection" if is_deep else "that have projection='3d'"
        raise ParameterError(f"the plane uses {n_columns} columns, so ax must be axes {remedy}, or None")


def _other(model: RobustLinearClassifier) -> str:
    """Return what is on the lower side of the first plane."""
    others = [label for label in model.classes_.tolist() if label != model.plane_classes_.tolist()[0]]
    return str(others[0]) if len(others) == 1 else "the others"


def _classes(X: Any, y: Any) -> Any:
    if y is None and hasattr(X, "classes") and X.target is not None:
        return X.classes[X.target]
    return None if y is None else np.asarray(y)


def _draw_classes(ax: Axes, model: RobustLinearClassifier, matrix: Any, labels: Any, above: Any) -> None:
    look: dict[str, Any] = {"s": 16, "alpha": 0.6, "linewidths": 0}
    if labels is None:
        ax.scatter(*matrix.T, color="0.4", label="samples", **look)
        return
    upper = model.plane_classes_.tolist()[0]
    is_upper = np.array([label == upper for label in labels.tolist()])
    others = _other(model)
    for part, colour, shape, name in (
        (is_upper, ABOVE, "^", f"{upper}"),
        (~is_upper, BELOW, "o", others),
    ):
        ax.scatter(*matrix[part].T, color=colour, marker=shape, label=name, **look)
    wrong = is_upper != above
    if wrong.any():
        ring: dict[str, Any] = {"facecolors": "none", "edgecolors": CHOSEN, "linewidths": 0.8, "s": 42}
        ax.scatter(*matrix[wrong].T, label=f"on the wrong side ({int(wrong.sum()):,})", **ring)


def _line(ax: Axes, weights: Any, level: float, limits: Any) -> None:
    """Draw the line over the wider of its two axes, so that a steep one is drawn too."""
    reach = np.abs(weights) * np.ptp(limits, axis=0)
    along = int(np.argmin(reach))
    across = 1 - along
    ends = limits[:, along]
    other = (level - weights[along] * ends) / weights[across]
    points: list[Any] = [None, None]
    points[along], points[across] = ends, other
    ax.plot(*points, color=CHOSEN, linewidth=1.4, label="plane")
    ax.set_xlim(*limits[:, 0])
    ax.set_ylim(*limits[:, 1])


def _sheet(ax: Axes, weights: Any, level: float, limits: Any) -> None:
    """Draw the sheet over two axes, where it is inside the limits of the third."""
    reach = np.abs(weights) * np.ptp(limits, axis=0)
    across = int(np.argmax(reach))
    first, second = (axis for axis in range(3) if axis != across)
    grid = np.meshgrid(*(np.linspace(limits[0, axis], limits[1, axis], 25) for axis in (first, second)))
    height = (level - weights[first] * grid[0] - weights[second] * grid[1]) / weights[across]
    inside = (height >= limits[0, across]) & (height <= limits[1, across])
    points: list[Any] = [None, None, None]
    points[first], points[second], points[across] = *grid, np.where(inside, height, np.nan)
    space: Any = ax
    space.plot_surface(*points, color="0.5", alpha=0.35, linewidth=0)
    for axis, setter in enumerate(("set_xlim", "set_ylim", "set_zlim")):
        getattr(space, setter)(*limits[:, axis])
