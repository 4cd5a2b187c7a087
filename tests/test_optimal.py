"""Optimal trees: known answers, parameters and what is told of a search."""

import json
import pickle
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from treewright import DataError, Dataset, OptimalTreeClassifier, ParameterError, Tree, datasets
from treewright.optimal import OptimalSearch, optimal_path

KNOWN = {  # errors at depth 1, 2 and 3
    "iris": (50, 6, 1),
    "monks-1": (108, 96, 48),
    "monks-2": (142, 142, 142),
    "balance-scale": (228, 177, 141),
}


def errors(model, X, y=None):
    data = X if y is None else Dataset(X, y)
    return int((model.predict(data) != data.classes[data.target]).sum())


@pytest.mark.parametrize("name", KNOWN)
def test_known_errors(name):
    data = datasets.load(name)
    for depth, expected in enumerate(KNOWN[name], start=1):
        model = OptimalTreeClassifier(max_depth=depth).fit(data)
        assert (model.search_.cost, model.search_.bound, model.search_.status) == (
            expected,
            expected,
            "optimal",
        )
        assert errors(model, data) == expected
        assert model.tree_.max_depth <= depth


def test_costs_decide():
    X, y = np.arange(8.0)[:, None], np.array(list("aabbabbb"))
    cheap = OptimalTreeClassifier(max_depth=1, cost_matrix={("b", "a"): 10}).fit(X, y)
    assert (cheap.search_.cost, errors(cheap, X, y)) == (1.0, 1)
    dear = OptimalTreeClassifier(max_depth=1, cost_matrix=[[1, 3], [0.5, 0]]).fit(X, y)
    prices = np.array([[1, 3], [0.5, 0]])
    of = (y == "b").astype(int)
    paid = prices[of, (dear.predict(X) == "b").astype(int)].sum()
    assert dear.search_.cost == dear.search_.bound == paid
    everything = [prices[of, [answer] * 8].sum() for answer in (0, 1)]
    assert paid <= min(everything)


def test_missing_values_go_where_they_are_best():
    X = np.array([[1.0], [2.0], [np.nan], [np.nan], [3.0]])
    model = OptimalTreeClassifier(max_depth=1).fit(X, [0, 1, 0, 0, 1])
    assert model.search_.cost == 0
    assert model.predict([[np.nan], [0.0], [9.0]]).tolist() == [0, 0, 1]
    asked = OptimalTreeClassifier(max_depth=1).fit(X, [1, 1, 0, 0, 1])
    assert asked.search_.cost == 0
    assert asked.predict([[np.nan], [0.0]]).tolist() == [0, 1]
    assert Tree.from_json(asked.tree_.to_json()) == asked.tree_


def test_without_missing_values_they_go_to_the_heavier_branch():
    model = OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0], [3.0]], [0, 1, 1])
    assert model.predict([[np.nan]]).tolist() == [1]


def test_declared_order_is_cut_like_numbers():
    sizes = pd.Categorical(list("SMLXSMLX"), categories=list("SMLX"), ordered=True)
    frame, y = pd.DataFrame({"size": sizes}), [0, 0, 1, 1, 0, 0, 1, 1]
    assert OptimalTreeClassifier(max_depth=1).fit(frame, y).search_.cost == 0
    plain = frame.astype({"size": pd.CategoricalDtype(list("SMLX"))})
    assert OptimalTreeClassifier(max_depth=1).fit(plain, y).search_.cost == 2


def test_many_values_have_too_many_groups():
    X = pd.DataFrame({"letter": list("abcdefghij")})
    with pytest.raises(DataError, match=r"feature 'letter'.*10 values.*one_value"):
        OptimalTreeClassifier(nominal_splits="groups").fit(X, [0, 1] * 5)


@pytest.mark.parametrize(
    ("params", "name"),
    [
        ({"max_depth": -1}, "max_depth"),
        ({"leaf_penalty": -1}, "leaf_penalty"),
        ({"max_leaf_nodes": 0}, "max_leaf_nodes"),
        ({"max_leaf_nodes": 3, "nominal_splits": "multiway"}, "max_leaf_nodes"),
        ({"min_samples_leaf": -1}, "min_samples_leaf"),
        ({"missing": "value"}, "missing"),
        ({"nominal_splits": "best"}, "nominal_splits"),
        ({"node_limit": 0}, "node_limit"),
        ({"resume": True}, "resume"),
    ],
)
def test_parameters_are_checked(params, name):
    with pytest.raises(ParameterError, match=name):
        OptimalTreeClassifier(**params).fit([[1.0], [2.0]], [0, 1])


