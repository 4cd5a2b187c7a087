"""Several searches for fixed-depth trees under one time limit, one callback and one Ctrl-C."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import ceil, nan

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs

from treewright._base.clock import Clock
from treewright.data.binning import Bins
from treewright.data.folds import Split, splits_of
from treewright.data.training import TrainingSet
from treewright.data.types import FloatArray
from treewright.results import Callback, Progress
from treewright.trees.fixed_depth.search import Found, kept_tree
from treewright.trees.fixed_depth.task import FixedDepthTask

DEPTHS = range(1, 6)
"""Depths that ``max_depth="cv"`` tries."""
N_FOLDS = 5
SEED = 0
"""Parts the samples where nobody says how."""


class Course:
    """Searches one after the other, each within an equal part of the time that is left.

    `status` is "optimal", or what ended a search early. Once something was `raised`, or the callback asked to
    stop, `is_stopped` holds, and a search returns what it has at once.
    """

    def __init__(self, time_limit: float | None, callback: Callback | None = None) -> None:
        self._clock, self._callback = Clock(time_limit), callback
        self._n_done = self._n_searches = self._spare = 0
        self.status = "optimal"
        self.raised: BaseException | None = None

    @property
    def is_stopped(self) -> bool:
        """Whether no further search is wanted."""
        return self.status == "stopped"

    def expects(self, n_searches: int, spare: int = 0) -> None:
        """Let the time be divided among so many searches more; the last has `spare` parts besides its own."""
        self._n_searches, self._spare = self._n_done + n_searches, spare

    def seconds(self, n_parts: int) -> float | None:
        """Return an equal part of the time that is left."""
        left = self._clock.limit()
        return None if left is None else max(left, 0.0) / n_parts

    def best_tree(
        self, training: TrainingSet, task: FixedDepthTask, bins: Bins | None = None, where: str = ""
    ) -> Found:
        """Search within a part of the time; `where` is told to the callback."""
        n_left = self._n_searches - self._n_done
        seconds = 0.0 if self.is_stopped else self.seconds(n_left + self._spare if n_left > 1 else 1)
        callback = self._watch(f"{where}depth {task.max_depth}")
        found = kept_tree(training, replace(task, time_limit=seconds), bins, callback)
        self._n_done += 1
        self.raised = self.raised or found.raised
        if found.raised is not None:
            self.status = "stopped"
        elif not found.search.success and not self.is_stopped:
            self.status = found.search.status
        return found

    def check(self) -> None:
        """Raise what stopped a search."""
        if self.raised is not None:
            raise self.raised

    def _watch(self, text: str) -> Callback | None:
        """Return a callback of one search that tells of all of them."""
        asked, done, total = self._callback, self._n_done, self._n_searches
        if asked is None or self.is_stopped:
            return None
        return lambda seen: asked(Progress(done, total, seen.best, self._clock.elapsed(), text))


def fold_accuracies(
    training: TrainingSet,
    task: FixedDepthTask,
    depths: Sequence[int],
    cv: object,
    course: Course,
    n_after: int,
    n_jobs: int | None = 1,
) -> tuple[FloatArray, list[str]]:
    """Return what the tree of every depth is worth on every held-out fold, shape (n_folds, n_depths).

    That is its accuracy, or its mean cost, negative, if wrong answers have costs.

    It is NaN where the work was stopped before. With it comes, for every depth, "optimal", or what ended one
    of its searches early. Within the same time `n_after` searches with all samples follow.
    """
    splits = splits_of(training, cv, SEED, "a depth")
    n_workers = effective_n_jobs(n_jobs)
    if n_workers == 1:
        course.expects(len(splits) * len(depths) + n_after, spare=len(depths) - n_after)
        names = [f"fold {number} of {len(splits)}, " for number in range(1, len(splits) + 1)]
        parts = [
            _accuracies(training, task, depths, split, course, where)
            for split, where in zip(splits, names, strict=True)
        ]
    else:
        seconds = course.seconds(ceil(len(splits) / n_workers) + 1)
        tasks = (delayed(_apart)(training, task, depths, split, seconds) for split in splits)
        parts = Parallel(n_jobs=n_jobs)(tasks)
    ends = [[part[1][i] for part in parts] for i in range(len(depths))]
    statuses = [next((status for status in of_depth if status != "optimal"), "optimal") for of_depth in ends]
    return np.array([part[0] for part in parts]), statuses


Part = tuple[list[float], list[str]]
"""Of a fold: what the tree of every depth is worth, and how its search ended."""


def _apart(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], split: Split, seconds: float | None
) -> Part:
    """Search in a fold on a worker of its own."""
    course = Course(seconds)
    course.expects(len(depths))
    part = _accuracies(training, task, depths, split, course, "")
    course.check()
    return part


def _accuracies(
    training: TrainingSet,
    task: FixedDepthTask,
    depths: Sequence[int],
    split: Split,
    course: Course,
    where: str,
) -> Part:
    """Cut the numbers where the samples to learn from say, once for all depths."""
    learning = training.part(split[0], owner="depth_path")
    bins = task.bins(learning)
    held_out, weights = bins.apply(training.dataset[split[1]]), training.weights[split[1]]
    accuracies, ends = [], []
    for depth in depths:
        if course.is_stopped:
            accuracies.append(nan)
            ends.append("stopped")
            continue
        found = course.best_tree(learning, task.at_depth(depth), bins, where)
        accuracies.append(found.worth(held_out, weights))
        ends.append(found.search.status)
    return accuracies, ends


def best_depth(accuracies: FloatArray, depths: Sequence[int]) -> int:
    """Return the depth of the best mean accuracy or cost, the smallest of those that are equal.

    Folds that were not finished count only where none was.
    """
    whole = accuracies[~np.isnan(accuracies).any(axis=1)]
    known = whole if len(whole) else accuracies[:1]
    means = np.nan_to_num(known.mean(axis=0), nan=-np.inf)
    noise = 1e-12 * max(1.0, float(np.abs(means[np.isfinite(means)]).max(initial=0)))
    return depths[int(np.argmax(means >= means.max() - noise))]


def chosen_depth(training: TrainingSet, task: FixedDepthTask, course: Course) -> int:
    """Choose the depth as ``max_depth="cv"`` does."""
    accuracies, _ = fold_accuracies(training, task, DEPTHS, N_FOLDS, course, n_after=1)
    course.expects(1)
    return best_depth(accuracies, DEPTHS)
