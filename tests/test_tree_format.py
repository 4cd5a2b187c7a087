"""Format 2 of trees in JSON: what it holds, what it refuses, and format 1, which it replaces."""

import json
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from treewright import FormatError, GreedyTreeClassifier, MinimalTreeClassifier, Tree
from treewright.pruning import ErrorBasedPruning

ROOT = Path(__file__).parent
SCHEMA = json.loads((ROOT.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
FIRST = json.loads((ROOT / "cases/trees_format_1.json").read_text(encoding="utf-8"))


def frame(n=60, seed=0, gaps=0.1):
    """Make a numeric and two nominal columns with missing values, and three classes."""
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n).round(1)
    colour, shape = rng.choice(["red", "green", "blue"], n), rng.choice(["round", "square"], n)
    y = np.where(size > 0.5, "big", np.where(colour == "red", "red", shape))
    table = pd.DataFrame({"size": size, "colour": colour, "shape": shape})
    kinds = {"colour": pd.CategoricalDtype(["red", "green", "blue", "grey"]), "shape": "category"}
    return table.astype(kinds).mask(rng.random(table.shape) < gaps), y


def grown(*, keep_counts=False, **params):
    return GreedyTreeClassifier(**params).fit(*frame(), keep_counts=keep_counts).tree_


# Format 1.


@pytest.mark.parametrize("case", FIRST["trees"], ids=lambda case: case["name"])
def test_trees_of_format_1_predict_as_before(case):
    tree = Tree.from_json(json.dumps(case["tree"]))
    rows = pd.DataFrame(FIRST["rows"])[tree.feature_names]
    assert tree.predict(rows).tolist() == case["classes"]
    assert tree.predict_proba(rows).tolist() == case["shares"]
    assert tree.apply(rows).tolist() == case["leaves"]
    assert tree.class_counts is None
    assert tree.n_samples is None
    assert tree.provenance is None
    assert np.isnan(tree.cut_values).all()
    assert np.isnan(tree.feature_ranges).all()
    assert Tree.from_json(tree.to_json()) == tree
    jsonschema.validate(json.loads(tree.to_json()), SCHEMA)


def test_format_1_has_nothing_that_came_later():
    document = json.loads(grown(max_depth=1).to_json())
    document["version"] = 1
    with pytest.raises(FormatError, match="parts of a later one"):
        Tree.from_json(json.dumps(document))


# What a tree holds.


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"missing": "value"},
        {"missing": "most_frequent", "criterion": "gini"},
        {"growth": "c45"},
        {"pruning": ErrorBasedPruning()},
        {"pruning": ErrorBasedPruning(grafting=False)},
        {"class_weight": "balanced"},
        {"keep_counts": True},
    ],
    ids=str,
)
def test_round_trip_is_the_identity_and_fits_the_schema(params):
    tree = grown(**params)
    text = tree.to_json()
    assert Tree.from_json(text) == tree
    assert Tree.from_json(text).to_json() == text
    jsonschema.validate(json.loads(text), SCHEMA)


@given(st.lists(st.integers(1, 4), min_size=40, max_size=40), st.sampled_from([None, ErrorBasedPruning()]))
def test_counts_are_of_samples_whatever_they_weigh(weights, pruning):
    X, y = frame(40, gaps=0.0)
    tree = GreedyTreeClassifier(pruning=pruning).fit(X, y, weights).tree_
    labels = np.searchsorted(tree.classes_, y)
    reached = tree.decision_path(X).toarray() > 0
    expected = np.array([np.bincount(labels[row], minlength=tree.n_classes) for row in reached.T])
    assert tree.class_counts.tolist() == expected.tolist()
    assert tree.n_samples.tolist() == reached.sum(axis=0).tolist()
    assert tree.is_reached.tolist() == reached.any(axis=0).tolist()
    by_weight = np.array([np.bincount(labels[row], np.array(weights)[row], 4) for row in reached.T])
    assert tree.class_weights.tolist() == by_weight.tolist()


def test_shares_of_samples_are_counted_as_shares():
    tree = grown(max_depth=2)
    assert (tree.class_counts == tree.class_weights).all()
    weighted = GreedyTreeClassifier(max_depth=2).fit(*frame(), sample_weight=np.full(60, 3)).tree_
    np.testing.assert_allclose(weighted.class_counts, tree.class_weights)
    np.testing.assert_allclose(weighted.class_weights, 3 * tree.class_weights)


def test_values_beside_a_cut_are_those_of_the_training_samples():
    X, y = load_iris(return_X_y=True)
    tree = GreedyTreeClassifier().fit(X, y).tree_
    for node in np.flatnonzero(tree.kind == 2):
        column, cut = X[:, tree.feature[node]], tree.threshold[node]
        assert tree.cut_values[node].tolist() == [column[column <= cut].max(), column[column > cut].min()]
    assert np.isnan(tree.cut_values[tree.kind != 2]).all()
    assert tree.feature_ranges.tolist() == np.column_stack([X.min(axis=0), X.max(axis=0)]).tolist()
    assert tree.feature_kinds == ["numeric"] * 4


