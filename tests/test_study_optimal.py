"""The study of optimal trees beside greedy ones: folds, tests, ranks, its table and pictures."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import RepeatedStratifiedKFold

from commands import Run
from treewright import GreedyTreeClassifier, OptimalTreeClassifier, ParameterError, datasets
from treewright.pruning import CostComplexityPruning, ErrorBasedPruning
from treewright.studies import OptimalComparison, compare_optimal, compare_ranks

MODELS = {
    "depth 1": OptimalTreeClassifier(max_depth=1),
    "depth 2": OptimalTreeClassifier(max_depth=2),
    "penalty_cv": OptimalTreeClassifier(max_depth=2, leaf_penalty="cv"),
    "depth_cv": OptimalTreeClassifier(max_depth="cv"),
    "c45": GreedyTreeClassifier.c45(),
    "cost_complexity": GreedyTreeClassifier(
        criterion="gini", nominal_splits="one_value", pruning=CostComplexityPruning(alpha="cv")
    ),
    "fit": GreedyTreeClassifier(pruning=ErrorBasedPruning(grafting=False)),
}
SETS = ["iris", "monks-1"]


@pytest.fixture(scope="module")
def study() -> OptimalComparison:
    return compare_optimal(SETS, depths=[2, 1], cv=3, progress=False)


def test_every_method_is_judged_on_every_fold(study: OptimalComparison) -> None:
    assert study.methods == tuple(MODELS)
    assert (len(study.per_fold), study.status) == (2 * 3 * len(MODELS), "complete")
    is_greedy = np.isin(study.per_fold["method"], ["c45", "cost_complexity", "fit"])
    assert (study.per_fold["status"] == np.where(is_greedy, "complete", "optimal")).all()


@pytest.mark.parametrize("method", MODELS)
def test_a_fold_can_be_run_again(study: OptimalComparison, method: str) -> None:
    data = datasets.load("iris")
    assert data.target is not None
    assert data.classes is not None
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=1, random_state=0)
    parts = list(folds.split(np.zeros(150), data.target))[1]
    model = MODELS[method].fit(data[parts[0]])
    rows = study.per_fold
    (row,) = rows[(rows["data"] == "iris") & (rows["fold"] == 1) & (rows["method"] == method)]
    errors = [np.mean(model.predict(data[part]) != data.classes[data.target[part]]) for part in parts]
    assert (row["training_error"], row["error"]) == pytest.approx(errors)
    assert (row["n_leaves"], row["depth"]) == (model.tree_.n_leaves, model.tree_.max_depth)


def test_no_tree_of_the_depth_has_a_smaller_training_error(study: OptimalComparison) -> None:
    rows = study.per_fold
    two, one = (rows[rows["method"] == f"depth {depth}"]["training_error"] for depth in (2, 1))
    assert (two <= one).all()
    for method in MODELS:
        others = rows[rows["method"] == method]
        assert (two <= others["training_error"])[others["depth"] <= 2].all()


def test_sums_tests_and_ranks_are_of_the_folds(study: OptimalComparison) -> None:
    rows = study.per_fold
    for row in study.summary.records():
        of = rows[(rows["data"] == row["data"]) & (rows["method"] == row["method"])]
        assert row["error"] == pytest.approx(of["error"].mean())
        assert row["error_std"] == pytest.approx(of["error"].std(ddof=1))
        assert row["n_proven"] == (of["status"] == "optimal").sum()
    summary = study.summary
    means = {method: summary["error"][summary["method"] == method] for method in MODELS}
    expected = stats.ttest_rel(means["depth 2"], means["c45"])
    (test,) = study.tests[(study.tests["data"] == "all sets") & (study.tests["method"] == "depth 2")]
    assert (test["t"], test["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    table = np.round(np.transpose(list(means.values())), 12)
    assert study.ranks().ranks.tolist() == compare_ranks(table, list(MODELS)).ranks.tolist()
    averages = dict(zip(study.averages["method"], study.averages["error"], strict=True))
    assert averages == pytest.approx({method: float(errors.mean()) for method, errors in means.items()})


def test_it_prints_draws_and_is_kept(study: OptimalComparison) -> None:
    text = study.to_text(80)
    assert "iris, depth 2" in text
    assert "all sets, C4.5" in text
    assert "3 of 3" in text
    assert "less C4.5" in text
    assert max(map(len, text.splitlines())) <= 80
    assert study.to_latex().count("tabular") == 2
    assert len(study.to_csv().splitlines()) == len(study.per_fold) + 1
    assert study.to_frame()["p_value"].isna().sum() == len(SETS)
    assert json.loads(study.to_json())["ranks"][0]["method"] == "depth 1"
    errors, leaves = study.plot().axes
    assert [label.get_text() for label in errors.get_xticklabels()] == SETS
    assert leaves.get_ylabel() == "leaves (mean, logarithmic)"
    assert pickle.loads(pickle.dumps(study)).to_json() == study.to_json()
    again = {**study.settings, "methods": [], "reference": None}
    assert repr(compare_optimal("iris", **again, progress=False)) == (
        "<OptimalComparison: depth 1, depth 2; 1 data set, 3 folds, complete>"
    )


def test_one_method_alone_has_no_ranks() -> None:
    alone = compare_optimal("iris", depths=1, methods=[], cv=2, progress=False)
    assert "rank" not in str(alone)
    assert "ranks" not in json.loads(alone.to_json())
    first = compare_optimal("iris", depths=[], methods=["fit"], cv=2, progress=False)
    assert first.reference == "fit"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"depths": [1, 1]}, "depths"),
        ({"depths": "2"}, "depths"),
        ({"depths": [], "methods": []}, "methods"),
        ({"methods": ["id3"]}, "methods"),
        ({"methods": "c45"}, "methods"),
        ({"reference": "depth 4"}, "reference"),
        ({"search_time_limit": 0}, "search_time_limit"),
    ],
)
def test_parameters_are_checked(given: dict[str, object], name: str) -> None:
    with pytest.raises(ParameterError, match=name):
        compare_optimal("iris", **given)  # type: ignore[arg-type]


def test_a_limit_leaves_nothing_proven() -> None:
    short = compare_optimal("wdbc", depths=[4], methods=[], cv=2, search_time_limit=0.01, progress=False)
    assert set(short.per_fold["status"].tolist()) == {"time_limit"}
    assert "0 of 2" in str(short)


def test_the_command_is_the_function(run: Run) -> None:
    words = ["study", "optimal", "iris", "--depth", "1", "--method", "c45", "--folds", "3", "--reference"]
    expected = compare_optimal("iris", depths=[1], methods=["c45"], reference="depth 1", cv=3, progress=False)
    told = json.loads(run(*words, "depth 1", "--json").out)["summary"]
    for row, own in zip(told, expected.summary.records(), strict=True):
        assert {**row, "seconds": 0} == {**own, "seconds": 0}
    assert "less depth 1" in run(*words, "depth 1").out
