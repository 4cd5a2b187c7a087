"""Columns of a frame or a `Dataset`, taken without losing their types."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Sequence

from treewright._base.frames import nw
from treewright.data import table_errors
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.intake.containers import Frame, native_of
from treewright.data.types import IntArray, Native

Positions = IntArray


def has_typed_columns(X: object) -> bool:
    """Whether `X` is a `Dataset`, a pandas or polars frame, a pyarrow table or the like."""
    return isinstance(X, Dataset) or nw.dependencies.is_into_dataframe(X)


def column_labels(X: Native) -> tuple[Sequence[Hashable] | None, int]:
    """Return what the columns of a table with typed columns are called, if anything, and their number."""
    if isinstance(X, Dataset):
        return X.column_labels, X.n_features
    frame = Frame(native_of(X))
    return frame.labels, frame.shape[1]


def take_columns(X: Native, positions: Positions, wanted: str = "default") -> Native:
    """Take columns of what `has_typed_columns` recognises by position, with their names and types.

    `wanted` is the kind of the result, as ``set_output`` names it; ``"default"`` is the kind of `X`.
    """
    if not len(positions):
        message = "No features were selected: a single leaf errs least on the validation part"
        warnings.warn(message, UserWarning, stacklevel=4)
    if not isinstance(X, Dataset):
        return _of_frame(X, positions, wanted)
    if wanted != "default":
        raise table_errors.dataset_into_frame(wanted)
    return some_columns(X, positions)


def _of_frame(frame: Native, positions: Positions, wanted: str) -> Native:
    if nw.dependencies.is_pandas_dataframe(frame) and not len(positions):
        taken = nw.from_native(frame.iloc[:, :0], eager_only=True)  # the rows stay
    else:
        taken = nw.from_native(frame, eager_only=True)[:, positions.tolist()]
    if wanted == "pandas":
        return taken.to_pandas()
    return taken.to_polars() if wanted == "polars" else taken.to_native()


def some_columns(dataset: Dataset, positions: Sequence[int] | IntArray) -> Dataset:
    """Return a data set with some of the columns, classes and weights as they are."""
    names, levels, labels = dataset.feature_names, dataset.levels, dataset.column_labels
    return dataset_of_codes(
        [names[i] for i in positions],
        [dataset.column(i) for i in positions],
        [levels[i] for i in positions],
        dataset.target,
        dataset.classes,
        dataset.sample_weight,
        None if labels is None else [labels[i] for i in positions],
        dataset.source,
    )
