"""Rules that are learned where wrong answers cost.

Inner names, as in unit tests: `search.evolution.corpora`, `data.validation_set`: how the rows of a tree are
drawn, to grow it by hand.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from commands import Run, assert_refused
from treewright import GreedyTreeClassifier
from treewright.data.validation_set import draw_share
from treewright.evolution import LearnedPruning, ProgramEvolver, PruningProblem, learn_pruner
from treewright.search.evolution.corpora import corpus_seeds

FEW: dict[str, Any] = {"budget": 600, "n_train": 30, "n_validation": 20, "n_test": 12}
COSTS = [[0, 3, 1], [1, 0, 8], [2, 4, 0]]


@pytest.fixture(scope="module")
def noisy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.where(rng.random(90) < 0.3, rng.integers(0, 3, 90), (X[:, 0] > 0).astype(int) + (X[:, 1] > 0.8))
    return X, y


def learned(data: Any, costs: Any, **params: Any) -> LearnedPruning:
    return learn_pruner(data, estimator=GreedyTreeClassifier(cost_matrix=costs), **{**FEW, **params})


def scores(rule: LearnedPruning, unit: float = 1.0) -> Any:
    assert rule.record_ is not None
    return [
        [measured.value / unit for measured in (score.train, score.validation, score.test)]
        for score in rule.record_.scores
    ]


@pytest.mark.parametrize("classes", [2, 3])
def test_equal_costs_are_errors(noisy, classes):
    X, y = noisy
    data = (X, np.minimum(y, classes - 1))
    plain, priced = learned(data, None), learned(data, 4 * (1 - np.eye(classes)))
    assert priced.text == plain.text
    assert scores(priced, 4) == pytest.approx(np.array(scores(plain)))
    assert not plain.record_.counts_cost
    assert priced.record_.counts_cost
    assert "Errors in percent" in plain.report()
    assert "Cost of an answer, over the test rows" in priced.report()
    assert "rrors" not in priced.report().replace("standard errors", "")
    assert LearnedPruning.from_json(priced.to_json()).record_ == priced.record_


def test_scores_are_the_cost_of_pruned_trees(noisy):
    X, y = noisy
    rule = LearnedPruning("((n - c) + 0.7 + 0.3 * sqrt(n - c)) / n")
    record = learned(noisy, COSTS, budget=1, start=rule, random_state=3).record_
    draw = np.random.RandomState(np.random.MT19937(np.random.SeedSequence(corpus_seeds(3)[2])))
    cost, weight = 0.0, 0
    for _ in range(FEW["n_test"]):
        judges = draw_share(0.5, y, draw)
        model = GreedyTreeClassifier(cost_matrix=COSTS, pruning=rule).fit(X[~judges], y[~judges])
        cost += np.array(COSTS)[y[judges], model.predict(X[judges])].sum()
        weight += judges.sum()
    by_name = {score.name: score for score in record.scores}
    assert by_name["start"].test.value == pytest.approx(cost / weight)


def test_a_limit_on_time_leaves_a_tree_of_each_kind(noisy):
    seen = []
    rule = learned(noisy, COSTS, callback=lambda progress: bool(seen.append(progress.text)) or True)
    assert rule.record_.n_trees == (1, 1, 1)
    assert seen[0] == "3 of 62 trees grown"
    assert learned(noisy, COSTS, time_limit=1e-6).record_.n_trees == (1, 1, 1)


def test_a_learned_rule_prunes_trees_with_costs(noisy):
    rule = learned(noisy, COSTS)
    model = GreedyTreeClassifier(cost_matrix=COSTS, pruning=rule).fit(*noisy)
    assert model.tree_.cost_matrix.tolist() == COSTS
    assert model.tree_.n_nodes < GreedyTreeClassifier().fit(*noisy).tree_.n_nodes


def test_a_problem_for_programs_takes_costs(noisy):
    more = {"budget": 300, "random_state": 0}
    shared = {"n_trees": 6, "random_state": 1}
    costs = GreedyTreeClassifier(cost_matrix=4 * (1 - np.eye(3)))
    plain, priced = (
        ProgramEvolver(PruningProblem(noisy, estimator=one, **shared), PruningProblem.start(), **more).run()
        for one in (None, costs)
    )
    assert priced.front_[0].loss == pytest.approx(4 * plain.front_[0].loss)


def test_the_command_takes_costs(run: Run) -> None:
    sizes = ("--budget", 500, "--trees", 20, "--validation-trees", 10, "--test-trees", 10)
    ended = run("evolve", "weather.csv", "--target", "play", *sizes, "--cost-matrix", "no:yes=10")
    assert ended.code == 0, ended.err
    assert "objective: cost of an answer of a tree on average" in ended.out
    refused = run("evolve", "--generator", "paper_table", "--cost-matrix", "a:b=10")
    assert_refused(refused, 2, "--cost-matrix names classes of DATA; --generator draws its sets")
