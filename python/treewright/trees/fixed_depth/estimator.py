"""The tree of a fixed depth that is optimal under naive Bayes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treewright._base.errors import ParameterError
from treewright._base.params import callable_or_none
from treewright._base.wording import Value
from treewright.data.training import TrainingSet
from treewright.results import Callback
from treewright.trees.fixed_depth.course import Course, chosen_depth
from treewright.trees.fixed_depth.opt_feature_list import opt_feature_list
from treewright.trees.fixed_depth.plot import plot_questions
from treewright.trees.fixed_depth.questions import Questions
from treewright.trees.fixed_depth.search import Found
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.learner import BinnedTreeLearner
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FixedDepthTreeClassifier"]


@dataclass(kw_only=True, eq=False, repr=False)
class FixedDepthTreeClassifier(BinnedTreeLearner):
    """Fixed-depth decision tree that is optimal under naive Bayes.

    A fixed-depth tree makes at most `max_depth` tests on a path, each of one feature, and then predicts the
    most probable class. If features are independent within each class, as naive Bayes assumes, the
    probability that a tree is right can be computed. This estimator finds a tree with the largest
    probability: an exact optimum, not a greedy tree. At depth 3 this takes well under a millisecond for
    dozens of features.

    Parameters
    ----------
    max_depth : int or "cv", default=3
        Maximum depth: the largest number of tests on a path; 0 is a single leaf. ``"cv"`` chooses a depth
        from 1 to 5 by five-fold cross-validation (always with the same folds; a tie goes to the smaller
        depth).
    class_prior : float, default=1.0
        Pseudo-count added to every class before probabilities are computed; 1 is Laplace smoothing, 0 is
        allowed.
    value_prior : float, default=1.0
        Pseudo-count added to every value of a feature within each class; 1 is Laplace smoothing. With 0, a
        value that does not occur in a class excludes the class. If a feature is always missing in a class,
        all its values are equally likely there.
    solver : {"auto", "bounded", "sets", "feature_list", "exhaustive"}, default="auto"
        Algorithm that finds the optimum; all find the same optimal value. ``"bounded"``: branch and bound,
        the fastest, also chosen by ``"auto"``; ``"sets"``: each set of test results once; ``"feature_list"``:
        the published method (two classes only); ``"exhaustive"``: every order of tests.
    n_bins : int, default=2
        Largest number of bins of a numeric feature; each bin is one branch.
    binning : {"quantile", "supervised"}, default="quantile"
        How numeric features are discretised into bins. ``"quantile"``: into `n_bins` bins of about the same
        weight (2: at the median), without regard to the class. ``"supervised"``: at the one threshold with
        the largest information gain (a tie goes to the lowest), and not at all if no threshold has a gain;
        `n_bins` must be 2.
    feature_costs : array-like of shape (n_features,), default=None
        Cost of testing each feature, at least 0. Costs are exact decimal numbers.
    cost_budget : float, default=None
        Largest total cost of the tests on a path, in addition to `max_depth`. A feature that costs more is
        never tested. It needs `feature_costs`.
    trim : bool, default=True
        Whether tests that do not change the prediction are removed: those with the same subtree in every
        branch. This makes trees smaller and does not change the expected accuracy.
    class_weight, cost_matrix, probability, smoothing
        As in `GreedyTreeClassifier`. With a cost matrix the tree has the least expected cost, and
        ``max_depth="cv"`` chooses the depth of least cost.
    categorical_features : "from_dtype" or array-like, default="from_dtype"
        Which columns are nominal (categorical), as in scikit-learn's histogram gradient boosting. Declared
        levels of a categorical type are values even if no sample has them.
    unseen : {"stop", "skip"}, default="stop"
        What happens when the tested value is missing or was not seen in ``fit``. ``"stop"``: the most
        probable class at this node is predicted. ``"skip"``: the probabilities are averaged over all
        branches, each weighted with its probability at this node.
    time_limit : float, default=None
        Seconds after which ``fit`` ends with the best tree so far; with ``max_depth="cv"`` they are divided
        among its searches.
    callback : callable, default=None
        Called with a `Progress`, about twenty times a second; returning True ends the search with the best
        tree so far. `done` counts searches, of which ``max_depth="cv"`` has many.
    n_jobs : int, default=None
        Number of threads for prediction: None is 1, -1 every core. The search itself runs on one.

    Attributes
    ----------
    tree_ : Tree
        The tree. Its weights are probabilities under naive Bayes. It tests the bins of numeric features, so
        use the estimator or `threshold_tree` to predict from numbers.
    expected_accuracy_ : float
        Probability, under naive Bayes, that the tree is right: the sum over its leaves of the joint
        probability of the leaf and its class. It is too high if features are dependent; see Notes.
    expected_cost_ : float
        What an answer costs on the mean, under naive Bayes: with a `cost_matrix` this is what is minimised,
        without one it is the expected error.
    training_accuracy_ : float
        Training accuracy: share of the samples of ``fit``, by weight, that the tree predicts correctly.
    opt_feature_list_ : OptFeatureList
        The `max_depth` best last tests for every probability of the second class; with two classes only. It
        ignores costs of features and of wrong answers.
    depth_ : int
        `max_depth`, or the depth that cross-validation chose; the tree may be less deep.
    depth_status_ : str
        ``"complete"``, or, where a limit ended a search of the cross-validation that chose the depth, which.
    bin_edges_ : list of ndarray or None
        Edges between the bins of each numeric feature, ascending; bin b holds values above edge b - 1 and up
        to edge b. None for a nominal feature.
    search_ : SearchResult
        How the search ended. Its cost is `expected_cost_`; its status is
        ``"optimal"`` if this is proven to be the least, else the limit that ended the search.
    classes_, n_features_in_, feature_names_in_, weight_scale_, n_lost_samples_
        As of `GreedyTreeClassifier`.
    feature_importances_ : ndarray of shape (`n_features_in_`,)
        Share of every feature in the information gain of all nodes, under naive Bayes.

    See Also
    --------
    fit_many : Finds the optimal trees for many weightings of the same samples.
    depth_path : Compares expected, training and cross-validated accuracy by depth.
    GreedyTreeClassifier : Grows a tree greedily from the samples, without a model.

    Notes
    -----
    Only the expected accuracy is unique. Many trees have it, because a test that changes no prediction adds
    nothing. Values within 1e-12 are a tie, which goes to the feature with the lowest position. Compare trees
    by `expected_accuracy_`, not by their nodes.

    Naive Bayes counts dependent features as independent evidence. The expected accuracy may therefore be much
    higher than the true one, and more so for deeper trees. Choose the depth by cross-validation.

    Missing values in ``fit`` are not counted for their feature. A feature without any known value is never
    tested. A feature with more than 1000 values is refused. A leaf that no sample can reach has the class of
    the nearest node above it that samples can reach.

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

    missing = "unknown"

    max_depth: int | str = 3
    class_prior: float = 1.0
    value_prior: float = 1.0
    solver: str = "auto"
    n_bins: int = 2
    binning: str = "quantile"
    feature_costs: object = None
    cost_budget: float | None = None
    trim: bool = True
    class_weight: object = None
    cost_matrix: object = None
    probability: str = "weighted"
    smoothing: str | float | None = None
    categorical_features: object = "from_dtype"
    unseen: str = "stop"
    time_limit: float | None = None
    callback: Callback | None = None
    n_jobs: int | None = None

    def fit(self, X: object, y: object = None, sample_weight: object = None) -> Self:
        """Find the optimal tree.

        Parameters
        ----------
        X, y, sample_weight
            As for `GreedyTreeClassifier.fit`.

        Returns
        -------
        self : FixedDepthTreeClassifier
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
        task = FixedDepthTask.of(self)
        course = Course(task.time_limit, callable_or_none("callback", self.callback))
        training = self._intake(X, y, sample_weight)
        task.check_classes(len(training.classes))
        depth = chosen_depth(training, task, course) if task.max_depth is None else task.max_depth
        depth_status = "complete" if course.status == "optimal" else course.status
        self._keep(course.best_tree(training, task.at_depth(depth)), training, depth)
        self.depth_status_ = depth_status
        self._learn_schema(training)
        course.check()
        return self

    def _keep(self, found: Found, training: TrainingSet, depth: int) -> None:
        ranking = opt_feature_list(found, training, max(1, min(depth, found.dataset.n_features)))
        self.training_accuracy_ = found.accuracy(found.dataset)
        self.tree_ = found.told(training)
        self.search_, self.depth_ = replace(found.search, tree=self.tree_), depth
        self.expected_accuracy_, self.expected_cost_ = found.expected_accuracy, found.expected_cost
        self._keep_bins(found.bins)
        if ranking is not None:
            self.opt_feature_list_ = ranking
        elif hasattr(self, "opt_feature_list_"):
            del self.opt_feature_list_

    def export_questions(self, *, tells_unknown: bool = False) -> str:
        """Write the tree as the questions that it asks; answers after which all goes on alike share a line.

        Parameters
        ----------
        tells_unknown : bool, default=False
            Whether to say what to answer where a question has no answer.

        Returns
        -------
        text : str
            At the end of a path the class, how probable it is by then, under naive Bayes, and how many
            samples of ``fit`` get there.

        Examples
        --------
        >>> from treewright import FixedDepthTreeClassifier
        >>> model = FixedDepthTreeClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"])
        >>> print(model.export_questions())
        x0 above 2.5?
           no: a (75 %), 2 samples
           yes: b (75 %), 2 samples
        """
        check_is_fitted(self)
        return "\n".join(Questions(self.tree_, self.bin_edges_, tells_unknown).lines())

    def plot(self, *, label: object = None, ax: Axes | None = None) -> Axes:
        """Draw the tree as the questions that it asks, from left to right.

        Parameters
        ----------
        label : object, default=None
            The class whose probability is shown at every question; None is the second of two classes, and of
            more the most probable one at each question.
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure, as large as the tree needs.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A box for each question and each end of a path; the darker, the more probable the class.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        ParameterError
            If `label` is no class.
        """
        check_is_fitted(self)
        classes = self.classes_.tolist()
        if label is None and len(classes) == 2:
            label = classes[1]
        if label is not None and label not in classes:
            raise ParameterError("label", label, "is no class", ("choose ", Value(*classes)))
        return plot_questions(Questions(self.tree_, self.bin_edges_, tells_unknown=False), label, ax)

    def _prediction_tree(self) -> Tree:
        return self.tree_

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn, besides what every tree says, that the published method is of two classes."""
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = self.solver != "feature_list"
        return tags
