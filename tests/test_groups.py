"""Nominal features split into groups of values, against every other way, by the slow reference."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import StratifiedKFold

from reference.numbers import UNIT_MASS
from reference.splits import Judge, gini_gain, info_gain, split_information
from reference.table import Growing
from treewright import (
    BackwardEliminationSelector,
    Dataset,
    GreedyTreeClassifier,
    ParameterError,
    Tree,
    datasets,
)
from treewright.distinct import enumerate_distinct_trees

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")  # small columns tell the class

CRITERIA = ["info_gain", "gain_ratio", "gini"]
UNITS = 16
"""By how many units of 2**-32 bits rounded logarithms may prefer another of equally good groups."""


def groups_of(values):
    """Every way to part the values in two: the side without the last one."""
    first = values[:-1]
    sizes = range(1, len(first) + 1)
    return [set(group) for size in sizes for group in itertools.combinations(first, size)]


def sides_of(column, target, weights, group, n_classes):
    """Masses by class of the values in the group and of the other known ones."""
    sides = [[0] * n_classes, [0] * n_classes]
    for value, label, weight in zip(column, target, weights, strict=True):
        if value is not None:
            sides[value not in group][label] += weight * UNIT_MASS
    return sides


def score_of(sides, criterion, mass):
    if criterion == "gini":
        return gini_gain(sides)
    gain = info_gain(sides, 32)
    if criterion == "info_gain":
        return gain
    information = split_information(sides, mass, 32)
    return gain * 2**30 // information if information > 0 else None


def is_informative(sides):
    (a, b) = sides
    return any(x * sum(b) != y * sum(a) for x, y in zip(a, b, strict=True))


def best_of(column, target, weights, candidates, criterion, least, n_classes):
    """Score of the best candidate whose two sides are large enough; None without any."""
    mass = sum(weights) * UNIT_MASS
    scores = []
    for group in candidates:
        sides = sides_of(column, target, weights, group, n_classes)
        is_large = all(0 < sum(side) >= least * UNIT_MASS for side in sides)
        if is_large and is_informative(sides):
            scores.append(score_of(sides, criterion, mass))
    return max((score for score in scores if score is not None), default=None)


def root_of(column, target, weights, **params):
    """Grow one split; return the group at the root, or None for a leaf."""
    frame = pd.DataFrame({"c": pd.Categorical([None if v is None else f"v{v}" for v in column])})
    model = GreedyTreeClassifier(max_depth=1, **params).fit(frame, target, np.array(weights, dtype=float))
    tree = model.tree_
    if tree.kind[0] == 0:
        return None
    assert tree.kind.tolist() == [5, 0, 0]
    assert Tree.from_json(tree.to_json()) == tree
    return {int(tree.levels[0][code][1:]) for code in tree.branch_levels[0]}


@st.composite
def columns(draw, n_values=8, n_classes=2):
    """Draw values, some missing, with classes and whole weights."""
    n = draw(st.integers(2, 24))
    value = (
        st.one_of(st.integers(0, n_values - 1), st.none())
        if draw(st.booleans())
        else st.integers(0, n_values - 1)
    )
    column = draw(st.lists(value, min_size=n, max_size=n))
    target = draw(st.lists(st.integers(0, n_classes - 1), min_size=n, max_size=n))
    target[: min(n, n_classes)] = range(min(n, n_classes))
    weight = st.integers(1, 5) if draw(st.booleans()) else st.just(1)
    return column, target, draw(st.lists(weight, min_size=n, max_size=n))


def compare(drawn, criterion, least, splits, candidates_of, n_classes):
    column, target, weights = drawn
    values = sorted({value for value in column if value is not None})
    expected = None
    if len(values) > 1:
        expected = best_of(column, target, weights, candidates_of(values), criterion, least, n_classes)
    group = root_of(
        column, target, weights, criterion=criterion, nominal_splits=splits, min_samples_leaf=least
    )
    if expected is None or group is None:
        assert group is None
        assert expected is None
        return
    found = score_of(sides_of(column, target, weights, group, n_classes), criterion, sum(weights) * UNIT_MASS)
    assert found >= expected - UNITS
    assert all(0 < sum(s) >= least * UNIT_MASS for s in sides_of(column, target, weights, group, n_classes))


@settings(max_examples=150, deadline=None)
@given(columns(), st.sampled_from(CRITERIA), st.sampled_from([1, 1, 2, 3, 5]))
def test_the_group_is_the_best_of_all_for_two_classes(drawn, criterion, least):
    compare(drawn, criterion, least, "groups", groups_of, 2)


@settings(max_examples=60, deadline=None)
@given(columns(n_values=6, n_classes=4), st.sampled_from(CRITERIA), st.sampled_from([1, 2, 4]))
def test_the_group_is_the_best_of_all_for_more_classes_and_up_to_8_values(drawn, criterion, least):
    compare(drawn, criterion, least, "groups", groups_of, 4)


@settings(max_examples=60, deadline=None)
@given(columns(n_values=12, n_classes=3), st.sampled_from(CRITERIA), st.sampled_from([1, 3]))
def test_one_value_is_the_best_of_all(drawn, criterion, least):
    compare(drawn, criterion, least, "one_value", lambda values: [{value} for value in values], 3)


@settings(max_examples=30, deadline=None)
@given(columns(n_values=14, n_classes=2), st.sampled_from(CRITERIA))
def test_two_classes_need_no_limit_on_the_number_of_values(drawn, criterion):
    column = drawn[0]
    if len({value for value in column if value is not None}) <= 11:
        compare(drawn, criterion, 1, "groups", groups_of, 2)


def test_many_values_and_classes_are_at_least_as_good_as_single_values():
    rng = np.random.default_rng(0)
    for _ in range(10):
        column, target = rng.integers(0, 15, 80).tolist(), rng.integers(0, 5, 80).tolist()
        weights = [1] * 80
        values = sorted(set(column))
        single = best_of(column, target, weights, [{v} for v in values], "info_gain", 1, 5)
        group = root_of(column, target, weights, nominal_splits="groups")
        assert score_of(sides_of(column, target, weights, group, 5), "info_gain", 0) >= single - UNITS


# Every node of a tree, with every limit.

LIMITS = st.fixed_dictionaries(
    {},
    optional={
        "min_samples_leaf": st.sampled_from([2, 3, 4.5]),
        "min_samples_branch": st.sampled_from([2, 5]),
        "min_samples_split": st.sampled_from([6, 9.5]),
        "min_gain": st.sampled_from([0.02, 0.1]),
        "max_depth": st.sampled_from([1, 3]),
    },
)


@st.composite
def nominal_tables(draw):
    """Draw one to three nominal columns without gaps, two classes, and weights with fractions."""
    n = draw(st.integers(4, 30))
    column = st.integers(1, 7).flatmap(
        lambda most: st.lists(st.integers(0, most), min_size=n, max_size=n).map(tuple)
    )
    columns = draw(st.lists(column, min_size=1, max_size=3))
    target = draw(st.lists(st.integers(0, 1), min_size=n, max_size=n))
    weight = st.integers(64, 256).map(lambda k: k / 64) if draw(st.booleans()) else st.just(1.0)
    return columns, [0, 1, *target[2:]], draw(st.lists(weight, min_size=n, max_size=n))


def sides_at(drawn, rows, feature, group):
    columns, target, weights = drawn
    sides = [[0, 0], [0, 0]]
    for row in rows:
        sides[columns[feature][row] not in group][target[row]] += round(weights[row] * UNIT_MASS)
    return sides


def best_at(drawn, rows, growing):
    """Score of the best group of any feature that is a candidate at a node; None without any."""
    mass = round(sum(drawn[2][row] for row in rows) * UNIT_MASS)
    judge = Judge(growing, mass, 32)
    scores = []
    for feature, column in enumerate(drawn[0]):
        for group in groups_of(sorted({column[row] for row in rows})):
            sides = sides_at(drawn, rows, feature, group)
            split = judge.by_value(feature, sides, [[sum(side)] for side in sides])
            if split is not None:
                scores.append(split.score)
    return max(scores, default=None)


@settings(max_examples=120, deadline=None)
@given(nominal_tables(), st.sampled_from(CRITERIA), LIMITS)
def test_every_node_has_the_best_of_all_groups(drawn, criterion, limits):
    columns, target, weights = drawn
    frame = pd.DataFrame({f"c{i}": pd.Categorical([f"v{v}" for v in c]) for i, c in enumerate(columns)})
    growing = Growing(criterion=criterion, **limits)
    model = GreedyTreeClassifier(criterion=criterion, nominal_splits="groups", **limits)
    tree = model.fit(frame, target, weights).tree_
    waiting = [(0, range(len(target)))]
    for node, rows in waiting:
        weight = sum(weights[row] for row in rows)
        is_pure = len({target[row] for row in rows}) == 1
        if is_pure or weight < growing.min_samples_split or tree.depth[node] == growing.max_depth:
            assert tree.kind[node] == 0
            continue
        best = best_at(drawn, rows, growing)
        if tree.kind[node] == 0:
            assert best is None
            continue
        feature, levels = tree.feature[node], tree.levels[tree.feature[node]]
        group = {int(levels[code][1:]) for code in tree.branch_levels[node]}
        sides = sides_at(drawn, rows, feature, group)
        own = Judge(growing, round(weight * UNIT_MASS), 32).by_value(
            feature, sides, [[sum(s)] for s in sides]
        )
        assert own is not None
        assert own.score >= best - UNITS
        parts = ([r for r in rows if (columns[feature][r] in group) == is_in] for is_in in (True, False))
        waiting += zip((tree.first_child[node], tree.first_child[node] + 1), parts, strict=True)


def test_equal_groups_are_told_by_few_and_first_values():
    frame = pd.DataFrame({"c": ["a", "b", "c", "d"] * 3})
    tree = GreedyTreeClassifier(nominal_splits="groups").fit(frame, [0, 1, 1, 0] * 3).tree_
    assert tree.export_text() == "c in {b, c}: 1\nc not in {b, c}: 0\n"
    three = GreedyTreeClassifier(nominal_splits="groups").fit(frame, [0, 0, 1, 0] * 3).tree_
    assert three.export_text() == "c in {c}: 1\nc not in {c}: 0\n"


# The tree.


def table(n=120, seed=0, gaps=0.1):
    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(
        {
            "colour": rng.choice(list("abcdefgh"), n),
            "size": rng.normal(size=n).round(1),
            "shape": rng.choice(["round", "square", "flat"], n),
        }
    ).astype({"colour": pd.CategoricalDtype(list("abcdefghi")), "shape": "category"})
    y = np.where(frame["colour"].isin(list("aceg")) ^ (frame["size"] > 0), "yes", "no")
    y[rng.random(n) < 0.1] = "no"
    return frame.mask(rng.random(frame.shape) < gaps), y


def test_a_feature_may_be_tested_again_below():
    frame, y = table(gaps=0.0)
    y = np.where(frame["colour"].isin(["a", "b"]), "x", np.where(frame["colour"].isin(["c", "d"]), "y", "z"))
    tree = GreedyTreeClassifier(nominal_splits="groups").fit(frame[["colour"]], y).tree_
    assert tree.feature[tree.kind == 5].tolist() == [0, 0]
    assert tree.n_leaves == 3
    assert (tree.predict(frame[["colour"]]) == y).all()


@pytest.mark.parametrize("splits", ["groups", "one_value"])
def test_the_tree_does_not_depend_on_order_threads_or_repeated_rows(splits):
    frame, y = table()
    model = GreedyTreeClassifier(nominal_splits=splits)
    tree = model.fit(frame, y).tree_
    order = np.random.default_rng(1).permutation(len(y))
    assert model.fit(frame.iloc[order], y[order]).tree_ == tree
    assert GreedyTreeClassifier(nominal_splits=splits, n_jobs=2).fit(frame, y).tree_ == tree
    weights = np.arange(len(y)) % 3 + 1
    weighted = model.fit(frame, y, weights).tree_
    rows = np.repeat(np.arange(len(y)), weights)
    repeated = model.fit(frame.iloc[rows], y[rows]).tree_
    assert weighted == repeated
    assert weighted.export_text() == repeated.export_text()
    assert weighted.class_weights.tolist() == repeated.class_weights.tolist()
    assert weighted.class_counts[0].sum() == len(y) < repeated.class_counts[0].sum() == len(rows)


def test_missing_values_share_out_and_unseen_values_are_missing():
    frame, y = table()
    tree = GreedyTreeClassifier(nominal_splits="groups", max_depth=1).fit(frame[["colour"]], y).tree_
    known = tree.weight[1:] / tree.weight[0]
    shares = tree.leaf_shares(pd.DataFrame({"colour": [None, "unseen"]})).toarray()
    assert shares[0].tolist() == shares[1].tolist() == pytest.approx([0.0, *known])
    np.testing.assert_allclose(tree.weight[1:].sum(), len(y))


def test_a_declared_value_that_no_sample_has_goes_with_the_others():
    frame, y = table(gaps=0.0)
    tree = GreedyTreeClassifier(nominal_splits="groups", max_depth=1).fit(frame[["colour"]], y).tree_
    assert 8 not in tree.branch_levels[0]
    assert tree.apply(pd.DataFrame({"colour": ["i"]})).tolist() == [2]


def test_missing_as_a_value_may_be_in_a_group():
    frame = pd.DataFrame({"c": pd.Categorical(["a", "b", None, "c"] * 5)})
    tree = GreedyTreeClassifier(nominal_splits="groups", missing="value").fit(frame, [0, 1, 0, 1] * 5).tree_
    assert tree.export_text() == "c in {b, c}: 1\nc not in {b, c}: 0\n"
    assert tree.predict(pd.DataFrame({"c": [None, "b"]})).tolist() == [0, 1]


@pytest.mark.parametrize("growth", ["id3", "c45"])
def test_other_growths_refuse_groups_and_say_why(growth):
    frame, y = table(gaps=0.0)
    model = GreedyTreeClassifier(growth=growth, nominal_splits="groups")
    with pytest.raises(ParameterError, match=r"nominal_splits.*branch for every value"):
        model.fit(frame[["colour"]], y)


# Searches.


@pytest.mark.parametrize("splits", ["groups", "one_value"])
def test_distinct_trees_are_those_of_all_subsets(splits):
    frame, y = table(60, gaps=0.1)
    estimator = GreedyTreeClassifier(nominal_splits=splits, max_depth=3)
    found = {
        tree.used_features: tree.tree for tree in enumerate_distinct_trees(frame, y, estimator=estimator)
    }
    expected = {}
    for size in range(1, 4):
        for subset in itertools.combinations(range(3), size):
            tree = estimator.fit(frame.iloc[:, list(subset)], y).tree_
            expected[tuple(subset[i] for i in tree.used_features)] = tree.export_text()
    expected[()] = found[()].export_text()  # a lone leaf
    assert found[()].n_nodes == 1
    assert {used: tree.export_text() for used, tree in found.items()} == expected


def test_elimination_takes_groups_whatever_its_strategy():
    frame, y = table(200)
    estimator = GreedyTreeClassifier(nominal_splits="groups")
    results = [
        BackwardEliminationSelector(estimator=estimator, strategy=strategy, random_state=0).fit(frame, y)
        for strategy in ("incremental", "retrain")
    ]
    assert results[0].tree_ == results[1].tree_
    assert results[0].n_validation_errors_ == results[1].n_validation_errors_


def test_tic_tac_toe_is_learned_with_groups():
    game = datasets.load("tic-tac-toe")
    rates = {"multiway": [], "groups": []}
    for splits, found in rates.items():
        model = GreedyTreeClassifier(nominal_splits=splits)
        for seed in range(4):
            folds = StratifiedKFold(10, shuffle=True, random_state=seed)
            n_wrong = 0
            for train, test in folds.split(np.zeros((len(game.target), 1)), game.target):
                predicted = model.fit(game[train]).predict(game[test])
                n_wrong += int((predicted != game.classes[game.target[test]]).sum())
            found.append(n_wrong / len(game.target))
    assert np.mean(rates["groups"]) <= 0.065
    assert max(rates["groups"]) <= 0.075
    assert np.mean(rates["multiway"]) > 0.13


@pytest.mark.parametrize("splits", ["groups", "one_value"])
def test_a_limit_on_leaves_takes_groups(splits):
    frame, y = table()
    tree = GreedyTreeClassifier(nominal_splits=splits, max_leaf_nodes=5).fit(frame, y).tree_
    assert tree.n_leaves == 5


def test_a_set_of_one_feature_is_no_set_of_another():
    """A value with the same position in a feature of few and in one of many values."""
    few, many = (i % 60 for i in range(120)), range(120)
    X = np.array([[f"v{a}", f"w{b:03}"] for a, b in zip(few, many, strict=True)])
    y = [(i * 7 % 11 + i * 5 % 13) % 2 for i in range(120)]
    for seed in range(6):
        rows = np.sort(np.random.default_rng(seed).permutation(120)[:40])
        data = Dataset(X, y)[rows]
        tree = GreedyTreeClassifier(nominal_splits="one_value").fit(data).tree_
        assert (tree.predict(data) == data.classes[data.target]).all()


def test_a_text_of_few_branches_shows_few_values_of_a_group():
    X = np.array([[f"v{i % 12:02}"] for i in range(240)])
    tree = GreedyTreeClassifier(nominal_splits="groups").fit(X, [i % 12 < 6 for i in range(240)]).tree_
    shown, rest = [", ".join(f"v{i:02}" for i in values) for values in (range(6), range(6, 12))]
    group = next(values for values in (shown, rest) if f"x0 in {{{values}}}" in tree.export_text())
    one, other = tree.export_text(max_branches=5).splitlines()
    start = group.split(", ")
    assert one.startswith(f"x0 in {{{', '.join(start[:5])}, ... 1 more}}: ")
    assert other.startswith(f"x0 not in {{{', '.join(start[:3])}, ... 3 more}}: ")
    assert tree.export_text(max_branches=6).splitlines()[0].startswith(f"x0 in {{{group}}}: ")
