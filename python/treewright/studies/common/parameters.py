"""Parameters and data sets of a study, checked before any work is done."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeGuard

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.params import is_whole, one_of
from treewright._base.wording import UNSET, Attribute
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.digest import digest
from treewright.data.sources import registry as datasets
from treewright.data.validation_set import generator
from treewright.results import ResultTable, ints, texts

ONE = "data"
"""What a single data set is called that comes without a name."""


def each_once(name: str, values: Collection[str], allowed: Sequence[str]) -> tuple[str, ...]:
    """Return `values` if each of them is among `allowed`, and comes once."""
    if isinstance(values, str):
        raise ParameterError(name, values, "is a text", f"give a tuple: ({values!r},)")
    chosen = tuple(one_of(name, value, allowed) for value in values)
    if not chosen or len(set(chosen)) < len(chosen):
        raise ParameterError(name, values, f"must name one {name.removesuffix('s')} or more, each once")
    return chosen


def given_depths(given: object) -> tuple[int, ...]:
    """Return depths in their order, each once; a single one stands for itself."""
    asked = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    depths = [int(depth) for depth in asked if is_whole(depth) and depth >= 0]
    if depths and len(set(depths)) == len(asked):
        return tuple(sorted(depths))
    raise ParameterError("depths", given, "must be ints of at least 0, one or more, each once")


def share(validation_set: object) -> float:
    """Return the share of the validation set; positions make no sense from fold to fold."""
    if isinstance(validation_set, float) and math.isfinite(validation_set) and 0 < validation_set < 1:
        return float(validation_set)
    raise ParameterError(
        "validation_set", validation_set, "must be a share between 0 and 1 here: every fold draws its own"
    )


def seed(random_state: object) -> int:
    """Return the study's seed: `random_state` if it is an int, else a number drawn from it."""
    if isinstance(random_state, int | np.integer) and 0 <= random_state < 2**32:
        return int(random_state)
    return int(generator(random_state).randint(2**31 - 1))


def named_data_sets(data: object) -> dict[str, Dataset]:
    """Return every data set under its name, all of them with classes."""
    opened = {name: _opened(name, source) for name, source in _named(data).items()}
    if not opened:
        raise ParameterError("data", UNSET, "is empty", "give at least one data set")
    for name, dataset in opened.items():
        if dataset.target is None:
            raise DataError(f"data set {name!r} has no classes; give y, one class label a sample")
    return opened


def one_data_set(data: object) -> tuple[str, Dataset]:
    """Return the name of the only data set, and the set, with classes."""
    named = named_data_sets(data)
    if len(named) > 1:
        raise ParameterError(
            "data",
            UNSET,
            f"holds {len(named)} data sets, {', '.join(map(repr, named))}",
            "give one and call again for the others",
        )
    return next(iter(named.items()))


def _named(data: object) -> dict[str, object]:
    """Give every source a name: its own, that in the mapping, or its place."""
    if isinstance(data, Mapping):
        return {str(name): source for name, source in data.items()}
    if not _is_many(data):
        return {data if isinstance(data, str) else ONE: data}
    named: dict[str, object] = {}
    for place, source in enumerate(data, start=1):
        name = source if isinstance(source, str) else f"{ONE} {place}"
        if name in named:
            raise ParameterError("data", UNSET, f"names {name!r} twice", "name every data set once")
        named[name] = source
    return named


def _is_many(data: object) -> TypeGuard[Sequence[object]]:
    """Tell a list of data sets from one; a tuple ``(X, y)`` is one."""
    is_tuple = isinstance(data, tuple) and all(isinstance(source, str | Dataset) for source in data)
    return is_tuple or isinstance(data, list)


def _opened(name: str, source: object) -> Dataset:
    if isinstance(source, Dataset):
        return source
    if isinstance(source, str):
        return datasets.load(source)
    if isinstance(source, tuple) and len(source) == 2:
        return as_dataset(*source)
    raise ParameterError(
        "data",
        UNSET,
        f"holds {name!r}, which is of type {type(source).__name__}",
        (
            "give a Dataset, a tuple (X, y) or a name that ",
            Attribute("treewright.datasets.load"),
            " knows, or a list or dict of these",
        ),
    )


def sizes_of(data_sets: Mapping[str, Dataset]) -> ResultTable:
    """Return one row for each data set: its name, and how many samples and features it has."""
    rows = [(name, dataset.n_samples, dataset.n_features) for name, dataset in data_sets.items()]
    return ResultTable.from_rows(rows, [texts("data", data_sets), *ints("n_samples", "n_features")])


def design_of(settings: Mapping[str, object], data_sets: Mapping[str, Dataset]) -> dict[str, object]:
    """Return what the result of a study depends on, as a checkpoint keeps it."""
    design = {name: in_words(value) for name, value in settings.items()}
    return {**design, "data": {name: digest(dataset) for name, dataset in data_sets.items()}}


def in_words(value: object) -> object:
    """Return a parameter in a form that JSON holds and that is the same in every process."""
    if isinstance(value, Mapping):
        return {str(name): in_words(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [in_words(part) for part in value]
    if hasattr(value, "to_json"):
        return value.to_json()
    if hasattr(value, "get_params"):
        parameters = {name: in_words(part) for name, part in value.get_params(deep=False).items()}
        return {"type": type(value).__name__, **parameters}
    if callable(value):
        return getattr(value, "__qualname__", type(value).__qualname__)
    return value if value is None or isinstance(value, str | int | float | np.generic) else repr(value)
