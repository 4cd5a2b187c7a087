"""What identifies an enumeration: the release, the data and the parameters that trees depend on."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.cli._tree import data_facts

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset
    from treewright.search.distinct.problem import Problem

FORMAT = "treewright-distinct-trees"
FORMAT_VERSION = 1


def header(problem: Problem, settings: dict[str, Any]) -> dict[str, Any]:
    """Return the first line of a file of trees.

    The data go in by what they are, not by the name of their file; `settings` are those of
    `settings_of` and whatever else changes the lines. Threads and limits do not.
    """
    import treewright

    facts = data_facts(problem.dataset)
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "treewright": treewright.__version__,
        "settings": settings,
        "data": {
            **facts,
            "n_validation_rows": len(problem.validation_part),
            "fingerprint": fingerprint(problem.dataset, problem.validation_part),
        },
    }


def settings_of(problem: Problem, validation_set: float, seed: int) -> dict[str, Any]:
    """Return every parameter that the trees, their errors or their order depend on."""
    return {
        **{name: value for name, value in problem.growth.items() if name != "class_weight"},
        "order": problem.limits["order"],
        "validation_set": validation_set,
        "seed": seed if validation_set else None,
    }


def fingerprint(dataset: Dataset, search: Any) -> str:
    """Return a digest of all that the data say, and of which rows are validation rows."""
    core = dataset.core
    digest = hashlib.sha256(json.dumps([core.names, core.levels, core.classes]).encode())
    arrays = [core.column(i) for i in range(core.n_features)]
    for array in [*arrays, core.target, core.weights, search]:
        _add(digest, array)
    return digest.hexdigest()


def _add(digest: Any, array: Any) -> None:
    """Add an array, the same bytes on every machine: little-endian, one NaN, no negative zero."""
    values = np.array([] if array is None else array)
    if values.dtype.kind == "f":
        values = np.where(np.isnan(values), np.nan, values + 0.0)
    digest.update(f"{values.dtype.kind}{values.size};".encode())
    digest.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
