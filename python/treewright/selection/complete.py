"""The best subset of features there is, by a search of all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.params import Limits
from treewright.data.training import TrainingSet
from treewright.results import Callback, Watch
from treewright.selection.plot import plot_best
from treewright.selection.rules import CompleteRules
from treewright.selection.selector import SelectionOutcome, TreeSelector
from treewright.trees.distinct_tree import DistinctTree, Grown
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.growing import SearchData
from treewright.trees.searching import SearchTrees
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["CompleteSearchSelector"]


@dataclass(kw_only=True, eq=False, repr=False)
class CompleteSearchSelector(TreeSelector):
    """Find the feature subset whose greedy tree makes the fewest errors of all, and prove it.

    The samples are split into a training part, on which trees are grown, and a validation part, on which
    their errors are counted. The selected subset is the one whose tree makes the fewest validation errors. In
    a tie it is the one whose tree tests the fewest features, then the one whose features come first. The
    search visits the distinct trees over all subsets, as `enumerate_distinct_trees` does. It skips every part
    of the search space that cannot hold a better tree, by a lower bound on the errors of all its trees
    (branch and bound).

    As a transformer it keeps the selected columns. As a classifier it predicts with the tree of the selected
    features, grown on all samples.

    Parameters
    ----------
    tolerance : int or float, default=0
        Number of additional validation errors that are accepted for a shorter search. An int counts errors
        (in weight), a float in (0, 1) is a share of the weight of the validation part. With a cost matrix an
        int is a cost, and a float a share of what the validation part costs if all answers are wrong, each at
        the mean cost for its class. With `validation_leaf_penalty` or `validation_feature_penalty` it is the
        sum of errors and penalties that may be so much higher.
    max_features : int, default=None
        Largest number of features that a tree may test; None is no limit.
    top_k : int, default=1
        Number of best distinct trees to keep. A number above 1 needs `tolerance` 0.
    count_ties : bool, default=False
        Whether to count all distinct trees with the fewest errors, which takes longer. It needs `tolerance`
        0.
    order : {"frontier", "frontier_descending", "index", "index_descending"}, default="frontier"
        Which features are removed first, as in `enumerate_distinct_trees`. Without a limit the answer does
        not depend on it.
    memory_limit : int or str, default=None
        Memory for the cache: bytes, or text such as ``"64MB"``; None is 128 MiB. With less memory the search
        is slower, with the same answer.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees; None is ``GreedyTreeClassifier()``. A larger `min_samples_split` makes
        the search shorter. A grid search reaches its parameters as ``estimator__max_depth`` and so on. If it
        has a `pruning` rule, the errors are those of the pruned trees. Grafting, reduced-error pruning and
        rules that choose a parameter are refused, and ``growth="c45"`` is.
    validation_set, validation_leaf_penalty, validation_feature_penalty, random_state, time_limit, callback
        As for `BackwardEliminationSelector`. With folds the errors of their trees are summed, and a feature
        is used if the tree of some fold tests it.
    n_jobs : int, default=None
        Number of threads, -1 every core; None is the value of the estimator, usually 1. The answer does not
        depend on it. The threads grow the last tree and predict; the search itself runs on one.

    Attributes
    ----------
    support_ : ndarray of bool of shape (`n_features_in_`,)
        The selected features: those that the tree tests before it is pruned (with folds, the tree of some
        fold).
    used_features_ : ndarray of int
        Positions of the features that `tree_` tests, after pruning, ascending.
    best_trees_ : list of DistinctTree
        The best trees in order, at most `top_k`: the features that they test, their errors, and the subsets
        that give them. With folds these are the features, the errors and the mean leaves of the trees
        of all folds, and ``tree`` is grown on all samples.
    n_ties_ : int or None
        Number of distinct trees that are as good as the best, including the best. If the search ended
        early, those found so far; None unless `count_ties`.
    n_trees_built_ : int
        Number of trees built by the search, including the eliminations at its start.
    search_ : SearchResult
        Cost, bound, gap and status: ``"optimal"`` if the answer is proven to be the best; ``"complete"`` if
        it is proven to be within the tolerance; else the limit that ended the search. No subset makes fewer
        errors than the bound, whatever the status. With `validation_leaf_penalty` or
        `validation_feature_penalty` cost and bound are errors + penalty x leaves + penalty x features.
    tree_, fold_trees_, fold_validation_rows_, refit_tree_, n_validation_errors_, validation_error_, \
