"""Studies of trees whose wrong answers cost: what is compared, and what it is called.

Inner names, as in unit tests: `studies.common.folds`: folds are taken by hand.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone

from commands import Run, assert_refused
from treewright import BackwardEliminationSelector, GreedyTreeClassifier, ParameterError, datasets
from treewright.pruning import ErrorBasedPruning
from treewright.studies import compare_pruning, compare_selection, study_distinct_trees
from treewright.studies.common.folds import Splitting, folds_of

COSTS = {("malignant", "benign"): 10, ("benign", "malignant"): 0.5}
CAREFUL = GreedyTreeClassifier(min_samples_split=30, cost_matrix=COSTS)
QUIET: dict[str, Any] = {"progress": False, "cv": 3, "repeats": 1}
BY_ERRORS = {"error", "error_std", "validation_error", "n_errors"}


@pytest.fixture(scope="module")
def cancer():
    return datasets.load("breast-cancer")[::3]


def mean_cost(model: Any, data: Any) -> float:
    """Return what an answer costs, one by one."""
    truth = data.classes[data.target]
    return float(np.mean([COSTS.get(pair, 0) for pair in zip(truth, model.predict(data), strict=True)]))


def assert_named_by_cost(*tables: Any) -> None:
    for table in tables:
        assert not BY_ERRORS & set(table.dtype.names)
        assert "mean_cost" in table.dtype.names


def test_selections_are_compared_by_cost(cancer):
    study = compare_selection({"cancer": cancer}, estimator=CAREFUL, **QUIET)
    assert_named_by_cost(study.per_fold, study.summary)
    for fold in study_folds(cancer, study):
        top, backward = (row for row in study.per_fold if row["fold"] == fold.number)
        assert top["mean_cost"] == pytest.approx(mean_cost(clone(CAREFUL).fit(fold.training), fold.held_out))
        chosen = BackwardEliminationSelector(estimator=CAREFUL, validation_set=fold.is_validation)
        chosen.fit(fold.training)
        assert backward["mean_cost"] == pytest.approx(mean_cost(chosen, fold.held_out))
        assert backward["mean_validation_cost"] == chosen.mean_validation_cost_
    assert "cost of an answer" in str(study)
    assert "rror" not in str(study)
    assert study.plot().get_xlabel() == "cost of an answer on held-out samples"
    assert {"backward_mean_cost", "top_mean_cost_std"} <= set(study.to_frame().columns)


def study_folds(data: Any, study: Any) -> Any:
    """Return the folds of a study."""
    settings = study.settings
    splitting = Splitting(settings["cv"], 1, settings["validation_set"], settings["random_state"])
    return folds_of("cancer", data, splitting)


def test_errors_of_distinct_trees_are_costs():
    costs = GreedyTreeClassifier(cost_matrix=[[0, 1, 9], [1, 0, 1], [2, 1, 0]])
    study = study_distinct_trees("iris", estimator=costs, min_samples_split=[20, 60], **QUIET)
    assert_named_by_cost(study.per_fold, study.errors)
    assert "validation cost of an answer" in str(study)
    assert study.plot_errors().get_ylabel() == "cross-validation cost of an answer"
    assert len(study.plot().axes) >= 6


def test_pruning_rules_are_ranked_by_cost(cancer):
    rules = {"none": None, "pruned": ErrorBasedPruning(grafting=False)}
    study = compare_pruning({"cancer": cancer}, estimator=CAREFUL, rules=rules, **QUIET)
    assert_named_by_cost(study.per_fold, study.summary)
    rows = study.per_fold[study.per_fold["method"] == "none"]
    sizes = rows["cost"] / rows["mean_cost"]
    assert sizes.sum() == pytest.approx(cancer.n_samples)
    total = {name: study.per_fold["cost"][study.per_fold["method"] == name].sum() for name in rules}
    better = min(total, key=lambda name: total[name])
    assert study.summary["rank"][study.summary["method"] == better].max() <= 1.5
    assert "by cost on held-out samples" in str(study)
    assert "Rank 1: the least cost" in str(study)
    assert "mean_cost_low" in json.loads(study.to_json())["summary"][0]


def test_without_costs_names_are_those_of_errors(cancer):
    study = compare_selection({"cancer": cancer}, methods=["top"], **QUIET)
    assert {"error", "validation_error"} <= set(study.per_fold.dtype.names)
    assert "error in %" in str(study)


@pytest.mark.parametrize(
    ("study", "params", "words"),
    [
        (compare_selection, {"time_sklearn": True}, "cost_matrix cannot be timed"),
        (compare_selection, {"estimator": GreedyTreeClassifier(cost_matrix=np.ones((3, 3)))}, "2 classes"),
        (study_distinct_trees, {"estimator": GreedyTreeClassifier(cost_matrix={("x", "y"): 2})}, "no class"),
        (compare_pruning, {"generator": "paper_table"}, "generated sets repeat a published experiment"),
    ],
)
def test_what_has_no_meaning_is_refused(cancer, study, params, words):
    given = {"progress": False, "estimator": CAREFUL, **params}
    data = () if "generator" in params else ({"cancer": cancer},)
    with pytest.raises(ParameterError, match=words):
        study(*data, **given)


# On the command line.


def test_commands_take_costs(run: Run) -> None:
    data = ("weather.csv", "--target", "play", "--cost-matrix", "no:yes=10")
    for name in ("selection", "distinct-trees", "pruning"):
        own = ("--growth", "standard", "--rule", "none", "--rule", "naive") if name == "pruning" else ()
        ended = run("study", name, *data, "--folds", 2, "--repeats", 1, *own)
        assert ended.code == 0, ended.err
        assert "cost of an answer" in ended.out
    assert_refused(run("study", "selection", *data[:-1], "maybe:yes=2"), 2, "'maybe' is no class")
