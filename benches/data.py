"""The tables that benchmarks run on, and a folder form in which another process gets one.

`python -m benches.data NAME FOLDER` writes one; a measuring process then loads it without ever holding more
than the table itself, so that its peak of memory is its own.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import make_classification
from sklearn.model_selection import train_test_split

VALIDATION_SET = 0.3


@dataclass(frozen=True)
class Table:
    """A table as every tool can be given it.

    Attributes
    ----------
    X : ndarray of float64 of shape (n_samples, n_features)
        Numbers, NaN where missing; in a nominal column the positions of levels, -1 where missing.
    y : ndarray of int64 of shape (n_samples,)
        Classes, from 0.
    levels : list
        For each feature its levels, None for a numeric one.
    search : ndarray of bool of shape (n_samples,)
        The rows that judge trees in a selection: a stratified share, the same for every tool.
    """

    X: NDArray[np.float64]
    y: NDArray[np.int64]
    levels: list[list[str] | None]
    search: NDArray[np.bool_]

    @classmethod
    def of(
        cls, X: NDArray[np.float64], y: NDArray[Any], levels: list[list[str] | None] | None = None
    ) -> Table:
        """Draw the validation part and bring everything to its type."""
        rows = np.arange(len(y))
        _, searched = train_test_split(rows, test_size=VALIDATION_SET, stratify=y, random_state=0)
        levels = [None] * X.shape[1] if levels is None else levels
        return cls(np.ascontiguousarray(X), y.astype(np.int64), levels, np.isin(rows, searched))

    @property
    def is_numeric(self) -> bool:
        """Whether there is no nominal column."""
        return all(levels is None for levels in self.levels)

    def columns(self) -> dict[str, Any]:
        """Return the columns by name: float64 arrays, and pandas categories where nominal."""
        import pandas as pd

        columns: dict[str, Any] = {}
        for i, levels in enumerate(self.levels):
            values = self.X[:, i].copy()
            nominal = levels is not None
            columns[f"x{i:04}"] = pd.Categorical.from_codes(values.astype(int), levels) if nominal else values
        return columns

    def few(self, n_rows: int = 60, n_features: int = 8) -> Table:
        """Return a small table of the same kinds, to warm up with."""
        rows = np.random.default_rng(0).permutation(len(self.y))[:n_rows]
        _, y = np.unique(self.y[rows] % 2, return_inverse=True)
        search = np.arange(len(rows)) % 3 == 0
        return Table(self.X[rows, :n_features].copy(), y, self.levels[:n_features], search)

    def save(self, folder: Path) -> None:
        """Write the table into a folder."""
        np.save(folder / "X.npy", self.X)
        (folder / "rest.pickle").write_bytes(pickle.dumps((self.y, self.levels, self.search)))

    @classmethod
    def load(cls, folder: Path) -> Table:
        """Read what `save` wrote."""
        return cls(np.load(folder / "X.npy"), *pickle.loads((folder / "rest.pickle").read_bytes()))


def from_folder(name: str) -> Table:
    """Read a set of the folder that TREEWRIGHT_DATA names."""
    from treewright import datasets

    data = datasets.load(f"folder:{name}")
    X = np.column_stack([data.column(i).astype(np.float64) for i in range(data.n_features)])
    assert data.target is not None
    levels = [None if known is None else [str(level) for level in known] for known in data.levels]
    return Table.of(X, data.target, levels)


def two_classes(n_samples: int, n_features: int, **settings: Any) -> Table:
    """Draw numeric features, ten of them informative unless told otherwise."""
    settings = {"n_informative": 10, "random_state": 0, **settings}
    return Table.of(*make_classification(n_samples, n_features, **settings))


def digits_like(n_samples: int = 7000, n_features: int = 5000) -> Table:
    """Draw whole numbers from 0 to 999, most of them 0, half of the features noise, as in Gisette."""
    X, y = make_classification(
        n_samples,
        n_features,
        n_informative=40,
        n_redundant=n_features // 2 - 40,
        n_clusters_per_class=1,
        class_sep=2.0,
        flip_y=0.0,
        random_state=0,
    )
    X /= X.std(axis=0)
    return Table.of(np.clip(np.round(600 * (X - 1)), 0, 999) + 0.0, y)


FOLDER_SETS = ("letter", "adult", "ionosphere", "sonar", "musk1", "madelon", "coil2000", "musk2")

TABLES: Mapping[str, Callable[[], Table]] = {
    **{name: partial(from_folder, name) for name in FOLDER_SETS},
    "200000x50": partial(two_classes, 200_000, 50),
    "7000x5000": partial(
        two_classes, 7000, 5000, n_informative=20, n_redundant=80, n_clusters_per_class=4, flip_y=0.01
    ),
    "7000x5000-digits": digits_like,
}


if __name__ == "__main__":
    TABLES[sys.argv[1]]().save(Path(sys.argv[2]))
