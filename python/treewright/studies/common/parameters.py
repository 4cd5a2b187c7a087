"""Parameters and data sets of a study, checked before any work is done."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.params import one_of
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.sources import registry as datasets
from treewright.data.validation_set import generator
from treewright.results import ResultTable

ONE = "data"
"""What a single data set is called that comes without a name."""


def each_once(name: str, values: Collection[str], allowed: Sequence[str]) -> tuple[str, ...]:
    """Return `values` if each of them is among `allowed`, and comes once."""
    if isinstance(values, str):
        raise ParameterError(f"{name} is the text {values!r}; give a tuple: ({values!r},)")
    chosen = tuple(one_of(name, value, allowed) for value in values)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ParameterError(f"{name}={values!r} must name one {name.removesuffix('s')} or more, each once")
    return chosen


def count(name: str, value: Any, *, least: int) -> int:
    """Return `value` as an int of at least `least`."""
    if isinstance(value, int | np.integer) and not isinstance(value, bool) and value >= least:
        return int(value)
    raise ParameterError(f"{name}={value!r} must be an int of at least {least}")


def share(validation_set: Any) -> float:
    """Return the share of the search set; positions make no sense from fold to fold."""
    if isinstance(validation_set, float) and math.isfinite(validation_set) and 0 < validation_set < 1:
        return float(validation_set)
    raise ParameterError(
        f"validation_set={validation_set!r} must be a share between 0 and 1 here: every fold draws its own"
    )


def seed(random_state: Any) -> int:
    """Return the study's seed: `random_state` if it is an int, else a number drawn from it."""
    if isinstance(random_state, int | np.integer) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(generator(random_state).randint(2**31 - 1))


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


def text_type(texts: Iterable[str]) -> str:
    """Return a type that holds every one of the texts."""
    return f"U{max(map(len, texts))}"


def sizes_of(data_sets: Mapping[str, Dataset]) -> ResultTable:
    """Return one row a data set: its name, and how many samples and features it has."""
    rows = [(name, dataset.n_samples, dataset.n_features) for name, dataset in data_sets.items()]
    return ResultTable.from_rows(
        rows, [("data", text_type(data_sets)), ("n_samples", "int64"), ("n_features", "int64")]
    )
