"""Fixed-depth trees optimal under naive Bayes, beside ID3 and naive Bayes itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.params import flag, is_whole, seconds_or_none
from treewright.data.dataset import Dataset
from treewright.data.training import TrainingSet
from treewright.results import (
    MESSAGES,
    Callback,
    ResultTable,
)
from treewright.studies.common.folds import Splitting, folds_of
from treewright.studies.common.parameters import count, design_of, named_data_sets, seed, text_type
from treewright.studies.common.published import PAPER, is_paper, published_sets
from treewright.studies.common.run import Conduct, Row
from treewright.studies.fixed_depth.result import FixedDepthComparison, FixedDepthSettings
from treewright.studies.fixed_depth.run import FixedDepthPlan, rows_of_fold, scaling_of, times_of
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.task import FixedDepthTask

__all__ = ["compare_fixed_depth"]

FOLD = [("error", "float64"), ("expected_accuracy", "float64"), ("n_leaves", "int64"), ("seconds", "float64")]
SIZES = [("n_features", "int64"), ("n_values", "int64")]
SCALING = [*SIZES, ("exhaustive", "float64"), ("feature_list", "float64"), ("ratio", "float64")]


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
    time_limit: float | None = None,
    random_state: object = 0,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> FixedDepthComparison:
    """Compare the best trees of several depths with ID3 and naive Bayes, by repeated cross-validation.

    On every fold numeric features are cut into bins where the training samples say; then the best tree under
    naive Bayes of every depth, ID3's tree of one depth, and naive Bayes on all features learn from the same
    values and are judged by the held-out samples.

    Parameters
    ----------
    data : Dataset, (X, y), str, or a list or dict of these, default="paper"
        One data set or several, as in `compare_selection`; ``"paper"`` stands for nine public sets of the
        published experiment, eight of them from the folder that ``TREEWRIGHT_DATA`` names; see Notes.
    depths : iterable of int, default=(1, 2, 3, 4)
        Depths of the trees.
    id3_depth : int, default=3
        Depth of ID3's tree.
    class_prior, value_prior, n_bins, binning
        As in `FixedDepthTreeClassifier`; naive Bayes takes `value_prior` too.
    cv : int, default=5
        Number of folds.
    repeats : int, default=20
        How many times all samples are parted into folds anew.
    time_searches : bool, default=False
        Also time searches on all samples: the list, branch and bound and, at depth 3, exhaustive search,
        by data set and by number of features.
    search_time_limit : float, default=60.0
        Seconds after which a single search ends; in the times it is marked. None: no limit.
    time_limit : float, default=None
        Seconds after which the study ends with the folds that are done.
    random_state : int, RandomState instance or None, default=0
        Parts the samples, and draws the rows of connect-4.
    n_jobs : int, default=None
        How many folds run side by side, by joblib, as in `compare_selection`. Times are measured alone.
    progress : bool, default=True
        Show on the error stream how many folds are done.
    callback : callable, default=None
        Called with a `Progress`, counted in folds, after each; returning True ends the study with the folds
        that are done.
    checkpoint : path, default=None
        A file that holds what is done: written after a fold, as often as takes little time, and when the
        study ends, by Ctrl-C too. A file that is there is refused unless `resume` is True.
    resume : bool, default=False
        Go on from the checkpoint, if it is there; the result is that of a study that was never interrupted,
        but for the seconds. Only the parameters that say how to run may be others: `time_limit`, `n_jobs`,
        `progress` and `callback`.

    Returns
    -------
    comparison : FixedDepthComparison
        Prints as a table, draws itself with ``comparison.plot()``; see there for all that it holds.

    Raises
    ------
    ParameterError
        If a parameter is not what it may be.
    DataError
        If a data set cannot be used, or its largest class has fewer samples than there are folds.
    FormatError
        If the checkpoint is none of this study.
    StudyInterruptedError
        On Ctrl-C; a ``KeyboardInterrupt`` whose `result` holds the folds that are done.

    See Also
    --------
    treewright.FixedDepthTreeClassifier : The trees.
    treewright.fixed_depth.depth_path : The same question for one data set, without rivals.

    Notes
    -----
    The published experiment, as far as its data are public: tic-tac-toe; solar flare, class C flares above 0;
    hepatitis, the 80 complete rows and their 13 nominal features; crx, the 653 complete rows without A6 and
    A7, numbers cut at the median; vote, a missing vote being a value; lymph, the two large classes, 142 rows,
    all features nominal; kr-vs-kp (chess); connect-4, win or not, 5000 rows; promoters.

    ID3 takes a missing value as a value, naive Bayes likewise; the trees leave it out of their counts.

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
        1, class_prior=class_prior, value_prior=value_prior, n_bins=n_bins, binning=binning
    )
    settings: FixedDepthSettings = {
        "class_prior": class_prior,
        "value_prior": value_prior,
        "n_bins": n_bins,
        "binning": binning,
        "search_time_limit": seconds_or_none("search_time_limit", search_time_limit),
        "depths": _depths(depths),
        "id3_depth": count("id3_depth", id3_depth, least=0),
        "cv": count("cv", cv, least=2),
        "repeats": count("repeats", repeats, least=1),
        "time_searches": flag("time_searches", time_searches),
        "random_state": seed(random_state),
    }
    return _compare(data, FixedDepthTask.of(trees), settings, conduct)


