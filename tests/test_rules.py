"""Rules of trees: they part all rows, say what the tree does, and print what reads back.

Inner names, as in unit tests: `trees.rules.conditions` marks the rows that meet a condition.
"""

from __future__ import annotations

import html
import re
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier

from exported import KINDS, TWO_CLASSES, dataset_of, hard_rows, small_table
from treewright import GreedyTreeClassifier, ParameterError, RobustLinearClassifier, Tree, datasets
from treewright.distinct import enumerate_distinct_trees
from treewright.trees.rules.conditions import Levels, all_hold

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")

SEEDS = st.integers(0, 2**32 - 1)


def from_scikit_learn(data: Any) -> Tree:
    X, y = load_iris(return_X_y=True)
    return Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))


def chain(data: Any) -> Tree:
    model = RobustLinearClassifier(missing="mean").fit(data)
    return model.to_tree(data)


def distinct(data: Any) -> Tree:
    *_, last = enumerate_distinct_trees(data, validation_set=0.3, random_state=0)
    return last.tree


ALL_KINDS = {**KINDS, "a chain of planes": chain, "distinct": distinct}


@cache
def grown(kind: str, table: int) -> tuple[Tree, pd.DataFrame]:
    """Return a tree of a kind, and the rows that it grew from."""
    frame, y = small_table(table)
    tree = ALL_KINDS[kind](dataset_of(frame, y))
    return tree, frame.iloc[:, : tree.n_features]


def holding(tree: Tree, frame: Any, rules: Any) -> Any:
    """Mark for every row and rule whether it holds."""
    columns = tree._encode(frame)
    return np.column_stack([all_hold(rule.conditions, columns, len(frame)) for rule in rules])


