"""Labelled samples in the domain of a tree."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from treewright import _core
from treewright._base.errors import DataError
from treewright._base.wording import NO_VALUE, Param
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.intake.labels import Label, identity
from treewright.data.intake.target import read_target, read_weights
from treewright.data.training import warn_of_lost
from treewright.data.types import AnyArray, CodeArray, TableLike
from treewright.trees.predictions import Columns


class TreeDomain(Protocol):
    """The part of a `Tree` that samples are read by."""

    _core: _core.Tree

    @property
    def classes_(self) -> AnyArray:
        """Class labels."""

    @property
    def feature_names(self) -> list[str]:
        """Names of the features."""

    @property
    def levels(self) -> list[list[Label] | None]:
        """Values of every nominal feature."""

    def _encode(self, X: TableLike) -> Columns:
        """Return samples in the domain of the tree."""


def rows_for(tree: TreeDomain, X: object, y: object, sample_weight: object) -> _core.Dataset:
    """Return samples as the engine's data set, with the levels and the classes of a tree."""
    rows = _rows(tree, X, y, sample_weight)
    if rows.weights is not None:
        warn_of_lost(_core.counted_weights(rows).n_lost, rows.n_rows, where=None)
    return rows


def _rows(tree: TreeDomain, X: object, y: object, sample_weight: object) -> _core.Dataset:
    if isinstance(X, Dataset):
        return _rows_of_dataset(tree, as_dataset(X, y, sample_weight=sample_weight))
    columns = tree._encode(X)
    weights = read_weights(sample_weight, len(columns[0]))
    if y is None:
        raise _no_classes()
    target = read_target(y, len(columns[0]), weights.rows)
    if weights.rows is not None:
        columns = [column[weights.rows] for column in columns]
    codes = _codes(tree, target.codes, target.classes)
    return _core.Dataset.from_columns(
        tree.feature_names, columns, tree.levels, codes, tree._core.classes, weights.values
    )


def _rows_of_dataset(tree: TreeDomain, dataset: Dataset) -> _core.Dataset:
    target, classes = dataset.target, dataset.classes
    if target is None or classes is None:
        raise _no_classes()
    return _core.Dataset.from_columns(
        tree.feature_names,
        tree._encode(dataset),
        tree.levels,
        _codes(tree, target, classes),
        tree._core.classes,
        dataset.sample_weight,
    )


def _codes(tree: TreeDomain, codes: CodeArray, classes: AnyArray) -> CodeArray:
    """Translate class codes to those of the tree; a class that it does not know is refused."""
    known = {identity(label): i for i, label in enumerate(tree._core.classes)}
    labels = classes.tolist()
    strangers = [
        label for i, label in enumerate(labels) if identity(label) not in known and (codes == i).any()
    ]
    if strangers:
        raise DataError(
            Param("y"),
            f" has the class {strangers[0]!r}, which the tree does not know; its classes are "
            f"{tree.classes_.tolist()}: leave the rows out, or grow a tree with them",
        )
    translation = np.array([known.get(identity(label), -1) for label in labels], dtype=np.int32)
    return translation[codes]


def _no_classes() -> DataError:
    remedy = "; give one class label a sample, or leave both out"
    return DataError(Param("X"), " is given, but ", Param("y"), " is ", NO_VALUE, remedy)
