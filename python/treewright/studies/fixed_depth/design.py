"""Fixed-depth trees optimal under naive Bayes, beside ID3 and naive Bayes itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from treewright._base.checkpoint import PathLike
from treewright._base.params import flag, seconds_or_none, whole_number
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import MESSAGES, Callback, ResultTable, floats, ints, texts
from treewright.studies.common.folds import Splitting
from treewright.studies.common.parameters import given_depths, named_data_sets
from treewright.studies.common.published import PAPER, published_or
from treewright.studies.common.run import Conduct, FoldStudy, Row
from treewright.studies.fixed_depth.result import FixedDepthComparison, FixedDepthSettings
from treewright.studies.fixed_depth.run import FixedDepthPlan, n_values_of, rows_of_fold, scaling_of, times_of
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.task import FixedDepthTask

__all__ = ["compare_fixed_depth"]

FOLD = [*floats("error", "expected_accuracy"), *ints("n_leaves"), *floats("seconds")]
SIZES = ints("n_features", "n_values")
SCALING = [*SIZES, *floats("exhaustive", "feature_list", "ratio")]


def compare_fixed_depth(
    data: object = PAPER,
    *,
    depths: Iterable[int] = (1, 2, 3, 4),
    id3_depth: int = 3,
    class_prior: float = 1.0,
    value_prior: float = 1.0,
    n_bins: int = 2,
    binning: str = "quantile",
    cv: int = 5,
    repeats: int = 20,
    time_searches: bool = False,
    search_time_limit: float | None = 60.0,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> FixedDepthComparison:
    """Compare fixed-depth trees of several depths with ID3 and naive Bayes, by repeated cross-validation.

    On every fold numeric features are discretised into bins by the training samples. Then three methods are
    trained on the same values and evaluated on the held-out samples: the optimal tree under naive Bayes of
    every depth, ID3's tree of one depth, and naive Bayes on all features.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these, default="paper"
        One data set or several, as in `compare_selection`; ``"paper"`` stands for nine public data sets of
        the published experiment, eight of them from the folder that ``TREEWRIGHT_DATA`` names; see Notes.
    depths : iterable of int, default=(1, 2, 3, 4)
        Depths of the trees.
    id3_depth : int, default=3
        Depth of ID3's tree.
    class_prior, value_prior, n_bins, binning
        As in `FixedDepthTreeClassifier`; naive Bayes uses `value_prior` too.
    time_searches : bool, default=False
        Also time searches on all samples: with the opt-feature list, by branch and bound and, at depth 3, by
        exhaustive search, for each data set and number of features.
    search_time_limit : float, default=60.0
        Seconds after which a single search ends; its time is then marked. None: no limit.
    random_state : int, RandomState instance or None, default=0
        Random seed of the folds and of the rows of connect-4.
    cv, repeats, time_limit, n_jobs, progress, callback, checkpoint, resume
        As in `compare_selection`; times are measured without parallel work.

    Returns
    -------
    comparison : FixedDepthComparison
        The result: it prints as a table, and ``comparison.plot()`` draws it.

    Raises
    ------
    ParameterError, DataError, FormatError, StudyInterruptedError
        As in `compare_selection`.

    See Also
    --------
    treewright.FixedDepthTreeClassifier : The trees.
    treewright.fixed_depth.depth_path : Compares depths on one data set, without other methods.

    Notes
    -----
    The published experiment, as far as its data are public: tic-tac-toe; solar flare, class C flares above 0;
    hepatitis, the 80 complete rows and their 13 nominal features; crx, the 653 complete rows without A6 and
    A7, numbers cut at the median; vote, a missing vote being a value; lymph, the two large classes, 142 rows,
    all features nominal; kr-vs-kp (chess); connect-4, win or not, 5000 rows; promoters.

    ID3 and naive Bayes treat a missing value as a value; the fixed-depth trees do not count it.

    References
    ----------
    A. Farhangfar, R. Greiner, M. Zinkevich, "A Fast Way to Produce Near-Optimal Fixed-Depth Decision Trees",
    2008, section 4.
    C. Nadeau, Y. Bengio, "Inference for the Generalization Error", Machine Learning 52, 2003.

    Examples
    --------
    >>> from treewright.studies import compare_fixed_depth
    >>> study = compare_fixed_depth(["monks-1", "monks-3"], depths=[1, 3], repeats=2)
    >>> study
    <FixedDepthComparison: depth 1, depth 3, id3, naive_bayes; 2 data sets, 20 folds in all, complete>
    >>> for method, error in study.averages.items():
    ...     print(f"{method}: {error:.3f}")
    depth 1: 0.222
    depth 3: 0.139
    id3: 0.081
    naive_bayes: 0.139
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    trees = FixedDepthTreeClassifier(
        max_depth=1, class_prior=class_prior, value_prior=value_prior, n_bins=n_bins, binning=binning
    )
    limit = seconds_or_none("search_time_limit", search_time_limit)
    chosen, depth = given_depths(depths), whole_number("id3_depth", id3_depth, least=0)
    splitting = Splitting.of(cv, repeats, random_state)
    settings: FixedDepthSettings = {
        "class_prior": class_prior,
        "value_prior": value_prior,
        "n_bins": n_bins,
        "binning": binning,
        "search_time_limit": limit,
        "depths": chosen,
        "id3_depth": depth,
        "cv": splitting.n_folds,
        "repeats": splitting.n_repeats,
        "time_searches": flag("time_searches", time_searches),
        "random_state": splitting.seed,
    }
    plan = FixedDepthPlan(chosen, depth, FixedDepthTask.of(trees), search_time_limit=limit)
    data_sets = named_data_sets(published_or(data, "fixed_depth", splitting.seed))
    study = FoldStudy("compare_fixed_depth", settings, data_sets, splitting, plan.methods, FOLD)
    return _compare(study, plan, settings, conduct)


def _compare(
    study: FoldStudy, plan: FixedDepthPlan, settings: FixedDepthSettings, conduct: Conduct
) -> FixedDepthComparison:
    data_sets, place = study.data_sets, len(study.folds)
    with study.course(conduct, n_more=2 if settings["time_searches"] else 0) as course:
        rows = course.side_by_side(study.folds, plan, rows_of_fold)
        if settings["time_searches"]:
            course.step(place, lambda: list(times_of(data_sets, plan)))
            course.step(place + 1, lambda: list(_scaling(data_sets, plan)))
    facts = study.facts(course, rows)
    facts["data_sets"] = _described(data_sets, plan)
    times, scaling = (course.parts.get(place + i, ()) for i in range(2))
    columns = [*ints("depth"), *floats("seconds"), texts("status", MESSAGES)]
    found = FixedDepthComparison(
        times=ResultTable.from_rows(times, [texts("data", data_sets), *SIZES, ("solver", "U12"), *columns]),
        scaling=ResultTable.from_rows(scaling, SCALING),
        settings=settings,
        **facts,
    )
    return course.handed_over(found)


def _described(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> ResultTable:
    rows = []
    for name, dataset in data_sets.items():
        binned = plan.task.bins(TrainingSet.of(dataset, owner="study")).apply(dataset)
        rows.append((name, dataset.n_samples, dataset.n_features, n_values_of(binned)))
    return ResultTable.from_rows(rows, [texts("data", data_sets), *ints("n_samples"), *SIZES])


def _scaling(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> Iterable[Row]:
    """Time the set of two classes with the most features."""
    binary = [dataset for dataset in data_sets.values() if dataset.core.n_classes == 2]
    widest = max(binary, key=lambda dataset: dataset.n_features, default=None)
    return [] if widest is None else scaling_of(widest, plan)
