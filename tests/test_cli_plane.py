"""`treewright plane` and `treewright study planes`.

Inner names, as in unit tests: `cli.plane`: parts of the command line are tested without a process.
"""

from __future__ import annotations

import json
from copy import copy
from pathlib import Path

import jsonschema
import numpy as np
import pytest

from commands import Run, assert_refused, tree_in
from treewright import RobustLinearClassifier, Tree, datasets
from treewright.cli.plane import _features

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
PLANE = ("plane", "wdbc", "--perturbation", 0.02)
STUDY = ("study", "planes", "iris", "--method", "rlp_p", "--method", "fm_rlp_p", "--folds", 3)


@pytest.fixture(scope="module")
def wdbc():
    dataset = datasets.load("wdbc")
    return dataset, RobustLinearClassifier(perturbation=0.02).fit(dataset)


def test_report_says_what_the_plane_is_worth(run: Run, wdbc) -> None:
    dataset, model = wdbc
    ended = run(*PLANE)
    assert (ended.code, ended.err) == (0, "")
    assert f"{model.n_features_used_} features of 30" in ended.out
    assert f"Error {model.error_:.4g}, at most {model.error_bound_:.4g} allowed" in ended.out
    n_wrong = int((model.predict(dataset) != dataset.classes[dataset.target]).sum())
    assert f"{n_wrong} rows of 569 on the wrong side" in ended.out
    assert "malignant if the sum is above" in ended.out
    for feature in model.support_:
        assert dataset.feature_names[feature] in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_printed_weights_put_every_row_on_its_side(run: Run, wdbc) -> None:
    dataset, model = wdbc
    lines = run(*PLANE).out.split("malignant if the sum is above ")[1].splitlines()
    offset = float(lines[0].split(",")[0])
    weights = {line[: line.rindex("+")].strip(): None for line in lines[2:] if "+" in line}
    total = np.zeros(dataset.n_samples)
    for line in lines[2:]:
        name = next(name for name in dataset.feature_names if line.strip().startswith(f"{name} "))
        total += float(line.split()[-2]) * dataset.column(dataset.feature_names.index(name))
    assert len(weights) == len(lines) - 2 == model.n_features_used_
    assert ((total > offset) == (model.predict(dataset) == "malignant")).all()


def test_proof_and_checks_are_told(run: Run) -> None:
    out = run(*PLANE, "--prove", 60, "--verify").out
    assert "4 features of 30: proven to be the fewest within the bound." in out
    assert "checked by certificates, all hold." in out
    out = run("plane", "wdbc").out
    assert "proven to be necessary." in out
    assert "the least with all features is 0.\n" in out


@pytest.mark.parametrize(("bound", "told"), [(0.9, "1 is"), (1.0, "1 is"), (1.1, "2 are")])
def test_what_is_necessary_is_told_in_grammar(wdbc, monkeypatch, bound, told) -> None:
    model = copy(wdbc[1])
    monkeypatch.setattr(model, "status_", "complete")
    monkeypatch.setattr(model, "lower_bound_", bound)
    assert _features(model) == f"4 features of 30; at least {told} proven to be necessary."


def test_misclassified_rows_are_told_as_such(run: Run) -> None:
    asked = ("plane", "iris", "--error", "misclassified", "--prove", 60)
    out = run(*asked, "--error-floor", 3, "--error-slack", 0, "--verify").out
    assert "2 features of 4, 3 over 2 planes: proven to be the fewest within the bound." in out
    assert "Error: 3 misclassified rows, summed over 2 planes, so that a row may count" in out
    assert "more than once, at most 6 allowed; the least found with all features is" in " ".join(out.split())
    assert "checked on the rows, all hold. That no plane is better has no" in out
    out = run(*asked, "--selection", "path", "--n-features", 2).out
    assert "features  misclassified  at least  test error in %" in out
    told = "more than once: proven to be the least with so many features for each plane."
    assert told in " ".join(out.split())
    costs = run(*asked, "--selection", "none", "--cost-matrix", "virginica:versicolor=4").out
    assert "Error: misclassified rows cost " in costs
    facts = json.loads(run(*asked, "--selection", "limited", "--n-features", 2, "--json").out)
    assert (facts["error_measure"], facts["error"], facts["lower_bound"]) == ("misclassified", 3, 3)


