"""What is said of data, parameters, formulas and files that learning a rule cannot use."""

import json
import re

import numpy as np
import pytest

from treewright import DataError, Dataset, FormatError, GreedyTreeClassifier, ParameterError, datasets
from treewright.evolution import LearnedPruning, ProgramEvolver, PruningProblem, learn_pruner

FEW = {"budget": 1, "n_train": 3, "n_validation": 3, "n_test": 3}
X = np.arange(20.0).reshape(10, 2)
Y = [0, 1] * 5


@pytest.mark.parametrize("share", [2, 0, 1, float("nan"), "a", None])
@pytest.mark.parametrize("data", [(X, Y), "paper_table"])
def test_the_share_that_grows_trees_is_named(data, share):
    message = re.escape(f"train_share={share!r} must be above 0 and below 1; it is the part of the samples ")
    with pytest.raises(ParameterError, match=f"^{message}that grows the tree"):
        learn_pruner(data, train_share=share, **FEW)
    problem = PruningProblem(data, n_trees=2, train_share=share)
    with pytest.raises(ParameterError, match=f"^{message}that grows the tree"):
        ProgramEvolver(problem, PruningProblem.start(), budget=1).run()


def test_any_patience_will_do():
    found = learn_pruner("paper_table", patience=10**30, **FEW)
    assert found == learn_pruner("paper_table", **FEW)
    assert found.record_.status == "complete"


FORMULAS = [
    (
        "1",
        "read: its value must be of type float, and is of type int; numbers have a point: write 1.0",
    ),
    ("n / 2", "column 3: argument 2 of '/' must be of type float, and is of type int; numbers have a point"),
    ("1.0 > 2.0", "cannot be read: its value must be of type float, and is of type bool"),
    ("", "program='' is empty; give a formula such as '((n - c) + 0.5) / n'"),
    ("n - ", "program='n - ' cannot be read: at its end: expected an expression"),
    ("c c", "column 3: expected an operator or the end, found 'c'"),
    ("n -\nd", "line 2, column 1: no variable 'd' is in scope here; the formula knows c and n"),
    (
        "e / n",
        "column 1: no variable 'e' is in scope here; the formula knows c and n; write n - c for the errors",
    ),
    ("c ** 2", "column 4: expected an expression, found '*'; there is no power; write c * c"),
    ("c^2", "there is no power; write c * c"),
    ("pow(c, n)", "there is no power; write c * c"),
    ("sin(c)", "no function 'sin' is in scope here; there are min, max, abs, sqrt, log, exp and tanh"),
    ("learned:paper_table", "is a name for the command line; give LearnedPruning.preset('paper_table')"),
    ("fun f(a: float, b: float): float = d", "line 1, column 36: no variable 'd' is in scope here"),
]


@pytest.mark.parametrize(("formula", "message"), FORMULAS)
def test_a_formula_is_told_in_its_own_terms(formula, message):
    with pytest.raises(ParameterError) as told:
        LearnedPruning(formula)([1.0], [2.0])
    assert str(told.value).endswith(message) or message in str(told.value)
    assert "column -" not in str(told.value)
    start = message.replace("program=", "start=")
    with pytest.raises(ParameterError, match=re.escape(start)):
        learn_pruner("paper_table", start=formula, **FEW)


def test_a_long_formula_is_not_repeated():
    with pytest.raises(ParameterError) as told:
        LearnedPruning("c" + " + c" * 100 + " +")([1.0], [2.0])
    assert "c + c +…' cannot be read: at its end" in str(told.value)
    assert len(str(told.value)) < 150


