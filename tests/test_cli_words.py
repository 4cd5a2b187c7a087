"""`treewright explain`, `treewright rules` and `treewright predict --path`."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from commands import Run, assert_refused
from treewright import Tree, datasets
from treewright.explain import explain
from treewright.rules import RuleList

DATA = ("weather.csv", "--target", "play")
ROW = "outlook=sunny,humidity=80,windy=no"


@pytest.fixture
def fitted(run: Run) -> Run:
    run("fit", *DATA, "--prune", "none", "--out", "tree.json", "--quiet")
    return run


def test_explain_says_what_the_library_says(fitted: Run) -> None:
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    levels = tree.levels[tree.feature_names.index("windy")]
    assert levels is not None
    windy = next(level for level in levels if str(level) == "no")
    wanted = explain(tree, {"outlook": "sunny", "humidity": 80.0, "windy": windy})
    ended = fitted("explain", "tree.json", "--row", ROW)
    assert ended.out == str(wanted)
    facts = json.loads(fitted("explain", "tree.json", "--row", ROW, "--json").out)
    assert facts.items() >= json.loads(json.dumps(wanted.to_dict())).items()


def test_explain_takes_a_file_and_writes_pictures(fitted: Run) -> None:
    Path("row.csv").write_text("outlook,humidity,windy\nsunny,80,no\n", encoding="utf-8")
    plain = fitted("explain", "tree.json", "--row", ROW).out
    assert fitted("explain", "tree.json", "--row", "row.csv").out == plain
    for name in ("path.svg", "path.txt", "path.json"):
        assert fitted("explain", "tree.json", "--row", ROW, "--out", name).code == 0
    assert ElementTree.fromstring(Path("path.svg").read_text(encoding="utf-8")).tag.endswith("svg")
    assert Path("path.txt").read_text(encoding="utf-8") == plain
    assert json.loads(Path("path.json").read_text(encoding="utf-8"))["status"] == "optimal"


def test_explain_holds_features_and_aims_at_a_class(fitted: Run) -> None:
    facts = json.loads(fitted("explain", "tree.json", "--row", ROW, "--fixed", "humidity", "--json").out)
    assert "humidity" not in [one["feature"] for one in facts["change"]["features"]]
    other = facts["change"]["class"]
    assert f"least change to {other}" in fitted("explain", "tree.json", "--row", ROW, "--to", other).out
    for words in (
        ("--to", "maybe"),
        ("--fixed", "age"),
        ("--fixed", "windy", "--fixed", "windy"),
        ("--node-limit", 0),
    ):
        assert fitted("explain", "tree.json", "--row", ROW, *words).code in (1, 2)


def test_rules_of_the_tree_and_of_rows(fitted: Run) -> None:
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    assert fitted("rules", "tree.json").out == tree.rules().to_text() + "\n"
    plain = fitted("rules", "tree.json", "--no-simplify").out
    assert plain == tree.rules(simplify=False).to_text() + "\n"
    assert "errors" not in fitted("rules", "tree.json", "weather.csv").out
    assert "errors" in fitted("rules", "tree.json", *DATA).out
    assert "otherwise" in fitted("rules", "tree.json", *DATA, "--list").out


def test_a_list_of_rules_predicts_and_explains_as_the_library_does(fitted: Run) -> None:
    assert fitted("rules", "tree.json", *DATA, "--list", "--out", "rules.json").code == 0
    document = json.loads(Path("rules.json").read_text(encoding="utf-8"))
    rules = RuleList.from_json(json.dumps(document["rule_list"]))
    Path("alone.json").write_text(rules.to_json(), encoding="utf-8")
    rows = datasets.read_rows(rules, "weather.csv").features
    told = fitted("predict", "rules.json", *DATA, "--path", "--proba")
    lines = list(csv.DictReader(told.out.splitlines()))
    places = rules.apply(rows).tolist()
    assert "predictions are wrong" in told.err
    assert [line["prediction"] for line in lines] == rules.predict(rows).tolist()
    assert [int(line["rule"]) for line in lines] == [place + 1 for place in places]
    assert [line["path"] for line in lines] == rules.path_texts(places)
    assert [float(line["probability of no"]) for line in lines] == rules.predict_proba(rows)[:, 0].tolist()
    same = fitted("predict", "alone.json", *DATA, "--path", "--json")
    assert [one["leaf"] for one in json.loads(same.out)["rows"]] == places
    Path("row.csv").write_text("outlook,humidity,windy\nrainy,80,no\n", encoding="utf-8")
    wanted = str(explain(rules, datasets.read_rows(rules, "row.csv").features))
    assert "does not hold" in wanted
    assert fitted("explain", "rules.json", "--row", ROW.replace("sunny", "rainy")).out == wanted
    assert fitted("explain", "alone.json", "--row", "row.csv").out == wanted


@pytest.mark.parametrize("command", ["draw", "export", "prune", "rules", "evaluate", "predict", "explain"])
def test_a_file_that_holds_no_such_model_is_called_what_it_is(fitted: Run, command: str) -> None:
    fitted("rules", "tree.json", *DATA, "--list", "--out", "rules.json")
    fitted("rules", "tree.json", "--out", "words.json")
    more = {
        "draw": ("--out", "a.svg"),
        "export": ("--to", "python"),
        "explain": ("--row", ROW),
        "predict": DATA,
        "evaluate": DATA,
    }.get(command, ())
    assert_refused(fitted(command, "weather.csv", *more), 1, "treewright fit weather.csv --target COL")
    assert_refused(fitted(command, "words.json", *more), 1, "rules --list --json")
    if command not in ("predict", "explain"):
        assert_refused(fitted(command, "rules.json", *more), 1, "it is a list of rules; `treewright predict`")


def test_rules_in_other_formats(fitted: Run) -> None:
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    wanted = {
        "a.md": tree.rules().to_markdown(),
        "a.tex": tree.rules().to_latex(),
        "a.txt": tree.rules().to_text(),
    }
    for name, text in wanted.items():
        assert fitted("rules", "tree.json", "--out", name).code == 0
        assert Path(name).read_text(encoding="utf-8") == text.rstrip("\n") + "\n"
    lines = list(csv.DictReader(fitted("rules", "tree.json", "--to", "csv").out.splitlines()))
    assert [line["rule"] for line in lines] == [rule.text for rule in tree.rules()]


def test_rules_that_cannot_be_made_are_refused(fitted: Run) -> None:
    for words in (("--list",), ("weather.csv", "--list"), ("--target", "play")):
        assert fitted("rules", "tree.json", *words).code == 2


def test_predict_tells_the_path(fitted: Run) -> None:
    tree = Tree.from_json(Path("tree.json").read_text(encoding="utf-8"))
    lines = list(csv.DictReader(fitted("predict", "tree.json", "weather.csv", "--path").out.splitlines()))
    rules = {rule.node: rule.text for rule in tree.rules()}
    assert lines
    assert all(rules[int(line["leaf"])] == line["path"] for line in lines)
