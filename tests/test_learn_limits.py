"""Where learning ends early: patience, and limits while one's own trees grow."""

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from program_problems import reversing
from treewright import UnfinishedError, datasets
from treewright.evolution import learn_pruner

FEW = {"budget": 10**9, "n_train": 60, "n_validation": 60, "n_test": 60}


@pytest.fixture(scope="module")
def large():
    """Noise, of which a tree takes a good part of a second."""
    rng = np.random.default_rng(0)
    return rng.normal(size=(20_000, 20)), rng.integers(0, 2, 20_000)


def outcome(rule):
    return {name: value for name, value in vars(rule.record_).items() if name not in ("elapsed", "status")}


def test_patience_ends_a_run_always_at_the_same_program():
    stalled = learn_pruner("paper_table", patience=1, **FEW)
    assert stalled.record_.status == "stalled"
    again = learn_pruner("paper_table", patience=1, n_jobs=2, **FEW)
    assert outcome(again) == outcome(stalled)
    straight = learn_pruner("paper_table", **{**FEW, "budget": stalled.record_.n_programs})
    assert straight.record_.status == "complete"
    assert outcome(straight) == outcome(stalled)


def test_a_time_limit_ends_the_growing_of_trees(large, tmp_path):
    place = tmp_path / "run.json"
    rule = learn_pruner(large, time_limit=0.5, checkpoint=place, start="(n - c + 1.0) / n", **FEW)
    record = rule.record_
    assert (record.status, record.n_generations) == ("time_limit", 0)
    train, validation, test = record.n_trees
    assert 60 > train >= validation >= test >= 1
    assert train - test <= 1
    assert not place.exists(), "trees that are too few are no beginning to go on from"
    shortest = learn_pruner(large, time_limit=1e-9, **FEW).record_
    assert shortest.n_trees == (1, 1, 1)
    assert "time_limit" in rule.report()


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_callback_ends_the_growing_of_trees(large, n_jobs):
    seen = []

    def stop(progress):
        seen.append(progress)
        # The last call shows the report of what there is.
        return "trees grown" in progress.text and int(progress.text.split()[0]) > 3

    record = learn_pruner(large, callback=stop, n_jobs=n_jobs, **FEW).record_
    assert (record.status, record.n_generations) == ("stopped", 0)
    assert 3 <= sum(record.n_trees) < 60
    assert (seen[0].done, seen[0].total, seen[0].best) == (0, 10**9, None)
    assert "of 180 trees grown" in seen[0].text
    assert [progress.elapsed for progress in seen] == sorted(progress.elapsed for progress in seen)


def test_what_a_callback_raises_ends_the_growing_of_trees(large):
    def fail(progress):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        learn_pruner(large, callback=fail, **FEW)


def test_a_run_that_goes_on_grows_all_its_trees(tmp_path):
    iris, place = datasets.load("iris"), tmp_path / "run.json"
    few = {**FEW, "budget": 500, "checkpoint": place}
    first = learn_pruner(iris, **few)
    late = learn_pruner(iris, time_limit=1e-9, resume=True, **{**few, "budget": 2000}).record_
    assert late.n_trees == (60, 60, 60)
    assert (late.status, late.n_programs) == ("time_limit", first.record_.n_programs)
    gone_on = learn_pruner(iris, resume=True, n_jobs=2, **{**few, "budget": 2000})
    assert outcome(gone_on) == outcome(learn_pruner(iris, **{**FEW, "budget": 2000}))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
def test_ctrl_c_is_heard_while_trees_grow():
    text = (
        "import numpy as np\n"
        "from treewright.evolution import learn_pruner\n"
        "rng = np.random.default_rng(0)\n"
        "data = rng.normal(size=(20_000, 20)), rng.integers(0, 2, 20_000)\n"
        "try:\n"
        "    learn_pruner(data, budget=10**9, callback=lambda p: print(p.text, flush=True))\n"
        "except KeyboardInterrupt:\n"
        "    print('raised')\n"
    )
    with subprocess.Popen([sys.executable, "-c", text], stdout=subprocess.PIPE, text=True) as process:
        # There is nothing to show until the work has begun.
        first = next(line for line in process.stdout if line != "None\n")
        assert "trees grown" in first
        process.send_signal(signal.SIGINT)
        lines = process.communicate()[0].splitlines()
    assert lines[-1] == "raised"
    assert all("trees grown" in line for line in lines[:-1])


def test_progress_shows_the_front():
    seen = []
    learn_pruner("paper_table", callback=seen.append, **{**FEW, "budget": 20_000})
    table = seen[-1].text.splitlines()
    assert table[0].split() == ["bits", "run", "time", "training", "validation"]
    assert len(table) > 2
    numbers = [[float(word) for word in line.split()[:4]] for line in table[1:3]]
    assert numbers[0][2] > numbers[1][2], "the front is looked at in validation, too, and gets better"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_checkpoint_takes_no_place_but_a_files(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(OSError, match=r"written \(it is no ordinary file\); choose another"):
        learn_pruner("paper_table", budget=1, n_train=3, n_validation=3, n_test=3, checkpoint=pipe)
    evolver = reversing(budget=10)
    with pytest.raises(OSError, match=r"written \(it is no ordinary file\); choose another"):
        evolver.run(checkpoint=pipe)
    with pytest.raises(UnfinishedError):
        _ = evolver.front_  # it was told before any work was done
    assert pipe.is_fifo()
