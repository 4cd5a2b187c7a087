"""Learned pruning rules: found, judged, stored, used.

Inner names, as in unit tests: `search.evolution.corpora`: seeds and formulas are compared with
those of the inside.
"""

import itertools
import json
import os
import pickle
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from sklearn.base import clone

from treewright import DataError, FormatError, GreedyTreeClassifier, ParameterError, _core, datasets
from treewright.evolution import LearnedPruning, learn_pruner
from treewright.pruning import NaiveErrorPruning, PessimisticPruning, explain_pruning, prune
from treewright.search.evolution.corpora import corpus_seeds

SMALL = {"budget": 3000, "n_train": 60, "n_validation": 60, "n_test": 60}


@pytest.fixture(scope="module")
def learned():
    return learn_pruner("paper_table", **SMALL)


@pytest.fixture(scope="module")
def iris():
    return datasets.load("iris")


def outcome(rule):
    """All that must not depend on threads, time or interruptions."""
    return {name: value for name, value in vars(rule.record_).items() if name not in ("elapsed", "status")}


def scores(rule):
    return {score.name: score for score in rule.record_.scores}


def test_a_learned_rule_beats_the_one_it_started_from(learned):
    found = scores(learned)
    assert list(found) == ["none", "naive", "error-based", "two constants", "start", "evolved"]
    assert found["start"].train == found["naive"].train
    assert found["evolved"].train.value < found["naive"].train.value
    assert found["two constants"].train.value < found["naive"].train.value
    assert all(score.test.error > 0 for score in found.values())
    assert sum(score.rank.value for score in found.values()) == pytest.approx(1 + 2 + 3 + 4 + 5 + 6)


def test_no_rule_of_a_front_is_matched_and_the_best_in_validation_is_chosen(learned):
    front = learned.front_
    assert len(front) > 3
    assert list(front) == sorted(front, key=lambda rule: rule.bits)
    for rule, other in itertools.permutations(front, 2):
        is_as_small = other.bits <= rule.bits and other.cost <= rule.cost
        assert not (is_as_small and other.train.value <= rule.train.value)
    assert learned.text == min(front, key=lambda rule: rule.validation.value).program
    assert learned.bits == front[learned.record_.best].bits


@pytest.mark.parametrize("n_jobs", [2, 4])
def test_threads_change_nothing(learned, n_jobs):
    assert outcome(learn_pruner("paper_table", n_jobs=n_jobs, **SMALL)) == outcome(learned)


def test_presets_in_a_list_are_one_family():
    both = learn_pruner(["paper_table", "paper_text"], **SMALL)
    assert both.record_.data == "generated data (paper_table, paper_text)"
    assert both.record_.is_independent
    assert outcome(learn_pruner(["paper_table"], **SMALL)) == outcome(learn_pruner("paper_table", **SMALL))


def test_a_seed_decides(learned):
    assert outcome(learn_pruner("paper_table", **SMALL)) == outcome(learned)
    assert learn_pruner("paper_table", random_state=1, **SMALL).front_ != learned.front_
    drawn = learn_pruner("paper_table", random_state=np.random.RandomState(0), **{**SMALL, "budget": 1})
    assert drawn.record_.seed > 0


def test_resuming_goes_on_bit_for_bit(tmp_path, learned):
    place = tmp_path / "run.json"
    half = learn_pruner("paper_table", checkpoint=place, **{**SMALL, "budget": 1000})
    assert half.record_.n_programs < learned.record_.n_programs
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    assert outcome(learn_pruner("paper_table", checkpoint=place, resume=True, n_jobs=2, **SMALL)) == outcome(
        learned
    )
    with pytest.raises(FormatError, match="other data or parameters"):
        learn_pruner("paper_text", checkpoint=place, resume=True, **SMALL)
    place.write_text("{}")
    with pytest.raises(FormatError, match="is no checkpoint"):
        learn_pruner("paper_table", checkpoint=str(place), resume=True, **SMALL)
    with pytest.raises(ParameterError, match="is there already; go on from it with"):
        learn_pruner("paper_table", checkpoint=place, **SMALL)
    few = {**SMALL, "budget": 1}
    assert learn_pruner("paper_table", checkpoint=tmp_path / "none.json", resume=True, **few).record_.front
    with pytest.raises(OSError, match="cannot be written"):
        learn_pruner("paper_table", checkpoint=tmp_path / "no" / "run.json", **{**SMALL, "budget": 1})


