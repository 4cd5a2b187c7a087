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

from treewright.studies.common.published import published_sets
from treewright.studies.common.run import StudyInterruptedError
from treewright.studies.common.splits import row_splits
from treewright.studies.distinct_trees.design import study_distinct_trees
from treewright.studies.distinct_trees.result import DistinctTreeStudy
from treewright.studies.evaluation.figures import Share
from treewright.studies.evaluation.result import Evaluation
from treewright.studies.evaluation.run import evaluate, evaluate_answers
from treewright.studies.fixed_depth.design import compare_fixed_depth
from treewright.studies.fixed_depth.result import FixedDepthComparison
from treewright.studies.greedy.design import compare_greedy
from treewright.studies.greedy.result import GreedyComparison
from treewright.studies.optimal.design import compare_optimal
from treewright.studies.optimal.result import OptimalComparison
from treewright.studies.planes.design import compare_planes
from treewright.studies.planes.result import PlaneComparison
from treewright.studies.pruning.design import compare_pruning
from treewright.studies.pruning.result import PruningComparison
from treewright.studies.ranks import RankComparison, compare_ranks
from treewright.studies.reproduction.listed import PublishedTables, published_tables
from treewright.studies.reproduction.result import Reproduction
from treewright.studies.reproduction.run import reproduce
from treewright.studies.selection.design import compare_selection
from treewright.studies.selection.result import SelectionComparison

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
