"""Rows of a structured array, each under the names of its columns."""

from __future__ import annotations

from typing import Any


def records(table: Any) -> list[dict[str, Any]]:
    """Return a table as a list of records, of plain Python values."""
    return [dict(zip(table.dtype.names or (), row, strict=True)) for row in table.tolist()]
