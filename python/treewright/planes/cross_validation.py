"""Cross-validation inside of ``fit``: the folds, and what held-out rows say of several candidates."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from joblib import Parallel, delayed
from sklearn.model_selection import StratifiedKFold

from treewright._base.clock import Clock
from treewright._base.params import n_threads
from treewright.data.types import AnyArray, BoolArray, FloatArray, IntArray

SEED = 0
"""Draws the folds if the user gives their number only."""

TIE = 1e-12
"""Mean errors that differ by at most this are equal."""

Positions = IntArray
Split = tuple[Positions, Positions]
"""Positions of the rows to learn from, and of the held-out ones."""


class Splitter(Protocol):
    """What a user may pass as `cv`, such as a splitter of scikit-learn."""

    def split(self, X: FloatArray, y: AnyArray) -> Iterable[Split]:
        """Yield the folds."""


Folds = int | Splitter | list[Split]
"""A number of folds, a splitter, or splits by positions in the user's table."""


class Table(Protocol):
    """Rows that know their positions in the user's table."""

    def at(self, positions: Positions) -> Positions:
        """Return where rows of the user's table are here."""


def splits(cv: Folds, labels: AnyArray, table: Table) -> list[Split]:
    """Return the folds of rows with class labels; `table` finds splits that the user gave by position."""
    if isinstance(cv, list):
        return [(table.at(np.asarray(learn)), table.at(np.asarray(held_out))) for learn, held_out in cv]
    if isinstance(cv, int):
        n_folds = min(cv, int(np.unique(labels, return_counts=True)[1].max()))
        cv = StratifiedFolds(max(2, n_folds), shuffle=True, random_state=SEED)
    found = cv.split(np.zeros(len(labels)), labels)
    return [(np.asarray(learn), np.asarray(held_out)) for learn, held_out in found]


class StratifiedFolds(StratifiedKFold):
    """Stratified folds that accept a class with fewer rows than folds."""

    def split(self, X: object, y: AnyArray, groups: object = None) -> Iterator[Split]:
        """Yield the folds without a warning; none if there are too few rows."""
        if np.unique(y, return_counts=True)[1].max() < self.n_splits:
            return
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "The least populated class", UserWarning)
            yield from list(super().split(X, y, groups))


def over_folds(
    errors_of: Callable[[Split, Clock], list[float]], folds: list[Split], n_jobs: int | None, clock: Clock
) -> list[list[float]]:
    """Return the errors of every fold; with several processes, progress is reported after each."""
    if n_threads(n_jobs) == 1:
        return [errors_of(fold, Clock(clock.limit(), clock)) for fold in folds]
    tasks = (delayed(_on_own_clock)(errors_of, fold, clock.limit()) for fold in folds)
    found = []
    for errors in Parallel(n_jobs=n_jobs, return_as="generator")(tasks):
        found.append(errors)
        clock.look()
    return found


def _on_own_clock(
    errors_of: Callable[[Split, Clock], list[float]], fold: Split, limit: float | None
) -> list[float]:
    return errors_of(fold, Clock(limit))


@dataclass(frozen=True, eq=False)
class HeldOutErrors:
    """Errors on held-out rows of several candidates, the mean over the folds."""

    means: FloatArray
    """Shares of the weight of held-out rows that are predicted wrongly; NaN without cross-validation."""
    standard_errors: FloatArray

    @classmethod
    def of(cls, errors: list[list[float]]) -> HeldOutErrors:
        """Take the errors of every fold, one for each candidate."""
        table = np.array(errors)
        spread = table.std(axis=0, ddof=1) if len(table) > 1 else np.zeros(table.shape[1])
        return cls(table.mean(axis=0), spread / np.sqrt(len(table)))

    @classmethod
    def unknown(cls, n_candidates: int) -> HeldOutErrors:
        """Return what is known without cross-validation."""
        return cls(np.full(n_candidates, np.nan), np.full(n_candidates, np.nan))

    def among_best(self, one_standard_error: bool) -> BoolArray:
        """Mark the candidates of least error, or those within one standard error of the first of them."""
        least = int(np.argmax(self.means <= self.means.min() + TIE))
        allowed = self.means[least] + (self.standard_errors[least] if one_standard_error else 0.0)
        return np.asarray(self.means <= allowed + TIE)
