"""Evolution of programs for problems of one's own: found, repeated, limited, refused."""

import matplotlib as mpl
import numpy as np
import pytest

from program_problems import LIST, LISTS, REVERSAL, SAME, fitting, outcome, reversing, square
from treewright import DataError, ParameterError, UnfinishedError
from treewright.evolution import ExampleProblem, ProgramEvolver, ScoredProblem

mpl.use("agg")


@pytest.fixture(scope="module")
def reversed_once():
    return outcome(reversing().run())


@pytest.fixture(scope="module")
def fitted_once():
    return outcome(fitting().run())


def test_examples_are_learned():
    odd = ExampleProblem(range(6), [2 * n + 1 for n in range(6)])
    evolver = ProgramEvolver(odd, "fun f(n: int): int = n", ["+", "constants"], budget=20_000, polish=500)
    assert evolver.run() is evolver
    assert evolver.best_(1000) == 2001
    assert evolver.status_ == "complete"
    assert evolver.solved_ <= evolver.n_programs_ <= evolver.solved_ + 500 + 512
    assert evolver.front_[0].program == evolver.best_
    assert (evolver.front_[0].loss, evolver.front_[0].n_wrong) == (0.0, 0)
    from matplotlib import pyplot

    ax = evolver.plot()
    drawn = sorted(zip(*map(list, ax.lines[0].get_data()), strict=True))
    assert drawn == sorted((one.bits, one.loss) for one in evolver.front_)
    assert ax.lines[1].get_data()[1].tolist() == [0.0]
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("bits", "loss")
    pyplot.close(ax.figure)


def test_a_front_holds_nobody_that_another_one_beats():
    front = reversing().run().front_
    assert len(front) > 8
    assert [one.loss for one in front] == sorted(one.loss for one in front)
    for one in front:
        assert not any(
            other is not one
            and (other.loss <= one.loss and other.bits <= one.bits and other.steps <= one.steps)
            for other in front
        )
        wrong = sum(one.program(xs) != xs[::-1] for xs in LISTS)
        assert one.n_wrong == wrong
        assert wrong / 2 <= one.loss <= 1.25 * wrong


@pytest.mark.parametrize("n_jobs", [1, 2, 4])
def test_threads_and_repetition_change_nothing(n_jobs, reversed_once, fitted_once):
    assert outcome(reversing(n_jobs=n_jobs).run()) == reversed_once
    assert outcome(fitting(n_jobs=n_jobs).run()) == fitted_once


def test_a_seed_decides(reversed_once):
    assert outcome(reversing(random_state=1).run()) != reversed_once
    drawn = [reversing(random_state=np.random.RandomState(7), budget=1).run().seed_ for _ in range(2)]
    assert drawn[0] == drawn[1] > 0


def test_running_again_goes_on(reversed_once):
    evolver = reversing()
    for budget in (1, 700, 700, 2500):
        assert evolver.run(budget=budget).n_programs_ >= budget
    assert outcome(evolver.run()) == reversed_once


def test_programs_of_several_inputs_and_helpers():
    def score(outputs):
        return [sum(abs(y - 6 * a * b) for y, (a, b) in zip(row, pairs, strict=True)) for row in outputs]

    pairs = [(1, 2), (3, 3), (2, 5), (4, 1)]
    start = "fun six(x: int): int = x * 6\nfun f(a: int, b: int): int = a"
    evolver = ProgramEvolver(
        ScoredProblem(pairs, score, target_loss=0), start, ["*", "six"], budget=20_000, polish=0
    )
    assert evolver.run().best_(10, 10) == 600
    assert "six(" in evolver.best_.text.split("fun f")[1]


def test_many_right_outputs_are_seen_through_a_view():
    view = LIST + "fun first(xs: list): int = case xs of Nil => 0 | Cons(x, rest) => x"
    problem = ExampleProblem([3, 5, 8], [4, 6, 9], view=view)
    evolver = ProgramEvolver(
        problem,
        LIST + "fun f(n: int): list = Nil",
        ["+", "Cons", "Nil", "constants"],
        budget=20_000,
        polish=0,
    )
    assert evolver.run().best_(10)[0] == 11
    with pytest.raises(ParameterError, match="viewing"):
        ProgramEvolver(
            problem, SAME.replace("xs: list", "n: int").replace("= xs", "= 1").replace("): list", "): int")
        ).run()


def test_a_callback_watches_and_stops():
    seen = []

    def watch(progress):
        seen.append((progress.done, progress.best, evolver.best_, len(evolver.front_)))
        with pytest.raises(UnfinishedError, match="is running"):
            evolver.run()
        return progress.done > 600

    evolver = reversing(budget=10**9, polish=10**9, callback=watch)
    evolver.run()
    assert evolver.status_ == "stopped"
    assert 600 < seen[-1][0] < 10**9
    assert evolver.front_[0].loss <= seen[-1][1] <= seen[0][1]


def test_what_a_callback_raises_comes_out_and_the_search_goes_on():
    error = ZeroDivisionError("mine")

    def watch(progress):
        if progress.done >= 1000:
            raise error

    evolver = fitting(budget=10**9, callback=watch)
    with pytest.raises(ZeroDivisionError) as raised:
        evolver.run()
    assert raised.value is error
    assert evolver.status_ == "stopped"
    evolver.callback, evolver.budget = None, evolver.n_programs_ + 300
    other = fitting(budget=evolver.budget, n_jobs=2)
    assert outcome(evolver.run()) == outcome(other.run())


