"""What another question is worth: accuracies by depth."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.params import is_whole
from treewright._base.wording import Param
from treewright.data.training import TrainingSet, warn_of_lost
from treewright.data.types import FloatArray
from treewright.reporting.curves import BLUE, HELD_OUT, TRAINING, Curve, front
from treewright.reporting.marks import Mark
from treewright.results import ResultTable
from treewright.trees.fixed_depth.course import (
    DEPTHS,
    N_FOLDS,
    Course,
    best_depth,
    fold_accuracies,
)
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.search import Found
from treewright.trees.fixed_depth.task import FixedDepthTask
from treewright.trees.learner import copy_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


ACCURACY, COST = "accuracy", "cost"


def _fields(measure: str) -> list[tuple[str, str]]:
    """Return the columns of a path."""
    measured = [f"{kind}_{measure}" for kind in ("expected", "training", "cv")]
    counts = [("n_leaves", "int64"), ("n_features", "int64")]
    return [
        ("depth", "int64"),
        *((name, "float64") for name in (*measured, "cv_std")),
        *counts,
        ("status", "U12"),
    ]


@dataclass(frozen=True, eq=False, repr=False)
class DepthPath:
    """Accuracies of the optimal fixed-depth trees of several depths.

    Attributes
    ----------
    table : ResultTable
        One row for each depth: ``depth``; ``expected_accuracy`` under naive Bayes and ``training_accuracy``
        of the tree of all samples; ``cv_accuracy`` and ``cv_std``, mean and standard deviation (n - 1) over
        the folds; ``n_leaves`` and ``n_features`` of the tree (features that it tests); ``status``:
        ``"optimal"``, or the limit that ended a search of this depth early. If the model has a cost matrix,
        ``expected_cost``, ``training_cost`` and ``cv_cost`` of an answer stand in place of the accuracies.
    folds : ndarray of shape (n_folds, n_depths)
        Accuracy on every held-out fold, or the mean cost of an answer.
    measure : {"accuracy", "cost"}
        What the trees are compared by.

    See Also
    --------
    depth_path : Makes one, with an example of the printed table.

    Examples
    --------
    >>> from treewright import datasets
    >>> from treewright.fixed_depth import depth_path
    >>> path = depth_path(datasets.load("monks-3"), depths=[1, 2])
    >>> path.best_depth, path.folds.shape
    (2, (5, 2))
    """

    table: ResultTable
    folds: FloatArray
    measure: str = ACCURACY

    @property
    def best_depth(self) -> int:
        """Depth with the largest cross-validated accuracy, or the least cost; in a tie the smallest."""
        worth = self.folds if self.measure == ACCURACY else -self.folds
        return best_depth(worth, self.table["depth"].tolist())

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw expected, training and cross-validated accuracy, or cost, against the depth.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            One line for each accuracy; bars of the cross-validated one are a standard deviation over the
            folds to either side, and a ring is around the best depth.

        Raises
        ------
        ImportError
            If matplotlib is not installed.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.fixed_depth import depth_path
        >>> ax = depth_path(datasets.load("monks-3"), depths=[1, 2, 3]).plot()
        >>> ax.get_xlabel(), ax.get_ylabel()
        ('maximum depth', 'accuracy, %')
        """
        return _drawn(self, ax)

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            One row for each depth.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self.table.to_frame()

    def __repr__(self) -> str:
        """Return one line: which depths, and which is best."""
        depths = self.table["depth"].tolist()
        return (
            f"<DepthPath: depths {', '.join(map(str, depths))}; best by cross-validation: {self.best_depth}>"
        )


