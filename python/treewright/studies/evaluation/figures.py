"""The figures, each from true classes, answers and probabilities."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, BoolArray, FloatArray, IntArray

Z = 1.959963984540054
"""Of the normal distribution, for an interval of 95 %."""
LEAST = 2.0**-52
"""A probability of 0 counts as this in the log loss, as in scikit-learn."""
MOST_BINS = 10


@dataclass(frozen=True)
class Share:
    """A share with its interval of 95 % (Wilson); NaN where it is of nothing."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, part: float, whole: float, n_rows: float) -> Share:
        """Return part ÷ whole with its interval.

        Parameters
        ----------
        part : float
            Weight of the rows that are counted.
        whole : float
            Weight of all rows.
        n_rows : float
            Number of independent rows that tell the share as surely.

        Returns
        -------
        share : Share
            NaN where `whole` is 0.
        """
        if not whole or n_rows <= 0:
            return cls(math.nan, math.nan, math.nan)
        share, z = part / whole, Z * Z / n_rows
        middle = (share + z / 2) / (1 + z)
        half = math.sqrt(max(share * (1 - share) * z + z * z / 4, 0.0)) / (1 + z)
        return cls(share, max(middle - half, 0.0), min(middle + half, 1.0))


@dataclass(frozen=True)
class ClassFigures:
    """How well one class is told: weights of its rows and of the answers, and what of them is right."""

    label: Label
    weight: float
    predicted_weight: float
    precision: Share
    recall: Share
    auc: float


@dataclass(frozen=True)
class Bin:
    """Rows of about one probability: their number, its mean, and the share that turned out so."""

    n_samples: int
    predicted: float
    observed: Share


