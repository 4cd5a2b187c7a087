"""A column of weights: in files, in named sets, and on the command line."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from commands import WEATHER, Run, assert_refused
from treewright import DataError, GreedyTreeClassifier, Tree, datasets
from treewright.pruning import prune

WEIGHTS = [1, 0.5, 2, 0, 3, 1, 1, 1e-9, 4, 1, 1, 2.5, 1, 1]


@pytest.fixture
def weighted(run: Run) -> Run:
    first, *lines = WEATHER.splitlines()
    pairs = zip([first, *lines], ["n", *WEIGHTS], strict=True)
    Path("weighted.csv").write_text("".join(f"{line},{weight}\n" for line, weight in pairs), encoding="utf-8")
    return run


def test_a_column_of_a_file_is_the_weights(weighted: Run) -> None:
    read = datasets.read_csv("weighted.csv", target="play", weight="n")
    assert "n" not in read.feature_names
    assert read.sample_weight.tolist() == [weight for weight in WEIGHTS if weight]
    plain = datasets.read_csv("weather.csv", target="play")
    with pytest.warns(UserWarning, match="some samples weigh less"):
        model = GreedyTreeClassifier().fit(plain, sample_weight=WEIGHTS)
    ended = weighted("fit", "weighted.csv", "--target", "play", "--weight", "n", "--prune", "none", "--json")
    assert "Warning: 1 of 13 samples weigh less" in ended.err
    found = Tree.from_json(ended.out)
    assert found.class_weights.tolist() == model.tree_.class_weights.tolist()


def test_commands_that_learn_take_it(weighted: Run) -> None:
    data = ("weighted.csv", "--target", "play", "--weight", "n")
    for command in (["select"], ["enumerate"], ["fixed-depth", "--depth", "1"]):
        ended = weighted(*command, *data)
        assert ended.code == 0, ended.err
    shown = json.loads(weighted("select", *data, "--json").out)
    assert shown["data"][0]["n_samples"] == 13


def test_a_named_set_has_weights_in_a_column_too() -> None:
    iris = datasets.load("iris", weight="petal width (cm)")
    assert (iris.n_features, iris.sample_weight.min()) == (3, 0.1)


@pytest.mark.parametrize(
    ("column", "message"),
    [("windy", "'yes' is not a number"), ("m", "has no column 'm'"), ("temperature", "-1")],
)
def test_other_columns_are_refused(weighted: Run, column: str, message: str) -> None:
    text = Path("weather.csv").read_text(encoding="utf-8").replace("85,85", "-1,85")
    Path("weather.csv").write_text(text.replace(",no,", ",yes,"), encoding="utf-8")
    assert_refused(weighted("fit", "weather.csv", "--target", "play", "--weight", column), 1, message)
    with pytest.raises(DataError):
        datasets.read_csv("weather.csv", target="play", weight=column)


def test_commands_that_judge_take_it(weighted: Run) -> None:
    rows, weights = ("weighted.csv", "--target", "play"), ("--weight", "n")
    weighted("fit", "weather.csv", "--target", "play", "--max-depth", "1", "--out", "tree.json")
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    data = datasets.read_csv("weighted.csv", target="play", weight="n")
    wrong = tree.predict(data) != data.classes[data.target]
    told = weighted("predict", "tree.json", *rows, *weights)
    total = data.sample_weight.sum()
    assert (
        f"predictions of weight {data.sample_weight[wrong].sum():.10g} of {total:.10g} are wrong" in told.err
    )
    assert told.out == weighted("predict", "tree.json", *rows).out
    with pytest.warns(UserWarning, match="1 of 13 samples"):
        expected = prune(tree, "pessimistic", data)
    pruned = weighted("prune", "tree.json", *rows, *weights, "--rule", "pessimistic", "--json")
    found = Tree.from_json(pruned.out)
    assert found == expected
    assert found.class_weights.tolist() == expected.class_weights.tolist()
    assert found.class_counts.tolist() == expected.class_counts.tolist()
    assert_refused(weighted("predict", "tree.json", "weighted.csv", *weights), 2, "needs --target COL")
    assert_refused(weighted("prune", "tree.json", *weights), 2, "--weight says how to read DATA")


def test_leaves_show_rows_whatever_they_weigh(weighted: Run) -> None:
    asked = ("fit", "weather.csv", "--target", "play", "--max-depth", "1")
    plain, heavy = (weighted(*asked, *more).out for more in ([], ["--class-weight", "no=3"]))
    for out in (plain, heavy):
        assert "a leaf's (n/e): n rows, e of another class" in out
    counted = re.findall(r"\((\d+)(?:/(\d+))?\)", heavy.partition("\n\n")[2])
    assert sum(int(n) for n, _ in counted) == 14


@pytest.mark.parametrize(("weight", "what"), [("", "missing"), ("-1", "-1"), ("?", "missing")])
def test_a_weight_that_cannot_be_is_named_by_its_line(run: Run, weight: str, what: str) -> None:
    Path("bad.csv").write_text(f"a,n,y\n1,1,p\n2,{weight},q\n3,1,p\n", encoding="utf-8")
    ended = run("fit", "bad.csv", "--target", "y", "--weight", "n", "--missing-value", "?")
    assert_refused(ended, 1, f"bad.csv, line 3, column 'n' (2): the weight is {what}; give the row a weight")


def test_a_share_of_errors_is_one_of_weight(weighted: Run) -> None:
    heavy = "".join(f"{i % 3},{'yes' if i % 3 else 'no'},{2 if i % 2 else 6}\n" for i in range(40))
    Path("heavy.csv").write_text("size,play,n\n" + heavy + "0,yes,6\n" * 8, encoding="utf-8")
    ended = weighted("enumerate", "heavy.csv", "--target", "play", "--weight", "n", "--top", "1")
    errors, share = re.search(r"1\. (\d+) errors \(([\d.]+)%\)", ended.out).groups()
    data = datasets.read_csv("heavy.csv", target="play", weight="n")
    rows = json.loads(
        weighted("enumerate", "heavy.csv", "--target", "play", "--weight", "n", "--top", "1", "--json").out
    )
    total = data.sample_weight[rows["search"]["validation_rows"]].sum()
    assert float(share) == pytest.approx(100 * int(errors) / total, abs=0.05)
