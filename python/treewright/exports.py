"""Formats that trees are written in, and what each can say; `Tree.export` writes."""

from treewright.trees.exports.door import ExportFormat as ExportFormat
from treewright.trees.exports.door import export_formats as export_formats

__all__ = ["ExportFormat", "export_formats"]
