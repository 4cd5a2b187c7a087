"""A number of all that a data set says, by which a checkpoint knows it again."""

from __future__ import annotations

import hashlib
import json

import numpy as np

from treewright.data.dataset import Dataset


def digest(dataset: Dataset) -> str:
    """Return a digest of all that a data set says."""
    classes = None if dataset.classes is None else [repr(label) for label in dataset.classes.tolist()]
    names = [dataset.feature_names, dataset.levels, classes, dataset.ordered]
    found = hashlib.sha256(json.dumps(names, default=repr).encode())
    columns = [dataset.column(i) for i in range(dataset.n_features)]
    for array in (*columns, dataset.target, dataset.sample_weight):
        found.update(b"none" if array is None else np.ascontiguousarray(array).tobytes())
    return found.hexdigest()
