"""The comparison of planes with their rivals: what every method is, its numbers, the published table.

Inner names, as in unit tests: `studies.common.folds` and `studies.planes.run`: statistics and
rivals are compared with other libraries, one by one.
"""

import importlib.util
import os
from itertools import product

import numpy as np
import pytest

from published_planes import FIGURES, assert_agrees
from treewright import DataError, ParameterError, RobustLinearClassifier, datasets
from treewright.studies import compare_planes, published_sets
from treewright.studies.common.folds import Splitting, folds_of
from treewright.studies.planes.run import (
    METHODS,
    l1_svm_of_size,
    rfe_svm,
    used_features,
)

needs_data = pytest.mark.skipif(
    "TREEWRIGHT_DATA" not in os.environ, reason="TREEWRIGHT_DATA names no folder of data sets"
)
ALL_BUT_ABESS = [method for method in METHODS if method != "abess_k"]


@pytest.fixture(scope="module")
def small():
    dataset = datasets.load("wdbc")
    rows = np.random.default_rng(0).permutation(dataset.n_samples)[:150]
    return dataset[np.sort(rows)]


@pytest.fixture(scope="module")
def study(small):
    return compare_planes(
        {"small": small}, methods=ALL_BUT_ABESS, cv=2, repeats=2, n_features=3, progress=False
    )


def test_every_method_has_every_fold(study):
    assert study.status == "complete"
    assert study.methods == tuple(ALL_BUT_ABESS)
    assert len(study.per_fold) == 4 * len(ALL_BUT_ABESS)
    assert (study.per_fold["seconds"] > 0).all()
    assert ((study.per_fold["error"] >= 0) & (study.per_fold["error"] <= 0.5)).all()


@pytest.mark.parametrize(
    ("method", "perturbation", "asked"),
    [
        ("rlp", 0.0, {"selection": None}),
        ("fm_rlp_p", 0.02, {"search": "paper", "refit": False}),
        ("fm_rlp_p_swap", 0.02, {}),
        ("path_p", 0.02, {"selection": "path", "n_features": 3}),
    ],
)
def test_planes_are_those_of_the_classifier(study, small, method, perturbation, asked):
    fold = next(iter(folds_of("small", small, Splitting(2, 2, 0.0, study.settings["random_state"]))))
    model = RobustLinearClassifier(perturbation=perturbation, **asked).fit(fold.training)
    row = study.per_fold[study.per_fold["method"] == method][0]
    held_out = fold.held_out
    error = (model.predict(held_out) != held_out.classes[held_out.target]).mean()
    assert row["error"] == pytest.approx(error)
    assert row["n_features"] == model.n_features_used_


def test_rivals_of_the_same_size_have_at_most_the_size_of_the_path(study):
    path = study.per_fold[study.per_fold["method"] == "path"]["n_features"]
    svm = study.per_fold[study.per_fold["method"] == "l1_svm_k"]["n_features"]
    rfe = study.per_fold[study.per_fold["method"] == "rfe_svm_k"]["n_features"]
    assert (svm <= np.maximum(path, 1)).all()
    assert np.array_equal(rfe, np.maximum(path, 1))


def test_summary_is_of_the_folds(study):
    for row in study.summary.records():
        folds = study.per_fold[study.per_fold["method"] == row["method"]]
        assert row["n_folds"] == 4
        assert row["error"] == pytest.approx(folds["error"].mean())
        means = [folds["error"][folds["repeat"] == repeat].mean() for repeat in (0, 1)]
        assert (row["error_low"], row["error_high"]) == pytest.approx((min(means), max(means)))
        expected = np.sqrt(folds["error"].var(ddof=1) * (1 / 4 + 1))
        assert row["standard_error"] == pytest.approx(expected)


def test_path_is_judged_at_equal_size(study):
    against = study.against_path
    assert against["method"].tolist() == ["l1_svm_k", "rfe_svm_k"]
    for row in against.records():
        path, rival = (
            study.per_fold[study.per_fold["method"] == method]["error"] for method in ("path", row["method"])
        )
        assert row["difference"] == pytest.approx((path - rival).mean())
        assert row["is_worse"] == (row["difference"] > row["standard_error"])


