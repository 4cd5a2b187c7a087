"""Evolutions that are stored, killed, interrupted and gone on with."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from program_problems import LIST, LISTS, fitting, outcome, reversing, square
from treewright import FormatError, ParameterError
from treewright.evolution import ExampleProblem

MAKERS = {"reversing": reversing, "fitting": fitting}


@pytest.fixture(scope="module")
def reversed_once():
    return outcome(reversing().run())


@pytest.fixture(scope="module")
def fitted_once():
    return outcome(fitting().run())


@pytest.mark.parametrize("make", [reversing, fitting])
@pytest.mark.parametrize(("budget", "before", "after"), [(1, 2, 4), (600, 1, 2), (1800, 4, 1), (3500, 2, 2)])
def test_resuming_goes_on_bit_for_bit(tmp_path, make, budget, before, after, reversed_once, fitted_once):
    make(n_jobs=before).run(budget=budget, checkpoint=tmp_path / "run.json")
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]
    evolver = make(n_jobs=after).run(budget=1, checkpoint=str(tmp_path / "run.json"), resume=True)
    assert evolver.n_programs_ < 4000
    evolver.run(checkpoint=tmp_path / "run.json")
    assert outcome(evolver) == (reversed_once if make is reversing else fitted_once)
    make().run(checkpoint=tmp_path / "other.json")
    assert (tmp_path / "run.json").read_bytes() == (tmp_path / "other.json").read_bytes()


def test_a_seed_that_was_drawn_is_resumed(tmp_path):
    evolver = reversing(random_state=None, budget=600).run(checkpoint=tmp_path / "run.json")
    resumed = reversing(random_state=None).run(checkpoint=tmp_path / "run.json", resume=True)
    assert resumed.seed_ == evolver.seed_
    assert outcome(resumed) == outcome(reversing(random_state=evolver.seed_).run())


def test_checkpoints_of_other_searches_are_refused(tmp_path):
    place = tmp_path / "run.json"
    reversing(budget=600).run(checkpoint=place)
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
        with pytest.raises(FormatError, match="other data or parameters"):
            other.run(checkpoint=place, resume=True)
    with pytest.raises(FormatError, match="it is of seed 0, not 1"):
        reversing(random_state=1).run(checkpoint=place, resume=True)
    stored = json.loads(place.read_text())
    for text in ("", "{}", "[]", place.read_text()[:-100], json.dumps({**stored, "version": 2})):
        place.write_text(text)
        with pytest.raises(FormatError, match=r"cannot be resumed|is no checkpoint"):
            reversing().run(checkpoint=place, resume=True)
    place.write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match="holds no text"):
        reversing().run(checkpoint=place, resume=True)
    with pytest.raises(ParameterError, match="is there already; go on from it with"):
        reversing().run(checkpoint=place)
    assert reversing().run(checkpoint=tmp_path / "none.json", resume=True, budget=1).n_programs_ > 0
    with pytest.raises(OSError, match="cannot be written"):
        reversing(budget=1).run(checkpoint=tmp_path / "no" / "run.json")


def test_a_checkpoint_of_another_score_is_refused(tmp_path):
    fitting(budget=600).run(checkpoint=tmp_path / "run.json")

    def twice(outputs):
        return 2 * square(outputs)

    twice.__qualname__ = square.__qualname__
    with pytest.raises(FormatError, match="other losses"):
        fitting(twice).run(checkpoint=tmp_path / "run.json", resume=True)
    with pytest.raises(FormatError, match="other data or parameters"):
        fitting(target=0.5).run(checkpoint=tmp_path / "run.json", resume=True)


SCRIPT = """
import sys
from program_problems import fitting, reversing
make = {"fitting": fitting, "reversing": reversing}[sys.argv[1]]
evolver = make(n_jobs=2, budget=10**9, polish=10**9, callback=lambda p: print(p.done, flush=True))
try:
    evolver.run(checkpoint=sys.argv[2], resume=sys.argv[3] == "resume", every=0)
except KeyboardInterrupt:
    print("raised", evolver.status_, evolver.n_programs_, flush=True)
"""


def start_script(*words):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *sys.path])}
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, *words], stdout=subprocess.PIPE, text=True, env=environment
    )


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("name", MAKERS)
def test_a_search_killed_at_any_moment_leaves_a_checkpoint_that_resumes(tmp_path, name):
    place, moments, make = tmp_path / "run.json", random.Random(5), MAKERS[name]
    reached = 0
    for _ in range(3):
        words = (name, str(place), "resume" if reached else "new")
        with start_script(*words) as process:
            while not place.exists() or int(process.stdout.readline()) < reached + 300:
                pass
            time.sleep(moments.random() * 0.05)
            process.kill()
        stored = make(polish=10**9).run(budget=1, checkpoint=place, resume=True)
        assert stored.n_programs_ > reached
        reached = stored.n_programs_
    budget = reached + 500
    resumed = stored.run(budget=budget)
    assert outcome(resumed) == outcome(make(polish=10**9).run(budget=budget))


@pytest.mark.skipif(os.name == "nt", reason="signals are sent the POSIX way")
@pytest.mark.parametrize("name", MAKERS)
def test_ctrl_c_is_raised_and_what_was_found_is_kept(tmp_path, name):
    place = tmp_path / "run.json"
    with start_script(name, str(place), "new") as process:
        while int(process.stdout.readline()) < 600:
            pass
        process.send_signal(signal.SIGINT)
        words = process.communicate()[0].split()
    assert words[-3:-1] == ["raised", "stopped"]
    assert MAKERS[name](polish=10**9).run(budget=1, checkpoint=place, resume=True).n_programs_ == int(
        words[-1]
    )
