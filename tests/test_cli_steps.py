"""`treewright select` with the options of the selectors."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from commands import Run, without_origin
from growers import GROWING, assert_settings, pruned_by_default
from treewright import BackwardEliminationSelector, CompleteSearchSelector, ForwardSelectionSelector, datasets

NAMES = datasets.load("breast-cancer").feature_names
OPTIONS: dict[str, tuple[list[str], type, dict[str, Any]]] = {
    "forward": (["--forward"], ForwardSelectionSelector, {}),
    "forward, floating, few": (
        ["--forward", "--floating", "--max-features", "2"],
        ForwardSelectionSelector,
        {"floating": True, "max_features": 2},
    ),
    "forward, from some": (
        [
            "--forward",
            "--start-from",
            "mean area",
            "--start-from",
            "mean radius",
            "--required-features",
            "mean area",
        ],
        ForwardSelectionSelector,
        {"start_from": ["mean area", "mean radius"], "required_features": ["mean area"]},
    ),
    "floating": (["--floating"], BackwardEliminationSelector, {"floating": True}),
    "tolerance, errors": (["--tolerance", "2"], BackwardEliminationSelector, {"tolerance": 2}),
    "tolerance, share": (["--tolerance", "0.02"], BackwardEliminationSelector, {"tolerance": 0.02}),
    "parsimonious, some left": (
        ["--parsimonious", "--min-features", "4"],
        BackwardEliminationSelector,
        {"parsimonious": True, "min_features": 4},
    ),
    "groups": (
        ["--group", "mean area, mean radius", "--group", '"worst area",worst radius', "--tolerance", "3"],
        BackwardEliminationSelector,
        {"feature_groups": [["mean area", "mean radius"], ["worst area", "worst radius"]], "tolerance": 3},
    ),
}


@pytest.mark.parametrize(("options", "selector", "parameters"), OPTIONS.values(), ids=OPTIONS)
def test_options_are_those_of_the_selectors(
    run: Run, options: list[str], selector: type, parameters: dict[str, Any]
) -> None:
    facts = json.loads(run("select", "breast-cancer", "--json", *options).out)
    found = selector(random_state=0, **pruned_by_default(**parameters)).fit(datasets.load("breast-cancer"))
    assert facts["selector"] == selector.__name__
    assert_settings(facts["settings"], parameters)
    assert facts["selected"] == found.get_feature_names_out().tolist()
    assert without_origin(json.dumps(facts["refit_tree"])) == without_origin(found.refit_tree_.to_json())
    steps = facts["search"]["history"]
    assert [step["errors"] for step in steps] == found.history_["errors"].tolist()
    assert [[NAMES.index(name) for name in step["changed"]] for step in steps] == [
        list(changed) for changed in found.history_["changed"]
    ]
    assert facts["search"]["n_trees_black_box"] is None


def test_every_parameter_of_the_selectors_has_an_option(run: Run) -> None:
    printed = run("select", "--help-all").out
    elsewhere = {"callback", "estimator"}
    of_growing = {*GROWING} - {"growth", "class_weight", "categorical_features"}
    other_names = {"random_state": "seed", "feature_groups": "group", "pruning": "prune"}
    for selector in (BackwardEliminationSelector, ForwardSelectionSelector, CompleteSearchSelector):
        for name in (set(selector().get_params()) - elsewhere) | of_growing:
            option = f"--{other_names.get(name, name.replace('_', '-'))}"
            assert re.search(rf"{option}[ /]", printed), name


def test_table_compares_with_the_tree_on_all_features(run: Run) -> None:
    forward, backward = run("select", "wine", "--forward").out, run("select", "wine").out
    rows = [[line for line in text.splitlines() if "all features" in line] for text in (forward, backward)]
    assert rows[0] == rows[1] != []


def test_steps_are_drawn(run: Run) -> None:
    assert run("select", "wine", "--plot", "steps.svg").code == 0
    assert Path("steps.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert run("select", "iris", "--complete", "--plot", "best.svg").code == 0
    assert "the best trees" in Path("best.svg").read_text(encoding="utf-8")


def test_steps_are_told(run: Run) -> None:
    added = run("select", "breast-cancer", "--forward").out
    assert "Added features, and errors and leaves after each step:\n\n step" in added
    assert re.search("errors  leaves\n    0  at the start, 0 features +64 +1\n", added)
    mixed = run("select", "wine", "--forward", "--floating", "--start-from", "ash", "--seed", "3").out
    assert "at the start, 1 feature " in mixed
    dropped = run("select", "breast-cancer", "--parsimonious").out
    assert "    1  mean radius, mean perimeter, mean area and 15 more" in dropped
    assert "No step was taken" in run("select", "wine", "--min-features", "13").out
    for text in (added, mixed, dropped):
        assert max(map(len, text.splitlines())) <= 80
