"""What ends the search for a plane early: time, Ctrl-C, the solver. The best plane stays, with its bound.

Unit tests besides: only inside of the room can Ctrl-C and the solver's failure be placed exactly.

Inner names, as in unit tests: `_base.clock`: time is the clock of the test. `planes.fit`,
`planes.linear_tree`, `planes.lp` and `planes.problem`: the programs, proofs and trees behind the
estimators are checked one by one.
"""

import os
import signal
import sys
import threading
import time

import highspy
import numpy as np
import pytest

from plane_cases import options, problem, rows_of
from treewright import MultivariateTreeClassifier, RobustLinearClassifier
from treewright._base.clock import WAKE_UP, Clock, HaltError
from treewright.planes import fit
from treewright.planes.fit import ScaledProblem, fit_plane
from treewright.planes.linear_tree import LinearNode
from treewright.planes.lp import Highs
from treewright.planes.problem import PlaneProblem

PATIENCE = 5.0
"""Seconds within which work must end once asked to."""

on_posix = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")


@pytest.fixture(scope="module")
def hard():
    """Separable rows, of which no proof ends soon."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 60))
    return X, X @ rng.normal(size=60) > 0


@pytest.fixture(scope="module")
def large():
    """Rows whose first LP takes seconds."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20_000, 150))
    return X, X @ rng.normal(size=150) + 20 * rng.normal(size=20_000) > 0


def is_sound(model, X, y):
    """Whether the plane keeps what the estimator says of it."""
    assert model.error_ <= model.error_bound_ + 1e-8
    assert model.lower_bound_ <= model.search_.cost
    assert model.verify(X, y).holds
    return True


def test_time_limit_keeps_the_best_plane_and_what_is_proven(hard, record_property):
    model = RobustLinearClassifier(search="paper", prove=True, time_limit=3).fit(*hard)
    record_property("seconds", model.search_.elapsed)
    assert model.status_ == "time_limit"
    assert "time limit" in model.search_.message
    assert 1 <= model.lower_bound_ < model.n_features_used_ < 60
    assert model.score(*hard) == 1
    assert is_sound(model, *hard)


def test_seconds_of_a_proof_end_the_proof_alone(hard):
    model = RobustLinearClassifier(search="paper", prove=0.5).fit(*hard)
    assert model.status_ == "time_limit"
    assert model.lower_bound_ < model.n_features_used_
    assert is_sound(model, *hard)


@pytest.mark.parametrize("selection", ["bounded", None, "path", "limited"])
def test_time_that_is_too_short_for_any_lp_leaves_the_plane_without_features(hard, selection):
    X, y = hard
    most = 3 if selection == "limited" else None
    model = RobustLinearClassifier(selection=selection, n_features=most, time_limit=1e-9).fit(X, y)
    assert model.status_ == "time_limit"
    assert model.n_features_used_ == 0
    assert model.error_ == pytest.approx(2)
    assert len(set(model.predict(X))) == 1
    assert np.isnan(model.least_error_)


def test_time_limit_in_the_middle_of_one_lp(large, record_property):
    model = RobustLinearClassifier(selection=None, time_limit=1.0).fit(*large)
    record_property("seconds", model.search_.elapsed)
    assert model.status_ == "time_limit"
    assert model.search_.n_searched <= 1
    assert model.error_ <= model.error_bound_ == 2
    assert model.verify(*large).holds


@pytest.mark.parametrize("selection", ["limited", "path"])
def test_time_limit_in_the_middle_of_one_lp_keeps_the_number_of_features(large, selection):
    model = RobustLinearClassifier(selection=selection, n_features=5, time_limit=1.0).fit(*large)
    assert model.status_ == "time_limit"
    assert model.n_features_used_ <= 5
    assert model.error_bound_ == np.inf
    assert model.verify(*large).holds


