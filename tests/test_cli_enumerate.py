"""`treewright enumerate`: what it counts, ranks and writes, and how it goes on after an interruption."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from commands import Ended, Run
from treewright import GreedyTreeClassifier, Tree, count_distinct_trees, datasets, enumerate_distinct_trees
from treewright._search_set import draw_share
from treewright.distinct._best import BestTrees

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
WEATHER = ("enumerate", "weather.csv", "--target", "play")
WINE = ("enumerate", "wine", "--min-samples-split", 16)


def lines_of(path: str) -> list[dict[str, Any]]:
    """Return the trees of a file, its header left out."""
    text = Path(path).read_text(encoding="utf-8")
    assert text.endswith("\n")
    return [json.loads(line) for line in text.splitlines()[1:]]


def brute_force(share: float) -> dict[Tree, list[set[str]]]:
    """Grow the tree of every subset of the weather's features; sort the subsets by the tree they give."""
    weather = datasets.read_csv("weather.csv", target="play")
    assert weather.target is not None, "the file has classes"
    is_search = draw_share(share, weather.target, 0) if share else np.zeros(len(weather.target), dtype=bool)
    names, groups = weather.feature_names, {}
    for size in range(len(names) + 1):
        for subset in combinations(names, size):
            tree = grown(weather, ~is_search, subset)
            groups.setdefault(tree, []).append(set(subset))
    return groups


def grown(weather: datasets.Dataset, is_building: Any, subset: tuple[str, ...]) -> Tree:
    from treewright import _core

    positions = [weather.feature_names.index(name) for name in subset]
    growth = GreedyTreeClassifier()
    parameters = {
        name: value
        for name, value in growth.get_params().items()
        if name not in ("n_jobs", "categorical_features")
    }
    rows = np.flatnonzero(is_building)
    return Tree(_core.grow(weather.core.take(rows), features=positions, **parameters))


# Counts and ranks ----------------------------------------------------------------------


def test_counts_are_those_of_the_function(run: Run) -> None:
    ended = run(*WINE)
    count = count_distinct_trees(datasets.load("wine"), min_samples_split=16, search_set=0.3, random_state=0)
    shown, expected = (
        [line for line in text.splitlines() if " built, " not in line] for text in (ended.out, str(count))
    )
    assert (ended.code, ended.err) == (0, "")
    assert shown[-len(expected) :] == expected
    assert "125 rows grew the trees, 53 search rows judged them." in shown


def test_without_search_rows_all_rows_grow_trees(run: Run) -> None:
    ended = run(*WINE, "--search-share", 0)
    assert "All rows grew the trees." in ended.out
    assert "\n1886 distinct trees on subsets of 13 features\n" in ended.out


@pytest.mark.parametrize("options", [[], ["--order", "index"], ["--n-jobs", 2, "--memory-limit", "1MB"]])
def test_best_trees_are_the_best_of_all(run: Run, options: list[object]) -> None:
    facts = json.loads(run(*WINE, "--top", 7, "--json", *options).out)
    trees = enumerate_distinct_trees(
        datasets.load("wine"), min_samples_split=16, search_set=0.3, random_state=0
    )
    ranked = sorted(
        trees, key=lambda tree: (tree.n_search_errors, len(tree.used_features), tree.used_features)
    )
    names = datasets.load("wine").feature_names
    assert [tree["used_features"] for tree in facts["best"]] == [
        [names[i] for i in tree.used_features] for tree in ranked[:7]
    ]
    for shown, tree in zip(facts["best"], ranked, strict=False):
        assert (shown["n_search_errors"], shown["n_subsets"]) == (tree.n_search_errors, tree.n_subsets)
        assert shown["tree"] == json.loads(tree.tree.to_json())
    assert facts["certificate"] == facts["n_subsets"] == 2**13
    assert sum(facts["by_n_features"]) == facts["n_distinct"] == len(ranked)


