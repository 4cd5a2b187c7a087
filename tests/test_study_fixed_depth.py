"""The study of fixed-depth trees: folds, rivals, tests, tables, drawings, the published numbers.

Inner names, as in unit tests: `studies.common.published`, `studies.common.statistics` and
`studies.fixed_depth.run`: statistics and rivals are compared with other libraries, one by one.
"""

from __future__ import annotations

import math
import os
import pickle

import numpy as np
import pytest
from scipy import stats

from fixed_depth_cases import random_dataset
from treewright import Dataset, FixedDepthTreeClassifier, GreedyTreeClassifier, ParameterError, datasets
from treewright.studies import compare_fixed_depth, published_sets
from treewright.studies.common.published import missing_as_value
from treewright.studies.common.statistics import corrected_t
from treewright.studies.fixed_depth.run import codes_of, naive_bayes

needs_folder = pytest.mark.skipif(
    "TREEWRIGHT_DATA" not in os.environ, reason="TREEWRIGHT_DATA names no folder"
)


@pytest.fixture(scope="module")
def study():
    options = {"depths": [1, 2], "cv": 3, "repeats": 2, "time_searches": True, "progress": False}
    return compare_fixed_depth(["monks-1", "iris"], **options)


def test_every_method_is_judged_on_every_fold(study):
    assert study.methods == ("depth 1", "depth 2", "id3", "naive_bayes")
    assert len(study.per_fold) == 2 * 6 * 4
    assert study.status == "complete"
    assert np.isnan(study.per_fold["expected_accuracy"][study.per_fold["method"] == "id3"]).all()
    assert study.data_sets["n_values"].tolist() == [17, 8]


def test_a_fold_can_be_run_again(study):
    from sklearn.model_selection import RepeatedStratifiedKFold

    data = datasets.load("iris")
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2, random_state=0)
    training, held_out = list(folds.split(np.zeros(150), data.target))[4]
    model = FixedDepthTreeClassifier(max_depth=2).fit(data[training])
    y = data.classes[data.target]
    error = 1 - np.mean(model.predict(data[held_out]) == y[held_out])
    rows = study.per_fold
    row = rows[(rows["data"] == "iris") & (rows["repeat"] == 1) & (rows["fold"] == 1)]
    assert row["error"][row["method"] == "depth 2"][0] == pytest.approx(error)
    assert row["expected_accuracy"][row["method"] == "depth 2"][0] == model.expected_accuracy_


def test_summary_averages_and_frame(study):
    rows = study.per_fold[study.per_fold["method"] == "id3"]
    by_set = [rows["error"][rows["data"] == name].mean() for name in ("monks-1", "iris")]
    assert study.averages["id3"] == pytest.approx(np.mean(by_set))
    frame = study.to_frame()
    assert len(frame) == 8
    assert frame.loc[frame["method"] == "id3", "p_value"].isna().all()


def test_tests_over_sets_are_those_of_scipy(study):
    summary = study.summary
    errors = {m: summary["error"][summary["method"] == m] for m in study.methods}
    expected = stats.ttest_rel(errors["depth 2"], errors["id3"])
    tests = study.tests
    row = tests[(tests["data"] == "all sets") & (tests["method"] == "depth 2")]
    assert row["p_value"][0] == pytest.approx(expected.pvalue)
    assert row["t"][0] == pytest.approx(expected.statistic)


def test_shared_samples_widen_the_test_over_folds():
    differences = np.array([0.1, 0.2, 0.05, 0.12])
    plain, corrected = corrected_t(differences, 0.0), corrected_t(differences, 0.25)
    assert plain[2] == pytest.approx(stats.ttest_1samp(differences, 0).pvalue)
    assert corrected[1] == pytest.approx(plain[1] / math.sqrt(1 + 4 * 0.25))
    assert corrected_t(np.zeros(4), 0.0)[1:3] == (0.0, 1.0)
    assert corrected_t(np.full(4, -0.5), 0.0)[1:3] == (-math.inf, 0.0)
    assert math.isnan(corrected_t(np.array([0.5]), 0.0)[2])


def test_times_and_scaling(study):
    times = study.times
    assert set(times["solver"][times["data"] == "iris"].tolist()) == {"bounded", "id3"}
    assert set(times["solver"][times["data"] == "monks-1"].tolist()) == {"bounded", "feature_list", "id3"}
    assert (times["seconds"] > 0).all()
    assert study.scaling["n_features"].tolist() == [3, 6]
    np.testing.assert_allclose(
        study.scaling["ratio"], study.scaling["exhaustive"] / study.scaling["feature_list"]
    )