def test_a_cut_off_missing_values_has_nothing_above():
    X = [[1.0], [2.0], [3.0], [None], [None], [None]]
    tree = GreedyTreeClassifier(missing="value").fit(X, [0, 0, 0, 1, 1, 1]).tree_
    assert tree.cut_values[0].tolist()[0] == 3.0
    assert np.isnan(tree.cut_values[0][1])
    assert tree.feature_ranges.tolist() == [[1.0, 3.0]]
    assert Tree.from_json(tree.to_json()) == tree


def test_branches_that_no_sample_reaches_are_marked():
    tree = grown()
    assert not tree.is_reached.all()
    assert (tree.is_reached == (tree.weight > 0)).all()
    assert (tree.node_class == tree.node_class[tree.parent])[~tree.is_reached].all()


def test_trees_of_tables_and_of_scikit_learn_have_counts():
    X, y = frame(gaps=0.0)
    minimal = MinimalTreeClassifier().fit(X[["colour", "shape"]], y).tree_
    assert minimal.n_samples[0] == minimal.weight[0] == len(X)
    assert minimal.class_counts[0].tolist() == [np.count_nonzero(y == label) for label in minimal.classes_]
    numbers, classes = load_iris(return_X_y=True)
    taken = Tree.from_sklearn(DecisionTreeClassifier(max_depth=3, random_state=0).fit(numbers, classes))
    assert (taken.class_counts == taken.class_weights).all()
    weighted = DecisionTreeClassifier(max_depth=3).fit(numbers, classes, np.arange(150) % 3 / 7)
    assert Tree.from_sklearn(weighted).class_counts is None


def test_a_tree_with_monotonic_constraints_is_taken():
    X, y = load_iris(return_X_y=True)
    rows = y > 0
    model = DecisionTreeClassifier(monotonic_cst=[1, -1, 1, 1], random_state=0).fit(X[rows], y[rows])
    tree = Tree.from_sklearn(model)
    assert (tree.predict(X) == model.predict(X)).all()
    np.testing.assert_allclose(tree.predict_proba(X), model.predict_proba(X))


# Histograms.


def test_histograms_count_the_samples_at_every_test():
    X, y = frame()
    tree = GreedyTreeClassifier().fit(X, y, keep_counts=True).tree_
    assert GreedyTreeClassifier().fit(X, y).tree_.histograms is None
    assert len(tree.histograms) == tree.n_nodes
    for node, histogram in enumerate(tree.histograms):
        if tree.kind[node] == 0:
            assert histogram is None
            continue
        children = tree.first_child[node] + np.arange(tree.n_children[node])
        known = histogram.counts.sum(axis=0)
        assert (known <= tree.class_counts[node] + 1e-6).all()
        if tree.kind[node] == 2:
            assert len(histogram.edges) <= 33
            assert tree.threshold[node] in histogram.edges
            left = histogram.counts[histogram.edges[1:] <= tree.threshold[node]].sum(axis=0)
            if known.sum() == pytest.approx(tree.n_samples[node]):
                np.testing.assert_allclose(left, tree.class_counts[children[0]])
        else:
            assert (histogram.counts.sum(axis=1) > 0).all()
            assert set(histogram.levels) <= set(range(len(tree.levels[tree.feature[node]])))


# Questions that no grower of ours asks yet.


def document(**changes):
    """Make a tree of one question about a nominal feature with three levels, two classes."""
    made = {
        "format": "treewright-tree",
        "version": 2,
        "routing": "stop",
        "schema": {
            "features": [
                {"name": "c", "kind": "nominal", "levels": ["r", "g", "b"]},
                {"name": "n", "kind": "numeric", "levels": None},
            ],
            "classes": ["no", "yes"],
        },
        "decision": {},
        "nodes": {
            "kind": ["group", "leaf", "leaf"],
            "test": [0, None, None],
            "threshold": [None] * 3,
            "first_child": [1, None, None],
            "n_children": [2, 0, 0],
            "class": [0, 0, 1],
            "weight": [5, 3, 2],
            "class_weights": [[3, 2], [3, 0], [0, 2]],
        },
        "planes": [],
        "lists": [[0, 2]],
    }
    for path, value in changes.items():
        place, *steps, last = [made, *path.split("__")]
        for step in steps:
            place = place[int(step) if isinstance(place, list) else step]
        if value is DROPPED:
            del place[last]
        else:
            place[int(last) if isinstance(place, list) else last] = value
    return made


