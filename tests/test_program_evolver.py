"""Evolution of programs for problems of one's own: found, stored, resumed, interrupted."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from treewright import DataError, FormatError, ParameterError, ProgramEvolver, UnfinishedError
from treewright.evolution import ExampleProblem, Program, ScoredProblem

LIST = "type list = Nil | Cons of int * list\n"
LISTS = [[], [4], [1, 2], [5, 3], [7, 1, 3], [2, 9, 4, 6]]
SAME = LIST + "fun f(xs: list): list = xs"
REVERSAL = ExampleProblem(LISTS, [xs[::-1] for xs in LISTS])
X = np.linspace(0, 2, 9)


def square(outputs):
    """Mean squared distance from x² + 1/2."""
    return ((outputs - (X * X + 0.5)) ** 2).mean(axis=1)


def curve(score=square, **more):
    return ScoredProblem(X, score, arrays=True, **more)


def reversing(problem=REVERSAL, start=SAME, **more):
    given = {"functions": ["Cons", "Nil", "case list"], "budget": 4000, **more}
    return ProgramEvolver(problem, start, **given)


def fitting(score=square, *, target=None, **more):
    functions = ["+", "-", "*", "constants"]
    problem = curve(score, target=target)
    return ProgramEvolver(problem, "fun f(x: float): float = x", functions, **{"budget": 4000, **more})


def outcome(evolver):
    """All that must not depend on threads, time or interruptions, with the names in the programs."""
    front = [(one.program.text, one.loss, one.bits, one.steps, one.n_wrong) for one in evolver.front_]
    return front, evolver.n_programs_, evolver.n_judged_, evolver.solved_, evolver.seed_


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


@pytest.mark.parametrize("make", [reversing, fitting])
@pytest.mark.parametrize(("budget", "before", "after"), [(1, 2, 4), (600, 1, 2), (1800, 4, 1), (3500, 2, 2)])
def test_resuming_goes_on_bit_for_bit(tmp_path, make, budget, before, after, reversed_once, fitted_once):
    make(n_jobs=before).run(budget=budget).checkpoint(tmp_path / "run.json")
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    evolver = make(n_jobs=after).resume(str(tmp_path / "run.json"))
    assert evolver.n_programs_ < 4000
    assert outcome(evolver.run()) == (reversed_once if make is reversing else fitted_once)
    evolver.checkpoint(tmp_path / "one.json")
    make().run().checkpoint(tmp_path / "other.json")
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_a_seed_that_was_drawn_is_resumed(tmp_path):
    evolver = reversing(random_state=None, budget=600).run()
    evolver.checkpoint(tmp_path / "run.json")
    resumed = reversing(random_state=None).resume(tmp_path / "run.json")
    assert resumed.seed_ == evolver.seed_
    assert outcome(resumed.run()) == outcome(reversing(random_state=evolver.seed_).run())


def test_checkpoints_of_other_searches_are_refused(tmp_path):
    place = tmp_path / "run.json"
    reversing(budget=600).run().checkpoint(place)
    others = [
        reversing(most_bits=99),
        reversing(max_steps=1999),
        reversing(max_memory=99),
        reversing(functions=["Cons"]),
        reversing(start=LIST + "fun f(xs: list): list = Nil"),
        reversing(ExampleProblem(LISTS, LISTS)),
        reversing(ExampleProblem(LISTS[:-1], [xs[::-1] for xs in LISTS[:-1]])),
        fitting(),
    ]
    for other in others:
        with pytest.raises(FormatError, match="another problem or other parameters"):
            other.resume(place)
    with pytest.raises(FormatError, match="it is of seed 0, not 1"):
        reversing(random_state=1).resume(place)
    stored = json.loads(place.read_text())
    for text in ("", "{}", "[]", place.read_text()[:-100], json.dumps({**stored, "version": 2})):
        place.write_text(text)
        with pytest.raises(FormatError, match="cannot be resumed"):
            reversing().resume(place)
    with pytest.raises(FileNotFoundError):
        reversing().resume(tmp_path / "none.json")
    with pytest.raises(OSError, match="cannot be written"):
        reversing(budget=1).run(checkpoint=tmp_path / "no" / "run.json")


def test_a_checkpoint_of_another_score_is_refused(tmp_path):
    fitting(budget=600).run().checkpoint(tmp_path / "run.json")

    def twice(outputs):
        return 2 * square(outputs)

    twice.__qualname__ = square.__qualname__
    with pytest.raises(FormatError, match="other losses"):
        fitting(twice).resume(tmp_path / "run.json")
    with pytest.raises(FormatError, match="another problem"):
        fitting(target=0.5).resume(tmp_path / "run.json")


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

    evolver = ProgramEvolver(ScoredProblem(LISTS, score, target=0), SAME, ["Nil"], budget=3000, polish=0)
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


def test_programs_of_several_inputs_and_helpers():
    def score(outputs):
        return [sum(abs(y - 6 * a * b) for y, (a, b) in zip(row, pairs, strict=True)) for row in outputs]

    pairs = [(1, 2), (3, 3), (2, 5), (4, 1)]
    start = "fun six(x: int): int = x * 6\nfun f(a: int, b: int): int = a"
    evolver = ProgramEvolver(
        ScoredProblem(pairs, score, target=0), start, ["*", "six"], budget=20_000, polish=0
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
            evolver.run()
        assert raised.value is error
        if n_programs is not None:
            assert evolver.n_programs_ == n_programs - 512
            assert evolver.status_ == "stopped"
            evolver.checkpoint(tmp_path / "run.json")
    assert outcome(fitting(score).resume(tmp_path / "run.json").run()) == fitted_once
    assert outcome(evolver.run()) == fitted_once


@pytest.mark.parametrize(
    ("losses", "message"),
    [
        (lambda n: [0.0] * (n + 1), "returned .* losses for .* programs"),
        (lambda n: np.zeros(n - 1), "returned .* losses for .* programs"),
        (lambda n: None, "returned a NoneType; return one number"),
        (lambda n: 3, "returned a int"),
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


def test_a_callback_watches_and_stops():
    seen = []

    def watch(progress):
        seen.append((progress.done, progress.best, evolver.best_, len(evolver.front_)))
        with pytest.raises(UnfinishedError, match="is running"):
            evolver.checkpoint("never.json")
        with pytest.raises(UnfinishedError, match="is running"):
            evolver.run()
        return progress.done > 600

    evolver = reversing(budget=10**9, polish=10**9, callback=watch)
    evolver.run()
    assert evolver.status_ == "stopped"
    assert 600 < seen[-1][0] < 10**9
    assert evolver.front_[0].loss <= seen[-1][1] <= seen[0][1]


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
        ({"n_jobs": 0}, ParameterError, "n_jobs"),
        ({"callback": 3}, ParameterError, "callback"),
        ({"most_bits": 0}, ParameterError, "most_bits"),
        ({"max_steps": 0}, ParameterError, "max_steps"),
        ({"max_memory": 0.5}, ParameterError, "max_memory"),
        ({"max_output": 5000}, ParameterError, "max_output"),
        ({"functions": ["+", "plus"]}, ParameterError, "functions: 'plus' is no symbol"),
        ({"functions": "+"}, ParameterError, "is no list of names"),
        ({"functions": [3]}, ParameterError, "is no list of names"),
        ({"start": 3}, ParameterError, "start=3"),
        ({"start": "fun f"}, ParameterError, "expected"),
        ({"problem": 3}, ParameterError, "without 'inputs'"),
        ({"problem": ExampleProblem([], [])}, DataError, "at least one input"),
        ({"problem": ExampleProblem([[1]], [[1], [2]])}, DataError, "1 inputs and 2 outputs"),
        ({"problem": ExampleProblem([1], [[1]])}, DataError, "input 0, argument 1, has 1 where a list"),
        ({"problem": ExampleProblem([[1]], [1])}, DataError, "output 0 has 1 where a list"),
        ({"problem": ExampleProblem("12", [1])}, ParameterError, "inputs='12'"),
        ({"problem": ExampleProblem([[1]], 3)}, ParameterError, "outputs=3"),
        ({"problem": ScoredProblem(LISTS, square, arrays=True)}, ParameterError, "outputs that are numbers"),
        ({"problem": ScoredProblem(LISTS, square, arrays=1)}, ParameterError, "arrays=1"),
        ({"problem": ScoredProblem(LISTS, square, target="x")}, ParameterError, "target='x'"),
        ({"problem": ScoredProblem(LISTS, None)}, ParameterError, "score"),
        ({"problem": ScoredProblem(LISTS, 3)}, ParameterError, "score=3"),
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
    with pytest.raises(DataError, match="has 2 parameters and 1 values"):
        ProgramEvolver(ExampleProblem([(1, 2), (3,)], [1, 2]), start).run()


def test_nothing_is_there_before_a_run():
    evolver = reversing()
    for name in ("front_", "best_", "status_", "solved_", "n_programs_", "n_judged_", "seed_"):
        with pytest.raises(UnfinishedError, match=r"call run\(\) first"):
            getattr(evolver, name)
    with pytest.raises(UnfinishedError, match=r"call run\(\) first"):
        evolver.checkpoint("never.json")
    with pytest.raises(ParameterError, match="path=None"):
        evolver.run(budget=1).checkpoint(None)
    with pytest.raises(ParameterError, match="every"):
        evolver.run(every=-1)


SCRIPT = """
import sys
from test_program_evolver import fitting, reversing
make = {"fitting": fitting, "reversing": reversing}[sys.argv[1]]
evolver = make(n_jobs=2, budget=10**9, polish=10**9, callback=lambda p: print(p.done, flush=True))
if sys.argv[3] == "resume":
    evolver.resume(sys.argv[2])
