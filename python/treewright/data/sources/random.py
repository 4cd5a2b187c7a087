"""Seeded random tables for tests, examples and benchmarks."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole, number, whole_number
from treewright._base.wording import NONE_OR, Param
from treewright.data.dataset import Dataset
from treewright.data.intake.labels import Label
from treewright.data.sources.kinds import build
from treewright.data.types import FloatArray

Column = npt.NDArray[np.generic]


def make_random_table(
    n_samples: int = 200,
    *,
    n_numeric: int = 4,
    n_nominal: int = 4,
    n_levels: int = 3,
    n_classes: int = 2,
    noise: float = 0.1,
    missing_share: float = 0.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Generate a table whose classes depend on some of its features.

    Numeric features are standard normal, rounded to two digits so that values repeat. Nominal features are
    uniform over their levels. Every second feature of each kind is relevant: it adds a random preference for
    a class on each side of zero, or for each level. A row's class is the class with the largest sum of
    preferences.

    Parameters
    ----------
    n_samples : int, default=200
        Number of rows.
    n_numeric, n_nominal : int, default=4
        Number of numeric and of nominal features, named ``x0``, ``x1``, … and ``c0``, ``c1``, …
    n_levels : int, default=3
        Levels of each nominal feature, named ``a``, ``b``, …; at most 26.
    n_classes : int, default=2
        Number of classes, the ints from 0.
    noise : float, default=0.1
        Share of the rows whose class is random (class noise).
    missing_share : float, default=0.0
        Share of the feature values that are replaced by missing values at random.
    random_state : int, Generator or None, default=None
        Random seed. None uses another seed in every call.

    Returns
    -------
    Dataset
        The table. The same seed gives the same table.

    Raises
    ------
    ParameterError
        If a count is too small or a share is outside [0, 1].

    Examples
    --------
    >>> from treewright import datasets
    >>> table = datasets.make_random_table(50, n_numeric=1, n_nominal=2, missing_share=0.1, random_state=0)
    >>> table.feature_names, table.kinds
    (['x0', 'c0', 'c1'], ['numeric', 'nominal', 'nominal'])
    """
    _at_least(
        1, n_samples=n_samples, n_levels=n_levels, n_classes=n_classes, n_features=n_numeric + n_nominal
    )
    _at_least(0, n_numeric=n_numeric, n_nominal=n_nominal)
    _shares(noise=noise, missing_share=missing_share)
    if n_levels > 26:
        raise ParameterError(
            "n_levels", n_levels, "is too many", "there are only 26 letters to name levels by"
        )
    rng = np.random.default_rng(random_state)
    numeric = [rng.standard_normal(n_samples).round(2) for _ in range(n_numeric)]
    nominal = [rng.integers(n_levels, size=n_samples, dtype=np.int32) for _ in range(n_nominal)]
    preferred = np.zeros((n_samples, n_classes))
    for part in [(values > 0).astype(np.intp) for values in numeric[::2]] + list(nominal[::2]):
        preferred += rng.standard_normal((max(2, n_levels), n_classes))[part]
    target = preferred.argmax(axis=1).astype(np.int32)
    redrawn = rng.random(n_samples) < noise
    target[redrawn] = rng.integers(n_classes, size=int(redrawn.sum()))
    columns: list[Column] = [_without(values, np.nan, missing_share, rng) for values in numeric]
    columns += [_without(values, -1, missing_share, rng) for values in nominal]
    letters: list[Label] = list("abcdefghijklmnopqrstuvwxyz"[:n_levels])
    return build(
        [f"x{i}" for i in range(n_numeric)] + [f"c{i}" for i in range(n_nominal)],
        columns,
        [None] * n_numeric + [letters] * n_nominal,
        target,
        list(range(n_classes)),
    )