@pytest.mark.parametrize("selection", ["limited", "path"])
@pytest.mark.parametrize("n_runs", [1, 2, 3, 5])
def test_no_end_leaves_more_features_than_asked_for(hard, monkeypatch, selection, n_runs):
    run, left = Highs.run, [n_runs]

    def late(self):
        left[0] -= 1
        if left[0] < 0:
            raise HaltError("time_limit")
        run(self)

    with monkeypatch.context() as patch:
        patch.setattr(Highs, "run", late)
        model = RobustLinearClassifier(selection=selection, n_features=3).fit(*hard)
    assert model.status_ == "time_limit"
    assert model.n_features_used_ <= 3
    assert model.verify(*hard).holds


def test_verify_refuses_more_features_than_asked_for(hard):
    model = RobustLinearClassifier(selection="limited", n_features=8, search="paper").fit(*hard)
    claims = model.set_params(n_features=7).verify(*hard).claims
    assert claims["claim"][~claims["holds"]].tolist() == ["most_features"]


def test_time_limit_of_a_path_falls_back_on_the_bound(hard):
    X, y = hard
    rows, asked = rows_of(X, y), options(selection="path", n_features=5)
    whole = fit_plane(rows, asked)

    class DuringTheFolds(Clock):
        """Lets the path on all rows pass, and no fold."""

        def left(self):
            return 1e-9 if self.asked_by_folds() else super().left()

        def asked_by_folds(self):
            return sys._getframe(2).f_code.co_name == "limit"

    plane = fit_plane(rows, asked, DuringTheFolds(None))
    assert plane.search.status == "time_limit"
    np.testing.assert_array_equal(plane.path["error"], whole.path["error"])
    assert np.isnan(plane.path["test_error"]).all()
    assert len(plane.support) == 5


def test_a_part_of_a_clock_ends_with_the_whole():
    clock = Clock(1000)
    assert clock.part(5).left() <= 5
    assert Clock(5).part(1000).left() <= 5
    assert Clock(5).part(None).left() <= 5
    assert Clock(None).part(None).left() == np.inf
    part = clock.part(5)
    part.stop()
    assert clock.stopped
    with pytest.raises(HaltError) as halt:
        clock.check()
    assert halt.value.status == "stopped"


@pytest.fixture
def press():
    """Press Ctrl-C after some seconds; afterwards tell how long the end took."""
    asked = []

    def later(seconds):
        def now():
            asked.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(seconds, now)
        timer.start()
        return lambda: (timer.join(), time.monotonic() - asked[0])[1]

    return later


@on_posix
def test_ctrl_c_in_a_proof_keeps_the_best_plane(hard, press, record_property):
    model = RobustLinearClassifier(search="paper", prove=True)
    seconds_since = press(1.5)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*hard)
    took = seconds_since()
    record_property("seconds", took)
    assert took < PATIENCE
    assert model.status_ == "stopped"
    assert "Ctrl-C" in model.search_.message
    assert is_sound(model, *hard)


@pytest.fixture
def press_in_lp(press, monkeypatch):
    """Press Ctrl-C soon after the first LP began; the list tells how long the end took."""
    run, presses = Highs.run, []

    def watched(self):
        if not presses:
            presses.append(press(0.3))
        run(self)

    monkeypatch.setattr(Highs, "run", watched)
    return presses


@on_posix
@pytest.mark.parametrize("selection", ["bounded", "path"])
def test_ctrl_c_in_the_middle_of_one_lp(large, press_in_lp, record_property, selection):
    model = RobustLinearClassifier(selection=selection)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*large)
    took = press_in_lp[0]()
    record_property("seconds", took)
    assert took < PATIENCE
    assert model.status_ == "stopped"
    assert model.error_ <= 2
    assert model.error_bound_ == (2 if selection == "bounded" else np.inf)


@on_posix
def test_ctrl_c_with_more_classes_leaves_a_plane_for_each(large, press_in_lp):
    X, y = large
    model = RobustLinearClassifier()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, np.where(X[:, 0] > 1, 2, y))
    assert model.coef_.shape == (2, 150)
    assert model.status_ == "stopped"


