"""The command line: what it prints, what it writes, how it ends.

Inner names, as in unit tests: `cli._running` and `cli._selection`: parts of the command line are
tested without a process.
"""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import numpy as np
import pandas as pd
import pytest

from commands import WEATHER, Run, assert_refused, without_origin
from growers import assert_settings, pruned_by_default
from treewright import BackwardEliminationSelector, GreedyTreeClassifier, Tree, datasets
from treewright.cli._running import ProgressLine
from treewright.cli._selection import n_trees_black_box
from treewright.pruning import ErrorBasedPruning
from treewright.results import Progress

PRUNED = GreedyTreeClassifier(pruning=ErrorBasedPruning(grafting=False))
SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))


# Select --------------------------------------------------------------------------------


def test_select_prints_what_the_selector_finds(run: Run) -> None:
    ended = run("select", "wine")
    selector = BackwardEliminationSelector(**pruned_by_default(random_state=0)).fit(datasets.load("wine"))
    assert (ended.code, ended.err) == (0, "")
    assert f"{selector.n_trees_built_} trees built" in ended.out
    assert selector.refit_tree_.export_text(max_depth=4, show_errors=True) in ended.out
    for name in selector.used_feature_names_out():
        assert name in ended.out
    before, after = selector.history_["errors"][[0, -1]]
    rows = {line.split()[0]: line.split() for line in ended.out.splitlines() if line.startswith("  ")}
    assert [rows["all"][-2], rows["selected"][-2]] == [str(before), str(after)]


def test_select_black_box_count_is_that_of_the_black_box(run: Run) -> None:
    asked = pruned_by_default(random_state=0, strategy="retrain")
    for name in ("wine", "tic-tac-toe", "monks-1"):
        retrained = BackwardEliminationSelector(**asked).fit(datasets.load(name))
        assert n_trees_black_box(retrained) == retrained.n_trees_built_
        assert f"a black-box search builds {retrained.n_trees_built_}." in run("select", name).out


def test_select_json_out_and_json_on_the_screen_agree(run: Run) -> None:
    printed = json.loads(run("select", "wine", "--json", "--out", "found.json").out)
    written = json.loads(Path("found.json").read_text(encoding="utf-8"))
    for facts in (printed, written):
        facts["search"].pop("seconds")
        for step in facts["search"]["history"]:
            step.pop("seconds")
    assert printed == written
    jsonschema.validate(printed["tree"], SCHEMA)
    assert printed["search"]["n_errors_after"] == printed["search"]["history"][-1]["errors"]


@pytest.mark.parametrize(
    ("options", "parameters"),
    [
        (["--seed", "3", "--validation-set", "0.5"], {"random_state": 3, "validation_set": 0.5}),
        (["--criterion", "gini", "--min-samples-split", "8"], {"criterion": "gini", "min_samples_split": 8}),
        (["--min-samples-branch", "3", "--min-gain", "0.01"], {"min_samples_branch": 3, "min_gain": 0.01}),
        (["--mdl-correction"], {"mdl_correction": True}),
        (["--max-depth", "2", "--missing", "value"], {"max_depth": 2, "missing": "value"}),
        (["--strategy", "retrain", "--n-jobs", "2"], {"strategy": "retrain", "n_jobs": 2}),
    ],
)
def test_select_passes_its_options_on(run: Run, options: list[str], parameters: dict[str, object]) -> None:
    facts = json.loads(run("select", "wine", "--json", *options).out)
    assert_settings(facts["settings"], parameters)
    selector = BackwardEliminationSelector(**pruned_by_default(**{"random_state": 0} | parameters)).fit(
        datasets.load("wine")
    )
    assert without_origin(json.dumps(facts["refit_tree"])) == without_origin(selector.refit_tree_.to_json())


def test_select_a_file(run: Run) -> None:
    ended = run("select", "weather.csv", "--target", "play", "--drop", "windy")
    assert ended.code == 0
    assert "weather.csv: 14 rows, 3 features (2 numeric, 1 nominal)\nclasses: no 5, yes 9\n" in ended.out


