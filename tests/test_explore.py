"""Exploring: the choice inside of folds, what is promised, limits, resuming, and the command.

Beside the public names these are looked at: `_base.clock` for a clock without end, `exploration.choice` for
exact scores, `exploration.families` for the register, `trees.paths` for many trees of one growth.
"""

from __future__ import annotations

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.naive_bayes import GaussianNB

from commands import Run, assert_refused
from treewright import Dataset, GreedyTreeClassifier, ParameterError, Tree, UnfinishedError, datasets, explore
from treewright._base.clock import Clock, HaltError
from treewright.exploration import Asked, Exploration, ModelFamily, Shape, register
from treewright.exploration.choice import Question, Standing, best_of, doublings
from treewright.exploration.families import FAMILIES
from treewright.pruning import CostComplexityPruning, ErrorBasedPruning
from treewright.results import Progress
from treewright.studies import StudyInterruptedError, evaluate, row_splits
from treewright.trees.paths import best_first_path, cost_complexity_path, pruned_by_each

QUICK = ["cost_complexity"]
"""Beside the two that are always there."""


def noise(seed: int, n_rows: int = 60, n_features: int = 4) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n_rows, n_features)), rng.integers(0, 2, n_rows)


def mixed(seed: int, n_rows: int = 60) -> Dataset:
    """Numbers, values and gaps, and a class that depends on them."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n_rows).round(1), rng.integers(0, 4, n_rows)
    y = np.where((a > 0.2) ^ (b == 1), "yes", "no")
    y[rng.random(n_rows) < 0.15] = "no"
    a[rng.random(n_rows) < 0.1] = np.nan
    return Dataset.from_columns({"a": a, "b": [f"v{x}" for x in b], "c": rng.normal(size=n_rows)}, y)


@pytest.fixture(scope="module")
def data() -> Dataset:
    return mixed(3, 120)


@pytest.fixture(scope="module")
def found(data: Dataset) -> Exploration:
    return explore(data, families=QUICK, cv=4, inner_cv=3, time_limit=None)


def facts(exploration: Exploration) -> dict[str, object]:
    """Everything but times."""
    told = exploration.to_dict()
    told["elapsed"] = told["settings"] = None
    told["families"] = [{**one, "seconds": 0} for one in told["families"]]
    return told


# Scores.


def test_scores_are_exact_and_ties_go_to_the_first() -> None:
    question = Question("q", Fraction(1, 200))
    sizes = np.array([1, 2, 4, 8])
    same = Standing(np.array([10.0, 9.0, 8.0, 7.0]), 200.0, sizes)
    assert [same.score(i, question) for i in range(4)] == [Fraction(1, 20)] * 4
    assert same.best(question) == (Fraction(1, 20), 0)
    assert best_of([same, same], question) == (0, 0)
    dearer = Standing(np.array([11.0]), 200.0, np.array([1]))
    assert best_of([dearer, same], question) == (1, 0)
    assert best_of([same], Question("q", Fraction(0))) == (0, 3)
    assert best_of([same], Question("q", Fraction(0), 4)) == (0, 2)
    assert doublings(8) == 3


def test_a_family_that_is_too_large_is_not_chosen_and_still_judged() -> None:
    large, small = (
        Standing(np.array([0.0]), 9.0, np.array([9])),
        Standing(np.array([5.0]), 9.0, np.array([1])),
    )
    question = Question("q", Fraction(0), 4)
    assert large.best(question) is None
    assert large.own(question) == 0
    assert best_of([large, small], question) == (1, 0)


# Many trees of one growth.


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10_000))
def test_paths_are_what_single_fits_find(seed: int) -> None:
    rows, sizes = mixed(seed, 40), (2, 3, 5, 8, 40)
    how = {"nominal_splits": "one_value"}
    for tree, size in zip(best_first_path(GreedyTreeClassifier(**how), rows, sizes), sizes, strict=True):
        assert tree == GreedyTreeClassifier(**how, max_leaf_nodes=size).fit(rows).tree_
    for (tree, alpha), size in zip(
        cost_complexity_path(GreedyTreeClassifier(**how), rows, sizes), sizes, strict=True
    ):
        pruned = GreedyTreeClassifier(**how, pruning=CostComplexityPruning(alpha=alpha)).fit(rows).tree_
        assert tree == pruned
        assert tree.n_leaves <= size
    rules = [ErrorBasedPruning(confidence=c) for c in (0.05, 0.5)]
    trees = pruned_by_each(GreedyTreeClassifier.c45(min_samples_branch=3), rows, rules)
    single = [GreedyTreeClassifier.c45(min_samples_branch=3, pruning=rule).fit(rows).tree_ for rule in rules]
    assert trees == single


def test_every_family_fits_what_it_judges(data: Dataset) -> None:
    found = explore(data, cv=2, inner_cv=2, time_limit=None)
    asked = found.asked
    for name in set(found.families_["family"].tolist()) - set(found.ceiling):
        family = FAMILIES[name]
        fit = family.models if isinstance(family, ModelFamily) else family.trees
        trees = fit(data, asked, Clock(None))
        assert len(trees) == len(family.candidates(asked))
        for place in (0, len(trees) - 1):
            model = family.fitted(place, data, asked)
            for rows in (data, mixed(4, 300)):
                assert (model.predict(rows) == trees[place].predict(rows)).all(), (name, place)


# The procedure.


def slow_choice(rows: Dataset, found: Exploration, place: int) -> tuple[str, int, Tree]:
    """Choose on the rows of a problem, one fit after the other."""
    problem, best = found.problems[place], []
    for family_at, (name, family) in enumerate(FAMILIES.items()):
        if name not in ("majority", "c45", *QUICK):
            continue
        for at in range(len(family.candidates(found.asked))):
            wrong = 0
            for learning, judging in problem.inner:
                model = family.fitted(at, rows[learning], found.asked)
                wrong += int((model.predict(rows[judging]) != rows.classes[rows.target[judging]]).sum())
            tree = family.fitted(at, rows[problem.learning], found.asked).tree_
            score = wrong / len(problem.learning) + 0.005 * math.log2(tree.n_leaves)
            best.append((round(score, 9), family_at, at, name, tree))
    chosen = min(best, key=lambda one: one[:3])
    return chosen[3], chosen[2], chosen[4]


def test_the_promise_is_the_error_of_the_whole_procedure(data: Dataset, found: Exploration) -> None:
    wrong = 0
    for problem in found.problems[1:]:
        *_, tree = slow_choice(data, found, problem.place)
        wrong += int(
            (tree.predict(data[problem.judging]) != data.classes[data.target[problem.judging]]).sum()
        )
    assert found.error_.value == wrong / data.n_samples
    name, place, tree = slow_choice(data, found, 0)
    assert (found.choice_.family, found.choice_.place) == (name, place)
    assert found.tree_ == tree
    assert found.recommended_.tree_ == tree


def test_every_row_is_judged_once_and_not_learned_from(data: Dataset, found: Exploration) -> None:
    outer = found.problems[1:]
    assert np.sort(np.concatenate([one.judging for one in outer])).tolist() == list(range(data.n_samples))
    for one in outer:
        assert not set(one.learning) & set(one.judging)
        judged = np.concatenate([rows for _, rows in one.inner])
        assert np.sort(judged).tolist() == np.sort(one.learning).tolist()
        assert all(not set(learning) & set(rows) for learning, rows in one.inner)


def test_result_does_not_depend_on_threads(data: Dataset, found: Exploration) -> None:
    assert facts(explore(data, families=QUICK, cv=4, inner_cv=3, time_limit=None, n_jobs=2)) == facts(found)


def test_stopping_keeps_what_is_done_and_resuming_ends_the_same(
    data: Dataset, found: Exploration, tmp_path: Path
) -> None:
    how = {
        "families": QUICK,
        "cv": 4,
        "inner_cv": 3,
        "time_limit": None,
        "checkpoint": tmp_path / "state.json",
    }
    part = explore(data, **how, callback=lambda progress: progress.done >= 12)
    assert part.status_ == "stopped"
    assert [one.name for one in part.dropped_] == QUICK
    assert set(part.families_["family"].tolist()) == {"majority", "c45"}
    assert facts(explore(data, **how, resume=True)) == facts(found)


def test_ctrl_c_hands_the_rest_over(data: Dataset) -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done >= 12:
            raise KeyboardInterrupt

    with pytest.raises(StudyInterruptedError) as caught:
        explore(data, families=QUICK, cv=4, inner_cv=3, callback=interrupt)
    assert isinstance(caught.value.result, Exploration)
    assert caught.value.result.status_ == "stopped"
    with pytest.raises(UnfinishedError, match="before the first family"):
        explore(data, families=QUICK, cv=4, inner_cv=3, callback=lambda progress: progress.done >= 1)


def test_the_essential_families_finish_whatever_the_limit(data: Dataset) -> None:
    found = explore(data, cv=4, inner_cv=3, time_limit=1e-6)
    assert found.families_["family"].tolist() == ["majority", "c45"]
    assert found.status_ == "time_limit"
    assert found.is_over
    assert {"boosting", "cost_complexity", "planes"} <= {one.name for one in found.dropped_}
    assert "longer than the time limit" in found.to_text()


def test_rows_of_a_group_and_of_later_times_are_never_learned_from() -> None:
    X, y = noise(1, 90)
    groups = np.arange(90) % 18
    found = explore(X, y, families=QUICK, cv=3, inner_cv=3, row_groups=groups)
    for one in found.problems:
        for learning, judging in [*one.inner, (one.learning, one.judging)]:
            assert not set(groups[learning]) & set(groups[judging])
    assert found.evaluation_.answers.groups is not None
    times = np.arange(90)[::-1] // 2
    found = explore(X, y, families=QUICK, cv=3, inner_cv=3, time_column=times)
    for one in found.problems:
        pairs = one.inner if one.place == 0 else [*one.inner, (one.learning, one.judging)]
        assert all(times[learning].max() < times[judging].min() for learning, judging in pairs)
    assert "in time" in found.to_text()


def test_a_rare_class_is_judged_and_named() -> None:
    X, y = noise(2, 40)
    y[:3] = 2
    found = explore(X, y, families=QUICK, cv=5, inner_cv=3)
    assert found.rare_classes == [2]
    assert found.evaluation_.confusion.sum() == 40
    assert "Fewer rows than folds have: 2" in found.to_text()


def test_costs_are_what_is_counted() -> None:
    rows = mixed(5, 100)
    found = explore(rows, families=QUICK, cv=4, inner_cv=3, cost_matrix={("yes", "no"): 20})
    assert found.tree_.cost_matrix.tolist() == [[0, 1], [20, 0]]
    answers = found.evaluation_.answers
    missed = (answers.target == 1) & (answers.predicted == 0)
    expected = (20 * missed.sum() + (answers.is_wrong & ~missed).sum()) / 100
    assert found.evaluation_.mean_cost == pytest.approx(expected)
    assert found.compare("majority").rows[0].own == pytest.approx(expected, rel=0.1)
    assert "An answer costs" in found.to_text()
    front = found.front_
    assert ((front["low"] <= front["error"]) & (front["error"] <= front["high"])).all()
    balanced = explore(rows, families=QUICK, cv=4, inner_cv=3, metric="balanced_error")
    recalls = [one.recall.value for one in balanced.evaluation_.per_class]
    assert balanced.error_.value == pytest.approx(1 - np.mean(recalls))


def test_weights_are_repetitions() -> None:
    rows = mixed(7, 50)
    heavy = Dataset(rows, sample_weight=np.full(50, 3.0))
    plain = explore(rows, families=QUICK, cv=3, inner_cv=3)
    weighed = explore(heavy, families=QUICK, cv=3, inner_cv=3, max_leaf_nodes=1)
    assert weighed.choice_.family == "majority"
    assert weighed.error_.value == pytest.approx(plain._evaluated("recommended", "majority").error.value)


def test_sizes_prices_and_comparisons(data: Dataset, found: Exploration) -> None:
    front = found.front_
    kept = front[front["is_on_front"]]
    assert (np.diff(kept["size"]) > 0).all()
    assert (np.diff(kept["error"]) < 0).all()
    assert found.at(max_leaf_nodes=4).get_n_leaves() <= 4
    assert found.evaluation_at(max_leaf_nodes=8).n_samples == data.n_samples
    with pytest.raises(ParameterError, match="was not judged"):
        found.evaluation_at(max_leaf_nodes=7)
    free = explore(data, families=QUICK, cv=2, inner_cv=3, size_price=0)
    dear = explore(data, families=QUICK, cv=2, inner_cv=3, size_price=1)
    assert dear.tree_.n_leaves == 1 <= free.tree_.n_leaves
    one = found.compare("c45").rows[0]
    assert one.difference == pytest.approx(one.error - one.own)
    assert one.low <= one.difference <= one.high
    assert "C4.5" in str(found.compare("c45"))
    with pytest.raises(ParameterError, match="was not judged in every fold"):
        found.compare("planes")
    assert found.stability_.n_folds == 4
    assert found.plot().get_xlabel() == "leaves"


def test_what_a_limit_of_size_gives_away_is_told() -> None:
    monks = datasets.load("monks-2")
    how = {"families": ["cost_complexity"], "cv": 3, "inner_cv": 3}
    limited, free = explore(monks, **how, max_leaf_nodes=5), explore(monks, **how, max_leaf_nodes=None)
    chosen = limited.choices()
    assert limited.tree_.n_leaves <= 5 < free.tree_.n_leaves
    assert chosen["any_size"] == free.choice_ == free.choices()["any_size"]
    assert limited.evaluation_of("any_size").error == free.error_
    told = f"Without the limit of 5 leaves it would be {free.choice_.words}"
    for form in (limited.to_text(1000), limited.to_markdown(), limited.to_html(), limited._repr_html_()):
        assert told in form
    assert "Without the limit" not in free.to_text(1000) + free.to_html()
    assert explore(monks, **how).settings.max_leaf_nodes == 20


def test_repeats_do_not_make_the_interval_narrower(data: Dataset) -> None:
    once = explore(data, families=[], cv=3, inner_cv=2)
    often = explore(data, families=[], cv=3, inner_cv=2, repeats=3)
    assert often.evaluation_.n_samples == data.n_samples
    width = often.error_.high - often.error_.low
    assert width == pytest.approx(once.error_.high - once.error_.low, rel=0.2)


def test_noise_is_called_noise() -> None:
    n_held, n_told = 0, 0
    for seed in range(6):
        found = explore(*noise(seed, 60, 5), families=QUICK, cv=5, inner_cv=3)
        error = found.error_
        X, y = noise(1000 + seed, 2000, 5)
        n_held += error.low <= evaluate(found.recommended_, X, y).error.value <= error.high
        n_told += "Nothing was found that is surely better" in found.to_text()
    assert n_held >= 5
    assert n_told >= 5


class Stump(type(FAMILIES["majority"])):
    """A family of one's own."""

    name, title, is_essential = "stump", "a stump", False

    def fitted(self, place, training, asked):
        return GreedyTreeClassifier(max_depth=1).fit(training)


