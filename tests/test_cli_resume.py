"""`treewright enumerate --all --checkpoint`: how a file of trees goes on, and when it may not.

Inner names, as in unit tests: `_base.checkpoint`: the form of arrays in a file is not public.
`cli._tree_file`: parts of the command line are tested without a process.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from commands import Run, assert_refused, file_of_trees, lines_of
from treewright import Tree
from treewright._base.checkpoint import read
from treewright.cli._tree_file import TreeFile, open_locked

WEATHER = ("enumerate", "weather.csv", "--target", "play")
WINE = ("enumerate", "wine", "--min-samples-split", 16)
FILES = ("--all", "t.jsonl", "--checkpoint", "t.state")
AGAIN = (*FILES, "--resume")

# Going on ------------------------------------------------------------------------------


@pytest.mark.parametrize("limit", [["--node-limit", 40], ["--time-limit", 0.01]])
def test_going_on_gives_the_file_of_one_go(run: Run, limit: list[object]) -> None:
    whole = run(*WINE, "--all", "whole.jsonl", "--top", 3).out
    ended = run(*WINE, *FILES, *limit)
    if "So far" in ended.out:
        assert "To continue, repeat the command with --resume" in " ".join(ended.out.split())
        n_trees = len(lines_of("t.jsonl"))
        ended = run(*WINE, *AGAIN, "--top", 3)
        assert ("of them from an earlier run." in ended.out) == (n_trees > 0)
        assert (
            ended.out.split("features  trees")[1].split("Complete")[0]
            == (whole.split("features  trees")[1].split("Complete")[0])
        )
    assert file_of_trees("t.jsonl") == file_of_trees("whole.jsonl")
    assert run(*WINE, *AGAIN).code == 0
    assert file_of_trees("t.jsonl") == file_of_trees("whole.jsonl")


def test_what_came_after_the_checkpoint_is_written_again(run: Run) -> None:
    run(*WEATHER, "--all", "whole.jsonl", "--with-trees")
    run(*WEATHER, *FILES, "--with-trees", "--node-limit", 4)
    part, state = Path("t.jsonl").read_bytes(), Path("t.state").read_bytes()
    whole = part.partition(b"\n")[0] + b"\n" + file_of_trees("whole.jsonl")[1]
    assert whole.startswith(part)
    for n_more in {*range(0, len(whole) - len(part), 293), len(whole) - len(part)}:
        Path("t.jsonl").write_bytes(whole[: len(part) + n_more])
        Path("t.state").write_bytes(state)
        assert run(*WEATHER, *AGAIN, "--with-trees").code == 0
        assert Path("t.jsonl").read_bytes() == whole


def test_time_limit_counts_new_trees_only(run: Run) -> None:
    n_trees = 0
    for _ in range(4):
        run(
            "enumerate",
            "digits",
            *AGAIN,
            "--time-limit",
            0.1,
            "--min-samples-split",
            99,
        )
        n_before, n_trees = n_trees, len(lines_of("t.jsonl"))
        assert n_trees > n_before


def test_skipped_trees_are_not_grown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[object] = []
    run(*WINE, *FILES, "--with-trees", "--node-limit", 1000)
    grow = Tree.to_json
    monkeypatch.setattr(Tree, "to_json", lambda tree: (grown.append(tree), grow(tree))[1])
    run(*WINE, *AGAIN, "--with-trees", "--node-limit", 1010)
    assert 0 < len(grown) <= 11, "the last tree there, to compare, and the new ones"


# Refusals ------------------------------------------------------------------------------

REFUSALS: dict[str, tuple[list[object], int, str]] = {
    "other parameter": (["--criterion", "gini"], 1, "it is of --criterion info_gain, not 'gini'"),
    "other rows": (["--seed", 1], 1, "it is of --seed 0, not 1"),
    "other columns": (["--drop", "windy"], 1, "the data set 'DATA' is another one"),
    "other order": (["--order", "index"], 1, "it is of --order frontier, not 'index'"),
    "other lines": (["--with-trees"], 1, "it is of no --with-trees, not True"),
    "limit before the trees there": (["--node-limit", 2], 2, "'--node-limit': 2 ends the search before"),
}


@pytest.mark.parametrize(("options", "code", "message"), REFUSALS.values(), ids=REFUSALS)
def test_going_on_with_something_else_is_refused(
    run: Run, options: list[object], code: int, message: str
) -> None:
    run(*WEATHER, *FILES)
    whole = Path("t.jsonl").read_bytes()
    ended = run(*WEATHER, *AGAIN, *options)
    assert_refused(ended, code, message)
    assert Path("t.jsonl").read_bytes() == whole


def test_other_values_and_another_release_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*WEATHER, *FILES)
    with monkeypatch.context() as patch:
        patch.setattr("treewright.__version__", "99.0")
        ended = run(*WEATHER, *AGAIN)
        assert_refused(ended, 1, "not '99.0'")
    text = Path("weather.csv").read_text(encoding="utf-8")
    Path("weather.csv").write_text(text.replace("sunny,85", "sunny,85.5", 1), encoding="utf-8")
    assert_refused(run(*WEATHER, *AGAIN), 1, "the data set 'DATA' is another one")


def test_the_name_of_the_data_and_limits_may_differ(run: Run) -> None:
    run(*WEATHER, *FILES, "--node-limit", 3)
    Path("weather.csv").rename("moved.csv")
    ended = run("enumerate", "moved.csv", "--target", "play", *AGAIN, "--n-jobs", 2)
    assert ended.code == 0


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '["a"]\n', '{"a": 1}\n'])
def test_other_files_are_left_alone(run: Run, content: str) -> None:
    Path("t.jsonl").write_text(content, encoding="utf-8")
    for options in (("--all", "t.jsonl"), FILES, AGAIN):
        assert_refused(run(*WEATHER, *options), 2, "is there already; --overwrite replaces it")
    assert Path("t.jsonl").read_text(encoding="utf-8") == content
    Path("t.state").write_text(content, encoding="utf-8")
    assert_refused(run(*WEATHER, *AGAIN), 1, "'t.state' is no checkpoint")
    assert_refused(run(*WEATHER, *FILES, "--overwrite"), 2, "'t.state' is there already; go on with --resume")
    assert Path("t.jsonl").read_text(encoding="utf-8") == content
    assert run(*WEATHER, "--all", "t.jsonl", "--overwrite").code == 0
    assert lines_of("t.jsonl")


def test_a_file_that_was_changed_is_noticed(run: Run) -> None:
    run(*WEATHER, *FILES)
    lines = Path("t.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for changed in (lines[:2] + lines[3:5], [*lines[:2], lines[1], *lines[3:]], lines[:-1], []):
        Path("t.jsonl").write_text("".join(changed), encoding="utf-8")
        assert_refused(run(*WEATHER, *AGAIN), 1, "t.jsonl was changed since")


# Interruptions -------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals to one process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_run_goes_on_where_it_stopped(run: Run, number: signal.Signals) -> None:
    wine = [*map(str, WINE), "--with-trees"]
    wine[wine.index("--min-samples-split") + 1] = "2"
    command = [sys.executable, "-m", "treewright", *wine, *FILES]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_trees("t.state", process)
        process.send_signal(number)
        found, told = process.communicate(timeout=30)
    if number == signal.SIGINT:
        n_trees = len(lines_of("t.jsonl"))
        assert process.returncode == 130
        assert f"So far {n_trees:,} trees are in t.jsonl. To continue" in found
        assert f"{n_trees:,} distinct trees on subsets of 13 features so far" in found
        assert told.endswith("Stopped.\n")
    assert "of them from an earlier run" in run(*wine, *AGAIN).out
    run(*wine, "--all", "whole.jsonl")
    assert file_of_trees("t.jsonl") == file_of_trees("whole.jsonl")


def wait_for_trees(state: str, process: subprocess.Popen[str]) -> None:
    """Wait until a checkpoint tells of trees; fail if the process ends before."""
    for _ in range(3000):
        found = read(Path(state))["state"] if Path(state).exists() else None
        if isinstance(found, dict) and found["n_trees"]:
            return
        assert process.poll() is None, "the run was over before it could be interrupted"
        time.sleep(0.01)
    raise AssertionError(f"{state} told of no trees within 30 s")


def test_a_failing_disk_leaves_whole_lines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails half-way is cut back to the last whole line."""
    append = TreeFile._append

    def fail_late(file: TreeFile, whole_lines: bytes, n_trees: int) -> None:
        if n_trees and file.n_trees > 600:
            file._stream.write(whole_lines[: len(whole_lines) // 2])
            raise OSError(28, "No space left on device")
        append(file, whole_lines, n_trees)

    with monkeypatch.context() as patch:
        patch.setattr(TreeFile, "_append", fail_late)
        ended = run(*WINE, *FILES)
    assert_refused(ended, 1, "Error: No space left on device")
    assert len(lines_of("t.jsonl")) > 100
    assert run(*WINE, *AGAIN).code == 0
    assert len(lines_of("t.jsonl")) == 1268


def test_a_file_that_is_being_written_is_left_alone(run: Run) -> None:
    run(*WEATHER, *FILES)
    whole = Path("t.jsonl").read_bytes()
    with open_locked(Path("t.jsonl")):
        for options in (AGAIN, ("--all", "t.jsonl", "--overwrite")):
            ended = run(*WEATHER, *options)
            assert_refused(ended, 1, "t.jsonl: another treewright process is writing it; wait for its end")
    assert Path("t.jsonl").read_bytes() == whole
    assert run(*WEATHER, *AGAIN).code == 0


def test_a_refused_file_is_not_left_locked(run: Run) -> None:
    run(*WEATHER, *FILES)
    assert_refused(run(*WINE, *AGAIN), 1, "cannot be resumed")
    assert run(*WEATHER, *AGAIN).code == 0


def test_what_is_no_ordinary_file_is_refused(run: Run) -> None:
    for option in ([], ["--checkpoint", "t.state", "--resume"], ["--overwrite"]):
        ended = run(*WEATHER, "--all", os.devnull, *option)
        assert_refused(ended, 2, f"--all: '{os.devnull}' is no ordinary file")
