"""`evaluate`: a model's answers on rows with known classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from treewright._base.errors import DataError
from treewright._base.wording import Param
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, FloatArray, IntArray, TableLike, VectorLike
from treewright.studies.evaluation.figures import Answers
from treewright.studies.evaluation.result import Evaluation


class Model(Protocol):
    """What has answers: a tree, or any fitted classifier."""

    @property
    def classes_(self) -> AnyArray:
        """Class labels."""

    def predict(self, X: TableLike) -> AnyArray:
        """Return a class for each row."""

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Return a probability for each row and class."""


def evaluate(
    model: Model,
    X: TableLike,
    y: VectorLike = None,
    *,
    sample_weight: VectorLike = None,
    by: VectorLike = None,
    row_groups: VectorLike = None,
    cost_matrix: VectorLike = None,
) -> Evaluation:
    """Evaluate a model on rows with known classes.

    Parameters
    ----------
    model : Tree or classifier
        Fitted, with ``predict`` and ``predict_proba``.
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The rows, which the model has not learned from.
    y : array-like of shape (n_samples,), default=None
        Their classes; None takes those of a `Dataset`.
    sample_weight : array-like of shape (n_samples,), default=None
        What each row counts; None takes the weights of a `Dataset`, or 1.
    by : array-like of shape (n_samples,), default=None
        Subgroup of each row; every subgroup is evaluated alone, too.
    row_groups : array-like of shape (n_samples,), default=None
        Rows of one value are not independent, as visits of one patient; intervals are wider then.
    cost_matrix : array-like of shape (n_classes, n_classes), default=None
        What wrong answers cost; None takes that of the model, if it has one.

    Returns
    -------
    evaluation : Evaluation
        Confusion matrix, error with its interval, figures of each class and subgroup.

    Raises
    ------
    DataError
        If the classes are not known, or lengths differ.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.studies import evaluate
    >>> wine = datasets.load("wine")
    >>> model = GreedyTreeClassifier(max_depth=2).fit(wine[::2])
    >>> found = evaluate(model, wine[1::2])
    >>> round(found.error.value, 3), found.n_samples
    (0.135, 89)
    """
    dataset = X if isinstance(X, Dataset) else None
    weights = dataset.sample_weight if dataset is not None and sample_weight is None else sample_weight
    tree = getattr(model, "tree_", model)
    return evaluate_answers(
        model.classes_.tolist(),
        _labels(dataset, y),
        model.predict(X).tolist(),
        model.predict_proba(X),
        sample_weight=weights,
        by=by,
        row_groups=row_groups,
        cost_matrix=getattr(tree, "cost_matrix", None) if cost_matrix is None else cost_matrix,
    )


def _labels(dataset: Dataset | None, y: VectorLike) -> list[Label]:
    if y is None:
        if dataset is None or dataset.target is None or dataset.classes is None:
            raise DataError("the classes are not known; give them as ", Param("y"))
        classes = dataset.classes.tolist()
        return [classes[code] for code in dataset.target.tolist()]
    given = as_dataset(np.zeros((len(np.asarray(y)), 1)), y)
    assert given.target is not None, "they have been given"
    assert given.classes is not None, "so are these"
    classes = given.classes.tolist()
    return [classes[code] for code in given.target.tolist()]


def _codes(values: VectorLike) -> IntArray:
    _, codes = np.unique(np.asarray(values).astype(str), return_inverse=True)
    return codes.astype(np.int64)


def evaluate_answers(
    classes: Sequence[Label],
    labels: Sequence[Label],
    predicted: Sequence[Label],
    probabilities: FloatArray,
    *,
    sample_weight: VectorLike = None,
    by: VectorLike = None,
    row_groups: VectorLike = None,
    cost_matrix: VectorLike = None,
    rows: VectorLike = None,
    n_repeats: int = 1,
    counting: VectorLike = None,
) -> Evaluation:
    """Evaluate answers that are there already, such as those of a cross-validation.

    Parameters
    ----------
    classes : sequence
        The classes of the model, in the order of the probabilities.
    labels : sequence of shape (n_samples,)
        True classes, of which the model need not know all.
    predicted : sequence of shape (n_samples,)
        Answers.
    probabilities : ndarray of shape (n_samples, n_classes)
        Probability of each class.
    sample_weight, by, row_groups, cost_matrix
        As in `evaluate`.
    rows : array-like of int, default=None
        Which row of the user's table each is, for `Evaluation.wrong_rows`; None numbers them.
    n_repeats : int, default=1
        How often every row comes; counts are means over the repetitions.
    counting : array-like of shape (n_samples,), default=None
        What each row counts in error and cost; None takes its weight.

    Returns
    -------
    evaluation : Evaluation
        As of `evaluate`.

    Raises
    ------
    DataError
        If lengths differ.
    """
    known = {label: code for code, label in enumerate(classes)}
    for label in sorted(set(labels) - set(known), key=str):
        known[label] = len(known)
    weights, subgroups, groups, counted = (
        None if v is None else np.asarray(v) for v in (sample_weight, by, row_groups, counting)
    )
    named = {"predicted": predicted, "sample_weight": weights, "by": subgroups, "row_groups": groups}
    named["counting"] = counted
    for name, values in named.items():
        if values is not None and len(values) != len(labels):
            raise DataError(
                Param(name), f" has {len(values)} values for {len(labels)} rows; give one for each"
            )
    answers = Answers(
        tuple(known),
        np.array([known[label] for label in labels], dtype=np.int64),
        np.array([known[label] for label in predicted], dtype=np.int64),
        probabilities,
        np.ones(len(labels)) if weights is None else weights.astype(np.float64),
        None if groups is None else _codes(groups),
        n_repeats,
        None if counted is None else counted.astype(np.float64),
    )
    costs = None if cost_matrix is None else np.asarray(cost_matrix, dtype=np.float64)
    return Evaluation.of(answers, costs, subgroups, None if rows is None else np.asarray(rows))
