"""Reports: tables and drawings of results.

What stands here reads results and runs no search. Drawing needs matplotlib, which ``treewright[plot]``
installs.
"""

from __future__ import annotations

from treewright.reporting._errors import plot_errors
from treewright.reporting._history import plot_history
from treewright.reporting._selection import selection_table
from treewright.reporting._table import Column, Table

__all__ = ["Column", "Table", "plot_errors", "plot_history", "selection_table"]
