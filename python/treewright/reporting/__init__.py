"""Reports: tables and drawings of results.

What stands here reads results and runs no search. Drawing needs matplotlib, which ``treewright[plot]``
installs.
"""

from __future__ import annotations

from treewright.reporting._critical_difference import critical_difference_page, plot_critical_difference
from treewright.reporting._depth_path import plot_depth_path
from treewright.reporting._distinct import distinct_table
from treewright.reporting._distinct_counts import plot_distribution, plot_overhead, plot_time
from treewright.reporting._distinct_errors import plot_error_lines
from treewright.reporting._distinct_page import plot_study
from treewright.reporting._errors import plot_errors
from treewright.reporting._fixed_depth import fixed_depth_table
from treewright.reporting._fixed_depth_plots import (
    plot_fixed_depth,
    plot_fixed_depth_errors,
    plot_search_times,
    plot_speed_up,
)
from treewright.reporting._greedy import greedy_table
from treewright.reporting._greedy_map import greedy_page, plot_greedy
from treewright.reporting._history import plot_history
from treewright.reporting._opt_feature_list import plot_opt_feature_list
from treewright.reporting._plane import (
    plot_plane,
    plot_plane_path,
    plot_plane_samples,
    plot_plane_weights,
)
from treewright.reporting._planes import planes_table
from treewright.reporting._planes_plots import planes_page, plot_planes
from treewright.reporting._pruning import pruning_table
from treewright.reporting._ranks import rank_table
from treewright.reporting._selection import selection_table
from treewright.reporting._table import Column, Table

__all__ = [
    "Column",
    "Table",
    "critical_difference_page",
    "distinct_table",
    "fixed_depth_table",
    "greedy_page",
    "greedy_table",
    "planes_page",
    "planes_table",
    "plot_critical_difference",
    "plot_depth_path",
    "plot_distribution",
    "plot_error_lines",
    "plot_errors",
    "plot_fixed_depth",
    "plot_fixed_depth_errors",
    "plot_greedy",
    "plot_history",
    "plot_opt_feature_list",
    "plot_overhead",
    "plot_plane",
    "plot_plane_path",
    "plot_plane_samples",
    "plot_plane_weights",
    "plot_planes",
    "plot_search_times",
    "plot_speed_up",
    "plot_study",
    "plot_time",
    "pruning_table",
    "rank_table",
    "selection_table",
]
