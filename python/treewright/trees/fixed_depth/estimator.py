"""The tree of a fixed depth that is optimal under naive Bayes."""

from __future__ import annotations

from typing import Self

from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import ParameterError
from treewright._base.wording import NO_VALUE
from treewright.data.binning import Edges
from treewright.results import SearchResult
from treewright.trees.fixed_depth.opt_feature_list import OptFeatureList, opt_feature_list
from treewright.trees.fixed_depth.questions import Questions
from treewright.trees.fixed_depth.search import Found, best_tree, chosen_depth
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.fixed_depth.thresholds import with_thresholds
from treewright.trees.learner import BinnedTreeLearner
from treewright.trees.tree import Tree

__all__ = ["FixedDepthTreeClassifier"]


class FixedDepthTreeClassifier(BinnedTreeLearner):
    """Best tree that asks at most so many questions, if features are independent within each class.

    A fixed-depth tree asks for the value of one feature, goes on as the answer is, and after `max_depth`
    questions at most names the most probable class. Under the assumption of naive Bayes the probability
    that a tree is right can be computed, and this finds a tree with the largest: an exact optimum, not a
    greedy tree. At depth 3 that takes well under a millisecond for dozens of features.

    Parameters
    ----------
    max_depth : int or "cv", default=3
        Most questions on a path; 0 is a lone leaf. ``"cv"`` chooses among 1 to 5 by five-fold
        cross-validation (the folds are always the same; equal accuracies go to the smaller depth).
    class_prior : float, default=1.0
        Pseudo-count added to every class before probabilities are taken; 1 is Laplace's, 0 is legal.
    value_prior : float, default=1.0
        Pseudo-count added to every value of a feature within each class; 1 is Laplace's. With 0 a value that
        a class never has rules the class out, and of a class of which the feature is never known every
        value is as likely as any other.
    solver : {"auto", "bounded", "sets", "feature_list", "exhaustive"}, default="auto"
        How the optimum is found; all find one of the same value. ``"bounded"``: branch and bound, the fastest
        and what ``"auto"`` is; ``"sets"``: each set of answers once; ``"feature_list"``: the published method
        (two classes only); ``"exhaustive"``: every order of questions.
    n_bins : int, default=2
        Most bins of a numeric feature; each is one answer.
    binning : {"quantile", "supervised"}, default="quantile"
        Where a numeric feature is cut. ``"quantile"``: into `n_bins` bins of about the same weight (2: at the
        median), looking at nothing else. ``"supervised"``: once, where the two sides together tell most about
        the class (largest information gain; equal gains go to the lowest cut), and nowhere if no cut tells
        anything; `n_bins` must be 2.
    feature_costs : array-like of shape (n_features,), default=None
        What each question costs, numbers of at least 0. Taken exactly, as the decimal numbers they are
        written as.
    cost_budget : float, default=None
        What the questions on a path may cost altogether, besides the limit of `max_depth`. A feature dearer
        than this is never asked for. Goes with `feature_costs`.
    trim : bool, default=True
        Whether a question that decides nothing is left out: one after each answer to which the same is asked
        and answered. That makes trees smaller and does not change the expected accuracy.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal, as in scikit-learn's histogram gradient boosting. Declared levels of a
        categorical type are values even if no sample has them.
    unseen : {"stop", "skip"}, default="stop"
        What a missing value, or one not seen in ``fit``, does where it is asked for. ``"stop"``: the most
        probable class given the answers so far. ``"skip"``: the answer is averaged over all branches, each as
        probable as the answers so far make it.
    time_limit : float, default=None
        Seconds after which the search ends with the best tree so far; with ``max_depth="cv"`` each of its
        searches.
    n_jobs : int, default=None
        Number of threads to predict with: None is 1, -1 every core. The search itself takes one.

    Attributes
    ----------
    tree_ : Tree
        The tree. Its weights are probabilities under naive Bayes; it knows numeric features by their bins,
        so that to predict numbers takes the estimator.
    expected_accuracy_ : float
        Probability, under naive Bayes, that the tree is right: the sum over its leaves of the probability of
        leaf and class together. Too good where features are dependent; see Notes.
    training_accuracy_ : float
        Share of the samples of ``fit``, by weight, that the tree is right about.
    opt_feature_list_ : OptFeatureList
        The best last questions for every probability of the second class, `max_depth` of them; with two
        classes only. It takes no account of costs.
    depth_ : int
        `max_depth`, or what cross-validation chose; the tree may be less deep.
    bin_edges_ : list of ndarray or None
        Where each numeric feature is cut, ascending; bin b holds what is above edge b - 1 and at most edge
        b. None for a nominal feature.
    search_ : SearchResult
        Its cost is the expected error, 1 - `expected_accuracy_`; ``"optimal"`` if that is proven to be the
        least, else what ended the search, and the bound.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    n_features_in_ : int
        Number of features seen in ``fit``.
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Names of the features, where `X` had text names.
    feature_importances_ : ndarray of shape (n_features_in_,)
        Share of every feature in the information gain of all nodes, under naive Bayes.

    See Also
    --------
    fit_many : The best trees for many weightings of the same samples.
    depth_path : Expected, training and cross-validated accuracy by depth.
    GreedyTreeClassifier : A tree that looks at the samples, not at a model of them, one split at a time.

    Notes
    -----
    Only the expected accuracy is unique. Many trees attain it, since a question that changes no answer is
    worth nothing: of values within 1e-12 the feature of the lowest position is asked for. Compare trees by
    `expected_accuracy_`, never by their nodes.

    Naive Bayes counts dependent features as independent evidence, so that the expected accuracy may be far
    above what the tree attains; the deeper, the farther. Choose a depth by cross-validation.

    Missing values of ``fit`` are left out of the counts of their feature. A feature without any known value
    is never asked for. A feature of more than 1000 values is refused. Leaves that no sample can reach
    have the class of the nearest node above that some can.

    References
    ----------
    A. Farhangfar, R. Greiner, M. Zinkevich, "A Fast Way to Produce Near-Optimal Fixed-Depth Decision Trees",
    2008.

    Examples
    --------
    >>> from treewright import FixedDepthTreeClassifier, datasets
    >>> model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("monks-3"))
    >>> print(f"{model.expected_accuracy_:.3f} {model.training_accuracy_:.3f} {model.search_.status}")
    0.888 0.972 optimal
    >>> [model.tree_.feature_names[i] for i in model.tree_.used_features]
    ['a2', 'a5']
    """

    tree_: Tree
    expected_accuracy_: float
    training_accuracy_: float
    opt_feature_list_: OptFeatureList
    depth_: int
    bin_edges_: Edges
    search_: SearchResult[Tree]
    missing = "unknown"

    def __init__(
        self,
        max_depth: int | str = 3,
        *,
        class_prior: float = 1.0,
        value_prior: float = 1.0,
        solver: str = "auto",
        n_bins: int = 2,
        binning: str = "quantile",
        feature_costs: object = None,
        cost_budget: float | None = None,
        trim: bool = True,
        categorical_features: object = "from_dtype",
        unseen: str = "stop",
        time_limit: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.max_depth = max_depth
        self.class_prior = class_prior
        self.value_prior = value_prior
        self.solver = solver
        self.n_bins = n_bins
        self.binning = binning
        self.feature_costs = feature_costs
        self.cost_budget = cost_budget
        self.trim = trim
        self.categorical_features = categorical_features
        self.unseen = unseen
        self.time_limit = time_limit
        self.n_jobs = n_jobs

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Find the best tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; NaN, None and NA are missing values.
        y : array-like of shape (n_samples,)
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, at most 2**20 and at least 2**-20; samples of weight 0 leave before
            anything is looked at. A weight of 2 is the same as the sample twice.

        Returns
        -------
        self : FixedDepthTreeClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter is not what it may be.
        DataError
            If the data cannot be used; names column, row and remedy.
        UnfinishedError
            If the time limit is over before there is any tree.
        """
        task = FixedDepthTask.of(self)
        training = self._intake(X, y, sample_weight)
        task.check_classes(len(training.classes))
        depth = chosen_depth(training, task) if task.max_depth is None else task.max_depth
        self._keep(best_tree(training, task.at_depth(depth)), depth)
        self._learn_schema(training)
        return self

    def _keep(self, found: Found, depth: int) -> None:
        priors = {"class_prior": found.task.class_prior, "value_prior": found.task.value_prior}
        width = max(1, min(depth, found.dataset.n_features))
        ranking = opt_feature_list(found.dataset, width=width, **priors)
        self.training_accuracy_ = found.accuracy(found.dataset)
        self.tree_, self.search_, self.depth_ = found.tree, found.search, depth
        self.bin_edges_, self.expected_accuracy_ = found.bins.edges, found.expected_accuracy
        if ranking is not None:
            self.opt_feature_list_ = ranking
        elif hasattr(self, "opt_feature_list_"):
            del self.opt_feature_list_

    def threshold_tree(self) -> Tree:
        """Return a tree that compares numbers with thresholds where `tree_` asks for bins.

        It needs no estimator to predict numbers, and can be saved with `Tree.to_json`. Where there are more
        than two bins, one question becomes several comparisons, so that it may be deeper.

        Returns
        -------
        tree : Tree
            Answers any sample as the estimator does.

        Examples
        --------
        >>> from treewright import FixedDepthTreeClassifier
        >>> X = [[1.0], [2.0], [3.0], [4.0]]
        >>> model = FixedDepthTreeClassifier().fit(X, ["low", "low", "high", "high"])
        >>> print(model.threshold_tree().export_text())
        x0 <= 2.5: low
        x0 > 2.5: high
        """
        check_is_fitted(self)
        return with_thresholds(self.tree_, self.bin_edges_)

    def export_questions(self, *, tells_unknown: bool = False) -> str:
        """Write the tree as the questions that it asks; answers after which all goes on alike share a line.

        Parameters
        ----------
        tells_unknown : bool, default=False
            Whether to say what to answer where a question has no answer.

        Returns
        -------
        text : str
            At the end of a path the class, and how probable it is by then, under naive Bayes.

        Examples
        --------
        >>> from treewright import FixedDepthTreeClassifier
        >>> model = FixedDepthTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
        >>> print(model.export_questions())
        x0 above 2.5?
           no: a (75 %)
           yes: b (75 %)
        """
        check_is_fitted(self)
        return "\n".join(Questions(self.tree_, self.bin_edges_, tells_unknown).lines())

    def _prediction_tree(self) -> Tree:
        return self.tree_

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn, besides what every tree says, that the published method is of two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.solver != "feature_list"
        return tags


def checked_model(model: object) -> FixedDepthTreeClassifier:
    """Return the model whose parameters a function takes: the one given, or one of the defaults."""
    if model is None:
        return FixedDepthTreeClassifier()
    if not isinstance(model, FixedDepthTreeClassifier):
        allowed = ("must be a FixedDepthTreeClassifier, or ", NO_VALUE, " for the defaults")
        raise ParameterError("model", model, allowed)
    return model
