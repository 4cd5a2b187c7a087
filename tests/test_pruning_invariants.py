"""What must hold of every pruning, whatever the tree.

The tables are Hypothesis's, so a failure comes as a minimal one.

Inner names, as in unit tests: `_core`: the engine is asked alone, without the checks around it.
`trees.pruning.rule`: rules are given a tree and rows, without an estimator.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import islice, pairwise
from typing import Any

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from reference.bridge import core_dataset, core_grow, core_rows, pruning_node
from reference.prune import (
    Estimate,
    Node,
    all_prunings,
    error_based,
    observed,
    per_leaf,
    published,
    value,
    wilson,
)
from reference.prune import prune as prune_plainly
from reference.table import Column, Growing, Table
from strategies import growings, tables
from treewright import Tree
from treewright._core import extra_errors
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
    ReducedErrorPruning,
    explain_pruning,
    prune,
)
from treewright.trees.pruning.rule import PruningRule, Task

MOST_PRUNINGS = 3000
RULES: list[PruningRule] = [
    ObservedErrorPruning(),
    NaiveErrorPruning(),
    PessimisticPruning(),
    CostComplexityPruning(alpha=2),
    MinimumErrorPruning(m=2),
    PublishedEvolvedPruning(),
    PublishedEvolvedPruning(slack=0.02),
    EstimatorPruning("(e + 1) / (n + 2)"),
    *(ErrorBasedPruning(grafting=False, limit=limit) for limit in ("c45", "weka", "exact", "wilson")),
]
WITHOUT_SLACK: list[tuple[PruningRule, Estimate]] = [
    (ObservedErrorPruning(), observed),
    (NaiveErrorPruning(), wilson),
    (PessimisticPruning(), per_leaf(0.5)),
    (CostComplexityPruning(alpha=2), per_leaf(2)),
    (PublishedEvolvedPruning(), published),
    (EstimatorPruning("(e + 1) / (n + 2)"), lambda c, n: (n - c + 1) / (n + 2)),
]
EXPRESSIONS = ("e / n", "(e + 0.5) / n", "(e + 1) / (n + 2)", "tanh(e / n) + 1 / sqrt(n)", "log(n) / n")


@st.composite
def problems(draw: st.DrawFn, **limits: Any) -> tuple[Table, Growing]:
    """Draw a table with growing parameters, ID3's among them where all columns are nominal."""
    if draw(st.booleans()):
        return draw(tables(**limits)), draw(growings())
    return draw(tables(kind="nominal", **limits)), draw(growings("id3"))


def grown(problem: tuple[Table, Growing]) -> Tree:
    return Tree(core_grow(*problem))


def splits(tree: Tree, node: int) -> tuple[Any, ...]:
    threshold = float(tree.threshold[node])
    return int(tree.kind[node]), int(tree.feature[node]), None if math.isnan(threshold) else threshold


def n_errors(tree: Tree) -> float:
    """Weight that the leaves get wrong."""
    right = tree.class_weights[np.arange(tree.n_nodes), tree.node_class]
    return math.fsum((tree.weight - right)[tree.n_children == 0])


@given(problems(), st.sampled_from(EXPRESSIONS), st.sampled_from((0.25, 2, 1024)), st.floats(-2, 2))
def test_an_estimate_counts_up_to_scale_and_shift(
    problem: tuple[Table, Growing], f: str, a: float, b: float
) -> None:
    tree = grown(problem)
    for slack in (0, 0.03125):
        plain = prune(tree, EstimatorPruning(f, slack=slack))
        other = prune(tree, EstimatorPruning(f"{a} * ({f}) + {b:.17f}", slack=slack * a))
        assert pruning_node(plain._core) == pruning_node(other._core)


@given(problems(), st.sampled_from(RULES))
def test_pruned_tree_is_a_top_part(problem: tuple[Table, Growing], rule: PruningRule) -> None:
    tree = grown(problem)
    found = explain_pruning(tree, rule)
    new = found.nodes["new_node"]
    old = {int(n): i for i, n in enumerate(new) if n >= 0}
    assert sorted(old) == list(range(found.tree.n_nodes))
    for node, origin in old.items():
        for name in ("node_class", "weight", "depth"):
            assert getattr(found.tree, name)[node] == getattr(tree, name)[origin]
        assert found.tree.class_weights[node].tolist() == tree.class_weights[origin].tolist()
        if found.tree.n_children[node]:
            assert splits(found.tree, node) == splits(tree, origin)
        if origin > 0:
            assert new[tree.parent[origin]] == found.tree.parent[node]


