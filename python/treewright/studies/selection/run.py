"""What is run on every fold: the selections compared, and scikit-learn's selector for its time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.feature_selection import SequentialFeatureSelector
from sklearn.tree import DecisionTreeClassifier

from treewright._base.errors import ParameterError
from treewright._base.wording import NONE_OR, UNSET, Param, Sentence, Value
from treewright.data.dataset import Dataset
from treewright.results import MESSAGES, Columns, floats, ints, texts
from treewright.selection.complete import CompleteSearchSelector
from treewright.selection.selector import TreeSelector
from treewright.selection.stepwise import BackwardEliminationSelector, ForwardSelectionSelector
from treewright.studies.common.folds import Fold, timed, wrong_share
from treewright.studies.common.measure import Measure
from treewright.studies.common.run import Plan, Row
from treewright.trees.greedy import GreedyTreeClassifier


class Outcome(NamedTuple):
    """What one method did on one fold: shares of the weight are predicted wrongly, or mean costs."""

    error: float
    """On the held-out samples, by the tree grown on all training samples."""
    validation_error: float
    """On the validation set, by the tree grown on the training part."""
    n_selected: int
    """Features that the tree was given."""
    n_used: int
    """Features that the tree grown on all training samples tests."""
    n_leaves: int
    """Leaves of this tree."""
    n_trees_built: int
    seconds: float
    """Wall clock of the selection; for the top tree, of growing it."""
    status: str


@dataclass(frozen=True)
class SelectionPlan(Plan):
    """What to do on every fold; trees grow on one thread, so that times can be compared."""

    methods: tuple[str, ...]
    estimator: GreedyTreeClassifier

    @property
    def measure(self) -> Measure:
        """What the methods are compared by."""
        return Measure.of(self.estimator)


def _top(fold: Fold, plan: SelectionPlan) -> Outcome:
    """Select nothing: the tree on all features."""
    model: GreedyTreeClassifier = clone(plan.estimator)
    tree, seconds = timed(lambda: model.fit(fold.training).tree_)
    return Outcome(
        error=plan.measure.mean_of(tree, fold.held_out),
        validation_error=plan.measure.mean_of(model.fit(fold.training_part), fold.validation_part),
        n_selected=tree.n_features,
        n_used=len(tree.used_features),
        n_leaves=tree.n_leaves,
        n_trees_built=1,
        seconds=seconds,
        status="complete",
    )


def _selected(
    fold: Fold, plan: SelectionPlan, *, kind: Callable[..., TreeSelector], **options: str
) -> Outcome:
    """Let one of the selectors choose."""
    limits = {"time_limit": plan.search_time_limit, "n_jobs": 1}
    selector = kind(estimator=plan.estimator, validation_set=fold.is_validation, **limits, **options).fit(
        fold.training
    )
    chosen_by = selector.mean_validation_cost_ if plan.measure.is_cost else selector.validation_error_
    assert chosen_by is not None, "one of the two is counted"
    return Outcome(
        error=plan.measure.mean_of(selector.refit_tree_, fold.held_out),
        validation_error=chosen_by,
        n_selected=int(selector.support_.sum()),
        n_used=len(selector.refit_tree_.used_features),
        n_leaves=selector.refit_tree_.n_leaves,
        n_trees_built=selector.n_trees_built_,
        seconds=selector.search_.elapsed,
        status=selector.search_.status,
    )


Method = Callable[[Fold, SelectionPlan], Outcome]

METHODS: Mapping[str, Method] = {
    "top": _top,
    "backward": partial(_selected, kind=BackwardEliminationSelector),
    "forward": partial(_selected, kind=ForwardSelectionSelector),
    "complete": partial(_selected, kind=CompleteSearchSelector),
}
"""What can be compared."""

BLACK_BOXES: Mapping[str, Method] = {
    "retrain": partial(_selected, kind=BackwardEliminationSelector, strategy="retrain"),
    "sklearn": lambda fold, plan: sequential(fold, plan.estimator, plan.search_time_limit),
}
"""What is run for its time: elimination that knows nothing of trees."""

RUNNERS: Mapping[str, Method] = {**METHODS, **BLACK_BOXES}


def columns_of(measure: Measure) -> Columns:
    """Return the columns of an `Outcome`."""
    return [
        *floats(measure.mean, measure.validation),
        *ints("n_selected", "n_used", "n_leaves", "n_trees_built"),
        *floats("seconds"),
        texts("status", MESSAGES),
    ]


def rows_of_selections(fold: Fold, plan: SelectionPlan) -> Iterator[Row]:
    """Yield what every method of the plan did on a fold."""
    for method in plan.methods:
        yield (*fold.place, method, *RUNNERS[method](fold, plan))


CRITERIA = {"info_gain": "entropy", "gini": "gini"}


class OutOfTime(BaseException):
    """The time limit was reached; not an `Exception`, which scikit-learn would take for a failed fit."""


class Judge:
    """A scorer that counts the trees it is shown and stops the search when time is up."""

    def __init__(self, time_limit: float | None) -> None:
        self.n_trees = 0
        self.deadline = math.inf if time_limit is None else time.perf_counter() + time_limit

    def __call__(self, model: DecisionTreeClassifier, X: NDArray[np.float64], y: NDArray[np.int32]) -> float:
        """Return the accuracy."""
        self.n_trees += 1
        if time.perf_counter() >= self.deadline:
            raise OutOfTime
        return float(np.mean(model.predict(X) == y))


def check_sequential(estimator: GreedyTreeClassifier, data_sets: Mapping[str, Dataset]) -> None:
    """Refuse what scikit-learn's tree and selector cannot do."""
    usual = GreedyTreeClassifier().get_params()
    taken = {"criterion", "min_samples_split", "max_depth", "n_jobs", "missing"}
    if estimator.criterion not in CRITERIA:
        raise _unlike("criterion", estimator.criterion, ("only ", Value(*CRITERIA)))
    if estimator.max_depth == 0:
        raise _unlike("max_depth", 0, (NONE_OR, "at least 1"))
    if estimator.cost_matrix is not None:
        raise _unlike("cost_matrix", UNSET, f"only {None!r}, counting errors alone")
    for name, value in estimator.get_params(deep=False).items():
        if name not in taken and value != usual[name]:
            raise _unlike(name, value, f"only {usual[name]!r}, having another rule or none")
    for name, dataset in data_sets.items():
        if dataset.sample_weight is not None or dataset.n_features < 2:
            raise ParameterError(
                "time_sklearn",
                True,
                f"cannot be with data set {name!r}: scikit-learn's selector takes no sample weights and "
                "needs two features",
                "leave one of the two out",
            )


