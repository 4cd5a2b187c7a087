"""Reports: tables, marks and what goes between them and matplotlib. Knows no result.

A result makes its own table and draws its own picture with what stands here. Drawing needs matplotlib, which
``treewright[plot]`` installs.
"""

from __future__ import annotations

from treewright.reporting.marks import Mark, marked_line
from treewright.reporting.matplotlib_glue import picture, without_windows
from treewright.reporting.table import Column, Table

__all__ = ["Column", "Mark", "Table", "marked_line", "picture", "without_windows"]
