"""The tree of least cost within a depth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from treewright._base.checkpoint import PathLike, checked_place
from treewright._base.clock import Clock
from treewright._base.params import flag
from treewright.data.types import TableLike, VectorLike
from treewright.results import Callback
from treewright.trees.learner import TreeLearner
from treewright.trees.optimal.choosing import chosen_task
from treewright.trees.optimal.course import Course
from treewright.trees.optimal.saving import Saving
from treewright.trees.optimal.search import OptimalSearch
from treewright.trees.optimal.task import OptimalTask
from treewright.trees.tree import Tree

__all__ = ["OptimalTreeClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class OptimalTreeClassifier(TreeLearner):
    """Optimal decision tree: the least training error of all trees within a depth, with a proof.

    Of all trees of depth `max_depth` or less one is found that gives the fewest training samples a wrong
    answer (by weight, or by what wrong answers cost), plus `leaf_penalty` for each leaf. All thresholds
    between two values of a numeric feature are possible tests; numbers are not discretised.

    Parameters
    ----------
    max_depth : int or "cv", default=3
        Maximum depth: the largest number of tests on a path; 0 is a single leaf. Depths up to 3 take about a
        second on thousands of samples, depth 4 takes seconds to minutes. ``"cv"`` chooses a depth from 0 to 3
        by five-fold cross-validation (always with the same folds; a tie goes to the smaller depth).
    leaf_penalty : float or "cv", default=0.0
        Price of a leaf: the wrong samples that it must save, in mean samples; with a `cost_matrix`, each at a
        cost of 1. A mean sample has the mean weight of all samples of positive weight, so the unit of the
        weights does not matter; without weights it is a sample. 0: no price. ``"cv"`` chooses by five-fold
        cross-validation among the prices of all trees that are the best at some price (see `optimal_path`); a
        tie goes to the higher price.
    max_leaf_nodes : int, default=None
        Largest number of leaves; None for no limit.
    min_samples_leaf : float, default=1
        Least weight of the samples in a leaf; below 1 a share of the weight of all. A weight up to 1 is no
        limit.
    nominal_splits : {"one_value", "groups", "multiway"}, default="one_value"
        How a nominal feature is tested: one value against the rest, a group of values against the rest (all
        groups are tried, of at most 8 values), or a branch for every value. Categories with a declared order
        (``Dataset.ordered``) are cut like numbers.
    missing : {"branch"}, default="branch"
        How missing values are handled: at every test they go to one of the branches, or are a test of their
        own, whichever is best. Where no training sample had one, they go to the heavier branch.
    cost_matrix, class_weight, probability, smoothing
        As in `GreedyTreeClassifier`. With a cost matrix the tree has the least cost of wrong answers.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient boosting.
    time_limit : float, default=None
        Seconds after which ``fit`` ends with the best tree so far, and a bound that is proven. Choosing by
        ``"cv"`` takes at most half of them.
    node_limit : int, default=None
        Largest number of sets of samples to search.
    memory_limit : int or str, default=None
        Memory for the search: bytes, or text such as ``"64MB"``; None for no limit.
    callback : callable, default=None
        Called with a `Progress`, about twenty times a second: its `best` falls and its `bound` rises until
        both meet. Returning True ends the search with the best tree so far.
    checkpoint : str or path, default=None
        File that stores where the search stands: about every ten seconds, after a time limit, a stop by the
        callback or Ctrl-C, and at the end. A file that is there already is refused, unless `resume` continues
        from it. Depth 3 and deeper continue where they were; lower depths begin anew, and so does the tree of
        a fold in work, while folds of ``"cv"`` that are done are kept.
    resume : bool, default=False
        Whether to continue from `checkpoint`, if it exists: a file of a fit to the same data with the same
        parameters. Limits of the work and `n_jobs` may differ; `node_limit` counts all runs, `time_limit`
        this one. The tree in the end is that of a fit without interruption.
    keep_counts : bool, default=False
        Whether the tree keeps how the samples at every node are spread over the values of the feature that
        it tests, for drawings: ``tree_.histograms``.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts.
    depth_ : int
        `max_depth`, or the depth that cross-validation chose; the tree may be less deep.
    leaf_penalty_ : float
        `leaf_penalty`, or the price that cross-validation chose.
    cv_results_ : ResultTable or None
        What ``"cv"`` chose from, None without it: ``depth``, ``leaf_penalty``, and ``loss``, the weight (or
        cost) of the wrong answers on the ``n_folds`` held-out folds that were finished. Where none was, it is
        empty, the depth is 3, and a leaf has no price.
    search_ : OptimalSearch
        Cost, bound, gap and status: ``"optimal"`` if no tree within the limits costs less, else the limit
        that ended the search. The cost is the weight (or cost) of wrong answers plus its ``leaf_price`` for
        each leaf: `leaf_penalty` times the mean weight of a sample.
    classes_, n_features_in_, feature_names_in_, weight_scale_, n_lost_samples_
        As of `GreedyTreeClassifier`.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Share of every feature in the information gain of all nodes.

    See Also
    --------
    GreedyTreeClassifier : Grows a tree greedily, in no time and as deep as need be.
    MinimalTreeClassifier : The smallest or flattest tree that is right for all samples, of discretised
        features; the tree to take where values say exactly which class it is, as in a table of rules.

    Notes
    -----
    Training error is what is minimised, so choose a depth or a penalty that the number of samples bears. The
    four leaves of depth 2 are often as good as a large greedy tree on new samples; elsewhere they are not.

    Only the cost is unique. Of trees of equal cost the one met first is returned, the same for every number
    of threads and on every machine. Tests whose leaves would all give the same answer are left out.

    Weights, and the penalty, are counted in whole numbers, so that sums are exact. Equal samples are merged.

    References
    ----------
    C. E. Brita, J. G. M. van der Linden, E. Demirovic, "Optimal Classification Trees for Continuous Feature
    Data Using Dynamic Programming with Branch-and-Bound", 2025.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, datasets
    >>> model = OptimalTreeClassifier(max_depth=2).fit(datasets.load("iris"))
    >>> model.search_.cost, model.search_.status, model.tree_
    (6.0, 'optimal', Tree(n_nodes=5, n_leaves=3, max_depth=2))
    """

    max_depth: int | str = 3
    leaf_penalty: float | str = 0.0
    max_leaf_nodes: int | None = None
    min_samples_leaf: float = 1
    nominal_splits: str = "one_value"
    missing: str = "branch"
    cost_matrix: object = None
    class_weight: object = None
    probability: str = "weighted"
    smoothing: str | float | None = None
    categorical_features: object = "from_dtype"
    time_limit: float | None = None
    node_limit: int | None = None
    memory_limit: int | str | None = None
    callback: Callback | None = None
    checkpoint: PathLike | None = None
    resume: bool = False
    keep_counts: bool = False
    n_jobs: int | None = None

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Find the optimal tree.

        Parameters
        ----------
        X, y, sample_weight
            As for `GreedyTreeClassifier.fit`.

        Returns
        -------
        self : OptimalTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used. The message names column, row and remedy.
        FormatError
            If the file to resume is not a checkpoint, or belongs to other data or parameters.
        OSError
            If the checkpoint cannot be written.
        KeyboardInterrupt
            At Ctrl-C; the estimator is fitted with the best tree so far, its status ``"stopped"``. What
            ``"cv"`` chooses is then chosen by the folds that were finished.
        """
        task, keeps_counts = OptimalTask.of(self), flag("keep_counts", self.keep_counts)
        checked_place(self.checkpoint, self.resume)
        training = self._intake(X, y, sample_weight)
        clock = Clock(task.limits.time_limit)
        course = Course(clock, saving=Saving.of(self, training, task, clock))
        chosen = chosen_task(training, task, course)
        task, self.cv_results_ = chosen.task, chosen.losses
        found = course.last(training, task)
        self.depth_, self.leaf_penalty_ = task.max_depth, float(task.leaf_penalty)
        tree = found.tree
        self.tree_ = Tree(tree._core.with_histograms(training.core)) if keeps_counts else tree
        self.search_: OptimalSearch = found.search
        self._learn_schema(training)
        if found.raised is not None:
            raise found.raised
        return self

    def _prediction_tree(self) -> Tree:
        return self.tree_
