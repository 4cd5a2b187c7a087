"""`OptimalTreeClassifier` against all trees there are, on tables small enough to try them.

`TREEWRIGHT_TABLES=5000` tries more of them.
"""

from __future__ import annotations

import os
from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reference.optimal import OptimalTrees
from treewright import OptimalTreeClassifier

N_TABLES = int(os.environ.get("TREEWRIGHT_TABLES", "250"))
"""Random tables; thousands where there is time."""

NUMBERS = st.sampled_from([None, 0.0, 1.0, 2.0, 2.5, 7.0])
VALUES = st.sampled_from([None, "a", "b", "c", "d"])


@st.composite
def cases(draw: st.DrawFn) -> tuple[OptimalTrees, dict[str, object], int, Fraction, int | None]:
    """Draw a table and what is asked of its tree."""
    n = draw(st.integers(1, 12))
    has_gaps = draw(st.booleans())
    numeric = draw(st.lists(st.booleans(), min_size=1, max_size=3))
    columns = [
        draw(
            st.lists(
                (NUMBERS if kind else VALUES).filter(lambda value: has_gaps or value is not None),
                min_size=n,
                max_size=n,
            )
        )
        for kind in numeric
    ]
    n_classes = draw(st.integers(1, 6))
    more = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    target = [*range(min(n_classes, n)), *more][:n]
    n_classes = max(target) + 1
    weights = draw(st.none() | st.lists(st.integers(1, 4), min_size=n, max_size=n))
    whole = st.lists(st.integers(0, 5), min_size=n_classes, max_size=n_classes)
    losses = draw(st.none() | st.lists(whole, min_size=n_classes, max_size=n_classes))
    if losses is not None:
        losses = [[0 if i == j else loss for j, loss in enumerate(row)] for i, row in enumerate(losses)]
        losses = losses if any(map(any, losses)) else None
    splits = draw(st.sampled_from(["one_value", "groups", "multiway"]))
    least = draw(st.sampled_from([1, 1, 2, 3, 4]))
    trees = OptimalTrees(
        [*zip(*columns, strict=True)],
        target,
        numeric,
        None if weights is None else [Fraction(weight) for weight in weights],
        None if losses is None else [[Fraction(loss) for loss in row] for row in losses],
        splits,
        Fraction(least),
    )
    penalty = draw(st.sampled_from([Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(9, 4)]))
    options = {"nominal_splits": splits, "min_samples_leaf": least, "cost_matrix": losses}
    most = None if splits == "multiway" else draw(st.none() | st.integers(1, 5))
    depth = draw(st.integers(0, 4 if n <= 8 else 3))
    return trees, options, depth, penalty, most


def frame_of(trees: OptimalTrees) -> pd.DataFrame:
    """Return the table as the estimator takes it."""
    columns = zip(*trees.rows, strict=True)
    made = {
        f"x{i}": pd.array(values, dtype="Float64") if is_numeric else pd.Categorical(values)
        for i, (values, is_numeric) in enumerate(zip(columns, trees.numeric, strict=True))
    }
    return pd.DataFrame(made)


@given(cases())
@settings(max_examples=N_TABLES, deadline=None)
def test_no_tree_costs_less(case: tuple[OptimalTrees, dict[str, object], int, Fraction, int | None]) -> None:
    trees, options, depth, penalty, most = case
    X, y = frame_of(trees), np.array(trees.target)
    weights = None if trees.weights is None else [float(weight) for weight in trees.weights]
    if options["cost_matrix"] is not None:
        options = {**options, "cost_matrix": np.array(options["cost_matrix"], dtype=float)}
    model = OptimalTreeClassifier(
        max_depth=depth, leaf_penalty=float(penalty), max_leaf_nodes=most, **options
    ).fit(X, y, sample_weight=weights)
    assert model.search_.status == "optimal"
    answers, price = model.predict(X), penalty * trees.mean_weight()
    loss = sum((trees._cost(row, int(answer)) for row, answer in enumerate(answers)), Fraction(0))
    cost = loss + price * model.tree_.n_leaves
    assert (model.search_.loss, cost) == (loss, trees.least(depth, penalty, most))
    assert model.search_.cost == model.search_.bound == pytest.approx(float(cost), rel=1e-15)
    assert model.get_depth() <= depth


