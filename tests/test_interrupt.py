"""Long work ends when asked to: Ctrl-C, a callback, an error in a callback, a time limit."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest

from treewright import BackwardEliminationSelector, GreedyTreeClassifier
from treewright.results import Progress

PATIENCE = 5.0
"""Seconds within which work must end once asked to."""


@pytest.fixture(scope="module")
def endless():
    """Noise that keeps backward elimination busy for minutes."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(6000, 400)), rng.integers(0, 2, 6000)


def selector(**params):
    return BackwardEliminationSelector(**{"random_state": 0, "strategy": "retrain", **params})


@pytest.fixture
def report(record_property):
    """Keep how long the end took, and check it."""

    def seconds_since(asked):
        took = time.monotonic() - asked
        record_property("seconds", took)
        assert took < PATIENCE

    return seconds_since


@pytest.mark.parametrize("strategy", ["retrain", "incremental"])
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_signal_in_the_process_interrupts(endless, report, strategy, n_jobs):
    asked = []

    def press():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.5, press)
    timer.start()
    model = selector(strategy=strategy, n_jobs=n_jobs)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*endless)
    timer.join()
    report(asked[0])
    if hasattr(model, "tree_"):  # the first tree was there in time
        assert model.search_.status == "stopped"


def test_signal_interrupts_growing(report):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200_000, 60)), rng.integers(0, 2, 200_000)
    asked = []

    def press():
        asked.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(1.0, press)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        GreedyTreeClassifier().fit(X, y)
    timer.join()
    report(asked[0])


PROGRAM = """
    import numpy as np
    from treewright import BackwardEliminationSelector

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(6000, 400)), rng.integers(0, 2, 6000)
    told = []

    def tell(progress):
        if not told:
            told.append(print("busy", flush=True))

    try:
        BackwardEliminationSelector(random_state=0, strategy="retrain", callback=tell).fit(X, y)
    except KeyboardInterrupt:
        print("interrupted", flush=True)
"""


def test_control_c_interrupts_a_program(report):
    program = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    with subprocess.Popen(program, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "busy\n"
        asked = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.stdout.readline() == "interrupted\n"
        report(asked)
        assert process.wait(timeout=PATIENCE) == 0


def test_callback_sees_progress_on_the_callers_thread(endless):
    seen = []

    def watch(progress):
        seen.append((progress, threading.get_ident()))
        return progress.done >= 3

    selector(callback=watch).fit(*endless)
    progress = [entry[0] for entry in seen]
    assert {entry[1] for entry in seen} == {threading.get_ident()}
    assert all(isinstance(entry, Progress) for entry in progress)
    assert [entry.elapsed for entry in progress] == sorted(entry.elapsed for entry in progress)
    assert [entry.done for entry in progress] == sorted(entry.done for entry in progress)


def test_callback_stops(endless):
    asked = []

    def stop(progress):
        if progress.done >= 2:
            asked.append(time.monotonic())
        return bool(asked)

    model = selector(callback=stop).fit(*endless)
    assert model.search_.status == "stopped"
    assert not model.search_.success
    assert "callback" in model.search_.message
    assert model.n_trees_built_ >= 1
    assert model.predict(endless[0][:5]).shape == (5,)


def test_error_in_the_callback_is_raised(endless, report):
    asked = []

    def fail(progress):
        asked.append(time.monotonic())
        raise LookupError("from the callback")

    model = selector(callback=fail)
    with pytest.raises(LookupError, match="from the callback"):
        model.fit(*endless)
    report(asked[0])
    assert len(asked) == 1
    assert not hasattr(model, "tree_") or model.search_.status == "stopped"


def test_callback_that_says_nothing_changes_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
    seen = []
    watched = BackwardEliminationSelector(random_state=0, callback=seen.append).fit(X, y)
    alone = BackwardEliminationSelector(random_state=0).fit(X, y)
    assert watched.tree_ == alone.tree_
    assert watched.search_.status == "complete"
    assert seen[-1].done == watched.n_trees_built_


def test_time_limit_is_a_status(endless, record_property):
    started = time.monotonic()
    model = selector(time_limit=1.0).fit(*endless)
    record_property("seconds", time.monotonic() - started)
    assert model.search_.status == "time_limit"
    assert not model.search_.success
    assert 0.5 < model.search_.elapsed < 1.0 + PATIENCE
    assert model.history_["errors"][-1] == model.n_validation_errors_
    errors = model.tree_.predict(endless[0][model.validation_rows_]) != endless[1][model.validation_rows_]
    assert errors.sum() == model.n_validation_errors_


@pytest.mark.parametrize(
    "limit", [{"time_limit": 1e-6}, {"callback": lambda progress: True}], ids=["time", "callback"]
)
def test_limit_before_the_first_tree_leaves_the_first_tree(endless, limit):
    model = selector(**limit).fit(*endless)
    assert model.search_.status in ("time_limit", "stopped")
    assert model.support_.all()
    assert model.n_trees_built_ >= 1
    assert model.history_["errors"][0] == model.n_validation_errors_


def test_time_limit_that_is_not_reached_changes_nothing():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
    hurried = BackwardEliminationSelector(random_state=0, time_limit=600).fit(X, y)
    assert hurried.search_.status == "complete"
    assert hurried.tree_ == BackwardEliminationSelector(random_state=0).fit(X, y).tree_


def test_work_on_another_thread_is_left_alone_by_signals():
    rng = np.random.default_rng(1)
    X, y = rng.normal(size=(200, 10)), rng.integers(0, 2, 200)
    found = []
    thread = threading.Thread(target=lambda: found.append(selector().fit(X, y)))
    thread.start()
    thread.join()
    assert found[0].search_.status == "complete"
