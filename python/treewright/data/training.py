"""A data set with classes: what everything that learns from labels works on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np

from treewright import _core
from treewright._base.errors import DataError
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray, TableLike, VectorLike

GRID = 2**20
"""Weights count in units of 1 / GRID."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """A `Dataset` that is known to have classes, its arrays taken out once.

    Attributes
    ----------
    kept : ndarray of bool of shape (n_table_rows,)
        Which rows of the user's table are samples; those of weight 0 are not.
    """

    dataset: Dataset
    target: CodeArray
    classes: AnyArray
    sample_weight: FloatArray | None
    kept: BoolArray

    @classmethod
    def read(
        cls,
        X: TableLike,
        y: VectorLike,
        sample_weight: VectorLike = None,
        *,
        categorical_features: object = "from_dtype",
        owner: str,
    ) -> Self:
        """Pass the user's data through the door; `owner` is who asks for classes."""
        dataset = as_dataset(X, y, sample_weight=sample_weight, categorical_features=categorical_features)
        return cls.of(dataset, owner, _kept(sample_weight, dataset.n_samples))

    @classmethod
    def of(cls, dataset: Dataset, owner: str, kept: BoolArray | None = None) -> Self:
        """Take the classes of a data set; `owner` is who asks for them."""
        target, classes = dataset.target, dataset.classes
        if target is None or classes is None:
            raise DataError(
                f"{owner} requires y to be passed, but the target y is None and X holds no classes; "
                "give one class label a sample"
            )
        all_rows = np.ones(dataset.n_samples, dtype=np.bool_) if kept is None else kept
        return cls(dataset, target, classes, dataset.sample_weight, all_rows)

    @property
    def core(self) -> _core.Dataset:
        """The encoded table that the engines read."""
        return self.dataset.core

    @property
    def n_samples(self) -> int:
        """Number of samples of positive weight."""
        return len(self.target)

    @cached_property
    def origin(self) -> IntArray:
        """Position of every sample in the user's table."""
        return np.flatnonzero(self.kept)


def _kept(sample_weight: VectorLike, n_samples: int) -> BoolArray:
    """Tell which rows of the user's table have a weight other than 0; the weights have been checked."""
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    return weights != 0 if weights.ndim else np.ones(n_samples, dtype=np.bool_)


def weight_type(weights: FloatArray) -> Callable[[float], int | float]:
    """Return the type of a sum of such weights: int where all are whole."""
    return int if bool((weights % 1 == 0).all()) else float