def test_stopping_returns_what_there_is():
    seen = []

    def stop(progress):
        seen.append(progress)
        return progress.done > 0

    rule = learn_pruner("paper_table", callback=stop, **{**SMALL, "budget": 10**9})
    assert rule.record_.status == "stopped"
    assert seen[-1].total == 10**9
    assert learn_pruner("paper_table", time_limit=1e-9, **SMALL).record_.status == "time_limit"


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
def test_a_killed_run_leaves_a_checkpoint_that_resumes(tmp_path):
    place = tmp_path / "run.json"
    learn_pruner("paper_table", checkpoint=place, **{**SMALL, "budget": 1000})
    text = (
        "from treewright.evolution import learn_pruner; "
        f"learn_pruner('paper_table', checkpoint={str(place)!r}, resume=True, "
        "budget=10**9, n_train=60, n_validation=60, n_test=60, callback=lambda p: print(p.done, flush=True))"
    )
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as process:
        while int(process.stdout.readline()) < 2000:
            pass
        process.kill()
    assert outcome(learn_pruner("paper_table", checkpoint=place, resume=True, **SMALL)) == outcome(
        learn_pruner("paper_table", **SMALL)
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
def test_ctrl_c_is_raised():
    text = (
        "from treewright.evolution import learn_pruner\n"
        "try:\n"
        "    learn_pruner('paper_table', budget=10**9, n_train=60, n_validation=60, n_test=60,\n"
        "                 callback=lambda p: print(p.done, flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    print('raised')\n"
    )
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as process:
        while int(process.stdout.readline()) == 0:
            time.sleep(0)
        process.send_signal(signal.SIGINT)
        assert process.communicate()[0].split()[-1] == "raised"


def test_rows_and_trees_of_ones_own(iris):
    few = {"budget": 600, "n_train": 30, "n_validation": 20, "n_test": 20}
    rule = learn_pruner(iris, **few)
    assert not rule.record_.is_independent
    assert "not independent" in rule.report()
    assert outcome(learn_pruner([iris], n_jobs=2, **few)) == outcome(rule)
    X, y = np.arange(60.0).reshape(-1, 1), np.arange(60) % 7 < 3
    both = learn_pruner(
        [iris, (X, y)], objective="mean_error", estimator=GreedyTreeClassifier(max_depth=4), **few
    )
    assert both.record_.data == "2 data sets, resampled"
    assert both.record_.n_trees == (30, 20, 20)


@pytest.mark.parametrize("objective", ["errors", "mean_error"])
def test_scores_are_those_of_pruning_and_predicting(objective):
    """What the corpus counts is what `prune` and `predict` do, set by set."""
    rule = LearnedPruning("((n - c) + 0.7 + 0.3 * sqrt(n - c)) / n")
    few = {"budget": 1, "n_train": 12, "n_validation": 12, "n_test": 12, "start": rule}
    record = learn_pruner("paper_table", objective=objective, random_state=3, **few).record_
    seed = corpus_seeds(3)[2]
    errors, sizes = [], []
    for number in range(12):
        train, test = datasets.make_linear_network(preset="paper_table", number=number, random_state=seed)
        model = GreedyTreeClassifier.id3(pruning=rule).fit(train)
        errors.append(np.sum(model.predict(test) != test.classes[test.target]))
        sizes.append(test.n_samples)
    start, evolved = record.scores[-2:]
    assert (start.name, evolved.name) == ("start", "evolved")
    assert start.test.value == pytest.approx(sum(errors) / sum(sizes))
    assert evolved.train.value == start.train.value


def test_a_rule_prunes_like_its_equals(iris):
    tree = GreedyTreeClassifier().fit(iris).tree_
    for formula, equal in [
        ("((n - c) + 0.5) / n", PessimisticPruning()),
        ("3.0 * (((n - c) + 0.5) / n) - 7.0", PessimisticPruning()),
        (_core.Program.naive().text, NaiveErrorPruning()),
    ]:
        assert prune(tree, LearnedPruning(formula)).n_nodes == prune(tree, equal).n_nodes


@pytest.mark.parametrize(
    "formula", ["0.0 / 0.0", "log(c - n)", "1.0 / (n - c - (n - c))", "exp(exp(n * 9.0))"]
)
def test_rules_that_are_not_finite_prune_nothing(iris, formula):
    tree = GreedyTreeClassifier().fit(iris).tree_
    assert prune(tree, LearnedPruning(formula)).n_nodes == tree.n_nodes


def test_unseen_leaves():
    rule = LearnedPruning("(n - c) / n")
    assert rule(3, 4) == pytest.approx(0.25)
    assert rule([0.0, 0.0, 2.5], [5.0, 0.0, 1e300]).tolist() == [np.inf, 0.0, 1.0]
    assert rule(np.ones((2, 3)), 2).shape == (2, 3)


def test_rules_are_stored_and_copied(learned, iris):
    for copy in (pickle.loads(pickle.dumps(learned)), LearnedPruning.from_json(learned.to_json())):
        assert copy == learned
        assert hash(copy) == hash(learned)
        assert copy.record_ == learned.record_
        assert copy.report() == learned.report()
    assert clone(learned) == learned
    assert learned != LearnedPruning("n - c")
    assert learned != "n - c"
    model = GreedyTreeClassifier(pruning=learned).fit(iris)
    assert model.pruning_ == learned
    assert pickle.loads(pickle.dumps(model)).pruning_ == learned
    assert str(explain_pruning(GreedyTreeClassifier().fit(iris).tree_, learned))


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"format": "x", "version": 1}', '{"format": 3, "version": 1, "program": "n"}']
)
def test_other_texts_are_refused(text):
    with pytest.raises(FormatError, match="give what to_json returned"):
        LearnedPruning.from_json(text)