def test_a_new_family_registers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ParameterError, match="another family"):
        register(FAMILIES["majority"])
    with pytest.raises(ParameterError, match=r"is a class; register Stump\(\)"):
        register(Stump)
    with pytest.raises(ParameterError, match="is no family"):
        register("stump")
    wrong = type("Wrong", (Stump,), {"trees": lambda self, training: []})
    with pytest.raises(
        ParameterError, match=r"has another trees; write trees\(self, training, asked, clock\)"
    ):
        register(wrong())
    nameless = type("Nameless", (Stump,), {"title": None})
    with pytest.raises(ParameterError, match=r"has no title; give Nameless.title a text"):
        register(nameless())
    assert "stump" not in FAMILIES
    monkeypatch.setitem(FAMILIES, "stump", Stump())
    X = np.arange(40.0)[:, None]
    found = explore(X, X[:, 0] > 17, families=["stump"], cv=4)
    assert found.choice_.family in ("c45", "stump")
    assert "a stump" in found.to_text()
    assert found.error_.value <= 0.05


class Counting(Clock):
    """Counts how often it is looked at."""

    n_checks = 0

    def check(self) -> None:
        self.n_checks += 1
        super().check()


@pytest.mark.parametrize("name", ["random_forest", "boosting"])
def test_a_black_box_looks_at_the_clock_often(name: str, data: Dataset) -> None:
    clock, asked = Counting(None), Asked(*data.shape, None, None, None, 0)
    FAMILIES[name].model(data, asked, clock)
    assert clock.n_checks >= (10 if name == "random_forest" else 1)
    slow = Asked(10**6, 20, None, None, None, 0)
    clock.stop()
    with pytest.raises(HaltError):
        FAMILIES[name].model(data, slow, clock)


