"""`studies.evaluate` and `treewright evaluate`: figures against scikit-learn's, folds against our own.

Inner names, as in unit tests: `cli._folds`: the choice of a threshold is held against trying all.
"""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics
from sklearn.model_selection import StratifiedKFold

from commands import Run, assert_refused
from treewright import GreedyTreeClassifier, ParameterError, Tree, datasets
from treewright.cli._folds import threshold_for
from treewright.studies import Share, evaluate, evaluate_answers


@st.composite
def answers(draw: st.DrawFn) -> tuple[list[str], list[str], np.ndarray, np.ndarray]:
    """Draw true classes, answers, probabilities and weights; every class occurs."""
    n_classes, n_rows = draw(st.integers(2, 4)), draw(st.integers(8, 40))
    labels = list("abcd"[:n_classes])
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    truth = [*labels, *rng.choice(labels, n_rows - n_classes)]
    told = rng.integers(0, 4, (n_rows, n_classes)) + 1e-3
    told /= told.sum(axis=1, keepdims=True)
    predicted = np.array(labels)[told.argmax(axis=1)]
    weights = rng.choice([0.5, 1.0, 3.0], n_rows)
    return [str(one) for one in truth], predicted.tolist(), told, weights


@settings(max_examples=60, deadline=None)
@given(answers())
def test_figures_are_those_of_sklearn(made: tuple[list[str], list[str], np.ndarray, np.ndarray]) -> None:
    truth, predicted, told, weights = made
    labels = sorted(set(truth))
    found = evaluate_answers(labels, truth, predicted, told, sample_weight=weights)
    how = {"sample_weight": weights}
    assert found.error.value == pytest.approx(1 - metrics.accuracy_score(truth, predicted, **how))
    matrix = metrics.confusion_matrix(truth, predicted, labels=labels, **how)
    np.testing.assert_allclose(found.confusion, matrix)
    assert found.log_loss == pytest.approx(metrics.log_loss(truth, told, labels=labels, **how))
    recalls = metrics.recall_score(truth, predicted, average=None, labels=labels, **how)
    precisions = metrics.precision_score(
        truth, predicted, average=None, labels=labels, zero_division=np.nan, **how
    )
    areas = [
        metrics.roc_auc_score([one == label for one in truth], told[:, i], **how)
        for i, label in enumerate(labels)
    ]
    for one, recall, precision, area in zip(found.per_class, recalls, precisions, areas, strict=True):
        assert one.recall.value == pytest.approx(recall)
        assert one.precision.value == pytest.approx(precision, nan_ok=True)
        assert one.auc == pytest.approx(area)
        assert 0 <= one.recall.low <= one.recall.value + 1e-12 <= one.recall.high + 2e-12
    if len(labels) == 2:
        is_second = [label == labels[1] for label in truth]
        assert found.brier == pytest.approx(metrics.brier_score_loss(is_second, told[:, 1], **how))
    assert sum(one.n_samples for one in found.calibration) == len(truth)
    assert json.loads(found.to_json())["n_samples"] == len(truth)


def test_intervals_are_wilsons() -> None:
    share = Share.of(1, 20, 20)
    assert (share.low, share.high) == pytest.approx((0.00888, 0.23613), abs=1e-5)
    assert Share.of(0, 10, 10).low == 0
    assert math.isnan(Share.of(0, 0, 0).value)


def test_weights_groups_and_repetitions_are_no_further_rows() -> None:
    rng = np.random.default_rng(0)
    truth = rng.choice(["a", "b"], 60).tolist()
    predicted = rng.choice(["a", "b"], 60).tolist()
    told = np.full((60, 2), 0.5)
    plain = evaluate_answers(["a", "b"], truth, predicted, told).error
    double = evaluate_answers(["a", "b"], truth * 2, predicted * 2, np.tile(told, (2, 1)), n_repeats=2).error
    grouped = evaluate_answers(
        ["a", "b"], truth * 2, predicted * 2, np.tile(told, (2, 1)), row_groups=[*range(60)] * 2
    ).error
    weighed = evaluate_answers(["a", "b"], truth, predicted, told, sample_weight=[7] * 60).error
    for other in (double, weighed):
        assert (other.value, other.low, other.high) == pytest.approx((plain.value, plain.low, plain.high))
    assert grouped.value == pytest.approx(plain.value)
    assert grouped.high - grouped.low == pytest.approx(plain.high - plain.low, rel=0.03)


