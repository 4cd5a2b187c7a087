"""The error LP: the plane of least error, in the dual form, from warm starts.

Maximise the sum of a_i subject to ``|sum_i s_i a_i x_ij| <= penalty_j`` for every column j,
``sum_i s_i a_i = 0`` and ``0 <= a_i <= cap_i``, where s_i is +1 in class A and -1 in class B. The multipliers
of its rows are the weights and the offset of the plane. A penalty of infinity leaves a column out, so that
every set of features and every penalty is a matter of the bounds of rows, from which the dual simplex method
goes on at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.clock import Clock
from treewright.planes.highs import (
    LONG_RUN,
    Highs,
    load_highspy,
)

FloatArray = NDArray[np.float64]


class ErrorLP:
    """The error LP of some rows, for one set of penalties after another.

    Parameters
    ----------
    Z : ndarray of shape (n_rows, n_columns)
        Rows in scaled units.
    sign : ndarray of shape (n_rows,)
        1 in class A, -1 in class B.
    cap : ndarray of shape (n_rows,)
        What an error of 1 in each row costs.
    clock : Clock
        When to give up.
    """

    def __init__(self, Z: FloatArray, sign: FloatArray, cap: FloatArray, clock: Clock) -> None:
        self._columns = np.arange(Z.shape[1], dtype=np.int32)
        self._highs = Highs(_model(Z, sign, cap), clock, is_long=Z.size >= LONG_RUN, simplex_scale_strategy=0)

    @property
    def clock(self) -> Clock:
        """When to give up."""
        return self._highs.clock

    @clock.setter
    def clock(self, clock: Clock) -> None:
        self._highs.clock = clock

    def solve(self, penalty: FloatArray) -> tuple[FloatArray, float, FloatArray]:
        """Return weights, offset and the dual vector of an optimal plane.

        Parameters
        ----------
        penalty : ndarray of shape (n_columns,)
            What a weight of 1 costs; infinite for a column that is left out.

        Returns
        -------
        weights : ndarray of shape (n_columns,)
        offset : float
        dual : ndarray of shape (n_rows,)
            The multipliers a_i; their sum is the value of the LP.
        """
        solver = self._highs.solver
        if len(penalty):
            solver.changeRowsBounds(len(penalty), self._columns, -penalty, penalty)
        self._highs.run()
        solution = solver.getSolution()
        weights, offset = self._plane(solution)
        return np.where(np.isinf(penalty), 0.0, weights), offset, np.array(solution.col_value)

    def unfinished(self) -> tuple[FloatArray, float] | None:
        """Return the plane that an interrupted run had come to; any plane is feasible."""
        solution = self._highs.solver.getSolution()
        return self._plane(solution) if solution.dual_valid else None

    def _plane(self, solution: Any) -> tuple[FloatArray, float]:
        multipliers = np.array(solution.row_dual)
        return -multipliers[:-1], float(multipliers[-1])


def _model(Z: FloatArray, sign: FloatArray, cap: FloatArray) -> Any:
    """Build the LP: one variable a row of data, one row a column of data, and one for the offset."""
    n_rows, n_columns = Z.shape
    entries = np.column_stack([Z, np.ones(n_rows)]) * sign[:, None]
    filled = entries != 0
    highspy = load_highspy()
    model = highspy.HighsLp()
    model.num_col_, model.num_row_ = n_rows, n_columns + 1
    model.col_cost_, model.col_lower_, model.col_upper_ = -np.ones(n_rows), np.zeros(n_rows), cap
    model.row_lower_ = model.row_upper_ = np.zeros(n_columns + 1)
    matrix = model.a_matrix_
    matrix.format_ = highspy.MatrixFormat.kColwise
    if filled.all():
        matrix.start_ = np.arange(n_rows + 1, dtype=np.int32) * (n_columns + 1)
        matrix.index_ = np.tile(np.arange(n_columns + 1, dtype=np.int32), n_rows)
        matrix.value_ = entries.ravel()
    else:
        matrix.start_ = np.concatenate([[0], np.cumsum(filled.sum(axis=1))]).astype(np.int32)
        matrix.index_ = np.nonzero(filled)[1].astype(np.int32)
        matrix.value_ = entries[filled]
    return model