class Bayes(ModelFamily):
    """Something that is read and is no tree."""

    name, title = "bayes", "naive Bayes"

    def candidates(self, asked):
        return ["its defaults"]

    def models(self, training, asked, clock):
        return [self.fitted(0, training, asked)]

    def fitted(self, place, training, asked):
        return _Numbers(training)

    def shape(self, model):
        return Shape(3, 3, 2.0, 0, [0])

    def seconds(self, asked):
        return 1e-3


class _Numbers:
    """scikit-learn's, asked with a `Dataset`."""

    def __init__(self, training):
        labels = training.classes[training.target]
        self._model = GaussianNB().fit(np.column_stack(training.columns()), labels)

    def predict(self, X):
        return self._model.predict(np.column_stack(X.columns()))

    def predict_proba(self, X):
        return self._model.predict_proba(np.column_stack(X.columns()))


def test_what_is_no_tree_is_judged_and_shown_and_not_recommended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "bayes", Bayes())
    X, _ = noise(0, 80)
    y = X.sum(axis=1) > 0
    found = explore(X, y, families=["bayes", "rule_lists"], cv=4, inner_cv=3, time_limit=None)
    table = {row["family"]: row for row in found.families_.records()}
    assert table["bayes"]["error"] < table["c45"]["error"]
    assert table["bayes"]["size"] == 3
    assert found.choice_.family in ("majority", "c45")
    assert not found.front_[found.front_["family"] == "bayes"]["is_on_front"].any()
    assert "naive Bayes" in found.to_html()
    assert "\nbayes " in found.to_text()
    assert found.ceiling == []
    rules = found.model_of("rule_lists").rules_
    assert table["rule_lists"]["size"] == len(rules.rules) + 1
    with pytest.raises(ParameterError, match="was not judged in every fold"):
        found.model_of("planes")