def test_what_goes_with_distances_only_is_refused(run: Run) -> None:
    asked = ("plane", "iris", "--error", "misclassified")
    assert "0.02 goes with --error distance" in run(*asked, "--perturbation", 0.02).err
    assert "--error is about one plane and does not go with --depth" in run(*asked, "--depth", 2).err


def test_progress_shows_the_best_and_the_bound(run: Run) -> None:
    ended = run("plane", "wdbc", "--prove", 1.5, "--progress")
    assert " LPs, " in ended.err
    assert " at best, at least " in ended.err


def test_plane_over_one_number_is_told_as_its_cut(run: Run) -> None:
    out = run("plane", "iris", "--selection", "limited", "--n-features", 1).out
    assert "setosa if petal length (cm) < " in out
    assert "virginica if petal " in out
    assert "sum" not in out


def test_json_has_everything(run: Run, wdbc) -> None:
    dataset, model = wdbc
    facts = json.loads(run(*PLANE, "--json", "--verify").out)
    assert facts["format"] == "treewright-plane"
    assert facts["n_features_used"] == model.n_features_used_
    assert facts["error"] == model.error_
    assert facts["features"] == [dataset.feature_names[i] for i in model.support_]
    assert facts["planes"][0]["class"] == "malignant"
    assert list(facts["planes"][0]["weights"].values()) == model.coef_[0][model.support_].tolist()
    assert facts["verified"]["holds"] is True
    assert facts["trace"]


def test_model_file_predicts_as_the_plane_does(run: Run, wdbc) -> None:
    dataset, model = wdbc
    ended = run(*PLANE, "--out", "plane.json")
    assert "`treewright predict plane.json DATA` uses it." in ended.out
    tree = tree_in("plane.json")
    assert np.array_equal(tree.predict(dataset), model.predict(dataset))
    assert set(tree.predict_proba(dataset).ravel().tolist()) == {0.0, 1.0}
    assert run("predict", "plane.json", "wdbc").out.count("malignant") == int(
        (model.predict(dataset) == "malignant").sum()
    )


def test_chain_of_planes_is_a_tree(run: Run) -> None:
    out = run("plane", "iris", "--perturbation", 0.02, "--out", "iris.json").out
    assert "else what follows:" in out
    assert "over 2 planes" in out
    iris = datasets.load("iris")
    model = RobustLinearClassifier(perturbation=0.02).fit(iris)
    tree = tree_in("iris.json")
    assert np.array_equal(tree.predict(iris), model.predict(iris))
    assert tree.n_leaves == 3


def test_nominal_columns_and_their_file(run: Run) -> None:
    out = run("plane", "weather.csv", "--target", "play", "--missing", "mean", "--out", "play.json").out
    jsonschema.validate(json.loads(Path("play.json").read_text(encoding="utf-8"))["tree"], SCHEMA)
    assert "yes if the sum is above" in out
    ended = run("predict", "play.json", "weather.csv", "--target", "play")
    wrong = out.split(" of 14 on the wrong side")[0].splitlines()[-1].split()[0]
    assert f"{wrong} of 14 predictions are wrong" in ended.err