@pytest.fixture
def press_at_run(monkeypatch):
    """Press Ctrl-C once, when HiGHS is run for the n-th time; the list counts runs, those after it too."""

    def at(n_presses):
        run, runs = Highs._run_once, []

        def watched(self):
            if len(runs) + 1 == n_presses:
                runs.append("pressed")
                raise KeyboardInterrupt
            found = run(self)
            runs.append("solved")
            return found

        monkeypatch.setattr(Highs, "_run_once", watched)
        return runs

    return at


def bands():
    """Rows that a tree of two planes parts."""
    X = np.random.default_rng(0).normal(size=(120, 4))
    sums = X[:, 0] + X[:, 1]
    return X, ((sums > -0.5) & (sums < 1)).astype(int)


@pytest.mark.parametrize("selection", ["bounded", "path"])
@pytest.mark.parametrize("share", [0.0, 0.05, 0.3, 0.6, 0.95])
def test_ctrl_c_ends_a_tree_wherever_it_is(monkeypatch, press_at_run, selection, share):
    """While the tree grows, while the trees of the folds grow, while a node judges its path."""
    X, y = bands()
    model = MultivariateTreeClassifier(selection=selection, perturbation=0.02)
    runs = press_at_run(-1)
    assert model.fit(X, y).status_ == "complete"
    assert model.n_splits_ == 3
    n_runs = len(runs)
    monkeypatch.undo()
    runs = press_at_run(1 + int(share * n_runs))
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert runs.index("pressed") == len(runs) - 1
    assert model.status_ == "stopped"
    assert "Ctrl-C" in model.search_.message
    assert model.n_splits_ == len(model.planes_)
    assert np.isnan(model.pruning_path_["test_error"]).all()
    assert len(model.predict(X)) == len(y)


def test_ctrl_c_between_a_plane_and_its_children_leaves_a_leaf(monkeypatch):
    X, y = bands()

    def root_alone(rows, weights, depth, **known):
        if depth:
            raise KeyboardInterrupt
        return LinearNode(rows, weights, depth, **known)

    monkeypatch.setattr("treewright.planes.growing.LinearNode", root_alone)
    model = MultivariateTreeClassifier()
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.status_ == "stopped"
    assert model.tree_.n_nodes == 1


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
@pytest.mark.parametrize("method", ["select", "plane_of_size"])
def test_ctrl_c_in_the_folds_of_a_path_is_raised(hard, monkeypatch, method):
    """Wherever it is caught there: in the search, or on the way to the final plane."""

    def pressed(self):
        raise KeyboardInterrupt

    class Interrupted(ScaledProblem):
        """Has Ctrl-C pressed in the first LP of a method."""

    def interrupted(self, *arguments):
        with monkeypatch.context() as patch:
            patch.setattr(Highs, "_run_once", pressed)
            return getattr(ScaledProblem, method)(self, *arguments)

    setattr(Interrupted, method, interrupted)
    errors_of_fold = fit._errors_of_fold

    def in_fold(*arguments):
        with monkeypatch.context() as patch:
            patch.setattr(fit, "ScaledProblem", Interrupted)
            return errors_of_fold(*arguments)

    monkeypatch.setattr(fit, "_errors_of_fold", in_fold)
    model = RobustLinearClassifier(selection="path", n_features=3)
    X, y = hard[0][:, :6], hard[0][:, 0] > 0
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    assert model.status_ == "stopped"
    assert np.isnan(model.path_["test_error"]).all()
    assert len(model.predict(X)) == len(y)


def test_tree_says_that_time_was_over_in_the_folds(monkeypatch):
    X, y = bands()
    monkeypatch.setattr(Clock, "limit", lambda self: 0.0)
    model = MultivariateTreeClassifier().fit(X, y)
    assert model.status_ == "time_limit"
    assert model.alpha_ == 0
    assert np.isnan(model.pruning_path_["test_error"]).all()


