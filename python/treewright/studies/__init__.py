"""Studies: published experiments, for anyone's data.

`compare_selection` asks whether choosing features makes a greedy tree err less on samples that it has not
seen, and what the choice costs. `study_distinct_trees` asks how many trees there are to choose from, what it
takes to find them all, and whether the best of them is any good.
"""

from __future__ import annotations

from treewright.studies._comparison import SelectionComparison
from treewright.studies._distinct_study import DistinctTreeStudy
from treewright.studies.distinct import study_distinct_trees
from treewright.studies.selection import compare_selection

__all__ = ["DistinctTreeStudy", "SelectionComparison", "compare_selection", "study_distinct_trees"]
