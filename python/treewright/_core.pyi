"""Engines of treewright; use the package's public names instead."""

from collections.abc import Callable, Iterable, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from treewright.results import Progress

_Label: TypeAlias = str | int | float | bool
_Columns: TypeAlias = Iterable[NDArray[np.float64] | NDArray[np.int32]]
_Callback: TypeAlias = Callable[[Progress], object]

__all__ = [
    "BestTree",
    "CompleteOutcome",
    "CompleteRules",
    "CorpusExtent",
    "CountOutcome",
    "Dataset",
    "Decision",
    "DecisionTable",
    "DistinctTrees",
    "ErrorEstimate",
    "EvolutionTally",
    "EvolvedRule",
    "EvolvedRules",
    "FeatureRanking",
    "FixedDepthFound",
    "FixedDepthTask",
    "FoundTree",
    "FrontPoint",
    "GreedyComparison",
    "GrownTrees",
    "GrowthParameters",
    "Histogram",
    "LinearRows",
    "OptimalTrees",
    "PartCounts",
    "Plane",
    "Program",
    "ProgramProblem",
    "ProgramSearch",
    "PrunedSets",
    "PrunedTree",
    "RuleErrors",
    "ScoreEstimate",
    "ScoredProgram",
    "SearchPart",
    "SelectionOutcome",
    "SelectionRules",
    "SelectionStep",
    "SparseRows",
    "SplitSearch",
    "StudyRule",
    "SubtableGraph",
    "TableCost",
    "TableMinimum",
    "Tree",
    "TreeCorpora",
    "TreeCounts",
    "__version__",
    "checkpoint_seed",
    "compare_greedy",
    "complete_search",
    "count_distinct_parts",
    "count_distinct_trees",
    "evolve_pruning",
    "extra_errors",
    "fixed_depth_tree",
    "fixed_depth_trees",
    "greedy_trees",
    "grow",
    "linear_network",
    "minimum_tree_bounded",
    "opt_feature_list",
    "prune",
    "prune_grafting",
    "pruning_errors",
    "refill",
    "select_features",
    "split_distinct_search",
    "study_folds",
    "study_pruning",
    "tree_costs",
]
__version__: str

@final
class Dataset:
    @staticmethod
    def from_columns(
        names: Sequence[str],
        columns: _Columns,
        levels: Sequence[Sequence[_Label] | None],
        target: NDArray[np.int32] | None = None,
        classes: Sequence[_Label] | None = None,
        weights: NDArray[np.float64] | None = None,
    ) -> Dataset: ...
    def with_target(
        self,
        target: NDArray[np.int32],
        classes: Sequence[_Label],
        weights: NDArray[np.float64] | None = None,
    ) -> Dataset: ...
    def take(self, rows: NDArray[np.int64]) -> Dataset: ...
    def column(self, i: int) -> NDArray[np.float64] | NDArray[np.int32]: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def classes(self) -> list[_Label]: ...
    @property
    def levels(self) -> list[list[_Label] | None]: ...
    @property
    def n_missing(self) -> list[int]: ...
    @property
    def target(self) -> NDArray[np.int32] | None: ...
    @property
    def weights(self) -> NDArray[np.float64] | None: ...

@final
class Plane:
    @property
    def features(self) -> list[int]: ...
    @property
    def weights(self) -> list[float]: ...
    @property
    def offset(self) -> float: ...

@final
class SparseRows:
    @property
    def indptr(self) -> NDArray[np.int64]: ...
    @property
    def indices(self) -> NDArray[np.int64]: ...
    @property
    def data(self) -> NDArray[np.float64]: ...

@final
class Histogram:
    @property
    def edges(self) -> list[float]: ...
    @property
    def levels(self) -> list[int]: ...
    @property
    def counts(self) -> list[list[float]]: ...

@final
class Decision:
    @property
    def classes(self) -> Literal["weights", "given"]: ...
    @property
    def tie(self) -> Literal["lowest", "parent", "kept"]: ...
    @property
    def cost_matrix(self) -> list[list[float]] | None: ...
    @property
    def threshold(self) -> float | None: ...
    @property
    def probability(self) -> Literal["weighted", "raw"]: ...
    @property
    def class_factors(self) -> list[float] | None: ...
    @property
    def smoothing(self) -> str | float | None: ...

