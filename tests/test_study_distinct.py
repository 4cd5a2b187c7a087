"""The study of distinct trees: its numbers against brute force, what is cut short, how it ends.

Inner names, as in unit tests: `data.training`: a column is looked at before it is part of a table.
`studies.distinct_trees.run`: statistics and rivals are compared with other libraries, one by one.
`trees.growing`: a tree is grown by hand beside the one of the search.
"""

from __future__ import annotations

import math
import pickle
from itertools import combinations

import numpy as np
import pytest
from sklearn.datasets import load_wine

from treewright import GreedyTreeClassifier, ParameterError, datasets
from treewright.data.training import TrainingSet
from treewright.studies import (
    DistinctTreeStudy,
    compare_selection,
    study_distinct_trees,
)
from treewright.studies.distinct_trees.run import drawn_subsets, exhaustive_time
from treewright.trees.growing import Growing

QUICK = {"cv": 2, "max_grown": 20, "progress": False}
TIMES = ("seconds", "seconds_grown", "std_error")


@pytest.fixture(scope="module")
def study() -> DistinctTreeStudy:
    return study_distinct_trees("wine", min_samples_split=[64, 16], cv=3, max_grown=50, progress=False)


def without_times(table) -> list[tuple[object, ...]]:
    return table[[name for name in table.dtype.names if name not in TIMES]].tolist()


def same(one: DistinctTreeStudy, other: DistinctTreeStudy) -> bool:
    """Whether all but the times is the same."""
    tables = ("counts", "distribution", "exhaustive", "per_fold")
    return all(without_times(getattr(one, name)) == without_times(getattr(other, name)) for name in tables)


# The numbers.


@pytest.mark.parametrize("size", [1, 4, 12])
def test_counts_are_those_of_brute_force(size):
    table = datasets.make_random_table(40, n_numeric=2, n_nominal=3, missing_share=0.1, random_state=size)
    growing = Growing.of(GreedyTreeClassifier(min_samples_split=size))
    training = TrainingSet.of(table, owner="test")
    subsets = [subset for k in range(6) for subset in combinations(range(5), k)]
    used = {tuple(growing.grow(training, list(subset)).used_features.tolist()) for subset in subsets}
    orders = ("frontier", "frontier_descending", "index", "index_descending")
    study = study_distinct_trees(table, min_samples_split=size, orders=orders, **QUICK)
    assert study.counts["n_distinct"].tolist() == [len(used)] * 4
    assert study.distribution["n_trees"].tolist() == [sum(len(u) == k for u in used) for k in range(6)]
    assert study.distribution["n_subsets"].tolist() == [1, 5, 10, 10, 5, 1]
    assert (study.counts["overhead"] == study.counts["n_built"] / study.counts["n_distinct"]).all()
    assert (study.counts["share"] == 1).all()
    assert study.exhaustive[["n_grown", "is_estimated"]].tolist() == [(20, True)]


def test_errors_are_those_of_the_comparison_for_each_m(study):
    for size in (16, 64):
        alone = compare_selection(
            "wine", estimator=GreedyTreeClassifier(min_samples_split=size), cv=3, repeats=1, progress=False
        )
        folds = study.per_fold[study.per_fold["min_samples_split"] == size]
        assert list(folds.dtype.names[1:]) == list(alone.per_fold.dtype.names[1:])
        for method in ("top", "backward"):
            mine, others = (part[part["method"] == method] for part in (folds, alone.per_fold))
            for name in ("seed", "error", "validation_error", "n_used", "n_trees_built"):
                assert mine[name].tolist() == others[name].tolist()
        expected = alone.summary[["method", "error", "error_std", "validation_error"]].tolist()
        errors = study.errors[study.errors["min_samples_split"] == size]
        mine = errors[["method", "error", "error_std", "validation_error"]].tolist()
        assert [row for row in mine if row[0] in ("top", "backward")] == expected


def test_values_of_m_are_ascending_and_default_to_half_the_samples(study):
    assert study.settings["min_samples_split"] == (16.0, 64.0)
    usual = study_distinct_trees("iris", **QUICK)
    assert usual.settings["min_samples_split"] == (2.0, 8.0, 32.0)


# Exhaustive search.


def time_of(n_features: int, **options):
    table = datasets.make_random_table(30, n_numeric=n_features, n_nominal=0, random_state=0)
    growing = Growing.of(GreedyTreeClassifier())
    return exhaustive_time(
        TrainingSet.of(table, owner="test"),
        growing,
        **{"most": 100, "seed": 0, "time_limit": None, **options},
    )


def test_few_subsets_are_all_grown():
    spent = time_of(5)
    assert (spent.n_grown, spent.is_estimated, spent.std_error) == (32, False, 0)
    assert spent.seconds == spent.seconds_grown > 0


@pytest.mark.parametrize("n_features", [8, 30])
def test_many_are_estimated_from_some_and_called_so(n_features):
    spent = time_of(n_features)
    assert (spent.n_grown, spent.is_estimated) == (100, True)
    assert spent.seconds == pytest.approx(2**n_features * spent.seconds_grown / 100)
    assert 0 < spent.std_error < spent.seconds


def test_a_time_limit_leaves_an_estimate():
    spent = time_of(3, time_limit=1e-9)
    assert (spent.n_grown, spent.is_estimated) == (1, True)
    assert math.isnan(spent.std_error)
    assert spent.seconds == 8 * spent.seconds_grown


def test_more_subsets_than_a_float_holds_take_for_ever():
    assert time_of(1100, most=2).seconds == math.inf