def rows_without_gaps(tree: Tree, frame: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Rows with known values, numbers right beside the cuts among them."""
    rows = hard_rows(tree, frame, seed, gaps=0.0)
    codes = tree._encode(rows)
    known = [~np.isnan(column) if column.dtype.kind == "f" else column >= 0 for column in codes]
    used = tree.used_features.tolist()
    return rows[np.all([known[i] for i in used], axis=0) if used else np.ones(len(rows), bool)]


@pytest.mark.parametrize("simplify", [True, False])
@pytest.mark.parametrize("kind", ALL_KINDS)
@settings(max_examples=4, deadline=None)
@given(table=st.integers(0, 1), seed=SEEDS)
def test_of_a_row_without_gaps_exactly_one_rule_holds(
    kind: str, simplify: bool, table: int, seed: int
) -> None:
    tree, frame = grown(kind, table)
    rules = tree.rules(simplify=simplify)
    rows = rows_without_gaps(tree, frame, seed % 997)
    held = holding(tree, rows, rules)
    assert (held.sum(axis=1) == 1).all()
    which = held.argmax(axis=1)
    assert [rules[i].node for i in which] == tree.apply(rows).tolist()
    assert [rules[i].label for i in which] == tree.predict(rows).tolist()


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_row_with_gaps_goes_where_a_rule_says_that_it_goes(kind: str) -> None:
    tree, frame = grown(kind, 0)
    rows, rules = hard_rows(tree, frame, 3), tree.rules()
    held = holding(tree, rows, rules)
    assert (held.sum(axis=1) <= 1).all()
    found = held.any(axis=1)
    wanted = [rules[i].node for i in held[found].argmax(axis=1)]
    assert tree.apply(rows)[found].tolist() == wanted


def test_trees_of_scikit_learn_have_rules_too() -> None:
    X, _ = load_iris(return_X_y=True)
    tree = from_scikit_learn(None)
    held = holding(tree, X, tree.rules())
    assert (held.sum(axis=1) == 1).all()


@pytest.mark.parametrize("kind", [*KINDS, *TWO_CLASSES])
def test_tests_that_stand_are_written_as_in_the_text_of_the_tree(kind: str) -> None:
    frame, y = small_table(2, n_classes=2 if kind in TWO_CLASSES else 3)
    tree = {**KINDS, **TWO_CLASSES}[kind](dataset_of(frame.drop(columns="flag"), y))
    text = tree.export_text()
    for rule in tree.rules(simplify=False):
        for condition in rule.conditions:
            if not isinstance(condition, Levels):
                assert rule.words.condition(condition).removesuffix(" or missing") in text


def test_conditions_on_a_feature_are_merged() -> None:
    X = np.arange(60.0)[:, None]
    tree = GreedyTreeClassifier().fit(X, (X[:, 0] // 10) % 2).tree_
    texts = [rule.text for rule in tree.rules()]
    assert sorted(texts)[:2] == ["x0 <= 9", "x0 > 49"]
    assert set(texts) >= {"x0 in (9, 19]", "x0 in (19, 29]"}


def test_truth_values_sets_and_missing_values_in_words() -> None:
    n = 80
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"smoker": rng.random(n) < 0.5, "colour": rng.choice(list("abcd"), n)})
    y = np.where(frame["smoker"], frame["colour"].isin(["a", "b"]), True)
    tree = GreedyTreeClassifier(nominal_splits="groups").fit(frame, y).tree_
    texts = {rule.text for rule in tree.rules()}
    assert "not smoker" in texts
    assert any(text.startswith("smoker and colour in {") for text in texts)
    frame.loc[frame.index[:20], "colour"] = None
    told = GreedyTreeClassifier(missing="value").fit(frame[["colour"]], frame["colour"].isna()).tree_.rules()
    assert "colour is missing" in {rule.text for rule in told}


def test_figures_of_training_rows_and_of_others() -> None:
    data = datasets.load("iris")
    tree = GreedyTreeClassifier(max_depth=2).fit(data).tree_
    own, same = tree.rules(), tree.rules(data)
    assert [vars(rule.figures) for rule in own] == [vars(rule.figures) for rule in same]
    first = own[0].figures
    assert (first.n, first.errors, first.coverage) == (54, 5, 0.36)
    assert first.share == pytest.approx(49 / 54)
    assert first.lift == pytest.approx(49 / 54 * 3)
    assert sum(rule.figures.coverage for rule in own) == pytest.approx(1)
    X = np.column_stack(data.columns())
    without = tree.rules(X[:10])
    assert [rule.figures.n for rule in without] == [10, 0, 0]
    assert without[0].figures.errors is None
    assert "errors" not in without.to_text()


def test_figures_go_by_weight_and_by_cost() -> None:
    X, y = np.array([[0.0], [0.0], [1.0], [1.0]]), np.array(["a", "b", "b", "b"])
    weights = [3.0, 1.0, 1.0, 1.0]
    costs = {("a", "b"): 5.0}
    model = GreedyTreeClassifier(cost_matrix=costs).fit(X, y, weights)
    for rules in (model.tree_.rules(), model.tree_.rules(X, y, weights)):
        first = rules[0].figures
        assert (first.n, first.errors, first.weight) == (2, 1, 4.0)
        assert first.coverage == pytest.approx(4 / 6)
        assert first.share == pytest.approx(3 / 4)
        assert first.cost == 1.0
        assert "cost" in rules.to_text()
    assert "cost" in model.tree_.rules()[0].to_dict()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("weighted", [False, True])
def test_rules_come_by_coverage_and_hold_all_weight(kind: str, weighted: bool) -> None:
    frame, y = small_table(11)
    weights = np.random.default_rng(1).integers(1, 4, len(y)) if weighted else None
    data = dataset_of(frame, y, sample_weight=weights)
    tree = KINDS[kind](data)
    rules = tree.rules()
    order = [(-rule.figures.weight, rule.node) for rule in rules]
    assert order == sorted(order)
    if "planes" not in kind:
        assert sum(rule.figures.weight for rule in rules) == pytest.approx(float(tree.weight[0]))


HOSTILE = [
    *("a|b", "a  b", "a b", "<script>x</script>", "*bold*", "_x_", "`code`", "[l](u)", "50%", "$x$", "~~"),
    *("a&b", "&amp;", "\\", "\\textbf{x}", "{}", "#1", "^2", "new\nline", "a\tb", "", " ", "or", "x and y"),
    *("a = b", "\u202eright", "x" * 2000, "null", "'", '"', "-- drop", "né", "!", "a\\|b"),
]


def of_hostile_names() -> Tree:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, len(HOSTILE), 600)
    frame = pd.DataFrame({"q": np.array(HOSTILE, dtype=object)[codes]})
    frame["p"] = rng.normal(size=600)
    return GreedyTreeClassifier(max_depth=1).fit(frame, np.array(HOSTILE, dtype=object)[codes]).tree_


def test_hostile_names_read_back_from_markdown() -> None:
    rules = of_hostile_names().rules()
    lines = rules.to_markdown().split("\n")[2 if rules.to_markdown().startswith("\n") else 0 :]
    read = [[of_markdown(cell) for cell in row_cells(line)] for line in lines if line.startswith("| ")][2:]
    assert [row[-1] for row in read] == [rule.text for rule in rules]
    assert [row[-2] for row in read] == [rules.words.class_text(rule.label) for rule in rules]
    assert len({row[-1] for row in read}) == len(rules)


def row_cells(line: str) -> list[str]:
    """Part a row where a bar is not escaped, as GitHub's tables are read."""
    cells, now, i = [], "", 0
    while i < len(line):
        if line[i] == "\\" and i + 1 < len(line):
            now, i = now + line[i : i + 2], i + 2
        elif line[i] == "|":
            cells, now, i = [*cells, now], "", i + 1
        else:
            now, i = now + line[i], i + 1
    return cells[1:]


def of_markdown(cell: str) -> str:
    """Read inline text in which nothing may have a meaning."""
    inner = cell[1:-1]
    plain = re.sub(r"\\[!-/:-@\[-`{-~]", "", inner)
    assert not re.search(r"[`*_\[\]|~$<>]|  ", plain), inner
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", inner)
    return html.unescape(text).replace("\xa0", " ")


LATEX = {
    **{rf"\{mark}": mark for mark in "&%$#_{} "},
    **{f"${mark}$": mark for mark in "<>|"},
    **{r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^"},
    **{r"$\pm$": "±", r"$\approx$": "≈"},
}


def test_hostile_names_read_back_from_latex() -> None:
    rules = of_hostile_names().rules()
    lines = rules.to_latex().split("\n")
    body = lines[lines.index(r"\midrule") + 1 : lines.index(r"\bottomrule")]
    marks = re.compile("|".join(map(re.escape, sorted(LATEX, key=len, reverse=True))))
    read = []
    for line in body:
        cells = re.split(r"(?<!\\) & ", line.removesuffix(r" \\"))
        assert not re.search(r"[\\%$#_{}~^&]", marks.sub("", cells[-1])), cells[-1]
        read.append([marks.sub(lambda found: LATEX[found[0]], cell) for cell in cells])
    assert [row[-1] for row in read] == [rule.text for rule in rules]
    assert [row[-2].rstrip() for row in read] == [
        rules.words.class_text(rule.label).strip() for rule in rules
    ]


def test_hostile_names_stay_on_a_line_of_text_and_whole_in_dicts() -> None:
    rules = of_hostile_names().rules()
    assert len(rules.to_text().partition("\n\n")[0].split("\n")) == len(rules) + 1
    values = [row["conditions"][0]["values"][0] for row in rules.to_dicts() if row["n"]]
    assert sorted(values) == sorted(HOSTILE)
    frame = rules.to_frame()
    assert frame["class"].tolist() == [rule.label for rule in rules]
    assert frame["rule"].tolist() == [rule.text for rule in rules]


def test_dates_are_told_as_dates(tmp_path: Any) -> None:
    days = pd.date_range("2021-01-01", periods=60, freq="D").astype(str)
    table = pd.DataFrame({"admitted": days, "class": np.where(np.arange(60) // 20 == 1, "in", "out")})
    table.to_csv(tmp_path / "t.csv", index=False)
    data = datasets.read(tmp_path / "t.csv", target="class", dates={"admitted": ["days"]})
    texts = {rule.text for rule in GreedyTreeClassifier().fit(data).tree_.rules()}
    assert texts == {
        "admitted up to 2021-01-20",
        "admitted after 2021-02-09",
        "admitted after 2021-01-20 and admitted up to 2021-02-09",
    }


def test_simplify_is_true_or_false() -> None:
    with pytest.raises(ParameterError, match="simplify"):
        GreedyTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_.rules(simplify="yes")


def test_a_deep_tree_has_its_rules_at_once() -> None:
    n = 3000
    X, y = np.arange(float(n))[:, None], np.arange(n) % 2
    tree = GreedyTreeClassifier().fit(X, y).tree_
    assert len(tree.rules()) == n
