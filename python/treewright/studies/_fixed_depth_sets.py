"""The nine public sets of the experiment on fixed-depth trees, each as the experiment takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright import datasets
from treewright._columns import take_columns
from treewright.dataset import Dataset, override
from treewright.exceptions import DataError

CONNECT_4_ROWS = 5000
MISSING = "?"
"""What a missing value is called where it is a value."""


def published_sets(seed: int) -> dict[str, Dataset]:
    """Load the nine sets; `seed` draws the rows of connect-4."""
    try:
        return {name: load(seed) for name, load in SETS.items()}
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


def _folder(name: str, **options: Any) -> Dataset:
    return datasets.load(f"folder:{name}", **options)


def _plain(name: str, seed: int) -> Dataset:
    return _folder(name)


def _hepatitis(seed: int) -> Dataset:
    """Complete rows; the numeric features are left out."""
    complete = complete_rows(_folder("hepatitis"))
    nominal = np.flatnonzero([kind == "nominal" for kind in complete.kinds])
    taken = take_columns(complete, nominal)
    assert isinstance(taken, Dataset), "columns of a Dataset are one"
    return taken


def _crx(seed: int) -> Dataset:
    """Complete rows; two features of many values are left out."""
    return complete_rows(_folder("crx", drop=["A6", "A7"]))


def _vote(seed: int) -> Dataset:
    return missing_as_value(_folder("vote"))


def _lymph(seed: int) -> Dataset:
    """The two large classes; every feature is nominal."""
    codes = ("lym_nodes_dimin", "lym_nodes_enlar", "no_of_nodes_in")
    dataset = _folder("lymph", kinds=dict.fromkeys(codes, "nominal"))
    labels = _labels(dataset)
    rows = np.flatnonzero(np.isin(labels, ["metastases", "malign_lymph"]))
    return override(dataset[rows], labels[rows])


def _connect_4(seed: int) -> Dataset:
    """Win or not; some of the rows."""
    dataset = _folder("connect-4")
    rows = np.random.default_rng(seed).choice(dataset.n_samples, CONNECT_4_ROWS, replace=False)
    drawn = dataset[np.sort(rows)]
    return override(drawn, np.where(_labels(drawn) == "2", "win", "no win"))


SETS: Mapping[str, Callable[[int], Dataset]] = {
    "tic-tac-toe": lambda seed: datasets.load("tic-tac-toe"),
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
