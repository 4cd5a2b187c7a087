"""How many trees there are, what it takes to find them, and whether the best of them is any good."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import partial

from sklearn.base import clone

from treewright._base.checkpoint import PathLike
from treewright._base.errors import ParameterError
from treewright._base.memory import bytes_or_none
from treewright._base.params import seconds_or_none, whole_number
from treewright.results import Callback
from treewright.studies.common.folds import Splitting
from treewright.studies.common.measure import Measure
from treewright.studies.common.parameters import design_of, each_once, one_data_set, share
from treewright.studies.common.run import Conduct
from treewright.studies.distinct_trees.result import DistinctSettings, DistinctTreeStudy
from treewright.studies.distinct_trees.run import DistinctPlan, run_steps, tables_of
from treewright.studies.selection.run import METHODS
from treewright.trees.distinct_tree import ORDERS
from treewright.trees.greedy import GreedyTreeClassifier, search_grower
from treewright.trees.growing import Growing
from treewright.trees.searching import SearchTrees

__all__ = ["study_distinct_trees"]


def study_distinct_trees(
    data: object,
    *,
    min_samples_split: float | Sequence[float] | None = None,
    orders: Collection[str] = ("frontier", "frontier_descending", "index_descending"),
    methods: Collection[str] = ("top", "backward", "complete"),
    estimator: GreedyTreeClassifier | None = None,
    validation_set: float = 0.3,
    cv: int = 10,
    repeats: int = 1,
    max_grown: int = 1000,
    search_time_limit: float | None = 10.0,
    memory_limit: int | str | None = None,
    random_state: object = 0,
    time_limit: float | None = None,
    n_jobs: int | None = None,
    progress: bool = True,
    callback: Callback | None = None,
    checkpoint: PathLike | None = None,
    resume: bool = False,
) -> DistinctTreeStudy:
    """Study the distinct trees of a data set, as in figures 3 to 5 of the enumeration paper.

    For every m the study measures: the number of distinct trees by the number of features that they test; the
    number of trees built to find them, by the order in which features are removed; the time, compared with
    growing a tree for every subset of the features; and the errors of trees on selected features, on the
    validation set and on held-out samples.

    Parameters
    ----------
    data : Dataset, (X, y) or str
        One data set: a `Dataset`, a tuple of samples and class labels, or a name that
        `treewright.datasets.load` knows. ``{"name": data}`` gives it a name to show.
    min_samples_split : float or sequence of float, default=None
        The values of m: a node with a smaller weight is a leaf. None: 2, 8, 32 and so on, up to half of the
        samples.
    orders : collection of {"frontier", "frontier_descending", "index", "index_descending"}, \
default=("frontier", "frontier_descending", "index_descending")
        Orders in which features are removed, as in `enumerate_distinct_trees`. The time of the first is
        compared.
    methods : collection of {"top", "backward", "forward", "complete"}, \
