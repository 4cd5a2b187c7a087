"""What is printed is what is decided: the text of a tree, parsed back, decides every training row alike.

`_base.shown` has what the texts of Python and of the engine have in common, `reporting.matplotlib_glue` the
words of pictures.
"""

from __future__ import annotations

import ast
import json
import re

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

from treewright import (
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    Tree,
    export_text,
)
from treewright._base.shown import numbers_between, on_one_line, shown_number, shown_text, shown_values
from treewright.pruning import ErrorBasedPruning, explain_pruning
from treewright.reporting import Column, Table
from treewright.reporting.matplotlib_glue import in_picture
from treewright.tables import DecisionTable

# A parser of the text ----------------------------------------------------------------------

QUOTED = re.compile(r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"")
INDENT = re.compile(r"(?:\|   )*(?:\((\d+)\) )?")
NUMBER = re.compile(r"-?[0-9.]+(?:e-?[0-9]+)?")


class Quoted(str):
    """A text that stood in quotes."""


def token(text, ends):
    """Take a name or a value from the start of a text; return it and what follows."""
    if found := QUOTED.match(text):
        return Quoted(ast.literal_eval(found[0])), text[found.end() :]
    places = [place for end in ends if (place := text.find(end)) >= 0]
    place = min(places, default=len(text))
    return text[:place], text[place:]


def sides(text):
    """Parse a condition; return what it asks of a row, and what follows the condition."""
    if re.match(r"-?[0-9.e-]+\*", text):
        return plane(text)
    name, rest = token(text, (" <= ", " > ", " = ", " is ", " in {", " not in {"))
    if found := re.match(r" (<=|>) ", rest):
        number = NUMBER.match(rest[found.end() :])
        cut, is_above = float(number[0]), found[1] == ">"
        return lambda row: (row[name] > cut) == is_above, rest[found.end() + number.end() :]
    if rest.startswith(" = "):
        value, rest = token(rest[3:], (": ",))
        return lambda row: is_value(row[name], value), rest
    if found := re.match(r" (in|not in) \{", rest):
        values, rest = listed(rest[found.end() :])
        is_in = found[1] == "in"
        return lambda row: any(is_value(row[name], value) for value in values) == is_in, rest
    found = re.match(r" is (missing|known)", rest)
    return lambda row: (row[name] != row[name]) == (found[1] == "missing"), rest[found.end() :]


def listed(text):
    """Parse a set of values up to its closing brace."""
    values = []
    while True:
        value, text = token(text, (", ", "}"))
        values.append(value)
        if text.startswith("}"):
            return values, text[1:]
        text = text[2:]


def plane(text):
    """Parse a weighted sum and what it is compared with."""
    terms = []
    while True:
        number = NUMBER.match(text)
        sign, text = float(number[0]), text[number.end() + 1 :]
        is_level = text.startswith("[")
        name, text = token(text[is_level:], (" = ", " + ", " - ", " <= ", " > "))
        level = None
        if is_level:
            level, text = token(text[3:], ("]",))
            text = text[1:]
        terms.append((sign, name, level))
        if found := re.match(r" (<=|>) ", text):
            number = NUMBER.match(text[found.end() :])
            break
        text = ("-" if text.startswith(" - ") else "") + text[3:]
    offset, is_above = float(number[0]), found[1] == ">"

    def asks(row):
        total = 0.0
        for weight, name, level in terms:
            total += weight * (row[name] if level is None else float(is_value(row[name], level)))
        return (total > offset) == is_above

    return asks, text[found.end() + number.end() :]


def is_value(value, printed):
    """Whether a row's value is the one that is printed: a level, or a bin of numbers."""
    if isinstance(value, str):
        return value == printed
    if found := re.fullmatch(r"up to (.+)", printed):
        return value <= float(found[1])
    if found := re.fullmatch(r"above (.+)", printed):
        return value > float(found[1])
    if found := re.fullmatch(r"(.+) to (.+)", printed):
        return float(found[1]) < value <= float(found[2])
    return printed == "any number"


def label(text):
    """Return the class on a leaf's line."""
    value, _ = token(text, (" (no samples)",))
    return value


