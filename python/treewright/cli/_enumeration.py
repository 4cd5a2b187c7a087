"""What `treewright enumerate` looks at and prints."""

from __future__ import annotations

import json
import time
from bisect import insort
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from inspect import signature
from typing import TYPE_CHECKING

import treewright
from treewright import GreedyTreeClassifier, ParameterError
from treewright._base.numbers import counted_noun, for_json
from treewright._base.origin import told
from treewright.cli._pruning import pruning_line, worded
from treewright.cli._signature import Given
from treewright.cli._text import (
    Shown,
    described,
    document,
    drawn,
    facts_of,
    filled,
    joined,
    listed,
    loss_of,
    parted,
    plural,
    ranking,
)
from treewright.distinct import (
    DistinctTreeCount,
    count_distinct_trees,
    enumerate_distinct_trees,
    search_space,
)
from treewright.results import COUNT_MESSAGES, MESSAGES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from treewright import Dataset
    from treewright.cli._running import FirstCtrlC
    from treewright.cli._tree_file import TreeFile
    from treewright.distinct import DistinctTree, DistinctTrees
    from treewright.pruning import PruningRule
    from treewright.results import Callback, Progress

LIMITS = ("min_samples_split", "min_samples_leaf", "min_samples_branch", "min_gain")
"""Parameters of growing that are numbers."""

ANSWERING = ("class_weight", "cost_matrix", "probability", "smoothing")
"""Parameters of what classes weigh and how trees answer; told where they are given."""


MOST_BOXES = 256
"""Calls of the search that a picture shows."""


def _as_json(value: object) -> object:
    """Return a parameter as JSON can have it: a dict by labels as a list of pairs."""
    return [[key, one] for key, one in value.items()] if isinstance(value, dict) else value


@dataclass(frozen=True)
class Question:
    """What is asked for: the data, the parameters that were given, and which trees are wanted."""

    name: str
    dataset: Dataset
    growing: Given
    rule: PruningRule | None
    search: Given
    n_best: int
    with_trees: bool

    @cached_property
    def arguments(self) -> Given:
        """How counting and enumerating are called."""
        own = {name: value for name, value in self.growing.items() if name != "n_jobs"}
        share = self.search["validation_set"] or None
        asked = {
            "estimator": GreedyTreeClassifier(**own, pruning=self.rule),
            "n_jobs": self.growing.get("n_jobs"),
        }
        return self.search | asked | {"validation_set": share}

    @property
    def settings(self) -> dict[str, object]:
        """Every parameter that the trees, their errors or their order depend on."""
        used = GreedyTreeClassifier(**self.growing).get_params()
        share, seed = self.search["validation_set"], self.search["random_state"]
        return {
            **{name: used[name] for name in ("criterion", "growth")},
            **{name: float(used[name]) for name in LIMITS},
            "mdl_correction": bool(used["mdl_correction"]),
            **{name: used[name] for name in ("max_depth", "missing")},
            **{name: _as_json(self.growing[name]) for name in ANSWERING if name in self.growing},
            "pruning": told(self.rule),
            "required_features": [*self.search.get("required_features", ())],
            "order": self.search.get("order", signature(count_distinct_trees).parameters["order"].default),
            "validation_set": share,
            "seed": seed if share else None,
        }

    def design(self) -> dict[str, object]:
        """Return what the file of trees depends on."""
        used = self.settings
        own = {"random_state": used.pop("seed"), "with_trees": self.with_trees}
        used["pruning"] = None if self.rule is None else worded(self.rule)
        return {
            "treewright": treewright.__version__,
            **used,
            **own,
            "data": {"DATA": self.dataset.content_hash},
        }

    def header(self) -> str:
        """Return the first line of a file of trees."""
        settings = {**self.settings, "with_trees": self.with_trees}
        return document("distinct-trees", self.name, self.dataset, {"settings": settings})

    def plot(self) -> Axes:
        """Draw the search space."""
        known = signature(search_space).parameters
        asked = {name: value for name, value in self.arguments.items() if name in known}
        return search_space(self.dataset, **{**asked, "node_limit": MOST_BOXES}).plot()

    def line_of(self, tree: DistinctTree) -> str:
        """Return a tree as a line of a file, with its nodes or without."""
        text = json.dumps(facts_of(tree, self.dataset.feature_names), ensure_ascii=False)
        return f'{text[:-1]}, "tree": {tree.tree.to_json()}}}' if self.with_trees else text


