"""Are optimal trees worth it on samples that they have not seen? The comparison, for anyone's data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.params import seconds_or_none
from treewright.results import MESSAGES, Callback, floats, ints, texts
from treewright.studies.common.folds import Splitting
from treewright.studies.common.parameters import each_once, given_depths, named_data_sets
from treewright.studies.common.run import Conduct, FoldStudy
from treewright.studies.optimal.result import OptimalComparison, OptimalSettings
from treewright.studies.optimal.run import METHODS, OptimalPlan, rows_of_fold

__all__ = ["compare_optimal"]

FOLD = [
    *floats("training_error", "error"),
    *ints("n_leaves", "depth"),
    *floats("seconds"),
    texts("status", MESSAGES),
]


def compare_optimal(
    data: object,
    *,
    depths: Iterable[int] = (2, 3),
    methods: Sequence[str] = METHODS,
    reference: str | None = None,
    cv: int = 10,
    repeats: int = 1,
    search_time_limit: float | None = 60.0,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> OptimalComparison:
    """Compare optimal trees with greedy trees on held-out samples, by repeated cross-validation.

    An optimal tree has the least training error of all trees of its depth. This study asks what that is worth
    on new samples: on every fold all methods learn from the same samples and are judged by the same.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these
        One data set or several, as in `compare_selection`.
    depths : iterable of int, default=(2, 3)
        Depths of the optimal trees; 4 may take minutes for a fold.
    methods : sequence of {"penalty_cv", "depth_cv", "c45", "cost_complexity", "fit"}, default=all
        Other methods: ``"penalty_cv"``, the optimal tree of the largest of `depths` (3 if there is none)
        whose price of a leaf inner folds choose (``leaf_penalty="cv"``); ``"depth_cv"``, that whose depth
        they choose (``max_depth="cv"``); ``"c45"``, ``GreedyTreeClassifier.c45()``; ``"cost_complexity"``, a
        binary tree by Gini impurity whose cost-complexity pruning they choose; ``"fit"``, what
        ``treewright fit`` grows: information gain and error-based pruning.
    reference : str, default=None
        The method with which the others are compared: one of `methods`, or ``"depth 2"`` and so on; None is
        ``"c45"``, or the last method where that is not among them.
    search_time_limit : float, default=60.0
        Seconds after which a single fit of an optimal tree ends with the best so far; it then is not counted
        as proven. None: no limit.
    cv, repeats, random_state, time_limit, n_jobs, progress, callback, checkpoint, resume
        As in `compare_selection`.

    Returns
    -------
    comparison : OptimalComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    ParameterError, DataError, FormatError, StudyInterruptedError
        As in `compare_selection`.

    See Also
    --------
    treewright.OptimalTreeClassifier : The trees.
    treewright.optimal.optimal_path : Compares depths and sizes on one data set, by training error.

    References
    ----------
    C. Nadeau, Y. Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003.

    Examples
    --------
    >>> from treewright.studies import compare_optimal
    >>> study = compare_optimal("iris", methods=["c45"], cv=5)
    >>> study
    <OptimalComparison: depth 2, depth 3, c45; 1 data set, 5 folds, complete>
    >>> for row in study.summary.records():
    ...     print(f"{row['method']}: training error {row['training_error']:.3f}")
    depth 2: training error 0.035
    depth 3: training error 0.002
    c45: training error 0.020
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    plan = _plan(depths, methods, search_time_limit)
    splitting = Splitting.of(cv, repeats, random_state)
    settings: OptimalSettings = {
        "depths": plan.depths,
        "methods": plan.others,
        "reference": _reference(reference, plan),
        "cv": splitting.n_folds,
        "repeats": splitting.n_repeats,
        "search_time_limit": plan.search_time_limit,
        "random_state": splitting.seed,
    }
    study = FoldStudy("compare_optimal", settings, named_data_sets(data), splitting, plan.methods, FOLD)
    with study.course(conduct) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_fold)
    return course.handed_over(OptimalComparison(settings=settings, **study.facts(course, rows)))


def _plan(depths: object, methods: Sequence[str], search_time_limit: float | None) -> OptimalPlan:
    """Check what is to be compared; one of both may be empty."""
    has_none = isinstance(depths, Sequence) and len(depths) == 0
    chosen = () if has_none else given_depths(depths)
    is_empty = isinstance(methods, Sequence) and len(methods) == 0
    others = () if is_empty and chosen else each_once("methods", methods, METHODS)
    limit = seconds_or_none("search_time_limit", search_time_limit)
    return OptimalPlan(chosen, others, search_time_limit=limit)


def _reference(given: str | None, plan: OptimalPlan) -> str:
    if given is None:
        return "c45" if "c45" in plan.methods else plan.methods[-1]
    if given not in plan.methods:
        raise ParameterError("reference", given, f"must be one of the methods: {', '.join(plan.methods)}")
    return given