@pytest.mark.parametrize("n_runs", [1, 3, 8, 40])
def test_solver_failure_keeps_the_best_plane(hard, monkeypatch, n_runs):
    X, y = hard
    run, left = Highs.run, [n_runs]

    def failing(self):
        left[0] -= 1
        if left[0] < 0:
            raise HaltError("solver_error", "the solver is tired")
        run(self)

    with monkeypatch.context() as patch:
        patch.setattr(Highs, "run", failing)
        model = RobustLinearClassifier(perturbation=0.02).fit(X, y)
    assert model.status_ == "solver_error"
    assert model.search_.message == "the solver is tired"
    assert 1 <= model.n_features_used_ <= 60
    assert is_sound(model, X, y)


def test_solver_that_never_answers_is_asked_three_times(monkeypatch):
    own = problem(np.array([[0.0], [1], [2], [3]]), np.array([True, False, True, False]))
    asked = []

    def unsolved(self):
        asked.append(self.solver.getOptionValue("solver")[1])
        return highspy.HighsModelStatus.kUnknown

    with monkeypatch.context() as patch:
        patch.setattr(Highs, "_run_once", unsolved)
        with pytest.raises(HaltError, match="HiGHS ended with"):
            own.solve(np.ones(1, bool))
    assert asked == ["simplex", "simplex", "ipm"]
    assert own.solve(np.ones(1, bool)).error < 2


def test_short_and_long_runs_give_the_same_plane(monkeypatch):
    rng = np.random.default_rng(2)
    X = rng.normal(size=(80, 8))
    y = X[:, 0] + rng.normal(size=80) > 0
    short = RobustLinearClassifier().fit(X, y)
    monkeypatch.setattr("treewright.planes.lp.LONG_RUN", 0)
    long = RobustLinearClassifier().fit(X, y)
    np.testing.assert_array_equal(short.coef_, long.coef_)


def test_forgotten_planes_are_found_again():
    rng = np.random.default_rng(1)
    Z, sign = rng.normal(size=(30, 6)), np.repeat([-1.0, 1.0], 15)
    own = PlaneProblem(Z, sign, np.ones(30))
    own._n_known = 2
    sets = [np.arange(6) < size for size in range(1, 7)]
    errors = [own.solve(s).error for s in sets]
    assert [own.solve(s).error for s in sets] == pytest.approx(errors)
    assert len(own._known) == 2


@pytest.fixture
def every_step(monkeypatch):
    """Have the callback called at every step, however fast the machine is."""
    monkeypatch.setattr("treewright._base.clock.WAKE_UP", 0.0)


@pytest.mark.usefixtures("every_step")
@pytest.mark.parametrize("estimator", [RobustLinearClassifier, MultivariateTreeClassifier])
def test_callback_sees_progress_and_may_stop(hard, estimator):
    X, y = hard
    seen = []

    def third(progress):
        seen.append(progress)
        return len(seen) == 3

    model = estimator(search="paper", callback=third).fit(X, y)
    assert model.status_ == "stopped"
    assert [progress.done for progress in seen] == [1, 2, 3]
    assert seen[2].best is None or seen[2].best > 0
    assert len(model.predict(X)) == len(y)


def test_callback_is_called_now_and_then(hard):
    seen = []

    def first(progress):
        seen.append(progress)
        return True

    model = RobustLinearClassifier(search="paper", prove=True, callback=first).fit(*hard)
    assert model.status_ == "stopped"
    assert len(seen) == 1
    assert seen[0].elapsed >= WAKE_UP


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
@pytest.mark.usefixtures("every_step")
def test_a_callback_that_never_stops_changes_nothing(hard):
    X, y = hard[0][:, :6], hard[0][:, 0] > 0
    for n_jobs in (None, 2):
        seen = []
        watched = RobustLinearClassifier(selection="path", n_features=3, callback=seen.append, n_jobs=n_jobs)
        plain = RobustLinearClassifier(selection="path", n_features=3).fit(X, y)
        np.testing.assert_array_equal(watched.fit(X, y).coef_, plain.coef_)
        assert seen


def test_a_failing_callback_leaves_nothing_fitted(hard):
    def failing(_):
        raise RuntimeError("mine")

    model = RobustLinearClassifier(search="paper", prove=True, callback=failing)
    with pytest.raises(RuntimeError, match="mine"):
        model.fit(*hard)
    assert not hasattr(model, "classes_")