@final
class Tree:
    @property
    def kind(self) -> NDArray[np.uint8]: ...
    @property
    def feature(self) -> NDArray[np.int32]: ...
    @property
    def threshold(self) -> NDArray[np.float64]: ...
    @property
    def plane(self) -> NDArray[np.int32]: ...
    @property
    def planes(self) -> list[Plane]: ...
    @property
    def branch_levels(self) -> list[list[int] | None]: ...
    @property
    def first_child(self) -> NDArray[np.int32]: ...
    @property
    def n_children(self) -> NDArray[np.int32]: ...
    @property
    def parent(self) -> NDArray[np.int32]: ...
    @property
    def depth(self) -> NDArray[np.int32]: ...
    @property
    def node_class(self) -> NDArray[np.int32]: ...
    @property
    def weight(self) -> NDArray[np.float64]: ...
    @property
    def class_weights(self) -> NDArray[np.float64]: ...
    @property
    def class_counts(self) -> NDArray[np.float64] | None: ...
    @property
    def is_reached(self) -> NDArray[np.uint8]: ...
    @property
    def cut_values(self) -> NDArray[np.float64]: ...
    @property
    def feature_ranges(self) -> NDArray[np.float64]: ...
    @property
    def missing_routes(self) -> list[str | int | None]: ...
    @property
    def histograms(self) -> list[Histogram | None] | None: ...
    @property
    def decision(self) -> Decision: ...
    @property
    def provenance(self) -> str | None: ...
    @property
    def reading(self) -> str | None: ...
    def with_provenance(self, text: str) -> Tree: ...
    def with_histograms(self, rows: Dataset) -> Tree: ...
    def counted(self, rows: Dataset) -> Tree: ...
    @property
    def estimates(self) -> NDArray[np.float64] | None: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_leaves(self) -> int: ...
    @property
    def max_depth(self) -> int: ...
    @property
    def used_features(self) -> list[int]: ...
    @property
    def routing(self) -> Literal["distribute", "stop", "node_majority", "mean"]: ...
    @property
    def n_features(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def levels(self) -> list[list[_Label] | None]: ...
    @property
    def classes(self) -> list[_Label]: ...
    def feature_importances(self) -> NDArray[np.float64]: ...
    def predict(self, columns: _Columns, n_threads: int = 1) -> NDArray[np.int32]: ...
    def predict_proba(self, columns: _Columns, n_threads: int = 1) -> NDArray[np.float64]: ...
    def apply(self, columns: _Columns, n_threads: int = 1) -> NDArray[np.int64]: ...
    def decision_path(self, columns: _Columns, n_threads: int = 1) -> SparseRows: ...
    def leaf_shares(self, columns: _Columns, n_threads: int = 1) -> SparseRows: ...
    def to_json(self) -> str: ...
    @classmethod
    def from_json(cls, text: str) -> Tree: ...
    def export_text(
        self,
        max_depth: int | None = None,
        show_counts: bool = False,
        show_errors: bool = False,
        decimals: int | None = None,
        show_estimates: bool = False,
    ) -> str: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

# Growing, and searches over sets of features.

@final
class GrowthParameters:
    CRITERIA: ClassVar[list[tuple[str, bool]]]
    """Every criterion by its name, and whether it goes by gains in bits."""

    def __new__(
        cls,
        *,
        criterion: str,
        growth: str,
        min_samples_split: float,
        min_samples_leaf: float,
        min_gain: float,
        mdl_correction: bool,
        max_depth: int | None,
        missing: str,
        class_weight: Sequence[float] | None,
        nominal_splits: str = "multiway",
    ) -> GrowthParameters: ...
    @property
    def criterion(self) -> str: ...
    @property
    def growth(self) -> str: ...
    @property
    def min_samples_split(self) -> float: ...
    @property
    def min_samples_leaf(self) -> float: ...
    @property
    def min_gain(self) -> float: ...
    @property
    def mdl_correction(self) -> bool: ...
    @property
    def max_depth(self) -> int | None: ...
    @property
    def nominal_splits(self) -> str: ...
    @property
    def missing(self) -> str: ...
    @property
    def class_weight(self) -> list[float] | None: ...
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, object]]: ...

