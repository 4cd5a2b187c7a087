"""What must hold of trees that are best under naive Bayes, whatever the samples."""

from __future__ import annotations

import itertools
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixed_depth_cases import (
    PRIORS,
    TOLERANCE,
    dataset,
    expected,
    fitted,
    model_of,
    random_dataset,
    samples,
    value_of_tree,
)
from treewright import FixedDepthTreeClassifier

EXAMPLES = settings(max_examples=60)
DEPTHS = st.integers(0, 5)
PRIOR = st.sampled_from(PRIORS)
SOLVERS = ("bounded", "sets", "exhaustive")


def solvers_of(of):
    return (*SOLVERS, "feature_list") if of.n_classes == 2 else SOLVERS


# 1 and 2: every solver finds the value of the reference, and a tree that is worth it --------


@given(samples(), st.integers(0, 4), PRIOR, PRIOR, st.booleans())
@settings(max_examples=120)
def test_every_solver_finds_the_exact_optimum(of, depth, class_prior, value_prior, trim):
    model = model_of(of, class_prior, value_prior)
    best = float(model.best(depth))
    for solver in solvers_of(of):
        priors = {"class_prior": class_prior, "value_prior": value_prior}
        found = fitted(of, depth, solver=solver, trim=trim, **priors)
        assert found.expected_accuracy_ == pytest.approx(best, abs=TOLERANCE)
        assert float(value_of_tree(found.tree_, model, depth)) == pytest.approx(best, abs=TOLERANCE)
        assert (found.search_.status, found.search_.gap) == ("optimal", 0)


@given(
    samples(max_features=4),
    st.integers(0, 4),
    st.lists(st.sampled_from(["0", "0.1", "0.2", "0.3", "1", "2.5"]), min_size=4, max_size=4),
    st.sampled_from(["0", "0.2", "0.3", "0.6", "1.1", "3"]),
)
@settings(max_examples=120)
def test_every_solver_keeps_to_the_budget(of, depth, costs, budget):
    costs = costs[: len(of.arities)]
    exact = model_of(of).best(depth, list(map(Fraction, costs)), Fraction(budget))
    for solver in solvers_of(of):
        found = fitted(
            of, depth, solver=solver, feature_costs=list(map(float, costs)), cost_budget=float(budget)
        )
        assert found.expected_accuracy_ == pytest.approx(float(exact), abs=TOLERANCE)
        assert dearest_path(found.tree_, list(map(Fraction, costs))) <= Fraction(budget)


def dearest_path(tree, costs):
    spent = [Fraction(0)] * tree.n_nodes
    for node in range(1, tree.n_nodes):
        spent[node] = spent[tree.parent[node]] + costs[tree.feature[tree.parent[node]]]
    return max(spent)


def test_solvers_agree_on_larger_problems():
    rng = np.random.default_rng(0)
    for n_classes in (2, 3, 5):
        data = random_dataset(rng, 60, [2, 3, 4, 1, 2, 3, 2], n_classes)
        for depth in (2, 3, 4):
            found = {
                solver: FixedDepthTreeClassifier(max_depth=depth, solver=solver).fit(data).expected_accuracy_
                for solver in ("bounded", "sets", "exhaustive")
            }
            assert max(found.values()) - min(found.values()) <= TOLERANCE


# 3: depth ----------------------------------------------------------------------------------


@given(samples(), PRIOR, PRIOR)
@EXAMPLES
def test_another_question_never_hurts_and_all_of_them_are_naive_bayes(of, class_prior, value_prior):
    priors = {"class_prior": class_prior, "value_prior": value_prior}
    values = [expected(of, depth, **priors) for depth in range(6)]
    model = model_of(of, class_prior, value_prior)
    assert values[0] == pytest.approx(float(max(model.classes)), abs=TOLERANCE)
    assert all(b >= a - TOLERANCE for a, b in itertools.pairwise(values))
    assert values[5] == pytest.approx(float(model.whole()), abs=TOLERANCE)