def test_path_is_printed_drawn_and_written(run: Run) -> None:
    parameters = ("--selection", "path", "--n-features", 3, "--folds", 3)
    out = run("plane", "iris", *parameters, "--plot", "path.png", "--csv", "path.csv").out
    assert "Least error found for the first plane by number of features" in out
    assert out.count("chosen") == 1
    assert Path("path.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("path.csv").read_text(encoding="utf-8").splitlines()) == 4


def test_tree_of_planes(run: Run) -> None:
    out = run("plane", "iris", "--perturbation", 0.02, "--depth", 2, "--out", "tree.json").out
    assert "2 splits with 2 and 3 features" in out
    assert "*petal width (cm)" in out
    assert "Pruned trees, and their test errors" in out
    tree = tree_in("tree.json")
    assert tree.n_leaves == 3
    facts = json.loads(run("plane", "iris", "--perturbation", 0.02, "--depth", 2, "--json").out)
    assert facts["n_features_per_split"] == [2, 3]
    assert Tree.from_json(json.dumps(facts["tree"])) == tree


def test_no_useful_plane_is_said(run: Run) -> None:
    rows = ["a,b,c", *(f"{i},{j},{i ^ j}" for i in (0, 1) for j in (0, 1))]
    Path("xor.csv").write_text("\n".join([*rows, *rows[1:]]) + "\n", encoding="utf-8")
    out = run("plane", "xor.csv", "--target", "c", "--out", "xor.json").out
    assert "No feature is used: no plane within the bound is better than none." in out
    assert "Always " in out
    guesses = run("predict", "xor.json", "xor.csv").out.split()[1:]
    assert len(set(guesses)) == 1


def test_planes_that_say_nothing_are_told_together(run: Run) -> None:
    rows = ["x,c", *(f"{i % 2},{'abcdefgh'[i % 8]}" for i in range(64))]
    Path("alike.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    out = run("plane", "alike.csv", "--target", "c", "--time-limit", 1e-9).out
    assert sum("Always" in line for line in out.splitlines()) == 1
    assert len(out.splitlines()) < 12


def test_what_n_features_counts_in_a_tree_is_said(run: Run) -> None:
    told = " ".join(run("plane", "--help-all").out.split())
    assert "With --depth it counts those of each plane, not of the tree." in told


def test_a_plane_with_nominal_features_is_drawn(run: Run) -> None:
    asked = ("plane", "weather.csv", "--target", "play", "--missing", "mean", "--plot", "play.png")
    ended = run(*asked)
    assert (ended.code, ended.err) == (0, "")
    for n in (1, 2, 3):
        assert run(*asked, "--selection", "limited", "--n-features", n).code == 0


@pytest.mark.parametrize("selection", ["bounded", "path", "none"])
def test_no_plane_in_time_is_said(run: Run, selection: str) -> None:
    asked = (*PLANE, "--selection", selection, "--time-limit", 1e-9)
    out = run(*asked).out
    assert "No feature is used: no plane was found before the search ended." in out
    assert "Error 1.96; the least with all features is not known." in out
    assert "better than none" not in out
    assert "allowed" not in out
    facts = json.loads(run(*asked, "--json").out)
    assert facts["least_error"] is None
    assert facts["status"] == "time_limit"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--depth", 2, "--prove", 3), "--prove is about one plane and does not go with --depth"),
        (("--depth", 2, "--plot", "x.png"), "--plot is about one plane"),
        (("--csv", "x.csv"), "--csv writes the path, so it needs --selection path."),
        (("--selection", "none", "--prove", 1), "--prove does not go with --selection none"),
        (("--selection", "limited"), "'limited' needs --n-features"),
        (("--n-features", 3), "Invalid value for '--n-features'"),
        (("--perturbation", 1), "--perturbation"),
        (("--n-jobs", 0), "'--n-jobs': 0 must be an int other than 0; use -1 for every core"),
        (("--n-features", 3), "3 goes with --selection limited or path, not with bounded"),
        (("--one-standard-error",), "--one-standard-error is about cross-validation, so it needs"),
        (("--folds", 3), "--folds is about cross-validation, so it needs --selection path or --depth."),
        (("--show-depth", 3), "--show-depth is about a tree of planes, so it needs --depth."),
    ],
)
def test_what_makes_no_sense_is_refused(run: Run, arguments, message: str) -> None:
    assert_refused(run("plane", "iris", *arguments), 2, message)


def test_missing_values_need_a_policy(run: Run) -> None:
    Path("holes.csv").write_text("a,c\n1,x\n,x\n3,y\n4,y\n", encoding="utf-8")
    assert_refused(run("plane", "holes.csv", "--target", "c"), 1, "has NaN at row 1")
    refused = run("plane", "holes.csv", "--target", "c").err
    assert "--missing raise does not take; choose --missing mean or drop" in " ".join(refused.split())
    assert run("plane", "holes.csv", "--target", "c", "--missing", "mean").code == 0


def test_comparison_in_every_form(run: Run) -> None:
    ended = run(*STUDY, "--csv", "folds.csv", "--plot", "page.svg")
    assert (ended.code, ended.err) == (0, "")
    assert "FM_RLP-P, paper" in ended.out
    assert len(Path("folds.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2 * 3
    assert Path("page.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert run(*STUDY, "--latex").out.count("tabular") == 2
    facts = json.loads(run(*STUDY, "--json").out)
    assert [row["method"] for row in facts["summary"]] == ["rlp_p", "fm_rlp_p"]
    assert facts["status"] == "complete"


def test_methods_are_named_once(run: Run) -> None:
    assert_refused(run(*STUDY, "--method", "rlp_p"), 2, "--method names 'rlp_p' more than once.")


def test_published_methods_are_not_named_twice(run: Run) -> None:
    assert_refused(run(*STUDY, "--published"), 2, "--published names methods itself")
