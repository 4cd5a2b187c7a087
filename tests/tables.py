"""Comparing data sets: what two of them must have in common to be one."""

import numpy as np


def typed(labels):
    """Labels with their types, since 1 == 1.0 == True."""
    return None if labels is None else [(type(label).__name__, label) for label in labels]


def assert_same_column(one, two, position=0):
    """Compare kind, domain and values of a column, missing ones included."""
    assert typed(one.levels[position]) == typed(two.levels[position])
    np.testing.assert_array_equal(one.column(position), two.column(position), strict=True)


def assert_same_dataset(one, two):
    """Compare everything an engine or a tree can see."""
    assert one.feature_names == two.feature_names
    assert one.kinds == two.kinds
    assert one.shape == two.shape
    for position in range(one.n_features):
        assert_same_column(one, two, position)
    for name in ("target", "classes", "sample_weight", "feature_names_in"):
        mine, other = getattr(one, name), getattr(two, name)
        assert (mine is None) == (other is None), name
        if mine is not None:
            np.testing.assert_array_equal(mine, other, strict=True)
