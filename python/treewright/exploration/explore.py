"""`explore`: from a table to the small tree to use, with an honest error."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial

from treewright._base.checkpoint import Checkpoint, PathLike
from treewright._base.errors import DataError, UnfinishedError
from treewright._base.params import (
    callable_or_none,
    n_threads,
    number,
    one_of,
    seconds_or_none,
    whole_number,
    whole_number_or_none,
)
from treewright._base.wording import NO_VALUE, Param
from treewright.data.dataset import as_dataset
from treewright.data.training import TrainingSet
from treewright.data.types import TableLike, VectorLike
from treewright.exploration.choice import questions_of
from treewright.exploration.families import chosen_families
from treewright.exploration.family import Asked
from treewright.exploration.findings import Settings
from treewright.exploration.judging import Judge
from treewright.exploration.problems import Data, Folding, values_of_rows
from treewright.exploration.result import Exploration
from treewright.exploration.run import Course, Trial
from treewright.exploration.sentences import MAJORITY
from treewright.exploration.subgroups import Subgroups
from treewright.results import Callback
from treewright.studies.common.parameters import seed
from treewright.studies.common.run import StudyInterruptedError
from treewright.trees.answering import Answering, checked_form

METRICS = ("error", "balanced_error")


def explore(
    X: TableLike,
    y: VectorLike = None,
    *,
    families: str | Sequence[str] = "all",
    max_leaf_nodes: int | None = 20,
    cost_matrix: object = None,
    metric: str = "error",
    cv: int = 10,
    inner_cv: int = 5,
    repeats: int = 1,
    row_groups: VectorLike = None,
    time_column: VectorLike = None,
    by: VectorLike | Mapping[str, VectorLike] = None,
    size_price: float = 0.005,
    time_limit: float | None = 60,
    random_state: object = 0,
    n_jobs: int | None = None,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> Exploration:
    """Find a small tree to use, and say honestly how much it errs.

    Trees of several families and sizes are compared by cross-validation, and one is recommended: the one of
    least error plus a price for every doubling of its leaves. The whole choice is made anew inside of every
    outer fold, so that what is promised is the error on rows that no choice has seen.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples.
    y : array-like of shape (n_samples,), default=None
        Class labels; None if `X` is a Dataset that holds them.
    families : "all" or sequence of str, default="all"
        Families of trees to compare: names of `Exploration.families_`, such as ``"cost_complexity"``. The
        majority class and C4.5 with its defaults are always among them. ``"all"`` has two black boxes too, a
        random forest and boosting, that say what a small tree gives away; they are never recommended.
    max_leaf_nodes : int, default=20
        Largest size of a tree that may be recommended, in leaves; a plane counts as a split for each of its
        features. None is no limit. What would be chosen without a limit is told beside.
    cost_matrix : array-like of shape (n_classes, n_classes) or dict, default=None
        What wrong answers cost, as in `GreedyTreeClassifier`. Choices then count cost in place of errors.
    metric : {"error", "balanced_error"}, default="error"
        What choices count: wrong answers, or wrong answers with the same total weight for every class, for
        class imbalance.
    cv : int, default=10
        Number of outer folds, which judge.
    inner_cv : int, default=5
        Number of inner folds, by which candidates are chosen.
    repeats : int, default=1
        Number of repetitions of the outer folds, each with other folds.
    row_groups : array-like of shape (n_samples,), default=None
        Rows of one value stay in one fold, outside and inside, as visits of one patient.
    time_column : array-like of shape (n_samples,), default=None
        Time of every row: a fold is judged by what was learned from the rows before it.
    by : array-like of shape (n_samples,), or dict with one, default=None
        Subgroup of each row, as of sex or ward: the report tells the error of each subgroup alone, too. A
        dict such as ``{"sex": values}``, or a Series, has its name.
    size_price : float, default=0.005
        Price of every doubling of the leaves, in error rate; 0 asks for the least error only. With a
        `cost_matrix` it is multiplied by the mean of the costs of wrong answers.
    time_limit : float, default=60
        Seconds for everything; None is no limit. Families that cannot be judged in every fold are left out of
        the choice, and named. The majority class and C4.5 are judged in any case.
    random_state : int, RandomState instance or None, default=0
        Random seed of the folds and of all other random choices.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The result does not depend on it.
    callback : callable, default=None
        Called with a `Progress` after every fold of a family; returning True ends the exploration with the
        families that are done.
    checkpoint : path, default=None
        File that stores what is done, regularly and at the end.
    resume : bool, default=False
        Whether to continue from the file of `checkpoint`, if it exists.

    Returns
    -------
    exploration : Exploration
        The recommended tree, what is promised of it, and everything that it was compared with.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If the data cannot be used.
    StudyInterruptedError
        At Ctrl-C; its attribute ``result`` is the exploration of the families that are done.

    Notes
    -----
    A candidate's score is the share of wrong answers on the inner folds (all of them together), plus
    `size_price` times the binary logarithm of the size of its tree of all rows to learn from. Scores are
    compared exactly; of equal ones the first family wins, then the first candidate.

    With ``cv=10`` and ``inner_cv=5`` every candidate is fitted 66 times, most of them in groups that share
    their growth.

    Examples
    --------
    >>> from treewright import datasets, explore
    >>> found = explore(datasets.load("iris"), families=["cost_complexity"], cv=5, time_limit=None)
    >>> found.tree_
    Tree(n_nodes=9, n_leaves=5, max_depth=4)
    >>> print(f"{found.error_.value:.3f}, {found.error_.low:.3f} to {found.error_.high:.3f}")
    0.067, 0.037 to 0.118
    """
    entries, price = chosen_families(families), _price(size_price)
    most = whole_number_or_none("max_leaf_nodes", max_leaf_nodes, least=1, remedy=(NO_VALUE, " is no limit"))
    balances = one_of("metric", metric, METRICS) == METRICS[1]
    training = TrainingSet.of(as_dataset(X, y), "explore", class_weight="balanced" if balances else None)
    folding = _folding(training, cv, inner_cv, repeats, random_state, row_groups, time_column)
    subgroups = Subgroups.of(by, training.n_samples)
    answering = Answering(cost_matrix=checked_form(cost_matrix))
    settings = Settings(
        families=tuple(one.name for one in entries),
        max_leaf_nodes=most,
        cost_matrix=answering.costs(training.classes),
        metric=metric,
        cv=folding.cv,
        inner_cv=folding.inner_cv,
        repeats=folding.repeats,
        size_price=float(price),
        random_state=folding.seed,
        time_limit=seconds_or_none("time_limit", time_limit),
    )
    judge = _judge(Data(training, answering.prices(training.classes), folding), most, cost_matrix, price)
    course = Course(
        judge,
        entries,
        n_threads=n_threads(n_jobs),
        time_limit=settings.time_limit,
        callback=callable_or_none("callback", callback),
        file=Checkpoint.of(
            checkpoint, resume, work="explore", design=lambda: settings.design(folding, training.dataset)
        ),
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        warnings.filterwarnings("ignore", "The number of unique classes", UserWarning)
        return _handed_over(
            course.run(), partial(Exploration, judge, entries=entries, settings=settings, subgroups=subgroups)
        )


def _price(size_price: object) -> Fraction:
    remedy = "0 asks for the least error"
    return Fraction(str(number("size_price", size_price, least=0, remedy=remedy)))


def _folding(
    training: TrainingSet,
    cv: object,
    inner_cv: object,
    repeats: object,
    random_state: object,
    row_groups: VectorLike,
    time_column: VectorLike,
) -> Folding:
    """Check how rows are to be parted."""
    if row_groups is not None and time_column is not None:
        both = (Param("row_groups"), " and ", Param("time_column"))
        raise DataError(*both, " make folds in two ways; give one of them")
    return Folding(
        whole_number("cv", cv, least=2),
        whole_number("inner_cv", inner_cv, least=2),
        whole_number("repeats", repeats, least=1),
        seed(random_state),
        values_of_rows("row_groups", row_groups, training.n_samples),
        values_of_rows("time_column", time_column, training.n_samples),
    )


def _judge(data: Data, most: int | None, cost_matrix: object, price: Fraction) -> Judge:
    """Return what all families are judged by."""
    dataset, class_weight = data.training.dataset, data.training.class_weight
    asked = Asked(*dataset.shape, most, cost_matrix, class_weight, data.folding.seed)
    return Judge(data, asked, questions_of(price * data.usual_loss, most))


def _handed_over(trial: Trial, explored: Callable[[Trial], Exploration]) -> Exploration:
    """Return the result; raise it where Ctrl-C ended the exploration."""
    if MAJORITY in trial.parts:
        found = explored(trial)
        if trial.interrupt is None:
            return found
        raise StudyInterruptedError(found) from trial.interrupt
    if trial.interrupt is not None:
        raise trial.interrupt
    raise UnfinishedError("the exploration was stopped before the first family was judged")