def test_select_says_when_nothing_is_dropped_and_when_nothing_is_tested(run: Run) -> None:
    assert "No feature was dropped" in run("select", "iris", "--prune", "none").out
    assert "tests no feature: it is a single leaf" in run("select", "iris", "--max-depth", "0").out


def test_select_shortens_a_long_list_of_drops(run: Run) -> None:
    table = datasets.make_random_table(1500, n_numeric=0, n_nominal=40, n_levels=4, noise=0.4, random_state=1)
    columns = ["".join("abcd"[code] for code in table.core.column(i)) for i in range(40)]
    with Path("noise.csv").open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*table.feature_names, "class"])
        writer.writerows(zip(*columns, table.target, strict=True))
    command = ("select", "noise.csv", "--target", "class", "--prune", "none")
    facts = json.loads(run(*command, "--json").out)
    n_drops = len(facts["search"]["history"]) - 1
    assert n_drops > 12, "the test needs a table that loses many features"
    assert f"…  {n_drops - 11} more" in run(*command).out


def test_time_limit_is_told(run: Run) -> None:
    ended = run("select", "digits", "--strategy", "retrain", "--time-limit", "0.2")
    assert ended.code == 0
    assert "The time limit was reached; the best found so far is kept." in ended.out
    assert "black-box" not in ended.out


def test_progress_only_when_wanted(run: Run) -> None:
    assert run("select", "digits").err == ""
    assert "trees built" in run("select", "digits", "--strategy", "retrain", "--progress").err


def test_progress_rewrites_one_line_of_a_terminal_and_wipes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = io.StringIO()
    monkeypatch.setattr(screen, "isatty", lambda: True)
    monkeypatch.setattr(sys, "stderr", screen)
    with ProgressLine(wanted=False) as line:
        answers = [line(Progress(done, None, 5.0, done / 4)) for done in range(5)]
    assert not any(answers), "a callback that returns True would stop the search"
    shown = screen.getvalue().split("\r\x1b[K")
    assert shown == [
        "",
        *(f"{n} trees built, 5 validation errors at best, {n / 4:.1f} s" for n in (2, 3, 4)),
        "",
    ]


# Fit and predict -----------------------------------------------------------------------


def test_fit_prints_and_writes_the_tree(run: Run) -> None:
    ended = run("fit", "weather.csv", "--target", "play", "--out", "tree.json", "--show-depth", "9")
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    assert ended.code == 0
    assert tree.export_text(show_errors=True) in ended.out
    assert tree == PRUNED.fit(datasets.read_csv("weather.csv", target="play")).tree_
    assert Tree.from_json(run("fit", "weather.csv", "--target", "play", "--json").out) == tree


def test_fit_c45_has_its_own_defaults(run: Run) -> None:
    tree = Tree.from_json(run("fit", "monks-1", "--growth", "c45", "--min-samples-branch", "3", "--json").out)
    assert tree == GreedyTreeClassifier.c45(min_samples_branch=3).fit(datasets.load("monks-1")).tree_


def test_fit_id3_has_its_own_defaults(run: Run) -> None:
    tree = Tree.from_json(run("fit", "monks-1", "--growth", "id3", "--json").out)
    assert tree == GreedyTreeClassifier.id3().fit(datasets.load("monks-1")).tree_


def test_bounded_tree_says_what_is_hidden(run: Run) -> None:
    assert "deeper levels are not shown; --show-depth" in run("fit", "digits", "--show-depth", "1").out
    hidden_all = run("fit", "digits", "--show-depth", "0").out
    assert "pixel" not in hidden_all


@pytest.mark.parametrize("command", ["fit", "select"])
def test_predict_equals_the_tree_of_fit_and_the_refitted_one_of_select(run: Run, command: str) -> None:
    wine = datasets.load("wine")
    run(command, "wine", "--out", "model.json")
    model = PRUNED if command == "fit" else BackwardEliminationSelector(random_state=0, estimator=PRUNED)
    ended = run("predict", "model.json", "wine")
    predicted = model.fit(wine).predict(wine)
    assert ended.out.splitlines() == ["prediction", *predicted]
    n_wrong = int((predicted != wine.classes[wine.target]).sum())
    assert f"{n_wrong} of 178 predictions are wrong ({n_wrong / 178:.2%})" in ended.err


