"""Data sets as a study takes them: one or many, named or at hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright._base.errors import DataError, ParameterError
from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.data.validate import as_dataset

ONE = "data"
"""What a single data set is called that comes without a name."""


def named_data_sets(data: Any) -> dict[str, Dataset]:
    """Return every data set under its name, all of them with classes."""
    opened = {name: _opened(name, source) for name, source in _named(data).items()}
    if not opened:
        raise ParameterError("data is empty; give at least one data set")
    for name, dataset in opened.items():
        if dataset.target is None:
            raise DataError(f"data set {name!r} has no classes; give y, one class label a sample")
    return opened


def one_data_set(data: Any) -> tuple[str, Dataset]:
    """Return the name of the only data set, and the set, with classes."""
    named = named_data_sets(data)
    if len(named) > 1:
        raise ParameterError(
            f"data holds {len(named)} data sets, {', '.join(map(repr, named))}; give one and call again for "
            "the others"
        )
    return next(iter(named.items()))


def _named(data: Any) -> dict[str, Any]:
    """Give every source a name: its own, that in the mapping, or its place."""
    if isinstance(data, Mapping):
        return {str(name): source for name, source in data.items()}
    if not _is_many(data):
        return {data if isinstance(data, str) else ONE: data}
    named: dict[str, Any] = {}
    for place, source in enumerate(data, start=1):
        name = source if isinstance(source, str) else f"{ONE} {place}"
        if name in named:
            raise ParameterError(f"data names {name!r} twice; name every data set once")
        named[name] = source
    return named


def _is_many(data: Any) -> bool:
    """Tell a list of data sets from one; a tuple ``(X, y)`` is one."""
    if isinstance(data, tuple):
        return all(isinstance(source, str | Dataset) for source in data)
    return isinstance(data, list)


def _opened(name: str, source: Any) -> Dataset:
    if isinstance(source, Dataset):
        return source
    if isinstance(source, str):
        return datasets.load(source)
    if isinstance(source, tuple) and len(source) == 2:
        return as_dataset(*source)
    raise ParameterError(
        f"data set {name!r} is of type {type(source).__name__}; give a Dataset, a tuple (X, y) or a name "
        "that treewright.datasets.load knows, or a list or dict of these"
    )
