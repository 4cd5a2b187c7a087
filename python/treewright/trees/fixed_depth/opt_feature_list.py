"""The opt-feature list: which last question is best, for every probability of the class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.shown import shown_values
from treewright._base.wording import Param
from treewright.data.training import TrainingSet, class_factors
from treewright.data.types import AnyArray, FloatArray, IntArray
from treewright.reporting.matplotlib_glue import axes, in_picture
from treewright.results import ResultTable
from treewright.trees.fixed_depth.search import Found

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class OptFeatureList:
    """Opt-feature list: the features ranked as last test, for every probability x of the second class.

    All results of earlier tests are summarised by x = P(class 1 | results). Testing feature j then has the
    value Acc(j, x), the expected accuracy of the prediction after this test. It is convex and piecewise
    linear in x, so the ranking of the features changes only at a few breakpoints.

    Attributes
    ----------
    breakpoints : ndarray of shape (n_intervals,)
        Left ends of the intervals of x, ascending from 0; each goes up to the next, the last up to 1.
    features : ndarray of shape (n_intervals, width)
        Positions of the best features in every interval, the best first.
    lines : ndarray of shape (n_intervals, width, 2)
        Their values as lines: the value of the line at x = 0 and at x = 1, for every interval.
    feature_names : sequence of str
        Names of all features, by position.
    classes : ndarray of shape (2,)
        The classes; x is the probability of the second.
    start : float
        x before any test.
    likelihoods : list of ndarray of shape (n_values, 2)
        P(value | class) of every feature.

    See Also
    --------
    FixedDepthTreeClassifier : Keeps the list of its data as ``opt_feature_list_``.

    Notes
    -----
    Features of equal value over an interval, such as those that cannot change the prediction there, are
    ranked by position. A path of d - 1 tests may have used the d - 1 best features, so a tree of depth d
    needs `width` d.

    References
    ----------
    A. Farhangfar, R. Greiner, M. Zinkevich, "A Fast Way to Produce Near-Optimal Fixed-Depth Decision Trees",
    2008, section 3.

    Examples
    --------
    >>> from treewright import FixedDepthTreeClassifier, datasets
    >>> model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("monks-3"))
    >>> ranking = model.opt_feature_list_
    >>> ranking.breakpoints.round(3)
    array([0.   , 0.247, 0.275, 0.291, 0.361, 0.695, 0.919, 0.992])
    >>> ranking.lookup(0.5)
    array([1, 4])
    """

    breakpoints: FloatArray
    features: IntArray
    lines: FloatArray
    feature_names: Sequence[str]
    classes: AnyArray
    start: float
    likelihoods: list[FloatArray]

    @property
    def width(self) -> int:
        """Number of features that are ranked for every x."""
        return int(self.features.shape[1])

    def lookup(self, x: object) -> IntArray:
        """Return the best features for a probability of the second class.

        Parameters
        ----------
        x : float or array-like of shape (n,)
            Probabilities, from 0 to 1.

        Returns
        -------
        features : ndarray of shape (width,) or (n, width)
            Positions, the best first. At a breakpoint those of the interval on its right.

        Raises
        ------
        DataError
            If `x` is not a probability.
        """
        return self.features[self._interval(x)]

    def values(self, x: object) -> FloatArray:
        """Return the values of the best features for a probability of the second class.

        Parameters
        ----------
        x : float or array-like of shape (n,)
            Probabilities, from 0 to 1.

        Returns
        -------
        values : ndarray of shape (width,) or (n, width)
            Expected accuracies in the order of `lookup`.
        """
        lines, at = self.lines[self._interval(x)], np.asarray(x, dtype=np.float64)[..., np.newaxis]
        return np.asarray(lines[..., 0] * (1 - at) + lines[..., 1] * at, dtype=np.float64)

    def value_of(self, feature: int, x: object) -> FloatArray:
        """Return the value of one feature as last test, ranked or not.

        Parameters
        ----------
        feature : int
            Its position.
        x : float or array-like of shape (n,)
            Probabilities, from 0 to 1.

        Returns
        -------
        values : ndarray of shape (n,)
            Acc(feature, x): the sum over its values of the larger of x P(value | 1) and (1 - x) P(value | 0).
        """
        self._interval(x)
        at, of = np.asarray(x, dtype=np.float64)[..., np.newaxis], self.likelihoods[feature]
        return np.asarray(np.maximum(at * of[:, 1], (1 - at) * of[:, 0]).sum(axis=-1), dtype=np.float64)

    def to_frame(self) -> pd.DataFrame:
        """Return the list as a pandas frame, one row for each interval and rank.

        Returns
        -------
        frame : pandas.DataFrame
            Columns ``start``, ``end``, ``rank`` (from 1), ``feature``, ``name``, ``at_0``, ``at_1``.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        ends = [*self.breakpoints[1:].tolist(), 1.0]
        rows = [
            (start, end, rank + 1, int(feature), self.feature_names[feature], *line)
            for start, end, features, lines in zip(
                self.breakpoints.tolist(), ends, self.features, self.lines.tolist(), strict=True
            )
            for rank, (feature, line) in enumerate(zip(features, lines, strict=True))
        ]
        longest = max(map(len, self.feature_names))
        numbers = [("at_0", "float64"), ("at_1", "float64")]
        head = [("start", "float64"), ("end", "float64"), ("rank", "int64"), ("feature", "int64")]
        return ResultTable.from_rows(rows, [*head, ("name", f"U{longest}"), *numbers]).to_frame()

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the value of every ranked feature as last test, and the best of all.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Against the probability x of the second class: one line for each feature that is ever the best;
            thick, in its colour, where it is; grey those that only come next. Shaded: what no question at all
            is worth. Small ticks along the lower edge are the breakpoints.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> from treewright import FixedDepthTreeClassifier, datasets
        >>> model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("tic-tac-toe"))
        >>> ax = model.opt_feature_list_.plot()
        >>> ax.get_xlabel()
        'probability of class positive'
        """
        ax = axes(ax, "OptFeatureList.plot", width=6.8, height=4.8)
        _draw(ax, self)
        return ax

    def __repr__(self) -> str:
        """Return one line: how much is ranked."""
        sizes = f"{len(self.breakpoints)} intervals, {self.width} of {len(self.feature_names)} features each"
        return f"<OptFeatureList: {sizes}>"

    def _interval(self, x: object) -> NDArray[np.intp]:
        at = np.asarray(x, dtype=np.float64)
        if not np.all((at >= 0) & (at <= 1)):
            raise DataError(Param("x", x), " must be a probability, or an array of them, from 0 to 1")
        return np.searchsorted(self.breakpoints, at, side="right") - 1


def opt_feature_list(best: Found, training: TrainingSet, width: int) -> OptFeatureList | None:
    """Make the list of the samples of a search; None where they have other than two classes."""
    classes, dataset = training.classes, best.dataset
    if len(classes) != 2:
        return None
    factors = class_factors(training.class_weight, training)
    priors = {"class_prior": best.task.class_prior, "value_prior": best.task.value_prior}
    found = _core.opt_feature_list(dataset.core, width=width, class_weight=factors, **priors)
    sizes = np.cumsum([len(levels or ()) for levels in dataset.levels])
    return OptFeatureList(
        breakpoints=found.starts,
        features=found.features.astype(np.int64),
        lines=np.stack([found.at0, found.at1], axis=-1),
        feature_names=tuple(dataset.feature_names),
        classes=classes,
        start=float(found.classes[1]),
        likelihoods=np.split(found.likelihoods, sizes[:-1]),
    )


COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8c6d31", "#5b4b8a")
"""Colours that the colour-blind tell apart, for features in turn."""

DASHES = ("-", (0, (5, 1.5)), (0, (1.5, 1)), (0, (6, 1, 1.5, 1)))
"""For more features than colours."""

GRID = 513
"""Points that lines are drawn through besides their ends."""


def _draw(ax: Axes, ranking: OptFeatureList) -> None:
    """Draw every ranked feature, and the best of all in front."""
    x = np.union1d(np.linspace(0, 1, GRID), ranking.breakpoints)
    idle = np.maximum(x, 1 - x)
    best = _best(ranking, x)
    first = [feature for feature in dict.fromkeys(best.tolist()) if feature >= 0]
    for feature in sorted({*ranking.features.ravel().tolist()} - {*first}):
        ax.plot(x, ranking.value_of(feature, x), color="0.72", linewidth=0.8, zorder=2)
    for place, feature in enumerate(first):
        _draw_feature(ax, ranking, feature, place, x, best == feature)
    ax.plot(x, np.where(best < 0, idle, np.nan), color="black", linewidth=3, label="no question", zorder=3)
    ax.fill_between(x, 0, idle, color="0.93", linewidth=0, zorder=1)
    ax.axvline(ranking.start, color="0.35", linewidth=0.9, linestyle=(0, (2, 2)), zorder=2)
    _lay_out(ax, ranking, best)


def _best(ranking: OptFeatureList, x: AnyArray) -> AnyArray:
    """Return the best feature at every x, -1 where none is worth more than no question."""
    is_worth = ranking.values(x)[:, 0] > np.maximum(x, 1 - x) + 1e-12
    return np.where(is_worth, ranking.lookup(x)[:, 0], -1)


def _draw_feature(
    ax: Axes, ranking: OptFeatureList, feature: int, place: int, x: AnyArray, is_best: AnyArray
) -> None:
    colour = COLOURS[place % len(COLOURS)]
    value = ranking.value_of(feature, x)
    dashes = DASHES[place // len(COLOURS) % len(DASHES)]
    reached = is_best | np.concatenate([[False], is_best[:-1]])  # up to the end of the interval
    ax.plot(x, value, color=colour, linewidth=0.9, linestyle=dashes, zorder=3)
    name = in_picture(ranking.feature_names[feature])
    ax.plot(x, np.where(reached, value, np.nan), color=colour, linewidth=3, label=name, zorder=4)


def _lay_out(ax: Axes, ranking: OptFeatureList, best: AnyArray) -> None:
    classes = ranking.classes
    ax.set_xlim(0, 1)
    ax.set_ylim(0.48, 1.005)
    ax.plot(ranking.breakpoints, np.full(len(ranking.breakpoints), 0.48), "|", color="black", clip_on=False)
    ax.set_xlabel(f"probability of class {in_picture(shown_values(classes.tolist())[1])}")
    ax.set_ylabel("expected accuracy after one more question")
    ax.text(
        ranking.start,
        0.49,
        " before any question",
        fontsize="x-small",
        color="0.35",
        horizontalalignment="left" if ranking.start < 0.7 else "right",
    )
    title = "best last question" if (best >= 0).any() else "no question is worth asking"
    ax.legend(title=title, loc="center left", bbox_to_anchor=(1.01, 0.5), frameon=False, fontsize="small")
