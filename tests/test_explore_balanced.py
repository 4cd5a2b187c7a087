"""A balanced error: answers count classes alike, and every share that is shown is of the rows as they are.

Beside the public names `_base.clock` is used for a clock without end, `exploration.families` for all of them.
"""

from __future__ import annotations

import csv
import html
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from commands import Run
from treewright import Dataset, FixedDepthTreeClassifier, Tree, explore
from treewright._base.clock import Clock
from treewright.exploration import Asked, Exploration, Family
from treewright.exploration.families import FAMILIES

N, SICK = 240, 30


def rare(seed: int = 0) -> Dataset:
    """Return rows with a rare class, and a feature that tells something of it."""
    rng = np.random.default_rng(seed)
    y = np.where(np.arange(N) < SICK, "sick", "well")
    crp = (rng.normal(size=N) + 1.3 * (y == "sick")).round(1)
    ward = [f"w{i}" for i in rng.integers(0, 3, N)]
    return Dataset.from_columns({"crp": crp, "ward": ward, "age": rng.integers(18, 90, N)}, y)


@pytest.fixture(scope="module")
def found() -> Exploration:
    families = ["best_first"]
    return explore(rare(), families=families, metric="balanced_error", cv=4, inner_cv=2, size_price=0.02)


def shares_of_rows(tree: Tree, rows: Dataset) -> np.ndarray:
    """Count the rows of every leaf by hand; a row is told the shares of its leaf."""
    leaves = tree.apply(rows)
    return np.array([np.bincount(rows.target[leaves == leaf], minlength=2) for leaf in leaves]) / np.array(
        [[np.count_nonzero(leaves == leaf)] for leaf in leaves]
    )


def trees_of(rows: Dataset, asked: Asked) -> Iterator[tuple[str, Tree]]:
    for name, family in FAMILIES.items():
        if isinstance(family, Family):
            yield from ((name, tree) for tree in family.trees(rows, asked, Clock(None))[:2])


def test_probabilities_of_every_family_are_shares_of_rows() -> None:
    rows = rare()
    asked = Asked(*rows.shape, None, None, "balanced", 0)
    for name, tree in trees_of(rows, asked):
        assert (tree.probability, tree.class_factors is None) == ("raw", False), name
        if name != "fixed_depth":
            np.testing.assert_allclose(tree.predict_proba(rows), shares_of_rows(tree, rows), err_msg=name)
    plain = Asked(*rows.shape, None, None, None, 0)
    assert {tree.probability for _, tree in trees_of(rows, plain)} == {"weighted"}


def test_the_class_stays_that_of_equal_classes(found: Exploration) -> None:
    rows, tree = rare(), found.tree_
    shares = shares_of_rows(tree, rows) / np.bincount(rows.target)
    assert tree.predict(rows).tolist() == rows.classes[shares.argmax(axis=1)].tolist()
    assert (tree.predict_proba(rows).argmax(axis=1) != shares.argmax(axis=1)).any()


def test_every_form_tells_the_same_shares(found: Exploration) -> None:
    tree = found.tree_
    told = {}
    for leaf in np.flatnonzero(tree.n_children == 0).tolist():
        n, sick = int(tree.n_samples[leaf]), int(tree.class_counts[leaf][0])
        own = sick if tree.classes_[tree.node_class[leaf]] == "sick" else n - sick
        told[leaf] = n, n - own, own / n
        pair = f"({n}/{n - own})" if n > own else f"({n})"
        assert pair in found.to_text()
        drawn = f"{min(max(round(100 * own / n), 1), 99) if own < n else 100} % {pair}"
        for picture in (tree.to_svg(), found.to_html()):
            assert drawn in picture
    for rule in tree.rules().rules:
        n, errors, share = told[rule.node]
        assert (rule.figures.n, rule.figures.errors) == (n, errors)
        assert rule.figures.share == pytest.approx(share)
        assert rule.figures.coverage == pytest.approx(n / N)
    assert "where answers are chosen" in tree.rules().to_text().replace("\n", " ")
    assert "Counts and probabilities are of the rows as they are" in found.to_text().replace("\n", " ")
    page = html.unescape(found.to_html())
    assert "Counts and probabilities are of the rows as they are" in page
    assert "shares are of weight" not in page
    assert "coverage" not in page
    assert "Trees chosen this way have a balanced error of" in page