validation_cost_, mean_validation_cost_, validation_rows_, classes_, n_features_in_, feature_names_in_, \
weight_scale_, n_lost_samples_
        As of `BackwardEliminationSelector`.

    See Also
    --------
    BackwardEliminationSelector : Finds a good subset in much less time.
    enumerate_distinct_trees : Finds all trees, not only the best ones.

    Notes
    -----
    In the worst case the time doubles with every feature. It is much shorter with a larger
    `min_samples_split`, with a `tolerance`, and if few trees are nearly as good as the best. A `time_limit`
    returns the best tree so far; its bound is usually 0, because until the end the search still has trees to
    visit in which every node may change.

    Ctrl-C raises ``KeyboardInterrupt``, and an exception of `callback` is passed on. In both cases the
    selector is fitted with the best result so far. After a second Ctrl-C the selector is unchanged.

    A more complete search lowers the validation errors but often not the errors on new samples (overfitting):
    compare by cross-validation (`treewright.studies.compare_selection`).

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, sections 4 and 5.

    S. Ruggieri, "Complete Search for Feature Selection in Decision Trees", JMLR 20, 2019.

    Examples
    --------
    >>> from treewright import CompleteSearchSelector, GreedyTreeClassifier, datasets
    >>> selector = CompleteSearchSelector(
    ...     estimator=GreedyTreeClassifier(min_samples_split=16), count_ties=True, random_state=0
    ... )
    >>> selector.fit(datasets.load("wine")).used_feature_names_out().tolist()
    ['alcohol', 'magnesium', 'flavanoids', 'color_intensity']
    >>> selector.search_.cost, selector.search_.status, selector.n_ties_
    (1, 'optimal', 3)

    The best trees, and how many subsets give each:

    >>> _ = selector.set_params(top_k=3).fit(datasets.load("wine"))
    >>> [(tree.used_features, tree.n_subsets) for tree in selector.best_trees_]
    [((0, 4, 6, 9), 256), ((0, 2, 4, 6, 10), 64), ((0, 3, 4, 6, 10), 32)]
    """

    tolerance: float = 0
    max_features: int | None = None
    top_k: int = 1
    count_ties: bool = False
    order: str = "frontier"
    memory_limit: int | str | None = None
    estimator: GreedyTreeClassifier | None = None
    validation_set: object = 0.3
    validation_leaf_penalty: float = 0
    validation_feature_penalty: float = 0
    random_state: object = None
    time_limit: float | None = None
    callback: Callback | None = None
    n_jobs: int | None = None

    def _engine(self, trees: SearchTrees) -> Callable[[SearchData], SelectionOutcome]:
        rules = CompleteRules(**{field.name: getattr(self, field.name) for field in fields(CompleteRules)})
        limits = Limits.of(self.n_jobs, self.time_limit, self.callback)
        watch = Watch(limits.callback)
        limits = limits._replace(callback=watch)

        def search(data: SearchData) -> SelectionOutcome:
            found = _core.complete_search(
                data.folds_of_engine,
                rules=rules.for_engine(data.training.dataset.n_features, data.usual_loss, data.largest_loss),
                limits=data.in_units(
                    limits._replace(n_threads=data.growing.n_threads), self._per_error(data)
                ),
            )
            first = found.best[0]
            fold_trees = [trees.pruned(tree) for tree in first.trees]
            return SelectionOutcome(
                selected=first.used_features,
                n_errors=first.n_errors,
                cost=first.cost,
                tree=fold_trees[0],
                n_trees_built=found.n_trees_built,
                status=found.status,
                elapsed=found.elapsed,
                bound=found.bound,
                fold_trees=fold_trees if data.folds else (),
                best=[_distinct_tree(tree, trees, data) for tree in found.best],
                n_ties=found.n_ties,
                raised=found.raised,
                watch=watch,
            )

        return search

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the errors of the best trees, or their cost, against their leaves.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A point for each of ``best_trees_``, and a ring around the chosen one. ``search_.plot()`` draws
            the bound over time.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        check_is_fitted(self)
        return plot_best(self.best_trees_, ax)

    def _learn_outcome(self, outcome: SelectionOutcome, data: SearchData) -> None:
        super()._learn_outcome(outcome, data)
        self.best_trees_ = list(outcome.best)
        self.n_ties_ = outcome.n_ties

    def _learn_schema(self, training: TrainingSet) -> None:
        super()._learn_schema(training)
        for best in self.best_trees_:
            best.tree._found_by(self._origin)
        del self._origin  # its trees have it

    def _message(self, outcome: SelectionOutcome) -> str:
        is_within = outcome.status == "complete"
        return "The answer is proven to be within the tolerance of the best." if is_within else ""


def _distinct_tree(best: _core.BestTree, trees: SearchTrees, data: SearchData) -> DistinctTree:
    judged = [Tree(trees.pruned(tree)) for tree in best.trees]
    source = Grown(judged[0])
    if data.folds:
        mean_leaves = sum(tree.n_leaves for tree in judged) / len(judged)
        source = Grown(trees.grown(best.used_features, data.training)[1], mean_leaves)
    used, blocked = tuple(best.used_features), tuple(best.blocked_features)
    loss = data.as_errors(best.n_errors)
    if data.counts_cost:
        return DistinctTree(used, None, blocked, source, validation_cost=loss)
    return DistinctTree(used, loss, blocked, source)
