"""The study of pruning rules: its engine against the estimators, its numbers against the published ones.

Inner names, as in unit tests: `_base.params`: engines are called with its limits.
`data.sources.linear_network`: a column is looked at before it is part of a table.
`studies.common.published`, `studies.common.statistics`, `studies.pruning.design`,
`studies.pruning.rules` and `studies.pruning.run`: statistics and rivals are compared with other
libraries, one by one.
"""

from __future__ import annotations

import os
import pickle
import re
import tomllib
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.model_selection import PredefinedSplit

from treewright import (
    DataError,
    Dataset,
    GreedyTreeClassifier,
    ParameterError,
    _core,
    datasets,
)
from treewright._base.params import Limits
from treewright.data.sources.linear_network import grid
from treewright.datasets import make_linear_network
from treewright.evolution import LearnedPruning
from treewright.pruning import (
    ErrorBasedPruning,
    EstimatorPruning,
    NaiveErrorPruning,
    PublishedEvolvedPruning,
    TunedErrorBasedPruning,
)
from treewright.studies import compare_pruning, published_sets
from treewright.studies.common.published import PRUNING, levels_as_most_frequent, missing_as_most_frequent
from treewright.studies.common.statistics import interval
from treewright.studies.pruning.design import NAMED, chosen_rules
from treewright.studies.pruning.rules import by_preference, engine_rule, study_networks
from treewright.studies.pruning.run import networks_of

PUBLISHED = tomllib.loads((Path(__file__).parent / "papers" / "pruning.toml").read_text(encoding="utf-8"))
GROUPS = [*(f"{removed} removed" for removed in range(5)), "all"]
QUICK = {name: rule for name, rule in NAMED.items() if name != "tuned" and engine_rule(rule) is not None}

needs_folder = pytest.mark.skipif(
    "TREEWRIGHT_DATA" not in os.environ, reason="TREEWRIGHT_DATA names no folder"
)


# The engine for generated sets ------------------------------------------------------------


def judged(rule, train, test):
    """Errors and nodes as the estimator has them."""
    tree = GreedyTreeClassifier.id3(pruning=rule).fit(train).tree_
    return int((tree.predict(test) != test.classes[test.target]).sum()), tree.n_nodes


@pytest.mark.parametrize("preset", ["paper_text", "paper_table"])
def test_engine_leaves_the_trees_of_the_estimator(preset):
    rules = {
        **QUICK,
        "strict": ErrorBasedPruning(confidence=0.01, grafting=False, limit="exact"),
        "learned": LearnedPruning("((n - c) + 0.7 + 0.5 * sqrt(n - c)) / n"),
        "with a pole": LearnedPruning("1.0 / (n - c - 1.0)"),
    }
    networks = networks_of(preset, 150)
    found = study_networks(networks, [engine_rule(rule) for rule in rules.values()], seed=9, limits=Limits())
    for number in range(len(networks)):
        train, test = make_linear_network(preset=preset, number=number, random_state=9)
        expected = [judged(rule, train, test) for rule in rules.values()]
        pairs = zip(found.n_errors[number].tolist(), found.n_nodes[number].tolist(), strict=True)
        assert list(pairs) == expected, f"set {number} of {preset}: {list(rules)}"


def test_engine_chooses_the_confidence_of_the_estimator():
    rule = TunedErrorBasedPruning(confidences=(0.01, 0.1, 0.25, 0.4), cv=5)
    networks = networks_of("paper_table", 40)
    found = study_networks(networks, [engine_rule(rule)], seed=2, limits=Limits())
    confidences = by_preference(rule.confidences)
    chosen = [confidences[place] for place in found.chosen[:, 0]]
    assert len(set(chosen)) == 4
    for number, network in enumerate(networks):
        size = (network.n_inputs, network.n_removed, network.train_share)
        folds = _core.study_folds(*size, 2, number, 5, rule.random_state)
        train, test = make_linear_network(preset="paper_table", number=number, random_state=2)
        tuned = TunedErrorBasedPruning(confidences=rule.confidences, cv=PredefinedSplit(folds))
        model = GreedyTreeClassifier.id3(pruning=tuned).fit(train)
        assert model.pruning_.confidence == chosen[number], f"set {number}"
        assert model.tree_.n_nodes == found.n_nodes[number, 0]
        wrong = int((model.predict(test) != test.classes[test.target]).sum())
        assert wrong == found.n_errors[number, 0]