def test_predict_shares_to_a_file(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json", "--max-depth", "1", "--prune", "none")
    ended = run("predict", "tree.json", "weather.csv", "--proba", "--out", "p.csv")
    head, *rows = csv.reader(io.StringIO(Path("p.csv").read_text(encoding="utf-8")))
    weather = datasets.read_csv("weather.csv", target="play")
    shares = GreedyTreeClassifier(max_depth=1).fit(weather).predict_proba(weather)
    assert (ended.code, ended.out) == (0, "")
    assert head == ["prediction", "probability of no", "probability of yes"]
    np.testing.assert_array_equal(np.array([row[1:] for row in rows], dtype=float), shares)


def test_predict_matches_columns_by_name_and_counts_errors(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    rows = [dict(row, extra="?") for row in csv.DictReader(io.StringIO(WEATHER))]
    rows[0]["play"] = "yes"
    with Path("new.csv").open("w", newline="") as stream:
        writer = csv.DictWriter(stream, sorted(rows[0], reverse=True))
        writer.writeheader()
        writer.writerows(rows)
    ended = run("predict", "tree.json", "new.csv", "--target", "play")
    assert ended.out.splitlines()[1:] == [row["play"] for row in csv.DictReader(io.StringIO(WEATHER))]
    assert ended.err == "1 of 14 predictions are wrong (7.14%)\n"


def test_predict_tells_of_unseen_levels_and_takes_them_as_missing(run: Run) -> None:
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    Path("a.csv").write_text(WEATHER.replace("overcast", "foggy"), encoding="utf-8")
    Path("b.csv").write_text(WEATHER.replace("overcast", ""), encoding="utf-8")
    unseen, missing = run("predict", "tree.json", "a.csv"), run("predict", "tree.json", "b.csv")
    assert unseen.out == missing.out
    assert "a.csv, column 'outlook' (1): 4 values unknown to the tree and taken as missing" in unseen.err
    assert "first 'foggy' on line 4" in unseen.err
    assert missing.err == ""
    marked = run("predict", "tree.json", "a.csv", "--missing-value", "foggy")
    assert (marked.out, marked.err) == (missing.out, "")


def test_whole_number_classes_come_back_as_they_were(run: Run) -> None:
    Path("n.csv").write_text("x,class\n1,10\n2,9\n3,9\n", encoding="utf-8")
    run("fit", "n.csv", "--target", "class", "--out", "tree.json")
    ended = run("predict", "tree.json", "n.csv", "--target", "class")
    assert (ended.out, ended.err) == ("prediction\n10\n9\n9\n", "0 of 3 predictions are wrong (0.00%)\n")


@pytest.mark.parametrize("policy", ["distribution", "most_frequent", "value"])
def test_written_trees_keep_to_the_schema(run: Run, policy: str) -> None:
    Path("gaps.csv").write_text("c,x,class\na,1,yes\n,2,no\nb,,no\na,4,yes\nb,1,no\n", encoding="utf-8")
    run("fit", "gaps.csv", "--target", "class", "--missing", policy, "--out", "tree.json")
    jsonschema.validate(json.loads(Path("tree.json").read_text(encoding="utf-8")), SCHEMA)


# Data sets -----------------------------------------------------------------------------


def test_datasets_lists_names_and_sizes(run: Run) -> None:
    lines = run("datasets").out.splitlines()
    assert lines[0].split() == ["name", "rows", "numeric", "nominal", "classes", "missing", "source"]
    assert [line.split()[0] for line in lines[1:10]] == datasets.names()
    assert max(map(len, lines)) <= 80
    assert json.loads(run("datasets", "--json").out)["data_sets"][0]["name"] == "breast-cancer"


def test_sets_of_a_folder(run: Run, tmp_path: Path) -> None:
    columns = [{"name": name, "kind": "nominal"} for name in WEATHER.partition("\n")[0].split(",")]
    entry = {"name": "weather", "file": "weather.csv", "columns": columns}
    Path("index.json").write_text(json.dumps({"datasets": [entry]}), encoding="utf-8")
    assert "weather" in run("datasets", "--folder", tmp_path).out
    assert "4 features (4 nominal)" in run("fit", "weather", "--folder", tmp_path).out
    assert "3 numeric" not in run("fit", "folder:weather", "--folder", tmp_path, "--target", "windy").out
    assert run("predict", "tree.json", "weather", "--folder", tmp_path).code == 1


# Ends ----------------------------------------------------------------------------------

ENDS = {
    "unknown set": (["select", "wines"], 1, "no bundled data set 'wines'.*did you mean 'wine'"),
    "no such file": (["select", "x.csv", "--target", "y"], 1, "Error: x.csv: No such file"),
    "no such file, mistyped": (["select", "weather.cvs"], 1, "Error: weather.cvs: No such file"),
    "no such column": (["fit", "weather.csv", "--target", "plays"], 1, "did you mean 'play'"),
    "bad line": (["fit", "bad.csv", "--target", "y"], 1, r"bad\.csv, line 3: 1 field where"),
    "not a model": (["predict", "weather.csv", "iris"], 1, "weather.csv holds no tree"),
    "no such model": (["predict", "none.json", "iris"], 1, "Error: none.json: No such file"),
    "not id3's data": (["fit", "iris", "--growth", "id3"], 1, "nominal features only"),
    "no target": (["fit", "weather.csv"], 2, "A file needs --target COL, one of its columns: 'outlook'"),
    "target of a bundled set": (
        ["fit", "iris", "--target", "y"],
        2,
        "Invalid value for '--target': 'y' does not go with the set 'iris'",
    ),
    "both kinds": (
        ["fit", "weather.csv", "--target", "play", "--nominal", "windy", "--numeric", "windy"],
        2,
        "windy",
    ),
    "unknown option": (["select", "iris", "--seeds", "1"], 2, "No such option"),
    "unknown command": (["grow"], 2, "No such command 'grow'"),
    "share too large": (["select", "iris", "--validation-set", "1"], 2, "not in the range"),
    "negative weight": (
        ["fit", "iris", "--min-samples-split", "-1"],
        2,
        "'--min-samples-split': -1.0 must be",
    ),
    "bad delimiter": (["fit", "weather.csv", "--target", "play", "--delimiter", "ab"], 2, "one character"),
    "two rules at odds": (
        ["select", "iris", "--tolerance", "1", "--floating"],
        2,
        "'--tolerance': 1 does not go with --floating: .* choose --tolerance 0 or no --floating",
    ),
    "no such feature": (
        ["select", "iris", "--required-features", "petal width"],
        2,
        r"'--required-features': 'petal width' is no feature of DATA; did you mean 'petal width \(cm\)'",
    ),
    "groups that overlap": (
        ["select", "weather.csv", "--target", "play", "--group", "windy", "--group", "windy,outlook"],
        2,
        "--group no. 1 and --group no. 2 both have feature 'windy'",
    ),
    "tolerance in words": (["select", "iris", "--tolerance", "few"], 2, "'few' is no number"),
    "tolerance forward": (["select", "iris", "--forward", "--tolerance", "1"], 2, "not go with --forward"),
    "most backward": (["select", "iris", "--max-features", "1"], 2, "--max-features goes with --forward"),
    "no file": (["fit", "iris", "--out", "-"], 2, "'-' is no file; leave it out"),
    "no folder to write to": (["fit", "iris", "--out", "nowhere/tree.json"], 2, "'nowhere' is no folder"),
}


@pytest.mark.parametrize(("arguments", "code", "message"), ENDS.values(), ids=ENDS)
def test_errors_have_an_exit_code_and_a_sentence(
    run: Run, arguments: list[str], code: int, message: str
) -> None:
    Path("bad.csv").write_text("x,y\n1,a\n2\n", encoding="utf-8")
    ended = run(*arguments)
    assert (ended.code, ended.out) == (code, "")
    assert "Traceback" not in ended.err
    with pytest.raises(AssertionError, match=f"(?s){message}"):
        raise AssertionError(ended.err)


def test_warnings_are_one_line(run: Run) -> None:
    rows = "".join(f"{i},a\n{i},b\n" for i in range(20))
    Path("w.csv").write_text(f"x,y\n?,a\n{rows}", encoding="utf-8")
    ended = run("fit", "w.csv", "--target", "y")
    assert ended.code == 0
    assert ended.err.startswith("Warning: w.csv, line 2, column 'x' (1): ")
    assert ended.err.count("\n") == 1


def test_out_replaces_a_file_whole_or_not_at_all(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("tree.json").write_text("old", encoding="utf-8")

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fail)
        ended = run("fit", "iris", "--out", "tree.json")
    assert (ended.code, ended.err) == (1, "Error: No space left on device\n")
    assert Path("tree.json").read_text(encoding="utf-8") == "old"
    assert {path.name for path in Path().iterdir()} == {"tree.json", "weather.csv"}
    assert run("fit", "iris", "--out", "tree.json").code == 0
    assert Tree.from_json(Path("tree.json").read_text(encoding="utf-8")).n_features == 4


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT to one process")
def test_ctrl_c_ends_with_130(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    path = tmp_path / "wide.csv"
    columns = [f"f{i}" for i in range(60)]
    noise = rng.random((4000, 60)).round(4)
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*columns, "class"])
        writer.writerows([*row, i % 2] for i, row in enumerate(noise.tolist()))
    command = [
        sys.executable,
        "-m",
        "treewright",
        "select",
        str(path),
        "--target",
        "class",
        "--strategy",
        "retrain",
    ]
    with subprocess.Popen([*command, "--progress"], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "trees built" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        start = time.monotonic()
        assert process.wait(timeout=30) == 130
        assert time.monotonic() - start < 5
        assert process.stderr.read().endswith("Stopped.\n")


# Help ----------------------------------------------------------------------------------


def test_module_and_version() -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "treewright", "--version"], capture_output=True, text=True, check=True
    )
    assert ended.stdout.startswith("treewright, version ")


