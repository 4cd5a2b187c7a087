"""`treewright select --validation-set cv`: what it tells is the same as plain counting over the folds."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import WEATHER, Run, assert_refused
from growers import pruned_by_default
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    ForwardSelectionSelector,
    Tree,
    datasets,
)

WEIGHTS = [1, 0.5, 2, 2, 3, 1, 1, 1, 4, 1, 1, 2.5, 1, 1]
WEIGHTED = ("weighted.csv", "--target", "play", "--weight", "n")
COSTS = ("--cost-matrix", "no:yes=3")
CASES: dict[str, tuple[list[str], type, dict[str, Any]]] = {
    "backward": ([], BackwardEliminationSelector, {}),
    "backward, unpruned": (["--prune", "none"], BackwardEliminationSelector, {"pruning": None}),
    "forward, costs": (["--forward", *COSTS], ForwardSelectionSelector, {"cost_matrix": {("no", "yes"): 3}}),
    "complete": (["--complete", "--count-ties"], CompleteSearchSelector, {"count_ties": True}),
    "a price of leaves": (
        ["--validation-leaf-penalty", "0.5", "--prune", "none"],
        BackwardEliminationSelector,
        {"validation_leaf_penalty": 0.5, "pruning": None},
    ),
    "balanced": (["--class-weight", "balanced"], BackwardEliminationSelector, {"class_weight": "balanced"}),
}


@pytest.fixture
def weighted(run: Run) -> Dataset:
    lines = zip(WEATHER.splitlines(), ["n", *WEIGHTS], strict=True)
    Path("weighted.csv").write_text("".join(f"{line},{n}\n" for line, n in lines), encoding="utf-8")
    return datasets.read_csv("weighted.csv", target="play", weight="n")


@pytest.mark.parametrize(("options", "selector", "parameters"), CASES.values(), ids=CASES)
def test_folds_are_told_as_python_has_them(
    run: Run, weighted: Dataset, options: list[str], selector: type, parameters: dict[str, Any]
) -> None:
    facts = json.loads(run("select", *WEIGHTED, "--validation-set", "cv", "--json", *options).out)
    chosen = pruned_by_default(validation_set="cv", random_state=0, **parameters)
    found, search = selector(**chosen).fit(weighted), facts["search"]
    assert facts["settings"]["validation_set"] == "cv"
    counted = "n_errors" if found.validation_cost_ is None else "validation_cost"
    loss = found.n_validation_errors_ if found.validation_cost_ is None else found.validation_cost_
    assert search[f"{counted}_after"] == loss
    rows = [fold["validation_rows"] for fold in search["folds"]]
    assert rows == [own.tolist() for own in found.fold_validation_rows_]
    assert sorted(row for own in rows for row in own) == list(range(14))
    assert [Tree.from_json(json.dumps(fold["tree"])) for fold in search["folds"]] == found.fold_trees_
    keeps_all = (
        BackwardEliminationSelector(**chosen | {"min_features": 4}) if "count_ties" not in chosen else None
    )
    if keeps_all is not None:
        first = keeps_all.fit(weighted).history_[counted.removeprefix("n_").removeprefix("validation_")][0]
        assert search[f"{counted}_before"] == first


def test_errors_are_those_of_a_plain_loop(run: Run, weighted: Dataset) -> None:
    search = json.loads(run("select", *WEIGHTED, "--validation-set", "cv", "--json").out)["search"]
    labels, n_wrong = weighted.classes[weighted.target], 0.0
    for fold in search["folds"]:
        rows, tree = fold["validation_rows"], Tree.from_json(json.dumps(fold["tree"]))
        n_wrong += weighted.sample_weight[rows] @ (tree.predict(weighted[rows]) != labels[rows])
    assert search["n_errors_after"] == pytest.approx(n_wrong)


def test_report_says_which_rows_made_the_trees(run: Run) -> None:
    text = run("select", "wine", "--validation-set", "cv").out
    found = BackwardEliminationSelector(**pruned_by_default(validation_set="cv", random_state=0))
    trees = found.fit(datasets.load("wine")).fold_trees_
    assert (
        "178 rows in 5 stratified folds; a tree of the other folds predicts each. Errors\nare summed" in text
    )
    (line,) = (line.split() for line in text.splitlines() if line.startswith("  selected"))
    assert line[2:5] == [
        f"{np.mean([len(tree.used_features) for tree in trees]):.1f}",
        f"{np.mean([tree.n_leaves for tree in trees]):.1f}",
        str(found.n_validation_errors_),
    ]
    assert "training row" not in text
    assert max(map(len, text.splitlines())) <= 80


def test_complete_search_speaks_of_the_trees_of_folds(run: Run) -> None:
    ended = run(
        *("select", "wine", "--validation-set", "cv", "--complete", "--top-k", 2, "--count-ties"),
        *("--min-samples-leaf", 5, "--max-features", 3),
    )
    assert "subsets are those that give the trees of the folds as they\ngrow, before pruning:" in ended.out
    assert "Proven: no subset whose tree tests at most 3 features is better." in ended.out


def test_a_share_is_still_one_and_other_words_are_refused(run: Run) -> None:
    facts = json.loads(run("select", "iris", "--validation-set", 0.4, "--json").out)
    assert len(facts["search"]["validation_rows"]) == 60
    assert facts["search"]["folds"] is None
    assert_refused(
        run("select", "iris", "--validation-set", "folds"), 2, "'folds' is neither a share nor 'cv'"
    )
    assert_refused(run("select", "iris", "--validation-set", 1), 2, "not in the range")


def test_leaves_of_the_best_trees_are_means_over_folds() -> None:
    options = {"min_samples_leaf": 5, "max_features": 3, "top_k": 3, "validation_leaf_penalty": 2}
    wine = datasets.load("wine")
    found = CompleteSearchSelector(validation_set="cv", random_state=0, **pruned_by_default(**options)).fit(
        wine
    )
    sums = [tree.n_validation_errors + 2 * tree.n_leaves for tree in found.best_trees_]
    assert found.best_trees_[0].n_leaves == sum(tree.n_leaves for tree in found.fold_trees_) / 5
    assert sums == sorted(sums)
    assert sums[0] == pytest.approx(found.search_.cost)