def test_confidences_are_preferred_from_the_usual_one_outwards():
    assert by_preference(TunedErrorBasedPruning().confidences) == [
        *(0.25, 0.2, 0.3, 0.15, 0.35, 0.1, 0.4, 0.05, 0.01, 0.001, 0.5)
    ]


def test_rules_without_an_engine_join_in_tree_by_tree():
    rules = {"none": None, "half": EstimatorPruning("(n - c + 0.5) / n"), "ebp": ErrorBasedPruning()}
    study = compare_pruning(generator="paper_table", n_sets=25, rules=rules, progress=False)
    pessimistic = compare_pruning(
        generator="paper_table", n_sets=25, rules=["none", "pessimistic"], progress=False
    )
    for field in ("n_errors", "n_nodes", "error", "data", "seed"):
        table = study.per_fold[study.per_fold["method"] == "half"]
        alike = pessimistic.per_fold[pessimistic.per_fold["method"] == "pessimistic"]
        np.testing.assert_array_equal(table[field], alike[field])
    row = study.per_fold[(study.per_fold["method"] == "ebp") & (study.per_fold["seed"] == 7)]
    split = make_linear_network(preset="paper_table", number=7, random_state=0)
    assert (row["n_errors"][0], row["n_nodes"][0]) == judged(ErrorBasedPruning(), *split)


def test_other_growing_does_without_the_engine():
    shallow = GreedyTreeClassifier.id3(max_depth=2)
    study = compare_pruning(
        generator="paper_text", n_sets=5, rules=["none", "naive"], estimator=shallow, progress=False
    )
    assert study.per_fold["n_nodes"].max() <= 7


@pytest.mark.parametrize("preset", ["paper_text", "paper_table"])
def test_ranks_of_some_sets_are_near_the_known_ones(preset):
    """Four standard errors of 6000 sets, or a fifth of them: 0.07 and 0.16."""
    study = compare_pruning(generator=preset, n_sets=6000, n_jobs=2, progress=False)
    assert list(study.methods) == PUBLISHED["rules"]
    for group, expected in zip(GROUPS, PUBLISHED["ranks"][preset], strict=True):
        ranks, tolerance = study.ranks(group), 0.07 if group == "all" else 0.16
        np.testing.assert_allclose(ranks.ranks, expected, atol=tolerance, err_msg=group)
        assert ranks.differ
    errors = 100 * study.summary["error"][-5:]
    np.testing.assert_allclose(errors, PUBLISHED["errors"][preset], atol=0.9)
    assert study.ranks().tests["mark"].tolist() == ["-", "-", "+", "+", ""]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["paper_text", "paper_table"])
def test_ranks_of_sixty_thousand_sets_are_the_known_ones(preset):
    study = compare_pruning(generator=preset, n_sets=60_000, n_jobs=-1, progress=False)
    for group, expected in zip(GROUPS, PUBLISHED["ranks"][preset], strict=True):
        np.testing.assert_allclose(study.ranks(group).ranks, expected, atol=0.05, err_msg=group)
        best = "-" if group == "0 removed" else "+"
        assert study.ranks(group).tests["mark"].tolist() == ["-", "-", best, best, ""], group
    np.testing.assert_allclose(100 * study.summary["error"][-5:], PUBLISHED["errors"][preset], atol=0.1)


# Data sets --------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def study():
    rules = ["none", "naive", "error_based_no_grafting"]
    return compare_pruning(["monks-1", "tic-tac-toe"], rules=rules, cv=4, repeats=2, progress=False)


def test_every_rule_is_judged_on_every_fold(study):
    assert study.methods == ("none", "naive", "error_based_no_grafting")
    assert study.reference == "error_based_no_grafting"
    assert len(study.per_fold) == 2 * 8 * 3
    assert study.status == "complete"
    nodes = study.per_fold["n_nodes"].reshape(-1, 3)
    assert (np.diff(nodes, axis=1) <= 0).all()


