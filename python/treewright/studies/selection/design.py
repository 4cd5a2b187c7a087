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
    FOLD,
    METHODS,
    SelectionPlan,
    check_sequential,
    rows_of_selections,
)
from treewright.trees.greedy import GreedyTreeClassifier, search_grower
from treewright.trees.growing import Growing

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
    time_limit: float | None = None,
    random_state: object = 0,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> SelectionComparison:
    """Compare trees on selected features with the tree on all, by repeated cross-validation.

    Every fold is held out once a repeat. The other samples select features: a share of them, the validation
    set, judges trees that the rest, the training part, grow. Then a tree is grown on all of them with the
    selected features, and its error on the held-out fold is what counts.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these
        One data set or several: a `Dataset`, a tuple of samples and class labels, or a name that
        `treewright.datasets.load` knows. The keys of a dict are names to show.
    methods : collection of {"top", "backward", "forward", "complete"}, default=("top", "backward")
        What to compare: the tree on all features, and those on the features that
        `BackwardEliminationSelector`, `ForwardSelectionSelector` and `CompleteSearchSelector` choose. The
        last may take very long on every fold: give a `search_time_limit`.
    estimator : GreedyTreeClassifier, default=None
        Grows the trees; None is ``GreedyTreeClassifier()``. What the selectors do not take is refused.
    validation_set : float, default=0.3
        Share of the training samples that is the validation set, drawn class by class.
    cv : int, default=10
        Number of folds.
    repeats : int, default=5
        How many times all samples are parted into folds anew.
    time_black_box : bool, default=False
        Also run backward elimination that grows every tree anew (method ``"retrain"``), for its time.
    time_sklearn : bool, default=False
        Also run scikit-learn's ``SequentialFeatureSelector`` around its own tree (method ``"sklearn"``),
        backward and on the same training part and validation set, for its time and error.
    search_time_limit : float, default=None
        Seconds after which a single selection ends with the best found; its time is shown as ``> seconds``.
    time_limit : float, default=None
        Seconds after which the study ends with the folds that are done.
    random_state : int, RandomState instance or None, default=0
        Parts the samples; None parts them anew in every call.
    n_jobs : int, default=None
        How many folds run side by side, by joblib: None is 1 unless ``joblib.parallel_config`` says
        otherwise, -1 is one a core.
    progress : bool, default=True
        Show on the error stream how many folds are done: at once on a terminal, else every ten seconds.
    callback : callable, default=None
        Called with a `Progress`, counted in folds, after each; returning True ends the study with the
        folds that are done.
    checkpoint : path, default=None
        A file that holds what is done: written after a fold, as often as takes little time, and when the
        study ends, by Ctrl-C too. A file that is there is refused unless `resume` is True.
    resume : bool, default=False
        Go on from the checkpoint, if it is there; the result is that of a study that was never interrupted,
        but for the seconds. Only the parameters that say how to run may be others: `time_limit`, `n_jobs`,
        `progress` and `callback`.

    Returns
    -------
    comparison : SelectionComparison
        Prints as a table; see there for all that it holds.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If a data set cannot be used, or its largest class has fewer samples than there are folds.
    FormatError
        If the checkpoint is none of this study.
    StudyInterruptedError
        On Ctrl-C; a ``KeyboardInterrupt`` whose `result` holds the folds that are done.

    See Also
    --------
    treewright.BackwardEliminationSelector, treewright.ForwardSelectionSelector,
    treewright.CompleteSearchSelector : The selections themselves.

    Notes
    -----
    Folds are those of scikit-learn's ``RepeatedStratifiedKFold``; a class with fewer samples than folds
    is not in every fold. Each fold has a seed of its own, made of `random_state`, repeat and fold and kept
    in ``per_fold["seed"]``: given that `validation_set` and seed, `BackwardEliminationSelector` finds the
    same on the same samples. So all but the times is the same for every `n_jobs`, and the same for a data set
    alone and among others.

    Every selection runs on one thread, whatever `n_jobs`; for figures of speed leave it at 1.

    ``"sklearn"`` sees levels as numbers, their positions; it drops one feature at least, which is how that
    selector starts, and at its time limit it has nothing to show and keeps all.

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
    Growing.of(plan.estimator)
    splitting = Splitting.of(cv, repeats, random_state, share(validation_set))
    data_sets = named_data_sets(data)
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
    study = FoldStudy("compare_selection", settings, data_sets, splitting, plan.methods, FOLD)
    with study.course(conduct) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_selections)
    return course.handed_over(SelectionComparison(settings=settings, **study.facts(course, rows)))
