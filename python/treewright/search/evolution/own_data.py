"""The user's data sets, as `learn_pruner` takes them, and what is said of anything else."""

from __future__ import annotations

from typing import Any

from treewright._base.errors import (
    DataError,
    DataTypeError,
    ParameterError,
)
from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.data.sources.linear_network import TRAIN_SHARES
from treewright.data.training import TrainingSet

ONE = "give (X, y) or a Dataset with classes"
FORMS = (
    "give (X, y), a Dataset with classes, a list of these, or 'paper_table', 'paper_text' or both in a list"
)


def presets_of(data: object) -> tuple[str, ...]:
    """Return the presets that `data` names, one or several of them; none if it is the user's data."""
    names = [one for one in data if isinstance(one, str)] if isinstance(data, list | tuple) else [data]
    presets = tuple(name for name in names if isinstance(name, str) and name in TRAIN_SHARES)
    unknown = [name for name in names if isinstance(name, str) and name not in TRAIN_SHARES]
    if isinstance(data, str) and unknown:
        raise ParameterError(f"data={data!r} is not known; {_loaded(data) or FORMS}")
    if unknown and (presets or (isinstance(data, list) and not _loaded(unknown[0]))):
        raise ParameterError(f"data lists {unknown[0]!r}, which is no preset; {_loaded(unknown[0]) or FORMS}")
    if presets and isinstance(data, list | tuple) and len(presets) < len(data):
        raise ParameterError(
            f"data lists the preset {presets[0]!r} beside other data; learn from presets or your own data"
        )
    if len(set(presets)) < len(presets):
        raise ParameterError(f"data={data!r} names a preset more than once; name it once")
    return presets


def _loaded(name: object) -> str | None:
    """Say how to have the data set of a name, if there is one."""
    is_known = isinstance(name, str) and name in datasets.names()
    return f"give datasets.load({name!r}), the data set of that name" if is_known else None


def training_sets(data: Any, categorical_features: Any) -> list[TrainingSet]:
    """Read one data set, or a list of them; what is wrong with one of a list is told with its number."""
    if isinstance(data, Dataset) or _is_pair(data):
        return [_training_set(data, categorical_features)]
    if not isinstance(data, list) or not data:
        raise ParameterError(f"data {_unreadable(data)}; {FORMS}")
    sets = []
    for number, one in enumerate(data):
        try:
            sets.append(_training_set(one, categorical_features))
        except (DataError, DataTypeError, ParameterError) as error:
            raise type(error)(f"data set {number} of the list: {error}") from error
    return sets


def _training_set(one: Any, categorical_features: Any) -> TrainingSet:
    if isinstance(one, Dataset):
        training = TrainingSet.of(one, owner="learn_pruner")
    elif _is_pair(one):
        X, y = one
        training = TrainingSet.read(X, y, categorical_features=categorical_features, owner="learn_pruner")
    else:
        raise ParameterError(f"it {_unreadable(one)}; {_loaded(one) or ONE}")
    if training.n_samples < 2:
        raise DataError(
            f"n_samples={training.n_samples}: a data set needs at least 2 samples of positive weight, "
            "one to grow a tree and one to judge it"
        )
    return training


def _is_pair(data: object) -> bool:
    """Whether `data` is of the form (X, y); two whole data sets are not."""
    return isinstance(data, tuple) and len(data) == 2 and not all(map(_is_whole_set, data))


def _is_whole_set(part: object) -> bool:
    """Whether a part of `data` is a data set itself: no column and no row is of that form."""
    if isinstance(part, tuple) and len(part) == 2:
        return getattr(part[0], "ndim", 0) == 2
    return isinstance(part, Dataset)


def _unreadable(data: object) -> str:
    """Say what something is that is no data."""
    if isinstance(data, list) and not data:
        return "is an empty list"
    if isinstance(data, tuple):
        return f"is a tuple of {len(data)} that cannot be read"
    return f"is of type {type(data).__name__}, which cannot be read"
