"""The nine public sets of the experiment on fixed-depth trees, each as the experiment takes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from treewright.data.dataset import Dataset, override
from treewright.data.sources import registry as datasets
from treewright.studies.common.set_versions import (
    all_of_folder,
    complete_rows,
    labels_of,
    missing_as_value,
    of_folder,
    taken,
)

CONNECT_4_ROWS = 5000
Load = Callable[..., Dataset]
"""Loads a set of the folder by name."""


def published_sets(seed: int, folder: Path | None = None) -> dict[str, Dataset]:
    """Load the nine sets, from a folder or the one the environment names; `seed` draws rows of connect-4."""
    load_set = partial(of_folder, folder)
    return all_of_folder({name: partial(load, load_set, seed) for name, load in SETS.items()}, 8)


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
    labels = labels_of(dataset)
    rows = np.flatnonzero(np.isin(labels, ["metastases", "malign_lymph"]))
    return override(dataset[rows], labels[rows])


def _connect_4(load: Load, seed: int) -> Dataset:
    """Win or not; some of the rows."""
    dataset = load("connect-4")
    rows = np.random.default_rng(seed).choice(dataset.n_samples, CONNECT_4_ROWS, replace=False)
    drawn = dataset[np.sort(rows)]
    return override(drawn, np.where(labels_of(drawn) == "2", "win", "no win"))


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
