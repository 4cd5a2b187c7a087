"""Pruning where there is no number to go by, and where arguments are not what they should be."""

import numpy as np
import pytest
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeClassifier

from treewright import (
    DataError,
    DataTypeError,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    ParameterError,
    Tree,
    datasets,
)
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PruningRule,
    TunedErrorBasedPruning,
    explain_pruning,
    prune,
)


@pytest.fixture(scope="module")
def iris():
    return datasets.load("iris")


@pytest.fixture(scope="module")
def tree(iris):
    return GreedyTreeClassifier().fit(iris).tree_


# No number -------------------------------------------------------------------------------


def test_a_leaf_without_a_number_keeps_all_above_it(tree):
    rule = EstimatorPruning("sqrt(e - 3) / n")
    found = explain_pruning(tree, rule)
    nodes = found.nodes
    asks = np.isnan(nodes["leaf_estimate"]) & (nodes["feature"] < 0)
    assert asks.any()
    assert found.tree.n_nodes == tree.n_nodes
    for leaf in asks.nonzero()[0]:
        node = tree.parent[leaf]
        while node >= 0:
            assert nodes["action"][node] == "kept"
            node = tree.parent[node]


def test_a_leaf_without_a_number_does_not_keep_its_cousins():
    X, y = [[i] for i in range(9)], [0, 0, 1, 0, 1, 1, 1, 1, 1]
    grown = GreedyTreeClassifier().fit(X, y).tree_
    inner = [node for node in range(1, grown.n_nodes) if grown.n_children[node]]
    leaf = int(np.flatnonzero((grown.n_children == 0) & (grown.parent == 0))[0])
    weight = grown.weight[leaf]
    assert inner
    assert (grown.weight == weight).sum() == 1
    found = explain_pruning(grown, EstimatorPruning(lambda c, n: np.where(n == weight, np.nan, 0.0)))
    assert found.nodes["action"][0] == "kept"
    assert {found.nodes["action"][node] for node in inner} <= {"cut", "below"}


def test_estimates_that_are_no_number_are_said_to_be_unknown(tree):
    found = explain_pruning(tree, EstimatorPruning("0 / 0"))
    assert np.isnan(found.tree.estimates).all()
    assert "unknown" in str(found)
    text = found.tree.export_text(show_estimates=True)
    assert text.count("{unknown}") == tree.n_nodes - 1
    assert Tree.from_json(found.tree.to_json()) == found.tree


def test_infinite_estimates_stay_infinite(tree):
    found = explain_pruning(tree, EstimatorPruning("log(e)"))
    assert (found.tree.estimates == -np.inf).any()
    assert "-inf" in str(found)
    for text in (str(found), found.tree.export_text(show_estimates=True)):
        assert max(len(line) for line in text.splitlines()) < 130
    assert Tree.from_json(found.tree.to_json()) == found.tree


def test_large_estimates_are_written_with_an_exponent(tree):
    found = explain_pruning(tree, EstimatorPruning("1e200 * (e + 1) / n"))
    assert "e+20" in str(found)
    assert "e20" in found.tree.export_text(show_estimates=True)


# Shares ------------------------------------------------------------------------------------


def test_shares_are_not_taken_for_counts():
    monks = datasets.load("monks-3")
    policy = FixedDepthTreeClassifier().fit(monks).tree_
    for rule in (PessimisticPruning(), ErrorBasedPruning(grafting=False), CostComplexityPruning()):
        with pytest.raises(DataError, match=r"shares of the samples.*pass samples as X and y"):
            prune(policy, rule)
        assert prune(policy, rule, monks).weight[0] == monks.n_samples
    with pytest.raises(DataError, match="pass samples as X and y"):
        CostComplexityPruning.path(policy)
    path = CostComplexityPruning.path(policy, monks)
    assert path["errors"][-1] == min(np.bincount(monks.target))


def test_a_single_sample_is_a_count():
    lone = GreedyTreeClassifier().fit([[1.0]], ["a"]).tree_
    assert str(explain_pruning(lone, PessimisticPruning())).startswith(
        "PessimisticPruning(): nothing to prune, the only node stays"
    )


# The rule that pruned ------------------------------------------------------------------------


def test_the_rule_that_pruned_is_a_copy(iris):
    model = GreedyTreeClassifier(pruning=ErrorBasedPruning(confidence=0.1)).fit(iris)
    model.set_params(pruning__confidence=0.4)
    assert model.pruning_.confidence == 0.1
    rule = PessimisticPruning()
    assert explain_pruning(model.tree_, rule).rule is not rule


