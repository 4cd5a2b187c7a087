"""The best trees for many weightings of the same samples, as bagging and boosting ask for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.origin import told
from treewright._base.params import Limits, n_threads
from treewright._base.wording import Param
from treewright.data.binning import Bins, Edges
from treewright.data.encode import encode
from treewright.data.intake.column import first
from treewright.data.matching import Labels, ModelColumns
from treewright.data.training import TrainingSet, class_factors, warn_of_lost
from treewright.data.types import AnyArray, FloatArray, IntArray
from treewright.trees.answering import Answering, Prices
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.learner import copy_of
from treewright.trees.origin import Origin
from treewright.trees.tree import Tree


@dataclass(frozen=True, eq=False, repr=False)
class FixedDepthTrees:
    """Optimal fixed-depth trees for many weightings, and their joint prediction.

    Attributes
    ----------
    expected_accuracy : ndarray of shape (n_trees,)
        Expected accuracy of every tree, under the naive Bayes model of its weighting.
    status : tuple of str
        Status of every search, as in `SearchResult`.
    n_lost_samples : ndarray of shape (n_trees,)
        Number of samples of positive weight that weigh too little beside the others of a weighting to count.
    classes_ : ndarray of shape (n_classes,)
        Class labels, sorted.
    bin_edges_ : list of ndarray or None
        Edges between the bins of each numeric feature, the same for all trees; None for a nominal feature.

    See Also
    --------
    fit_many : Makes one.

    Examples
    --------
    >>> from treewright import FixedDepthTreeClassifier
    >>> from treewright.fixed_depth import fit_many
    >>> model = FixedDepthTreeClassifier(max_depth=1)
    >>> two = fit_many([["a"], ["b"], ["b"]], [[1, 1, 1], [3, 0, 1]], ["no", "yes", "yes"], model=model)
    >>> two.expected_accuracy.round(3)
    array([0.717, 0.756])
    >>> two.predict_each([["a"], ["b"]])
    array([['no', 'yes'],
           ['no', 'yes']], dtype='<U3')
    """

    expected_accuracy: FloatArray
    status: tuple[str, ...]
    n_lost_samples: IntArray
    classes_: AnyArray
    bin_edges_: Edges
    _cores: tuple[_core.Tree, ...]
    _prices: Prices
    _column_labels: Labels | None
    _n_threads: int
    _origin: Origin

    @cached_property
    def trees(self) -> Sequence[Tree]:
        """The trees, in the order of the weightings; they know numeric features by their bins."""
        return tuple(Tree(core)._found_by(self._origin) for core in self._cores)

    def __len__(self) -> int:
        """Return the number of trees."""
        return len(self._cores)

    def predict_each(self, X: object) -> AnyArray:
        """Predict the class of every sample by every tree.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples; as in the estimator, only the features that some tree uses are read.

        Returns
        -------
        labels : ndarray of shape (n_trees, n_samples)
            Class labels.
        """
        columns = self._encoded(X)
        codes = np.array([core.predict(columns, self._n_threads) for core in self._cores])
        return np.asarray(self.classes_[codes])

    def predict_proba(self, X: object) -> FloatArray:
        """Return the mean over the trees of their probabilities of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict_each`.

        Returns
        -------
        probabilities : ndarray of shape (n_samples, n_classes)
            Rows sum to 1.
        """
        return self._summed(X, self._cores) / len(self)

    def predict(self, X: object) -> AnyArray:
        """Return the class of the largest mean probability, or of the least cost under these.

        Probabilities are here shares of the weights, whatever ``probability`` and ``smoothing`` say.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict_each`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels.
        """
        return np.asarray(self.classes_[self._prices.cheapest(self._summed(X, self._deciding))])

    @cached_property
    def _deciding(self) -> Sequence[_core.Tree]:
        """The trees as they decide."""
        return tuple(core.telling("weighted") for core in self._cores)

    def _summed(self, X: object, cores: Sequence[_core.Tree]) -> FloatArray:
        """Return the sum of the probabilities of trees."""
        columns = self._encoded(X)
        total = sum(core.predict_proba(columns, self._n_threads) for core in cores)
        return np.asarray(total, dtype=np.float64)

    def __repr__(self) -> str:
        """Return one line: how many trees."""
        return f"<FixedDepthTrees: {len(self):,} trees, {len(self.classes_)} classes>"

    def _encoded(self, X: object) -> list[AnyArray]:
        bins, core = Bins(self.bin_edges_), self._cores[0]
        levels = bins.domains(core.levels)
        used = sorted({feature for core in self._cores for feature in core.used_features})
        columns = ModelColumns(core.names, used, self._column_labels, "FixedDepthTrees")
        return bins.codes(encode(X, columns, levels))


def fit_many(
    X: object,
    weights: object,
    y: object = None,
    *,
    model: FixedDepthTreeClassifier | None = None,
    n_jobs: int | None = None,
) -> FixedDepthTrees:
    """Find the optimal fixed-depth tree for each of many weightings of the same samples.

    The samples are read, discretised and encoded once. Each weighting then needs one count and one search,
    which takes a fraction of a millisecond at depth 3.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples, each with a weight above 0. If a Dataset has weights of its own, they are used only for
        the bins.
    weights : array-like of shape (n_trees, n_samples)
        One row for each weighting: numbers of at least 0, at least one of them above 0. A bootstrap sample is
        a row of counts. A row whose mean, zeros left out, is below 1 is scaled to a mean of 1, as
        `sample_weight` is in ``fit``; ``class_weight="balanced"`` balances every row for itself.
    y : array-like of shape (n_samples,)
        Class labels; None if `X` is a Dataset that holds them.
    model : FixedDepthTreeClassifier, default=None
        Estimator whose parameters are used; it is not fitted. None uses the defaults.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The trees do not depend on it.

    Returns
    -------
    trees : FixedDepthTrees
        The trees; they predict together by their mean probabilities.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value; ``max_depth="cv"`` is not supported here.
    DataError
        If samples or weights cannot be used.
    UnfinishedError
        If the time limit, which holds for all trees together, is reached before the last tree.

    Notes
    -----
    Bins and values are always those of all samples: a value that occurs only in samples of weight 0 is a
    value with count 0.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import FixedDepthTreeClassifier, datasets
    >>> from treewright.fixed_depth import fit_many
    >>> data = datasets.load("monks-3")
    >>> rng = np.random.default_rng(0)
    >>> shares = np.full(data.n_samples, 1 / data.n_samples)
    >>> bag = fit_many(data, rng.multinomial(data.n_samples, shares, size=50))
    >>> bag
    <FixedDepthTrees: 50 trees, 2 classes>
    >>> print(f"{np.mean(bag.predict(data) == data.classes[data.target]):.3f}")
    0.972
    """
    model = copy_of("model", model, FixedDepthTreeClassifier)
    task = FixedDepthTask.of(model)
    if task.max_depth is None:
        remedy = ("give a number, such as ", Param("max_depth", 3))
        raise ParameterError("max_depth", model.max_depth, "is not for many weightings", remedy)
    categorical = model.categorical_features
    training = TrainingSet.read(
        X,
        y,
        categorical_features=categorical,
        class_weight=task.class_weight,
        owner="FixedDepthTreeClassifier",
    )
    task.check_classes(len(training.classes))
    bins = task.bins(training)
    weightings = checked_weightings(weights, training.n_samples)
    found = _core.fixed_depth_trees(
        bins.apply(training.dataset).core,
        weightings,
        _factors(training, weightings),
        task=task.of_engine(training),
        limits=Limits(n_threads(n_jobs), task.time_limit),
    )
    n_lost = np.array([one.n_lost for one in found], dtype=np.int64)
    warn_of_lost(int(n_lost.max()), training.n_samples, "n_lost_samples")
    return FixedDepthTrees(
        expected_accuracy=np.array([one.expected_accuracy for one in found]),
        status=tuple(one.status for one in found),
        n_lost_samples=n_lost,
        classes_=training.classes,
        bin_edges_=bins.edges,
        _cores=_told([one.tree for one in found], task.answering, training, weightings),
        _prices=task.answering.prices(training.classes),
        _column_labels=training.dataset.column_labels,
        _n_threads=task.n_threads,
        _origin=Origin.of("fit_many", {"model": told(model)}, training.dataset),
    )


def _factors(training: TrainingSet, weightings: FloatArray) -> FloatArray | None:
    """Return the factors of the classes in every weighting; None where all are 1."""
    if training.class_weight is None:
        return None
    weighted = (replace(training, sample_weight=weighting) for weighting in weightings)
    return np.array([class_factors(training.class_weight, one) for one in weighted])


def _told(
    trees: list[_core.Tree], answering: Answering, training: TrainingSet, weightings: FloatArray
) -> tuple[_core.Tree, ...]:
    """Return trees that tell probabilities as the parameters say."""
    is_usual = answering.probability == "weighted" and answering.smoothing is None
    if is_usual and training.class_weight is None:
        return tuple(trees)
    weighted = [replace(training, sample_weight=weighting) for weighting in weightings]
    pairs = zip(trees, weighted, strict=True)
    return tuple(answering.given_to(tree, samples, _row_weight(samples)) for tree, samples in pairs)


def _row_weight(samples: TrainingSet) -> float:
    """Return the weight of a sample in a model whose weights are probabilities, from its own weights."""
    reweighted = samples.core.with_target(samples.target, samples.classes.tolist(), samples.sample_weight)
    factors = class_factors(samples.class_weight, samples)
    counted = _core.counted_weights(reweighted, class_weight=factors, training=None)
    return 1 / math.fsum(counted.values)


def checked_weightings(weights: object, n_samples: int) -> FloatArray:
    """Return weightings as an array of floats; refuse one that weighs nothing, by its row."""
    try:
        checked = np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise DataError(Param("weights"), f" must be numbers, one row a weighting: {error}") from None
    if checked.ndim != 2 or checked.shape[1] != n_samples or not len(checked):
        raise DataError(
            Param("weights"),
            f" has shape {checked.shape} where (n_trees, {n_samples}) is needed; give one row a "
            "weighting, with one number a sample",
        )
    is_wrong = ~((checked >= 0) & np.isfinite(checked))
    if is_wrong.any():
        row, sample = np.argwhere(is_wrong)[0].tolist()
        raise DataError(
            Param("weights", at=(row,)),
            f" has {checked[row, sample]:g} at sample {sample}; a weight is a finite number, 0 or above",
        )
    is_nothing = np.asarray(~checked.any(axis=1))
    if is_nothing.any():
        remedy = "; give one a weight above 0"
        raise DataError(Param("weights", at=(first(is_nothing),)), " is 0 for every sample", remedy)
    return np.ascontiguousarray(checked)
