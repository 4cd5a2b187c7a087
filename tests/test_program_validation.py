"""Programs that a second problem chooses: by hand, and without a trace in the search itself."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Run
from program_problems import LISTS, SAME, fitting, outcome, reversing, square
from treewright import DataError, GreedyTreeClassifier, ParameterError, UnfinishedError, datasets
from treewright.evolution import (
    ExampleProblem,
    LearnedPruning,
    Program,
    ProgramEvolver,
    ProgramPruning,
    PruningProblem,
    ScoredProblem,
)

NEW = [[3], [8, 8], [1, 2, 3], [9, 8, 7, 6], [6, 5, 4, 3, 2]]
OTHERS = ExampleProblem(NEW, [xs[::-1] for xs in NEW])


def noisy(outputs: Any) -> Any:
    """Mean squared distance from values that are off by a curve of their own."""
    x = np.linspace(0, 2, 9)
    return ((outputs - (x * x + 0.5 + 0.4 * x * (x - 1.5))) ** 2).mean(axis=1)


def fine(x: Any) -> ScoredProblem:
    """Return the distance from the values as they are, at other places."""
    x = np.asarray(x)
    return ScoredProblem(x, lambda outputs: ((outputs - (x * x + 0.5)) ** 2).mean(axis=1), arrays=True)


PLACES = np.linspace(0.1, 1.9, 12)


def loss_by_hand(program: Program, x: Any) -> float:
    return float(np.mean([(program(float(at)) - (at * at + 0.5)) ** 2 for at in x]))


def test_the_program_of_the_least_validation_loss_is_handed_out() -> None:
    evolver = fitting(noisy, validation=fine(PLACES), budget=6_000, random_state=1).run()
    by_hand = [loss_by_hand(one.program, PLACES) for one in evolver.front_]
    assert [one.validation_loss for one in evolver.front_] == pytest.approx(by_hand, rel=1e-12)
    chosen = int(np.argmin(by_hand))
    assert by_hand[chosen] < by_hand[0] / 3, "the best program on the noisy values is not the best elsewhere"
    assert evolver.best_ == evolver.front_[chosen].program
    assert evolver.validation_loss_ == evolver.front_[chosen].validation_loss
    elsewhere = np.linspace(0.05, 1.95, 30)
    assert evolver.evaluate(fine(elsewhere)) == pytest.approx(loss_by_hand(evolver.best_, elsewhere))
    start = Program("fun f(x: float): float = x")
    assert evolver.evaluate(fine(elsewhere), start.text) == pytest.approx(loss_by_hand(start, elsewhere))


@pytest.mark.parametrize("make", [reversing, lambda **more: fitting(noisy, **more)])
def test_it_leaves_the_search_and_its_file_as_they_are(tmp_path: Any, make: Any) -> None:
    validation = OTHERS if make is reversing else fine(PLACES)
    plain = make().run(checkpoint=tmp_path / "plain.json")
    chosen = make(validation=validation, n_jobs=2).run(checkpoint=tmp_path / "chosen.json")
    assert outcome(plain) == outcome(chosen)
    assert (tmp_path / "plain.json").read_bytes() == (tmp_path / "chosen.json").read_bytes()
    assert plain.validation_loss_ is None
    assert {one.validation_loss for one in plain.front_} == {None}
    assert plain.best_ == plain.front_[0].program
    part = make(validation=validation).run(budget=1_000, checkpoint=tmp_path / "part.json")
    resumed = make(validation=validation, n_jobs=4).run(checkpoint=tmp_path / "part.json", resume=True)
    for same in (resumed, part.run()):
        assert same.front_ == chosen.front_
        assert (same.best_, same.validation_loss_) == (chosen.best_, chosen.validation_loss_)


def test_in_a_tie_the_loss_on_the_problem_decides_and_then_the_size() -> None:
    evolver = reversing(validation=OTHERS, budget=2_000).run()
    front = evolver.front_
    tied = [one for one in front if one.validation_loss == evolver.validation_loss_]
    assert evolver.best_ == min(tied, key=lambda one: (one.loss, one.bits)).program
    assert [one.loss for one in front] == sorted(one.loss for one in front)


def wrong_of(program: Program, seed: int, n_trees: int) -> int:
    """Test errors of a pruning program, by growing, pruning and predicting."""
    wrong = 0
    for number in range(n_trees):
        train, test = datasets.make_linear_network(preset="paper_table", number=number, random_state=seed)
        model = GreedyTreeClassifier.id3(pruning=ProgramPruning(program)).fit(train)
        wrong += int(np.sum(model.predict(test) != test.classes[test.target]))
    return wrong


def test_pruning_programs_are_chosen_on_other_trees() -> None:
    problems = [PruningProblem("paper_table", n_trees=4, random_state=seed) for seed in range(3)]
    start, more = PruningProblem.start(), {"budget": 1_000, "most_bits": 1500}
    evolver = ProgramEvolver(problems[0], start, validation=problems[1], **more).run()
    by_hand = [wrong_of(one.program, 1, 4) for one in evolver.front_]
    assert [one.validation_loss for one in evolver.front_] == by_hand
    assert evolver.best_ == evolver.front_[int(np.argmin(by_hand))].program
    assert evolver.evaluate(problems[2]) == wrong_of(evolver.best_, 2, 4)
    same = PruningProblem("paper_table", n_trees=3)
    evolver = ProgramEvolver(problems[0], start, validation=same, **more)
    with pytest.raises(ParameterError, match="has all its inputs among those of the problem itself"):
        evolver.run()


@pytest.mark.parametrize(
    ("validation", "message"),
    [
        (ExampleProblem(LISTS, LISTS), "validation has all its inputs among those of the problem itself"),
        (ExampleProblem([*NEW, [4], []], [*NEW, [4], []]), "has 2 of its 7 inputs among"),
        (ExampleProblem([], []), "needs at least one input"),
        (ExampleProblem([1.5], [2]), "input 0"),
        (3, "is of type int, without 'inputs'"),
        (PruningProblem("paper_table", n_trees=2), "must be of type tree -> tree"),
    ],
)
def test_a_validation_problem_that_cannot_be_is_refused_before_the_search(
    validation: Any, message: str
) -> None:
    evolver = reversing(validation=validation)
    with pytest.raises((ParameterError, DataError), match=message):
        evolver.run()
    with pytest.raises(UnfinishedError):
        _ = evolver.front_
    evolver.validation = OTHERS
    assert evolver.run().validation_loss_ is not None
    with pytest.raises(ParameterError, match="other types than the program that the search started from"):
        evolver.evaluate(OTHERS, "fun f(n: int): int = n")
    with pytest.raises(UnfinishedError):
        reversing().evaluate(OTHERS)
    assert reversing().evaluate(OTHERS, SAME) > 0


def test_programs_without_a_finite_validation_loss_are_not_chosen() -> None:
    def mostly_infinite(outputs: Any) -> Any:
        losses = square(outputs)
        return np.where(losses <= losses.min(), math.inf, losses)

    evolver = fitting(validation=ScoredProblem(PLACES[:9], mostly_infinite, arrays=True)).run()
    assert evolver.front_[0].validation_loss is not None
    assert math.isfinite(evolver.validation_loss_)
    never = ScoredProblem(PLACES[:9], lambda outputs: np.full(len(outputs), math.nan), arrays=True)
    evolver = fitting(validation=never, budget=1_000)
    with pytest.raises(DataError, match="no finite loss for any program of the front"):
        evolver.run()
    assert evolver.n_programs_ >= 1_000
    evolver.validation = None
    assert evolver.run().validation_loss_ is None


def test_what_a_score_raises_is_raised_and_the_search_is_kept() -> None:
    def broken(outputs: Any) -> Any:
        raise RuntimeError("no score today")

    evolver = fitting(validation=ScoredProblem(PLACES, broken, arrays=True), budget=1_000)
    with pytest.raises(RuntimeError, match="no score today"):
        evolver.run()
    evolver.validation = fine(PLACES)
    again = evolver.run(budget=2_000)
    assert outcome(again) == outcome(fitting(budget=2_000).run())
    assert again.validation_loss_ is not None


def test_a_callback_reads_the_choice_so_far_and_a_plot_shows_both() -> None:
    seen = []

    def look(progress: Any) -> None:
        if evolver._search.n_programs:
            seen.append((evolver.validation_loss_, evolver.best_))

    evolver = fitting(noisy, validation=fine(PLACES), callback=look, budget=3_000)
    evolver.run()
    assert seen
    assert seen[-1] == (evolver.validation_loss_, evolver.best_)
    ax = pytest.importorskip("matplotlib.pyplot").figure().gca()
    evolver.plot(ax)
    assert "on the problem that chooses" in ax.get_legend_handles_labels()[1]


def test_the_command_evolves_chooses_and_judges(run: Run) -> None:
    line = ["evolve", "--generator", "paper_table", "--program", "--trees", "3", "--validation-trees", "4"]
    line += ["--test-trees", "5"]
    whole = run(*line, "--budget", "600", "--out", "whole.json")
    assert whole.code == 0
    part = run(*line, "--budget", "1", "--out", "part.json", "--checkpoint", "run.json")
    assert part.code == 0
    ended = run(*line, "--budget", "600", "--checkpoint", "run.json", "--resume", "--n-jobs", "2", "--json")
    found, resumed = json.loads(Path("whole.json").read_text(encoding="utf-8")), json.loads(ended.out)
    for facts in (found, resumed):
        del facts["command"]
    assert found == resumed
    losses = {one["rule"]: one for one in found["record"]["losses"]}
    assert list(losses) == ["no pruning", "naive", "learned:paper_table", "the start", "the program"]
    assert losses["naive"] == {**losses["the start"], "rule": "naive"}
    assert losses["the program"]["validation"] <= losses["the start"]["validation"]
    rule = ProgramPruning.from_json(Path("whole.json").read_text(encoding="utf-8"))
    seeds = np.random.SeedSequence(0).generate_state(3).tolist()
    learned = PruningProblem.start(LearnedPruning.preset("paper_table"))
    for name, judged in {"the program": Program(rule.text), "learned:paper_table": learned}.items():
        assert losses[name]["test"] == wrong_of(judged, seeds[2], 5)
    assert "The validation trees chose the program among" in whole.out
    again = run(*line, "--budget", "1", "--start", "whole.json", "--code", "sml")
    assert "fun prune" in again.out
    for option in (("--objective", "errors"), ("--patience", "9"), ("--most-trees", "9")):
        refused = run(*line, *option)
        assert refused.code == 2
        assert f"{option[0]} is of the search for formulas" in refused.err
    other = run(*line, "--seed", "1", "--checkpoint", "run.json", "--resume")
    assert other.code != 0
    assert "run.json" in other.err


def test_validation_trees_that_repeat_a_training_tree_are_drawn_anew(run: Run) -> None:
    """Trees of iris are alike: for this seed the first two draws repeat one, the third does not."""
    line = ["evolve", "iris", "--program", "--budget", "1", "--trees", "60", "--test-trees", "2"]
    iris, seeds = datasets.load("iris"), np.random.SeedSequence(1).generate_state(5).tolist()
    training = PruningProblem(iris, n_trees=60, random_state=seeds[0])
    drawn = [PruningProblem(iris, n_trees=240, random_state=seeds[place]) for place in (1, 3, 4)]
    first = PruningProblem.start("naive")
    for repeating in drawn[:2]:
        with pytest.raises(ParameterError, match="1 of its 240 inputs among those of the problem itself"):
            ProgramEvolver(training, first, validation=repeating).run(budget=1)
    facts = json.loads(run(*line, "--seed", "1", "--json").out)["record"]
    judge = ProgramEvolver(training, first).run(budget=1)
    start = next(one for one in facts["losses"] if one["rule"] == "the start")
    assert start["validation"] == judge.evaluate(drawn[2], first)
