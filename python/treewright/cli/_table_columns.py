"""Result tables as CSV, and as records for JSON."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.results import ResultTable


def as_csv(table: ResultTable) -> str:
    """Return a table as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.dtype.names or ())
    writer.writerows(table.tolist())
    return text.getvalue()


def records_as_json(table: ResultTable) -> list[dict[str, Any]]:
    """Return a table as records that JSON can hold: numbers that are none are null."""
    return [{name: _finite(value) for name, value in record.items()} for record in table.records()]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
