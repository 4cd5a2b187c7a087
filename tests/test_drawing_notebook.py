"""What notebooks show of trees, fitted estimators, selectors and results."""

from __future__ import annotations

import re
import time
from typing import Any
from xml.etree import ElementTree

import pytest
import sklearn

from drawn import HOSTILE, tree_of
from exported import dataset_of, few, small_table
from treewright import (
    BackwardEliminationSelector,
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    RuleListClassifier,
    Tree,
)
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees
from treewright.pruning import CostComplexityPruning
from treewright.results import ResultTable, SearchResult

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")

DATA = few(dataset_of(*small_table()))
ESTIMATORS: dict[str, Any] = {
    "greedy": GreedyTreeClassifier(max_depth=3),
    "fixed depth": FixedDepthTreeClassifier(n_bins=3, max_depth=2),
    "minimal": MinimalTreeClassifier(max_bins=3, max_pairs=6, cost="depth"),
    "planes": MultivariateTreeClassifier(max_depth=1, missing="mean"),
    "selector": BackwardEliminationSelector(random_state=0),
}


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_fitted_estimator_shows_its_tree_and_an_unfitted_one_what_scikit_learn_shows(name: str) -> None:
    model = sklearn.clone(ESTIMATORS[name])
    before = model._repr_html_()
    assert "treewright-tree" not in before
    assert "sk-container" in before
    model.fit(DATA)
    shown = model._repr_html_()
    assert shown.count('<svg xmlns="http://www.w3.org/2000/svg" class="treewright-tree"') == 1
    assert "sk-container" in shown
    assert model._repr_mimebundle_()["text/html"].count("treewright-tree") == shown.count("treewright-tree")
    svg = re.search(r"<svg xmlns.*?</svg>", shown, re.DOTALL)
    assert svg is not None
    ElementTree.fromstring(svg[0])
    with sklearn.config_context(display="text"):
        assert "text/html" not in model._repr_mimebundle_()


def test_what_is_proven_is_said() -> None:
    proven = MinimalTreeClassifier(max_bins=3, max_pairs=6, cost="depth").fit(DATA)
    assert "The answer is proven to be the best." in proven._repr_html_()
    assert proven.search_.status == "optimal"
    assert "The answer is proven to be the best." in proven.search_._repr_html_()
    assert "bound" in proven.search_._repr_html_()
    assert "treewright-tree" in proven.search_._repr_html_()
    grown = GreedyTreeClassifier().fit(DATA)
    assert "proven" not in grown.tree_._repr_html_()
    assert "Found by GreedyTreeClassifier" in grown.tree_._repr_html_()


def test_a_linear_separator_shows_its_search() -> None:
    separator = RobustLinearClassifier(missing="mean").fit(dataset_of(*small_table(n_classes=2)))
    assert f"{separator.search_.n_searched:,}" in separator._repr_html_()


def test_distinct_trees_and_results_without_a_tree() -> None:
    first = next(enumerate_distinct_trees(DATA, None))
    assert "DistinctTree(used_features=" in first._repr_html_()
    assert "treewright-tree" in first._repr_html_()
    result: SearchResult[Tree] = SearchResult(cost=3, status="time_limit", n_searched=17, elapsed=0.25)
    assert "The time limit was reached" in result._repr_html_()


def test_large_and_hostile_trees_are_shown_small() -> None:
    n = 20_000
    start = time.process_time()
    shown = tree_of([2] * n + [0] * (n + 1))._repr_html_()
    assert time.process_time() - start < 5
    assert len(shown) < 60_000
    assert "more nodes" in shown
    m = len(HOSTILE)
    hostile = tree_of([2] * m + [0] * (m + 1), names=HOSTILE, classes=HOSTILE)._repr_html_()
    assert "<script" not in hostile
    assert len(hostile) < 150_000


def test_rules_counts_tables_and_data_are_shown_small_capped_and_escaped() -> None:
    tree = GreedyTreeClassifier(max_depth=3).fit(DATA).tree_
    many = GreedyTreeClassifier().fit([[float(i)] for i in range(99)], [f"<{i % 50}>" for i in range(99)])
    names = [f"<b>{i}</b>" for i in range(30)]
    data = Dataset.from_columns({name: [1.0, 2.0] for name in names}, ["<i>", "&"])
    shown = {
        "rules": tree.rules()._repr_html_(),
        "many rules": many.tree_.rules()._repr_html_(),
        "rule list": RuleListClassifier().fit(DATA).rules_._repr_html_(),
        "data": data._repr_html_(),
        "path": CostComplexityPruning.path(tree)._repr_html_(),
        "table": ResultTable.from_rows([("<b>", 1.5)] * 99, [("<name>", "U9"), ("x", "f8")])._repr_html_(),
        "count": count_distinct_trees(DATA)._repr_html_(),
    }
    for text in shown.values():
        ElementTree.fromstring(text)
        assert len(text) < 20_000
        assert "<b>" not in text
        assert "<i>" not in text
    assert "... 59 more rules" in shown["many rules"]
    assert "otherwise" in shown["rule list"]
    assert "... 10 more" in shown["data"]
    assert "&lt;b&gt;0&lt;/b&gt;" in shown["data"]
    assert "... 59 more rows" in shown["table"]
    assert "certificate" in shown["count"]
