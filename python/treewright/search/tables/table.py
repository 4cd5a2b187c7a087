"""`DecisionTable`: different rows of values, each with its decision."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.params import one_of, whole_number_or_none
from treewright.data import table_errors
from treewright.data.binning import Bins
from treewright.data.hashable import Coded, coded_table, label_array, read_decisions
from treewright.data.intake.labels import Label
from treewright.data.training import TrainingSet, checked_class_weight, warn_of_lost
from treewright.data.types import AnyArray, CodeArray, IntArray, TableLike
from treewright.results import Callback, SearchResult
from treewright.search.tables.cost import AnyCost, Then
from treewright.search.tables.found import kept
from treewright.search.tables.from_data import Samples, WeightedRows, columns_of_data, merged
from treewright.search.tables.graph import SubtableGraph
from treewright.search.tables.searches import (
    HEURISTICS,
    IMPURITIES,
    UNCERTAINTIES,
    Budget,
    checked_pairs,
    grown,
    minimum_tree,
)
from treewright.search.tables.table_facts import TableFacts
from treewright.trees.answering import Answering
from treewright.trees.thresholds import with_thresholds
from treewright.trees.tree import Tree

FORMAT = 4
CONFLICTS = ("raise", "most_common")

Codes = tuple[list[str], list[CodeArray], list[list[Label | None]], CodeArray, list[Label]]
"""Names, columns, levels, decisions and classes."""


class DecisionTable(TableFacts):
    """A decision table: different rows of values, each with its decision.

    Values have no order. A tree tests a feature and has a branch for each of its values. A table is
    immutable.

    Parameters
    ----------
    values : array-like or frame of shape (n_rows, n_features)
        A list of rows, a 2-D numpy array, or a pandas, polars or pyarrow table. Values may have any hashable
        type, mixed in one column. None, NaN and NA are one more value, "missing". 1 and 1.0 are the same
        value, True and "1" are different ones.
    decisions : array-like of shape (n_rows,)
        The decision (class label) of each row, of any hashable type; none may be missing.
    feature_names : sequence of str, default=None
        Names of the columns; None: those of the frame, else x0, x1, ...
    on_conflict : {"raise", "most_common"}, default="raise"
        How to treat equal rows with different decisions: as an error, or with their most common decision (in
        a tie the first in `classes`). Equal rows always become one, at the position of the first.

    Raises
    ------
    DataError, DataTypeError
        If values or decisions cannot be used, or equal rows have different decisions.

    See Also
    --------
    DecisionTable.from_data : Accepts the same data as the estimators, with weights and costs; can discretise
        numeric columns.
    MinimalTreeClassifier : The same as an estimator.

    Notes
    -----
    Every row counts as one. Samples that weigh more than others, or whose wrong answers cost more, become a
    table by `from_data`.

    The values of a feature, and so the branches of a node, are sorted by their text. Decisions are in the
    order of scikit-learn's classes if they are all numbers or all text, else sorted by their text. A tree
    stores text, numbers and booleans as they are, and any other value as its text, made unique.

    Examples
    --------
    >>> from treewright import export_text
    >>> from treewright.tables import DecisionTable
    >>> table = DecisionTable(
    ...     [["sunny", 1], ["sunny", 0], ["rainy", 1], ["rainy", 0]],
    ...     ["swim", "walk", "read", "read"],
    ...     feature_names=["sky", "warm"],
    ... )
    >>> table
    <DecisionTable: 4 rows, 2 features, 3 decisions>
    >>> result = table.minimum_tree("n_nodes")
    >>> result.cost, result.status
    (5, 'optimal')
    >>> print(export_text(result.tree), end="")
    sky = rainy: read
    sky = sunny
    |   warm = 0: walk
    |   warm = 1: swim
    """

    __slots__ = ("__weakref__", "_bins", "_classes", "_first_rows", "_samples", "_values", "core")

    def __init__(
        self,
        values: TableLike,
        decisions: object,
        *,
        feature_names: Sequence[str] | None = None,
        on_conflict: str = "raise",
    ) -> None:
        one_of("on_conflict", on_conflict, CONFLICTS)
        n_rows, names, coded = coded_table(values, feature_names)
        decided = read_decisions(decisions, n_rows)
        core = merged(names, coded, decided, on_conflict)
        domains = [column.values for column in coded]
        no_bins = Bins([None] * len(names))
        self._keep(core, domains, label_array(decided.values), no_bins, core.first_rows, None)

    @classmethod
    def from_data(
        cls,
        X: object,
        y: object = None,
        sample_weight: object = None,
        *,
        bins: int | None = None,
        on_conflict: str = "raise",
        class_weight: object = None,
        cost_matrix: object = None,
        probability: str = "weighted",
        smoothing: str | float | None = None,
    ) -> DecisionTable:
        """Make a table from the data that estimators accept.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples. A missing value is one more value. Integers are values if the whole column holds
            integers.
        y : array-like of shape (n_samples,), default=None
            Class labels; None if `X` is a Dataset that holds them.
        sample_weight : array-like of shape (n_samples,), default=None
            Weights, 0 or above; samples of weight 0 are removed first.
        bins : int, default=None
            Largest number of bins of a numeric column, of about equal weight; a column with no more distinct
            numbers has one bin for each number. None: a numeric column with fractions is refused.
        on_conflict : {"raise", "most_common"}, default="raise"
            As in `DecisionTable`; the most common decision is the heaviest, or the one that costs least as an
            answer.
        class_weight, cost_matrix, probability, smoothing
            As in `MinimalTreeClassifier`: equal samples, and a node, have the class of least expected cost.

        Returns
        -------
        DecisionTable
            Values are the levels of the columns, or bins as text such as ``"1.5 to 3"``. Its rows count as
            one each in `max_pairs` and in every cost, whatever their weight. The nodes of its trees count
            samples, by weight.

        Raises
        ------
        DataError, DataTypeError
            If the data cannot be used.

        Examples
        --------
        >>> from treewright.tables import DecisionTable
        >>> X = [["a", 0.5], ["a", 1.5], ["b", 0.7], ["b", None]]
        >>> table = DecisionTable.from_data(X, [0, 1, 0, 0], bins=2)
        >>> table.values
        [['a', 'b'], ['up to 0.6', 'above 0.6', None]]
        """
        one_of("on_conflict", on_conflict, CONFLICTS)
        n_bins = whole_number_or_none("bins", bins, least=2, remedy="2 is the fewest")
        answering = Answering.checked(cost_matrix, probability, smoothing)
        factors = checked_class_weight(class_weight)
        training = TrainingSet.read(X, y, sample_weight, class_weight=factors, owner="DecisionTable")
        warn_of_lost(training.n_lost, training.n_samples, where=None)
        return cls._of_samples(training, n_bins, on_conflict, answering)

    @classmethod
    def _of_samples(
        cls, training: TrainingSet, n_bins: int | None, on_conflict: str, answering: Answering
    ) -> DecisionTable:
        """Make a table of samples that were read before."""
        rows = WeightedRows.of(training)
        coded, bins = columns_of_data(rows.training.dataset, n_bins, rows.weights)
        samples = Samples.of(rows, coded, answering, training)
        decided = rows.decided(coded, on_conflict, answering.prices(training.classes))
        labels = training.classes.tolist()
        try:
            core = merged(training.dataset.feature_names, coded, Coded(decided, labels, labels), on_conflict)
        except DataError as error:
            if len(rows.origin) < len(training.kept):
                error.add_note("rows of weight 0 are left out, and are not counted")
            raise
        table = cls.__new__(cls)
        domains, first = [column.values for column in coded], rows.origin[core.first_rows]
        table._keep(core, domains, label_array(labels), bins, first, samples)
        return table

    def _keep(
        self,
        core: _core.DecisionTable,
        values: list[list[Hashable]],
        classes: AnyArray,
        bins: Bins,
        first_rows: IntArray,
        samples: Samples | None,
    ) -> None:
        facts = (core, values, classes, bins, first_rows, samples)
        names = ("core", "_values", "_classes", "_bins", "_first_rows", "_samples")
        for name, value in zip(names, facts, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a DecisionTable cannot change; make a new one instead of setting {name!r}")

    # Trees of it.

    def greedy_tree(
        self, *, impurity: str = "weighted_sum", uncertainty: str = "gini", max_pairs: int = 0
    ) -> Tree:
        """Grow a tree from the root that tests at every node the feature of least impurity.

        Parameters
        ----------
        impurity : {"sum", "max", "weighted_sum", "weighted_max"}, default="weighted_sum"
            How the uncertainties of the parts are combined; weights are shares of the rows.
        uncertainty : {"entropy", "gini", "misclassification", "rt"}, default="gini"
            Uncertainty measure of a set of rows: entropy in bits; Gini index; number of rows without the most
            common decision; number of pairs of rows with different decisions.
        max_pairs : int, default=0
            A node with at most this many pairs of rows with different decisions is a leaf.

        Returns
        -------
        tree : Tree
            In a tie the first feature is tested. Comparisons are exact, except for entropy, where a
            difference of up to 1e-9 counts as a tie.

        Examples
        --------
        >>> from treewright.tables import DecisionTable
        >>> table = DecisionTable([[0, 0], [0, 1], [1, 0], [1, 1]], [0, 1, 1, 0])
        >>> table.greedy_tree(impurity="sum", uncertainty="rt")
        Tree(n_nodes=7, n_leaves=4, max_depth=2)
        """
        chosen = (
            one_of("impurity", impurity, IMPURITIES),
            one_of("uncertainty", uncertainty, UNCERTAINTIES),
        )
        return grown(self, [chosen], max_pairs)[chosen]

    def greedy_trees(self, *, max_pairs: int = 0) -> dict[tuple[str, str], Tree]:
        """Grow the trees of all sixteen pairs of impurity and uncertainty.

        Parameters
        ----------
        max_pairs : int, default=0
            As in `greedy_tree`.

        Returns
        -------
        trees : dict
            By ``(impurity, uncertainty)``.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> trees = DecisionTable.from_data(datasets.load("monks-1")).greedy_trees()
        >>> len(trees), trees["sum", "rt"].n_nodes, trees["weighted_sum", "entropy"].n_nodes
        (16, 41, 41)
        """
        return grown(self, HEURISTICS, max_pairs)

    def subtable_graph(
        self,
        *,
        max_pairs: int = 0,
        node_limit: int | None = None,
        memory_limit: int | str | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
    ) -> SubtableGraph:
        """Find all subtables, and the least cost of a tree for each of them.

        Parameters
        ----------
        max_pairs : int, default=0
            A node with at most this many pairs of rows with different decisions is a leaf.
        node_limit : int, default=None
            Largest number of subtables that are not leaves; None is no limit.
        memory_limit : int or str, default=None
            Memory for the graph: bytes, or text such as ``"64MB"``; None is 1 GiB.
        time_limit : float, default=None
            Seconds after which the construction ends.
        callback : callable, default=None
            Called regularly with a `Progress`, counted in subtables; returning True ends the construction.
        n_jobs : int, default=None
            Number of threads: None is 1, -1 every core. The graph does not depend on it.

        Returns
        -------
        graph : SubtableGraph
            The graph; its methods need the `status` ``"complete"``.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> graph = DecisionTable.from_data(datasets.load("monks-1")).subtable_graph()
        >>> graph.n_nonterminal, graph.minimum("n_nodes"), graph.count_optimal("n_nodes")
        (1224, 37, 2)
        """
        budget = Budget.of(node_limit, memory_limit, time_limit, callback, n_jobs)
        core = self.core.subtable_graph(alpha=checked_pairs(max_pairs), **vars(budget))
        return SubtableGraph(core, self.core, self._samples)

    def minimum_tree(
        self,
        cost: AnyCost = "n_nodes",
        *,
        then: Then = None,
        max_pairs: int = 0,
        node_limit: int | None = None,
        memory_limit: int | str | None = None,
        time_limit: float | None = None,
        callback: Callback | None = None,
        n_jobs: int | None = None,
        graph: SubtableGraph | None = None,
    ) -> SearchResult[Tree]:
        """Find a tree of least cost, or the best one within the limits, with a proven bound.

        Parameters
        ----------
        cost : str, Cost or MonotoneCost, default="n_nodes"
            ``"depth"``, ``"total_path_length"``, ``"average_depth"``, ``"n_nodes"``, ``"n_internal"``,
            ``"n_leaves"``, a `Cost`, or a `MonotoneCost`.
        then : str, Cost or sequence of them, default=None
            Costs that decide between trees of equal cost, in this order. Not with a `MonotoneCost`.
        node_limit : int, default=None
            Largest number of subtables that are not leaves, for the graph and for branch and bound; None is
            two million for the graph and no limit for branch and bound.
        time_limit : float, default=None
            Seconds after which the search ends with the best tree so far.
        max_pairs, memory_limit, callback, n_jobs
            As for `subtable_graph`.
        graph : SubtableGraph, default=None
            A graph that was built before, with the same `max_pairs`. The tree is taken from it. If it is not
            complete, branch and bound continues within the rest of the limits.

        Returns
        -------
        result : SearchResult
            The tree, its cost, the proven bound and a status: ``"optimal"`` if the tree is proven to have the
            least cost and, among such trees, to be the best by `then`.

        Notes
        -----
        The graph of all subtables is built if it fits the limits. Otherwise branch and bound minimises the
        one cost; for depth and path length it is used first. `then` needs the graph. So does a
        `MonotoneCost`: if the graph does not fit, the best of the greedy trees is returned, without a bound.

        Examples
        --------
        >>> from treewright import datasets
        >>> from treewright.tables import DecisionTable
        >>> table = DecisionTable.from_data(datasets.load("tic-tac-toe"))
        >>> result = table.minimum_tree("depth", then="n_nodes")
        >>> result.cost, result.status, result.tree.n_nodes
        (6, 'optimal', 266)
        """
        budget = Budget.of(node_limit, memory_limit, time_limit, callback, n_jobs)
        found = minimum_tree(self, cost, then, checked_pairs(max_pairs), budget, graph)
        if found.raised is not None:
            raise found.raised
        return kept(found.result, cost=cost, then=then, max_pairs=max_pairs)

    # What it looks like elsewhere.

    def threshold_tree(self, tree: Tree) -> Tree:
        """Return a tree of this table with thresholds instead of bins.

        Parameters
        ----------
        tree : Tree
            A tree that was found in this table.

        Returns
        -------
        tree : Tree
            It tests the columns from which the bins were made, so it predicts the data of `from_data`. A
            number in a bin without a branch gets the class of the node.

        Examples
        --------
        >>> from treewright.tables import DecisionTable
        >>> table = DecisionTable.from_data([[0.5], [1.5], [2.5]], [0, 1, 1], bins=2)
        >>> print(table.threshold_tree(table.minimum_tree().tree).export_text())
        x0 <= 1: 0
        x0 > 1: 1
        """
        return with_thresholds(tree, self._bins)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle through plain arrays with a format number."""
        core = self.core
        columns = [core.column(i) for i in range(core.n_features)]
        codes = (core.names, columns, core.levels, core.decisions, core.classes)
        kept = (self._values, self._classes, self._bins, self._first_rows, self._samples)
        return _restore, (FORMAT, codes, *kept)

    def __copy__(self) -> DecisionTable:
        return self

    def __deepcopy__(self, memo: object) -> DecisionTable:
        return self


def _restore(format_number: int, codes: Codes, *kept: Any) -> DecisionTable:
    """Undo `DecisionTable.__reduce__`."""
    if format_number != FORMAT:
        raise table_errors.pickle_format("DecisionTable", format_number, FORMAT)
    table = DecisionTable.__new__(DecisionTable)
    table._keep(_core.DecisionTable.from_codes(*codes, "raise"), *kept)
    return table
