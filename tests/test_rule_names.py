"""Rules by name, and the path of cost-complexity pruning as scikit-learn has it."""

import json
import re

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV

from treewright import (
    BackwardEliminationSelector,
    GreedyTreeClassifier,
    ParameterError,
    datasets,
    pruning,
    studies,
)
from treewright.pruning import CostComplexityPruning, ErrorBasedPruning, explain_pruning, prune

IRIS = datasets.load("iris")
BY_NAME = {
    re.sub("(?<!^)(?=[A-Z])", "_", name.removesuffix("Pruning")).lower(): getattr(pruning, name)
    for name in pruning.__all__
    if name.endswith("Pruning") and name != "EstimatorPruning"
}


@pytest.mark.parametrize("name", BY_NAME)
def test_a_name_stands_for_the_rule_with_its_defaults(name):
    named = GreedyTreeClassifier(pruning=name).fit(IRIS)
    made = GreedyTreeClassifier(pruning=BY_NAME[name]()).fit(IRIS)
    assert named.tree_ == made.tree_
    assert named.pruning == name
    assert named.pruning_.get_params() == made.pruning_.get_params()


def test_a_name_works_wherever_a_rule_does():
    tree = GreedyTreeClassifier().fit(IRIS).tree_
    assert prune(tree, "error_based", IRIS) == prune(tree, ErrorBasedPruning(), IRIS)
    assert explain_pruning(tree, "pessimistic").tree == prune(tree, pruning.PessimisticPruning())
    found = studies.compare_pruning(["monks-1"], rules=["none", "observed_error"], cv=2, repeats=1)
    assert found.methods == ("none", "observed_error")


def test_one_name_means_one_rule_everywhere():
    asked = list(dict.fromkeys(studies_names()))
    ours = studies.compare_pruning(["monks-1"], rules=asked, cv=2, repeats=1, random_state=0)
    made = {name: make() for name, make in BY_NAME.items()}
    made["error_based_no_grafting"] = ErrorBasedPruning(grafting=False)
    for name in sorted(set(asked) & set(made)):
        rules = {"name": name, "rule": made[name]}
        alone = studies.compare_pruning(["monks-1"], rules=rules, cv=2, repeats=1, random_state=0)
        errors, nodes = (alone.per_fold[column].reshape(-1, 2) for column in ("n_errors", "n_nodes"))
        assert (errors[:, 0] == errors[:, 1]).all()
        assert (nodes[:, 0] == nodes[:, 1]).all()
        own = ours.per_fold[ours.per_fold["method"] == name]
        assert own["n_nodes"].tolist() == nodes[:, 0].tolist()


def studies_names():
    """Read the names of rules from the documentation of the study."""
    words = re.search(r"rules : sequence of \{(.*?)\}", studies.compare_pruning.__doc__, re.DOTALL)
    return re.findall(r'"(\w+)"', words[1])


def test_grafting_or_not_has_two_names():
    tree = GreedyTreeClassifier().fit(IRIS).tree_
    plain = prune(tree, "error_based_no_grafting")
    assert plain == prune(tree, ErrorBasedPruning(grafting=False))
    model = GreedyTreeClassifier(pruning="error_based_no_grafting").fit(IRIS)
    assert model.tree_ == plain
    assert model.pruning_.grafting is False


def test_a_parameter_of_a_rule_is_set_where_there_is_one():
    model = GreedyTreeClassifier()
    with pytest.raises(ValueError, match=r"^pruning__confidence sets a parameter of a pruning rule, but "):
        model.set_params(pruning__confidence=0.1)
    with pytest.raises(ParameterError, match="pruning='error_based' or another rule first"):
        BackwardEliminationSelector().set_params(estimator__pruning__confidence=0.1)
    assert model.pruning is None
    for first in ({}, {"pruning": "error_based"}, {"pruning": ErrorBasedPruning()}):
        model = GreedyTreeClassifier(pruning="error_based").set_params(**first, pruning__confidence=0.1)
        assert model.pruning.get_params() == ErrorBasedPruning(confidence=0.1).get_params()
    grid = {"pruning": ["error_based"], "pruning__confidence": [0.01, 0.5]}
    GridSearchCV(GreedyTreeClassifier(), grid, cv=2).fit(*load_iris(return_X_y=True))


def test_an_unknown_name_lists_the_names():
    tree = GreedyTreeClassifier().fit(IRIS).tree_
    with pytest.raises(ParameterError, match=r"^pruning='ebp' is no name of a rule; choose .*'error_based'"):
        GreedyTreeClassifier(pruning="ebp").fit(IRIS)
    with pytest.raises(ParameterError, match=r"^rule='ebp' .*'error_based'.*'pessimistic'"):
        prune(tree, "ebp")


def test_the_command_takes_the_names_of_python(run):
    names = ("error_based", "error-based")
    trees = [json.loads(run("fit", "iris", "--prune", name, "--json").out) for name in names]
    commands = [tree["provenance"].pop("command") for tree in trees]
    assert trees[0] == trees[1]
    assert commands == [f"treewright fit iris --prune {name} --json" for name in names]


def test_the_path_is_that_of_the_unpruned_tree():
    model = GreedyTreeClassifier(max_depth=4, pruning="cost_complexity")
    path = model.cost_complexity_pruning_path(IRIS)
    assert not hasattr(model, "tree_")
    assert np.array_equal(path.ccp_alphas * IRIS.n_samples, path.alphas)
    for alpha, impurity in zip(path.alphas, path.impurities, strict=True):
        rule = CostComplexityPruning(alpha=float(alpha))
        pruned = GreedyTreeClassifier(max_depth=4, pruning=rule).fit(IRIS)
        wrong = pruned.predict(IRIS) != IRIS.classes[IRIS.target]
        assert np.isclose(wrong.mean(), impurity)