# The search.


class BestTrees:
    """Keeps the trees with the fewest validation errors, whatever the order in which they are offered.

    Of equal errors the tree that tests fewer features is better, of equally many the one whose features come
    first in lexicographic order.
    """

    def __init__(self, n_kept: int) -> None:
        self._n_kept = n_kept
        self._kept: list[DistinctTree] = []

    @property
    def least_errors(self) -> float | None:
        """Errors of the best tree so far, None before there is one."""
        return loss_of(self._kept[0]) if self._kept else None

    def offer(self, tree: DistinctTree) -> None:
        """Keep a tree if it is among the best so far; its validation errors must be known."""
        if len(self._kept) < self._n_kept or (self._kept and _rank(tree) < _rank(self._kept[-1])):
            insort(self._kept, tree, key=_rank)
            del self._kept[self._n_kept :]

    def best_first(self) -> list[DistinctTree]:
        """Return the trees kept, the best first."""
        return list(self._kept)


def _rank(tree: DistinctTree) -> tuple[float, int, tuple[int, ...]]:
    return loss_of(tree), len(tree.used_features), tree.used_features


Found = tuple[DistinctTreeCount, Sequence["DistinctTree"]]
"""How many trees there are, and the best ones."""


def searched(
    question: Question, file: TreeFile | None, time_limit: float | None, line: Callback, stop: FirstCtrlC
) -> Found:
    """Count at full speed, or look at every tree if that is asked for."""
    callback = stop.after(line)
    if file is None and not question.n_best:
        return count_distinct_trees(
            question.dataset, **question.arguments, time_limit=time_limit, callback=callback
        ), ()
    return Walk(question, file, time_limit, callback).run(lambda: stop.is_heard)


_TREES_A_LOOK = 256
"""Trees between two looks at the clock, where they are not grown."""


class Walk:
    """Goes over the trees, from the first to the last or to a limit.

    Trees that an earlier run has put into the file are found again, counted and ranked, but neither grown
    nor written. They take no time off the limit, so that a run that goes on always comes further.
    """

    def __init__(
        self, question: Question, file: TreeFile | None, time_limit: float | None, callback: Callback
    ) -> None:
        self._question, self._file = question, file
        self._callback, self._time_limit = callback, time_limit
        self._best = BestTrees(question.n_best)
        self._by_n_features = [0] * (question.dataset.n_features + 1)
        self._n_subsets = 0
        self._begun = time.monotonic()
        self._deadline: float | None = None
        self._trees: DistinctTrees = enumerate_distinct_trees(
            question.dataset, **question.arguments, callback=self._show
        )

    def run(self, is_stopped: Callable[[], bool]) -> Found:
        """Return the count and the best trees, the best first."""
        n_known = 0 if self._file is None else self._file.n_found
        trees_a_look = 1 if self._question.with_trees else _TREES_A_LOOK
        if not n_known:
            self._start_clock()
        for position, tree in enumerate(self._trees, start=1):
            self._by_n_features[len(tree.used_features)] += 1
            self._n_subsets += tree.n_subsets
            if self._question.n_best:
                self._best.offer(tree)
            if position > n_known and self._file is not None:
                self._file.add(self._question.line_of(tree))
            elif position == n_known:
                self._start_clock()
            if is_stopped():
                break
            if position % trees_a_look == 0:
                self._look_at_clock()
        return self._counted(n_known), self._best.best_first()

    def _start_clock(self) -> None:
        if self._time_limit is not None:
            self._deadline = time.monotonic() + self._time_limit
        self._look_at_clock()

    def _look_at_clock(self) -> None:
        """Leave the search the time that is left, now that some has gone into other work."""
        if self._deadline is not None:
            self._trees.resume(time_limit=max(self._deadline - time.monotonic(), 1e-6))

    def _show(self, progress: Progress) -> object:
        seconds, known = (
            time.monotonic() - self._begun,
            self._n_subsets / 2 ** (self._question.dataset.n_features - len(self._trees.required_features)),
        )
        told = replace(progress, best=self._best.least_errors, elapsed=seconds)
        return self._callback(replace(told, text=f"for {known:.3%} of all subsets"))

    def _counted(self, n_known: int) -> DistinctTreeCount:
        trees, n_distinct = self._trees, sum(self._by_n_features)
        if n_distinct < n_known and trees.status == "node_limit":
            raise ParameterError(
                "node_limit",
                trees.n_built,
                f"ends the search before the {n_known:,} trees that are there",
                "give a larger one: it counts from the first tree on",
            )
        return DistinctTreeCount(
            n_distinct=n_distinct,
            by_n_features=self._by_n_features,
            n_built=trees.n_built,
            status=trees.status or "stopped",
            elapsed=time.monotonic() - self._begun,
            certificate=trees.certificate,
            validation_rows=trees.validation_rows,
            required_features=trees.required_features,
        )