def grow(
    dataset: Dataset,
    *,
    growth: GrowthParameters,
    features: Sequence[int] | None = None,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> Tree: ...

@final
class SelectionRules:
    def __new__(
        cls,
        *,
        direction: str,
        floating: bool = False,
        tolerance: float = 0.0,
        parsimonious: bool = False,
        min_features: int = 0,
        max_features: int | None = None,
        units: Sequence[Sequence[int]] | None = None,
        required: Sequence[int] = ...,
        start: Sequence[int] | None = None,
    ) -> SelectionRules: ...

@final
class SelectionStep:
    @property
    def changed(self) -> list[int]: ...
    @property
    def is_added(self) -> bool: ...
    @property
    def n_errors(self) -> float: ...
    @property
    def n_selected(self) -> int: ...
    @property
    def n_trees_built(self) -> int: ...
    @property
    def seconds(self) -> float: ...

@final
class SelectionOutcome:
    @property
    def selected(self) -> list[int]: ...
    @property
    def used_features(self) -> list[int]: ...
    @property
    def n_errors(self) -> float: ...
    @property
    def tree(self) -> Tree: ...
    @property
    def history(self) -> list[SelectionStep]: ...
    @property
    def n_trees_built(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def elapsed(self) -> float: ...

def select_features(
    dataset: Dataset,
    training: NDArray[np.int64],
    validation: NDArray[np.int64],
    *,
    growth: GrowthParameters,
    rules: SelectionRules,
    strategy: str = "incremental",
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> SelectionOutcome: ...

@final
class CompleteRules:
    def __new__(
        cls,
        *,
        order: str = "frontier",
        memory_limit: int | None = None,
        tolerance: float = 0.0,
        max_features: int | None = None,
        n_best: int = 1,
        counts_ties: bool = False,
    ) -> CompleteRules: ...

@final
class BestTree:
    @property
    def used_features(self) -> list[int]: ...
    @property
    def blocked_features(self) -> list[int]: ...
    @property
    def n_errors(self) -> float: ...
    @property
    def tree(self) -> Tree: ...

@final
class CompleteOutcome:
    @property
    def best(self) -> list[BestTree]: ...
    @property
    def n_ties(self) -> int | None: ...
    @property
    def bound(self) -> float: ...
    @property
    def n_trees_built(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def elapsed(self) -> float: ...
    @property
    def raised(self) -> BaseException | None: ...

def complete_search(
    dataset: Dataset,
    training: NDArray[np.int64],
    validation: NDArray[np.int64],
    *,
    growth: GrowthParameters,
    rules: CompleteRules,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> CompleteOutcome: ...

@final
class FoundTree:
    @property
    def used_features(self) -> list[int]: ...
    @property
    def blocked_features(self) -> list[int]: ...
    @property
    def n_errors(self) -> float: ...

@final
class DistinctTrees:
    def __new__(
        cls,
        dataset: Dataset,
        training: NDArray[np.int64],
        validation: NDArray[np.int64],
        *,
        growth: GrowthParameters,
        order: str = "frontier",
        memory_limit: int | None = None,
        node_limit: int | None = None,
    ) -> DistinctTrees: ...
    def next_batch(
        self,
        max_trees: int,
        n_received: int,
        *,
        n_threads: int = 1,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> list[FoundTree]: ...
    def limit(self, node_limit: int) -> None: ...
    @property
    def n_built(self) -> int: ...
    @property
    def n_distinct(self) -> int: ...
    @property
    def status(self) -> str | None: ...
    def close(self) -> None: ...

@final
class TreeCounts:
    def __new__(
        cls, n_built: int, by_n_features: Sequence[int], by_log_subsets: Sequence[int]
    ) -> TreeCounts: ...
    @property
    def n_built(self) -> int: ...
    @property
    def n_distinct(self) -> int: ...
    @property
    def by_n_features(self) -> list[int]: ...
    @property
    def by_log_subsets(self) -> list[int]: ...
    def __getnewargs__(self) -> tuple[int, list[int], list[int]]: ...

@final
class CountOutcome:
    @property
    def counts(self) -> TreeCounts: ...
    @property
    def status(self) -> str: ...
    @property
    def elapsed(self) -> float: ...

def count_distinct_trees(
    dataset: Dataset,
    training: NDArray[np.int64],
    validation: NDArray[np.int64],
    *,
    growth: GrowthParameters,
    order: str = "frontier",
    memory_limit: int | None = None,
    node_limit: int | None = None,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> CountOutcome: ...

@final
class SearchPart:
    def __new__(cls, required_features: Sequence[int], optional_features: Sequence[int]) -> SearchPart: ...
    @property
    def required_features(self) -> list[int]: ...
    @property
    def optional_features(self) -> list[int]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __getnewargs__(self) -> tuple[list[int], list[int]]: ...

@final
class SplitSearch:
    @property
    def around(self) -> TreeCounts: ...
    @property
    def parts(self) -> list[SearchPart]: ...

def split_distinct_search(
    dataset: Dataset,
    training: NDArray[np.int64],
    *,
    growth: GrowthParameters,
    n_parts: int,
    order: str = "frontier",
    memory_limit: int | None = None,
    time_limit: float | None = None,
) -> SplitSearch: ...

@final
class PartCounts:
    @property
    def counts(self) -> list[TreeCounts]: ...
    @property
    def status(self) -> str: ...

def count_distinct_parts(
    dataset: Dataset,
    training: NDArray[np.int64],
    parts: Sequence[SearchPart],
    *,
    growth: GrowthParameters,
    order: str = "frontier",
    memory_limit: int | None = None,
    time_limit: float | None = None,
) -> PartCounts: ...

# Fixed-depth trees.

@final
class FixedDepthTask:
    def __new__(
        cls,
        *,
        depth: int,
        class_prior: float,
        value_prior: float,
        solver: str,
        costs: Sequence[int] | None,
        budget: int,
        trims: bool,
        unseen: str,
    ) -> FixedDepthTask: ...

@final
class FixedDepthFound:
    @property
    def tree(self) -> Tree: ...
    @property
    def expected_accuracy(self) -> float: ...
    @property
    def bound(self) -> float: ...
    @property
    def status(self) -> str: ...
    @property
    def n_searched(self) -> int: ...
    @property
    def elapsed(self) -> float: ...

@final
class FeatureRanking:
    @property
    def starts(self) -> NDArray[np.float64]: ...
    @property
    def features(self) -> NDArray[np.uint32]: ...
    @property
    def at0(self) -> NDArray[np.float64]: ...
    @property
    def at1(self) -> NDArray[np.float64]: ...
    @property
    def classes(self) -> NDArray[np.float64]: ...
    @property
    def likelihoods(self) -> NDArray[np.float64]: ...

def fixed_depth_tree(
    dataset: Dataset,
    *,
    task: FixedDepthTask,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> FixedDepthFound: ...
def fixed_depth_trees(
    dataset: Dataset,
    weights: NDArray[np.float64],
    *,
    task: FixedDepthTask,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> list[FixedDepthFound]: ...
def opt_feature_list(
    dataset: Dataset, *, width: int, class_prior: float, value_prior: float
) -> FeatureRanking: ...

# Pruning.

@final
class ErrorEstimate:
    def __new__(
        cls,
        kind: str,
        confidence: float | None = None,
        z: float | None = None,
        alpha: float | None = None,
        limit: str | None = None,
    ) -> ErrorEstimate: ...
    def rates(self, c: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]: ...

@final
class PrunedTree:
    @property
    def tree(self) -> Tree: ...
    @property
    def origin(self) -> NDArray[np.int64]: ...
    @property
    def leaf(self) -> NDArray[np.float64]: ...
    @property
    def subtree(self) -> NDArray[np.float64]: ...
    @property
    def branch(self) -> NDArray[np.float64]: ...
    @property
    def action(self) -> NDArray[np.uint8]: ...

def extra_errors(
    n: NDArray[np.float64], e: NDArray[np.float64], confidence: float, limit: str
) -> NDArray[np.float64]: ...
def prune(
    tree: Tree,
    leaf_rates: NDArray[np.float64],
    *,
    slack_errors: float = 0.0,
    slack_rate: float = 0.0,
    judged: Tree | None = None,
) -> PrunedTree: ...
def prune_grafting(
    tree: Tree,
    dataset: Dataset,
    *,
    confidence: float,
    limit: str,
    grafting: bool = True,
    class_weight: Sequence[float] | None = None,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> PrunedTree: ...
def refill(
    tree: Tree,
    dataset: Dataset,
    *,
    class_weight: Sequence[float] | None = None,
    keep_classes: bool = False,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> Tree: ...

# Decision tables and their subtable graphs.

@final
class DecisionTable:
    @staticmethod
    def from_codes(
        names: Sequence[str],
        columns: Sequence[NDArray[np.int32]],
        levels: Sequence[Sequence[_Label | None]],
        decisions: NDArray[np.int32],
        classes: Sequence[_Label],
        on_conflict: str,
    ) -> DecisionTable: ...
    @property
    def n_rows(self) -> int: ...
    @property
    def n_features(self) -> int: ...
    @property
    def n_classes(self) -> int: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def levels(self) -> list[list[_Label | None]]: ...
    @property
    def classes(self) -> list[_Label]: ...
    def subtable_graph(
        self,
        *,
        alpha: int = 0,
        node_limit: int | None = None,
        memory_limit: int | None = None,
        n_threads: int = 1,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> SubtableGraph: ...
    def column(self, i: int) -> NDArray[np.int32]: ...
    @property
    def decisions(self) -> NDArray[np.int32]: ...
    @property
    def first_rows(self) -> NDArray[np.int64]: ...

@final
class TableCost:
    def __new__(cls, leaf: int, per_row: int, per_node: int, combine: str) -> TableCost: ...
    @staticmethod
    def named(name: str) -> TableCost: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class FrontPoint:
    @property
    def a(self) -> int: ...
    @property
    def b(self) -> int: ...
    @property
    def tree(self) -> Tree: ...

@final
class TableMinimum:
    @property
    def tree(self) -> Tree: ...
    @property
    def cost(self) -> int: ...
    @property
    def bound(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def n_searched(self) -> int: ...
    @property
    def elapsed(self) -> float: ...

@final
class GreedyComparison:
    @property
    def differences(self) -> NDArray[np.float64]: ...
    @property
    def minima(self) -> NDArray[np.int64]: ...
    @property
    def status(self) -> str: ...
    @property
    def n_done(self) -> int: ...
    @property
    def elapsed(self) -> float: ...

@final
class SubtableGraph:
    @property
    def status(self) -> str: ...
    @property
    def elapsed(self) -> float: ...
    @property
    def alpha(self) -> int: ...
    @property
    def n_nonterminal(self) -> int: ...
    @property
    def n_terminal(self) -> int: ...
    @property
    def n_bundles(self) -> int: ...
    @property
    def n_edges(self) -> int: ...
    @property
    def n_bytes(self) -> int: ...
    @property
    def reached(self) -> list[int] | None: ...
    @property
    def floor(self) -> list[int]: ...
    def minimum(
        self,
        cost: TableCost,
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> int: ...
    def tree(
        self,
        costs: Sequence[TableCost],
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> Tree: ...
    def count_optimal(
        self,
        cost: TableCost,
        every_subtree: bool = False,
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> int: ...
    def enumerate_optimal(
        self,
        cost: TableCost,
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> OptimalTrees: ...
    def pareto_front(
        self,
        a: TableCost,
        b: TableCost,
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> list[FrontPoint]: ...

@final
class OptimalTrees:
    def take(
        self,
        n: int,
        *,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> list[Tree]: ...

def tree_costs(tree: Tree, table: DecisionTable, costs: Sequence[TableCost]) -> list[int]: ...
def greedy_trees(
    table: DecisionTable,
    *,
    heuristics: Sequence[tuple[str, str]],
    alpha: int = 0,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> list[Tree]: ...
def minimum_tree_bounded(
    table: DecisionTable,
    *,
    cost: TableCost,
    alpha: int = 0,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> TableMinimum: ...
def compare_greedy(
    tables: Sequence[DecisionTable] | None = None,
    *,
    n_tables: int = 0,
    n_rows: int = 50,
    n_features: int = 10,
    n_values: int = 3,
    seed: int = 0,
    first_table: int = 0,
    node_limit: int | None = None,
    memory_limit: int | None = None,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> GreedyComparison: ...

@final
class LinearRows:
    @property
    def classes(self) -> NDArray[np.int32]: ...
    @property
    def is_training(self) -> NDArray[np.bool_]: ...

def linear_network(
    n_inputs: int, n_removed: int, train_share: float, seed: int, number: int
) -> LinearRows: ...
def study_folds(
    n_inputs: int,
    n_removed: int,
    train_share: float,
    seed: int,
    number: int,
    n_folds: int,
    fold_seed: int,
) -> NDArray[np.int64]: ...

@final
class StudyRule:
    @staticmethod
    def keep() -> StudyRule: ...
    @staticmethod
    def leaf(estimate: ErrorEstimate, slack_errors: float, slack_rate: float) -> StudyRule: ...
    @staticmethod
    def program(program: Program) -> StudyRule: ...
    @staticmethod
    def tuned(
        estimates: Sequence[ErrorEstimate], slack_errors: float, n_folds: int, seed: int
    ) -> StudyRule: ...

@final
class PrunedSets:
    @property
    def n_errors(self) -> NDArray[np.int64]: ...
    @property
    def n_nodes(self) -> NDArray[np.int64]: ...
    @property
    def chosen(self) -> NDArray[np.int64]: ...
    @property
    def status(self) -> str: ...

def study_pruning(
    n_inputs: NDArray[np.int64],
    n_removed: NDArray[np.int64],
    train_shares: NDArray[np.float64],
    rules: Sequence[StudyRule],
    *,
    seed: int,
    first: int = 0,
    n_threads: int = 1,
    callback: _Callback | None = None,
) -> PrunedSets: ...

@final
class TreeCorpora:
    @staticmethod
    def networks(
        n_inputs: Sequence[int],
        n_removed: Sequence[int],
        train_shares: Sequence[float],
        seeds: tuple[int, int, int],
        numbers: tuple[int, int, int],
    ) -> TreeCorpora: ...
    @staticmethod
    def own(
        sets: Sequence[tuple[Dataset, GrowthParameters]],
        draw: Callable[[int], list[tuple[int, int, NDArray[np.uint8]]]],
        numbers: tuple[int, int, int],
    ) -> TreeCorpora: ...
    @staticmethod
    def grown(train: GrownTrees, validation: GrownTrees, test: GrownTrees) -> TreeCorpora: ...

@final
class GrownTrees:
    def __new__(
        cls,
        c: NDArray[np.float64],
        n: NDArray[np.float64],
        errors: NDArray[np.float64],
        first_child: NDArray[np.int64],
        n_children: NDArray[np.int64],
        n_nodes: NDArray[np.int64],
        n_test: NDArray[np.float64],
    ) -> GrownTrees: ...

@final
class ScoreEstimate:
    @property
    def value(self) -> float: ...
    @property
    def error(self) -> float: ...

@final
class EvolvedRule:
    @property
    def program(self) -> Program: ...
    @property
    def bits(self) -> float: ...
    @property
    def cost(self) -> int: ...
    @property
    def train(self) -> ScoreEstimate: ...
    @property
    def validation(self) -> ScoreEstimate: ...

@final
class RuleErrors:
    @property
    def name(self) -> str: ...
    @property
    def train(self) -> NDArray[np.float64]: ...
    @property
    def validation(self) -> NDArray[np.float64]: ...
    @property
    def test(self) -> NDArray[np.float64]: ...

@final
class CorpusExtent:
    @property
    def n_test(self) -> NDArray[np.float64]: ...
    @property
    def n_nodes(self) -> int: ...
    @property
    def n_pairs(self) -> int: ...
    @property
    def n_subtrees(self) -> int: ...

@final
class EvolutionTally:
    @property
    def undefined(self) -> int: ...
    @property
    def known(self) -> int: ...
    @property
    def screened(self) -> int: ...
    @property
    def worse(self) -> int: ...
    @property
    def scored(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...

@final
class EvolvedRules:
    @property
    def front(self) -> tuple[EvolvedRule, ...]: ...
    @property
    def best(self) -> int: ...
    @property
    def rows(self) -> tuple[RuleErrors, ...]: ...
    @property
    def constants(self) -> tuple[float, float]: ...
    @property
    def extents(self) -> tuple[CorpusExtent, ...]: ...
    @property
    def tally(self) -> EvolutionTally: ...
    @property
    def n_programs(self) -> int: ...
    @property
    def n_generations(self) -> int: ...
    @property
    def status(self) -> str: ...
    @property
    def elapsed(self) -> float: ...

def evolve_pruning(
    corpora: TreeCorpora,
    start: Sequence[Program],
    *,
    n_train: int,
    most_train: int,
    objective: str,
    seed: int,
    budget: int,
    most_bits: float,
    patience: int | None = None,
    checkpoint: PathLike[str] | None = None,
    resume: bool = False,
    n_threads: int = 1,
    time_limit: float | None = None,
    callback: _Callback | None = None,
) -> EvolvedRules: ...
def pruning_errors(corpora: TreeCorpora, rules: Sequence[Program]) -> NDArray[np.float64]: ...

@final
class Program:
    def __new__(cls, text: str) -> Program: ...
    @staticmethod
    def formula(text: str) -> Program: ...
    @staticmethod
    def naive() -> Program: ...
    @staticmethod
    def from_json(text: str) -> Program: ...
    def to_json(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def bits(self) -> float: ...
    @property
    def size(self) -> int: ...
    @property
    def signature(self) -> tuple[list[str], str]: ...
    def code(self, language: str) -> str: ...
    def full_form(self) -> Program: ...
    def rates(self, c: NDArray[np.float64], n: NDArray[np.float64]) -> NDArray[np.float64]: ...
    def simplify(self) -> Program: ...
    def run(self, args: tuple[Any, ...], max_steps: int, max_memory: int) -> tuple[Any, int]: ...
    def __hash__(self, /) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __reduce__(self) -> tuple[Any, tuple[str]]: ...

@final
class ProgramProblem:
    @staticmethod
    def examples(
        start: Program,
        functions: Sequence[str] | None,
        inputs: Iterable[Any],
        outputs: Iterable[Any],
        *,
        view: Program | None = None,
        max_steps: int,
        max_memory: int,
    ) -> ProgramProblem: ...
    @staticmethod
    def scored(
        start: Program,
        functions: Sequence[str] | None,
        inputs: Iterable[Any],
        score: Callable[[Any], Iterable[float]],
        *,
        arrays: bool,
        target: float | None,
        name: str,
        max_output: int,
        max_steps: int,
        max_memory: int,
    ) -> ProgramProblem: ...
    @staticmethod
    def pruning(
        start: Program, functions: Sequence[str] | None, corpora: TreeCorpora, *, n_threads: int
    ) -> ProgramProblem: ...

@final
class ScoredProgram:
    @property
    def program(self) -> Program: ...
    @property
    def loss(self) -> float: ...
    @property
    def bits(self) -> float: ...
    @property
    def steps(self) -> int: ...
    @property
    def n_wrong(self) -> int: ...

def checkpoint_seed(path: PathLike[str]) -> int: ...

@final
class ProgramSearch:
    def __new__(cls, problem: ProgramProblem, *, seed: int, most_bits: float | None) -> ProgramSearch: ...
    def run(
        self,
        *,
        budget: int,
        polish: int,
        checkpoint: PathLike[str] | None = None,
        resume: bool = False,
        every: float = 10.0,
        n_threads: int = 1,
        time_limit: float | None = None,
        callback: _Callback | None = None,
    ) -> str: ...
    def front(self) -> list[ScoredProgram]: ...
    @property
    def most_bits(self) -> float: ...
    @property
    def start_bits(self) -> float: ...
    @property
    def seed(self) -> int: ...
    @property
    def n_programs(self) -> int: ...
    @property
    def n_judged(self) -> int: ...
    @property
    def solved(self) -> int | None: ...