class Spy(type(FAMILIES["majority"])):
    """A family that notes the rows it is given."""

    name, title, is_essential = "spy", "spy", False

    def __init__(self):
        self.seen = []

    def trees(self, training, asked, clock):
        self.seen.append({row[0] for row in np.column_stack(training.columns()).tolist()})
        return super().trees(training, asked, clock)


def test_no_choice_sees_the_rows_that_judge_it(monkeypatch: pytest.MonkeyPatch) -> None:
    spy = Spy()
    monkeypatch.setitem(FAMILIES, "spy", spy)
    X = np.arange(40.0)[:, None]
    found = explore(X, np.arange(40) % 2, families=["spy"], cv=4, inner_cv=3, time_limit=None)
    calls = iter(spy.seen)
    for problem in found.problems:
        for learning, judging in problem.inner:
            seen = next(calls)
            assert seen == set(X[learning, 0])
            assert not seen & (set(X[judging, 0]) | set(X[problem.judging, 0]))
        assert next(calls) == set(X[problem.learning, 0])
    assert next(calls, None) is None


class Memory(Stump):
    """A family that remembers every row it was ever given, and answers it rightly: it is found out."""

    name, title = "memory", "memory"

    def trees(self, training, asked, clock):
        return [GreedyTreeClassifier(min_samples_leaf=1).fit(training).tree_]

    def fitted(self, place, training, asked):
        return GreedyTreeClassifier(min_samples_leaf=1).fit(training)


