"""Studies: published experiments, for anyone's data.

`compare_selection` asks whether choosing features makes a greedy tree err less on samples that it has not
seen, and what the choice costs. `study_distinct_trees` asks how many trees there are to choose from, what it
takes to find them all, and whether the best of them is any good. `compare_greedy` asks how far greedy trees
of decision tables are from the least cost.
"""

from __future__ import annotations

from treewright.studies._comparison import SelectionComparison
from treewright.studies._distinct_study import DistinctTreeStudy
from treewright.studies._greedy_comparison import GreedyComparison
from treewright.studies.distinct import study_distinct_trees
from treewright.studies.greedy import compare_greedy
from treewright.studies.selection import compare_selection

__all__ = [
    "DistinctTreeStudy",
    "GreedyComparison",
    "SelectionComparison",
    "compare_greedy",
    "compare_selection",
    "study_distinct_trees",
]
