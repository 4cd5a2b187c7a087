"""One pass over the distinct trees: counted, the best kept, all written if a file is there for it."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from typing import TYPE_CHECKING

from treewright._base.errors import FormatError, ParameterError
from treewright.cli._tree_lines import line_of
from treewright.search.distinct.count import DistinctTreeCount
from treewright.search.distinct.enumeration import DistinctTrees
from treewright.trees.distinct_tree import BestTrees

if TYPE_CHECKING:
    from treewright.cli._interrupt import FirstCtrlC
    from treewright.cli._tree_file import TreeFile
    from treewright.results import Callback, Progress
    from treewright.search.distinct.problem import Problem
    from treewright.trees.distinct_tree import DistinctTree

_TREES_A_LOOK = 256
"""Trees between two looks at the clock, where they are not grown."""


class Walk:
    """Goes over the trees of a problem, from the first to the last or to a limit.

    Trees that an earlier run has put into the file are found again, counted and ranked, but neither grown
    nor written. They take no time off the limit, so that a run that goes on always comes further.

    Parameters
    ----------
    problem : Problem
        Data, parameters and limits.
    n_best : int
        How many of the best trees to keep.
    file : TreeFile or None
        Where all trees go.
    with_trees : bool
        Whether they go there with their nodes, for which each is grown.
    time_limit : float or None
        Seconds, on the clock on the wall.
    callback : callable
        Is shown the progress.
    stop : FirstCtrlC
        Says when to end before the end.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        n_best: int,
        file: TreeFile | None,
        with_trees: bool,
        time_limit: float | None,
        callback: Callback,
        stop: FirstCtrlC,
    ) -> None:
        self._best = BestTrees(n_best) if n_best else None
        self._file, self._as_json = file, line_of(problem.dataset.feature_names, with_tree=with_trees)
        self._trees_a_look = 1 if with_trees else _TREES_A_LOOK
        self._callback, self._stop, self._time_limit = stop.after(callback), stop, time_limit
        self._by_n_features = [0] * (problem.n_features + 1)
        self._begun = time.monotonic()
        self._deadline: float | None = None
        self._trees = DistinctTrees(problem, callback=self._show)

    def run(self) -> tuple[DistinctTreeCount, list[DistinctTree]]:
        """Return the count and the best trees, the best first."""
        n_known = 0 if self._file is None else self._file.n_found
        if not n_known:
            self._start_clock()
        for position, tree in enumerate(self._trees, start=1):
            self._count(tree)
            if position > n_known:
                self._write(tree)
            elif position == n_known:
                self._check_last(tree)
                self._start_clock()
            if self._stop.is_pressed:
                break
            if position % self._trees_a_look == 0:
                self._look_at_clock()
        return self._counted(), [] if self._best is None else self._best.best_first()

    def _count(self, tree: DistinctTree) -> None:
        self._by_n_features[len(tree.used_features)] += 1
        if self._best is not None:
            self._best.offer(tree)

    def _write(self, tree: DistinctTree) -> None:
        if self._file is not None:
            self._file.add(self._as_json(tree))

    def _check_last(self, tree: DistinctTree) -> None:
        """Refuse a file whose last tree is not the one that comes there."""
        assert self._file is not None, "there are trees in a file"
        assert self._file.last_found is not None, "of some trees one is the last"
        again = json.loads(self._as_json(tree))
        if any(self._file.last_found.get(key) != again[key] for key in again):
            raise _changed(self._file)

    def _start_clock(self) -> None:
        if self._time_limit is not None:
            self._deadline = time.monotonic() + self._time_limit
        self._look_at_clock()

    def _look_at_clock(self) -> None:
        """Leave the search the time that is left, now that some has gone into other work."""
        if self._deadline is not None:
            self._trees.resume(time_limit=max(self._deadline - time.monotonic(), 1e-6))

    def _show(self, progress: Progress) -> object:
        best = None if self._best is None else self._best.least_errors
        return self._callback(replace(progress, best=best, elapsed=time.monotonic() - self._begun))

    def _counted(self) -> DistinctTreeCount:
        count = DistinctTreeCount(
            n_distinct=sum(self._by_n_features),
            by_n_features=list(self._by_n_features),
            n_built=self._trees.n_built,
            status=self._trees.status or "stopped",
            elapsed=time.monotonic() - self._begun,
            certificate=self._trees.certificate,
        )
        if self._file is not None and count.n_distinct < self._file.n_found and count.status != "stopped":
            raise _cut_short(self._file, count)
        return count


def _cut_short(file: TreeFile, count: DistinctTreeCount) -> Exception:
    """Say why the trees of the file were not all found again."""
    if count.status == "node_limit":
        return ParameterError(
            f"node_limit={count.n_built} ends the search before the {file.n_found:,} trees that are in "
            f"{file.path}; give a larger one: it counts from the first tree on"
        )
    return _changed(file)


def _changed(file: TreeFile) -> FormatError:
    return FormatError(
        f"{file.path} was changed since it was written: its {file.n_found:,} trees are not the first ones of "
        "these data; name another file, or replace this one with --overwrite"
    )