def test_heap_holds_no_more_than_it_should() -> None:
    for n_kept in (0, 1, 5, 10_000):
        best = BestTrees(n_kept)
        trees = list(enumerate_distinct_trees(datasets.load("iris"), search_set=0.3, random_state=0))
        for n_offered, tree in enumerate(trees, start=1):
            best.offer(tree)
            assert len(best.best_first()) == min(n_kept, n_offered)
        assert best.least_errors == (min(tree.n_search_errors or 0 for tree in trees) if n_kept else None)


def test_best_trees_are_drawn_as_deep_as_asked_for(run: Run) -> None:
    ended = run(*WINE, "--top", 2, "--show-depth", 1)
    assert "\n1. 1 error (1.9%), 4 features tested, given by 256 subsets\n" in ended.out
    assert "flavanoids > 1.57: ... (" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "flavanoids" not in run(*WINE, "--top", 1, "--show-depth", 0).out.split("depth 4")[1]


def test_out_holds_what_json_prints(run: Run) -> None:
    printed = json.loads(run(*WINE, "--top", 1, "--json", "--out", "found.json").out)
    written = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert printed == written
    jsonschema.validate(printed["best"][0]["tree"], SCHEMA)


def test_limits_are_told(run: Run) -> None:
    ended = run("enumerate", "digits", "--time-limit", 0.2)
    assert ended.code == 0
    assert "The time limit was reached" in ended.out
    ended = run("enumerate", "digits", "--node-limit", 50, "--top", 1, "--show-depth", 0)
    assert "\n50 trees built" in ended.out
    assert "The best tree found so far" in ended.out


# All trees -----------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0, 0.3])
def test_file_has_each_tree_of_brute_force_once_with_exactly_its_subsets(run: Run, share: float) -> None:
    ended = run(*WEATHER, "--search-share", share, "--all", "t.jsonl", "--with-trees")
    groups, found = brute_force(share), {}
    for facts in lines_of("t.jsonl"):
        used, optional = facts["used_features"], facts["optional_features"]
        subsets = [{*used, *some} for k in range(len(optional) + 1) for some in combinations(optional, k)]
        assert len(subsets) == facts["n_subsets"]
        assert (facts["n_search_errors"] is None) is (share == 0)
        tree = Tree.from_json(json.dumps(facts["tree"]))
        assert tree not in found
        found[tree] = sorted(map(sorted, subsets))
    assert found == {tree: sorted(map(sorted, subsets)) for tree, subsets in groups.items()}
    assert f"All of it: {len(groups)} trees are in t.jsonl.\n" in ended.out