def test_text_latex_and_drawings(study):
    lines = study.to_text().splitlines()
    assert any(line.startswith("monks-1") for line in lines)
    assert any(line.startswith("average") for line in lines)
    assert max(map(len, study.to_text(80).splitlines())) <= 80
    assert study.to_latex().count("\\\\") == 5
    assert [column.name for column in study.table().columns][-2:] == [
        "ID3, depth 3",
        "naive Bayes",
    ]
    assert len(study.plot().axes) == 3
    assert study.plot_errors().get_ylabel() == "error on held-out samples, %"
    assert study.plot_times().get_yscale() == "log"
    assert study.plot_speed_up().get_xlabel() == "number of features"


def test_folds_side_by_side_are_the_same(study):
    options = {"depths": [1, 2], "cv": 3, "repeats": 2, "progress": False, "n_jobs": 2}
    again = compare_fixed_depth(["monks-1", "iris"], **options)
    for name in ("data", "method", "repeat", "fold", "error"):
        np.testing.assert_array_equal(again.per_fold[name], study.per_fold[name])
    assert len(pickle.loads(pickle.dumps(again)).per_fold) == len(study.per_fold)


def test_callback_stops_after_a_fold():
    stopped = compare_fixed_depth(
        "monks-1", depths=[1], repeats=1, progress=False, callback=lambda p: p.done == 2
    )
    assert stopped.status == "stopped"
    assert len(stopped.per_fold) == 2 * 3
    assert "Stopped after 2 folds" in str(stopped)


def test_rivals_are_what_they_are_called():
    data = random_dataset(np.random.default_rng(0), 60, [2, 3, 4])
    model = naive_bayes(data, 1.0)
    from sklearn.naive_bayes import CategoricalNB

    codes = np.column_stack([data.column(i) for i in range(3)])
    plain = CategoricalNB(min_categories=[2, 3, 4]).fit(codes, data.classes[data.target])
    np.testing.assert_allclose(model.predict_proba(codes_of(data)), plain.predict_proba(codes))
    assert GreedyTreeClassifier.id3(max_depth=3).fit(data).tree_.max_depth <= 3


def test_missing_values_are_values_for_naive_bayes():
    data = Dataset.from_columns({"a": ["x", None, "y", None], "b": ["u", "v", "u", "v"]}, [0, 1, 0, 1])
    assert codes_of(data)[:, 0].tolist() == [0, 2, 1, 2]
    assert naive_bayes(data, 1.0).predict(codes_of(data)).tolist() == [0, 1, 0, 1]
    assert missing_as_value(data).levels == [["?", "x", "y"], ["u", "v"]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"depths": []}, "depths="),
        ({"depths": [1, 1]}, "each once"),
        ({"depths": "12"}, "depths="),
        ({"id3_depth": -1}, "id3_depth=-1"),
        ({"cv": 1}, "cv=1"),
        ({"repeats": 0}, "repeats=0"),
        ({"value_prior": -1}, "value_prior=-1"),
        ({"n_jobs": 0}, "n_jobs=0"),
    ],
    ids=lambda part: str(part),
)
def test_what_cannot_be_is_refused(options, message):
    with pytest.raises(ParameterError, match=message):
        compare_fixed_depth("monks-1", **options)


@needs_folder
def test_published_sets_are_as_the_paper_counts_them():
    sizes = {name: data.shape for name, data in published_sets("fixed_depth").items()}
    assert sizes == {
        "tic-tac-toe": (958, 9),
        "flare": (1066, 10),
        "hepatitis": (80, 13),
        "crx": (653, 13),
        "vote": (435, 16),
        "lymph": (142, 18),
        "chess": (3196, 36),
        "connect-4": (5000, 42),
        "promoters": (106, 57),
    }
    assert all(len(data.classes) == 2 for data in published_sets("fixed_depth").values())


@needs_folder
@pytest.mark.slow
def test_published_experiment_is_reproduced():
    averages = compare_fixed_depth(progress=False).averages
    expected = {
        "depth 1": 0.227,
        "depth 2": 0.190,
        "depth 3": 0.179,
        "depth 4": 0.172,
        "id3": 0.190,
        "naive_bayes": 0.169,
    }
    assert averages == pytest.approx(expected, abs=0.01)


@needs_folder
@pytest.mark.slow
def test_the_list_saves_in_proportion_to_the_features():
    study = compare_fixed_depth("promoters", depths=[3], repeats=1, time_searches=True, progress=False)
    ratio = study.scaling["ratio"]
    assert ratio[-1] >= 10
    assert ratio[-1] > 2 * ratio[len(ratio) // 3]