DROPPED = object()


def read(**changes):
    return Tree.from_json(json.dumps(document(**changes)))


ROWS = pd.DataFrame({"c": ["r", "g", "b", None, "pink"], "n": [1.0, None, 2.0, 3.0, None]})


def test_a_set_of_values_parts_its_levels_from_all_others():
    tree = read()
    assert tree.kind.tolist() == [5, 0, 0]
    assert tree.branch_levels == [[0, 2], None, None]
    assert tree.predict(ROWS).tolist() == ["no", "yes", "no", "no", "no"]
    assert tree.export_text() == "c in {r, b}: no\nc not in {r, b}: yes\n"
    assert Tree.from_json(tree.to_json()) == tree


def test_a_question_about_missing_values():
    tree = read(nodes__kind=["missing", "leaf", "leaf"], lists=[])
    assert tree.predict(ROWS).tolist() == ["yes", "yes", "yes", "no", "no"]
    assert tree.export_text() == "c is missing: no\nc is known: yes\n"
    numeric = read(nodes__kind=["missing", "leaf", "leaf"], nodes__test=[1, None, None], lists=[])
    assert numeric.predict(ROWS).tolist() == ["yes", "no", "yes", "yes", "no"]


@pytest.mark.parametrize(
    ("route", "classes"),
    [(1, ["yes", "yes"]), (0, ["no", "no"]), ("node_majority", ["no", "no"]), ("stop", ["no", "no"])],
)
def test_a_node_has_its_own_route_for_missing_values(route, classes):
    tree = read(nodes__route=[route, None, None])
    assert tree.missing_routes == [route, None, None]
    assert tree.predict(ROWS).tolist()[3:] == classes
    shares = read(nodes__route=["distribute", None, None]).predict_proba(ROWS)[3]
    assert shares.tolist() == pytest.approx([0.6, 0.4])
    assert Tree.from_json(tree.to_json()) == tree


def test_rules_and_origins_are_kept():
    tree = read(
        decision={"cost_matrix": [[0, 1], [10, 0]]},
        **{"nodes__class": [1, 0, 1]},
        probability={"shares": "raw", "class_factors": [1, 2.5], "smoothing": "laplace"},
        provenance={
            "command": "treewright fit x.csv",
            "class": "GreedyTreeClassifier",
            "parameters": {"max_depth": 3, "classes": [1, None]},
            "version": "0.1",
            "data": {"name": "x", "hash": "sha256:00"},
            "proven": {"optimal": True},
        },
        reading={
            "options": {"separator": ";", "decimal": ","},
            "columns": [
                {"feature": 1, "source": "day", "steps": [{"step": "date", "parameters": {"part": "year"}}]}
            ],
        },
    )
    assert tree.cost_matrix.tolist() == [[0, 1], [10, 0]]
    assert (tree.probability, tree.smoothing, tree.class_factors.tolist()) == ("raw", "laplace", [1, 2.5])
    assert tree.provenance["parameters"] == {"max_depth": 3, "classes": [1, None]}
    assert tree.reading["columns"][0]["source"] == "day"
    again = Tree.from_json(tree.to_json())
    assert again == tree
    assert again.provenance == tree.provenance
    jsonschema.validate(json.loads(tree.to_json()), SCHEMA)
    assert read() == read(provenance={"command": "another"})
    assert read(decision={"threshold": 0.7}).decision_threshold == 0.7
    assert read(probability={"smoothing": 3}).smoothing == 3


# What is refused.

