"""A set in the manner of database marketing: many attributes of customers, few that matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright._base.errors import ParameterError
from treewright._base.params import (
    is_whole,
    number,
    whole_number,
)
from treewright._base.wording import NONE_OR, Param
from treewright.data.sources.build import build

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

FACTORS = 12
"""Habits that the attributes are about."""


def make_marketing(
    n_samples: int = 1979,
    n_features: int = 147,
    *,
    n_strong: int = 2,
    noise: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Draw customers, young or old, with many attributes of which a few say most.

    Stands in for the database-marketing set of the paper on feature minimisation, 1979 customers with 147
    attributes, which was never public. Attributes are amounts, counts and 0/1 marks that follow a dozen
    habits, so that groups of them say much the same. Two (or however many) at random places say most about
    the class; the others say what the habits say, or nothing. No plane is without errors.

    Parameters
    ----------
    n_samples : int, default=1979
        Number of rows.
    n_features : int, default=147
        Number of attributes, named ``x0``, ``x1``, …
    n_strong : int, default=2
        Attributes that say most, at random places.
    noise : float, default=1.0
        How far the class depends on what no attribute says; 0 makes a plane over the strong ones exact.
    random_state : int, Generator or None, default=None
        Seed. None draws anew.

    Returns
    -------
    Dataset
        The table, all features numeric, with the classes ``"old"`` and ``"young"``. The same seed gives the
        same table.

    Raises
    ------
    ParameterError
        If there are fewer features than strong ones, or a parameter is not what it may be.

    References
    ----------
    E. J. Bredensteiner, K. P. Bennett, "Feature Minimization within Decision Trees", 1998, table 1.

    Examples
    --------
    >>> from treewright.datasets import make_marketing
    >>> customers = make_marketing(random_state=0)
    >>> customers.n_samples, customers.n_features, customers.classes.tolist()
    (1979, 147, ['old', 'young'])
    """
    n_samples = whole_number("n_samples", n_samples, least=2, remedy="both classes need one")
    n_strong = whole_number("n_strong", n_strong, least=1, remedy="the class depends on them")
    n_features = whole_number("n_features", n_features, least=1, remedy="strong features are among them")
    noise = number("noise", noise, least=0, remedy="0 makes a plane over the strong features exact")
    if n_features < n_strong:
        raise ParameterError(
            "n_features",
            n_features,
            ("is less than ", Param("n_strong", n_strong)),
            "strong features are among them",
        )
    rng = _generator(random_state)
    habits = rng.standard_normal((n_samples, FACTORS))
    strong = rng.choice(n_features, n_strong, replace=False)
    X = _attributes(rng, habits, n_features)
    X[:, strong] = np.round(rng.standard_normal((n_samples, n_strong)) + 0.5 * habits[:, :1], 3)
    unsaid = 0.35 * habits[:, 1] + 0.8 * rng.standard_normal(n_samples)
    score = X[:, strong].sum(axis=1) / np.sqrt(n_strong) + noise * unsaid
    young = score > np.median(score)
    names = [f"x{i}" for i in range(n_features)]
    columns = list(np.ascontiguousarray(X.T))
    return build(names, columns, [None] * n_features, young.astype(np.int32), ["old", "young"])


def _generator(random_state: int | np.random.Generator | None) -> np.random.Generator:
    is_seed = is_whole(random_state) and random_state >= 0
    if random_state is None or is_seed or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    raise ParameterError(
        "random_state",
        random_state,
        ("must be ", NONE_OR, "an int of at least 0 or a numpy Generator"),
        "the same seed gives the same table",
    )


def _attributes(
    rng: np.random.Generator, habits: NDArray[np.float64], n_features: int
) -> NDArray[np.float64]:
    """Draw amounts, counts and marks in turn, each about a habit, most of them faintly."""
    n_samples = len(habits)
    X = np.empty((n_samples, n_features))
    for i in range(n_features):
        about = habits[:, rng.integers(FACTORS)]
        hidden = rng.uniform(0, 0.9) * about + rng.standard_normal(n_samples)
        if i % 3 == 0:
            X[:, i] = np.round(np.exp(0.5 * hidden), 2)
        elif i % 3 == 1:
            X[:, i] = np.floor(2 * np.exp(0.4 * hidden))
        else:
            X[:, i] = hidden > rng.uniform(-0.5, 1.5)
    return X