@given(problems(), st.sampled_from(RULES))
def test_pruning_twice_is_pruning_once(problem: tuple[Table, Growing], rule: PruningRule) -> None:
    once = prune(grown(problem), rule)
    assert prune(once, rule) == once


@given(problems(), st.sampled_from((0.01, 0.25, 0.45)))
def test_grafting_twice_never_grows(problem: tuple[Table, Growing], confidence: float) -> None:
    table, _ = problem
    rows, rule = core_dataset(table), ErrorBasedPruning(confidence=confidence)
    once = rule._prune(Task(grown(problem), rows)).tree
    assert rule._prune(Task(once, rows)).tree.n_nodes <= once.n_nodes <= grown(problem).n_nodes


@given(problems(max_samples=14, max_features=4), st.sampled_from(WITHOUT_SLACK))
def test_without_slack_no_pruning_has_a_lower_estimate(
    problem: tuple[Table, Growing], pair: tuple[PruningRule, Estimate]
) -> None:
    rule, estimate = pair
    tree = grown(problem)
    every = list(islice(all_prunings(pruning_node(tree._core)), MOST_PRUNINGS + 1))
    assume(len(every) <= MOST_PRUNINGS)
    least = min(value(pruned, estimate) for pruned in every)
    estimates = prune(tree, rule).estimates
    assert estimates is not None
    assert math.isclose(estimates[0], least, rel_tol=1e-9, abs_tol=1e-9)


@given(problems(), st.sampled_from(RULES))
def test_estimate_is_no_higher_than_that_of_one_leaf(
    problem: tuple[Table, Growing], rule: PruningRule
) -> None:
    found = explain_pruning(grown(problem), rule)
    assert found.tree.estimates is not None
    assert found.tree.estimates[0] <= found.nodes["leaf_estimate"][0] + 1e-12


@given(problems())
def test_prunings_by_price_are_nested(problem: tuple[Table, Growing]) -> None:
    tree = grown(problem)
    path = CostComplexityPruning.path(tree)
    at = [explain_pruning(tree, CostComplexityPruning(alpha=alpha)) for alpha in path["alpha"]]
    assert [found.tree.n_nodes for found in at] == path["n_nodes"].tolist()
    np.testing.assert_allclose([n_errors(found.tree) for found in at], path["errors"], rtol=1e-12, atol=1e-9)
    for larger, smaller in pairwise(at):
        assert larger.tree.n_nodes > smaller.tree.n_nodes
        assert set(np.flatnonzero(smaller.nodes["new_node"] >= 0)) < set(
            np.flatnonzero(larger.nodes["new_node"] >= 0)
        )


@given(problems(), st.floats(0, 20))
def test_a_price_between_two_of_the_path_gives_the_tree_of_the_lower(
    problem: tuple[Table, Growing], alpha: float
) -> None:
    tree = grown(problem)
    path = CostComplexityPruning.path(tree)
    assume(np.abs(path["alpha"] - alpha).min() > 1e-9 or alpha in path["alpha"])
    row = path[path["alpha"] <= alpha][-1]
    assert prune(tree, CostComplexityPruning(alpha=alpha)).n_nodes == row["n_nodes"]


@given(problems())
def test_observed_errors_stay(problem: tuple[Table, Growing]) -> None:
    tree = grown(problem)
    pruned = prune(tree, ObservedErrorPruning())
    assert n_errors(pruned) <= n_errors(tree) + 1e-9 * tree.weight[0]
    assert pruned.n_nodes <= tree.n_nodes


@given(problems(), st.sampled_from(("c45", "weka", "exact", "wilson")), st.sampled_from((0.05, 0.25, 0.4)))
def test_error_based_without_grafting_has_a_tenth_of_a_sample_of_slack(
    problem: tuple[Table, Growing], limit: str, confidence: float
) -> None:
    tree = grown(problem)
    pruned = prune(tree, ErrorBasedPruning(confidence=confidence, limit=limit, grafting=False))
    expected, _ = prune_plainly(pruning_node(tree._core), error_based(confidence, limit), errors=0.1)
    assert pruning_node(pruned._core) == expected


@given(st.integers(2, 199), st.sampled_from(("c45", "exact")), st.floats(0.01, 0.4))
def test_limits_rise_with_the_errors_and_stay_below_all(n: int, limit: str, confidence: float) -> None:
    errors = np.arange(n, dtype=float)
    upper = errors + extra_errors(np.full(n, float(n)), errors, confidence, limit)
    assert (np.diff(upper) > 0).all()
    assert (upper < n).all()