def test_one_of_several_data_sets_is_named():
    with pytest.raises(DataError, match=r"^data set 1 of the list: .*10 rows, y has 9 labels"):
        learn_pruner([(X, Y), (X, Y[:-1])], **FEW)
    with pytest.raises(DataError, match=r"^data set 2 of the list: n_samples=1: "):
        learn_pruner([(X, Y), Dataset(X, Y), (X[:1], Y[:1])], **FEW)
    with pytest.raises(ParameterError, match=r"^data\[0\] is of type ndarray.*give \(X, y\)"):
        learn_pruner([X, Y], **FEW)
    with pytest.raises(ParameterError, match=r"^data\[1\] .*datasets\.load\('iris'\)"):
        learn_pruner([(X, Y), "iris"], **FEW)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ([], r"data is an empty list; give \(X, y\)"),
        (
            ["paper_text", (X, Y)],
            "data lists the preset 'paper_text' beside other data; learn from presets or your own",
        ),
        (["iris", "paper_text"], r"data lists 'iris', which is no preset; give datasets\.load\('iris'\)"),
        (["paper_text", "paper_tabel"], "data lists 'paper_tabel', which is no preset; give .*'paper_table'"),
        (["paper_tabel"], "data lists 'paper_tabel', which is no preset; give .*'paper_table'"),
        (["paper_text"] * 2, r"data=\['paper_text', 'paper_text'\] names a preset more than once; name it"),
        (["iris", "wine"], r"data\[0\] is of type str.*; give datasets\.load\('iris'\)"),
        ("iris", r"data='iris' is not known; give datasets\.load\('iris'\)"),
        ("paper", r"data='paper' is not known; give \(X, y\), .*'paper_table'"),
        ((one for one in [(X, Y)]), r"data is of type generator, which cannot be read; .* a list of these"),
        ((X, Y, Y), r"data is a tuple of 3 that cannot be read; give \(X, y\)"),
        (((X, Y), (X, Y)), r"data is a tuple of 2 that cannot be read; .* a list of these"),
    ],
)
def test_data_of_other_forms_are_told_what_is_allowed(data, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        learn_pruner(data, **FEW)


def test_rows_and_labels_may_be_tuples_of_two():
    assert learn_pruner((([1.0, 2.0], [3.0, 4.0]), (0, 1)), **FEW).record_.data == "one data set, resampled"


@pytest.mark.parametrize(
    ("content", "detail"),
    [
        (b"", "it is empty"),
        (b"\xff\xfe", "it holds no text"),
        (b"no, x", "it is no JSON"),
        (b"[]", "it holds something else"),
        (LearnedPruning("n - c").to_json().encode(), "it is a 'treewright-learned-pruning'"),
        (b'{"format": "treewright-evolution"}', "missing field"),
    ],
)
def test_a_file_that_is_no_checkpoint_is_named(tmp_path, content, detail):
    place = tmp_path / "run.json"
    place.write_bytes(content)
    with pytest.raises(FormatError) as told:
        learn_pruner("paper_table", checkpoint=place, resume=True, **FEW)
    assert str(told.value).startswith(f"'{place}' is no checkpoint ({detail}")
    assert str(told.value).endswith("; give a file that an earlier run wrote as its checkpoint")


@pytest.mark.parametrize("resume", [False, True])
def test_an_empty_path_is_refused(resume):
    with pytest.raises(ParameterError, match="checkpoint='' is no path"):
        learn_pruner("paper_table", checkpoint="", resume=resume, **FEW)


@pytest.mark.parametrize(
    ("name", "value"),
    [("n_inputs", 10**6), ("n_begun", 99), ("generation", 10**12), ("n_programs", 2**63), ("solved", 10**9)],
)
def test_numbers_in_a_checkpoint_are_checked(tmp_path, name, value):
    place = tmp_path / "run.json"
    learn_pruner("paper_table", checkpoint=place, **FEW)
    place.write_text(json.dumps({**json.loads(place.read_text()), name: value}))
    with pytest.raises(FormatError, match=f"its '{name}' does not go with the rest of it"):
        learn_pruner("paper_table", checkpoint=place, resume=True, **FEW)


def test_a_checkpoint_without_a_place_is_refused_before_the_run(tmp_path):
    file = tmp_path / "file"
    file.touch()
    seen = []
    for place, reason in (
        (tmp_path / "no" / "run.json", "is no folder"),
        (file / "run.json", "is no folder"),
        (tmp_path, "it is a folder"),
    ):
        with pytest.raises(OSError, match=f"the checkpoint .* cannot be written .*{reason}"):
            learn_pruner((X, Y), checkpoint=place, callback=seen.append, **FEW)
    assert not seen


@pytest.mark.parametrize(
    ("pruning", "message"),
    [
        ("learned:paper_table", r"give LearnedPruning\.preset\('paper_table'\)"),
        (LearnedPruning, r"make a rule of it: LearnedPruning\('\(\(n - c\) \+ 0\.5\) / n'\)"),
    ],
)
def test_what_is_nearly_a_learned_rule_is_told_how_to_be_one(pruning, message):
    with pytest.raises(ParameterError, match=message):
        GreedyTreeClassifier(pruning=pruning).fit(datasets.load("iris"))


RULE = json.loads(LearnedPruning("n - c").to_json())


@pytest.mark.parametrize(
    ("text", "detail"),
    [
        ("", "it is empty"),
        ("x", "no JSON: "),
        ("{}", "it has no 'format', 'version', 'program' or 'record'"),
        ("null", "it holds no object with a program"),
        (json.dumps({**RULE, "format": "other"}), "its format is 'other', not 'treewright-learned-pruning'"),
        (json.dumps({**RULE, "version": 9}), "it is of version 9, and 1 is read"),
        (json.dumps({**RULE, "program": 3}), "program=3 is no text"),
        (json.dumps({**RULE, "program": "e"}), "program='e' cannot be read"),
        (json.dumps({**RULE, "record": {}}), "its record has no 'data'"),
        (json.dumps({**RULE, "record": 3}), "its record is of type int"),
        (
            json.dumps({key: RULE[key] for key in ("format", "version")}),
            "it has no 'program' and no 'record'",
        ),
        (3, "it is of type int, not text"),
    ],
)
def test_a_text_is_told_what_it_lacks(text, detail):
    with pytest.raises(FormatError) as told:
        LearnedPruning.from_json(text)
    assert str(told.value).startswith(f"the text is no learned rule ({detail}")
    assert str(told.value).endswith("; give what to_json returned")


def test_counts_of_different_lengths_are_refused():
    rule = LearnedPruning("n - c")
    with pytest.raises(DataError, match=r"^c has 2 values and n has 3 values; give as many of both"):
        rule([1, 2], [2, 3, 4])
    with pytest.raises(DataError, match=r"^c has 3 values and n has the shape \(2, 2\)"):
        rule([1, 2, 3], [[2, 3], [4, 5]])
    assert rule(1, [2, 3, 4]).tolist() == [1, 2, 3]


def test_one_is_not_several():
    assert "bits; 1 program in 0 generations, " in learn_pruner("paper_table", **FEW).report()
