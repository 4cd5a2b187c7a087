"""How a tree was found and its file was read: told by every tree, in the same words each time."""

from __future__ import annotations

import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest

import treewright
from commands import Run
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    Tree,
    datasets,
)
from treewright.distinct import enumerate_distinct_trees
from treewright.fixed_depth import fit_many
from treewright.pruning import ErrorBasedPruning, prune
from treewright.tables import Cost, DecisionTable

GAME = datasets.load("monks-1")[::6]
HASH = re.compile(r"treewright-64:[0-9a-f]{16}")

MODELS = {
    "greedy": GreedyTreeClassifier(max_depth=2, class_weight={"0": 2}, pruning=ErrorBasedPruning()),
    "counts": GreedyTreeClassifier(cost_matrix={("0", "1"): 3}),
    "fixed depth": FixedDepthTreeClassifier(max_depth=2, feature_costs=[1, 2, 3, 4, 5, 6], cost_budget=9),
    "minimal": MinimalTreeClassifier(cost=Cost(per_row=1), max_pairs=100),
    "planes": MultivariateTreeClassifier(max_depth=1, alpha=None),
    "backward": BackwardEliminationSelector(estimator=GreedyTreeClassifier(max_depth=3), random_state=0),
    "forward": ForwardSelectionSelector(validation_set=[0, 1, 2, 3, 4, 5, 6, 40, 50, 60]),
    "complete": CompleteSearchSelector(random_state=np.random.RandomState(1)),
}
SEARCHED = {name: model for name, model in MODELS.items() if name not in ("greedy", "counts")}


def trees_of(model: object) -> list[Tree]:
    names = ("tree_", "refit_tree_", "rounded_tree_")
    found = [getattr(model, name) for name in names if hasattr(model, name)]
    return [*found, *(best.tree for best in getattr(model, "best_trees_", ()))]


@pytest.mark.parametrize("name", MODELS)
def test_every_fit_tells_class_parameters_release_and_data(name: str) -> None:
    model = MODELS[name].fit(GAME)
    for tree in trees_of(model):
        origin = tree.provenance
        assert origin["class"] == type(model).__name__
        assert set(origin["parameters"]) == set(model.get_params(deep=False))
        assert origin["version"] == treewright.__version__
        assert origin["data"]["name"] == "monks-1"
        assert HASH.fullmatch(origin["data"]["hash"])
        assert ("proven" in origin) == (name in SEARCHED)
        assert "command" not in origin
        assert tree.reading is None


@pytest.mark.parametrize("name", MODELS)
def test_the_same_fit_writes_the_same_text(name: str) -> None:
    texts = [[tree.to_json() for tree in trees_of(MODELS[name].fit(GAME))] for _ in range(2)]
    assert texts[0] == texts[1] or name == "complete"  # which draws from a generator that moves on
    assert "0x" not in "".join(texts[0])


@pytest.mark.parametrize("name", SEARCHED)
def test_what_is_proven_is_that_of_the_search(name: str) -> None:
    model = MODELS[name].fit(GAME)
    told = model.tree_.provenance["proven"]
    assert told["status"] == model.search_.status
    assert told["cost"] == model.search_.cost
    assert told.get("bound") == model.search_.bound


def test_parameters_are_told_as_they_are_and_as_they_were_in_fit() -> None:
    rule = ErrorBasedPruning(confidence=0.1)
    model = GreedyTreeClassifier(max_depth=np.int64(3), pruning=rule, cost_matrix={("0", "1"): 3}).fit(GAME)
    model.set_params(max_depth=1, pruning__confidence=0.4)
    told = model.tree_.provenance["parameters"]
    assert told["max_depth"] == 3
    own = {"class": "ErrorBasedPruning", "confidence": 0.1, "grafting": True, "limit": "c45"}
    assert told["pruning"] == {**own, "limit": rule.limit}
    assert told["cost_matrix"] == [[["0", "1"], 3]]
    nested = BackwardEliminationSelector(estimator=model, random_state=0).set_params(estimator__pruning=None)
    estimator = nested.fit(GAME).tree_.provenance["parameters"]["estimator"]
    assert estimator["class"] == "GreedyTreeClassifier"
    assert estimator["max_depth"] == 1


def test_it_goes_with_the_tree_and_does_not_count() -> None:
    model = GreedyTreeClassifier(max_depth=2).fit(GAME)
    tree, told = model.tree_, model.tree_.provenance
    assert Tree.from_json(tree.to_json()).provenance == told
    assert pickle.loads(pickle.dumps(tree)).provenance == told
    assert FixedDepthTreeClassifier(n_bins=3).fit(datasets.load("iris")).threshold_tree().provenance["class"]
    other = GreedyTreeClassifier(max_depth=2, n_jobs=2).fit(GAME).tree_
    assert other == tree
    assert hash(other) == hash(tree)
    told["class"] = "changed"
    assert tree.provenance["class"] == "GreedyTreeClassifier"


def test_a_saved_fit_before_anything_is_asked_has_it() -> None:
    again = pickle.loads(pickle.dumps(GreedyTreeClassifier().fit(GAME)))
    assert again.tree_.provenance["class"] == "GreedyTreeClassifier"