def test_a_fold_can_be_run_again(study):
    from sklearn.model_selection import RepeatedStratifiedKFold

    data = datasets.load("monks-1")
    folds = RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0)
    training, held_out = list(folds.split(np.zeros(432), data.target))[5]
    rows = study.per_fold[
        (study.per_fold["data"] == "monks-1") & (study.per_fold["method"] == "error_based_no_grafting")
    ]
    row = rows[(rows["repeat"] == 1) & (rows["fold"] == 1)]
    wrong, n_nodes = judged(ErrorBasedPruning(grafting=False), data[training], data[held_out])
    assert (row["n_errors"][0], row["n_nodes"][0]) == (wrong, n_nodes)
    assert row["error"][0] == pytest.approx(wrong / len(held_out))


def test_summary_ranks_and_intervals(study):
    summary = study.summary
    assert summary["data"].tolist() == ["monks-1"] * 3 + ["tic-tac-toe"] * 3 + ["all"] * 3
    own = study.per_fold[study.per_fold["data"] == "monks-1"]
    errors = np.array([own["n_errors"][own["method"] == method].sum() for method in study.methods])
    assert summary["rank"][:3].tolist() == stats.rankdata(errors).tolist()
    np.testing.assert_allclose(summary["rank"][6:], (summary["rank"][:3] + summary["rank"][3:6]) / 2)
    np.testing.assert_allclose(summary["error"][6:], (summary["error"][:3] + summary["error"][3:6]) / 2)
    first, last = (own["error"][own["method"] == method] for method in ("none", "error_based_no_grafting"))
    middle = (summary["difference_low"][0] + summary["difference_high"][0]) / 2
    assert summary["difference"][0] == pytest.approx(np.mean(first - last)) == pytest.approx(middle)
    assert summary["difference"][2] == summary["difference_low"][2] == 0
    assert len(study.to_frame()) == 9


def test_shared_samples_widen_an_interval():
    values = np.array([0.1, 0.2, 0.05, 0.12])
    mean, low, high = interval(values)
    expected = stats.t.interval(0.95, 3, loc=values.mean(), scale=stats.sem(values))
    assert (low, high) == pytest.approx(expected)
    wide = interval(values, overlap=0.75)
    assert wide[2] - wide[1] == pytest.approx(2 * (high - low))
    assert mean == wide[0]
    assert np.isnan(interval(values[:1])[1:]).all()


def test_weights_count_in_the_errors():
    rng = np.random.default_rng(0)
    X, y = rng.integers(0, 3, (60, 4)).astype(str), rng.integers(0, 2, 60)
    weighted = Dataset(X, y, sample_weight=rng.integers(1, 4, 60))
    repeated = compare_pruning({"some": weighted}, rules=["none", "naive"], cv=3, repeats=1, progress=False)
    rows = repeated.per_fold
    assert (rows["n_errors"] == np.round(rows["n_errors"])).all()
    assert rows["n_errors"].reshape(-1, 2)[:, 0].sum() > 60 * 0.3


def test_text_latex_and_drawing(study):
    pytest.importorskip("matplotlib").use("agg")
    lines = study.to_text().splitlines()
    assert [line.split()[0] for line in lines[4:7]] == ["monks-1", "tic-tac-toe", "all"]
    assert max(map(len, study.to_text(80).splitlines())) <= 80
    assert study.to_latex().count("\\\\") == 5
    assert len(study.plot().figure.axes) == 1
    assert repr(study).endswith("2 data sets, 16 folds in all, complete>")


def test_jobs_change_nothing(study):
    again = compare_pruning(
        ["monks-1", "tic-tac-toe"], rules=study.methods, cv=4, repeats=2, n_jobs=2, progress=False
    )
    assert again.per_fold.tolist() == study.per_fold.tolist()
    assert pickle.loads(pickle.dumps(again)).summary.tolist() == study.summary.tolist()


def test_generated_sets_on_two_threads_are_the_same():
    one, two = (
        compare_pruning(generator="paper_table", n_sets=130, n_jobs=n_jobs, progress=False)
        for n_jobs in (1, 2)
    )
    assert one.per_fold.tolist() == two.per_fold.tolist()
    assert one.data_sets["n_sets"].tolist() == [26] * 5
    assert "130 sets of paper_table" in repr(one)