def test_a_search_tells_how_it_ended():
    data = datasets.load("wdbc")
    seen = []
    model = OptimalTreeClassifier(max_depth=3, callback=lambda p: seen.append(p) or len(seen) > 2).fit(data)
    assert isinstance(model.search_, OptimalSearch)
    assert model.search_.status in ("stopped", "optimal")
    assert model.search_.bound <= 9 <= model.search_.cost == errors(model, data)
    bounds, bests = [p.bound for p in seen], [p.best for p in seen]
    assert bounds == sorted(bounds)
    assert bests == sorted(bests, reverse=True)
    assert "instruction_set" in repr(model.search_)
    limited = OptimalTreeClassifier(max_depth=3, node_limit=3).fit(data)
    assert limited.search_.status == "node_limit"
    assert limited.search_.bound <= 9 <= limited.search_.cost


def test_threads_and_pickles_change_nothing():
    data = datasets.load("balance-scale")
    one = OptimalTreeClassifier(max_depth=3).fit(data)
    two = OptimalTreeClassifier(max_depth=3, n_jobs=2).fit(data)
    assert one.tree_ == two.tree_
    assert pickle.loads(pickle.dumps(one)).tree_ == one.tree_


def test_kept_counts_are_those_of_the_samples():
    model = OptimalTreeClassifier(max_depth=2, keep_counts=True).fit(datasets.load("iris"))
    assert model.tree_.histograms


def test_a_path_has_the_best_tree_for_every_price():
    data = datasets.load("iris")
    path = optimal_path(data, max_depth=3)
    deepest = path.table[path.table["depth"] == 3]
    assert deepest[["n_leaves", "loss"]].tolist() == [(1, 100), (2, 50), (3, 6), (4, 3), (5, 2), (7, 1)]
    assert (path.table["status"] == "optimal").all()
    assert (path.table["bound"] == path.table["loss"]).all()
    assert deepest["penalty_from"][:-1].tolist() == deepest["penalty_to"][1:].tolist()
    for row in deepest.records():
        price = (row["penalty_from"] + min(row["penalty_to"], 90)) / 2
        model = OptimalTreeClassifier(max_depth=3, leaf_penalty=price).fit(data)
        assert (model.get_n_leaves(), model.search_.loss) == (row["n_leaves"], row["loss"])
    assert [tree.n_leaves for tree in path.trees] == path.table["n_leaves"].tolist()
    assert path.plot().get_xlabel() == "leaves"


@pytest.mark.parametrize(("name", "depth", "leaves"), [("iris", 2, 3), ("wine", 2, 4)])
def test_cross_validation_chooses_a_price(name, depth, leaves):
    model = OptimalTreeClassifier(max_depth=depth, leaf_penalty="cv").fit(datasets.load(name))
    assert model.get_n_leaves() == leaves
    assert model.search_.leaf_price == model.leaf_penalty_
    assert model.search_.cost == model.search_.loss + model.leaf_penalty_ * leaves


def test_cross_validation_chooses_a_depth():
    model = OptimalTreeClassifier(max_depth="cv").fit(datasets.load("wine"))
    assert (model.depth_, model.tree_.max_depth) == (2, 2)
    with pytest.raises(ParameterError, match="max_depth"):
        OptimalTreeClassifier(max_depth="cv", leaf_penalty="cv").fit([[1.0], [2.0]], [0, 1])


def test_the_command_line_shows_the_path(run):
    ended = run("optimal", "iris", "--path", "--depth", 2)
    assert ended.code == 0
    rows = [line.split() for line in ended.out.splitlines() if line[:1].isdigit()]
    assert rows[-1] == ["2", "3", "6", "6", "up", "to", "44", "yes"]
    assert rows[0] == ["0", "1", "100", "100", "any", "yes"]
    found = json.loads(run("optimal", "iris", "--path", "--depth", 1, "--plot", "path.svg", "--json").out)
    assert [row["n_leaves"] for row in found["path"]] == [tree_leaves(tree) for tree in found["trees"]]
    assert "</svg>" in Path("path.svg").read_text(encoding="utf-8")
    for words in (("--leaf-penalty", 1), ("--depth", "cv")):
        assert "leave out" in run("optimal", "iris", "--path", *words).err
    with pytest.raises(ParameterError, match="max_depth"):
        optimal_path(datasets.load("iris"), max_depth="cv")


def tree_leaves(document):
    return document["nodes"]["kind"].count("leaf")


def test_a_path_that_was_cut_is_drawn_hollow_and_says_so():
    data = datasets.load("wdbc")
    path = optimal_path(data, max_depth=3, model=OptimalTreeClassifier(node_limit=3))
    assert "no" in {line.split()[-1] for line in str(path).splitlines()[3:]}
    assert any(line.get_markerfacecolor() == "white" for line in path.plot().lines)