def _unlike(name: str, value: object, allowed: Sentence) -> ParameterError:
    words = allowed if isinstance(allowed, tuple) else (allowed,)
    remedy = ("change it, or leave out ", Param("time_sklearn", True))
    return ParameterError(name, value, ("cannot be timed: scikit-learn's tree takes ", *words), remedy)


def sequential(fold: Fold, estimator: GreedyTreeClassifier, time_limit: float | None) -> Outcome:
    """Run the selector; if time is up it has nothing to show, and all features stay."""
    X, y = matrix(fold.training), fold.training.target
    assert y is not None, "a study opens data sets with classes only"
    tree = DecisionTreeClassifier(
        criterion=CRITERIA[estimator.criterion],
        min_samples_split=_as_scikit_learns(estimator.min_samples_split),
        max_depth=estimator.max_depth,
        random_state=fold.seed,
    )
    judge = Judge(time_limit)
    support, seconds = timed(lambda: _support(tree, judge, fold.is_validation, X, y))
    given = np.ones(X.shape[1], dtype=np.bool_) if support is None else support
    grows = ~fold.is_validation
    validation_error = _error(tree.fit(X[grows][:, given], y[grows]), given, fold.validation_part)
    return Outcome(
        error=_error(tree.fit(X[:, given], y), given, fold.held_out),
        validation_error=validation_error,
        n_selected=int(given.sum()),
        n_used=len(np.unique(tree.tree_.feature[tree.tree_.feature >= 0])),
        n_leaves=int(tree.get_n_leaves()),
        n_trees_built=judge.n_trees,
        seconds=seconds,
        status="complete" if support is not None else "time_limit",
    )


def _as_scikit_learns(least: float) -> float:
    """Return the smallest node that is split: a share in both, else a whole number of samples there."""
    return least if 0 < least < 1 else max(2, math.ceil(least))


def _support(
    tree: DecisionTreeClassifier,
    judge: Judge,
    is_validation: NDArray[np.bool_],
    X: NDArray[np.float64],
    y: NDArray[np.int32],
) -> NDArray[np.bool_] | None:
    """Drop features while the validation errors fall; None if time is up first."""
    selector = SequentialFeatureSelector(
        tree,
        direction="backward",
        n_features_to_select="auto",
        tol=0.5 / int(is_validation.sum()),  # less than one validation sample: any improvement counts
        scoring=judge,
        cv=[(np.flatnonzero(~is_validation), np.flatnonzero(is_validation))],
        n_jobs=1,
    )
    try:
        support: NDArray[np.bool_] = selector.fit(X, y).get_support()
    except OutOfTime:
        return None
    return support


def _error(tree: DecisionTreeClassifier, given: NDArray[np.bool_], dataset: Dataset) -> float:
    classes = dataset.classes
    assert classes is not None, "a study opens data sets with classes only"
    return wrong_share(classes[tree.predict(matrix(dataset)[:, given])], dataset)


def matrix(dataset: Dataset) -> NDArray[np.float64]:
    """Return the table as numbers: codes for levels, NaN for missing values."""
    columns = [dataset.column(i).astype(np.float64) for i in range(dataset.n_features)]
    for column, levels in zip(columns, dataset.levels, strict=True):
        if levels is not None:
            column[column < 0] = np.nan
    return np.column_stack(columns)