default=("top", "backward", "complete")
        Selection methods to compare, as in `compare_selection`; by default those of the paper.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees, with `min_samples_split` set to each m; None is
        ``GreedyTreeClassifier()``. If it has a pruning rule, errors are those of pruned trees; trees are
        counted and timed as they grow. The rules are those of `CompleteSearchSelector`.
    validation_set : float, default=0.3
        Share of the training samples of a fold that is the validation set (stratified). It is used for the
        errors only: trees are counted and timed on all samples.
    max_grown : int, default=1000
        Largest number of trees grown to time the exhaustive search. If there are more subsets, a random
        sample of this size is used, and the total time is estimated from it.
    search_time_limit : float, default=10.0
        Seconds after which a single count, selection or timing ends; its partial result is kept and marked.
        None: no limit.
    memory_limit : int or str, default=None
        Memory for the cache of a count: bytes, or text such as ``"64MB"``; None is 128 MiB.
    random_state : int, RandomState instance or None, default=0
        Random seed of the folds and the subsets; None uses another seed in every call.
    cv, repeats, time_limit, n_jobs, progress, callback, checkpoint, resume
        As in `compare_selection`; the progress counts steps: counts, timings and folds. Counting and growing
        always run alone on one thread, so that their times can be compared.

    Returns
    -------
    study : DistinctTreeStudy
        The result: it prints as a table, and ``study.plot()`` draws it.

    Raises
    ------
    ParameterError, DataError, FormatError, StudyInterruptedError
        As in `compare_selection`.

    See Also
    --------
    compare_selection : Compares selection methods on many data sets, for one m.
    treewright.distinct.count_distinct_trees : Counts for one m.

    Notes
    -----
    Exhaustive search is timed with the same engine: it grows every tree from the root, without the time for
    reading the data. An estimate is the mean time of trees on uniformly random subsets, times
    ``2**n_features``.

    A count that reaches the time limit is a lower bound, and the overhead is that of the visited part.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, figures 3, 4 and 5.

    Examples
    --------
    >>> from treewright.studies import study_distinct_trees
    >>> study = study_distinct_trees("wine", min_samples_split=[16, 64], methods=["top", "backward"], cv=3)
    >>> study
    <DistinctTreeStudy: wine, 13 features, 2 values of m, complete>
    >>> for row in study.counts:
    ...     print(f"{row['min_samples_split']:g} {row['order']}: {row['n_distinct']}, {row['overhead']:.3f}")
    16 frontier: 1886, 1.002
    16 frontier_descending: 1886, 1.546
    16 index_descending: 1886, 1.514
    64 frontier: 376, 1.000
    64 frontier_descending: 376, 1.492
    64 index_descending: 376, 1.215
    >>> study.exhaustive["is_estimated"]
    array([ True,  True])
    """
    conduct = Conduct(n_jobs, progress, callback, time_limit, checkpoint, resume)
    model = search_grower(estimator).set_params(n_jobs=1)
    SearchTrees.of(model, None, may_retrain=False)
    name, dataset = one_data_set(data)
    Measure.of(model).check({name: dataset})
    plan = DistinctPlan(
        name=name,
        dataset=dataset,
        sizes=_sizes(min_samples_split, dataset.n_samples, model),
        orders=each_once("orders", orders, ORDERS),
        methods=each_once("methods", methods, list(METHODS)),
        estimator=model,
        splitting=Splitting.of(cv, repeats, random_state, share(validation_set)),
        max_grown=whole_number("max_grown", max_grown, least=1),
        memory_limit=bytes_or_none("memory_limit", memory_limit),
        search_time_limit=seconds_or_none("search_time_limit", search_time_limit),
    )
    settings: DistinctSettings = {
        "estimator": plan.estimator,
        "min_samples_split": plan.sizes,
        "orders": plan.orders,
        "methods": plan.methods,
        "validation_set": plan.splitting.validation_share,
        "cv": plan.splitting.n_folds,
        "repeats": plan.splitting.n_repeats,
        "max_grown": plan.max_grown,
        "search_time_limit": plan.search_time_limit,
        "memory_limit": plan.memory_limit,
        "random_state": plan.splitting.seed,
    }
    design = partial(design_of, settings, {name: dataset})
    with conduct.course("study_distinct_trees", design, plan.n_steps, "steps") as course:
        run_steps(plan, course)
    found = DistinctTreeStudy(
        name=name,
        n_samples=dataset.n_samples,
        n_features=dataset.n_features,
        orders=plan.orders,
        methods=plan.methods,
        **tables_of(plan, course.parts),
        settings=settings,
        status=course.status,
        elapsed=course.elapsed,
    )
    return course.handed_over(found)


def _sizes(given: object, n_samples: int, model: GreedyTreeClassifier) -> tuple[float, ...]:
    """Return the values of m, ascending, each checked as a growing parameter."""
    if given is None:
        sizes = tuple(float(2 * 4**k) for k in range(64) if 4 * 4**k <= max(n_samples, 4))
        return tuple(_checked(size, model) for size in sizes)
    values = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    checked = [_checked(value, model) for value in values]
    if not checked or len(set(checked)) < len(checked):
        raise ParameterError("min_samples_split", given, "must have one value or more, each once")
    return tuple(sorted(checked))


def _checked(size: object, model: GreedyTreeClassifier) -> float:
    return Growing.of(clone(model).set_params(min_samples_split=size)).min_samples_split
