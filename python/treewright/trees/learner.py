"""What every estimator does: the one intake, the schema of ``fit``, new data in its domain, prediction."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence
from typing import TypeVar

from sklearn.base import ClassifierMixin, clone
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.origin import Parametrised
from treewright._base.params import n_threads
from treewright._base.warn import testing
from treewright._base.wording import NO_VALUE, Shown
from treewright.data.binning import Bins, Edges
from treewright.data.dataset import Dataset
from treewright.data.encode import Levels, encode
from treewright.data.matching import ModelColumns
from treewright.data.training import TrainingSet, checked_class_weight, warn_of_lost
from treewright.data.types import AnyArray, FloatArray, TableLike, VectorLike
from treewright.results import HoldsTables
from treewright.trees.origin import Origin
from treewright.trees.predictions import Columns, TreePredictions
from treewright.trees.thresholds import with_thresholds
from treewright.trees.tree import Tree

LearnerT = TypeVar("LearnerT", bound="Learner")
"""The kind of estimator that a parameter takes."""


OWN_TREES = ("tree_", "refit_tree_", "rounded_tree_")
"""Attributes with a tree that ``fit`` found."""

SHOWN_TREES = ("rounded_tree_", "refit_tree_", "tree_")
"""The same, the one first that is shown to people."""


class Learner(HoldsTables, ClassifierMixin, Parametrised):
    """Base of all estimators and selectors.

    A subclass has the parameters `missing` and `categorical_features`. Its ``fit`` checks the parameters,
    calls `_intake`, runs an engine, keeps what that found and calls `_learn_schema`. Its `_predicted` turns
    new data, read by `_encoded`, into class codes.
    """

    missing: str
    categorical_features: object
    classes_: AnyArray
    n_features_in_: int
    feature_names_in_: AnyArray
    _column_labels: tuple[Hashable, ...] | None
    """What the columns of ``fit`` were called, whatever the type of their names."""
    weight_scale_: float
    n_lost_samples_: int
    _origin: Origin
    """How its trees were found."""

    def _repr_html_inner(self) -> str:
        """Show what was fitted above what scikit-learn shows; that alone before ``fit``."""
        shown: str = super()._repr_html_inner()
        search = getattr(self, "search_", None)
        found = next(
            (tree for name in SHOWN_TREES if (tree := getattr(self, name, None)) is not None), search
        )
        return shown if found is None else f"<div>{found._repr_html_()}{shown}</div>"

    def _repr_mimebundle_(self, **kwargs: object) -> dict[str, str]:
        """Show the same where a notebook asks for all forms at once."""
        forms: dict[str, str] = super()._repr_mimebundle_(**kwargs)
        return {
            name: self._repr_html_inner() if name == "text/html" else text for name, text in forms.items()
        }

    def _intake(self, X: TableLike, y: VectorLike, sample_weight: VectorLike = None) -> TrainingSet:
        """Pass the user's data through the door."""
        with testing(getattr(self, "nominal_splits", None)):
            training = TrainingSet.read(
                X,
                y,
                sample_weight,
                categorical_features=self.categorical_features,
                class_weight=checked_class_weight(getattr(self, "class_weight", None)),
                owner=type(self).__name__,
                memory_limit=getattr(self, "memory_limit", None),
            )
        warn_of_lost(training.n_lost, training.n_samples)
        return training

    def _learn_schema(self, training: TrainingSet) -> None:
        """Keep what the data says of itself; last in ``fit``, so that a failure keeps nothing."""
        names = training.dataset.feature_names_in
        self._column_labels = training.dataset.column_labels
        self.classes_ = training.classes
        self.weight_scale_, self.n_lost_samples_ = training.weight_scale, training.n_lost
        self.n_features_in_ = training.dataset.n_features
        if names is not None:
            self.feature_names_in_ = names
        elif hasattr(self, "feature_names_in_"):
            del self.feature_names_in_
        self._origin = Origin.of_model(self, training.dataset)
        for name in OWN_TREES:
            tree = getattr(self, name, None)
            if isinstance(tree, Tree):
                tree._found_by(self._origin)

    def _encoded(
        self,
        X: TableLike,
        names: Sequence[str],
        levels: Levels,
        used: Sequence[int] | None = None,
        unseen: int = -1,
    ) -> Columns:
        """Return new data as columns in the domain of ``fit``; those that are not `used` are not read."""
        columns = ModelColumns(
            names=names,
            used=range(len(names)) if used is None else used,
            labels=self._column_labels,
            owner=type(self).__name__,
            selected=self._transformed(),
        )
        return encode(X, columns, levels, unseen=unseen)

    def _transformed(self) -> Sequence[int] | None:
        """Return the positions of the columns that `transform` leaves; None where there is none."""
        return None

    def _takes_missing(self) -> bool:
        """Whether missing values are welcome."""
        return self.missing != "raise"

    @abstractmethod
    def _predicted(self, X: TableLike) -> AnyArray:
        """Return the position of the class of every sample."""

    def predict(self, X: TableLike) -> AnyArray:
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples. Only the features that the rules use are read: in a frame they are found by name,
            in any order, and others may be missing; an array has all features of ``fit`` in their order. A
            nominal value that ``fit`` did not see counts as missing.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels; a tie goes to the first class.
        """
        codes = self._predicted(X)
        labels: AnyArray = self.classes_[codes]
        return labels

    def score(self, X: TableLike, y: VectorLike = None, sample_weight: VectorLike = None) -> float:
        """Return the share of samples that are predicted rightly.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.
        y : array-like of shape (n_samples,)
            The true classes; None if `X` is a Dataset that holds them, whose weights then count too.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights.

        Returns
        -------
        accuracy : float
            Between 0 and 1.

        Raises
        ------
        DataError
            If no true classes are given.
        """
        if y is None:
            own = TrainingSet.of(X if isinstance(X, Dataset) else Dataset(X), f"{type(self).__name__}.score")
            y = own.classes[own.target]
            sample_weight = own.sample_weight if sample_weight is None else sample_weight
        return float(super().score(X, y, sample_weight))

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn: missing values (unless they raise), nominal columns and text are welcome."""
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._takes_missing()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


