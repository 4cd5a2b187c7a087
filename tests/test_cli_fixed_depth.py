"""`treewright fixed-depth` and `treewright study fixed-depth`."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from commands import Run, assert_refused, tree_in
from treewright import FixedDepthTreeClassifier, Tree, datasets

WEATHER = ("fixed-depth", "weather.csv", "--target", "play")
STUDY = ("study", "fixed-depth", "monks-1", "--depth", 1, "--depth", 2, "--folds", 3, "--repeats", 1)


def test_questions_are_those_of_the_tree(run: Run) -> None:
    ended = run("fixed-depth", "monks-3", "--depth", 2)
    model = FixedDepthTreeClassifier(max_depth=2).fit(datasets.load("monks-3"))
    assert (ended.code, ended.err) == (0, "")
    names = model.tree_.feature_names
    lines = ended.out.splitlines()
    assert f"{names[model.tree_.feature[0]]}?" in lines
    assert sum(line.endswith("?") for line in lines) == 2  # the same after the first two answers to a2
    assert "   1, 2: a5?" in lines
    assert f"Training accuracy {100 * model.training_accuracy_:.1f}%" in ended.out
    assert "proven to be the largest" in ended.out
    assert max(map(len, lines)) <= 80


def test_a_number_in_two_bins_is_a_question_of_yes_and_no(run: Run) -> None:
    out = run(*WEATHER, "--depth", 1, "--drop", "outlook", "--drop", "windy").out
    assert "humidity above 82.5?\n   no: yes" in out
    assert "\n   yes: no (" in out


def test_more_bins_are_told_by_their_ends(run: Run) -> None:
    out = run(*WEATHER, "--depth", 2, "--bins", 3, "--drop", "outlook").out
    assert "up to" in out
    assert "above" in out


def test_no_question_is_said_so(run: Run) -> None:
    assert "Ask nothing; the answer is yes (62 %)." in run(*WEATHER, "--depth", 0).out


def test_what_follows_from_no_answer_is_told_if_wanted(run: Run) -> None:
    assert "not known" not in run(*WEATHER).out
    assert "(not known: yes (62 %))" in run(*WEATHER, "--unknown").out


def test_depth_is_chosen(run: Run) -> None:
    assert "chosen by cross-validation" in run("fixed-depth", "monks-1", "--depth", "cv").out


def test_costs_and_budget_limit_the_questions(run: Run) -> None:
    out = run(*WEATHER, "--cost", "outlook=0.1", "--cost", "humidity=0.2", "--budget", "0.2").out
    assert "within a budget of 0.2" in out
    path = [line for line in out.splitlines() if "?" in line]
    assert not any("outlook" in line for line in path) or not any("humidity" in line for line in path)


@pytest.mark.parametrize("bins", [2, 4])
def test_written_tree_predicts_as_the_policy_does(run: Run, bins: int) -> None:
    run(*WEATHER, "--bins", bins, "--out", "tree.json")
    predicted = run("predict", "tree.json", "weather.csv").out.split()[1:]
    data = datasets.read_csv("weather.csv", target="play")
    model = FixedDepthTreeClassifier(n_bins=bins).fit(data)
    assert predicted == model.predict(data).tolist()
    assert tree_in("tree.json") == model.threshold_tree()


def test_json_has_everything(run: Run) -> None:
    facts = json.loads(run(*WEATHER, "--json").out)
    assert facts["format"] == "treewright-fixed-depth"
    assert facts["depth"] == 3
    assert facts["search"]["status"] == "optimal"
    assert facts["search"]["cost"] == pytest.approx(1 - facts["expected_accuracy"])
    assert Tree.from_json(json.dumps(facts["tree"])).n_features == 4


@pytest.mark.parametrize("data", [WEATHER, ("fixed-depth", "iris")])
def test_the_tree_is_drawn(run: Run, data: tuple[str, ...]) -> None:
    assert run(*data, "--plot", "tree.svg").code == 0
    assert Path("tree.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_the_class_that_is_shown_can_be_chosen(run: Run) -> None:
    pictures = []
    for label in ("setosa", "virginica"):
        assert run("fixed-depth", "iris", "--plot", "tree.svg", "--plot-class", label).code == 0
        pictures.append(Path("tree.svg").read_text(encoding="utf-8"))
    assert pictures[0] != pictures[1]
    refused = run("fixed-depth", "iris", "--plot", "tree.svg", "--plot-class", "rose")
    assert_refused(refused, 2, "--plot-class: 'rose' is no class; there are 'setosa', 'versicolor'")
    assert_refused(run("fixed-depth", "iris", "--plot-class", "setosa"), 2, "so it needs --plot")


def test_a_choice_of_the_depth_that_is_cut_short_is_told(run: Run) -> None:
    rows = [",".join(str((i * (j + 3) + i // (j + 1)) % 4) for j in range(40)) for i in range(300)]
    lines = [",".join([*(f"f{j}" for j in range(40)), "c"])]
    lines += [f"{row},{'abcdef'[i * i % 6]}" for i, row in enumerate(rows)]
    Path("long.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    nominal = [option for j in range(40) for option in ("--nominal", f"f{j}")]
    asked = ("fixed-depth", "long.csv", "--target", "c", *nominal, "--depth", "cv", "--time-limit", 0.2)
    started = time.monotonic()
    ended = run(*asked, "--progress")
    assert time.monotonic() - started < 6
    assert "chosen by cross-validation that the time limit cut short" in " ".join(ended.out.split())
    assert "of 26: fold" in ended.err
    assert json.loads(run(*asked, "--json").out)["depth_status"] == "time_limit"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--depth", "-1"), "Invalid value for '--depth': -1 must be"),
        (("--depth", "deep"), "'deep' must be a whole number of at least 0, or 'cv'"),
        (("--cost", "outlook"), "'outlook' must be a column and what it costs"),
        (("--cost", "outlook=much"), "'outlook=much' must be a column"),
        (("--cost", "look=1", "--budget", "1"), "--cost names 'look', which is no column to ask for"),
        (("--cost", "outlook=1"), "--cost came without --budget"),
        (("--budget", "1"), "--budget came without --cost"),
        (("--cost", "outlook=-1", "--budget", "1"), "Invalid value for '--cost'"),
        (("--value-prior", "-1"), "Invalid value for '--value-prior': -1.0 must be"),
        (("--binning", "supervised", "--bins", "3"), "Invalid value for '--bins'"),
        (("--plot", "list.txt"), "must end in .png, .pdf or .svg"),
    ],
    ids=lambda part: " ".join(part) if isinstance(part, tuple) else "",
)
def test_what_cannot_be_is_told_by_its_option(run: Run, options: tuple[str, ...], message: str) -> None:
    assert_refused(run(*WEATHER, *options), 2, message)


# study fixed-depth -------------------------------------------------------------------


def test_study_prints_its_table(run: Run) -> None:
    ended = run(*STUDY)
    assert ended.code == 0
    assert "monks-1" in ended.out
    assert "average" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80


def test_study_writes_files_and_json(run: Run) -> None:
    ended = run(*STUDY, "--times", "--plot", "page.png", "--csv", "folds.csv", "--json")
    facts = json.loads(ended.out)
    assert set(facts["averages"]) == {"depth 1", "depth 2", "id3", "naive_bayes"}
    assert facts["settings"]["cv"] == 3
    assert [row["solver"] for row in facts["times"]].count("bounded") == 2
    assert Path("page.png").read_bytes().startswith(b"\x89PNG")
    assert len(Path("folds.csv").read_text().splitlines()) == 1 + 3 * 4


def test_study_prints_latex(run: Run) -> None:
    assert r"\begin{tabular}" in run(*STUDY, "--latex").out


def test_published_sets_need_a_folder(run: Run) -> None:
    ended = run("study", "fixed-depth", "--paper", "--repeats", 1)
    assert ended.code == 1
    assert "no folder is named" in ended.err


def test_costs_and_what_is_not_known_are_taken_at_their_word(run: Run) -> None:
    assert_refused(run(*WEATHER, "--budget", 0), 2, "--cost")
    assert_refused(run(*WEATHER, "--cost", "windy=1", "--cost", "windy=2", "--budget", 1), 2, "has two costs")
    assert_refused(run(*WEATHER, "--unseen", "skip", "--unknown"), 2, "--unknown goes with --unseen stop")


def test_long_lists_of_answers_are_counted(run: Run, tmp_path: Path) -> None:
    rows = [f"v{i},{'a' if i < 35 else 'b'}" for i in range(40)]
    (tmp_path / "many.csv").write_text("\n".join(["value,y", *rows, *rows]))
    ended = run("fixed-depth", tmp_path / "many.csv", "--target", "y", "--depth", 1)
    assert "v35, v36, v37, v38, v39: b" in ended.out
    assert ", ... 5 more: a" in ended.out
