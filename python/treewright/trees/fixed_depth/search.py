"""One search for the best tree, from checked parameters to what was found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright import _core
from treewright._base.clock import Clock
from treewright._base.params import Limits
from treewright.data.binning import Bins
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, FloatArray
from treewright.results import Callback, SearchResult
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.thresholds import with_thresholds
from treewright.trees.tree import Tree


@dataclass(frozen=True, eq=False)
class Found:
    """The best tree, and what it was found from."""

    task: FixedDepthTask
    bins: Bins
    dataset: Dataset
    """The samples with bins in place of numbers."""
    tree: Tree
    expected_accuracy: float
    expected_cost: float
    search: SearchResult[Tree]
    raised: BaseException | None = None
    """What stopped the search, to be raised once the tree is kept."""

    def accuracy(self, dataset: Dataset) -> float:
        """Return the share of the weight of a data set in bins that is predicted rightly."""
        assert dataset.target is not None, "it was split off a set with classes"
        return float(np.average(self._predicted(dataset) == dataset.target, weights=dataset.sample_weight))

    def worth(self, dataset: Dataset, weights: FloatArray) -> float:
        """Return what the answers to samples in bins, of these weights, are worth on the mean.

        That is what they cost, negative, if wrong answers have costs, else the share that is right.
        """
        predicted, prices = self._predicted(dataset), self.task.answering.prices(self.tree.classes_)
        assert dataset.target is not None, "it was split off a set with classes"
        if not prices.has_costs:
            return float(np.average(predicted == dataset.target, weights=weights))
        return -float(np.average(prices.losses(dataset.target, predicted), weights=weights))

    def told(self, training: TrainingSet) -> Tree:
        """Return the tree with counts of the samples, which tells probabilities as it is asked to."""
        counted = self.tree._core.counted(self.dataset.core)
        return Tree(self.task.answering.given_to(counted, training, training.row_weight))

    def _predicted(self, dataset: Dataset) -> AnyArray:
        columns = [dataset.column(i) for i in range(dataset.n_features)]
        return self.tree._core.predict(columns, self.task.n_threads)


def best_tree(training: TrainingSet, task: FixedDepthTask, bins: Bins | None = None) -> Found:
    """Find the best tree of the task's depth; `bins` are learned unless they are given."""
    found = kept_tree(training, task, bins)
    if found.raised is not None:
        raise found.raised
    return found


def kept_tree(
    training: TrainingSet, task: FixedDepthTask, bins: Bins | None = None, callback: Callback | None = None
) -> Found:
    """Find the best tree, or the best until something was raised."""
    bins = task.bins(training) if bins is None else bins
    return _searched(training, task, bins, bins.apply(training.dataset), callback)


def trees_of_depths(
    training: TrainingSet, task: FixedDepthTask, depths: Sequence[int], clock: Clock
) -> Iterator[tuple[Tree, SearchResult[Tree]]]:
    """Yield the `threshold_tree` that ``fit`` finds for every depth, and its search.

    Bins are learned once. Searches end when the clock says so, with the best tree until then.
    """
    bins = task.bins(training)
    dataset = bins.apply(training.dataset)
    for depth in depths:
        clock.check()
        within = replace(task, max_depth=depth, time_limit=clock.limit())
        found = _searched(training, within, bins, dataset, lambda _: clock.stopped)
        if found.raised is not None:
            raise found.raised
        yield with_thresholds(found.told(training), bins), found.search


def _searched(
    training: TrainingSet, task: FixedDepthTask, bins: Bins, dataset: Dataset, callback: Callback | None
) -> Found:
    answer = _core.fixed_depth_tree(
        dataset.core,
        task=task.of_engine(training),
        limits=Limits(task.n_threads, task.time_limit, callback),
    )
    tree = Tree(answer.tree)
    result = search_result(answer, tree)
    expected = answer.expected_accuracy, answer.expected_cost
    return Found(task, bins, dataset, tree, *expected, result, answer.raised)


def search_result(answer: _core.FixedDepthFound, tree: Tree) -> SearchResult[Tree]:
    """Return what the engine says of its search; the cost is the expected cost of an answer."""
    return SearchResult(
        cost=answer.expected_cost,
        bound=answer.bound,
        status=answer.status,
        n_searched=answer.n_searched,
        elapsed=answer.elapsed,
        tree=tree,
    )