class TreeLearner(TreePredictions, Learner):
    """Base of the estimators that predict from one tree.

    A subclass has the parameter `n_jobs` too. Its `_prediction_tree` says which of its trees predicts.
    """

    n_jobs: int | None
    unseen_code = -1
    """What a nominal value is that ``fit`` did not see: missing, unless a subclass says otherwise."""

    @abstractmethod
    def _prediction_tree(self) -> Tree:
        """Return the tree that predicts."""

    def _prediction_bins(self) -> Bins | None:
        """Return the bins that the tree knows numeric features by; None where it compares numbers."""
        return None

    def _prepared(self, X: TableLike) -> tuple[_core.Tree, Columns, int]:
        check_is_fitted(self)
        tree, bins = self._prediction_tree(), self._prediction_bins()
        levels = tree.levels if bins is None else bins.domains(tree.levels)
        used = tree.used_features.tolist()
        columns = self._encoded(X, tree.feature_names, levels, used, self.unseen_code)
        return tree._core, columns if bins is None else bins.codes(columns), self._threads()

    def _threads(self) -> int:
        """Return the threads to predict on."""
        return n_threads(self.n_jobs)

    def _predicted(self, X: TableLike) -> AnyArray:
        core, columns, threads = self._prepared(X)
        return core.predict(columns, threads)

    def get_depth(self) -> int:
        """Return the number of edges on the longest path; 0 for a lone leaf."""
        check_is_fitted(self)
        return self._prediction_tree().max_depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves, those without samples included."""
        check_is_fitted(self)
        return self._prediction_tree().n_leaves

    @property
    def feature_importances_(self) -> FloatArray:
        """Share of every feature in the gain of all splits, shape (n_features,)."""
        check_is_fitted(self)
        return self._prediction_tree().feature_importances()


class BinnedTreeLearner(TreeLearner):
    """Base of the estimators whose tree asks for bins where the data has numbers.

    To predict numbers takes the estimator, which puts them into the bins of ``fit``, or its `threshold_tree`.
    """

    tree_: Tree
    bin_edges_: Edges
    _bins: Bins

    def _keep_bins(self, bins: Bins) -> None:
        self._bins, self.bin_edges_ = bins, bins.edges

    def _prediction_bins(self) -> Bins:
        return self._bins

    def threshold_tree(self) -> Tree:
        """Return the same tree with thresholds instead of bins.

        This tree predicts from numbers without the estimator, and can be saved with `Tree.to_json`. With more
        than two bins, one test becomes several comparisons, so this tree may be deeper.

        Returns
        -------
        tree : Tree
            Predicts the same as the estimator. If a node of ``tree_`` has no branch for a bin, that has a
            leaf of the node's class.

        Examples
        --------
        >>> from treewright import FixedDepthTreeClassifier
        >>> X = [[1.0], [2.0], [3.0], [4.0]]
        >>> model = FixedDepthTreeClassifier().fit(X, ["low", "low", "high", "high"])
        >>> print(model.threshold_tree().export_text(), end="")
        x0 <= 2.5: low
        x0 > 2.5: high
        """
        check_is_fitted(self)
        return with_thresholds(self.tree_, self._bins)


def copy_of(name: str, estimator: object, kind: type[LearnerT]) -> LearnerT:
    """Return a copy of the estimator that a parameter has, not fitted; None is the usual one of that kind."""
    if estimator is None:
        return kind()
    if isinstance(estimator, type) and issubclass(estimator, kind):
        added, told = f"add (): {name}={estimator.__name__}()", Shown(estimator.__name__)
        raise ParameterError(name, told, "is the class, not an estimator of it", added)
    if not isinstance(estimator, kind):
        allowed = f"is no {kind.__name__}, and only that is known here"
        remedy = (f"give {kind.__name__}(...), or ", NO_VALUE, " for the usual one")
        raise ParameterError(name, estimator, allowed, remedy)
    copy: LearnerT = clone(estimator)
    return copy