def test_precision_and_calibration_are_of_the_rows(found: Exploration) -> None:
    evaluation, answers = found.evaluation_, found.evaluation_.answers
    sick = answers.predicted == 0
    assert evaluation.confusion.sum() == N
    assert evaluation.per_class[0].precision.value == pytest.approx((answers.target[sick] == 0).mean())
    recalls = [one.recall.value for one in evaluation.per_class]
    assert evaluation.error.value == pytest.approx(1 - np.mean(recalls))
    bins = evaluation.calibration
    assert sum(one.n_samples for one in bins) == N
    assert sum(one.observed.value * one.n_samples for one in bins) == pytest.approx(N - SICK)
    assert sum(one.predicted * one.n_samples for one in bins) == pytest.approx(N - SICK, rel=0.05)
    precision = f"{evaluation.per_class[0].precision.value:.1%}"
    for text in (found.to_text(), found.to_html()):
        assert precision in text
        assert "precision" in text
        assert "turned out so" in text
    assert "balanced error" in str(evaluation).splitlines()[0]
    groups = found.to_dict()["evaluation"]
    assert groups["per_class"][0]["precision"]["value"] == pytest.approx(
        evaluation.per_class[0].precision.value
    )


def test_the_majority_has_one_figure(found: Exploration) -> None:
    row = next(one for one in found.families_.records() if one["family"] == "majority")
    figure = f"{row['error']:.1%}"
    assert f"The majority class alone: a balanced error of {figure}" in found.to_text().replace("\n", " ")
    assert f"most frequent class: a balanced error of {figure}" in html.unescape(found.to_html())
    assert found.figure_of("majority") == row["error"]


def test_questions_are_those_of_rows(found: Exploration) -> None:
    tree = found.tree_
    depths = tree.depth[tree.apply(rare())]
    front = found.front_
    own = front[(front["family"] == found.choice_.family) & (front["candidate"] == found.choice_.candidate)]
    assert own["questions"][0] == pytest.approx(depths.mean())


def test_naive_bayes_is_named_where_it_made_the_shares() -> None:
    rows = rare()
    tree = FixedDepthTreeClassifier(max_depth=2, binning="supervised").fit(rows).threshold_tree()
    assert "under naive Bayes" in tree.to_svg()
    assert "have different weights" not in tree.to_svg() + tree.rules().to_text()
    own = tree.rules().rules[0]
    assert own.figures.share == pytest.approx(
        tree.class_weights[own.node].max() / tree.weight[own.node], rel=1e-9
    )


def test_commands_tell_the_shares_of_rows(run: Run) -> None:
    rows = rare()
    columns = [rows.columns()[0], [rows.levels[1][code] for code in rows.columns()[1]], rows.columns()[2]]
    labels = rows.classes[rows.target]
    lines = [",".join(map(str, row)) for row in zip(*columns, labels, strict=True)]
    Path("rare.csv").write_text("\n".join(["crp,ward,age,state", *lines, ""]), encoding="utf-8")
    line = ("explore", "rare.csv", "--target", "state", "--family", "best_first", "--cv", 3, "--inner-cv", 2)
    how = ("--metric", "balanced_error", "--size-price", 0.02)
    assert run(*line, *how, "--out", "report.html", "--save-model", "tree.json").code == 0
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    told = run("predict", "report.html", "rare.csv", "--proba")
    assert "of weights" not in told.err
    answers = list(csv.DictReader(io.StringIO(told.out)))
    expected = shares_of_rows(tree, rows)[:, 0]
    np.testing.assert_allclose([float(row["probability of sick"]) for row in answers], expected)
    Path("one.csv").write_text("\n".join(["crp,ward,age,state", lines[0], ""]), encoding="utf-8")
    explained = run("explain", "report.html", "--row", "one.csv").out
    share = json.loads(run("explain", "report.html", "--row", "one.csv", "--json").out)
    own = re.search(r"probability ([\d.]+)%", explained)
    answer = expected[0] if tree.predict(rows)[0] == "sick" else 1 - expected[0]
    assert own is not None
    assert float(own[1]) == pytest.approx(100 * answer, abs=0.05)
    assert "of their weights" not in explained
    assert share["format"] == "treewright-explanation"
    assert "shares are of rows" in run("draw", "tree.json").out