# 4: what cannot matter ---------------------------------------------------------------------


@given(samples(), st.integers(1, 3), st.randoms(use_true_random=False))
@EXAMPLES
def test_order_of_features_values_and_classes_does_not_matter(of, depth, random):
    columns = list(range(len(of.arities)))
    random.shuffle(columns)
    names = [random.sample(range(r), r) for r in of.arities]
    labels = random.sample(range(of.n_classes), of.n_classes)

    def renamed(value, feature):
        return None if value is None else names[feature][value]

    rows = tuple(tuple(renamed(row[j], j) for j in columns) for row in of.values)
    classes = tuple(labels[c] for c in of.classes)
    other = replace(of, values=rows, classes=classes, arities=tuple(of.arities[j] for j in columns))
    assert expected(other, depth) == pytest.approx(expected(of, depth), abs=TOLERANCE)


@given(samples(missing=False), st.integers(0, 3))
@EXAMPLES
def test_a_feature_of_one_value_is_worth_nothing(of, depth):
    rows = tuple((*row, 0) for row in of.values)
    more = replace(of, values=rows, arities=(*of.arities, 1))
    assert expected(more, depth) == pytest.approx(expected(of, depth), abs=TOLERANCE)


@given(samples(missing=False, max_rows=6), st.integers(0, 3))
@EXAMPLES
def test_a_feature_alike_in_all_classes_is_worth_nothing(of, depth):
    doubled = replace(of, values=of.values * 2, classes=of.classes * 2)
    halves = [0] * len(of.classes) + [1] * len(of.classes)
    rows = tuple((*row, half) for row, half in zip(doubled.values, halves, strict=True))
    more = replace(doubled, values=rows, arities=(*of.arities, 2))
    assert expected(more, depth) == pytest.approx(expected(doubled, depth), abs=TOLERANCE)


# 5: merged values and more features --------------------------------------------------------


@given(samples(missing=False), st.integers(0, 3))
@EXAMPLES
def test_merging_values_never_helps_without_pseudo_counts(of, depth):
    merged = replace(
        of,
        values=tuple((min(row[0], max(of.arities[0] - 2, 0)), *row[1:]) for row in of.values),
        arities=(max(of.arities[0] - 1, 1), *of.arities[1:]),
    )
    assert expected(merged, depth, value_prior=0) <= expected(of, depth, value_prior=0) + TOLERANCE


@given(samples(max_features=3), st.integers(0, 3), st.data())
@EXAMPLES
def test_another_feature_never_hurts(of, depth, data):
    column = data.draw(st.lists(st.integers(0, 2), min_size=len(of.classes), max_size=len(of.classes)))
    rows = tuple((*row, value) for row, value in zip(of.values, column, strict=True))
    more = replace(of, values=rows, arities=(*of.arities, 3))
    assert expected(more, depth) >= expected(of, depth) - TOLERANCE


def test_a_copied_feature_counts_as_independent_evidence():
    rng = np.random.default_rng(2)
    data = random_dataset(rng, 100, [2])
    column = np.array(["a", "b"])[data.column(0)]
    twice = np.column_stack([column, column, column])
    y = data.classes[data.target]
    once = FixedDepthTreeClassifier(max_depth=3).fit(column[:, np.newaxis], y)
    thrice = FixedDepthTreeClassifier(max_depth=3).fit(twice, y)
    assert thrice.expected_accuracy_ > once.expected_accuracy_ + 0.01
    assert thrice.training_accuracy_ == once.training_accuracy_


# 8: convexity ------------------------------------------------------------------------------


@given(samples(n_classes=2, missing=False), st.integers(0, 2))
@EXAMPLES
def test_the_value_is_convex_in_the_probability_of_the_class(of, depth):
    model = model_of(of)

    def value(x):
        return replace(model, classes=(1 - x, x)).best(depth)

    low, middle, high = Fraction(1, 7), Fraction(2, 5), Fraction(2, 5) * 2 - Fraction(1, 7)
    assert value(middle) <= (value(low) + value(high)) / 2


