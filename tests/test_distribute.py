"""Counting on joblib's workers: the same counts, whatever happens to the workers.

Inner names, as in unit tests: `search.distinct.distribute`: work is interrupted at places that only
the inside knows.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing

import pytest
from joblib import parallel_config
from joblib.externals.loky.process_executor import TerminatedWorkerError

from treewright import GreedyTreeClassifier, ParameterError, datasets
from treewright.distinct import count_distinct_trees
from treewright.search.distinct import distribute as _distribute

COUNTS = ("n_distinct", "n_built", "by_n_features", "certificate", "status")

KILLS_A_WORKER = """
import logging, os, signal
from distributed import Client, LocalCluster
from joblib import parallel_config
from treewright import datasets
from treewright.distinct import count_distinct_trees

if __name__ == "__main__":
    logging.disable(logging.CRITICAL)
    data, killed = datasets.load("wine"), []
    def kill_one(progress):
        if not killed:
            killed.extend(list(client.run(os.getpid).values())[:1])
            os.kill(killed[0], signal.SIGKILL)
    cluster = LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with cluster, Client(cluster) as client, parallel_config(backend="dask"):
        there = count_distinct_trees(data, distribute=True, callback=kill_one)
        workers = list(client.run(os.getpid).values())
    here = count_distinct_trees(data)
    assert killed and killed[0] not in workers, (killed, workers)
    for name in ("n_distinct", "n_built", "by_n_features", "certificate", "status"):
        assert getattr(there, name) == getattr(here, name), name
    print("same counts", here.n_distinct)
"""


@pytest.fixture(scope="module")
def wine():
    return datasets.load("wine")


def same(one, other) -> bool:
    return all(getattr(one, name) == getattr(other, name) for name in COUNTS)


@pytest.mark.parametrize("backend", ["threading", "loky"])
def test_workers_count_what_one_process_counts(wine, backend):
    with parallel_config(backend=backend, n_jobs=2):
        there = count_distinct_trees(
            wine, estimator=GreedyTreeClassifier(min_samples_split=8), distribute=True
        )
    assert same(there, count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8)))


def test_a_killed_worker_of_a_cluster_loses_and_doubles_nothing(tmp_path):
    script = tmp_path / "kills_a_worker.py"
    script.write_text(KILLS_A_WORKER)
    ended = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=120, cwd=tmp_path
    )
    assert ended.stdout == "same counts 2913\n", ended.stderr


def test_parts_of_a_lost_worker_are_handed_out_again(wine, monkeypatch):
    rounds, whole_round = [], _distribute._round

    def dying_round(problem, keys, deadline):
        rounds.append(len(keys))
        with closing(whole_round(problem, keys, deadline)) as answers:
            yield next(answers)
            if len(rounds) < 3:
                raise TerminatedWorkerError("a worker was killed")
            yield from answers

    monkeypatch.setattr(_distribute, "_round", dying_round)
    with parallel_config(backend="threading", n_jobs=2):
        there = count_distinct_trees(
            wine, estimator=GreedyTreeClassifier(min_samples_split=8), distribute=True
        )
    assert rounds == sorted(rounds, reverse=True)
    assert len(set(rounds)) == 3
    assert same(there, count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8)))


def test_an_error_in_the_work_itself_is_not_tried_again(wine, monkeypatch):
    rounds = []

    def broken_round(problem, keys, deadline):
        rounds.append(len(keys))
        raise MemoryError("no room")
        yield

    monkeypatch.setattr(_distribute, "_round", broken_round)
    with pytest.raises(MemoryError):
        count_distinct_trees(wine, distribute=True)
    assert len(rounds) == 1


def test_callback_stops_and_what_was_counted_is_kept(wine):
    seen = []
    with parallel_config(backend="threading", n_jobs=2):
        count = count_distinct_trees(
            wine,
            estimator=GreedyTreeClassifier(min_samples_split=8),
            distribute=True,
            callback=lambda p: seen.append(p.done) or True,
        )
    assert count.status == "stopped"
    assert len(seen) == 1
    assert 0 < count.n_built == seen[0]
    assert 0 < count.certificate < 2**13


def test_a_time_limit_leaves_a_count_so_far(wine):
    with parallel_config(backend="threading", n_jobs=2):
        count = count_distinct_trees(datasets.load("breast-cancer"), distribute=True, time_limit=0.5)
    assert count.status == "time_limit"
    assert 0 < count.certificate < 2**30


def test_what_does_not_go_with_workers_is_refused(wine):
    with pytest.raises(ParameterError, match=r"node_limit=5 does not go with distribute=True.*time_limit"):
        count_distinct_trees(wine, distribute=True, node_limit=5)
    with pytest.raises(ParameterError, match="distribute='yes' must be True or False"):
        count_distinct_trees(wine, distribute="yes")


def test_as_many_workers_as_the_surroundings_say(wine, monkeypatch):
    seen, parallel = [], _distribute.joblib.Parallel

    def watched(**options):
        seen.append(options["n_jobs"])
        return parallel(**options)

    monkeypatch.setattr(_distribute.joblib, "Parallel", watched)
    for n_jobs, expected in ((2, 2), (1, 1), (None, -1)):
        seen.clear()
        with parallel_config(backend="threading", n_jobs=n_jobs):
            count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=32), distribute=True)
        assert set(seen) == {expected}


COLD_POOL = """
from joblib import parallel_config
from treewright import datasets
from treewright.distinct import count_distinct_trees
from treewright.search.distinct import distribute as _distribute

if __name__ == "__main__":
    with parallel_config(backend="loky", n_jobs=2):
        count = count_distinct_trees(datasets.load("breast-cancer"), distribute=True, time_limit=0.3)
    print(count.status, count.n_built > 1000)
"""


def test_time_limit_does_not_go_into_starting_workers(tmp_path):
    script = tmp_path / "cold_pool.py"
    script.write_text(COLD_POOL)
    ended = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, timeout=120)
    assert ended.stdout == "time_limit True\n", ended.stderr


def test_backend_without_early_answers_is_refused(wine):
    with (
        parallel_config(backend="multiprocessing", n_jobs=2),
        pytest.raises(
            ParameterError, match=r"MultiprocessingBackend.*choose parallel_config\(backend='loky'"
        ),
    ):
        count_distinct_trees(wine, distribute=True)
