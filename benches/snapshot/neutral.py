"""Results as plain values for JSON: exact, without times, and short where they are long."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Mapping
from itertools import islice
from typing import Any

import numpy as np

from benches.snapshot.renamed import stored_name

MASK = "<masked>"
TIMES = ("seconds", "elapsed", "time", "date", "exhaustive_std_error")
"""Names of fields and keys whose values differ from run to run."""

MOST_ITEMS = 40
"""Longer lists and arrays are stored by a hash and their first items."""

FIRST = 6


def neutral(value: Any) -> Any:
    """Return a value as JSON has it; an object that is not known here is an error."""
    if value is None or isinstance(value, bool | str | int):
        return value
    if isinstance(value, float):
        return float(value) if math.isfinite(value) else str(value)
    if isinstance(value, np.generic):
        return neutral(value.item())
    if isinstance(value, np.ndarray):
        return structured(value) if value.dtype.names else array(value)
    if isinstance(value, Mapping):
        return {
            stored_name(str(key)): MASK if is_masked(key) else neutral(item) for key, item in value.items()
        }
    if isinstance(value, list | tuple):
        return shortened([neutral(item) for item in value])
    if isinstance(value, set | frozenset):
        return shortened(sorted(neutral(item) for item in value))
    if hasattr(value, "tocoo"):
        return sparse(value)
    if hasattr(value, "columns") and hasattr(value, "to_dict"):
        return frame(value)
    raise TypeError(f"{type(value).__name__} is not known to the snapshot; say what is read of it")


def is_masked(name: Any) -> bool:
    """Tell whether values of this name differ from run to run."""
    return name in TIMES or "seconds" in str(name)


def digest(items: Any) -> str:
    """Return a hash of plain values, the same wherever their texts are."""
    return hashlib.sha256(json.dumps(items).encode()).hexdigest()[:24]


def shortened(items: list[Any]) -> Any:
    """Return a list, or what stands for a long one."""
    if len(items) <= MOST_ITEMS:
        return items
    return {"length": len(items), "sha256": digest(items), "first": items[:FIRST]}


def array(values: np.ndarray) -> dict[str, Any]:
    """Return an array with its type and shape."""
    kind = "text" if values.dtype.kind == "U" else str(values.dtype)
    items = [neutral(item) for item in values.ravel().tolist()]
    if len(items) <= MOST_ITEMS:
        return {"type": kind, "shape": list(values.shape), "items": items}
    return {"type": kind, "shape": list(values.shape), "sha256": digest(items), "first": items[:FIRST]}


def structured(table: np.ndarray) -> dict[str, Any]:
    """Return a table of named columns as rows, in the order of the columns."""
    names = list(table.dtype.names or ())
    masked = [is_masked(name) or (name == "std_error" and "seconds_grown" in names) for name in names]
    rows = [
        [MASK if hidden else neutral(cell) for cell, hidden in zip(row, masked, strict=True)]
        for row in table.tolist()
    ]
    return {"columns": [stored_name(name) for name in names], "rows": shortened(rows)}


def frame(table: Any) -> dict[str, Any]:
    """Return a pandas frame by its columns."""
    columns = {
        stored_name(str(name)): MASK if is_masked(name) else array(np.asarray(table[name]))
        for name in table.columns
    }
    return {"frame": columns}


def sparse(matrix: Any) -> dict[str, Any]:
    """Return a sparse matrix by its entries."""
    entries = matrix.tocoo()
    triples = list(zip(entries.row.tolist(), entries.col.tolist(), entries.data.tolist(), strict=True))
    return {"sparse": list(matrix.shape), "n_entries": len(triples), "entries": neutral(sorted(triples))}


def first(items: Any, n: int = FIRST) -> list[Any]:
    """Return the first items of anything that yields them."""
    return list(islice(items, n))
