"""The nine public sets of the experiment on fixed-depth trees, each as the experiment takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import datasets
from treewright._columns import take_columns
from treewright.dataset import Dataset, override
from treewright.exceptions import DataError

CONNECT_4_ROWS = 5000
Load = Callable[..., Dataset]
"""Loads a set of the folder by name."""

MISSING = "?"
"""What a missing value is called where it is a value."""


def published_sets(seed: int, folder: Path | None = None) -> dict[str, Dataset]:
    """Load the nine sets, from a folder or the one the environment names; `seed` draws rows of connect-4."""
    try:
        return {name: load(partial(_of_folder, folder), seed) for name, load in SETS.items()}
    except DataError as error:
        error.add_note(
            "the published experiment takes eight sets from a folder of data sets; name one by the variable "
            "TREEWRIGHT_DATA (--data), or give data sets of your own"
        )
        raise


def complete_rows(dataset: Dataset) -> Dataset:
    """Return the samples without missing values."""
    is_missing = [_is_missing(dataset, i) for i in range(dataset.n_features)]
    return dataset[~np.any(is_missing, axis=0)]


def taken(dataset: Dataset, is_kept: Sequence[bool]) -> Dataset:
    """Return the data set with some of its features."""
    part = take_columns(dataset, np.flatnonzero(is_kept))
    assert isinstance(part, Dataset), "columns of a Dataset are one"
    return part


def missing_as_value(dataset: Dataset) -> Dataset:
    """Make what is missing in a nominal column a value of its own."""
    columns: dict[str, Any] = {}
    for i, (name, levels) in enumerate(zip(dataset.feature_names, dataset.levels, strict=True)):
        known = np.array([*(levels or []), MISSING], dtype=object)
        columns[name] = known[dataset.column(i)]
    return Dataset.from_columns(columns, _labels(dataset))


def _is_missing(dataset: Dataset, feature: int) -> NDArray[np.bool_]:
    column = dataset.column(feature)
    return np.asarray(np.isnan(column) if column.dtype.kind == "f" else column < 0)


def _labels(dataset: Dataset) -> NDArray[Any]:
    assert dataset.classes is not None, "sets of the experiment have classes"
    return np.asarray(dataset.classes[dataset.target])


def _of_folder(folder: Path | None, name: str, **options: Any) -> Dataset:
    return datasets.load(f"folder:{name}", data=folder, **options)


def _plain(name: str, load: Load, seed: int) -> Dataset:
    return load(name)


def _hepatitis(load: Load, seed: int) -> Dataset:
    """Complete rows; the numeric features are left out."""
    complete = complete_rows(load("hepatitis"))
    return taken(complete, [kind == "nominal" for kind in complete.kinds])


def _crx(load: Load, seed: int) -> Dataset:
    """Complete rows; two features of many values are left out."""
    complete = complete_rows(load("crx"))
    kept = [name not in ("A6", "A7") for name in complete.feature_names]
    return taken(complete, kept)


def _vote(load: Load, seed: int) -> Dataset:
    return missing_as_value(load("vote"))


def _lymph(load: Load, seed: int) -> Dataset:
    """Take the two large classes; every feature is nominal."""
    codes = ("lym_nodes_dimin", "lym_nodes_enlar", "no_of_nodes_in")
    dataset = load("lymph", kinds=dict.fromkeys(codes, "nominal"))
    labels = _labels(dataset)
    rows = np.flatnonzero(np.isin(labels, ["metastases", "malign_lymph"]))
    return override(dataset[rows], labels[rows])


def _connect_4(load: Load, seed: int) -> Dataset:
    """Win or not; some of the rows."""
    dataset = load("connect-4")
    rows = np.random.default_rng(seed).choice(dataset.n_samples, CONNECT_4_ROWS, replace=False)
    drawn = dataset[np.sort(rows)]
    return override(drawn, np.where(_labels(drawn) == "2", "win", "no win"))


SETS: Mapping[str, Callable[[Load, int], Dataset]] = {
    "tic-tac-toe": lambda load, seed: datasets.load("tic-tac-toe"),
    "flare": partial(_plain, "solar-flare"),
    "hepatitis": _hepatitis,
    "crx": _crx,
    "vote": _vote,
    "lymph": _lymph,
    "chess": partial(_plain, "kr-vs-kp"),
    "connect-4": _connect_4,
    "promoters": partial(_plain, "promoters"),
}
"""In the order of their numbers of features, about."""