def test_what_learns_rows_by_heart_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(FAMILIES, "memory", Memory())
    found = explore(*noise(4, 100), families=["memory"], cv=5, inner_cv=3, size_price=0, time_limit=None)
    row = next(row for row in found.families_.records() if row["family"] == "memory")
    assert found.model_of("memory").score(found.dataset) == 1.0
    assert row["inner_error"] > 0.3
    assert row["error"] > 0.3


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ({"families": ["forest"]}, "'forest'.* is not known"),
        ({"cv": 1}, "cv=1"),
        ({"size_price": -1}, "size_price=-1"),
        ({"metric": "auc"}, "metric='auc'"),
        ({"row_groups": [1, 2]}, "row_groups has the shape"),
        ({"row_groups": [0] * 30 + [1] * 30}, "2 groups, fewer than 10 folds"),
        ({"row_groups": [0] * 60, "time_column": [0] * 60}, "folds in two ways"),
        ({"resume": True}, "resume=True"),
    ],
)
def test_what_cannot_be_is_refused(how: dict[str, object], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        explore(*noise(0), **how)


def test_folds_are_one_fact() -> None:
    target = np.array([0, 1] * 20, dtype=np.int32)
    splits = row_splits(target, 4, n_repeats=2, seed=5)
    assert len(splits) == 8
    again = row_splits(target, 4, seed=6)
    assert [one.tolist() for _, one in splits[4:]] == [one.tolist() for _, one in again]


# The command.


def test_the_command_reports_and_its_file_predicts(run: Run) -> None:
    line = ("explore", "iris", "--family", "cost_complexity", "--cv", 4, "--inner-cv", 3)
    ended = run(*line, "--out", "report.json", "--plot", "front.svg")
    assert (ended.code, ended.err) == (0, "")
    assert "Trees chosen this way have an error of" in ended.out
    assert Path("front.svg").stat().st_size > 1000
    told = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert told["command"].startswith("treewright explore iris")
    assert told["data"][0]["name"] == "iris"
    assert run("predict", "report.json", "iris").code == 0
    again = run("evaluate", "report.json", "iris", "--cv", 3)
    assert (again.code, "3 folds, stratified" in again.out.replace("\n", " ")) == (0, True)
    assert run(*line, "--json").out.startswith('{"format": "treewright-exploration"')


def test_the_command_keeps_a_group_apart(run: Run) -> None:
    rng = np.random.default_rng(0)
    group, value = rng.integers(0, 12, 60), rng.normal(size=60)
    lines = [f"g{g},{v:.3f},{'sick' if v > 0 else 'well'}" for g, v in zip(group, value, strict=True)]
    Path("visits.csv").write_text("\n".join(["patient,value,state", *lines, ""]), encoding="utf-8")
    line = ("explore", "visits.csv", "--target", "state", "--row-group", "patient", "--cv", 3)
    ended = run(*line, "--family", "cost_complexity", "--json")
    assert ended.code == 0, ended.err
    told = json.loads(ended.out)
    assert told["folds"] == "by group"
    assert [one["name"] for one in told["data"][0]["features"]] == ["value"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--row-group", "a", "--time-column", "b"], "give one of them"),
        (["--out", "a.pdf"], "'a.pdf' must end in .html, .htm, .txt, .md or .json. --plot draws a picture."),
        (["--resume"], "--resume goes with --checkpoint"),
        (["--family", "forest"], "'forest'"),
    ],
)
def test_what_the_command_cannot_do_is_refused(run: Run, options: list[str], message: str) -> None:
    assert_refused(run("explore", "iris", *options), 2, message)
