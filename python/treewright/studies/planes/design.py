"""Planes with few features beside what a user would take instead, by repeated cross-validation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.params import number, seconds_or_none, whole_number_or_none
from treewright._base.wording import NO_VALUE
from treewright.results import Callback, floats, ints
from treewright.studies.common.folds import Splitting
from treewright.studies.common.parameters import named_data_sets
from treewright.studies.common.published import PAPER, published_or
from treewright.studies.common.run import Conduct, FoldStudy
from treewright.studies.planes.result import PlaneComparison, PlaneSettings
from treewright.studies.planes.run import METHODS, PlanePlan, has_abess, rows_of_planes

__all__ = ["compare_planes"]

FOLD = [*floats("error", "training_error"), *ints("n_features"), *floats("seconds")]
"""Columns of a `PlaneOutcome`."""


def compare_planes(
    data: object = PAPER,
    *,
    methods: Sequence[str] = METHODS,
    perturbation: float = 0.02,
    n_features: int | None = None,
    cv: int = 10,
    repeats: int = 1,
    search_time_limit: float | None = None,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> PlaneComparison:
    """Compare planes with few features with other classifiers: test errors, numbers of features, seconds.

    On every fold each method is trained on the training samples and evaluated on the held-out samples.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these, default="paper"
        One data set or several, as in `compare_selection`; ``"paper"`` stands for four data sets of the
        published table, from the folder that ``TREEWRIGHT_DATA`` names; see Notes.
    methods : sequence of {"rlp", "fm_rlp", "fm_rlp_swap", "rlp_p", "fm_rlp_p", "fm_rlp_p_swap", "path", \
"path_p", "c45", "l1_logistic", "l1_svm", "l1_svm_k", "rfe_svm_k", "abess_k"}, default=all
        Methods to compare. Planes of `treewright.RobustLinearClassifier`: ``"rlp"`` (all features that the
        plane of least error uses), ``"fm_rlp"`` (the published search and its plane), ``"fm_rlp_swap"`` (the
        search of this package and the plane of least error on what it found), the same with perturbation as
        ``"rlp_p"``, ``"fm_rlp_p"``, ``"fm_rlp_p_swap"``; ``"path"`` and ``"path_p"`` (cross-validation
        chooses the number of features). Rivals: ``"c45"`` (a tree, ``GreedyTreeClassifier.c45()``; its
        features are its internal nodes), ``"l1_logistic"`` and ``"l1_svm"`` (the penalty by
        cross-validation); and with as many features as the path took in the same fold, ``"l1_svm_k"``,
        ``"rfe_svm_k"`` (recursive elimination) and ``"abess_k"`` (best subset; left out where the package
        abess is not installed).
    perturbation : float, default=0.02
        Perturbation of the methods with ``_p``.
    n_features : int, default=None
        Largest number of features of a path; None is 10.
    search_time_limit : float, default=None
        Seconds after which the search for a single plane ends with the best so far.
    cv, repeats, random_state, time_limit, n_jobs, progress, callback, checkpoint, resume
        As in `compare_selection`.

    Returns
    -------
    comparison : PlaneComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    ParameterError, DataError, FormatError, StudyInterruptedError
        As in `compare_selection`.

    See Also
    --------
    treewright.RobustLinearClassifier : The planes.

    Notes
    -----
    The published table: ``compare_planes(methods=["rlp", "fm_rlp", "rlp_p", "fm_rlp_p", "c45"], repeats=5)``.
    Its data sets are heart (297 complete rows), cancer (683 complete rows), sonar, and house (votes, with
    yes, missing and no as 2, 0 and -2).

    The classifiers from scikit-learn get scaled columns, nominal features as 0/1 columns, and the mean
    instead of a missing value; the strength of the penalty is chosen from 16 values by 5 inner folds. The
    support vector machine with a given number of features is the one with the weakest penalty that leaves no
    more features.

    References
    ----------
    E. J. Bredensteiner, K. P. Bennett, "Feature Minimization within Decision Trees", 1998, section 5.

    Examples
    --------
    >>> from treewright.studies import compare_planes
    >>> study = compare_planes("wdbc", methods=["fm_rlp_p", "path_p"], cv=3)
    >>> study
    <PlaneComparison: fm_rlp_p, path_p; 1 data set, 3 folds, complete>
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    chosen, absent = _chosen(methods)
    plan = PlanePlan(
        chosen,
        number("perturbation", perturbation, least=0, remedy="the paper's is 0.02"),
        whole_number_or_none("n_features", n_features, least=1, remedy=(NO_VALUE, " for 10")),
        search_time_limit=seconds_or_none("search_time_limit", search_time_limit),
    )
    splitting = Splitting.of(cv, repeats, random_state)
    data_sets = named_data_sets(published_or(data, "planes"))
    settings: PlaneSettings = {
        "methods": plan.methods,
        "perturbation": plan.perturbation,
        "n_features": plan.n_features,
        "cv": splitting.n_folds,
        "repeats": splitting.n_repeats,
        "search_time_limit": plan.search_time_limit,
        "random_state": splitting.seed,
    }
    study = FoldStudy("compare_planes", settings, data_sets, splitting, plan.methods, FOLD)
    with study.course(conduct) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_planes)
    found = PlaneComparison(settings=settings, absent=absent, **study.facts(course, rows))
    return course.handed_over(found)


def _chosen(methods: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the methods to run, and those whose package is not there."""
    given = [methods] if isinstance(methods, str) else list(methods)
    unknown = [method for method in given if method not in METHODS]
    if unknown or not given or len(set(given)) < len(given):
        raise ParameterError("methods", methods, f"must be some of {', '.join(METHODS)}, each once")
    absent = () if has_abess() else tuple(method for method in given if method == "abess_k")
    chosen = tuple(method for method in given if method not in absent)
    if not chosen:
        raise ParameterError("methods", methods, "needs the package abess, which is not installed")
    return chosen, absent