# Arguments ------------------------------------------------------------------------------------

NO_SPLITS = [
    ([], "cv has no splits"),
    ([1, 2], r"cv\[0\]=1 must be a pair"),
    (["ab"], r"cv\[0\]='ab' must be a pair"),
    (KFold, "cv=<class"),
    (3.5, "cv=3.5 must be"),
    (object(), "must be an int of at least 2, a splitter or an iterable"),
]


@pytest.mark.parametrize("rule", [TunedErrorBasedPruning, CostComplexityPruning])
@pytest.mark.parametrize(("cv", "message"), NO_SPLITS, ids=lambda value: str(value)[:20])
def test_what_gives_no_splits_is_refused_before_the_data(rule, cv, message):
    rule = rule(cv=cv)
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(pruning=rule).fit([[float("inf")]], [0])


PARTS = [
    ([([], [0, 1])], r"cv\[0\] is a split without rows to learn from"),
    ([(range(100), range(100, 150)), (range(150), [])], r"cv\[1\] is a split without rows to judge"),
    ([(range(100), [150])], r"cv\[0\] is a split whose rows to judge are no row numbers below 150"),
    ([([0.5, 1.5], [2])], r"cv\[0\] is a split whose rows to learn from"),
    (iter([]), "cv has no splits"),
]


@pytest.mark.parametrize(("cv", "message"), PARTS, ids=lambda value: str(value)[:20])
def test_splits_that_do_not_fit_the_samples_are_refused(iris, cv, message):
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(pruning=TunedErrorBasedPruning(cv=cv)).fit(iris)


def test_splits_may_be_masks_lists_or_a_generator(iris):
    is_even = np.arange(150) % 2 == 0
    splits = [(is_even, ~is_even), (~is_even, is_even)]
    rows = [(a.nonzero()[0].tolist(), b.nonzero()[0].tolist()) for a, b in splits]
    fitted = [
        GreedyTreeClassifier(pruning=TunedErrorBasedPruning(cv=cv)).fit(iris).tree_
        for cv in (splits, rows, iter(rows))
    ]
    assert fitted[0] == fitted[1] == fitted[2]


def test_scale_of_prices_needs_a_tree(iris):
    model = DecisionTreeClassifier(random_state=0).fit([[0], [1]], [0, 1])
    for call in (
        lambda tree: CostComplexityPruning.path(tree),
        lambda tree: CostComplexityPruning().to_ccp_alpha(tree),
        lambda tree: CostComplexityPruning.from_ccp_alpha(0.1, tree),
    ):
        with pytest.raises(DataTypeError, match=r"Tree\.from_sklearn\(model\)"):
            call(model)
        with pytest.raises(DataTypeError, match=r"model\.tree_"):
            call(GreedyTreeClassifier().fit(iris))


def test_path_counts_samples_that_are_given(tree, iris):
    assert CostComplexityPruning.path(tree, iris).tolist() == CostComplexityPruning.path(tree).tolist()
    assert CostComplexityPruning.path(tree, iris[:100])["errors"][-1] == 50


def test_the_base_of_the_rules_is_no_rule(tree):
    for base in (PruningRule(), PruningRule):
        with pytest.raises(ParameterError, match=r"is the base of the rules.*ErrorBasedPruning\(\)"):
            prune(tree, base)


def test_the_advice_for_a_class_is_a_rule():
    with pytest.raises(ParameterError) as caught:
        GreedyTreeClassifier(pruning=EstimatorPruning).fit([[0]], [0])
    advice = str(caught.value).rpartition("make a rule of it: ")[2]
    assert advice == "EstimatorPruning('(n - c + 1) / (n + 2)')"
    with pytest.raises(ParameterError, match="no rule; give one"):
        GreedyTreeClassifier(pruning=dict).fit([[0]], [0])


# Grafts ------------------------------------------------------------------------------------


def test_the_branch_that_was_tried_is_told():
    data = datasets.load("tic-tac-toe")
    grown = GreedyTreeClassifier().fit(data).tree_
    found = explain_pruning(grown, ErrorBasedPruning(), data)
    nodes = found.nodes
    grafted = nodes["action"] == "grafted"
    assert grafted.any()
    assert (nodes["branch_estimate"][grafted] < nodes["leaf_estimate"][grafted] + 0.1).all()
    tenth = 0.1 / nodes["weight"][grafted]
    assert (nodes["branch_estimate"][grafted] <= nodes["subtree_estimate"][grafted] + tenth + 1e-9).all()
    assert "as branch" in str(found)
    assert "as branch" not in str(explain_pruning(grown, ObservedErrorPruning()))