def test_subgroups_costs_and_wrong_rows() -> None:
    iris = datasets.load("iris")
    model = GreedyTreeClassifier(max_depth=1).fit(iris)
    by = np.where(np.arange(150) % 2, "odd", "even")
    costs = [[0, 1, 1], [1, 0, 5], [1, 2, 0]]
    found = evaluate(model, iris, by=by, cost_matrix=costs)
    wrong = np.flatnonzero(model.predict(iris) != iris.classes[iris.target])
    assert found.wrong_rows.tolist() == wrong.tolist()
    assert sum(one.n_samples for one in found.groups.values()) == 150
    assert found.groups["odd"].error.value == pytest.approx((wrong % 2).sum() / 75)
    assert found.cost == pytest.approx(found.confusion.ravel() @ np.ravel(costs))
    assert found.to_frame().loc["all", "n_samples"] == 150


def test_a_class_that_the_model_does_not_know_is_wrong() -> None:
    found = evaluate_answers(["a", "b"], ["a", "z"], ["a", "b"], np.array([[1.0, 0.0], [0.5, 0.5]]))
    assert found.error.value == 0.5
    assert found.confusion.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert found.to_dict()["per_class"][2]["auc"] is None  # type: ignore[index]


# A threshold.


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.37, 0.5, 0.9, 1.0])
def test_a_tree_with_a_threshold_answers_by_it(threshold: float) -> None:
    cancer = datasets.load("breast-cancer")
    tree = GreedyTreeClassifier(max_depth=3).fit(cancer[::2]).tree_
    other = tree.deciding_above(threshold)
    assert other.decision_threshold == threshold
    share = tree.predict_proba(cancer)[:, 1]
    np.testing.assert_array_equal(other.predict(cancer) == tree.classes_[1], share > threshold)
    assert Tree.from_json(other.to_json()) == other


def test_a_threshold_that_cannot_be_is_refused() -> None:
    iris = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    with pytest.raises(ParameterError, match="is for two classes, and there are 3"):
        iris.deciding_above(0.5)
    cancer = datasets.load("breast-cancer")
    tree = GreedyTreeClassifier(cost_matrix=[[0, 1], [5, 0]]).fit(cancer).tree_
    with pytest.raises(ParameterError, match="goes with no cost matrix"):
        tree.deciding_above(0.5)
    with pytest.raises(ParameterError, match="is no share"):
        GreedyTreeClassifier().fit(cancer).tree_.deciding_above(1.5)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([0.0, 0.1, 0.4, 0.5, 1.0]), st.booleans()), min_size=1, max_size=20),
    st.booleans(),
    st.sampled_from([0.5, 0.8, 0.95, 1.0]),
)
def test_a_threshold_finds_enough_with_fewest_others(
    rows: list[tuple[float, bool]], is_second: bool, wanted: float
) -> None:
    shares, target = np.array([share for share, _ in rows]), np.array([int(one) for _, one in rows])
    positive = int(is_second)
    chosen = threshold_for(shares, target, positive, wanted)

    def found(threshold: float) -> tuple[float, float]:
        says = (shares > threshold).astype(int) == positive
        return float(says[target == positive].mean()), float(says[target != positive].sum())

    if (target == positive).any():
        most = 1.0 if is_second else 1 - 1e-9  # a row whose share of the positive class is 0 is never found
        tries = [found(t) for t in np.unique([0.0, 0.05, 0.25, 0.45, 0.75, 0.9, *shares]) if t <= most]
        enough = [others for share, others in tries if share >= wanted - 1e-9]
        share, others = found(chosen)
        if enough:
            assert share >= wanted - 1e-9
            assert others <= min(enough)
    mirrored = threshold_for(1 - shares, 1 - target, 1 - positive, wanted)
    if (target == positive).any():
        says, other = (shares > chosen).astype(int), (1 - shares > mirrored).astype(int)
        np.testing.assert_array_equal(says, 1 - other)


# The command.


