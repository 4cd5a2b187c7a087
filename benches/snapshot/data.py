"""The data of the calls: named sets, and tables drawn here, so that they depend on no code under test."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from treewright import Dataset, datasets

WEATHER = """\
outlook,temperature,humidity,windy,play
sunny,85,85,no,no
sunny,80,90,yes,no
overcast,83,86,no,yes
rainy,70,96,no,yes
rainy,68,80,no,yes
rainy,65,70,yes,no
overcast,64,65,yes,yes
sunny,72,95,no,no
sunny,69,70,no,yes
rainy,75,80,no,yes
sunny,75,70,yes,yes
overcast,72,90,yes,yes
overcast,81,75,no,yes
rainy,71,91,yes,no
"""

COLOURS = ("red", "green", "blue", "grey")
SIZES = ("S", "M", "L")


@cache
def named(name: str) -> Dataset:
    """Return a named set; ``name:n`` is every n-th of its rows."""
    name, _, step = name.partition("/")
    data = datasets.load(name)
    return data[:: int(step)] if step else data


@cache
def columns(n: int = 120, seed: int = 0) -> dict[str, list[Any]]:
    """Return columns of every kind, with ties and missing values, and classes that depend on some of them."""
    rng = np.random.default_rng(seed)
    colour = [COLOURS[code] for code in rng.integers(0, 4, n)]
    size = [SIZES[code] for code in rng.integers(0, 3, n)]
    age = [float(x) for x in rng.integers(10, 60, n)]
    price = [round(float(x), 2) for x in rng.uniform(0, 20, n)]
    is_new = [bool(x) for x in rng.integers(0, 2, n)]
    chance = rng.uniform(size=n)
    wanted = [
        ("yes" if (c == "red") == (a > 30) or (s == "L" and p > 15) else "no")
        for c, a, s, p in zip(colour, age, size, price, strict=True)
    ]
    label = [w if x > 0.12 else "maybe" for w, x in zip(wanted, chance, strict=True)]
    for column in (colour, size, age, price):
        for row in np.flatnonzero(rng.uniform(size=n) < 0.08):
            column[row] = None  # type: ignore[call-overload]
    return {"colour": colour, "size": size, "age": age, "price": price, "is_new": is_new, "label": label}


def mixed(n: int = 120, seed: int = 0) -> tuple[Any, list[str]]:
    """Return the columns as a pandas frame of objects, numbers and booleans, and the classes."""
    import pandas as pd

    given = columns(n, seed)
    frame = pd.DataFrame({name: given[name] for name in given if name != "label"})
    return frame.astype({"colour": object, "size": object}), list(given["label"])


def known(n: int = 120, seed: int = 0) -> tuple[Any, list[str]]:
    """Return the nominal columns without missing values, as rows of text, and the classes."""
    given = columns(n, seed)
    rows = [
        [c or "none", s or "none", str(b)]
        for c, s, b in zip(*(given[k] for k in ("colour", "size", "is_new")), strict=True)
    ]
    return rows, list(given["label"])


def numbers(n: int = 90, n_features: int = 5, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Return numeric columns, some with ties, and two classes."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, n_features)).round(2)
    X[:, -1] = X[:, -1].round()
    y = (X[:, 0] + 0.5 * X[:, 1] + rng.normal(scale=0.4, size=n) > 0).astype(int)
    return X, y


def weights(n: int, seed: int = 0, *, whole: bool = False) -> np.ndarray:
    """Return weights, some of them 0."""
    rng = np.random.default_rng(seed)
    drawn = rng.integers(0, 4, n) if whole else rng.uniform(0, 3, n).round(2)
    return np.where(rng.uniform(size=n) < 0.1, 0, drawn)


def of(given: str | Any) -> tuple[Any, ...]:
    """Return what ``fit`` takes: a named set, or ``(X, y)`` as they are."""
    return (named(given),) if isinstance(given, str) else tuple(given)
