"""Scores of the user's: where they are asked, what they see, what they raise."""

import threading

import numpy as np
import pytest

from program_problems import LISTS, SAME, X, fitting, outcome, square
from treewright import DataError, ParameterError
from treewright.evolution import Program, ProgramEvolver, ScoredProblem


@pytest.fixture(scope="module")
def fitted_once():
    return outcome(fitting().run())


def test_a_score_is_asked_on_the_callers_thread_only():
    threads, shapes = set(), []

    def score(outputs):
        threads.add(threading.get_ident())
        shapes.append(outputs.shape)
        return square(outputs)

    fitting(score, n_jobs=4, budget=2000).run()
    assert threads == {threading.get_ident()}
    assert shapes[0] == (1, 9)
    assert all(n <= 512 and k == 9 for n, k in shapes)
    assert len(shapes) <= 5


def test_a_score_sees_python_values():
    seen = []

    def score(outputs):
        seen.extend(outputs)
        return [sum(len(xs or []) for xs in lists) for lists in outputs]

    evolver = ProgramEvolver(ScoredProblem(LISTS, score, target_loss=0), SAME, ["Nil"], budget=3000, polish=0)
    assert evolver.run().best_([1, 2]) == []
    assert evolver.solved_ is not None
    assert seen[0] == LISTS
    assert all(len(lists) == len(LISTS) for lists in seen)


def test_any_object_with_inputs_and_a_score_is_a_problem(fitted_once):
    class Curve:
        inputs = X
        arrays = True

        def score(self, outputs):
            return square(outputs)

    evolver = ProgramEvolver(
        Curve(), Program("fun f(x: float): float = x"), ("-", "+", "*", "constants"), budget=4000
    )
    assert outcome(evolver.run()) == fitted_once


class MineError(Exception):
    pass


@pytest.mark.parametrize("n_jobs", [1, 3])
@pytest.mark.parametrize("error", [MineError("mine"), KeyboardInterrupt(), SystemExit(3)])
def test_what_a_score_raises_comes_out_and_the_search_goes_on(error, n_jobs, tmp_path, fitted_once):
    calls = []

    def score(outputs):
        calls.append(1)
        if len(calls) in (1, 4):
            raise error
        return square(outputs)

    score.__qualname__ = square.__qualname__
    evolver = fitting(score, n_jobs=n_jobs)
    for n_programs in (None, 2 * 512 + 1):
        with pytest.raises(type(error)) as raised:
            evolver.run(checkpoint=tmp_path / "run.json")
        assert raised.value is error
        if n_programs is not None:
            assert evolver.n_programs_ == n_programs - 512
            assert evolver.status_ == "stopped"
    assert outcome(fitting(score).run(checkpoint=tmp_path / "run.json", resume=True)) == fitted_once
    assert outcome(evolver.run()) == fitted_once


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        (lambda n: [0.0] * (n + 1), "returned .* loss(es)? for .* programs?"),
        (lambda n: np.zeros(n - 1), "returned .* loss(es)? for .* programs?"),
        (lambda n: None, "returned an object of type NoneType; return one number"),
        (lambda n: 3, "returned an object of type int"),
        (lambda n: dict.fromkeys(range(n), 0.0), "returned an object of type dict"),
        (lambda n: set(range(n)), "returned an object of type set"),
        (lambda n: np.zeros(n, dtype=complex), "returned an entry of type complex128"),
        (lambda n: np.zeros(n, dtype=np.complex64), "returned an entry of type complex64"),
        (lambda n: np.zeros((n, 1)), "returned an entry of type ndarray"),
        (lambda n: ["a"] * n, "returned an entry of type str"),
        (lambda n: np.zeros((n, 2)), "returned an entry of type ndarray"),
    ],
)
def test_losses_that_are_none_are_refused(losses, message):
    with pytest.raises(DataError, match=message):
        fitting(lambda outputs: losses(len(outputs))).run()


def test_programs_without_a_finite_loss_are_given_up():
    def score(outputs):
        return np.where(outputs[:, 0] == 0, square(outputs), np.nan)

    evolver = fitting(score).run()
    assert all(np.isfinite(one.loss) and one.program(0.0) == 0 for one in evolver.front_)
    with pytest.raises(ParameterError, match="no finite loss"):
        fitting(lambda outputs: np.full(len(outputs), np.inf)).run()


def test_losses_may_be_negative():
    evolver = fitting(lambda outputs: -np.minimum(outputs[:, -1], 50.0), target=-50.0, polish=0).run()
    assert evolver.front_[0].loss < -2
    assert min(one.loss for one in evolver.front_) == min(
        -min(one.program(2.0), 50.0) for one in evolver.front_
    )


def test_rows_of_an_array_are_inputs_of_several_parameters():
    rows = np.random.RandomState(0).uniform(size=(30, 2))
    wished = rows[:, 0] * rows[:, 1]
    problem = ScoredProblem(
        rows, lambda outputs: np.abs(outputs - wished).max(axis=1), arrays=True, target_loss=0
    )
    evolver = ProgramEvolver(problem, "fun f(a: float, b: float): float = a", ["+", "*"], polish=0)
    assert evolver.run().best_(3.0, 5.0) == 15.0
