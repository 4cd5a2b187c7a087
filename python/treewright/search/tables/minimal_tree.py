"""The tree of least cost as an estimator."""

from __future__ import annotations

from typing import Self

from treewright._base.params import whole_number
from treewright.data.encode import UNSEEN
from treewright.results import Callback, SearchResult
from treewright.search.tables.cost import AnyCost, Then
from treewright.search.tables.searches import Budget, checked_pairs, minimum_tree
from treewright.search.tables.table import DecisionTable
from treewright.trees.answering import Answering
from treewright.trees.learner import BinnedTreeLearner
from treewright.trees.tree import Tree

__all__ = ["MinimalTreeClassifier"]


class MinimalTreeClassifier(BinnedTreeLearner):
    """Optimal decision tree: least depth, fewest nodes or another cost, with a proof.

    The samples are converted into a `DecisionTable`: a nominal feature keeps its values, a numeric feature is
    discretised into bins, and equal samples become one row with their most common class, by weight (or the
    class that costs least as an answer). Of all
    trees that give every row its class, a tree of least cost is found.

    Parameters
    ----------
    cost : {"depth", "total_path_length", "average_depth", "n_nodes", "n_internal", "n_leaves"} or Cost \
or MonotoneCost, default="n_nodes"
        The cost that is minimised.
    then : str, Cost or sequence of them, default=None
        Costs that decide between trees of equal cost, in this order. Not with a `MonotoneCost`.
    max_pairs : int, default=0
        A node with at most this many pairs of rows of different classes is a leaf. Above 0 the tree is
        smaller and wrong for some samples. Equal samples count as one row.
    max_bins : int, default=4
        Largest number of bins of a numeric feature, of about equal weight; a feature with no more distinct
        numbers has one bin for each number.
    class_weight, cost_matrix, probability, smoothing
        As in `GreedyTreeClassifier`: equal samples, and a leaf, have the class of least expected cost.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient boosting.
    node_limit : int, default=None
        Largest number of subtables to examine, as in `DecisionTable.minimum_tree`.
    memory_limit : int or str, default=None
        Memory for the search: bytes, or text such as ``"64MB"``; None is 1 GiB.
    time_limit : float, default=None
        Seconds after which the search ends with the best tree so far.
    callback : callable, default=None
        Called regularly with a `Progress`; returning True ends the search.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Attributes
    ----------
    tree_ : Tree
        The tree that predicts. It tests the bins of numeric features, so use the estimator or
        `threshold_tree` to predict from numbers.
    search_ : SearchResult
        Cost, bound, gap and status: ``"optimal"`` if the tree is proven to have the least cost, else the
        limit that ended the search.
    bin_edges_ : list of ndarray or None
        Edges between the bins of each numeric feature, ascending; bin b holds values above edge b - 1 and up
        to edge b. None for a nominal feature.
    n_rows_ : int
        Number of different samples after binning.
    classes_, n_features_in_, feature_names_in_, weight_scale_, n_lost_samples_
        As of `GreedyTreeClassifier`.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Share of every feature in the information gain of all nodes.

    See Also
    --------
    DecisionTable : The table itself, with more methods.
    OptimalTreeClassifier : The fewest errors within a depth, of numbers as they are; the tree to take where
        classes overlap, and some training samples may be wrong.
    GreedyTreeClassifier : Grows a tree greedily and much faster.

    Notes
    -----
    If a node has no branch for a value, the answer of the node is predicted. A missing value is a value of
    its own, and has a branch only if the node's rows had missing values. The cost and `max_pairs` count rows:
    equal samples are one row. The weights, classes and probabilities of nodes are those of the samples.

    Of trees of equal cost the order of the features decides which one is returned; the order of the samples
    does not.

    The number of subtables grows fast with the number of features; about twenty informative features with
    thousands of rows are the practical limit. Set a `time_limit` for larger data.

    References
    ----------
    A. Alkhalid, I. Chikalov, M. Moshkov, "Decision Tree Construction using Greedy Algorithms and Dynamic
    Programming -- Comparative Study", 2011.

    Examples
    --------
    >>> from treewright import MinimalTreeClassifier, datasets
    >>> model = MinimalTreeClassifier(cost="depth", then="n_nodes").fit(datasets.load("monks-1"))
    >>> model.search_.cost, model.search_.status, model.tree_
    (3, 'optimal', Tree(n_nodes=37, n_leaves=27, max_depth=3))

    Numbers are put into bins:

    >>> from sklearn.datasets import load_iris
    >>> X, y = load_iris(return_X_y=True)
    >>> model = MinimalTreeClassifier(max_pairs=50).fit(X, y)
    >>> model.bin_edges_[0]
    array([5.05, 5.75, 6.35])
    """

    tree_: Tree
    search_: SearchResult[Tree]
    n_rows_: int
    missing = "value"
    unseen_code = UNSEEN

    def __init__(
        self,
        *,
        cost: AnyCost = "n_nodes",
        then: Then = None,
        max_pairs: int = 0,
        max_bins: int = 4,
        class_weight: object = None,
        cost_matrix: object = None,
        probability: str = "weighted",
        smoothing: str | float | None = None,
        categorical_features: object = "from_dtype",
        node_limit: int | None = None,
        memory_limit: int | str | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.cost = cost
        self.then = then
        self.max_pairs = max_pairs
        self.max_bins = max_bins
        self.class_weight = class_weight
        self.cost_matrix = cost_matrix
        self.probability = probability
        self.smoothing = smoothing
        self.categorical_features = categorical_features
        self.node_limit = node_limit
        self.memory_limit = memory_limit
        self.time_limit = time_limit
        self.callback = callback
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Find the tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are a value of their own.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, 0 or above; samples of weight 0 are removed first. They decide where numeric features are
            cut and which class equal samples and nodes have; the cost counts rows, whatever their weight.

        Returns
        -------
        self : MinimalTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used. The message names column, row and remedy.
        KeyboardInterrupt
            At Ctrl-C; the estimator is fitted with the best tree so far, its status ``"stopped"``.
        """
        budget = Budget.of(self.node_limit, self.memory_limit, self.time_limit, self.callback, self.n_jobs)
        max_bins = whole_number("max_bins", self.max_bins, least=2, remedy="2 is the fewest")
        max_pairs, answering = checked_pairs(self.max_pairs), Answering.of(self)
        training = self._intake(X, y, sample_weight)
        table = DecisionTable._of_samples(training, max_bins, "most_common", answering)
        found, raised = minimum_tree(table, self.cost, self.then, max_pairs, budget)
        assert found.tree is not None, "a search has a tree from its start"
        self.tree_, self.search_, self.n_rows_ = found.tree, found, table.n_rows
        self._keep_bins(table._bins)
        self._learn_schema(training)
        if raised is not None:
            raise raised
        return self

    def _prediction_tree(self) -> Tree:
        return self.tree_
