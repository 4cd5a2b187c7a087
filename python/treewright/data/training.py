"""A data set with classes: what everything that learns from labels works on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import _core
from treewright._base.errors import DataError
from treewright.data.dataset import Dataset

GRID = 2**20
"""Weights count in units of 1 / GRID."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """A `Dataset` that is known to have classes, its arrays taken out once."""

    dataset: Dataset
    target: NDArray[np.int32]
    classes: NDArray[Any]
    sample_weight: NDArray[np.float64] | None

    @classmethod
    def of(cls, dataset: Dataset, owner: str) -> TrainingSet:
        """Take the classes of a data set; `owner` is who asks for them."""
        target, classes = dataset.target, dataset.classes
        if target is None or classes is None:
            raise DataError(
                f"This {owner} estimator requires y to be passed, but the target y is None; "
                "give one class label a sample"
            )
        return cls(dataset, target, classes, dataset.sample_weight)

    @property
    def core(self) -> _core.Dataset:
        """The table as engines read it."""
        return self.dataset.core

    @property
    def n_samples(self) -> int:
        """Number of samples of positive weight."""
        return len(self.target)
