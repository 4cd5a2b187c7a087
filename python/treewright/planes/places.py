"""Rows as a few columns see them: places with a net weight, and the separation of kept places.

Rows that agree in the columns of a set of features lie on one place. A plane over these columns gives all of
them one answer, so the lighter class of a place is wrong whatever the plane does; only the difference of the
two weights, the net weight, is at stake.

The kept places are separated if some plane has all of them strictly on their sides. The measure of that is
free of scale: the *margin*, the least distance of a kept place from the plane, where the absolute weights of
the plane add up to 1. The LP of the largest margin is solved in its dual form: of all pairs of points, one in
the convex hull of each class, take the pair whose coordinates differ least. If both hulls meet, the places
that carry the meeting point, at most two more than columns, cannot all be kept: they are a *conflict*.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np

from treewright._base.clock import Clock
from treewright.data.types import BoolArray, FloatArray
from treewright.planes.lp import LONG_RUN, Highs

MARGIN = 1e-8
"""Places with a margin of at most this, in standard deviations, count as not separated: rounding may decide
on which side of such a plane they are."""

FAINT = 1e-12
"""Weights of two classes that differ by at most this share of their sum are equal."""

IN_CONFLICT = 1e-9
"""A place with a larger multiplier belongs to the conflict."""


@dataclass(frozen=True, eq=False)
class Places:
    """The places of rows in some columns, each different point once, without those of net weight 0."""

    Z: FloatArray
    net: FloatArray
    """Weight of class A less that of class B."""
    lost: float
    """Weight that every plane gives the wrong answer: of the lighter class of each place."""

    @classmethod
    def of(cls, Z: FloatArray, sign: FloatArray, loss: FloatArray) -> Places:
        """Find the places of rows; `loss` is what the rows cost on the wrong side."""
        points, where = np.unique(Z + 0.0, axis=0, return_inverse=True)
        where = where.ravel()
        of_a = np.bincount(where, np.where(sign > 0, loss, 0.0), minlength=len(points))
        of_b = np.bincount(where, np.where(sign > 0, 0.0, loss), minlength=len(points))
        net = of_a - of_b
        counts = np.abs(net) > FAINT * (of_a + of_b)
        lost = float(np.minimum(of_a, of_b).sum())
        return cls(points[counts], net[counts], lost)

    @property
    def sign(self) -> FloatArray:
        """1 where class A weighs more, else -1."""
        return np.sign(self.net)

    def wrong(self, above: BoolArray) -> float:
        """Return the weight of wrong answers if the places `above` get the answer A."""
        return self.lost + float(np.abs(self.net[above != (self.net > 0)]).sum())

    def best_offset(self, weights: FloatArray) -> tuple[float, float]:
        """Return the offset of least wrong weight for given weights, and that weight.

        Scores that differ by rounding only get the same answer; the offset lies in the middle of a gap.
        """
        scores = self.Z @ weights
        order = np.argsort(-scores, kind="stable")
        sorted_scores = scores[order]
        room = 2 * MARGIN * max(float(np.abs(weights).sum()), np.finfo(np.float64).tiny)
        gained = np.concatenate([[0.0], np.cumsum(self.net[order])])
        ends = np.concatenate([[True], sorted_scores[:-1] - sorted_scores[1:] > room, [True]])
        ends = ends if len(order) else np.array([True])
        cut = int(np.argmax(np.where(ends, gained, -np.inf)))
        wrong = self.lost + float(self.net[self.net > 0].sum()) - float(gained[cut])
        if not len(order):
            return 0.0, self.lost
        if cut == 0:
            return float(sorted_scores[0]) + 1.0, wrong
        if cut == len(order):
            return float(sorted_scores[-1]) - 1.0, wrong
        return 0.5 * float(sorted_scores[cut - 1] + sorted_scores[cut]), wrong


@dataclass(frozen=True, eq=False)
class Separation:
    """A plane of the largest margin between kept places, or the multipliers that show that there is none."""

    margin: float
    weights: FloatArray
    """The absolute values add up to 1, unless no weight is needed."""
    multipliers: FloatArray

    @property
    def is_found(self) -> bool:
        """Whether the kept places are separated."""
        return self.margin > MARGIN

    @property
    def conflict(self) -> BoolArray:
        """Mark places that cannot all be kept."""
        return self.multipliers > IN_CONFLICT


class Separator:
    """The LP of the largest margin between places, for one choice of kept places after another."""

    def __init__(self, places: Places, clock: Clock) -> None:
        self.places, self.clock = places, clock
        self._n, self._d = places.Z.shape
        self._all = np.arange(self._n + 1, dtype=np.int32)
        self.n_runs = 0
        is_long = places.Z.size >= LONG_RUN
        self._highs = Highs(_model(places.Z, places.sign), clock, is_long=is_long)

    def separate(self, kept: BoolArray, price: FloatArray | None = None) -> Separation:
        """Separate the kept places.

        With a `price` for every place, of all conflicts one of a small price is found.
        """
        sign = self.places.sign
        if not (kept & (sign > 0)).any() or not (kept & (sign < 0)).any():
            return Separation(np.inf, np.zeros(self._d), np.zeros(self._n))
        self.clock.step()
        self.n_runs += 1
        solver = self._highs.solver
        upper = np.append(np.where(kept, np.inf, 0.0), np.inf)
        solver.changeColsBounds(self._n + 1, self._all, np.zeros(self._n + 1), upper)
        cost = np.append(np.zeros(self._n) if price is None else price, 1.0 if price is None else DEAR)
        solver.changeColsCost(self._n + 1, self._all, cost)
        self._highs.run()
        solution = solver.getSolution()
        values, duals = np.array(solution.col_value), np.array(solution.row_dual)
        multipliers = np.where(kept, values[:-1], 0.0)
        # The margin is computed from the multipliers: they prove that no plane has more.
        pull = np.abs((sign * multipliers) @ self.places.Z)
        weights = duals[: self._d] + duals[self._d : 2 * self._d]
        return Separation(float(pull.max(initial=0.0)) / 2, self._upright(weights, kept), multipliers)

    def _upright(self, weights: FloatArray, kept: BoolArray) -> FloatArray:
        """Turn weights so that class A is above the plane."""
        scores, sign = self.places.Z[kept] @ weights, self.places.sign[kept]
        return -weights if scores[sign > 0].mean() < scores[sign < 0].mean() else weights


DEAR = 1e6
"""Price of a unit of the margin if conflicts have prices: above all of them together."""


def _model(Z: FloatArray, sign: FloatArray) -> object:
    """Build the LP: a multiplier for each place, and how far the two points are apart in any coordinate."""
    n_places, n_columns = Z.shape
    signed = Z * sign[:, None]
    n_rows = 2 * n_columns + 2
    dense = np.zeros((n_places + 1, n_rows))
    dense[:-1, :n_columns] = dense[:-1, n_columns : 2 * n_columns] = signed
    dense[-1, :n_columns], dense[-1, n_columns : 2 * n_columns] = -1.0, 1.0
    dense[:-1, -2], dense[:-1, -1] = sign > 0, sign < 0
    filled = dense != 0
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = n_places + 1, n_rows
    model.col_cost_ = np.append(np.zeros(n_places), 1.0)
    model.col_lower_, model.col_upper_ = np.zeros(n_places + 1), np.full(n_places + 1, np.inf)
    model.row_lower_ = np.concatenate([np.full(n_columns, -np.inf), np.zeros(n_columns), [1.0, 1.0]])
    model.row_upper_ = np.concatenate([np.zeros(n_columns), np.full(n_columns, np.inf), [1.0, 1.0]])
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    matrix.start_ = np.concatenate([[0], np.cumsum(filled.sum(axis=1))]).astype(np.int32)
    matrix.index_ = np.nonzero(filled)[1].astype(np.int32)
    matrix.value_ = dense[filled]
    return model