def test_file_begins_with_what_the_trees_depend_on(run: Run) -> None:
    run(*WEATHER, "--all", "t.jsonl", "--criterion", "gini")
    header = json.loads(Path("t.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["format"] == "treewright-distinct-trees"
    assert header["settings"]["criterion"] == "gini"
    assert header["data"]["n_samples"] == 14
    errors = Counter(facts["n_search_errors"] for facts in lines_of("t.jsonl"))
    trees = enumerate_distinct_trees(
        datasets.read_csv("weather.csv", target="play"), criterion="gini", search_set=0.3, random_state=0
    )
    assert errors == Counter(tree.n_search_errors for tree in trees)


@pytest.mark.parametrize("limit", [["--node-limit", 40], ["--time-limit", 0.01]])
def test_going_on_gives_the_file_of_one_go(run: Run, limit: list[object]) -> None:
    whole = run(*WINE, "--all", "whole.jsonl", "--top", 3).out
    ended = run(*WINE, "--all", "t.jsonl", *limit)
    if "So far" in ended.out:
        assert "the same command with --resume" in " ".join(ended.out.split())
        ended = run(*WINE, "--all", "t.jsonl", "--resume", "--top", 3)
        assert "of them from before." in ended.out
        assert (
            ended.out.split("features  trees")[1].split("All of it")[0]
            == (whole.split("features  trees")[1].split("All of it")[0])
        )
    assert Path("t.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    assert run(*WINE, "--all", "t.jsonl", "--resume").code == 0
    assert Path("t.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def test_a_line_cut_off_anywhere_is_written_again(run: Run) -> None:
    run(*WEATHER, "--all", "t.jsonl", "--with-trees")
    whole = Path("t.jsonl").read_bytes()
    for n_bytes in {*range(0, len(whole), 97), len(whole) - 1, whole.index(b"\n"), whole.index(b"\n") + 1}:
        Path("t.jsonl").write_bytes(whole[:n_bytes])
        assert run(*WEATHER, "--all", "t.jsonl", "--with-trees", "--resume").code == 0
        assert Path("t.jsonl").read_bytes() == whole


def test_time_limit_counts_new_trees_only(run: Run) -> None:
    n_trees = 0
    for _ in range(4):
        run(
            "enumerate",
            "digits",
            "--all",
            "t.jsonl",
            "--resume",
            "--time-limit",
            0.1,
            "--min-samples-split",
            99,
        )
        n_before, n_trees = n_trees, len(lines_of("t.jsonl"))
        assert n_trees > n_before


def test_skipped_trees_are_not_grown(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    grown: list[object] = []
    run(*WINE, "--all", "t.jsonl", "--with-trees", "--node-limit", 1000)
    grow = Tree.to_json
    monkeypatch.setattr(Tree, "to_json", lambda tree: (grown.append(tree), grow(tree))[1])
    run(*WINE, "--all", "t.jsonl", "--with-trees", "--resume", "--node-limit", 1010)
    assert 0 < len(grown) <= 11, "the last tree there, to compare, and the new ones"


# Refusals ------------------------------------------------------------------------------

REFUSALS: dict[str, tuple[list[object], int, str]] = {
    "other parameter": (
        ["--criterion", "gini"],
        1,
        'settings.criterion is "info_gain" there and "gini" here',
    ),
    "other rows": (["--seed", 1], 1, r"data.fingerprint is"),
    "other columns": (["--drop", "windy"], 1, "data.features is"),
    "other order": (["--order", "index"], 1, "settings.order is"),
    "other lines": (["--with-trees"], 1, "settings.with_trees is false there and true here"),
    "limit before the trees there": (["--node-limit", 2], 2, "'--node-limit': 2 ends the search before"),
}


@pytest.mark.parametrize(("options", "code", "message"), REFUSALS.values(), ids=REFUSALS)
def test_going_on_with_something_else_is_refused(
    run: Run, options: list[object], code: int, message: str
) -> None:
    run(*WEATHER, "--all", "t.jsonl")
    whole = Path("t.jsonl").read_bytes()
    ended = run(*WEATHER, "--all", "t.jsonl", "--resume", *options)
    assert_refused(ended, code, message)
    assert Path("t.jsonl").read_bytes() == whole


def assert_refused(ended: Ended, code: int, message: str) -> None:
    assert (ended.code, ended.out) == (code, "")
    assert message in ended.err


def test_other_values_and_another_release_are_refused(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run(*WEATHER, "--all", "t.jsonl")
    with monkeypatch.context() as patch:
        patch.setattr("treewright.__version__", "99.0")
        ended = run(*WEATHER, "--all", "t.jsonl", "--resume")
        assert_refused(ended, 1, '"99.0" here; give the same data and options')
    text = Path("weather.csv").read_text(encoding="utf-8")
    Path("weather.csv").write_text(text.replace("sunny,85", "sunny,85.5", 1), encoding="utf-8")
    assert_refused(run(*WEATHER, "--all", "t.jsonl", "--resume"), 1, "data.fingerprint is")


def test_the_name_of_the_data_and_limits_may_differ(run: Run) -> None:
    run(*WEATHER, "--all", "t.jsonl", "--node-limit", 3)
    Path("weather.csv").rename("moved.csv")
    ended = run("enumerate", "moved.csv", "--target", "play", "--all", "t.jsonl", "--resume", "--n-jobs", 2)
    assert ended.code == 0


@pytest.mark.parametrize("content", ["my notes", "my notes\n", '["a"]\n', '{"a": 1}\n'])
def test_other_files_are_left_alone(run: Run, content: str) -> None:
    Path("t.jsonl").write_text(content, encoding="utf-8")
    assert_refused(run(*WEATHER, "--all", "t.jsonl"), 2, "--resume goes on with it, --overwrite replaces it")
    assert run(*WEATHER, "--all", "t.jsonl", "--resume").code == 1
    assert Path("t.jsonl").read_text(encoding="utf-8") == content
    assert run(*WEATHER, "--all", "t.jsonl", "--overwrite").code == 0
    assert lines_of("t.jsonl")


def test_a_file_that_was_changed_is_noticed(run: Run) -> None:
    run(*WEATHER, "--all", "t.jsonl")
    lines = Path("t.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    for changed in (lines[:2] + lines[3:5], [*lines, lines[-1]]):
        Path("t.jsonl").write_text("".join(changed), encoding="utf-8")
        assert_refused(run(*WEATHER, "--all", "t.jsonl", "--resume"), 1, "t.jsonl was changed since")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume"], "--resume goes with --all FILE"),
        (["--with-trees"], "--with-trees goes with --all FILE"),
        (["--all", "t.jsonl", "--resume", "--overwrite"], "give one of them"),
        (["--top", 1, "--search-share", 0], "give a --search-share above 0"),
        (["--memory-limit", "much"], "Invalid value for '--memory-limit': 'much' must be"),
        (["--time-limit", "nan"], "Invalid value for '--time-limit': nan must be"),
        (["--all", "-"], "'-' is no file"),
    ],
)
def test_options_that_make_no_sense_are_refused(run: Run, options: list[object], message: str) -> None:
    assert_refused(run(*WEATHER, *options), 2, message)


# Interruptions -------------------------------------------------------------------------


@pytest.mark.skipif(sys.platform == "win32", reason="sends signals to one process")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_run_goes_on_where_it_stopped(run: Run, number: signal.Signals) -> None:
    wine = [*map(str, WINE), "--with-trees", "--min-samples-split", "2"]
    command = [sys.executable, "-m", "treewright", *wine, "--all", "t.jsonl"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        wait_for_bytes("t.jsonl", 100_000, process)
        process.send_signal(number)
        _, told = process.communicate(timeout=30)
    if number == signal.SIGINT:
        n_trees = len(lines_of("t.jsonl"))
        assert process.returncode == 130
        assert f"So far {n_trees:,} trees are in t.jsonl; the same command with --resume" in told
        assert told.endswith("Stopped.\n")
    assert "of them from before" in run(*wine, "--all", "t.jsonl", "--resume").out
    run(*wine, "--all", "whole.jsonl")
    assert Path("t.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()


def wait_for_bytes(path: str, n_bytes: int, process: subprocess.Popen[str]) -> None:
    """Wait until a file has grown so far; fail if the process ends before."""
    for _ in range(3000):
        if Path(path).exists() and Path(path).stat().st_size > n_bytes:
            return
        assert process.poll() is None, "the run was over before it could be interrupted"
        time.sleep(0.01)
    raise AssertionError(f"{path} did not grow within 30 s")


def test_a_failing_disk_leaves_whole_lines(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """A write that fails half-way is cut back to the last whole line."""
    from treewright.cli._tree_file import TreeFile

    append = TreeFile._append

    def fail_late(file: TreeFile, whole_lines: bytes, n_trees: int) -> None:
        if n_trees and file.n_trees > 600:
            file._stream.write(whole_lines[: len(whole_lines) // 2])
            raise OSError(28, "No space left on device")
        append(file, whole_lines, n_trees)

    with monkeypatch.context() as patch:
        patch.setattr(TreeFile, "_append", fail_late)
        ended = run(*WINE, "--all", "t.jsonl")
    assert_refused(ended, 1, "Error: No space left on device")
    assert len(lines_of("t.jsonl")) > 100
    assert run(*WINE, "--all", "t.jsonl", "--resume").code == 0
    assert len(lines_of("t.jsonl")) == 1268