def test_command_on_new_rows(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--max-depth", 1, "--out", "tree.json")
    lines = Path("weather.csv").read_text(encoding="utf-8").splitlines()
    Path("new.csv").write_text("\n".join([*lines[:1], *lines[5:], ""]), encoding="utf-8")
    ended = run("evaluate", "tree.json", "new.csv", "--by", "windy")
    assert (ended.code, ended.err) == (0, "")
    new = datasets.read_csv("new.csv", target="play")
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    by = [new.levels[3][code] for code in new.column(3)]  # type: ignore[index]
    assert evaluate(tree, new, by=by).to_text() in ended.out
    facts = json.loads(run("evaluate", "tree.json", "new.csv", "--json").out)
    assert facts["format"] == "treewright-evaluation"
    assert facts["model"]["provenance"]["command"].startswith("treewright fit")


def test_a_column_of_subgroups_brings_no_warnings_of_others(run: Run) -> None:
    lines = Path("weather.csv").read_text(encoding="utf-8").replace(",85,", ",n/a,").splitlines()
    Path("gaps.csv").write_text("\n".join([*lines, *lines[1:], ""]), encoding="utf-8")
    fit = ("fit", "gaps.csv", "--target", "play", "--missing-value", "n/a", "--out", "tree.json")
    assert run(*fit).code == 0
    for by in ("windy", "temperature"):
        ended = run("evaluate", "tree.json", "gaps.csv", "--target", "play", "--by", by, "--json")
        assert ended.code == 0
        assert "Warning" not in ended.err
        groups = [one["value"] for one in json.loads(ended.out)["groups"]]
        assert set(groups) & {"missing", "yes"}
        assert "n/a" not in groups
    Path("again.csv").write_text("\n".join([*lines, *lines[1:4], ""]), encoding="utf-8")
    assert run("evaluate", "tree.json", "again.csv", "--by", "windy").err == ""


def test_command_says_that_rows_are_known(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--drop", "windy", "--out", "tree.json")
    assert "Note: the tree was made from these rows" in run("evaluate", "tree.json", "weather.csv").err
    run("fit", "iris", "--out", "tree.json")
    assert "Note: the tree was made from these rows" in run("evaluate", "tree.json", "iris").err
    assert run("evaluate", "tree.json", "iris", "--cv", 2).err == ""


def test_cross_validation_makes_the_model_anew(run: Run) -> None:
    run("fit", "wine", "--max-depth", 3, "--prune", "none", "--out", "tree.json")
    facts = json.loads(
        run("evaluate", "tree.json", "wine", "--cv", 4, "--repeats", 2, "--seed", 7, "--json").out
    )
    wine = datasets.load("wine")
    wrong = 0
    for seed in (7, 8):
        for learning, judging in StratifiedKFold(4, shuffle=True, random_state=seed).split(
            wine.target, wine.target
        ):
            model = GreedyTreeClassifier(max_depth=3).fit(wine[learning])
            wrong += (model.predict(wine[judging]) != wine.classes[wine.target[judging]]).sum()
    assert facts["error"]["value"] == pytest.approx(wrong / (2 * 178))
    assert facts["n_samples"] == 178
    assert facts["cross_validation"]["n_done"] == 8


def table_of(n_rows: int) -> None:
    """Write a table with a time, a group and a number that tells the class now and then."""
    rng = np.random.default_rng(5)
    group = rng.integers(0, 12, n_rows)
    value = rng.normal(size=n_rows) + (group % 2)
    label = np.where(value + rng.normal(size=n_rows) > 1, "sick", "well")
    lines = [f"{i // 2},g{group[i]},{value[i]:.3f},{label[i]}" for i in range(n_rows)]
    Path("visits.csv").write_text("\n".join(["day,patient,value,state", *lines, ""]), encoding="utf-8")


@pytest.mark.parametrize("how", [["--row-group", "patient"], ["--time-column", "day"]])
def test_folds_by_group_and_in_time(run: Run, how: list[str]) -> None:
    table_of(240)
    line = ("visits.csv", "--target", "state", "--drop", "day", "--drop", "patient", "--max-depth", 2)
    run("fit", *line, "--out", "tree.json")
    ended = run("evaluate", "tree.json", "visits.csv", "--cv", 4, *how, "--json")
    assert (ended.code, ended.err) == (0, "")
    facts = json.loads(ended.out)
    assert facts["cross_validation"]["n_done"] == 4
    assert facts["n_samples"] == (240 if how[0] == "--row-group" else 192)
    assert 0.1 < facts["error"]["value"] < 0.4


def test_a_sensitivity_is_chosen_inside_of_the_folds_and_kept(run: Run) -> None:
    table_of(240)
    run("fit", "visits.csv", "--target", "state", "--drop", "patient", "--max-depth", 2, "--out", "tree.json")
    asked = ("--cv", 4, "--sensitivity", 0.9, "--positive", "sick", "--save-model", "kept.json")
    ended = run("evaluate", "tree.json", "visits.csv", *asked, "--json")
    assert (ended.code, ended.err) == (0, "")
    facts = json.loads(ended.out)
    assert facts["per_class"][0]["label"] == "sick"
    assert facts["per_class"][0]["recall"]["value"] > 0.8
    kept = Tree.from_json(Path("kept.json").read_text(encoding="utf-8"))
    assert kept.decision_threshold == facts["cross_validation"]["threshold"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--repeats", "2"], "--repeats goes with --cv N"),
        (["--sensitivity", "0.9"], "--sensitivity goes with --cv N"),
        (["--cv", "2", "--row-group", "windy", "--time-column", "outlook"], "give one of them"),
        (["--cv", "5", "--row-group", "windy"], "there are 2 groups, fewer than 5 folds"),
        (["--cv", "2", "--row-group", "colour"], "no column 'colour'"),
        (["--cv", "2", "--sensitivity", "0.9", "--positive", "maybe"], "'maybe' is no class"),
        (["--cv", "2", "--positive", "yes"], "--positive goes with --sensitivity"),
    ],
)
def test_what_does_not_go_together_is_refused(run: Run, options: list[str], message: str) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    assert_refused(run("evaluate", "tree.json", "weather.csv", *options), 2, message)


@pytest.mark.parametrize("rows", [(), ("iris",)])
def test_a_tree_that_was_pruned_is_grown_and_pruned_in_every_fold(run: Run, rows: tuple[str, ...]) -> None:
    """What one command makes, and what two make, are the same and as good."""
    rule, grafting = ("--confidence", 0.05), ("--no-grafting",)
    run("fit", "iris", *rule, *grafting, "--prune", "error-based", "--out", "one.json")
    run("fit", "iris", "--prune", "none", "--out", "tree.json")
    run("prune", "tree.json", *rows, *rule, *grafting, "--out", "two.json")
    found = [
        json.loads(run("evaluate", model, "iris", "--cv", 4, "--repeats", 2, "--json").out)
        for model in ("one.json", "two.json")
    ]
    assert found[0]["confusion"] == found[1]["confusion"]
    assert found[0]["cross_validation"]["mean_leaves"] == found[1]["cross_validation"]["mean_leaves"]
    whole = json.loads(run("evaluate", "tree.json", "iris", "--cv", 4, "--repeats", 2, "--json").out)
    assert whole["cross_validation"]["mean_leaves"] > found[1]["cross_validation"]["mean_leaves"]
    ended = run("rerun", "two.json")
    assert (ended.code, "The same result." in ended.out) == (0, True)


def test_rows_that_prune_every_fold_are_told_of(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--prune", "none", "--out", "tree.json")
    Path("others.csv").write_text(Path("weather.csv").read_text(encoding="utf-8"), encoding="utf-8")
    run(
        "prune", "tree.json", "others.csv", "--target", "play", "--rule", "reduced-error", "--out", "two.json"
    )
    ended = run("evaluate", "two.json", "weather.csv", "--cv", 2)
    assert ended.code == 0
    assert "every fold is pruned by others.csv, so its rows must be others than those of DATA" in ended.err


def test_a_model_that_cannot_be_made_anew_is_refused(run: Run) -> None:
    model = GreedyTreeClassifier().fit(datasets.load("iris"))
    Path("plain.json").write_text(model.tree_.to_json(), encoding="utf-8")
    assert_refused(run("evaluate", "plain.json", "iris", "--cv", 2), 2, "does not say which command made it")


def test_no_loss_is_zero_without_a_sign() -> None:
    found = evaluate_answers(["a", "b"], ["a", "b"], ["a", "b"], np.eye(2))
    assert math.copysign(1.0, found.log_loss) == 1.0
