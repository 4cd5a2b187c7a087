"""Ctrl-C in Python: what was found so far is kept, and KeyboardInterrupt is raised."""

import os
import signal
import sys
import time

import numpy as np
import pytest

from treewright import (
    BackwardEliminationSelector,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    MinimalTreeClassifier,
)
from treewright.fixed_depth import depth_path
from treewright.tables import DecisionTable

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")

PATIENCE = 5.0
"""Seconds within which work must end once asked to."""


class CtrlC:
    """A callback that presses Ctrl-C once, as soon as so much is done."""

    def __init__(self, done: int = 0) -> None:
        self.done, self.pressed = done, None

    def __call__(self, progress: object) -> None:
        if self.pressed is None and progress.done >= self.done:
            self.pressed = time.monotonic()
            os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(scope="module")
def noise():
    rng = np.random.default_rng(0)
    return rng.normal(size=(600, 100)), rng.integers(0, 2, 600)


@pytest.fixture(scope="module")
def nominal():
    rng = np.random.default_rng(1)
    return rng.integers(0, 4, size=(400, 30)).astype(str), rng.integers(0, 6, 400)


@pytest.fixture(scope="module")
def endless():
    """Rows whose minimal trees take minutes, by number of nodes and by depth."""
    rng = np.random.default_rng(1)
    return rng.integers(0, 3, size=(2000, 40)).astype(str), rng.integers(0, 6, 2000)


def interrupted(model, data):
    with pytest.raises(KeyboardInterrupt):
        model.fit(*data)
    assert time.monotonic() - model.callback.pressed < PATIENCE
    assert "stopped" in (model.search_.status, getattr(model, "depth_status_", ""))
    assert set(model.predict(data[0][:20])) <= set(model.classes_)
    return model


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize("kind", [BackwardEliminationSelector, ForwardSelectionSelector])
def test_selectors_keep_the_best_so_far(noise, kind, strategy):
    model = interrupted(kind(strategy=strategy, random_state=0, callback=CtrlC(3)), noise)
    assert model.history_["errors"][-1] == model.n_validation_errors_
    assert model.n_trees_built_ >= 3
    judged = model.validation_rows_
    assert (model.tree_.predict(noise[0][judged]) != noise[1][judged]).sum() == model.n_validation_errors_


def test_an_error_of_the_callback_keeps_the_best_too(noise):
    def fail(progress):
        if progress.done >= 3:
            raise LookupError("from the callback")

    model = BackwardEliminationSelector(random_state=0, callback=fail)
    with pytest.raises(LookupError, match="from the callback"):
        model.fit(*noise)
    assert model.search_.status == "stopped"


@pytest.mark.parametrize("cost", ["n_nodes", "depth"])
def test_minimal_trees_keep_the_best_so_far(endless, cost):
    model = interrupted(MinimalTreeClassifier(cost=cost, callback=CtrlC()), endless)
    assert model.search_.bound <= model.search_.cost
    with pytest.raises(KeyboardInterrupt):
        DecisionTable(*endless, on_conflict="most_common").minimum_tree(cost, callback=CtrlC())


@pytest.mark.parametrize("depth", [6, "cv"])
def test_fixed_depth_trees_keep_the_best_so_far(nominal, depth):
    model = interrupted(FixedDepthTreeClassifier(max_depth=depth, callback=CtrlC()), nominal)
    assert model.depth_status_ == ("stopped" if depth == "cv" else "complete")
    assert 1 - model.search_.bound >= model.expected_accuracy_ - 1e-12
    assert model.training_accuracy_ > np.bincount(nominal[1]).max() / len(nominal[1])


def test_a_callback_that_stops_the_choice_of_the_depth_ends_it(nominal):
    seen = []

    def stop(progress):
        seen.append(progress)
        return progress.done >= 7

    model = FixedDepthTreeClassifier(max_depth="cv", time_limit=20, callback=stop).fit(*nominal)
    assert model.depth_status_ == "stopped"
    assert {progress.total for progress in seen} == {26}
    assert all(progress.text.startswith("fold ") for progress in seen[:-1])


def test_a_time_limit_is_for_all_searches_together(nominal):
    started = time.monotonic()
    model = FixedDepthTreeClassifier(max_depth="cv", time_limit=1.5).fit(*nominal)
    assert time.monotonic() - started < 1.5 + PATIENCE
    assert model.depth_status_ == "time_limit"
    started = time.monotonic()
    path = depth_path(*nominal, model=FixedDepthTreeClassifier(time_limit=1.5))
    assert time.monotonic() - started < 1.5 + PATIENCE
    assert path.table["status"][-1] == "time_limit"
    assert path.table["status"][0] == "optimal"