def parsed(text):
    """Parse a tree: a list of (condition, class or subtree)."""
    lines = [
        (found.end() // 4, line[found.end() :]) for line in text.splitlines() if (found := INDENT.match(line))
    ]
    return branches(lines) if " " in text.strip() else label(lines[0][1])


def branches(lines):
    if len(lines) == 1 and lines[0][0] == 0 and not re.search(r" (<=|>|=|is) ", lines[0][1]):
        return label(lines[0][1])
    depth, found = lines[0][0], []
    while lines and lines[0][0] == depth:
        asks, rest = sides(lines.pop(0)[1])
        found.append((asks, label(rest[2:]) if rest.startswith(": ") else branches(lines)))
    return found


def decided(tree, row):
    while isinstance(tree, list):
        (tree,) = [below for asks, below in tree if asks(row)]
    return tree


def questions(text):
    """Parse the questions of a fixed-depth tree, one answer a line; a tree as `parsed` gives it."""
    if text.startswith("Ask nothing"):
        return token(text.removeprefix("Ask nothing; the answer is "), (" (",))[0]
    first, *rest = text.splitlines()
    lines = [(len(line) - len(line.lstrip(" ")), line.lstrip(" ")) for line in rest]
    return answers_to(first, lines)


def answers_to(question, lines):
    name, rest = token(question, (" above ", "?"))
    cut = float(NUMBER.match(rest[7:])[0]) if rest.startswith(" above ") else None
    depth, found = lines[0][0], []
    while lines and lines[0][0] == depth:
        values, reply = [], ", " + lines.pop(0)[1]
        while reply.startswith(", "):
            value, reply = token(reply[2:], (", ", ": "))
            values.append(value)
        told = token(reply[2:], (" (", ", no samples"))[0]
        below = answers_to(reply[2:], lines) if lines and lines[0][0] > depth else told
        found.append((answered(name, cut, values), below))
    return found


def answered(name, cut, values):
    """Return whether a row gives one of these answers."""
    if cut is not None:
        return lambda row: ("yes" if row[name] > cut else "no") in values
    return lambda row: any(is_value(row[name], value) for value in values)


def check(text, frame, predicted, parse=parsed):
    """Every row goes where the tree sends it."""
    tree = parse(text)
    shown = frame.set_axis(Dataset(frame).feature_names, axis=1)
    for record, wanted in zip(shown.to_dict("records"), predicted, strict=True):
        assert decided(tree, record) == str(wanted), text


# Data --------------------------------------------------------------------------------------

NAMES = ["day", "", "  ", "a\nb", "\x1b[31mred", "zero\u200bwidth", "größe", "'quoted'", "tab\t", "e\u0301"]
LEVELS = ["red", "", " ", "1", "True", "up\nto", "\x1b[0m", "\u202e", "'red'", "b\\n"]


def numbers(rng, n):
    """Make a column that is hard to print."""
    steps = rng.integers(0, 6, n)
    kinds = (
        lambda: 10.0 ** rng.uniform(-300, 300, n) * rng.choice([-1, 1], n),
        lambda: 1.0 + steps * np.finfo(float).eps,
        lambda: 20180128.0 + steps,
        lambda: 2.0**53 + 2 * steps,
        lambda: -(2.0**62) + 2.0**10 * steps,
        lambda: 0.1 * steps * 3,
        lambda: rng.normal(size=n).round(2),
        lambda: rng.normal(scale=1e-9, size=n),
        lambda: steps.astype(float) - 3,
    )
    return kinds[rng.integers(len(kinds))]()


def table(seed, n=24, *, tame=False):
    """Make a frame of three numeric columns and a nominal one, and classes that depend on both."""
    rng = np.random.default_rng(seed)
    names = [NAMES[i] for i in rng.permutation(len(NAMES))[:4]]
    columns = [rng.normal(size=n).round(3) if tame else numbers(rng, n) for _ in names[:3]]
    frame = pd.DataFrame(dict(zip(names, columns, strict=False)))
    levels = [LEVELS[i] for i in rng.permutation(len(LEVELS))[:5]]
    frame[names[3]] = rng.choice(levels, n)
    order = np.argsort(np.argsort(columns[0], kind="stable"), kind="stable")
    target = (order * 3 // n + frame[names[3]].isin(levels[:2]) + (rng.random(n) < 0.2)) % 3
    return frame, np.array(["no", "yes", "\x07bell"])[target]


SEEDS = st.integers(0, 2**32 - 1)


GROWN = (
    GreedyTreeClassifier(),
    GreedyTreeClassifier.c45(),
    GreedyTreeClassifier(nominal_splits="groups", criterion="gini"),
    GreedyTreeClassifier(nominal_splits="one_value", pruning="error_based", cost_matrix=1 - np.eye(3)),
)


@given(seed=SEEDS)
@settings(max_examples=40, deadline=None)
def test_text_of_grown_trees(seed):
    frame, y = table(seed)
    for model in GROWN:
        model.fit(frame, y)
        for decimals in (None, 0, 3):
            check(export_text(model, decimals=decimals), frame, model.predict(frame))


@given(seed=SEEDS, n_bins=st.integers(2, 4))
@settings(max_examples=40, deadline=None)
def test_text_of_trees_of_bins(seed, n_bins):
    frame, y = table(seed)
    fixed = FixedDepthTreeClassifier(max_depth=2, n_bins=n_bins).fit(frame, y)
    check(fixed.export_questions(), frame, fixed.predict(frame), questions)
    for model in (fixed, MinimalTreeClassifier(max_bins=n_bins, max_pairs=20).fit(frame, y)):
        wanted = model.predict(frame)
        check(export_text(model), frame, wanted)
        tree = Tree.from_json(model.threshold_tree().to_json())
        assert tree.predict(frame).tolist() == wanted.tolist()
        check(export_text(tree), frame, wanted)
        check(export_text(tree, decimals=1), frame, wanted)


@given(seed=SEEDS)
@settings(max_examples=6, deadline=None)
def test_text_of_planes(seed):
    frame, y = table(seed, tame=True)
    model = MultivariateTreeClassifier(perturbation=0.05, max_depth=2, cv=3).fit(frame, y)
    check(export_text(model), frame, model.predict(frame))
    check(export_text(model, decimals=1), frame, model.predict(frame))
    one = RobustLinearClassifier(perturbation=0.05).fit(frame, np.where(y == "no", "no", "yes"))
    check(export_text(one.to_tree(frame)), frame, one.predict(frame))


@given(seed=SEEDS)
@settings(max_examples=20, deadline=None)
def test_text_of_trees_from_elsewhere_is_exact(seed):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 2)) * 10.0 ** rng.integers(-6, 7)
    y = rng.integers(0, 2, 40)
    tree = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    frame = pd.DataFrame(X, columns=["x0", "x1"])
    check(export_text(tree), frame, tree.predict(X))
    cuts = re.findall(r"x0 <= (\S+?)(?::|\n)", export_text(tree, decimals=0))
    assert len(set(map(float, cuts))) == len(np.unique(tree.threshold[tree.feature == 0]))