def test_callback_stops_with_what_is_done():
    stopped = compare_pruning(
        "monks-1", rules=["none", "naive"], progress=False, callback=lambda p: p.done == 2
    )
    assert (stopped.status, len(stopped.per_fold)) == ("stopped", 2 * 2)
    assert "Stopped after 2 folds" in str(stopped)
    slow = {"none": None, "half": EstimatorPruning("(n - c + 0.5) / n")}
    stopped = compare_pruning(
        generator="paper_table", n_sets=90, rules=slow, progress=False, callback=lambda p: 3 <= p.done < 60
    )
    assert stopped.status == "stopped"
    assert len(stopped.per_fold) == 3 * 2
    assert "Stopped after 3 sets" in str(stopped)


def test_one_is_told_in_the_singular():
    drawn = compare_pruning(generator="paper_table", n_sets=1, rules=["none", "naive"], progress=False)
    assert repr(drawn) == "<PruningComparison: none, naive; 1 set of paper_table, complete>"
    stopped = compare_pruning("monks-1", rules=["none", "naive"], progress=False, callback=lambda p: True)
    assert repr(stopped) == "<PruningComparison: none, naive; 1 data set, 1 fold, stopped>"
    assert "Stopped after 1 fold." in str(stopped)


def test_numeric_features_take_the_growing_that_the_message_names():
    growing = GreedyTreeClassifier()
    study = compare_pruning("wine", rules=["none", "naive"], estimator=growing, repeats=1, progress=False)
    assert len(study.per_fold) == 10 * 2
    assert (study.settings["cv"], study.settings["repeats"]) == (10, 1)


def test_nothing_done_is_a_table_too():
    slow = {"none": None, "half": EstimatorPruning("(n - c + 0.5) / n")}
    options = {"generator": "paper_table", "n_sets": 6000, "progress": False}
    nothing = compare_pruning(**options, rules=slow, time_limit=1e-9)
    assert (nothing.status, len(nothing.summary)) == ("time_limit", 0)
    assert "Time was up after 0 sets" in str(nothing)


def test_rules_come_by_name_as_they_are_and_under_names_of_their_own():
    strict = ErrorBasedPruning(confidence=0.01, grafting=False)
    study = compare_pruning(
        "monks-1", rules=[None, "published", strict], reference="none", repeats=1, progress=False
    )
    assert study.methods == ("none", "published", repr(strict))
    assert study.reference == "none"
    named = compare_pruning(
        "monks-1", rules={"a": "published", "b": PublishedEvolvedPruning()}, repeats=1, progress=False
    )
    columns = named.per_fold["n_errors"].reshape(-1, 2).T
    np.testing.assert_array_equal(*columns)


def unnamed():
    return EstimatorPruning(lambda c, n: (n - c + 0.5) / n)


def half_an_error_more(c, n):
    return (n - c + 0.5) / n


class Estimate:
    def __call__(self, c, n):
        return (n - c + 0.5) / n


def test_functions_are_called_by_their_names():
    rules = [unnamed(), EstimatorPruning(half_an_error_more), EstimatorPruning(Estimate())]
    assert [*chosen_rules(rules)] == [
        "EstimatorPruning(f=<lambda>)",
        "EstimatorPruning(f=half_an_error_more)",
        f"EstimatorPruning(f=<{__name__}.Estimate object>)",
    ]
    assert [*chosen_rules({"mine": unnamed(), "yours": unnamed()})] == ["mine", "yours"]