# The answer.


@dataclass(frozen=True)
class Report:
    """All that the command prints: what was asked for, how many trees there are, and the best of them."""

    question: Question
    count: DistinctTreeCount
    best: Sequence[DistinctTree]

    @property
    def validation_rows(self) -> list[int]:
        """Positions of the rows that judged trees."""
        return [] if self.count.validation_rows is None else self.count.validation_rows.tolist()

    def text(self, shown: Shown) -> str:
        """Return the report that is printed, trees down to a depth."""
        dataset, n_validation = self.question.dataset, len(self.validation_rows)
        rows = f"{parted(dataset.n_samples - n_validation, n_validation)}."
        start = described(self.question.name, dataset)
        if self.question.rule is not None:
            start += f"\n{pruning_line(self.question.rule)}; trees are counted as they grow"
        parts = [start, rows if n_validation else "All rows are training rows.", str(self.count)]
        return joined([*parts, *self._best_trees(shown)])

    def _best_trees(self, shown: Shown) -> Iterator[str]:
        if not self.best:
            return
        head = ranking(len(self.best), is_whole=self.count.status == "complete")
        chosen = "by errors on the validation rows. Trees were chosen by these errors: expect more errors"
        if self.best[0].validation_cost is not None:
            chosen = "by cost on the validation rows. Trees were chosen by this cost: expect a higher one"
        yield filled(f"{head}, {chosen} on new rows.")
        for rank, tree in enumerate(self.best, start=1):
            yield drawn(tree.tree, shown, self._title(rank, tree))

    def _share(self, loss: float, form: str, unit: str) -> str:
        """Tell a loss as a share of the weight of the validation rows, unless class weights change that."""
        if self.question.growing.get("class_weight") is not None:
            return ""
        weights = self.question.dataset.sample_weight
        total = len(self.validation_rows) if weights is None else weights[self.validation_rows].sum()
        return f" ({loss / total:{form}}{unit})"

    def _title(self, rank: int, tree: DistinctTree) -> str:
        loss, n_features = loss_of(tree), len(tree.used_features)
        wrong = ("1 error" if loss == 1 else f"{loss:,g} errors") + self._share(loss, ".1%", "")
        if tree.validation_cost is not None:
            wrong = f"cost {loss:,g}" + self._share(loss, ".4g", " a row")
        when = "tested" if self.question.rule is None else "tested before pruning"
        counts = f"{wrong}, {plural(n_features, 'feature')} {when}"
        head = f"{rank}. {counts}, given by {counted_noun(tree.n_subsets, 'subset')}"
        names = self.question.dataset.feature_names
        return joined([head, listed([names[i] for i in tree.used_features])]) + "\n"

    def document(self) -> str:
        """Return the report as JSON, the best trees in it."""
        question, count = self.question, self.count
        names = question.dataset.feature_names
        facts = {
            "settings": question.settings,
            "search": {
                "n_validation_rows": len(self.validation_rows),
                "status": count.status,
                "message": (MESSAGES if self.best else COUNT_MESSAGES)[count.status],
                "seconds": count.elapsed,
                "n_trees_built": count.n_built,
                "validation_rows": self.validation_rows,
            },
            "n_distinct": count.n_distinct,
            "by_n_features": count.by_n_features,
            "certificate": for_json(count.certificate),
            "n_subsets": for_json(count.n_subsets),
            "best": [{**facts_of(tree, names), "tree": tree.tree} for tree in self.best],
        }
        return document("enumeration", question.name, question.dataset, facts)