def test_a_stored_rule_with_a_record_of_another_form_is_refused(learned):
    stored = json.loads(learned.to_json())
    stored["record"]["front"] = 3
    with pytest.raises(FormatError, match="no learned rule"):
        LearnedPruning.from_json(json.dumps(stored))


def test_rules_come_with_the_package():
    data = {"paper_both": "paper_table, paper_text", "paper_table": "paper_table", "paper_text": "paper_text"}
    assert list(data) == list(LearnedPruning.presets())
    for name in LearnedPruning.presets():
        rule = LearnedPruning.preset(name)
        assert rule.record_.data == f"generated data ({data[name]})"
        assert rule.text == rule.front_[rule.record_.best].program
        assert rule.record_.n_programs > 0
        assert "evolved" in rule.report()
    with pytest.raises(ParameterError, match="use one of 'paper_both', 'paper_table'"):
        LearnedPruning.preset("best")


def test_code_computes_what_the_rule_does(learned):
    names = {}
    exec(learned.code("python"), names)
    for c, n in [(1.0, 1.0), (7.0, 9.0), (60.0, 100.0)]:
        assert names["estimate"](c, n) == pytest.approx(float(learned(c, n)))
    for language in ("rust", "sml", "latex"):
        assert learned.code(language)
    with pytest.raises(ParameterError, match="language"):
        learned.code("cobol")
    c, n = np.meshgrid(np.arange(1.0, 30.0), np.arange(30.0, 60.0))
    assert np.allclose(learned.simplify()(c, n), learned(c, n))
    assert learned.simplify().bits <= learned.bits


def test_a_report_says_what_was_measured(learned):
    report = learned.report()
    for words in ("two constants", "error-based", "±", "drawn apart", "the one chosen"):
        assert words in report
    with pytest.raises(ParameterError, match="no report"):
        LearnedPruning("n - c").report()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"budget": 0}, "budget"),
        ({"patience": 0}, "patience"),
        ({"time_limit": 0}, "time_limit"),
        ({"objective": "size"}, "objective"),
        ({"n_train": 0}, "n_train"),
        ({"most_train": 10}, "most_train"),
        ({"most_bits": 1}, "most_bits"),
        ({"n_jobs": 0}, "n_jobs"),
        ({"callback": 3}, "callback"),
        ({"checkpoint": 3}, "checkpoint"),
        ({"resume": True}, "resume=True has no file to go on from; give checkpoint"),
        ({"resume": "run.json"}, "resume"),
        ({"random_state": -1}, "random_state"),
        ({"random_state": 2**63}, "too large"),
        ({"n_test": 10**9}, "too much memory"),
        ({"start": 3}, "start"),
        ({"start": "1 + "}, "expected"),
        ({"start": "n"}, None),
        ({"start": "1.0 / (n - c)"}, "not finite"),
        ({"start": "fun f(x: float): float = x"}, "no pruning rule"),
        ({"estimator": GreedyTreeClassifier()}, "leave it out"),
    ],
)
def test_parameters_are_checked(change, message):
    few = {**SMALL, "budget": 1, **change}
    if message is None:
        assert learn_pruner("paper_table", **few).text
        return
    with pytest.raises(ParameterError, match=message):
        learn_pruner("paper_table", **few)


@pytest.mark.parametrize(
    ("data", "error", "message"),
    [
        ("iris", ParameterError, r"datasets\.load"),
        (3, ParameterError, "int, which cannot be read"),
        ([], ParameterError, "data is an empty list; give"),
        ([3], ParameterError, "int, which cannot be read"),
        (([[1.0]], [1]), DataError, "at least 2 samples"),
    ],
)
def test_data_are_checked(data, error, message):
    with pytest.raises(error, match=message):
        learn_pruner(data, **{**SMALL, "budget": 1})
    with pytest.raises(ParameterError, match="estimator"):
        learn_pruner([([[1.0], [2.0]], [0, 1])], estimator=3, **SMALL)
    with pytest.raises(ParameterError, match="share"):
        learn_pruner([([[1.0], [2.0]], [0, 1])], train_share=1, **SMALL)


@pytest.mark.parametrize("program", [3, "", "x", "n +", "fun f(c: int, n: int): int = c"])
def test_programs_are_checked(program):
    with pytest.raises(ParameterError):
        GreedyTreeClassifier(pruning=LearnedPruning(program)).fit([[1.0], [2.0]], [0, 1])
