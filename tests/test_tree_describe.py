"""`Tree.describe`: what it counts, and that it claims no more than is known."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.inspection import permutation_importance

from exported import KINDS, costs_of, dataset_of, small_table
from treewright import (
    CompleteSearchSelector,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    ParameterError,
    RobustLinearClassifier,
    Tree,
    datasets,
)
from treewright.pruning import prune

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")


@pytest.mark.parametrize("kind", KINDS)
def test_every_tree_is_described(kind: str) -> None:
    frame, y = small_table(3)
    tree = KINDS[kind](dataset_of(frame, y))
    rows = frame.iloc[:, : tree.n_features]
    for told in (tree.describe(), tree.describe(rows, y, n_repeats=1)):
        assert (told.n_nodes, told.n_leaves, told.max_depth) == (tree.n_nodes, tree.n_leaves, tree.max_depth)
        assert len(told.features) == len(tree.used_features)
        gains = [one.gain for one in told.features]
        assert gains == sorted(gains, reverse=True)
        json.dumps(told.to_dict())
        assert told._repr_html_()
        assert told.to_text().count("\n") >= 5


def test_errors_are_those_of_predictions() -> None:
    frame, y = small_table(1, gaps=0.0)
    data = dataset_of(frame, y)
    tree = GreedyTreeClassifier(max_depth=3).fit(data).tree_
    told = tree.describe(frame, y)
    wrong = int((tree.predict(frame) != y).sum())
    assert told.training is not None
    assert told.given is not None
    assert (told.training.errors, told.training.n) == (told.given.errors, told.given.n) == (wrong, len(y))
    weights = np.random.default_rng(0).integers(1, 5, len(y))
    given = tree.describe(frame, y, weights).given
    assert given is not None
    assert given.rate == pytest.approx(np.average(tree.predict(frame) != y, weights=weights))


def test_costs_are_told() -> None:
    frame, y = small_table(1, gaps=0.0)
    data = dataset_of(frame, y)
    costs = costs_of(data)
    tree = GreedyTreeClassifier(max_depth=3, cost_matrix=costs).fit(data).tree_
    told = tree.describe(frame, y)
    place = {label: i for i, label in enumerate(tree.classes_)}
    mean = np.mean([costs[place[a], place[b]] for a, b in zip(y, tree.predict(frame), strict=True)])
    assert told.given is not None
    assert told.training is not None
    assert told.given.cost == pytest.approx(mean)
    assert told.training.cost == pytest.approx(mean)
    assert "mean cost" in str(told)


def test_permutation_is_near_that_of_scikit_learn_and_repeats_by_its_seed() -> None:
    iris = datasets.load("iris")
    X, y = np.column_stack(iris.columns()), iris.classes[iris.target]
    model = GreedyTreeClassifier(max_depth=2).fit(X, y)
    told = model.tree_.describe(X, y, n_repeats=30, random_state=1)
    wanted = permutation_importance(model, X, y, n_repeats=30, random_state=0).importances_mean
    for one in told.features:
        assert one.permutation == pytest.approx(wanted[int(one.name[1:])], abs=0.05)
    assert told == model.tree_.describe(X, y, n_repeats=30, random_state=1)
    assert told != model.tree_.describe(X, y, n_repeats=30, random_state=2)


def proof_of(tree: Tree) -> tuple[str, str]:
    proof = tree.describe().proof
    return proof.level, proof.text


def test_no_more_is_claimed_than_is_proven() -> None:
    data = datasets.load("monks-1")
    minimal = MinimalTreeClassifier().fit(data)
    assert proof_of(minimal.tree_)[0] == "exact"
    assert proof_of(Tree.from_json(minimal.tree_.to_json()))[0] == "exact"
    assert proof_of(prune(minimal.tree_, "pessimistic"))[0] == "nothing"
    assert proof_of(GreedyTreeClassifier().fit(data).tree_)[0] == "nothing"
    assert proof_of(FixedDepthTreeClassifier().fit(data).tree_)[0] == "exact"
    selector = CompleteSearchSelector(random_state=0).fit(data)
    assert "set of features" in proof_of(selector.refit_tree_)[1]
    document = json.loads(minimal.tree_.to_json())
    document["provenance"]["proven"] |= {"status": "node_limit", "bound": 20}
    level, text = proof_of(Tree.from_json(json.dumps(document)))
    assert (level, text) == ("bound", "cost 37 of MinimalTreeClassifier, and no answer has less than 20")


def test_what_is_not_known_is_not_told() -> None:
    iris = datasets.load("iris")
    told = RobustLinearClassifier().fit(iris).to_tree(iris).describe()
    assert told.training is None
    assert told.given is None
    assert "training error: not known" in str(told)
    assert "held-out error: not known" in str(told)


@pytest.mark.parametrize("wrong", [{"n_repeats": 0}, {"random_state": -1}, {"random_state": 0.5}])
def test_parameters_are_checked(wrong: Any) -> None:
    with pytest.raises(ParameterError):
        GreedyTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_.describe(**wrong)