def test_pruning_a_tree_adds_the_rule() -> None:
    tree = GreedyTreeClassifier().fit(GAME).tree_
    pruned = prune(tree, "error_based", GAME)
    assert pruned.provenance["class"] == "GreedyTreeClassifier"
    assert pruned.provenance["parameters"]["pruning"]["class"] == "ErrorBasedPruning"
    assert tree.provenance["parameters"]["pruning"] is None
    assert pruned.provenance["data"] == tree.provenance["data"]


def test_trees_of_enumerations_tables_and_many_weightings_tell_it() -> None:
    distinct = next(enumerate_distinct_trees(GAME)).tree.provenance
    assert distinct["class"] == "enumerate_distinct_trees"
    assert set(distinct["parameters"]) == {"estimator", "validation_set", "random_state", "features"}
    many = fit_many(GAME, [np.ones(72)], model=FixedDepthTreeClassifier(max_depth=1)).trees[0].provenance
    assert (many["class"], many["parameters"]["model"]["max_depth"]) == ("fit_many", 1)
    plane = RobustLinearClassifier().fit(GAME).to_tree(GAME).provenance
    assert (plane["class"], plane["data"]["name"]) == ("RobustLinearClassifier", "monks-1")


def test_trees_of_tables_tell_method_and_cost() -> None:
    table = DecisionTable.from_data(GAME)
    graph = table.subtable_graph()
    found = {
        "DecisionTable.minimum_tree": table.minimum_tree("depth").tree,
        "DecisionTable.greedy_tree": table.greedy_tree(impurity="max"),
        "SubtableGraph.tree": graph.tree("n_nodes", then="depth"),
        "SubtableGraph.enumerate_optimal": next(graph.enumerate_optimal("depth")),
        "SubtableGraph.pareto_front": graph.pareto_front("depth", "n_nodes")[0].tree,
    }
    for name, tree in found.items():
        assert tree.provenance["class"] == name
    assert found["DecisionTable.minimum_tree"].provenance["proven"]["status"] == "optimal"
    assert found["SubtableGraph.tree"].provenance["parameters"] == {"cost": "n_nodes", "then": "depth"}


# The hash of data.


def test_a_hash_is_of_the_samples_whatever_holds_them() -> None:
    pandas = pytest.importorskip("pandas")
    X, y = [[1.0, "a"], [2.0, "b"], [None, "a"], [0.5, "b"]], ["no", "yes", "no", "yes"]
    frame = pandas.DataFrame(X, columns=["x0", "x1"])

    def of(*given: object, **options: object) -> str:
        return GreedyTreeClassifier().fit(Dataset(*given, **options)).tree_.provenance["data"]["hash"]

    first = of(X, y)
    assert of(frame, y) == first == GreedyTreeClassifier().fit(X, y).tree_.provenance["data"]["hash"]
    others = {
        of(frame.rename(columns={"x0": "z"}), y),
        of(X[::-1], y[::-1]),
        of(X, ["no", "yes", "yes", "yes"]),
        of(X, y, sample_weight=[1, 1, 1, 2]),
        of(X[:3], y[:3]),
        of([[1.0, "a"], [2.0, "b"], [None, "a"], [0.25, "b"]], y),
    }
    assert len(others | {first}) == 7


# Files and the command line.

TABLE = "size;colour;n;class\n1,5;red;1;yes\n2;?;2;no\n3;blue;1;yes\n"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "folder of data" / "table.csv"
    path.parent.mkdir()
    path.write_text(TABLE.replace("1,5", "1.5"))
    return path


def test_reading_says_how_a_file_was_read(table: Path) -> None:
    options = {"delimiter": ";", "missing_values": {"?"}, "weight": "n"}
    data = datasets.read_csv(table, target="class", **options)
    for given in (data, data[[0, 1]], pickle.loads(pickle.dumps(data))):
        tree = GreedyTreeClassifier().fit(given).tree_
        assert tree.provenance["data"]["name"] == "table.csv"
        assert tree.reading == {
            "options": {
                "format": "csv",
                "delimiter": ";",
                "decimal": ".",
                "encoding": "utf-8",
                "header": True,
                "quote": '"',
                "missing_values": ["", "?"],
                "target": "class",
                "weight": "n",
                "drop": [],
                "kinds": {"size": "numeric", "colour": "nominal"},
            }
        }
    plain = GreedyTreeClassifier().fit(data, sample_weight=data.sample_weight).tree_
    assert plain == tree


def test_the_command_line_adds_itself_without_folders(run: Run, table: Path, tmp_path: Path) -> None:
    out, small = tmp_path / "tree.json", tmp_path / "small.json"
    options = ("--target", "class", "--delimiter", ";", "--class-weight", "yes=2")
    assert run("fit", table, *options, f"--out={out}").code == 0
    command = "treewright fit table.csv --target class --delimiter ';' --class-weight yes=2 --out=tree.json"
    assert json.loads(out.read_text())["provenance"]["command"] == command
    assert run("prune", out, "--rule", "pessimistic", "--out", small).code == 0
    told = json.loads(small.read_text())["provenance"]
    assert told["command"] == f"{command}; treewright prune tree.json --rule pessimistic --out small.json"
    assert told["parameters"]["pruning"]["class"] == "PessimisticPruning"
    assert "folder of data" not in small.read_text()
    assert GreedyTreeClassifier().fit(GAME).tree_.provenance.get("command") is None