# Numbers -----------------------------------------------------------------------------------


def test_a_day_is_told_from_the_next():
    days, y = [[20180130.0], [20180131.0]] * 3, ["no", "yes"] * 3
    assert export_text(GreedyTreeClassifier().fit(days, y)) == "x0 <= 20180130: no\nx0 > 20180130: yes\n"
    fixed = FixedDepthTreeClassifier(max_depth=1).fit(days, y)
    assert fixed.bin_edges_[0].tolist() == [20180130.5]
    assert fixed.export_questions().startswith("x0 above 20180130?\n")
    assert export_text(fixed) == "x0 = up to 20180130: no\nx0 = above 20180130: yes\n"
    assert export_text(fixed.threshold_tree()) == "x0 <= 20180130: no\nx0 > 20180130: yes\n"
    assert fixed.threshold_tree().cut_values[0].tolist() == [20180130, 20180131]
    minimal = MinimalTreeClassifier().fit(days, y)
    assert export_text(minimal.threshold_tree()) == "x0 <= 20180130: no\nx0 > 20180130: yes\n"
    text = str(explain_pruning(GreedyTreeClassifier().fit(days, y).tree_, ErrorBasedPruning(grafting=False)))
    assert "x0 <= 20180130 " in text


@pytest.mark.parametrize(
    ("value", "low", "high", "text"),
    [
        (1.9, 1.9, 3, "1.9"),
        (47.0, 47, 51, "47"),
        (0.1 + 0.2, 0.1 + 0.2, 0.4, "0.31"),
        (-1.23456789e-301, -1e-300, 1e-300, "0"),
        (2.0**53, 2.0**53, 2.0**53 + 2, "9007199254740992"),
    ],
)
def test_as_few_digits_as_keep_samples_apart(value, low, high, text):
    assert numbers_between([value], [(low, high)]) == [text]


