"""The error LP and its solver, HiGHS.

The error LP finds the linear separator of least error. It is solved in its dual form: maximise the sum of a_i
subject to ``|sum_i s_i a_i x_ij| <= penalty_j`` for every column j, ``sum_i s_i a_i = 0`` and ``0 <= a_i <=
cap_i``, where s_i is +1 in class A and -1 in class B. The multipliers of its rows are the weights and the
offset of the plane. An infinite penalty leaves a column out. So every set of features and every penalty only
changes bounds of rows, and the dual simplex method goes on from its last solution.

A run that may take long gets a thread of its own: Ctrl-C then reaches the caller, who tells HiGHS to stop
through its interrupt callback. HiGHS can handle the keyboard itself, but then prints, and keeps one lock for
all solvers. Short runs stay on the caller's thread, because a thread costs as much as they do.
"""

from __future__ import annotations

import math
import threading
from typing import Protocol

import highspy
import numpy as np

from treewright._base.clock import WAKE_UP, Clock, HaltError
from treewright.data.types import FloatArray

TOLERANCE = 1e-9
"""HiGHS keeps rows, bounds and optimality within this."""

LONG_RUN = 200_000
"""An LP with at least so many entries in its matrix runs in a thread."""

OPTIONS = {
    "output_flag": False,
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": TOLERANCE,
    "dual_feasibility_tolerance": TOLERANCE,
}


class InterruptAnswer(Protocol):
    """What HiGHS reads when its interrupt callback returns."""

    user_interrupt: bool


class Highs:
    """One model of HiGHS that is changed and run again and again, until the clock ends a run by `HaltError`.

    A run that `is_long` may take so long that a user wants to stop it; the options are those of HiGHS, beside
    those in `OPTIONS`.
    """

    def __init__(self, model: object, clock: Clock, *, is_long: bool, **options: object) -> None:
        # The plain solver: the class on top of it announces itself, and shares a lock.
        self.solver = highspy.Highs.__base__()  # type: ignore[misc]
        self.clock = clock
        for name, value in {**OPTIONS, **options}.items():
            self.solver.setOptionValue(name, value)
        self._threaded = is_long
        self._stop = False
        if self._threaded:
            kinds = highspy.cb.HighsCallbackType
            self.solver.setCallback(self._on_callback, None)
            self.solver.startCallback(kinds.kCallbackSimplexInterrupt)
            self.solver.startCallback(kinds.kCallbackMipInterrupt)
        self.solver.passModel(model)

    def _on_callback(
        self, kind: object, message: str, out: object, answer: InterruptAnswer, data: object
    ) -> None:
        answer.user_interrupt = self._stop

    def run(self) -> None:
        """Solve the model from where the last run ended; without time or an optimum raise `HaltError`."""
        if self._is_solved() or self._is_solved_anew():
            return
        raise HaltError(
            "solver_error",
            f"The solver gave up: HiGHS ended with {self.solver.modelStatusToString(self.status)!r}; "
            "the best found so far is kept.",
        )

    def _is_solved_anew(self) -> bool:
        """Try from a cold start, then by another method."""
        self.solver.clearSolver()
        if self._is_solved():
            return True
        usual = self.solver.getOptionValue("solver")[1]
        self.solver.setOptionValue("solver", "ipm")
        try:
            return self._is_solved()
        finally:
            self.solver.setOptionValue("solver", usual)

    def _is_solved(self) -> bool:
        self.status = self._run_once()
        return bool(self.status == highspy.HighsModelStatus.kOptimal)

    def _run_once(self) -> object:
        """Run HiGHS and return its own word for how that ended."""
        self.clock.check()
        left = self.clock.left()
        if not math.isinf(left):
            self.solver.setOptionValue("time_limit", self.solver.getRunTime() + left)
        if self._threaded:
            self._run_in_thread()
        else:
            self.solver.run()
        status = self.solver.getModelStatus()
        if status == highspy.HighsModelStatus.kTimeLimit:
            raise HaltError("time_limit")
        return status

    def _run_in_thread(self) -> None:
        self._stop = False
        thread = threading.Thread(target=self.solver.run, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(WAKE_UP)
                self.clock.look()
                # Some steps of an integer program take seconds between two looks at its own limit.
                self.clock.check()
        except BaseException:
            self._stop = True
            thread.join()
            raise


class ErrorLP:
    """The error LP of some rows, solved for one set of penalties after another.

    `Z` has rows in scaled units, `sign` is 1 in class A and -1 in class B, `cap` what an error of 1 costs.
    """

    def __init__(self, Z: FloatArray, sign: FloatArray, cap: FloatArray, clock: Clock) -> None:
        self._columns = np.arange(Z.shape[1], dtype=np.int32)
        self._highs = Highs(_model(Z, sign, cap), clock, is_long=Z.size >= LONG_RUN, simplex_scale_strategy=0)

    @property
    def clock(self) -> Clock:
        """Ends a run."""
        return self._highs.clock

    @clock.setter
    def clock(self, clock: Clock) -> None:
        self._highs.clock = clock

    def weigh(self, cap: FloatArray) -> None:
        """Change what an error of 1 costs in each row."""
        rows = np.arange(len(cap), dtype=np.int32)
        self._highs.solver.changeColsBounds(len(cap), rows, np.zeros(len(cap)), cap)

    def solve(self, penalty: FloatArray) -> tuple[FloatArray, float, FloatArray]:
        """Return weights, offset and the dual vector of an optimal plane.

        A penalty is the cost of a weight of 1 in a column; infinity leaves the column out. The sum of the
        dual vector, the multipliers a_i of the rows, is the value of the LP.
        """
        solver = self._highs.solver
        if len(penalty):
            solver.changeRowsBounds(len(penalty), self._columns, -penalty, penalty)
        self._highs.run()
        solution = solver.getSolution()
        weights, offset = _plane(np.array(solution.row_dual))
        return np.where(np.isinf(penalty), 0.0, weights), offset, np.array(solution.col_value)

    def unfinished(self) -> tuple[FloatArray, float] | None:
        """Return the plane of an interrupted run, if it has one; any plane is feasible."""
        solution = self._highs.solver.getSolution()
        return _plane(np.array(solution.row_dual)) if solution.dual_valid else None


def _plane(multipliers: FloatArray) -> tuple[FloatArray, float]:
    """Return weights and offset from the multipliers of the rows."""
    return -multipliers[:-1], float(multipliers[-1])


def _model(Z: FloatArray, sign: FloatArray, cap: FloatArray) -> object:
    """Build the LP: a variable for each row of data, a row for each column of data and for the offset."""
    n_rows, n_columns = Z.shape
    entries = np.column_stack([Z, np.ones(n_rows)]) * sign[:, None]
    filled = entries != 0
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