REFUSED = {
    "a field of no schema": {"colour": 1},
    "one of a node": {"nodes__colour": [1, 2, 3]},
    "one of a feature": {"schema__features__0__unit": "m"},
    "no decision": {"decision": DROPPED},
    "an unknown rule": {"decision": {"tie": "highest"}},
    "a class twice": {"schema__classes": ["no", "no"]},
    "a level twice": {"schema__features__0__levels": ["r", "g", "r"]},
    "a kind that does not fit": {"schema__features__1__kind": "nominal"},
    "a range of a nominal feature": {"schema__features__0__range": [0, 1]},
    "a range upside down": {"schema__features__1__range": [1, 0]},
    "a negative weight": {"nodes__class_weights": [[3, 2], [4, -1], [-1, 3]]},
    "weights that do not add up by class": {"nodes__weight": [5, 3, 3]},
    "children that hold more": {"nodes__class_weights__1": [4, 0], "nodes__weight": [5, 4, 2]},
    "children that hold less": {
        "routing": "distribute",
        "nodes__class_weights__1": [2, 0],
        "nodes__weight": [5, 2, 2],
    },
    "weights that overflow": {
        "nodes__class_weights": [[1e308, 1e308], [1e308, 0], [0, 1e308]],
        "nodes__weight": [1e308, 1e308, 1e308],
    },
    "a weight that overflows": {"nodes__weight": [5, 3, 1e999]},
    "a class that the weights do not give": {"nodes__class": [0, 1, 1]},
    "a tie that the rule does not give": {
        "nodes__class": [1, 0, 1],
        "nodes__class_weights": [[2, 2], [2, 0], [0, 2]],
        "nodes__weight": [4, 2, 2],
    },
    "a class that the costs do not give": {"decision": {"cost_matrix": [[0, 1], [10, 0]]}},
    "a class that the threshold does not give": {"decision": {"threshold": 0.3}},
    "costs of other classes": {"decision": {"cost_matrix": [[0, 1]]}},
    "negative costs": {"decision": {"cost_matrix": [[0, -1], [1, 0]]}},
    "an unreached node of another class than its parent's": {
        "nodes__class_weights": [[3, 2], [3, 2], [0, 0]],
        "nodes__weight": [5, 5, 0],
        "nodes__is_reached": [True, True, False],
    },
    "factors of other classes": {"probability": {"class_factors": [1]}},
    "negative smoothing": {"probability": {"smoothing": -1}},
    "counts of other classes": {"nodes__class_counts": [[3], [3], [0]]},
    "counts that do not add up": {"nodes__class_counts": [[3, 2], [3, 0], [3, 2]]},
    "negative counts": {"nodes__class_counts": [[3, 2], [3, -1], [0, 2]]},
    "a set of no level": {"lists": [[0, 3]]},
    "an empty set": {"lists": [[]]},
    "a set in disorder": {"lists": [[2, 0]]},
    "no set": {"lists": []},
    "one set too many": {"lists": [[0], [1]]},
    "a set of a numeric feature": {"nodes__test": [1, None, None]},
    "a leaf that tests something": {"nodes__test": [0, 0, None]},
    "a leaf with a threshold": {"nodes__threshold": [None, 1.0, None]},
    "a leaf with children": {"nodes__first_child": [1, 2, None]},
    "a route of a leaf": {"nodes__route": [None, 0, None]},
    "a route to no branch": {"nodes__route": [2, None, None]},
    "values beside no cut": {"nodes__cut_values": [[0, 1], None, None]},
    "a histogram of a leaf": {"nodes__histogram": [None, {"levels": [0], "counts": [[1, 0]]}, None]},
    "a histogram of bins for levels": {
        "nodes__histogram": [{"edges": [0, 1], "counts": [[1, 0]]}, None, None]
    },
    "routes of other nodes": {"nodes__route": [0]},
    "marks of other nodes": {"nodes__is_reached": [True]},
    "a reading of no feature": {"reading": {"columns": [{"feature": 2, "source": "x", "steps": []}]}},
    "an origin of no schema": {"provenance": {"author": "x"}},
}


@pytest.mark.parametrize("changes", REFUSED.values(), ids=REFUSED)
def test_what_the_schema_or_the_rule_forbids_is_refused(changes):
    with pytest.raises(FormatError):
        read(**changes)


TAKEN = {
    "as it is": {},
    "a class that stands for itself": {"decision": {"source": "given"}, "nodes__class": [1, 1, 0]},
    "an unreached node of its parent's class": {
        "nodes__class": [0, 0, 0],
        "nodes__class_weights": [[3, 2], [3, 2], [0, 0]],
        "nodes__weight": [5, 5, 0],
        "nodes__is_reached": [True, True, False],
    },
    "samples that stay at a node": {"nodes__class_weights__1": [2, 0], "nodes__weight": [5, 2, 2]},
    "weights rounded": {"nodes__class_weights__1": [2.9999999999, 0]},
    "a kept tie": {
        "decision": {"tie": "kept"},
        "nodes__class": [1, 0, 1],
        "nodes__class_weights": [[2, 2], [2, 0], [0, 2]],
        "nodes__weight": [4, 2, 2],
    },
}


@pytest.mark.parametrize("changes", TAKEN.values(), ids=TAKEN)
def test_what_they_allow_is_taken_and_keeps(changes):
    tree = read(**changes)
    assert Tree.from_json(tree.to_json()) == tree


def test_a_damaged_class_is_refused_in_format_1_too():
    text = json.dumps(FIRST["trees"][0]["tree"])
    damaged = json.loads(text)
    weights = np.array(damaged["nodes"]["class_weights"])
    pure = int(np.flatnonzero((weights > 0).sum(axis=1) == 1)[0])
    damaged["nodes"]["class"][pure] = int(weights[pure].argmin())
    with pytest.raises(FormatError):
        Tree.from_json(json.dumps(damaged))


def test_half_of_a_character_is_refused() -> None:
    with pytest.raises(FormatError, match="half of a character"):
        Tree.from_json('{"format": "\ud800"}')