try:
    evolver.run(checkpoint=sys.argv[2], every=0)
except KeyboardInterrupt:
    print("raised", evolver.status_, evolver.n_programs_, flush=True)
"""


def start_script(*words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], stdout=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("name", ["reversing", "fitting"])
def test_a_search_killed_at_any_moment_leaves_a_checkpoint_that_resumes(tmp_path, name):
    place, moments, make = tmp_path / "run.json", random.Random(5), globals()[name]
    reached = 0
    for _ in range(4):
        words = (name, str(place), "resume" if reached else "new")
        with start_script(*words) as process:
            while not place.exists() or int(process.stdout.readline()) < reached + 600:
                pass
            time.sleep(moments.random() * 0.05)
            process.kill()
        stored = make(polish=10**9).resume(place)
        assert stored.n_programs_ > reached
        reached = stored.n_programs_
    budget = reached + 500
    resumed = stored.run(budget=budget)
    assert outcome(resumed) == outcome(make(polish=10**9).run(budget=budget))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("name", ["reversing", "fitting"])
def test_ctrl_c_is_raised_and_what_was_found_is_kept(tmp_path, name):
    place = tmp_path / "run.json"
    with start_script(name, str(place), "new") as process:
        while int(process.stdout.readline()) < 600:
            pass
        process.send_signal(signal.SIGINT)
        words = process.communicate()[0].split()
    assert words[-3:-1] == ["raised", "stopped"]
    assert globals()[name](polish=10**9).resume(place).n_programs_ == int(words[-1])
