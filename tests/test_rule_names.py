"""Rules by name, and the path of cost-complexity pruning as scikit-learn has it."""

import re

import numpy as np
import pytest

from treewright import GreedyTreeClassifier, ParameterError, datasets, pruning, studies
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


def test_an_unknown_name_lists_the_names():
    tree = GreedyTreeClassifier().fit(IRIS).tree_
    with pytest.raises(ParameterError, match=r"^pruning='ebp' is no name of a rule; choose .*'error_based'"):
        GreedyTreeClassifier(pruning="ebp").fit(IRIS)
    with pytest.raises(ParameterError, match=r"^rule='ebp' .*'error_based'.*'pessimistic'"):
        prune(tree, "ebp")


def test_the_command_takes_the_names_of_python(run):
    names = ("error_based", "error-based")
    assert len({run("fit", "iris", "--prune", name, "--json").out for name in names}) == 1


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
