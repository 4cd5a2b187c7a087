"""Enumerating the distinct trees, one by one, as far as anyone asks."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn, Self

from treewright import _core
from treewright._base.errors import UnfinishedError
from treewright._base.params import callable_or_none, seconds_or_none
from treewright.data.types import IntArray, TableLike, VectorLike
from treewright.results import Callback
from treewright.search.distinct.batches import Batches
from treewright.search.distinct.count import check_certificate
from treewright.search.distinct.plot import plot_sizes
from treewright.search.distinct.problem import Problem, trees_or_none
from treewright.trees.distinct_tree import DistinctTree
from treewright.trees.greedy import GreedyTreeClassifier

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class DistinctTrees:
    """Lazy iterator over the distinct trees of a data set, as `enumerate_distinct_trees` returns it.

    An iterator over `DistinctTree`. It stops at the end or at a limit (`status`). After a limit or a stop by
    the callback, `resume` continues the search without loss. After Ctrl-C the iteration can be continued as
    well. As a context manager it closes itself.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.distinct import enumerate_distinct_trees
    >>> estimator = GreedyTreeClassifier(min_samples_split=16)
    >>> with enumerate_distinct_trees(datasets.load("wine"), estimator=estimator) as trees:
    ...     smallest = min(trees, key=lambda tree: len(tree.used_features))
    >>> smallest.used_features, trees.n_distinct, trees.status
    ((), 1886, 'complete')
    """

    def __init__(
        self, problem: Problem, time_limit: float | None = None, callback: Callback | None = None
    ) -> None:
        self._problem = problem
        self._batches = Batches(problem, callback)
        self._batches.go_on(time_limit)
        self._certificate = 0
        self._by_n_features = [0] * (problem.n_features + 1)

    @property
    def by_n_features(self) -> list[int]:
        """Entry k is the number of trees returned so far that test k features."""
        return list(self._by_n_features)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw how many of the trees returned so far test how many features.

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
        return plot_sizes(self._by_n_features, self._problem.n_required, "DistinctTrees.plot", ax)

    @property
    def n_built(self) -> int:
        """Number of trees built so far."""
        return self._batches.n_built

    @property
    def n_distinct(self) -> int:
        """Number of distinct trees found so far; some of them may not have been returned yet."""
        return self._batches.n_distinct

    @property
    def certificate(self) -> int:
        """Exact number of feature subsets that give one of the trees returned so far.

        At the end these are all ``2**n_features`` subsets, which is checked. With required features they are
        fewer, as the trees of other subsets do not test them all.
        """
        return self._certificate

    @property
    def status(self) -> str | None:
        """Why the iteration stopped; None while there may be more trees.

        ``"complete"``: every tree was returned; ``"time_limit"``, or ``"stopped"`` by the callback: `resume`
        continues; ``"node_limit"``: the largest number of trees was built, `resume` continues with a larger
        limit; ``"closed"``: `close` was called before the end.
        """
        return self._batches.status

    @property
    def required_features(self) -> tuple[int, ...]:
        """Positions of the features that every tree tests, ascending; empty unless some were required."""
        return self._problem.rules.required_features

    @property
    def validation_rows(self) -> IntArray | None:
        """Positions in `X` of the validation samples, ascending; None without a validation set."""
        rows = self._problem.validation_rows
        return None if rows is None else rows.copy()

    def __iter__(self) -> Self:
        return self

    def __next__(self) -> DistinctTree:
        row = self._batches.next()
        if row is None:
            of_problem = self._problem.n_features, self._problem.n_required
            check_certificate(self._certificate, *of_problem, is_complete=self.status == "complete")
            raise StopIteration
        tree, waiting = self._tree(row), self._batches.waiting
        certificate, n_used = self._certificate + tree.n_subsets, len(tree.used_features)
        # Nothing is called from here on, so that no signal can lose the tree or let it come twice.
        self._certificate = certificate
        self._by_n_features[n_used] += 1
        del waiting[0]
        return tree

    def _tree(self, found: _core.FoundTree) -> DistinctTree:
        has_errors = self._problem.validation_rows is not None
        loss = self._problem.as_errors(found.n_errors) if has_errors else None
        used, blocked = tuple(found.used_features), tuple(found.blocked_features)
        if self._problem.counts_cost:
            return DistinctTree(used, None, blocked, self._problem, validation_cost=loss)
        return DistinctTree(used, loss, blocked, self._problem)

    def resume(self, *, time_limit: float | None = None, node_limit: int | None = None) -> Self:
        """Continue a paused enumeration.

        Parameters
        ----------
        time_limit : float, default=None
            Seconds of searching, from this call, after which it pauses again.
        node_limit : int, default=None
            Number of trees built at which it ends, including those built so far; None keeps the current
            limit.

        Returns
        -------
        self : DistinctTrees
            Ready to be iterated. If it is complete, or at an unchanged node limit, it gives no more trees.

        Raises
        ------
        ParameterError
            If `time_limit` is not positive, or `node_limit` is no number of trees.
        UnfinishedError
            If it was closed.
        """
        seconds, n_trees = seconds_or_none("time_limit", time_limit), trees_or_none(node_limit)
        if self.status == "closed":
            raise UnfinishedError(
                "this enumeration was closed before its end and cannot go on; begin a new one"
            )
        self._batches.go_on(seconds, n_trees)
        return self

    def close(self) -> None:
        """Free all memory and end the iteration. Trees that were returned stay valid."""
        self._batches.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        raise TypeError(
            "a DistinctTrees is a search under way, which can be neither copied nor pickled; keep the trees "
            "it has found, list(trees), or begin another"
        )

    def __repr__(self) -> str:
        status = self.status or "going on"
        return f"<DistinctTrees: {self.n_distinct} found, {self.n_built} built, {status}>"


def enumerate_distinct_trees(
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
) -> DistinctTrees:
    """Enumerate the trees that greedy growing gives on subsets of the features, each tree once.

    The enumeration is lazy: a tree is found when it is requested. The memory use grows with the number of
    features, not with the number of trees.

    Parameters
    ----------
    X : array-like, frame or Dataset of shape (n_samples, n_features)
        The samples; NaN, None and NA are missing values.
    y : array-like of shape (n_samples,), default=None
        Class labels; None if `X` is a Dataset that holds them.
    sample_weight : array-like of shape (n_samples,), default=None
        Weights; samples of weight 0 are removed first.
    estimator : GreedyTreeClassifier, default=None
        Estimator that grows the trees; None is ``GreedyTreeClassifier()``. A larger `min_samples_split` gives
        far fewer trees. ``growth="c45"`` is refused: its average-gain rule and its collapsing make a tree
        depend on features that it does not test, so the used features do not identify the tree. With a
        `pruning` rule that needs only the training weights of a node and its branches, `tree` and the errors
        are those of the pruned tree; the used features are still those before pruning.
    validation_set : float or array-like, default=None
        Validation samples, on which the errors of the trees are counted: a share in (0, 1), drawn at random
        from each class (stratified); or their positions in `X`; or a boolean mask. None uses all samples for
        training and counts no errors.
    random_state : int, RandomState instance or None, default=None
        Random seed that draws the validation samples; None draws others in every call.
    required_features : array-like, default=None
        Features that every tree must test, by position or name, or a boolean mask; None requires none. Only
        these trees are searched for.
    n_jobs : int, default=None
        Number of threads, -1 every core; None is the value of the estimator, usually 1. The trees do not
        depend on it.
    node_limit : int, default=None
        Number of trees built after which it pauses; `DistinctTrees.resume` accepts a larger limit.
    order : {"frontier", "frontier_descending", "index", "index_descending"}, default="frontier"
        Which feature of a tree is removed first: the one whose nodes hold the fewest samples, or the most, or
        the first feature, or the last. It changes the order of the trees and the number of trees that are
        built in vain, not the set of trees.
    memory_limit : int or str, default=None
        Memory for the cache: bytes, or text such as ``"64MB"``; None is 128 MiB. With less memory the
        enumeration is slower; the trees are the same.
    time_limit : float, default=None
        Seconds of searching after which it pauses; the caller's own time between two trees does not count.
    callback : callable, default=None
        Called regularly with a `Progress`, in which ``done`` counts trees built; returning True pauses the
        enumeration.

    Returns
    -------
    DistinctTrees
        A lazy iterator of `DistinctTree`.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If the data cannot be used, or its training part or validation part is empty.

    See Also
    --------
    count_distinct_trees : Counts only, faster.
    BackwardEliminationSelector : Finds a good subset without a search over all of them.

    Notes
    -----
    There may be up to ``2**n_features`` distinct trees. Count with a time limit first, or raise
    `min_samples_split`. A tree that differs from an earlier one in a few nodes takes little time: only the
    nodes that test the removed feature are grown again.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, algorithm 2: DTdistinct(R, S),
    where R are the required features and S the others.

    Examples
    --------
    >>> from treewright.distinct import enumerate_distinct_trees
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> for tree in enumerate_distinct_trees(X, ["no", "no", "yes", "no"]):
    ...     print(tree.used_features, list(tree.equivalent_subsets))
    (0, 1) [(0, 1)]
    (0,) [(0,)]
    (1,) [(1,)]
    () [()]
    >>> found = enumerate_distinct_trees(X, ["no", "no", "yes", "no"], required_features=[1])
    >>> [tree.used_features for tree in found]
    [(0, 1), (1,)]
    """
    callback, time_limit = callable_or_none("callback", callback), seconds_or_none("time_limit", time_limit)
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
    return DistinctTrees(problem, time_limit, callback)
