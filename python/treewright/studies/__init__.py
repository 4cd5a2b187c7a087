"""Studies: published experiments, for anyone's data.

`compare_selection` asks whether choosing features makes a greedy tree err less on samples that it has not
seen, and what the choice costs.
"""

from __future__ import annotations

from treewright.studies._comparison import SelectionComparison
from treewright.studies.selection import compare_selection

__all__ = ["SelectionComparison", "compare_selection"]
