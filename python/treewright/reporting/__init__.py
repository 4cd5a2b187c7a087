"""Reports: tables and drawings of results.

What stands here reads results and runs no search. Drawing needs matplotlib, which ``treewright[plot]``
installs.
"""

from __future__ import annotations

from treewright.reporting._distinct import distinct_table
from treewright.reporting._distinct_counts import plot_distribution, plot_overhead, plot_time
from treewright.reporting._distinct_errors import plot_error_lines
from treewright.reporting._distinct_page import plot_study
from treewright.reporting._errors import plot_errors
from treewright.reporting._greedy import greedy_table
from treewright.reporting._greedy_map import plot_greedy
from treewright.reporting._history import plot_history
from treewright.reporting._selection import selection_table
from treewright.reporting._table import Column, Table

__all__ = [
    "Column",
    "Table",
    "distinct_table",
    "greedy_table",
    "plot_distribution",
    "plot_error_lines",
    "plot_errors",
    "plot_greedy",
    "plot_history",
    "plot_overhead",
    "plot_study",
    "plot_time",
    "selection_table",
]