def test_subsets_are_drawn_all_alike_and_by_seed():
    assert sorted(drawn_subsets(3, 100, 0)) == sorted(
        list(s) for k in range(4) for s in combinations(range(3), k)
    )
    few = list(drawn_subsets(6, 10, 0))
    assert len({tuple(subset) for subset in few}) == 10
    many = list(drawn_subsets(40, 500, 0))
    assert many == list(drawn_subsets(40, 500, 0)) != list(drawn_subsets(40, 500, 1))
    assert np.mean([len(subset) for subset in many]) == pytest.approx(20, abs=0.5)


# The same whatever the way.


def test_settings_make_the_same_study(study):
    assert same(study, study_distinct_trees(load_wine(return_X_y=True), **study.settings, n_jobs=2))
    assert same(study, pickle.loads(pickle.dumps(study)))


def test_name_and_form_of_data(study):
    named = study_distinct_trees({"reds": "wine"}, min_samples_split=64, **QUICK)
    assert (named.name, named.n_samples, named.n_features) == ("reds", 178, 13)
    assert repr(named) == "<DistinctTreeStudy: reds, 13 features, 1 value of m, complete>"
    with pytest.raises(ParameterError, match="data holds 2 data sets, 'iris', 'wine'; give one"):
        study_distinct_trees(["iris", "wine"])


# What comes out.


def test_prints_one_line_an_m(study):
    lines = str(study).splitlines()
    assert lines[0] == "Distinct trees of wine: 178 samples, 13 features"
    assert lines[4].split()[:5] == ["16", "1,886", "1.002", "1.546", "1.514"]
    assert "≈" in lines[4]
    assert "trees of 50 random subsets, times 2^13." in str(study)
    assert study.to_latex().count(r"\\") == 4
    assert r"$\approx$" in study.to_latex()


def test_frame_has_a_row_an_m(study):
    frame = study.to_frame()
    assert frame.index.tolist() == [16, 64]
    assert frame["frontier_n_distinct"].tolist() == [1886, 376]
    assert frame["exhaustive_is_estimated"].tolist() == [True, True]
    top = study.errors[study.errors["method"] == "top"]
    assert frame["top_error"].tolist() == top["error"].tolist()


# How it ends.


def test_time_limit_is_shown_wherever_its_numbers_are():
    data = datasets.load("breast-cancer")
    study = study_distinct_trees(data, min_samples_split=2, search_time_limit=0.005, **QUICK)
    assert set(study.counts["status"]) == {"time_limit"}
    assert (study.counts["share"] < 1).all()
    assert not study.distribution["is_complete"].any()
    assert study.exhaustive["is_estimated"].all()
    row = str(study).splitlines()[4]
    assert row.split()[1] == ">"
    assert row.count("*") >= 3 or "?" in row
    assert "* and >: time limit of 0.005 s reached, by 3 of 3 counts" in str(study)


def test_selections_that_reach_the_limit_are_counted():
    study = study_distinct_trees("digits", min_samples_split=16, search_time_limit=1e-9, **QUICK)
    backward = study.errors[study.errors["method"] == "backward"]
    assert backward["n_limited"].tolist() == [2]
    assert str(study).splitlines()[4].endswith("*")


@pytest.mark.parametrize(
    ("n_steps", "n_counts", "n_timings", "n_folds"),
    [(1, 1, 0, 0), (4, 3, 1, 0), (5, 3, 1, 1), (6, 3, 1, 2), (7, 4, 1, 2)],
)
def test_callback_stops_between_steps(n_steps, n_counts, n_timings, n_folds):
    seen = []

    def stop(progress):
        seen.append((progress.done, progress.total))
        return progress.done == n_steps

    part = study_distinct_trees("wine", min_samples_split=[32, 64], methods=["top"], callback=stop, **QUICK)
    assert seen == [(i + 1, 12) for i in range(n_steps)]
    assert part.status == "stopped"
    assert (len(part.counts), len(part.exhaustive), len(part.per_fold)) == (n_counts, n_timings, n_folds)
    assert str(part).splitlines()[5].split()[-1] == "-"
    assert str(part).endswith("The study was stopped before its end.")


def test_a_stop_after_the_last_step_is_none():
    study = study_distinct_trees("iris", min_samples_split=32, callback=lambda p: p.done == p.total, **QUICK)
    assert study.status == "complete"


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"min_samples_split": []}, "must have one value or more"),
        ({"min_samples_split": [2, 2.0]}, "each once"),
        ({"min_samples_split": 0}, "min_samples_split=0 must be a finite number above 0"),
        ({"min_samples_split": "many"}, "min_samples_split='many' must be a finite number"),
        ({"orders": "frontier"}, r"orders='frontier' is a text; give a tuple"),
        ({"orders": ()}, r"orders=\(\) must name one order or more"),
        ({"orders": ("random",)}, "orders='random' is not known; choose 'frontier'"),
        ({"methods": ("best",)}, "methods='best' is not known"),
        ({"max_grown": 0}, "max_grown=0 must be an int of at least 1"),
        ({"memory_limit": "64"}, "memory_limit='64'"),
        ({"time_limit": 0}, "time_limit=0 must be"),
        ({"search_time_limit": 0}, "search_time_limit=0 must be"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"cv": 1}, "cv=1"),
    ],
)
def test_parameters_that_are_refused(parameters, message):
    with pytest.raises(ParameterError, match=message):
        study_distinct_trees("wine", **parameters)
