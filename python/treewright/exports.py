"""Formats that trees are written in, and what each can say; `Tree.export` writes."""

from treewright.trees.exports.door import ExportFormat as ExportFormat
from treewright.trees.exports.door import export_formats as export_formats
from treewright.trees.exports.excel import excel_cells as excel_cells
from treewright.trees.exports.skops_types import SKOPS_TYPES as SKOPS_TYPES

__all__ = ["SKOPS_TYPES", "ExportFormat", "excel_cells", "export_formats"]
