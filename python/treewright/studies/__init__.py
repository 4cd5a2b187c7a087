"""Studies: published experiments, for anyone's data.

`compare_selection` asks whether choosing features makes a greedy tree err less on samples that it has not
seen, and what the choice costs. `study_distinct_trees` asks how many trees there are to choose from, what it
takes to find them all, and whether the best of them is any good. `compare_greedy` asks how far greedy trees
of decision tables are from the least cost. `compare_fixed_depth` asks what trees that are best under naive
Bayes are worth beside ID3 and naive Bayes itself. `compare_optimal` asks what trees of the least training
error are worth on samples that they have not seen. `compare_planes` asks what planes with few features are
worth beside sparse linear models and a tree. `compare_pruning` asks which pruning rule errs least;
`compare_ranks` are its tests, for anyone's errors. `evaluate` says how good the answers of one model are, and
`row_splits` makes folds of rows, by group or in time too. `reproduce` makes the tables of the papers again,
with a verdict for every number, and `published_tables` lists them.
The plots of their results need matplotlib; without it they raise ``ImportError``.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.studies.common.published import published_sets as published_sets
    from treewright.studies.common.run import StudyInterruptedError as StudyInterruptedError
    from treewright.studies.common.splits import row_splits as row_splits
    from treewright.studies.distinct_trees.design import study_distinct_trees as study_distinct_trees
    from treewright.studies.distinct_trees.result import DistinctTreeStudy as DistinctTreeStudy
    from treewright.studies.evaluation.figures import Share as Share
    from treewright.studies.evaluation.result import Evaluation as Evaluation
    from treewright.studies.evaluation.run import evaluate as evaluate
    from treewright.studies.evaluation.run import evaluate_answers as evaluate_answers
    from treewright.studies.fixed_depth.design import compare_fixed_depth as compare_fixed_depth
    from treewright.studies.fixed_depth.result import FixedDepthComparison as FixedDepthComparison
    from treewright.studies.greedy.design import compare_greedy as compare_greedy
    from treewright.studies.greedy.result import GreedyComparison as GreedyComparison
    from treewright.studies.optimal.design import compare_optimal as compare_optimal
    from treewright.studies.optimal.result import OptimalComparison as OptimalComparison
    from treewright.studies.planes.design import compare_planes as compare_planes
    from treewright.studies.planes.result import PlaneComparison as PlaneComparison
    from treewright.studies.pruning.design import compare_pruning as compare_pruning
    from treewright.studies.pruning.result import PruningComparison as PruningComparison
    from treewright.studies.ranks import RankComparison as RankComparison
    from treewright.studies.ranks import compare_ranks as compare_ranks
    from treewright.studies.reproduction.listed import PublishedTables as PublishedTables
    from treewright.studies.reproduction.listed import published_tables as published_tables
    from treewright.studies.reproduction.result import Reproduction as Reproduction
    from treewright.studies.reproduction.run import reproduce as reproduce
    from treewright.studies.selection.design import compare_selection as compare_selection
    from treewright.studies.selection.result import SelectionComparison as SelectionComparison

_HOMES = {
    "DistinctTreeStudy": "distinct_trees.result",
    "Evaluation": "evaluation.result",
    "FixedDepthComparison": "fixed_depth.result",
    "GreedyComparison": "greedy.result",
    "OptimalComparison": "optimal.result",
    "PlaneComparison": "planes.result",
    "PruningComparison": "pruning.result",
    "PublishedTables": "reproduction.listed",
    "RankComparison": "ranks",
    "Reproduction": "reproduction.result",
    "SelectionComparison": "selection.result",
    "Share": "evaluation.figures",
    "StudyInterruptedError": "common.run",
    "compare_fixed_depth": "fixed_depth.design",
    "compare_greedy": "greedy.design",
    "compare_optimal": "optimal.design",
    "compare_planes": "planes.design",
    "compare_pruning": "pruning.design",
    "compare_ranks": "ranks",
    "compare_selection": "selection.design",
    "evaluate": "evaluation.run",
    "evaluate_answers": "evaluation.run",
    "published_sets": "common.published",
    "published_tables": "reproduction.listed",
    "reproduce": "reproduction.run",
    "row_splits": "common.splits",
    "study_distinct_trees": "distinct_trees.design",
}

__all__ = [
    "DistinctTreeStudy",
    "Evaluation",
    "FixedDepthComparison",
    "GreedyComparison",
    "OptimalComparison",
    "PlaneComparison",
    "PruningComparison",
    "PublishedTables",
    "RankComparison",
    "Reproduction",
    "SelectionComparison",
    "Share",
    "StudyInterruptedError",
    "compare_fixed_depth",
    "compare_greedy",
    "compare_optimal",
    "compare_planes",
    "compare_pruning",
    "compare_ranks",
    "compare_selection",
    "evaluate",
    "evaluate_answers",
    "published_sets",
    "published_tables",
    "reproduce",
    "row_splits",
    "study_distinct_trees",
]


def __getattr__(name: str) -> object:
    """Import a study when it is first used: what needs its neighbours need not wait for it."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