# 9: trimming -------------------------------------------------------------------------------


@given(samples(missing=False), st.integers(0, 4), PRIOR)
@EXAMPLES
def test_trimming_changes_nothing_but_the_size(of, depth, prior):
    full = fitted(of, depth, trim=False, value_prior=prior)
    trimmed = fitted(of, depth, trim=True, value_prior=prior)
    assert trimmed.expected_accuracy_ == pytest.approx(full.expected_accuracy_, abs=TOLERANCE)
    assert trimmed.tree_.n_nodes <= full.tree_.n_nodes
    assert trimmed.tree_.max_depth <= depth


# 10: costs ---------------------------------------------------------------------------------


@given(samples(), DEPTHS)
@EXAMPLES
def test_costs_of_one_are_a_depth(of, depth):
    ones = [1] * len(of.arities)
    by_cost = expected(of, 9, feature_costs=ones, cost_budget=depth)
    assert by_cost == pytest.approx(expected(of, depth), abs=TOLERANCE)


@given(samples(), st.integers(0, 3), st.lists(st.integers(0, 4), min_size=4, max_size=4))
@EXAMPLES
def test_more_money_never_hurts(of, depth, costs):
    costs = costs[: len(of.arities)]
    values = [expected(of, depth, feature_costs=costs, cost_budget=budget) for budget in range(7)]
    assert all(b >= a - TOLERANCE for a, b in itertools.pairwise(values))


# 11: weights -------------------------------------------------------------------------------


@given(samples(), st.integers(0, 3), st.sampled_from([0.25, 3, 1000]))
@EXAMPLES
def test_scaled_weights_change_nothing_without_pseudo_counts(of, depth, factor):
    scaled = replace(of, weights=(Fraction(factor),) * len(of.classes))
    none = {"class_prior": 0, "value_prior": 0}
    assert expected(scaled, depth, **none) == pytest.approx(expected(of, depth, **none), abs=TOLERANCE)


@given(samples(), st.integers(0, 3), st.data())
@EXAMPLES
def test_a_weight_is_a_number_of_copies(of, depth, data):
    counts = data.draw(st.lists(st.integers(1, 3), min_size=len(of.classes), max_size=len(of.classes)))
    rows = [i for i, count in enumerate(counts) for _ in range(count)]
    copied = replace(of, values=tuple(of.values[i] for i in rows), classes=tuple(of.classes[i] for i in rows))
    weighted = replace(of, weights=tuple(map(Fraction, counts)))
    assert fitted(weighted, depth).tree_ == fitted(copied, depth).tree_


def test_samples_of_weight_zero_have_left():
    of_all = dataset_with_outlier(weight=0)
    without = dataset_with_outlier(weight=None)
    assert (
        FixedDepthTreeClassifier(max_depth=2).fit(*of_all).tree_
        == FixedDepthTreeClassifier(max_depth=2).fit(*without).tree_
    )


def dataset_with_outlier(weight):
    X, y = [["a", "u"], ["b", "u"], ["b", "v"]], [0, 1, 1]
    if weight is None:
        return X, y
    return [*X, ["never", "seen"]], [*y, 7], [1, 1, 1, weight]


def test_the_reference_knows_a_case_by_hand():
    """Two classes of two samples, one feature that tells them apart: (2 + 1) / (2 + 2) is right."""
    from reference.fixed_depth import Samples

    of = Samples(((0,), (0,), (1,), (1,)), (0, 0, 1, 1), (2,), 2)
    assert model_of(of).best(1) == Fraction(3, 4)
    assert expected(of, 1) == pytest.approx(0.75, abs=1e-15)
    assert dataset(of).n_samples == 4
