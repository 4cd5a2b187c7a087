"""Studies that are interrupted: what is finished is kept and shown; a resumed study is as a straight one.

Inner names, as in unit tests: `_base.checkpoint`: the form of arrays in a file is not public.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from commands import Run, assert_refused
from treewright import FormatError, GreedyTreeClassifier, ParameterError
from treewright._base.checkpoint import decoded, encoded  # the form that arrays have in every checkpoint
from treewright.studies import (
    StudyInterruptedError,
    compare_fixed_depth,
    compare_greedy,
    compare_optimal,
    compare_planes,
    compare_pruning,
    compare_selection,
    study_distinct_trees,
)
from treewright.tables import DecisionTable

STUDIES: dict[str, Callable[..., Any]] = {
    "selection": partial(compare_selection, "wine", cv=3, repeats=1),
    "distinct": partial(
        study_distinct_trees, "iris", min_samples_split=[8, 32], methods=["top"], cv=2, max_grown=5
    ),
    "greedy": partial(compare_greedy, n_tables=60, n_rows=10, n_features=3),
    "fixed depth": partial(compare_fixed_depth, "monks-1", depths=[1], repeats=1),
    "optimal": partial(compare_optimal, "iris", depths=[1], methods=["depth_cv"], cv=3),
    "planes": partial(compare_planes, "iris", methods=["rlp_p"], cv=3),
    "pruning": partial(compare_pruning, "monks-1", rules=["none", "naive"], repeats=1),
    "generated": partial(compare_pruning, generator="paper_table", n_sets=70, rules=["none", "naive"]),
}


def without_seconds(result: Any) -> Any:
    """Return everything that a result says, but for the times."""
    timed = {"seconds", "seconds_grown", "std_error", "exhaustive"}

    def kept(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: kept(part) for name, part in value.items() if name not in timed}
        return [kept(part) for part in value] if isinstance(value, list) else value

    return kept(json.loads(result.to_json()))


@pytest.fixture(scope="module")
def straight() -> dict[str, Any]:
    return {name: study(progress=False) for name, study in STUDIES.items()}


@pytest.mark.parametrize("name", STUDIES)
def test_a_resumed_study_is_as_a_straight_one(name: str, straight: dict[str, Any], tmp_path: Path) -> None:
    options = {"progress": False, "checkpoint": tmp_path / "run.json"}
    part = STUDIES[name](**options, callback=lambda progress: progress.done >= 2)
    assert part.status == "stopped"
    assert without_seconds(part) != without_seconds(straight[name])
    counts: list[int] = []
    whole = STUDIES[name](**options, resume=True, callback=lambda progress: counts.append(progress.done))
    assert without_seconds(whole) == without_seconds(straight[name])
    assert min(counts) > 2
    assert whole.elapsed > part.elapsed
    again = STUDIES[name](**options, resume=True)
    assert without_seconds(again) == without_seconds(straight[name])
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize("name", ["selection", "pruning"])
def test_ctrl_c_hands_over_what_is_finished(name: str, straight: dict[str, Any], tmp_path: Path) -> None:
    options = {"progress": False, "checkpoint": tmp_path / "run.json"}

    def press(progress: Any) -> None:
        if progress.done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt) as caught:
        STUDIES[name](**options, callback=press)
    assert isinstance(caught.value, StudyInterruptedError)
    part = caught.value.result
    assert (part.status, part.n_folds_done) == ("stopped", 2)
    assert "Stopped after 2 folds." in str(part)
    assert without_seconds(STUDIES[name](**options, resume=True)) == without_seconds(straight[name])


def test_time_limit_keeps_whole_folds(tmp_path: Path) -> None:
    options = {"progress": False, "checkpoint": tmp_path / "run.json"}
    study = partial(compare_selection, "digits", cv=10, repeats=20)
    began = time.monotonic()
    part = study(**options, time_limit=0.5)
    assert (part.status, time.monotonic() - began < 30) == ("time_limit", True)
    assert f"Time was up after {part.n_folds_done} fold" in str(part)
    assert set(part.per_fold["status"].tolist()) <= {"complete"}
    later = study(**options, resume=True, time_limit=0.5)
    assert later.n_folds_done >= part.n_folds_done
    assert later.per_fold[: len(part.per_fold)].tolist() == part.per_fold.tolist()


@pytest.mark.parametrize("name", ["greedy", "generated", "distinct"])
def test_time_limit_of_the_other_studies(name: str) -> None:
    large = {"greedy": {"n_tables": 10**6}, "generated": {"n_sets": 10**6}, "distinct": {"repeats": 1000}}
    assert STUDIES[name](progress=False, time_limit=0.3, **large[name]).status == "time_limit"


# What is refused.


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"cv": 4}, "it is of cv=3, not 4"),
        ({"random_state": 1}, "it is of random_state=0, not 1"),
        ({"data": "iris"}, "it is of other data sets"),
        ({"data": {"wine": "iris"}}, "the data set 'wine' is another one"),
        ({"estimator": GreedyTreeClassifier(max_depth=2)}, "it is of estimator__max_depth=None, not 2"),
    ],
    ids=str,
)
def test_another_design_is_refused_with_the_reason(
    other: dict[str, Any], reason: str, tmp_path: Path
) -> None:
    usual = {"data": "wine", "cv": 3, "repeats": 1, "progress": False, "checkpoint": tmp_path / "run.json"}
    compare_selection(**usual, callback=lambda progress: True)
    before = (tmp_path / "run.json").read_bytes()
    with pytest.raises(FormatError, match=f"run.json' cannot be resumed: {reason}"):
        compare_selection(**{**usual, **other}, resume=True)
    assert (tmp_path / "run.json").read_bytes() == before


def test_another_study_and_other_tables_are_refused(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    tables = [DecisionTable([[0, 1], [1, 0]], [0, 1]), DecisionTable([[0, 1], [1, 1]], [0, 1])]
    compare_greedy(tables, checkpoint=place, progress=False)
    with pytest.raises(FormatError, match="it is one of compare_greedy, not of compare_selection"):
        compare_selection("wine", checkpoint=place, resume=True)
    with pytest.raises(FormatError, match="the data set 'tables' is another one"):
        compare_greedy(tables[::-1], checkpoint=place, resume=True)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "it is empty"),
        (b"a,b\n1,2\n", "it is no JSON"),
        (b"\xff\xfe", "it holds no text"),
        (b'{"format": "treewright-tree"}', "it holds something else"),
        (b'{"format": "treewright-checkpoint", "version": 2}', "it is one of format 2, and format 1 is read"),
        (b'{"format": "treewright-checkpoint", "version": 1, "work": "x"}', "it has no design"),
    ],
)
def test_a_file_of_something_else_is_refused_and_left_alone(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    place = tmp_path / "mine"
    place.write_bytes(content)
    with pytest.raises(ParameterError, match="mine' is there already; go on from it with resume=True"):
        compare_selection("iris", checkpoint=place)
    with pytest.raises(FormatError, match=rf"mine' is no checkpoint \({reason}\)"):
        compare_selection("iris", checkpoint=place, resume=True, progress=False)
    assert place.read_bytes() == content


def test_a_place_that_cannot_be_written_is_told_before_the_work(tmp_path: Path) -> None:
    for place, reason in ((tmp_path, "it is a folder"), (tmp_path / "no" / "run.json", "is no folder")):
        with pytest.raises(OSError, match=reason):
            compare_selection("no such set", checkpoint=place)


def test_a_checkpoint_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    options = {"cv": 3, "repeats": 1, "progress": False, "checkpoint": tmp_path / "run.json"}
    compare_selection("iris", **options, callback=lambda progress: True)
    before = (tmp_path / "run.json").read_bytes()

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        compare_selection("iris", **options, resume=True)
    assert (tmp_path / "run.json").read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


@pytest.mark.parametrize(
    "value",
    [
        {"a": [1, 2.5, None, True, "text"], "b": {"nan": float("inf")}},
        [10**400, 0.1, 5e-324, -0.0],
    ],
)
def test_values_come_back_as_they_were(value: object) -> None:
    assert decoded(encoded(value)) == value


def test_arrays_come_back_as_they_were() -> None:
    array = np.array([[0.1, np.nan], [np.inf, -0.0]])
    found: Any = decoded(encoded({"of": array, "one": np.float64("nan")}))
    assert found["of"].tobytes() == array.tobytes()
    assert found["of"].dtype == array.dtype
    assert np.isnan(found["one"])


# The command line.

COMMAND = ("study", "selection", "digits", "--folds", "10", "--repeats", "50", "--checkpoint", "run.json")


def started(*arguments: str) -> subprocess.Popen[str]:
    """Start a study, and wait until some folds are kept."""
    command = [sys.executable, "-m", "treewright", *COMMAND, *arguments]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while kept() < 2 and process.poll() is None and time.monotonic() < deadline:
        time.sleep(0.05)
    return process


def kept() -> int:
    """Return how many folds the checkpoint has."""
    place = Path("run.json")
    return json.loads(place.read_text(encoding="utf-8"))["state"]["n_done"] if place.exists() else 0


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals to one process")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_shows_the_finished_folds(run: Run, number: signal.Signals, code: int) -> None:
    with started("--out", "found.json") as process:
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert process.returncode == code
    assert "To continue, repeat the command with --resume." in err
    found = json.loads(Path("found.json").read_text(encoding="utf-8"))
    n_folds = len({(row["repeat"], row["fold"]) for row in found["per_fold"]})
    assert (found["status"], n_folds) == ("stopped", kept())
    assert f"Stopped after {n_folds} folds." in out


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="has no SIGKILL")
def test_a_killed_study_goes_on_to_the_same_table(run: Run) -> None:
    with started() as process:
        os.kill(process.pid, signal.SIGKILL)
    before = kept()
    assert before >= 2
    Path("run.json").rename("killed.json")
    small = ("study", "selection", "digits", "--folds", 10, "--repeats", 50, "--json")
    ended = run(*small, "--checkpoint", "killed.json", "--resume", "--time-limit", 2)
    found = json.loads(ended.out)
    assert (ended.code, found["status"]) == (0, "time_limit")
    assert len(found["per_fold"]) >= 2 * before
    fresh = json.loads(run(*small, "--time-limit", 3).out)["per_fold"]
    for row, other in zip(found["per_fold"], fresh, strict=False):
        assert {**row, "seconds": 0} == {**other, "seconds": 0}


def test_options_of_checkpoints_that_cannot_be_are_refused(run: Run) -> None:
    small = ("study", "selection", "iris", "--folds", 3, "--repeats", 1)
    assert_refused(run(*small, "--resume"), 2, "--resume")
    assert run(*small, "--checkpoint", "run.json").code == 0
    assert_refused(run(*small, "--checkpoint", "run.json"), 2, "is there already")
    assert run(*small, "--checkpoint", "run.json", "--resume").code == 0
    other = run(
        "study", "selection", "iris", "--folds", 4, "--repeats", 1, "--checkpoint", "run.json", "--resume"
    )
    assert_refused(other, 1, "cannot be resumed")


@pytest.mark.skipif(os.name == "nt", reason="asks the POSIX way which processes run")
def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        ended.wait()
    left, running = (tmp_path / f".run.json.{process}.tmp" for process in (ended.pid, os.getppid()))
    others = [tmp_path / name for name in (".run.json.x.tmp", f".other.json.{ended.pid}.tmp")]
    for place in (left, running, *others):
        place.write_text("half of")
    STUDIES["greedy"](checkpoint=tmp_path / "run.json")
    assert not left.exists()
    assert all(place.exists() for place in (running, *others))