@dataclass(frozen=True, eq=False)
class Answers:
    """True classes, answers, probabilities and weights of rows.

    Attributes
    ----------
    classes : tuple
        The model's classes, and behind them true classes that it does not know.
    target, predicted : ndarray of int
        Positions in `classes`.
    probabilities : ndarray of shape (n_samples, n_known)
        Of the classes that the model knows.
    weights : ndarray of shape (n_samples,)
        What each row counts.
    groups : ndarray of int, or None
        Rows of one number are not independent, as visits of one patient.
    n_repeats : int
        How often each row comes.
    counting : ndarray of shape (n_samples,), or None
        What each row counts in error and cost, where that is not its weight: in a balanced error the rows of
        every class add up to the same.
    """

    classes: tuple[Label, ...]
    target: IntArray
    predicted: IntArray
    probabilities: FloatArray
    weights: FloatArray
    groups: IntArray | None = None
    n_repeats: int = 1
    counting: FloatArray | None = None

    def of(self, rows: AnyArray) -> Answers:
        """Return those of some rows."""
        groups = None if self.groups is None else self.groups[rows]
        return Answers(
            self.classes,
            self.target[rows],
            self.predicted[rows],
            self.probabilities[rows],
            self.weights[rows],
            groups,
            self.n_repeats,
            None if self.counting is None else self.counting[rows],
        )

    @property
    def counted(self) -> Answers:
        """The same, where every row weighs what it counts in error and cost."""
        return self if self.counting is None else replace(self, weights=self.counting, counting=None)

    @property
    def is_wrong(self) -> BoolArray:
        """Which answers are wrong."""
        found: BoolArray = self.target != self.predicted
        return found

    @property
    def confusion(self) -> FloatArray:
        """Weight by true class and answer."""
        n = len(self.classes)
        both = np.bincount(self.target * n + self.predicted, weights=self.weights, minlength=n * n)
        return both.reshape(n, n).astype(np.float64)

    def share(self, is_part: BoolArray, is_whole: BoolArray | None = None) -> Share:
        """Return the share of some rows in others, with its interval."""
        rows = np.ones(len(self.target), dtype=bool) if is_whole is None else is_whole
        weights, part = self.weights[rows], is_part[rows]
        if not weights.sum():
            return Share.of(0, 0, 0)
        groups = None if self.groups is None else self.groups[rows]
        n_rows = _independent(part, weights, groups) / self.n_repeats
        return Share.of(float(weights[part].sum()), float(weights.sum()), n_rows)

    def auc(self, code: int) -> float:
        """Return the chance that a row of the class has a higher probability of it than another row."""
        is_class = self.target == code
        inside, outside = self.weights * is_class, self.weights * ~is_class
        if code >= self.probabilities.shape[1] or not inside.sum() or not outside.sum():
            return math.nan
        _, place = np.unique(self.probabilities[:, code], return_inverse=True)
        of_class, of_others = np.bincount(place, weights=inside), np.bincount(place, weights=outside)
        below = np.cumsum(of_others) - of_others
        return float((of_class * (below + of_others / 2)).sum() / (inside.sum() * outside.sum()))

    @property
    def log_loss(self) -> float:
        """Mean of minus the logarithm of the true class's probability."""
        told = np.clip(self._of_truth, LEAST, 1.0)
        return float((-np.log(told) * self.weights).sum() / self.weights.sum()) + 0.0  # no -0.0

    @property
    def brier(self) -> float:
        """Mean squared distance of the probabilities from the truth, halved, as for one of two classes."""
        truth = np.zeros((len(self.target), len(self.classes)))
        truth[np.arange(len(self.target)), self.target] = 1.0
        truth[:, : self.probabilities.shape[1]] -= self.probabilities
        return float(((truth**2).sum(axis=1) * self.weights).sum() / (2 * self.weights.sum()))

    @property
    def _of_truth(self) -> FloatArray:
        known = np.minimum(self.target, self.probabilities.shape[1] - 1)
        found = self.probabilities[np.arange(len(self.target)), known]
        return np.where(self.target < self.probabilities.shape[1], found, 0.0)

    def calibration(self) -> tuple[Bin, ...]:
        """Compare probabilities with shares: those of the second of two classes, else those of the answers.

        Rows of one probability stay together, and neighbouring ones come together until a tenth is.
        """
        if self.probabilities.shape[1] == 2:
            told, is_so = self.probabilities[:, 1], self.target == 1
        else:
            told, is_so = self.probabilities.max(axis=1), ~self.is_wrong
        order = np.argsort(told, kind="stable")
        ends = np.flatnonzero(np.append(np.diff(told[order]) > 0, True)) + 1
        wanted = np.arange(1, MOST_BINS + 1) * len(told) / MOST_BINS
        stops = np.unique(ends[np.minimum(np.searchsorted(ends, wanted), len(ends) - 1)])
        return tuple(
            self._bin(order[start:stop], told, is_so)
            for start, stop in zip((0, *stops[:-1].tolist()), stops.tolist(), strict=True)
        )

    def _bin(self, rows: IntArray, told: FloatArray, is_so: BoolArray) -> Bin:
        in_bin = np.zeros(len(told), dtype=bool)
        in_bin[rows] = True
        weights = self.weights[rows]
        mean = float((told[rows] * weights).sum() / weights.sum())
        return Bin(len(rows) // self.n_repeats, mean, self.share(is_so, in_bin))


def _independent(part: BoolArray, weights: FloatArray, groups: IntArray | None) -> float:
    """Return how many independent rows of equal weight would tell a share as surely.

    By the weights (Kish), and by how much groups differ (Rao and Scott).
    """
    total = float(weights.sum())
    rows = total**2 / float((weights**2).sum())
    if groups is None:
        return rows
    _, place = np.unique(groups, return_inverse=True)
    sizes, parts = np.bincount(place, weights=weights), np.bincount(place, weights=weights * part)
    n_groups, share = len(sizes), float(parts.sum()) / total
    rest = float(((parts - share * sizes) ** 2).sum())
    if n_groups < 2 or rest == 0:
        return float(n_groups)
    variance = n_groups / (n_groups - 1) * rest / total**2
    return min(max(share * (1 - share) / variance, 1.0), rows)


def class_figures(answers: Answers) -> tuple[ClassFigures, ...]:
    """Return what there is to tell of each class."""
    confusion = answers.confusion
    right = ~answers.is_wrong
    return tuple(
        ClassFigures(
            label,
            weight=float(confusion[code].sum()),
            predicted_weight=float(confusion[:, code].sum()),
            precision=answers.share(right, answers.predicted == code),
            recall=answers.share(right, answers.target == code),
            auc=answers.auc(code),
        )
        for code, label in enumerate(answers.classes)
    )


def total_cost(answers: Answers, cost_matrix: Sequence[Sequence[float]] | FloatArray) -> float:
    """Return what the answers cost; to a true class that the model does not know, the largest cost."""
    costs = np.asarray(cost_matrix, dtype=np.float64)
    n_known = len(costs)
    if not len(answers.target):
        return 0.0
    known = np.minimum(answers.target, n_known - 1)
    of_rows = np.where(answers.target < n_known, costs[known, answers.predicted], costs.max())
    return float((of_rows * answers.counted.weights).sum())
