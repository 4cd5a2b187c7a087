"""What `treewright enumerate` looks at and what it found."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright import FormatError, ParameterError
from treewright._base.numbers import counted_noun, for_json
from treewright.cli._lines import (
    filled,
    listed,
    plural,
)
from treewright.cli._tree import (
    data_facts,
    described,
    drawn,
    facts_of,
    line_of,
    parted,
)
from treewright.distinct import DistinctTreeCount, DistinctTrees
from treewright.results import COUNT_MESSAGES, MESSAGES
from treewright.trees.distinct_tree import BestTrees

if TYPE_CHECKING:
    from treewright import Dataset
    from treewright.cli._progress import FirstCtrlC
    from treewright.cli._tree_file import TreeFile
    from treewright.distinct import DistinctTree, DistinctTreeCount
    from treewright.results import Callback, Progress
    from treewright.search.distinct.problem import Problem


TREES_FORMAT = "treewright-distinct-trees"
TREES_VERSION = 1

_GROWTH = (
    "criterion",
    "growth",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "mdl_correction",
    "max_depth",
    "missing",
)
"""What trees depend on, besides the data and the weights of classes."""


def header(problem: Problem, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the first line of a file of trees.

    The data go in by what they are, not by the name of their file; `settings` are those of
    `settings_of` and whatever else changes the lines. Threads and limits do not.
    """
    import treewright

    facts = data_facts(problem.dataset)
    return {
        "format": TREES_FORMAT,
        "version": TREES_VERSION,
        "treewright": treewright.__version__,
        "settings": settings,
        "data": {
            **facts,
            "n_validation_rows": len(problem.validation_part),
            "fingerprint": fingerprint(problem.dataset, problem.validation_part),
        },
    }


def settings_of(problem: Problem, validation_set: float, seed: int) -> dict[str, Any]:
    """Return every parameter that the trees, their errors or their order depend on."""
    return {
        **{name: getattr(problem.growth, name) for name in _GROWTH},
        "order": problem.limits.order,
        "validation_set": validation_set,
        "seed": seed if validation_set else None,
    }


def fingerprint(dataset: Dataset, search: Any) -> str:
    """Return a digest of all that the data say, and of which rows are validation rows."""
    core = dataset.core
    digest = hashlib.sha256(json.dumps([core.names, core.levels, core.classes]).encode())
    arrays = [core.column(i) for i in range(core.n_features)]
    for array in [*arrays, core.target, core.weights, search]:
        _add(digest, array)
    return digest.hexdigest()


def _add(digest: Any, array: Any) -> None:
    """Add an array, the same bytes on every machine: little-endian, one NaN, no negative zero."""
    values = np.array([] if array is None else array)
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values + 0.0)
    digest.update(f"{values.dtype.kind}{values.size};".encode())
    digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())


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
            "node_limit",
            count.n_built,
            f"ends the search before the {file.n_found:,} trees that are in {file.path}",
            "give a larger one: it counts from the first tree on",
        )
    return _changed(file)


def _changed(file: TreeFile) -> FormatError:
    return FormatError(
        f"{file.path} was changed since it was written: its {file.n_found:,} trees are not the first ones of "
        "these data; name another file, or replace this one with --overwrite"
    )


FORMAT = "treewright-enumeration"
FORMAT_VERSION = 1


@dataclass(frozen=True)
class Found:
    """All that the command prints.

    Attributes
    ----------
    name : str
        What the data were called.
    problem : Problem
        Data and rows.
    settings : dict
        Parameters that the trees depend on.
    count : DistinctTreeCount
        How many trees there are.
    best : sequence of DistinctTree
        The best ones, the best first.
    """

    name: str
    problem: Problem
    settings: dict[str, Any]
    count: DistinctTreeCount
    best: Sequence[DistinctTree]

    def text(self, depth: int) -> str:
        """Return the report that is printed, trees down to a depth."""
        parts = [described(self.name, self.problem.dataset), self._rows(), str(self.count)]
        parts += self._best_trees(depth)
        return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"

    def _rows(self) -> str:
        n_validation = len(self.problem.validation_part)
        if not n_validation:
            return "All rows grew the trees."
        return f"{parted(len(self.problem.training_part), n_validation)}."

    def _best_trees(self, depth: int) -> Iterator[str]:
        if not self.best:
            return
        head = "The best tree" if len(self.best) == 1 else f"The {len(self.best):,} best trees"
        so_far = "" if self.count.status == "complete" else " found so far"
        chosen = "The validation rows chose among all trees: expect more errors on new rows."
        yield filled(f"{head}{so_far}, by errors on the validation rows. {chosen}")
        for rank, tree in enumerate(self.best, start=1):
            yield drawn(tree.tree, depth, self._title(rank, tree))

    def _title(self, rank: int, tree: DistinctTree) -> str:
        errors, n_features = tree.n_validation_errors or 0, len(tree.used_features)
        rate = f"{errors / len(self.problem.validation_part):.1%}"
        wrong = "1 error" if errors == 1 else f"{errors:,g} errors"
        counts = f"{wrong} ({rate}), {plural(n_features, 'feature')} tested"
        head = f"{rank}. {counts}, given by {counted_noun(tree.n_subsets, 'subset')}"
        names = self.problem.dataset.feature_names
        used = [listed([names[i] for i in tree.used_features]), ""] if n_features else []
        return "\n".join([head, "", *used]).rstrip("\n") + "\n"

    def document(self) -> str:
        """Return the report as JSON, the best trees in it."""
        import treewright

        dataset, count = self.problem.dataset, self.count
        facts = {
            "format": FORMAT,
            "version": FORMAT_VERSION,
            "treewright": treewright.__version__,
            "data": {"name": self.name, **data_facts(dataset)},
            "settings": self.settings,
            "search": {
                "n_validation_rows": len(self.problem.validation_part),
                "status": count.status,
                "message": (MESSAGES if self.best else COUNT_MESSAGES)[count.status],
                "seconds": count.elapsed,
                "n_trees_built": count.n_built,
                "validation_rows": self.problem.validation_part.tolist(),
            },
            "n_distinct": count.n_distinct,
            "by_n_features": list(count.by_n_features),
            "certificate": for_json(count.certificate),
            "n_subsets": for_json(count.n_subsets),
            "best": [self._ranked(tree) for tree in self.best],
        }
        return json.dumps(facts, ensure_ascii=False) + "\n"

    def _ranked(self, tree: DistinctTree) -> dict[str, Any]:
        return {**facts_of(tree, self.problem.dataset.feature_names), "tree": json.loads(tree.tree.to_json())}
