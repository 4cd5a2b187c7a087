"""Threads and processes change how long it takes, never the answer.

Inner names, as in unit tests: `_base.params`: what all estimators share is tested once.
"""

import os
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import joblib
import numpy as np
import pandas as pd
import pytest

from treewright import BackwardEliminationSelector, GreedyTreeClassifier
from treewright._base.params import n_threads

TASKS = Path("/proc/self/task")


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(5)
    X = pd.DataFrame(rng.normal(size=(3000, 8)), columns=list("abcdefgh"))
    X["i"] = pd.Categorical(rng.choice(list("uvwxyz"), 3000))
    X = X.mask(rng.random(X.shape) < 0.02)
    return X, np.where(X["a"] + X["b"] > 0, "p", np.where(X["i"] == "u", "q", "r"))


@pytest.mark.parametrize("criterion", ["info_gain", "gain_ratio", "gini"])
def test_tree_is_the_same_for_every_n_jobs(mixed, criterion):
    X, y = mixed
    alone = GreedyTreeClassifier(criterion=criterion).fit(X, y)
    for n_jobs in (1, 2, 3, -1):
        model = GreedyTreeClassifier(criterion=criterion, n_jobs=n_jobs).fit(X, y)
        assert model.tree_ == alone.tree_
        np.testing.assert_array_equal(model.predict_proba(X), alone.predict_proba(X))


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
def test_selection_is_the_same_for_every_n_jobs(mixed, strategy):
    X, y = mixed
    grower = GreedyTreeClassifier(min_samples_split=50)
    params = {"strategy": strategy, "random_state": 0, "estimator": grower}
    alone = BackwardEliminationSelector(**params).fit(X, y)
    for n_jobs in (2, 3, -1):
        model = BackwardEliminationSelector(**params, n_jobs=n_jobs).fit(X, y)
        assert model.tree_ == alone.tree_
        assert model.history_["dropped"].tolist() == alone.history_["dropped"].tolist()
        assert model.n_trees_built_ == alone.n_trees_built_


def test_fits_on_many_threads_at_once(mixed):
    X, y = mixed
    expected = GreedyTreeClassifier().fit(X, y).tree_
    with ThreadPoolExecutor(4) as pool:
        trees = list(
            pool.map(lambda n_jobs: GreedyTreeClassifier(n_jobs=n_jobs).fit(X, y).tree_, [1, 2, 1, 2])
        )
    assert all(tree == expected for tree in trees)


def test_one_model_predicts_on_many_threads_at_once(mixed):
    X, y = mixed
    model = GreedyTreeClassifier().fit(X, y)
    expected = model.predict(X)
    with ThreadPoolExecutor(4) as pool:
        for labels in pool.map(lambda _: model.predict(X), range(8)):
            np.testing.assert_array_equal(labels, expected)


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_fits_inside_joblib_workers(mixed, backend):
    X, y = mixed
    models = [GreedyTreeClassifier(n_jobs=n_jobs) for n_jobs in (None, 2)]
    with joblib.parallel_config(backend=backend, n_jobs=2):
        fitted = joblib.Parallel()(joblib.delayed(model.fit)(X, y) for model in models)
    assert fitted[0].tree_ == fitted[1].tree_ == GreedyTreeClassifier().fit(X, y).tree_


def test_n_jobs_follows_scikit_learn():
    cores = joblib.cpu_count()
    assert n_threads(None) == 1
    assert n_threads(1) == 1
    assert n_threads(3) == 3
    assert n_threads(10**9) == 256
    assert n_threads(-1) == cores
    assert n_threads(-2) == max(cores - 1, 1)
    with joblib.parallel_config(backend="loky", n_jobs=2):
        assert n_threads(None) == 2


@pytest.mark.parametrize("backend", ["loky", "threading"])
def test_one_thread_inside_a_joblib_worker(backend):
    with joblib.parallel_config(backend=backend, n_jobs=2):
        assert joblib.Parallel()(joblib.delayed(n_threads)(n) for n in (4, -1, None)) == [1, 1, 1]


def test_one_thread_inside_a_dask_worker():
    distributed = pytest.importorskip("distributed")
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=2, processes=False, dashboard_address=None
    )
    with cluster, distributed.Client(cluster), joblib.parallel_config(backend="dask"):
        assert joblib.Parallel()(joblib.delayed(n_threads)(n) for n in (4, -1, None)) == [1, 1, 1]


@pytest.mark.skipif(not TASKS.exists(), reason="counts threads through /proc")
def test_no_thread_is_left_behind(mixed):
    X, y = mixed
    GreedyTreeClassifier(n_jobs=2).fit(X, y)
    before = len(list(TASKS.iterdir()))
    for _ in range(3):
        BackwardEliminationSelector(
            n_jobs=3, random_state=0, estimator=GreedyTreeClassifier(min_samples_split=200)
        ).fit(X, y)
        GreedyTreeClassifier(n_jobs=3).fit(X, y).predict(X)
    deadline = time.monotonic() + 5
    while len(list(TASKS.iterdir())) > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(list(TASKS.iterdir())) <= before


FORK = """
    import os
    import numpy as np
    from treewright import GreedyTreeClassifier

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(2000, 5)), rng.integers(0, 2, 2000)
    tree = GreedyTreeClassifier(n_jobs=2).fit(X, y).tree_
    child = os.fork()
    if child == 0:
        os._exit(0 if GreedyTreeClassifier(n_jobs=2).fit(X, y).tree_ == tree else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_fit_works_after_a_fork():
    program = [sys.executable, "-c", textwrap.dedent(FORK)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip() == "0"


def test_array_may_be_written_to_after_fit(mixed):
    X = mixed[0][list("abcdefgh")].to_numpy(copy=True)
    y = mixed[1]
    expected = GreedyTreeClassifier().fit(X.copy(), y)
    model = GreedyTreeClassifier().fit(X, y)
    tree = model.tree_.to_json()
    X[:] = 0
    assert model.tree_.to_json() == tree == expected.tree_.to_json()