def test_it_prints_and_becomes_a_frame(study):
    text = study.to_text()
    assert "L1-SVM, k" in text
    assert "Error of path, RLP, less that of L1-SVM, k, in points: small" in text
    assert "small, 150 x 30" in text
    assert study.to_latex().count("tabular") == 2
    assert len(study.to_frame()) == len(ALL_BUT_ABESS)
    assert repr(study).startswith("<PlaneComparison: rlp, fm_rlp")


def test_numbers_do_not_depend_on_n_jobs(small):
    asked = {"methods": ["fm_rlp_p", "l1_svm_k"], "cv": 2, "n_features": 2, "progress": False}
    one, two = (compare_planes({"small": small}, n_jobs=n, **asked).per_fold for n in (None, 2))
    fields = ["error", "training_error", "n_features"]
    assert one[fields].tolist() == two[fields].tolist()


def test_a_callback_ends_it(small):
    ended = compare_planes(
        {"small": small},
        methods=["rlp_p"],
        cv=5,
        progress=False,
        callback=lambda progress: progress.done == 2,
    )
    assert ended.status == "stopped"
    assert len(ended.per_fold) == 2
    assert "Stopped after 2 folds." in ended.to_text()


def test_a_missing_package_is_named_in_the_notes(small, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    study = compare_planes({"small": small}, methods=["rlp_p", "abess_k"], cv=2, progress=False)
    assert study.absent == ("abess_k",)
    assert study.methods == ("rlp_p",)
    assert "Left out: abess, k (the package is not installed)." in study.to_text()


@pytest.mark.skipif(importlib.util.find_spec("abess") is None, reason="abess is not installed")
def test_abess_takes_as_many_features_as_the_path(small):
    study = compare_planes({"small": small}, methods=["path", "abess_k"], n_features=3, cv=2, progress=False)
    path, abess = (study.per_fold[study.per_fold["method"] == method] for method in study.methods)
    assert np.array_equal(abess["n_features"], path["n_features"])


def test_rivals_of_a_size_keep_it(small):
    Z = np.column_stack([small.column(i) for i in range(small.n_features)])
    Z = (Z - Z.mean(axis=0)) / Z.std(axis=0)
    feature_of = np.arange(small.n_features)
    for size in (1, 3, 8):
        sparse = l1_svm_of_size(Z, small.target, feature_of, size)
        assert 1 <= used_features(sparse, feature_of) <= size
        assert used_features(rfe_svm(Z, small.target, size), feature_of) == size


@pytest.mark.parametrize("methods", [[], ["rlp", "rlp"], ["svm"]])
def test_methods_are_checked(methods):
    with pytest.raises(ParameterError, match="methods="):
        compare_planes("iris", methods=methods, progress=False)


def test_published_sets_need_a_folder(tmp_path):
    (tmp_path / "index.json").write_text('{"datasets": []}', encoding="utf-8")
    with pytest.raises(DataError, match="heart, cancer, sonar, house cannot be had"):
        published_sets("planes", folder=tmp_path)


# The published table.


@needs_data
def test_published_sets_are_those_of_the_paper():
    sets = published_sets("planes")
    sizes = {name: (dataset.n_samples, dataset.n_features) for name, dataset in sets.items()}
    assert sizes == {"heart": (297, 13), "cancer": (683, 9), "sonar": (208, 60), "house": (435, 16)}
    assert all(len(dataset.classes) == 2 for dataset in sets.values())
    assert set(np.unique(sets["house"].column(0))) == {-2.0, 0.0, 2.0}


@pytest.mark.slow
@needs_data
def test_the_published_table():
    methods = ["rlp", "fm_rlp", "rlp_p", "fm_rlp_p"]
    found = compare_planes(methods=methods, repeats=5, progress=False).per_fold
    for data, method in product(FIGURES, methods):
        folds = found[(found["data"] == data) & (found["method"] == method)]
        assert len(folds) == 50
        assert_agrees(data, method, folds["error"], folds["n_features"])