def depth_path(
    X: object,
    y: object = None,
    *,
    model: FixedDepthTreeClassifier | None = None,
    depths: Iterable[int] = DEPTHS,
    cv: object = N_FOLDS,
    sample_weight: object = None,
    n_jobs: int | None = None,
) -> DepthPath:
    """Find the optimal tree of every depth, with its expected, training and cross-validated accuracy.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,)
        Class labels; None if `X` is a Dataset that holds them.
    model : FixedDepthTreeClassifier, default=None
        Estimator whose parameters are used, except `max_depth` and `callback`; it is not fitted. Its
        `time_limit` holds for all searches together. None uses the defaults.
    depths : iterable of int, default=range(1, 6)
        Depths, ascending.
    cv : int, splitter or iterable of splits, default=5
        Number of stratified folds (shuffled with a fixed seed; at most the number of samples of the largest
        class), or a value that scikit-learn's ``check_cv`` accepts. Bins are computed from the training
        samples of a fold; the levels of nominal features are those of all samples.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights, as in ``fit``; held-out samples are weighted too.
    n_jobs : int, default=None
        Number of folds that run in parallel, by joblib.

    Returns
    -------
    path : DepthPath
        Draws itself with ``path.plot()``.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If the data cannot be used.

    See Also
    --------
    FixedDepthTreeClassifier : Fits the tree of the best depth with ``max_depth="cv"``.

    Examples
    --------
    >>> from treewright import datasets
    >>> from treewright.fixed_depth import depth_path
    >>> path = depth_path(datasets.load("tic-tac-toe"), depths=range(1, 5))
    >>> path
    <DepthPath: depths 1, 2, 3, 4; best by cross-validation: 3>
    >>> path.table["expected_accuracy"].round(3)
    array([0.698, 0.698, 0.711, 0.717])
    """
    model = copy_of("model", model, FixedDepthTreeClassifier)
    chosen = _depths(depths)
    task = FixedDepthTask.of(model.set_params(max_depth=chosen[0]))
    course = Course(task.time_limit)
    categorical = model.categorical_features
    training = TrainingSet.read(
        X,
        y,
        sample_weight,
        categorical_features=categorical,
        class_weight=task.class_weight,
        owner="FixedDepthTreeClassifier",
    )
    warn_of_lost(training.n_lost, training.n_samples, where=None)
    _check_rows(training, cv)
    worth, statuses = fold_accuracies(training, task, chosen, cv, course, len(chosen), n_jobs)
    course.check()
    course.expects(len(chosen))
    measure = ACCURACY if task.answering.cost_matrix is None else COST
    folds = worth if measure == ACCURACY else -worth
    table = _table(training, task, dict(zip(chosen, statuses, strict=True)), folds, course, measure)
    course.check()
    return DepthPath(table, folds, measure)


def _check_rows(training: TrainingSet, cv: object) -> None:
    """Refuse given splits, which name rows of `X`, where some of these have left."""
    n_left = len(training.kept) - training.n_samples
    if not is_whole(cv) and n_left:
        raise DataError(
            f"{n_left} samples have weight 0 and leave, so the splits of ",
            Param("cv"),
            " would name others; leave these samples out of the data, the weights and the splits",
        )


def _table(
    training: TrainingSet,
    task: FixedDepthTask,
    statuses: Mapping[int, str],
    folds: FloatArray,
    course: Course,
    measure: str,
) -> ResultTable:
    """Tabulate every depth; `statuses` say how its searches in the folds ended."""
    depths, bins = list(statuses), task.bins(training)
    spread = folds.std(axis=0, ddof=1) if len(folds) > 1 else np.zeros(len(depths))
    rows = []
    for depth, mean, deviation in zip(depths, folds.mean(axis=0), spread, strict=True):
        found = course.best_tree(training, task.at_depth(depth), bins)
        status = found.search.status if statuses[depth] == "optimal" else statuses[depth]
        own = _on_samples(found, training, measure)
        rows.append(
            (depth, *own, mean, deviation, found.tree.n_leaves, len(found.tree.used_features), status)
        )
    return ResultTable.from_rows(rows, _fields(measure))


def _on_samples(found: Found, training: TrainingSet, measure: str) -> tuple[float, float]:
    """Return what is expected of a tree, and what it is on the samples that it was found from."""
    if measure == ACCURACY:
        return found.expected_accuracy, found.accuracy(found.dataset)
    return found.expected_cost, -found.worth(found.dataset, training.weights)


def _depths(given: object) -> list[int]:
    depths = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    chosen = [int(depth) for depth in depths if is_whole(depth) and depth >= 0]
    if chosen and len(chosen) == len(depths) and chosen == sorted(set(chosen)):
        return chosen
    raise ParameterError("depths", given, "must be ints of at least 0, one or more, ascending, each once")


LINES = {
    "expected": Mark("expected under naive Bayes", BLUE, "o", "--"),
    "training": TRAINING,
}


def _drawn(path: DepthPath, ax: Axes | None) -> Axes:
    """Draw a line for every accuracy, or cost, on axes."""
    table, measure = path.table, path.measure
    unit, name = (100, "accuracy, %") if measure == ACCURACY else (1, "cost of an answer")
    curves = [Curve(mark, unit * table[f"{kind}_{measure}"]) for kind, mark in LINES.items()]
    curves.append(Curve(HELD_OUT, unit * table[f"cv_{measure}"], unit * table["cv_std"]))
    chosen = table["depth"].tolist().index(path.best_depth)
    names = "maximum depth", name
    return front(ax, "DepthPath.plot", table["depth"], curves, chosen=chosen, names=names, from_zero=False)
