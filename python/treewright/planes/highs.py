"""The LP solver HiGHS: how it is found, set up, run, and stopped.

A run that may take long goes to a thread of its own, so that Ctrl-C reaches the caller, who then tells HiGHS
to stop by its interrupt callback. HiGHS's own handling of the keyboard does the same, but prints, and keeps
one lock for all solvers. Short runs stay on the caller's thread: a thread costs as much as they do.
"""

from __future__ import annotations

import math
import threading
from typing import Any

from treewright._base.clock import (
    Clock,
    OutOfTimeError,
    SolverError,
)

TOLERANCE = 1e-9
"""Within which HiGHS keeps rows, bounds and optimality."""

LONG_RUN = 200_000
"""From so many entries of its matrix an LP is worth a thread."""

WAKE_UP = 0.05
"""Seconds between looks at the keyboard."""

OPTIONS = {
    "output_flag": False,
    "presolve": "off",
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": TOLERANCE,
    "dual_feasibility_tolerance": TOLERANCE,
}


def load_highspy() -> Any:
    """Return the module highspy, or say how to get it."""
    try:
        import highspy
    except ImportError as error:
        raise ImportError(
            "planes are found by the LP solver HiGHS, whose package highspy is not installed; "
            "install it by: pip install 'treewright[planes]'"
        ) from error
    return highspy


class Highs:
    """One model of HiGHS that is changed and run again and again.

    Parameters
    ----------
    model : highspy.HighsLp
        The model to begin with.
    clock : Clock
        Ends a run; `OutOfTimeError` is raised then.
    is_long : bool
        Whether a run may take so long that somebody wants to stop it.
    options : dict
        Added to those of every LP here.
    """

    def __init__(self, model: Any, clock: Clock, *, is_long: bool, **options: object) -> None:
        self._highspy = load_highspy()
        # The plain solver: the class on top of it announces itself, and shares a lock.
        self.solver = self._highspy.Highs.__base__()
        self.clock = clock
        for name, value in {**OPTIONS, **options}.items():
            self.solver.setOptionValue(name, value)
        self._threaded = is_long
        self._stop = False
        if self._threaded:
            self._listen()
        self.solver.passModel(model)

    def _listen(self) -> None:
        kinds = self._highspy.cb.HighsCallbackType
        self.solver.setCallback(self._on_callback, None)
        self.solver.startCallback(kinds.kCallbackSimplexInterrupt)
        self.solver.startCallback(kinds.kCallbackMipInterrupt)

    def _on_callback(self, kind: Any, message: str, out: Any, answer: Any, data: Any) -> None:
        answer.user_interrupt = self._stop

    def run(self) -> None:
        """Solve the model to optimality from where the last run ended.

        Raises
        ------
        OutOfTimeError, SolverError
            If time is over, or HiGHS does not get to an optimum, cold starts included.
        """
        if self._is_solved() or self._is_solved_anew():
            return
        raise SolverError(
            f"The solver gave up: HiGHS ended with {self.solver.modelStatusToString(self.status)!r}; "
            "the best found so far is kept."
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
        return bool(self.status == self._highspy.HighsModelStatus.kOptimal)

    def _run_once(self) -> Any:
        self._set_time()
        if self._threaded:
            self._run_in_thread()
        else:
            self.solver.run()
        status = self.solver.getModelStatus()
        if status == self._highspy.HighsModelStatus.kTimeLimit:
            raise OutOfTimeError
        return status

    def _set_time(self) -> None:
        left = self.clock.left()
        if left <= 0:
            raise OutOfTimeError
        if not math.isinf(left):
            self.solver.setOptionValue("time_limit", self.solver.getRunTime() + left)

    def _run_in_thread(self) -> None:
        self._stop = False
        thread = threading.Thread(target=self.solver.run, daemon=True)
        thread.start()
        try:
            while thread.is_alive():
                thread.join(WAKE_UP)
        except BaseException:
            self._stop = True
            thread.join()
            raise
