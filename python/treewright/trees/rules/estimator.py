"""The estimator that predicts by a list of rules."""

from __future__ import annotations

from typing import Self

from sklearn.utils.validation import check_is_fitted

from treewright.data.training import TrainingSet
from treewright.data.types import AnyArray, FloatArray, TableLike, VectorLike
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.learner import Learner, TreeLearner, copy_of
from treewright.trees.models import predicting_tree
from treewright.trees.pruning.rule import checked_confidence
from treewright.trees.rules.rule_list import RuleList
from treewright.trees.rules.simplify import simplify_rules
from treewright.trees.tree import Tree

__all__ = ["RuleListClassifier"]


class RuleListClassifier(Learner):
    """C4.5's rule sets: the rules of a tree, shorter and fewer, in an order and with a default.

    A tree is grown. Each of its leaves gives a rule, whose conditions are dropped while the pessimistic
    estimate of its errors does not rise. Of each class the rules with the shortest description are kept, the
    classes are put in order, and rows for which no rule holds get the default. The first rule that holds
    predicts.

    Parameters
    ----------
    estimator : estimator, default=None
        What grows the tree, best without pruning: any tree estimator of this package; None is a
        `GreedyTreeClassifier`. Missing values, kinds of columns, weights of classes, costs and probabilities
        are as its parameters say.
    confidence : float, default=0.25
        Confidence of the pessimistic estimate, C4.5's ``-c``: less drops more conditions.

    Attributes
    ----------
    rules_ : RuleList
        The rules that predict; they print and are saved by themselves.
    source_tree_ : Tree
        The tree that they come from.
    classes_ : ndarray of shape (n_classes,)
        Class labels.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of shape (`n_features_in_`,)
        Names of the features, if all are texts.
    weight_scale_ : float
        What the weights were multiplied with.
    n_lost_samples_ : int
        Number of samples that were left out because they weigh next to nothing beside the others.

    See Also
    --------
    treewright.rules.simplify_rules : The same of a tree that is there.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 5.

    Examples
    --------
    >>> from treewright import RuleListClassifier, datasets
    >>> model = RuleListClassifier().fit(datasets.load("wine"))
    >>> print(model.rules_)
     n  errors  coverage   share  lift  class    if
    58       0     32.6%  100.0%  3.02  class_0  flavanoids > 1.57 and proline > 720 and color_intensity > 3.4
    48       0     27.0%  100.0%  3.71  class_2  flavanoids <= 1.57 and color_intensity > 3.8 and ash > 2.04
    55       0     30.9%  100.0%  2.51  class_1  color_intensity <= 3.4
    14       1      7.9%   92.9%  2.33  class_1  flavanoids > 1.57 and proline <= 720
     2       0      1.1%  100.0%  2.51  class_1  ash <= 2.04
     1       0      0.6%  100.0%  2.51  class_1  otherwise
    """

    rules_: RuleList
    source_tree_: Tree

    def __init__(self, *, estimator: TreeLearner | None = None, confidence: float = 0.25) -> None:
        self.estimator = estimator
        self.confidence = confidence

    def fit(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> Self:
        """Grow the tree and make rules of it.

        Parameters
        ----------
        X, y, sample_weight
            As for `GreedyTreeClassifier.fit`.

        Returns
        -------
        self : RuleListClassifier
            The fitted estimator.

        Raises
        ------
        ParameterError
            If a parameter has an invalid value.
        DataError
            If the data cannot be used. The message names column, row and remedy.
        """
        confidence, model = checked_confidence(self.confidence), self._grower()
        training = TrainingSet.read(
            X,
            y,
            sample_weight,
            categorical_features=model.categorical_features,
            class_weight=getattr(model, "class_weight", None),
            owner=type(self).__name__,
        )
        tree = predicting_tree(model.fit(training.dataset))
        self.rules_ = simplify_rules(tree, training.dataset, confidence=confidence)
        self.source_tree_ = tree
        self._learn_schema(training)
        return self

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Predict the share of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
            The shares among the training samples for which the same rule is the first that holds; columns in
            the order of ``classes_``.
        """
        places = self.apply(X)
        return self.rules_.telling.shares(self.rules_.answers)[places]

    def apply(self, X: TableLike) -> AnyArray:
        """Find the first rule that holds of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        places : ndarray of shape (n_samples,)
            Place of the rule in ``rules_``; the number of rules where none holds.
        """
        check_is_fitted(self)
        rules = self.rules_
        used = rules.used_features.tolist()
        columns = self._encoded(X, rules.feature_names, rules.words.levels, used, rules.unseen_code)
        return rules._places(columns)

    def _predicted(self, X: TableLike) -> AnyArray:
        places = self.apply(X)
        return self.rules_.answers[places]

    def _grower(self) -> TreeLearner:
        if self.estimator is None:
            return GreedyTreeClassifier()
        return copy_of("estimator", self.estimator, TreeLearner)  # type: ignore[type-abstract]

    def _takes_missing(self) -> bool:
        """Whether the estimator takes missing values."""
        return True if self.estimator is None else self.estimator._takes_missing()
