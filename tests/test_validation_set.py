"""How the rows are parted into training part and validation part.

Inner names, as in unit tests: `data.validation_set`: a column is looked at before it is part of a
table.
"""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification

from treewright import BackwardEliminationSelector, DataError
from treewright.data.validation_set import draw_share


@pytest.fixture(scope="module")
def noisy():
    """Three informative columns among twelve, some labels wrong."""
    return make_classification(
        300, 12, n_informative=3, n_redundant=2, flip_y=0.15, shuffle=True, random_state=4
    )


def test_share_is_stratified():
    target = np.repeat([0, 1, 2], [50, 30, 20]).astype(np.int32)
    mask = draw_share(0.3, target, 0)
    assert np.bincount(target[mask]).tolist() == [15, 9, 6]


@pytest.mark.parametrize(
    ("counts", "share", "expected"),
    [
        ([7, 7, 6], 0.3, [2, 2, 2]),
        ([5, 5], 0.3, [2, 1]),
        ([1, 9], 0.3, [0, 3]),
        ([1, 1, 8], 0.5, [0, 0, 4]),
        ([2, 2], 0.9, [1, 1]),
        ([2, 98], 0.99, [1, 97]),
        ([100], 0.001, [1]),
        ([2], 0.5, [1]),
        ([0, 10, 0, 10], 0.2, [0, 2, 0, 2]),
    ],
)
def test_classes_give_by_largest_remainder(counts, share, expected):
    target = np.repeat(np.arange(len(counts)), counts).astype(np.int32)
    for seed in range(3):
        mask = draw_share(share, target, seed)
        assert np.bincount(target[mask], minlength=len(counts)).tolist() == expected


def test_one_row_is_drawn_where_every_class_has_one():
    drawn = {
        int(np.flatnonzero(draw_share(0.9, np.arange(4, dtype=np.int32), seed))[0]) for seed in range(20)
    }
    assert len(drawn) > 1


@pytest.mark.parametrize("seed", range(20))
def test_both_sides_have_rows_and_every_class_stays_on_the_building_side(seed):
    rng = np.random.default_rng(seed)
    target = rng.integers(0, 5, size=rng.integers(2, 40)).astype(np.int32)
    mask = draw_share(rng.uniform(0.01, 0.99), target, seed)
    assert 0 < mask.sum() < len(target)
    if np.bincount(target).max() > 1:
        assert set(target[~mask]) == set(target)


def test_same_seed_draws_the_same_rows(noisy):
    rows = [
        BackwardEliminationSelector(random_state=7).fit(*noisy).validation_rows_.tolist() for _ in range(2)
    ]
    assert rows[0] == rows[1]
    other = BackwardEliminationSelector(random_state=8).fit(*noisy).validation_rows_.tolist()
    assert rows[0] != other


@pytest.mark.parametrize(
    "form",
    [
        lambda mask: np.flatnonzero(mask),
        lambda mask: np.flatnonzero(mask)[::-1].astype(np.uint8),
        lambda mask: np.flatnonzero(mask).tolist(),
        lambda mask: pd.Series(np.flatnonzero(mask)),
        lambda mask: mask,
        lambda mask: mask.tolist(),
        lambda mask: pl.Series(mask),
    ],
    ids=["positions", "descending", "list", "series", "mask", "mask list", "polars mask"],
)
def test_forms_of_the_search_set_are_one(noisy, form):
    X, y = noisy[0][:200], noisy[1][:200]
    mask = np.arange(200) % 3 == 1
    given = form(mask)
    selector = BackwardEliminationSelector(validation_set=given).fit(X, y)
    assert selector.validation_set is given
    assert selector.validation_rows_.tolist() == np.flatnonzero(mask).tolist()


@pytest.mark.parametrize(
    ("validation_set", "words"),
    [
        (np.zeros(300, dtype=bool), "name at least one"),
        (np.ones(300, dtype=bool), "leave at least one out"),
        (np.arange(300), "leave at least one out"),
        (np.zeros(0, dtype=int), "name at least one"),
    ],
)
def test_side_without_rows_is_refused(noisy, validation_set, words):
    with pytest.raises(DataError, match=words):
        BackwardEliminationSelector(validation_set=validation_set).fit(*noisy)


@pytest.mark.parametrize("weights", [None, [0, 3]])
def test_single_row_is_refused(weights):
    X, y = ([[1.0]], [0]) if weights is None else ([[1.0], [2.0]], [0, 1])
    with pytest.raises(DataError, match="n_samples=1: a validation set needs at least 2 samples"):
        BackwardEliminationSelector().fit(X, y, sample_weight=weights)
