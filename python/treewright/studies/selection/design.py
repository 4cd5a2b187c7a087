"""Does choosing features pay? The comparison of the enumeration paper, for anyone's data."""

from __future__ import annotations

from collections.abc import Collection

from treewright._base.checkpoint import PathLike
from treewright._base.params import seconds_or_none
from treewright.results import Callback
from treewright.studies.common.folds import Splitting
from treewright.studies.common.parameters import each_once, named_data_sets, share
from treewright.studies.common.run import Conduct, FoldStudy
from treewright.studies.selection.result import SelectionComparison, SelectionSettings
from treewright.studies.selection.run import (
    METHODS,
    SelectionPlan,
    check_sequential,
    columns_of,
    rows_of_selections,
)
from treewright.trees.greedy import GreedyTreeClassifier, search_grower
from treewright.trees.searching import SearchTrees

__all__ = ["compare_selection"]


def compare_selection(
    data: object,
    *,
    methods: Collection[str] = ("top", "backward"),
    estimator: GreedyTreeClassifier | None = None,
    validation_set: float = 0.3,
    cv: int = 10,
    repeats: int = 5,
    time_black_box: bool = False,
    time_sklearn: bool = False,
    search_time_limit: float | None = None,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> SelectionComparison:
    """Compare trees on selected features with the tree on all features, by repeated cross-validation.

    Every fold is held out once in each repetition. The other samples are used to select features: a share of
    them is the validation set, the rest is the training part. Then a tree is grown on all these samples with
    the selected features, and its error on the held-out fold is measured. If the estimator has a cost matrix,
    the cost of an answer is minimised and measured in place of errors.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these
        One data set or several: a `Dataset`, a tuple of samples and class labels, or a name that
        `treewright.datasets.load` knows. The keys of a dict are names to show.
    methods : collection of {"top", "backward", "forward", "complete"}, default=("top", "backward")
        Methods to compare: ``"top"``, the tree on all features, and the trees on the features that
        `BackwardEliminationSelector`, `ForwardSelectionSelector` and `CompleteSearchSelector` select. The
        last may take very long on every fold: set a `search_time_limit`.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees, and prunes them if it has a rule: then pruned trees are judged, and
        compared. None is ``GreedyTreeClassifier()``. Estimators that the selectors refuse are refused, and so
        are rules that need ``strategy="retrain"``.
    validation_set : float, default=0.3
        Share of the training samples that is the validation set (stratified).
    cv : int, default=10
        Number of folds.
    repeats : int, default=5
        Number of repetitions of the cross-validation, each with other folds.
    time_black_box : bool, default=False
        Also run backward elimination that grows every tree from the root (method ``"retrain"``), for its
        time.
    time_sklearn : bool, default=False
        Also run scikit-learn's ``SequentialFeatureSelector`` around its own tree (method ``"sklearn"``),
        backward and on the same training part and validation set, for its time and error.
    search_time_limit : float, default=None
        Seconds after which a single selection ends with its best result; its time is shown as ``> seconds``.
    random_state : int, RandomState instance or None, default=0
        Random seed of the folds; None uses another seed in every call.
    time_limit : float, default=None
        Seconds after which the study ends with the completed folds.
    n_jobs : int, default=None
        Number of folds that run in parallel, by joblib: None is 1 unless ``joblib.parallel_config`` sets
        another number, -1 is one for each core.
    progress : bool, default=True
        Show the number of completed folds on standard error: at once in a terminal, else every ten seconds.
    callback : callable, default=None
        Called with a `Progress`, counted in folds, after each fold; returning True ends the study with the
        completed folds.
    checkpoint : path, default=None
        File that stores the completed folds. It is written regularly and when the study ends, also by Ctrl-C.
        An existing file is refused unless `resume` is True.
    resume : bool, default=False
        Continue from the checkpoint, if it exists. The result is the same as without an interruption, except
        for the seconds. Only `time_limit`, `n_jobs`, `progress` and `callback` may differ.

    Returns
    -------
    comparison : SelectionComparison
        The result: it prints as a table.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If a data set cannot be used, or its largest class has fewer samples than there are folds.
    FormatError
        If the checkpoint does not belong to this study.
    StudyInterruptedError
        On Ctrl-C; a ``KeyboardInterrupt`` whose `result` holds the completed folds.

    See Also
    --------
    treewright.BackwardEliminationSelector, treewright.ForwardSelectionSelector,
    treewright.CompleteSearchSelector : The selection methods.

    Notes
    -----
    Folds are those of scikit-learn's ``RepeatedStratifiedKFold``; a class with fewer samples than folds is
    not in every fold. Each fold has its own random seed, made from `random_state`, the repetition and the
    fold, and stored in ``per_fold["seed"]``: with this seed and `validation_set`,
    `BackwardEliminationSelector` gives the same result on the same samples. So all results except the times
    are the same for every `n_jobs`, and for a data set alone or among others.

    Every selection runs on one thread, whatever `n_jobs`; to measure time, leave it at 1.

    ``"sklearn"`` gets levels as numbers, their positions. It always drops at least one feature, and if it
    reaches its time limit it keeps all features.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, section 6 and table 1.
    J. Reunanen, "Overfitting in Making Comparisons Between Variable Selection Methods", JMLR 3, 2003.

    Examples
    --------
    >>> from treewright.studies import compare_selection
    >>> study = compare_selection("wine", cv=5, repeats=2)
    >>> study
    <SelectionComparison: top, backward; 1 data set, 10 folds, complete>
    >>> for row in study.summary:
    ...     print(f"{row['method']}: {row['error']:.3f}, {row['n_used']:.1f} features tested")
    top: 0.068, 5.3 features tested
    backward: 0.093, 5.6 features tested
    >>> backward = study.per_fold[study.per_fold["method"] == "backward"]
    >>> backward[["repeat", "fold", "n_selected", "n_used"]][:2].tolist()
    [(0, 0, 11, 5), (0, 1, 12, 6)]
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    compared = each_once("methods", methods, list(METHODS))
    timed = [name for name, wanted in (("retrain", time_black_box), ("sklearn", time_sklearn)) if wanted]
    plan = SelectionPlan(
        (*compared, *timed),
        search_grower(estimator).set_params(n_jobs=1),
        search_time_limit=seconds_or_none("search_time_limit", search_time_limit),
    )
    SearchTrees.of(plan.estimator, None, may_retrain=False)
    splitting = Splitting.of(cv, repeats, random_state, share(validation_set))
    data_sets = named_data_sets(data)
    plan.measure.check(data_sets)
    if time_sklearn:
        check_sequential(plan.estimator, data_sets)
    settings: SelectionSettings = {
        "estimator": plan.estimator,
        "methods": compared,
        "validation_set": splitting.validation_share,
        "cv": splitting.n_folds,
        "repeats": splitting.n_repeats,
        "time_black_box": bool(time_black_box),
        "time_sklearn": bool(time_sklearn),
        "search_time_limit": plan.search_time_limit,
        "random_state": splitting.seed,
    }
    study = FoldStudy(
        "compare_selection", settings, data_sets, splitting, plan.methods, columns_of(plan.measure)
    )
    with study.course(conduct) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_selections)
    return course.handed_over(SelectionComparison(settings=settings, **study.facts(course, rows)))