def test_neighbouring_cuts_stay_apart_whatever_the_values_beside_them():
    X = [[1.001], [1.002], [1.003], [1.004]]
    document = json.loads(GreedyTreeClassifier().fit(X, list("abab")).tree_.to_json())
    cuts = [
        None if values is None else [values[0] - 5, values[1] + 5]
        for values in document["nodes"]["cut_values"]
    ]
    document["nodes"]["cut_values"] = cuts
    text = export_text(Tree.from_json(json.dumps(document)), decimals=0)
    printed = re.findall(r"<= ([0-9.]+)", text)
    exact = sorted(set(map(float, printed)))
    assert len(exact) == 3


def test_text_of_a_table_predicts_numbers():
    X = [[0.5, "a"], [1.5, "b"], [2.5, "a"], [None, "b"], [3.5, "a"]]
    made = DecisionTable.from_data(X, [0, 1, 1, 2, 0], bins=4)
    tree = made.threshold_tree(made.minimum_tree().tree)
    again = Tree.from_json(tree.to_json())
    assert again.predict(X).tolist() == [0, 1, 1, 2, 0]
    assert "missing" in export_text(tree)


# Names and values --------------------------------------------------------------------------


def test_values_that_print_alike_stay_apart():
    assert shown_values([1, "1", True, "True", 1.5, "x"]) == ["1", "'1'", "True", "'True'", "1.5", "x"]
    assert shown_values(["missing", "'1'"], may_miss=True) == ["'missing'", "\"'1'\""]
    X = np.array([[1], ["1"], [True]] * 2, dtype=object)
    tree = DecisionTable(X.tolist(), list("abcabc")).minimum_tree().tree
    assert sorted(export_text(tree).splitlines()) == ["x0 = '1': b", "x0 = 1: a", "x0 = True: c"]


@pytest.mark.parametrize("text", NAMES + LEVELS)
def test_nothing_steers_a_terminal(text):
    shown = shown_text(text)
    assert shown.isprintable() or "\u0301" in shown
    assert shown.strip() == shown != ""
    assert shown == text or ast.literal_eval(shown) == text
    assert on_one_line(text).isprintable() or "\u0301" in text


def test_half_a_character_is_shown():
    assert shown_text("a\ud800") == "'a\\ud800'"
    assert shown_number(0.1) == "0.1"


# Leaves without samples --------------------------------------------------------------------


def test_leaves_that_no_sample_reaches_are_marked():
    frame = pd.DataFrame({"c": pd.Categorical(list("aabb"), categories=list("abz"))})
    model = FixedDepthTreeClassifier(max_depth=1).fit(frame, [0, 0, 1, 1])
    assert "c = z: 0 (no samples)\n" in export_text(model)
    lines = model.export_questions().splitlines()
    assert any(line.endswith(", 2 samples") for line in lines)


def test_cells_of_a_table_stay_in_their_lines():
    table = Table("", [Column("name", ["a\nb", "\x1b[31mred"], align="left"), Column("n", ["1", "2"])])
    assert table.to_text().splitlines()[-2:] == ["a\\nb         1", "\\x1b[31mred  2"]
    assert "\x1b" not in table.to_latex()


def test_pictures_show_names_as_they_are():
    assert in_picture("cost in $") == r"cost in \$"
    assert in_picture("a\nb") == "'a\\nb'"