def _compare(
    data: object, task: FixedDepthTask, settings: FixedDepthSettings, conduct: Conduct
) -> FixedDepthComparison:
    limit, drawn_with = settings["search_time_limit"], settings["random_state"]
    plan = FixedDepthPlan(settings["depths"], settings["id3_depth"], task, search_time_limit=limit)
    splitting = Splitting(settings["cv"], settings["repeats"], validation_share=0.0, seed=drawn_with)
    published = published_sets("fixed_depth", random_state=drawn_with) if is_paper(data) else data
    data_sets = named_data_sets(published)
    folds = [fold for name, dataset in data_sets.items() for fold in folds_of(name, dataset, splitting)]
    n_timings = 2 if settings["time_searches"] else 0
    design = partial(design_of, settings, data_sets)
    with conduct.course("compare_fixed_depth", design, len(folds) + n_timings) as course:
        rows = course.side_by_side(folds, plan, rows_of_fold)
        if n_timings:
            course.step(len(folds), lambda: list(times_of(data_sets, plan)))
            course.step(len(folds) + 1, lambda: list(_scaling(data_sets, plan)))
    found = FixedDepthComparison(
        data_sets=_described(data_sets, plan),
        methods=plan.methods,
        per_fold=_fold_table(rows, data_sets, plan),
        times=_time_table(course.parts.get(len(folds), ()), data_sets),
        scaling=ResultTable.from_rows(course.parts.get(len(folds) + 1, ()), SCALING),
        settings=settings,
        status=course.status,
        elapsed=course.elapsed,
    )
    return course.handed_over(found)


def _described(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> ResultTable:
    rows = []
    for name, dataset in data_sets.items():
        binned = plan.task.bins(TrainingSet.of(dataset, owner="study")).apply(dataset)
        n_values = sum(len(levels or []) for levels in binned.levels)
        rows.append((name, dataset.n_samples, dataset.n_features, n_values))
    return ResultTable.from_rows(rows, [("data", text_type(data_sets)), ("n_samples", "int64"), *SIZES])


def _fold_table(rows: list[Row], data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> ResultTable:
    place = [("repeat", "int64"), ("fold", "int64"), ("seed", "int64")]
    method = ("method", text_type(plan.methods))
    return ResultTable.from_rows(rows, [("data", text_type(data_sets)), *place, method, *FOLD])


def _time_table(rows: Iterable[Row], data_sets: Mapping[str, Dataset]) -> ResultTable:
    search = [("solver", "U12"), ("depth", "int64"), ("seconds", "float64"), ("status", text_type(MESSAGES))]
    return ResultTable.from_rows(rows, [("data", text_type(data_sets)), *SIZES, *search])


def _scaling(data_sets: Mapping[str, Dataset], plan: FixedDepthPlan) -> Iterable[tuple[object, ...]]:
    """Time the set of two classes with the most features."""
    binary = [dataset for dataset in data_sets.values() if dataset.core.n_classes == 2]
    widest = max(binary, key=lambda dataset: dataset.n_features, default=None)
    return [] if widest is None else scaling_of(widest, plan)


def _depths(given: object) -> tuple[int, ...]:
    asked = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    depths = [int(depth) for depth in asked if is_whole(depth) and depth >= 0]
    if depths and len(set(depths)) == len(asked):
        return tuple(sorted(depths))
    raise ParameterError("depths", given, "must be ints of at least 0, one or more, each once")