@pytest.mark.parametrize(
    ("data", "options", "error", "message"),
    [
        (None, {}, ParameterError, "data is missing"),
        ("monks-1", {"generator": "paper_text"}, ParameterError, "one of the two"),
        (None, {"generator": "paper"}, ParameterError, "generator='paper'"),
        (None, {"generator": "paper_text", "n_sets": 0}, ParameterError, "n_sets=0"),
        ("monks-1", {"rules": "naive"}, ParameterError, "rules='naive'"),
        ("monks-1", {"rules": ["naive"]}, ParameterError, "two or more"),
        ("monks-1", {"rules": ["naive", "naive"]}, ParameterError, "twice"),
        ("monks-1", {"rules": ["naive", "cart"]}, ParameterError, "'cart'"),
        ("monks-1", {"rules": ["naive", 3]}, ParameterError, r"^rules\[1\]=3 is no rule"),
        (
            "monks-1",
            {"rules": ["naive", NaiveErrorPruning]},
            ParameterError,
            r"^rules\[1\]=<class .* a class",
        ),
        ("monks-1", {"rules": {"a": "naive", "b": 3}}, ParameterError, r"^rules\['b'\]=3 is no rule"),
        (
            "monks-1",
            {"rules": [unnamed(), unnamed()]},
            ParameterError,
            r"'EstimatorPruning\(f=<lambda>\)' twice",
        ),
        ("monks-1", {"reference": "ebp"}, ParameterError, "reference='ebp'"),
        ("monks-1", {"estimator": "id3"}, ParameterError, "estimator='id3' is no GreedyTreeClassifier"),
        ("monks-1", {"cv": 1}, ParameterError, "cv=1"),
        ("monks-1", {"repeats": 0}, ParameterError, "repeats=0"),
        ("wine", {}, DataError, r"'wine': feature 'alcohol' is numeric.*estimator=GreedyTreeClassifier\(\)"),
        ("monks-1", {"n_sets": 3}, ParameterError, "^n_sets=3 counts sets that a generator draws"),
        (
            None,
            {"generator": "paper_text", "cv": 10},
            ParameterError,
            "^cv=10 is for data, not for a generator",
        ),
        (None, {"generator": "paper_text", "repeats": 3}, ParameterError, "^repeats=3 is for data"),
    ],
    ids=lambda value: re.sub(" at 0x[0-9a-f]+", "", str(value)),
)
def test_what_cannot_be_is_refused(data, options, error, message):
    with pytest.raises(error, match=message):
        compare_pruning(data, progress=False, **options)


# The published sets -----------------------------------------------------------------------


def test_missing_and_foreign_levels_become_the_most_frequent_one():
    columns = {"a": ["x", None, "y", "y", "N"], "b": ["u", "N", "N", "v", "u"]}
    data = Dataset.from_columns(columns, [0, 1, 0, 1, 0])
    filled = missing_as_most_frequent(data)
    assert [filled.levels[0][code] for code in filled.column(0)] == ["x", "y", "y", "y", "N"]
    plain = levels_as_most_frequent(data, {"N"})
    assert plain.levels == [["x", "y"], ["u", "v"]]
    assert plain.column(0).tolist() == [0, 1, 1, 1, 1]
    assert plain.column(1).tolist() == [0, 0, 0, 1, 0]


@needs_folder
def test_published_sets_are_as_their_numbers_say():
    sets = published_sets("pruning")
    assert list(sets) == list(PRUNING)
    shapes = {name: sets[name].shape for name in ("mushroom", "splice4", "hayes-roth", "monks-1", "vote")}
    assert shapes == {
        "mushroom": (8124, 22),
        "splice4": (3190, 60),
        "hayes-roth": (160, 4),
        "monks-1": (432, 6),
        "vote": (435, 16),
    }
    assert {len(levels) for levels in sets["splice4"].levels} == {4}
    assert {len(levels) for levels in sets["vote"].levels} == {3}
    for name, dataset in sets.items():
        assert all((dataset.column(i) >= 0).all() for i in range(dataset.n_features)), name


@needs_folder
def test_sets_that_a_folder_lacks_are_named(tmp_path):
    (tmp_path / "index.json").write_text('{"sets": {}}', encoding="utf-8")
    with pytest.raises(DataError, match="mushroom, audiology, car, splice4") as caught:
        published_sets("pruning", folder=tmp_path)
    assert "tic-tac-toe" not in str(caught.value)


def nodes_of(names, repeats):
    """Mean nodes of three rules, by data set."""
    sets = {name: data for name, data in published_sets("pruning").items() if name in names}
    rules = ["none", "naive", "error_based_no_grafting"]
    study = compare_pruning(sets, rules=rules, repeats=repeats, progress=False)
    return {name: study.summary["n_nodes"][study.summary["data"] == name] for name in names}


@needs_folder
def test_trees_of_two_published_sets_have_the_known_sizes():
    for name, nodes in nodes_of(["car", "mushroom"], repeats=1).items():
        np.testing.assert_allclose(nodes, PUBLISHED["nodes"][name], rtol=0.04, err_msg=name)


@needs_folder
@pytest.mark.slow
def test_trees_of_published_sets_have_the_known_sizes():
    for name, nodes in nodes_of(list(PUBLISHED["nodes"]), repeats=3).items():
        np.testing.assert_allclose(nodes, PUBLISHED["nodes"][name], rtol=0.04, err_msg=name)


def test_presets_are_those_of_the_study():
    assert networks_of("paper_text", 125)[60:62] == grid("paper_text")[:2]