def test_a_time_limit_ends_a_run():
    evolver = reversing(budget=10**9, time_limit=0.05).run()
    assert evolver.status_ == "time_limit"
    n_programs = evolver.n_programs_
    assert evolver.run(time_limit=1e-9).n_programs_ == n_programs


HOSTILE = (
    LIST
    + """
fun onto(xs: list, ys: list): list = case xs of Nil => ys | Cons(x, rest) => Cons(x, onto(rest, ys))
fun f(xs: list): list =
  case xs of
    Nil => Cons(1, Nil)
  | Cons(x, rest) => let val twice = f(rest) in onto(twice, onto(twice, twice)) end
"""
)


@pytest.mark.parametrize("limits", [{}, {"max_steps": 50}, {"max_memory": 20}, {"max_output": 3}])
def test_limits_hold_on_hostile_programs(limits):
    inputs = [list(range(n)) for n in (0, 2, 8, 40)]
    seen = []

    def score(outputs):
        seen.extend(outputs)
        return [sum(output is not None for output in row) - 9 for row in outputs]

    ProgramEvolver(ScoredProblem(inputs, score), HOSTILE, budget=1500, **limits).run()
    assert all(row[-1] is None for row in seen[:1])
    assert max(len(output or []) for row in seen for output in row) <= limits.get("max_output", 1000) / 2
    examples = ExampleProblem(inputs, inputs)
    front = ProgramEvolver(examples, HOSTILE, budget=1500, **limits).run().front_
    assert all(np.isfinite(one.loss) for one in front)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"budget": 0}, ParameterError, "budget"),
        ({"polish": -1}, ParameterError, "polish"),
        ({"time_limit": 0}, ParameterError, "time_limit"),
        ({"random_state": -1}, ParameterError, "random_state"),
        ({"random_state": "a"}, ParameterError, "random_state='a' must be None or an int from 0"),
        ({"random_state": 1.5}, ParameterError, "random_state=1.5 must be"),
        ({"random_state": np.random.default_rng(1)}, ParameterError, "or a RandomState"),
        ({"n_jobs": 0}, ParameterError, "n_jobs"),
        ({"callback": 3}, ParameterError, "callback"),
        ({"most_bits": 0}, ParameterError, "most_bits"),
        ({"most_bits": 2}, ParameterError, "below the 3 bits of the program to start from"),
        ({"max_steps": 0}, ParameterError, "max_steps"),
        ({"max_memory": 0.5}, ParameterError, "max_memory"),
        ({"max_output": 5000}, ParameterError, "max_output"),
        ({"functions": ["+", "plus"]}, ParameterError, "'plus' is no symbol"),
        ({"functions": "+"}, ParameterError, "is no list of names"),
        ({"functions": [3]}, ParameterError, "is no list of names"),
        ({"start": 3}, ParameterError, "start=3"),
        ({"start": "fun f"}, ParameterError, "expected"),
        ({"problem": 3}, ParameterError, "without 'inputs'"),
        ({"problem": ExampleProblem([], [])}, DataError, "at least one input"),
        (
            {"problem": ExampleProblem([[1]], [[1], [2]])},
            DataError,
            "outputs has 2 entries where 1 are needed",
        ),
        ({"problem": ExampleProblem([1], [[1]])}, DataError, "input 0, argument 1, has 1 where type list"),
        ({"problem": ExampleProblem([[1]], [1])}, DataError, "output 0 has 1 where type list"),
        ({"problem": ExampleProblem("12", [1])}, ParameterError, "inputs='12'"),
        ({"problem": ExampleProblem([[1]], 3)}, ParameterError, "outputs=3"),
        ({"problem": ScoredProblem(LISTS, square, arrays=True)}, ParameterError, "outputs that are numbers"),
        ({"problem": ScoredProblem(LISTS, square, arrays=1)}, ParameterError, "arrays=1"),
        ({"problem": ScoredProblem(LISTS, square, target_loss="x")}, ParameterError, "target_loss='x'"),
        ({"problem": ExampleProblem({1: 2}, [1])}, ParameterError, "cannot be iterated over in order"),
        ({"problem": ScoredProblem(LISTS, None)}, ParameterError, "score=None cannot be called"),
        ({"problem": ScoredProblem(LISTS, 3)}, ParameterError, "score=3 cannot be called; .* losses"),
    ],
)
def test_what_cannot_be_used_is_said(change, error, message):
    given = {"problem": REVERSAL, "start": SAME, "budget": 100, **change}
    with pytest.raises(error, match=message):
        ProgramEvolver(**given).run()


def test_inputs_of_several_parameters_are_tuples():
    start = "fun f(a: int, b: int): int = a"
    with pytest.raises(DataError, match="input 1 is no tuple"):
        ProgramEvolver(ExampleProblem([(1, 2), 3], [1, 2]), start).run()
    with pytest.raises(DataError, match="has 2 parameters and 1 value is given"):
        ProgramEvolver(ExampleProblem([(1, 2), (3,)], [1, 2]), start).run()


def test_nothing_is_there_before_a_run():
    evolver = reversing()
    for name in ("front_", "best_", "status_", "solved_", "n_programs_", "n_judged_", "seed_"):
        with pytest.raises(UnfinishedError, match=r"call run\(\) first"):
            getattr(evolver, name)
    with pytest.raises(ParameterError, match="resume=True has no file to go on from"):
        evolver.run(resume=True)
    with pytest.raises(ParameterError, match="every"):
        evolver.run(every=-1)
