"""The classification sets that scikit-learn carries, with their labels in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.data.sources.build import build
from treewright.data.sources.kinds import Label

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset


def from_sklearn(loader: str) -> Dataset:
    """Return one of scikit-learn's sets by the name of its loader, such as ``"load_iris"``."""
    import sklearn.datasets

    bunch: Any = getattr(sklearn.datasets, loader)()
    labels: list[Label] = [label.item() for label in bunch.target_names]
    classes = sorted(labels, key=lambda label: (isinstance(label, str), label))
    code = np.array([classes.index(label) for label in labels], dtype=np.int32)
    columns = [np.ascontiguousarray(column, dtype=np.float64) for column in bunch.data.T]
    return build(
        [str(name) for name in bunch.feature_names],
        columns,
        [None] * len(columns),
        code[bunch.target],
        classes,
    )
