"""How many features predict best: the path of every fold, judged on the rows it did not see."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.model_selection import StratifiedKFold

from treewright._base.clock import Clock, OutOfTimeError
from treewright._base.params import is_whole
from treewright.planes.options import PlaneOptions
from treewright.planes.rows import Rows
from treewright.planes.scaled import ScaledProblem

SEED = 0
"""Parts the rows where nobody says how."""

TIE = 1e-12

Split = tuple[NDArray[np.int64], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class JudgedPath:
    """Test errors of the path by number of features, from 1.

    Attributes
    ----------
    means : ndarray of shape (n_sizes,)
        Share of the weight of held-out rows that is predicted wrongly, mean over the folds.
    standard_errors : ndarray of shape (n_sizes,)
    """

    means: NDArray[np.float64]
    standard_errors: NDArray[np.float64]

    def at(self, size: int) -> tuple[float, float]:
        """Return mean and standard error for one number of features."""
        return float(self.means[size - 1]), float(self.standard_errors[size - 1])

    def choose(self, one_standard_error: bool) -> int:
        """Return the number of features: of the least error, or the fewest within one standard error."""
        least = int(np.argmax(self.means <= self.means.min() + TIE))
        allowed = self.means[least] + (self.standard_errors[least] if one_standard_error else 0.0)
        return int(np.argmax(self.means <= allowed + TIE)) + 1


def judge_path(rows: Rows, options: PlaneOptions, clock: Clock) -> JudgedPath | None:
    """Judge every number of features of the path; None if no fold can be judged.

    Raises
    ------
    OutOfTimeError, KeyboardInterrupt
        If a fold did not come to its end.
    """
    splits = list(_splits(rows, options.cv))
    if not splits:
        return None
    alone = replace(options, n_jobs=None)
    tasks = (delayed(_errors)(rows, alone, split, clock.limit()) for split in splits)
    found = Parallel(n_jobs=options.n_jobs)(tasks)
    if any(errors is None for errors in found):
        raise OutOfTimeError
    errors = np.array(found)
    spread = errors.std(axis=0, ddof=1) if len(errors) > 1 else np.zeros(errors.shape[1])
    return JudgedPath(errors.mean(axis=0), spread / np.sqrt(len(errors)))


def _splits(rows: Rows, cv: Any) -> list[Split]:
    """Return the folds in which both classes have rows to learn from, and some are left to judge."""
    if isinstance(cv, list):
        pairs = [(rows.at(np.asarray(learn)), rows.at(np.asarray(judge))) for learn, judge in cv]
    else:
        found = _splitter(rows, cv).split(np.zeros(len(rows.in_a)), rows.in_a)
        pairs = [(np.asarray(learn), np.asarray(judge)) for learn, judge in found]
    return [(a, b) for a, b in pairs if len(b) and len(np.unique(rows.in_a[a])) == 2]


def _splitter(rows: Rows, cv: Any) -> Any:
    if not is_whole(cv):
        return cv
    n_folds = min(int(cv), int(np.bincount(rows.in_a, minlength=2).max()))
    return _Quiet(max(2, n_folds), shuffle=True, random_state=SEED)


class _Quiet(StratifiedKFold):
    """Stratified folds that take a class with fewer rows than folds as it is."""

    def split(self, X: Any, y: Any, groups: Any = None) -> Any:
        """Yield the folds without a warning; none if there are too few rows."""
        if np.bincount(y).max() < self.n_splits:
            return
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(X, y, groups))


def _errors(rows: Rows, options: PlaneOptions, split: Split, limit: float | None) -> list[float] | None:
    """Return the error on held-out rows for every number of features; None if time is over."""
    learn, judge = split
    length = options.path_length(len(np.unique(rows.feature_of)))
    clock = Clock(limit)
    problem = ScaledProblem(rows.take(learn), options, clock)
    selected = problem.select()
    if clock.stopped:
        raise KeyboardInterrupt
    if not selected.status_is_end:
        return None
    held_out = rows.take(judge)
    errors = [problem.plane_of_size(selected, size).error_rate(held_out) for size in range(1, length + 1)]
    if clock.stopped:
        raise KeyboardInterrupt
    return errors