def make_madelon(
    n_samples: int = 2600,
    *,
    n_informative: int = 5,
    n_redundant: int = 15,
    n_probes: int = 480,
    noise: float = 0.01,
    random_state: int | None = None,
) -> Dataset:
    """Generate a table similar to Madelon: few features matter, and none of them alone.

    Clusters of points are at the corners of a cube in ``n_informative`` dimensions, and each corner has one
    of two classes at random. Redundant features are linear combinations of the informative ones; probes are
    noise. Values are integers around 480, as in the original. The columns are in random order; the name of a
    column says its role.

    Parameters
    ----------
    n_samples : int, default=2600
        Number of rows.
    n_informative : int, default=5
        Dimensions of the cube; at least 2.
    n_redundant : int, default=15
        Linear combinations of the informative features.
    n_probes : int, default=480
        Number of features that are noise.
    noise : float, default=0.01
        Share of the rows whose class is random (class noise).
    random_state : int or None, default=None
        Random seed. None uses another seed in every call.

    Returns
    -------
    Dataset
        The table, its classes -1 and 1, its features named ``informative0``, …, ``redundant0``, …,
        ``probe0``, …

    Raises
    ------
    ParameterError
        If a count is too small or `noise` is outside [0, 1].

    References
    ----------
    I. Guyon, "Design of experiments for the NIPS 2003 variable selection benchmark", 2003, section on
    Madelon; the points are drawn by scikit-learn's `make_classification`, which follows it.

    Examples
    --------
    >>> from treewright import datasets
    >>> table = datasets.make_madelon(200, n_probes=30, random_state=0)
    >>> table.n_features, sum(name.startswith("informative") for name in table.feature_names)
    (50, 5)
    """
    from sklearn.datasets import make_classification

    _at_least(1, n_samples=n_samples)
    _at_least(2, n_informative=n_informative)
    _at_least(0, n_redundant=n_redundant, n_probes=n_probes)
    _shares(noise=noise)
    points, side = make_classification(
        n_samples,
        n_informative + n_redundant + n_probes,
        n_informative=n_informative,
        n_redundant=n_redundant,
        n_clusters_per_class=2 ** (n_informative - 1),
        flip_y=noise,
        class_sep=2.0,
        shuffle=False,
        random_state=random_state,
    )
    kinds = {"informative": n_informative, "redundant": n_redundant, "probe": n_probes}
    names = [f"{kind}{i}" for kind, count in kinds.items() for i in range(count)]
    rng = np.random.default_rng(random_state)
    order, rows = rng.permutation(len(names)), rng.permutation(n_samples)
    columns = [np.round(480.0 + 20.0 * points[rows, j]) for j in order]
    return build(
        [names[j] for j in order], columns, [None] * len(names), side[rows].astype(np.int32), [-1, 1]
    )


def _without(values: Column, blank: float, share: float, rng: np.random.Generator) -> Column:
    return (
        values
        if share == 0
        else np.where(rng.random(len(values)) < share, np.array(blank, values.dtype), values)
    )


def _at_least(least: int, **counts: int) -> None:
    for name, count in counts.items():
        if count < least:
            raise ParameterError(name, count, f"must be at least {least}")


def _shares(**shares: float) -> None:
    for name, share in shares.items():
        if not 0 <= share <= 1:
            raise ParameterError(name, share, "is no share between 0 and 1")


FACTORS = 12
"""Habits that the attributes are about."""


def make_marketing(
    n_samples: int = 1979,
    n_features: int = 147,
    *,
    n_strong: int = 2,
    noise_scale: float = 1.0,
    random_state: int | np.random.Generator | None = None,
) -> Dataset:
    """Generate customers, young or old, with many features of which a few are the most informative.

    This replaces the database-marketing data of the paper on feature minimisation, 1979 customers with 147
    features, which were never public. Features are amounts, counts and 0/1 marks that depend on a dozen
    habits, so groups of them are correlated. `n_strong` features at random positions are the most informative
    about the class; the others depend on the habits, or are noise. No plane is without errors.

    Parameters
    ----------
    n_samples : int, default=1979
        Number of rows.
    n_features : int, default=147
        Number of features, named ``x0``, ``x1``, …
    n_strong : int, default=2
        Number of strongly informative features, at random positions.
    noise_scale : float, default=1.0
        Size of the noise in the class; with 0, a plane over the strong features makes no errors.
    random_state : int, Generator or None, default=None
        Random seed. None uses another seed in every call.

    Returns
    -------
    Dataset
        The table, all features numeric, with the classes ``"old"`` and ``"young"``. The same seed gives the
        same table.

    Raises
    ------
    ParameterError
        If there are fewer features than strong ones, or a parameter has an invalid value.

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
    noise_scale = number(
        "noise_scale", noise_scale, least=0, remedy="0 makes a plane over the strong features exact"
    )
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
    score = X[:, strong].sum(axis=1) / np.sqrt(n_strong) + noise_scale * unsaid
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


def _attributes(rng: np.random.Generator, habits: FloatArray, n_features: int) -> FloatArray:
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
