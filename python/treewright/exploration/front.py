"""The front: how small trees are, against how much they err."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.data.types import BoolArray, FloatArray
from treewright.exploration.judging import Part
from treewright.results import ResultTable, floats, ints, texts


def front_table(found: Sequence[tuple[str, list[str], Part]], trees: Sequence[str]) -> ResultTable:
    """Return a row for each candidate, by size, then error; the trees on the front are marked."""
    rows = [
        (
            *(name, candidate, int(part.sizes[i]), int(part.n_leaves[i]), len(part.used[i])),
            *(float(part.questions[i]), float(part.losses[i] / part.whole), float(part.low[i])),
            *(float(part.high[i]), False),
        )
        for name, candidates, part in found
        for i, candidate in enumerate(candidates)
    ]
    rows.sort(key=lambda row: (row[2], row[6]))
    columns = [
        texts("family", [name for name, _, _ in found]),
        texts("candidate", [one for _, candidates, _ in found for one in candidates]),
        *ints("size", "n_leaves", "n_features"),
        *floats("questions", "error", "low", "high"),
        ("is_on_front", "bool"),
    ]
    table = ResultTable.from_rows(rows, columns)
    is_tree = np.isin(table["family"], trees)
    np.asarray(table)["is_on_front"] = is_tree & is_on_front(np.where(is_tree, table["error"], np.inf))
    return table


def is_on_front(errors: FloatArray) -> BoolArray:
    """Mark, in the order of size and error, what errs less than everything before it."""
    least = np.minimum.accumulate(np.append(np.inf, errors))[:-1]
    return np.asarray(errors < least)