@given(cases(), st.sampled_from([2, 3, 10, 1 / 4]))
@settings(max_examples=N_TABLES // 5, deadline=None)
def test_the_unit_of_the_weights_does_not_matter(
    case: tuple[OptimalTrees, dict[str, object], int, Fraction, int | None], factor: float
) -> None:
    trees, options, depth, penalty, most = case
    X, y = frame_of(trees), np.array(trees.target)
    weights = np.array([1.0] * len(y) if trees.weights is None else [4 * float(w) for w in trees.weights])
    costs = options["cost_matrix"]
    model = OptimalTreeClassifier(
        max_depth=depth,
        leaf_penalty=float(penalty),
        max_leaf_nodes=most,
        nominal_splits=str(options["nominal_splits"]),
        cost_matrix=None if costs is None else np.array(costs, dtype=float),
    )
    told = []
    for unit in (1.0, factor):
        model.fit(X, y, sample_weight=weights * unit)
        scale = unit * model.weight_scale_
        told.append((model.tree_.export_text(), model.search_.cost / scale, model.search_.loss / scale))
    assert told[0][0] == told[1][0]
    assert told[0][1:] == pytest.approx(told[1][1:], rel=1e-12)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 3), st.sampled_from([0.0, 1.5]))
def test_scales_and_the_order_of_columns_change_no_cost(seed: int, depth: int, penalty: float) -> None:
    rng = np.random.default_rng(seed)
    n, n_features = int(rng.integers(2, 90)), int(rng.integers(1, 5))
    X = rng.integers(0, int(rng.integers(2, 40)), (n, n_features)).astype(float)
    X[rng.random(X.shape) < 0.1] = np.nan
    y = rng.integers(0, int(rng.integers(2, 4)), n)
    weight = rng.integers(1, 4, n)
    model = OptimalTreeClassifier(max_depth=depth, leaf_penalty=penalty)
    cost = model.fit(X, y, sample_weight=weight).search_.cost
    for changed in (np.exp(X / 9), X**3 - 5, X[:, rng.permutation(n_features)]):
        assert model.fit(changed, y, sample_weight=weight).search_.cost == cost
    if not penalty:  # the price of a leaf is in rows of the mean weight
        assert model.fit(np.repeat(X, weight, axis=0), np.repeat(y, weight)).search_.cost == cost


def least_at_two(X: np.ndarray, y: np.ndarray, least: int, price: int) -> int:
    """Return the least errors and price of leaves at depth 2, by all pairs of thresholds."""
    one_hot = (y[:, None] == np.unique(y)).astype(int)

    def leaf(counts: np.ndarray) -> np.ndarray:
        return counts.sum(-1) - counts.max(-1) + price

    def stump(rows: np.ndarray) -> int:
        best = int(leaf(one_hot[rows].sum(0)))
        for column in X[rows].T:
            order = np.argsort(column, kind="stable")
            sums = one_hot[rows][order].cumsum(0)
            cuts = np.flatnonzero(np.diff(column[order]) > 0)
            cuts = cuts[(cuts + 1 >= least) & (len(rows) - cuts - 1 >= least)]
            best = min([best, *(leaf(sums[cuts]) + leaf(sums[-1] - sums[cuts]))])
        return int(best)

    everything = np.arange(len(y))
    best = stump(everything)
    for column in X.T:
        for cut in np.unique(column)[:-1]:
            left, right = everything[column <= cut], everything[column > cut]
            if min(len(left), len(right)) >= least:
                best = min(best, stump(left) + stump(right))
    return best


@pytest.mark.parametrize("seed", range(8))
def test_leaves_of_a_least_weight_at_depth_2(seed: int) -> None:
    """So many thresholds that most of them are left out by a bound."""
    random = np.random.default_rng(seed)
    n, n_values = int(random.integers(60, 140)), [500, 500, 12][seed % 3]
    X = random.integers(0, n_values, (n, 3)).astype(float)
    y = (X @ [1, 1, -1] + random.normal(0, n_values / 2, n) > random.normal(n_values, n_values)).astype(int)
    y[random.random(n) < 0.1] = seed % 4
    least, price = int(random.integers(3, n // 3)), int(random.integers(0, 3))
    found = OptimalTreeClassifier(max_depth=2, min_samples_leaf=least, leaf_penalty=price).fit(X, y).search_
    assert (found.status, found.cost) == ("optimal", least_at_two(X, y, least, price))