def test_fit_says_that_all_leaves_answer_alike(run: Run) -> None:
    Path("rare.csv").write_text("a,y\n" + "1,no\n1,no\n1,yes\n2,no\n2,no\n2,no\n" * 3, encoding="utf-8")
    command = ("fit", "rare.csv", "--target", "y")
    plain = run(*command, "--prune", "none")
    assert "Every leaf answers no; --class-weight balanced or --cost-matrix lets other" in plain.out
    assert "Every leaf" not in run(*command, "--cost-matrix", "yes:no=9").out
    pruned = " ".join(run(*command).out.split())
    assert "Pruning leaves one leaf, which answers no; --class-weight balanced or" in pruned
    assert "more, and --prune none shows the whole tree." in pruned
    for options in (("--max-depth", 0), ("--cost-matrix", "yes:no=9")):
        printed = run(*command, "--prune", "none", *options).out
        assert not any(f"answers {label}" in printed for label in ("no", "yes"))


def test_kept_columns_are_as_they_are_written(run: Run) -> None:
    """Whatever the format, and where the tree was made of a file of another one."""
    run("fit", "weather.csv", "--target", "play", "--out", "tree.json")
    frame = pd.read_csv("weather.csv").assign(id=range(14), when=pd.date_range("2020-01-01", periods=14))
    frame.to_parquet("w.parquet")
    ended = run("predict", "tree.json", "w.parquet", "--keep", "id", "--keep", "when")
    assert ended.out.splitlines()[:2] == ["id,when,prediction", "0,2020-01-01,no"]
    assert_refused(run("predict", "tree.json", "weather.csv", "--keep", "ids"), 2, "has no column 'ids'")
    assert_refused(
        run("predict", "tree.json", "weather.csv", *["--keep", "play"] * 2), 2, "names 'play' more than once"
    )