@given(problems(), st.sampled_from(RULES), st.data())
def test_order_of_samples_does_not_matter(
    problem: tuple[Table, Growing], rule: PruningRule, data: st.DataObject
) -> None:
    table, growing = problem
    order = data.draw(st.permutations(range(table.n_samples)))
    assert prune(grown((table.take(order), growing)), rule) == prune(grown(problem), rule)
    graft = ErrorBasedPruning()
    one, other = (
        graft._prune(Task(grown((t, growing)), core_dataset(t))).tree for t in (table, table.take(order))
    )
    assert one == other


@given(problems(max_samples=12), st.integers(2, 4))
def test_repeating_samples_leaves_observed_errors_as_they_are(
    problem: tuple[Table, Growing], times: int
) -> None:
    table, growing = problem
    limits = replace(
        growing, min_samples_split=1.0, min_samples_leaf=1.0, min_samples_branch=0.0, mdl_correction=False
    )
    repeated = table.take([i for i in range(table.n_samples) for _ in range(times)])
    one, many = (prune(grown((t, limits)), ObservedErrorPruning()) for t in (table, repeated))
    assume(grown((table, limits)).n_nodes == grown((repeated, limits)).n_nodes)
    assert one.n_nodes == many.n_nodes
    assert one.feature.tolist() == many.feature.tolist()


@given(tables(kind="nominal"), st.sampled_from(RULES), st.data())
def test_a_level_that_no_sample_has_changes_no_answer(
    table: Table, rule: PruningRule, data: st.DataObject
) -> None:
    feature = data.draw(st.integers(0, table.n_features - 1))
    column = table.columns[feature]
    assert column.n_levels is not None
    wider = Column(column.values, column.n_levels + 1)
    columns = (*table.columns[:feature], wider, *table.columns[feature + 1 :])
    growing = Growing(growth="id3", min_samples_split=1.0, missing="distribution")
    plain, more = grown((table, growing)), grown((replace(table, columns=columns), growing))
    assert more.n_nodes == plain.n_nodes + int((plain.feature == feature).sum())
    pruned, widely = prune(plain, rule), prune(more, rule)
    assert widely.n_nodes == pruned.n_nodes + int((pruned.feature == feature).sum())
    assert pruned.estimates is not None
    assert widely.estimates is not None
    assert pruned.estimates[0] == widely.estimates[0]
    rows = core_rows(table, [table.row(i) for i in range(table.n_samples)])
    assert pruned._core.predict(rows).tolist() == widely._core.predict(rows).tolist()


@given(problems(min_samples=2, max_samples=14, max_features=4), st.data())
def test_reduced_errors_are_the_fewest_on_the_samples_that_prune(
    problem: tuple[Table, Growing], data: st.DataObject
) -> None:
    table, growing = problem
    n_growing = data.draw(st.integers(1, table.n_samples - 1))
    tree = grown((table.take(range(n_growing)), growing))
    every = list(islice(all_prunings(pruning_node(tree._core)), MOST_PRUNINGS + 1))
    assume(len(every) <= MOST_PRUNINGS)
    judges = core_dataset(replace(table.take(range(n_growing, table.n_samples)), n_classes=table.n_classes))
    found = ReducedErrorPruning()._prune(Task(tree, judges))
    judged = pruning_node(found.before._core)
    least = min(sum(leaf.errors for leaf in _leaves(t)) for t in all_prunings(judged))
    kept = (found.found.action == 1) | (found.found.action == 3)
    right = found.before.class_weights[np.arange(tree.n_nodes), found.before.node_class]
    errors = math.fsum((found.before.weight - right)[kept])
    assert math.isclose(errors, least, rel_tol=1e-9, abs_tol=1e-9)


def _leaves(node: Node) -> list[Node]:
    return [leaf for leaf in node.walk() if not leaf.children]


@given(problems(), st.sampled_from(RULES))
def test_errors_of_the_nodes_are_those_of_classifying(
    problem: tuple[Table, Growing], rule: PruningRule
) -> None:
    table, _ = problem
    assume(all(None not in column.values for column in table.columns))
    pruned = prune(grown(problem), rule)
    rows = core_rows(table, [table.row(i) for i in range(table.n_samples)])
    is_wrong = pruned._core.predict(rows) != np.array(table.target)
    weights = np.array([table.weight(i) for i in range(table.n_samples)])
    weights *= max(1.0, (weights > 0).sum() / math.fsum(weights))  # a mean below 1 is brought to 1
    assert math.isclose(n_errors(pruned), math.fsum(weights[is_wrong]), rel_tol=1e-5, abs_tol=1e-9)
