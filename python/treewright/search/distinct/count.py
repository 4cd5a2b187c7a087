"""Counting the distinct trees, with the certificate that none is missing and none came twice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.html import element, fragment, sentence, table
from treewright._base.numbers import counted_noun, in_digits
from treewright._base.params import Limits
from treewright._base.wording import Param
from treewright.data.types import IntArray, TableLike, VectorLike
from treewright.results import COUNT_MESSAGES, Callback
from treewright.search.distinct.distribute import Counted, count_distributed
from treewright.search.distinct.plot import plot_sizes
from treewright.search.distinct.problem import Problem
from treewright.trees.greedy import GreedyTreeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, repr=False)
class DistinctTreeCount:
    """Number of distinct trees, with a certificate that none is missing.

    Attributes
    ----------
    n_distinct : int
        Number of distinct trees found.
    by_n_features : list of int
        Entry k is the number of trees that test k features, for k from 0 to the number of
        features.
    n_built : int
        Number of trees built to find them.
    status : {"complete", "time_limit", "node_limit", "stopped"}
        Why counting ended.
    elapsed : float
        Seconds of wall clock.
    certificate : int
        Exact number of feature subsets that give one of these trees. In a complete count it is
        ``2**n_features``, and this is checked. With required features it is smaller: the trees of
        the other subsets do not test them all.
    validation_rows : ndarray of int or None
        Positions in `X` of the validation samples, ascending; None without a validation set.
    required_features : tuple of int
        Positions of the features that every tree tests, ascending; empty unless some were required.

    Examples
    --------
    >>> from treewright.distinct import count_distinct_trees
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> print(count_distinct_trees(X, ["no", "no", "yes", "no"]))
    4 distinct trees on subsets of 2 features
    4 trees built, 1.000 for each distinct one, in ... s
    certificate: they account for all 4 subsets
    <BLANKLINE>
    features  trees
           0      1
           1      2
           2      1
    """

    n_distinct: int
    by_n_features: list[int]
    n_built: int
    status: str
    elapsed: float
    certificate: int
    validation_rows: IntArray | None = field(default=None, compare=False)
    required_features: tuple[int, ...] = ()

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return len(self.by_n_features) - 1

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how many distinct trees test how many features.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A bar for each number of features; the grey line shows all subsets of so many features.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return plot_sizes(self.by_n_features, len(self.required_features), "DistinctTreeCount.plot", ax)

    @property
    def n_subsets(self) -> int:
        """Number of feature subsets that have all required features; without any, ``2**n_features``."""
        return 1 << (self.n_features - len(self.required_features))

    @property
    def overhead(self) -> float:
        """Trees built for each distinct tree; at least 1.0, and NaN if no tree was found."""
        return self.n_built / self.n_distinct if self.n_distinct else math.nan

    def __repr__(self) -> str:
        return (
            f"DistinctTreeCount(n_distinct={self.n_distinct}, n_built={self.n_built}, "
            f"n_features={self.n_features}, status={self.status!r}, elapsed={self.elapsed:.3g})"
        )

    def __str__(self) -> str:
        return "\n".join([*self._headlines(), "", *self._table()])

    def _repr_html_(self) -> str:
        """Show the count as a notebook does."""
        told = [element("p", sentence(line)) for line in self._headlines()]
        rows = [(f"{size:,}", in_digits(n_trees)) for size, n_trees in self._sizes()]
        return fragment(*told, table(("features", "trees"), rows, (0, 1)) if rows else "")

    def _headlines(self) -> list[str]:
        features = counted_noun(self.n_features, "feature")
        trees = f"{counted_noun(self.n_distinct, 'distinct tree')} on subsets of {features}"
        if self.required_features:
            required = counted_noun(len(self.required_features), "required feature")
            trees = f"{counted_noun(self.n_distinct, 'distinct tree')} with {required} of {features}"
        built = f"{counted_noun(self.n_built, 'tree')} built"
        if self.n_distinct:
            built += f", {self.overhead:.3f} for each distinct one"
        built += f", in {self.elapsed:.3g} s"
        n_subsets = in_digits(self.n_subsets)
        if self.status == "complete" and self.required_features:
            given = in_digits(self.certificate)
            return [trees, built, f"{given} of the {n_subsets} subsets with all required features give them"]
        if self.status == "complete":
            account = "it accounts" if self.n_distinct == 1 else "they account"
            return [trees, built, f"certificate: {account} for all {n_subsets} subsets"]
        share = self.certificate / self.n_subsets
        so_far = f"they account for {in_digits(self.certificate)} of {n_subsets} subsets ({share:.2%})"
        return [f"{trees} so far", built, so_far, COUNT_MESSAGES[self.status]]

    def _sizes(self) -> list[tuple[int, int]]:
        """Numbers of features and of trees that test so many, empty rows at either end left out."""
        sizes = [size for size, n_trees in enumerate(self.by_n_features) if n_trees]
        rows = range(min(sizes, default=0), max(sizes, default=-1) + 1)
        return [(size, self.by_n_features[size]) for size in rows]

    def _table(self) -> list[str]:
        """Trees by the number of features they test."""
        width = max(len("trees"), len(f"{self.n_distinct:,}"))
        lines = [f"{size:>8}  {n_trees:>{width},}" for size, n_trees in self._sizes()]
        return [f"features  {'trees':>{width}}", *lines]


def count_distinct_trees(
    X: TableLike,
    y: VectorLike = None,
    *,
    sample_weight: VectorLike = None,
    estimator: GreedyTreeClassifier | None = None,
    validation_set: object = None,
    random_state: object = None,
    required_features: object = None,
    n_jobs: int | None = None,
    node_limit: int | None = None,
    order: str = "frontier",
    memory_limit: int | str | None = None,
    time_limit: float | None = None,
    callback: Callback | None = None,
    distribute: bool = False,
) -> DistinctTreeCount:
    """Count the distinct trees over all feature subsets, without building them as objects.

    Parameters
    ----------
    X, y, sample_weight, estimator, validation_set, random_state, required_features, n_jobs, memory_limit
        As in `enumerate_distinct_trees`. The counts do not depend on the threads and the memory.
    node_limit : int, default=None
        Number of trees built after which counting ends.
    order : {"frontier", "frontier_descending", "index", "index_descending"}, default="frontier"
        Which feature is removed first; changes only `n_built`.
    time_limit : float, default=None
        Seconds after which counting ends; with `distribute` they count from the start of the workers.
    callback : callable, default=None
        Called regularly with a `Progress`; returning True ends the count with a partial result. Ctrl-C raises
        ``KeyboardInterrupt`` without a result.
    distribute : bool, default=False
        Whether the workers of joblib's backend count parts of the search space: local processes, or a cluster
        named by ``joblib.parallel_config``. Its ``n_jobs`` is the number of workers, by default all. Each
        worker counts on one thread (`n_jobs` of this function is not used) and within `memory_limit`. If a
        worker dies, another worker counts its part. The callback is called only when a worker has finished a
        part. It cannot be combined with `node_limit`.

    Returns
    -------
    DistinctTreeCount
        The counts, the status, and the certificate.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value, or trees would depend on features that they do not test
        (``growth="c45"``).
    DataError
        If the data cannot be used.

    See Also
    --------
    enumerate_distinct_trees : Yields the trees.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, algorithm 2: DTdistinct(R, S),
    where R are the required features and S the others.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.distinct import count_distinct_trees
    >>> estimator = GreedyTreeClassifier(min_samples_split=16)
    >>> count = count_distinct_trees(datasets.load("wine"), estimator=estimator)
    >>> count.n_distinct, count.n_built, count.status
    (1886, 1889, 'complete')
    >>> count.certificate == 2**13
    True
    >>> with_alcohol = dict(estimator=estimator, required_features=["alcohol"])
    >>> count_distinct_trees(datasets.load("wine"), **with_alcohol).n_distinct
    634
    """
    limits = Limits.of(n_jobs, time_limit, callback)
    _check_distribute(distribute, node_limit)
    problem = Problem.of(
        X,
        y,
        estimator=estimator,
        sample_weight=sample_weight,
        validation_set=validation_set,
        random_state=random_state,
        n_jobs=n_jobs,
        node_limit=node_limit,
        order=order,
        memory_limit=memory_limit,
        required_features=required_features,
    )
    if distribute:
        return certified_count(problem, count_distributed(problem, limits))
    return counted(problem, limits._replace(n_threads=problem.growing.n_threads))


def _check_distribute(distribute: object, node_limit: object) -> None:
    if not isinstance(distribute, bool):
        raise ParameterError("distribute", distribute, "must be True or False")
    if distribute and node_limit is not None:
        raise ParameterError(
            "node_limit",
            node_limit,
            (
                "does not go with ",
                Param("distribute", True),
                ": which trees it leaves out would depend on the workers",
            ),
            ("use ", Param("time_limit"), " instead"),
        )


def counted(problem: Problem, limits: Limits) -> DistinctTreeCount:
    """Count, without errors: nobody asks for them here."""
    found = _core.count_distinct_trees(problem.of_engine, rules=problem.rules, limits=limits)
    return certified_count(problem, Counted(found.counts, found.status, found.elapsed))


def certified_count(problem: Problem, found: Counted) -> DistinctTreeCount:
    """Return a count whose certificate was checked."""
    counts = found.counts
    return DistinctTreeCount(
        n_distinct=counts.n_distinct,
        by_n_features=counts.by_n_features,
        n_built=counts.n_built,
        status=found.status,
        elapsed=found.elapsed,
        certificate=certified(counts.by_log_subsets, problem.n_features, found.status, problem.n_required),
        validation_rows=problem.validation_rows,
        required_features=problem.rules.required_features,
    )


def certified(by_log_subsets: Sequence[int], n_features: int, status: str, n_required: int = 0) -> int:
    """Return how many subsets the trees account for; of a complete run it must be all.

    Entry k of `by_log_subsets` is the number of trees that 2**k subsets give.
    """
    certificate = sum(n_trees << k for k, n_trees in enumerate(by_log_subsets))
    check_certificate(certificate, n_features, n_required, is_complete=status == "complete")
    return certificate


def check_certificate(certificate: int, n_features: int, n_required: int, *, is_complete: bool) -> None:
    """Refuse to hand out trees that do not account for the subsets they should.

    Where features are required, a subset may give a tree that does not test them all: no sum is known then,
    only that it is no more than the subsets with these features.
    """
    n_optional = n_features - n_required
    if certificate > 1 << n_optional or (is_complete and not n_required and certificate != 1 << n_optional):
        raise AssertionError(
            f"the distinct trees account for {certificate} feature subsets instead of 2**{n_optional}: "
            "this is an error in treewright; please report it with the data"
        )
