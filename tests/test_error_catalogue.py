"""Every class of errors and every fact of a message, on every surface; nobody reads facts out of a text.

Inner names, as in unit tests: `_base.wording`: every fact is worded on every surface.
`cli._command` and `cli._option`: parts of the command line are tested without a process.
"""

from __future__ import annotations

import ast
import pickle
from pathlib import Path

import click
import pytest

import treewright
from treewright import (
    DataError,
    Dataset,
    DataTypeError,
    ExportError,
    FixedDepthTreeClassifier,
    FormatError,
    GreedyTreeClassifier,
    MemoryLimitError,
    ParameterError,
    ProgramError,
    StepLimitError,
    TreewrightError,
    UnfinishedError,
)

# The parts of messages and the surfaces are inner modules: users meet them only as text.
from treewright._base import wording
from treewright._base.wording import (
    NO_VALUE,
    NONE_OR,
    PYTHON,
    UNSET,
    Attribute,
    Feature,
    Param,
    Part,
    Row,
    Shown,
    Value,
)
from treewright.cli._command import OptionSurface
from treewright.cli._option import Option

OPTIONS = OptionSurface(
    [
        Option(["--missing"], section="Data"),
        Option(["--floating"], is_flag=True, section="Search"),
        Option(["--seed", "random_state"], parameter="random_state", section="Search"),
        Option(["--group", "feature_groups"], multiple=True, section="Search"),
        click.Argument(["data"]),
    ]
)
PACKAGE = Path(treewright.__file__).parent

# a sentence, in Python, on the command line
PARTS = [
    (Param("missing", "mean", "drop"), "missing='mean' or 'drop'", "--missing mean or drop"),
    (Param("missing", "a", "b", None), "missing='a', 'b' or None", "--missing a, b or none"),
    (Param("missing"), "missing", "--missing"),
    (Param("random_state", 3), "random_state=3", "--seed 3"),
    (Param("floating", True), "floating=True", "--floating"),
    (Param("floating", False), "floating=False", "no --floating"),
    (Param("feature_groups", at=(1,)), "feature_groups[1]", "--group no. 2"),
    (Param("average_gain", True), "average_gain=True", "average_gain=True"),
    (Param("missing", 0), "missing=0", "--missing 0"),
    (Param("X"), "X", "DATA"),
    (Value("mean"), "'mean'", "mean"),
    (Value(Shown("17 rows")), "17 rows", "17 rows"),
    (Feature("age", 3), "feature 'age' (column 3)", "feature 'age' (column 3)"),
    (Row(17), "row 17", "row 17"),
    (Attribute("Tree.to_json()"), "Tree.to_json()", "`treewright fit --out`"),
    (NONE_OR, "None or ", ""),
    (NO_VALUE, "None", "leave it out"),
    (("choose ", Param("missing", "mean"), "; ", Row(2)), "choose missing='mean'; row 2", None),
]

ERRORS: list[tuple[TreewrightError, str, str]] = [
    (
        ParameterError("random_state", -1, ("must be ", NONE_OR, "an int"), "take another"),
        "random_state=-1 must be None or an int; take another",
        "Invalid value for '--seed': -1 must be an int; take another",
    ),
    (
        ParameterError("random_state", UNSET, "is given twice", "leave one out"),
        "random_state is given twice; leave one out",
        "--seed is given twice; leave one out",
    ),
    (ParameterError("m", 3, ": too large"), "m=3: too large", "m=3: too large"),
    (
        ParameterError("feature_groups", "a", "has no feature", at=(1,)),
        "feature_groups[1]='a' has no feature",
        "Invalid value for '--group': 'a' has no feature",
    ),
    (
        DataError(Feature("age", 3), " has ", Value(float("inf")), " at ", Row(17)),
        "feature 'age' (column 3) has inf at row 17",
        "feature 'age' (column 3) has inf at row 17",
    ),
    (DataTypeError("x is ", Value(b"raw")), "x is b'raw'", "x is b'raw'"),
    (FormatError("give ", Attribute("Tree.to_json()")), "give Tree.to_json()", "give `treewright fit --out`"),
    (ExportError("give ", Param("missing", "stop")), "give missing='stop'", "give --missing stop"),
    (UnfinishedError("call run()"), "call run()", "call run()"),
    (StepLimitError("raise ", Param("max_steps")), "raise max_steps", "raise max_steps"),
    (MemoryLimitError("raise ", Param("max_memory")), "raise max_memory", "raise max_memory"),
    (
        ProgramError("no variable 'd'", "unbound", (1, 4), "variable", "", "d"),
        "line 1, column 4: no variable 'd'",
        "line 1, column 4: no variable 'd'",
    ),
]


def of_command_line(error: TreewrightError) -> str:
    return OPTIONS.refusal(error) if isinstance(error, ParameterError) else error.told(OPTIONS)


def below(kind: type) -> set[type]:
    return {kind, *(deeper for sub in kind.__subclasses__() for deeper in below(sub))}


def ours(kind: type) -> set[str]:
    return {sub.__name__ for sub in below(kind) if sub.__module__.startswith("treewright")}


def test_every_fact_has_an_example() -> None:
    shown = {type(part).__name__ for part, *_ in PARTS if isinstance(part, Part)}
    assert shown == {name for name in ours(Part) if hasattr(wording, name)} - {"Part"}


def test_every_class_has_an_example() -> None:
    abstract = {"TreewrightError", "_AboutDataError"}
    assert {type(error).__name__ for error, *_ in ERRORS} == ours(TreewrightError) - abstract


@pytest.mark.parametrize(("sentence", "python", "options"), PARTS, ids=[row[1] for row in PARTS])
def test_sentences(sentence: wording.Sentence, python: str, options: str | None) -> None:
    assert PYTHON.say(sentence) == python
    assert options is None or OPTIONS.say(sentence) == options


@pytest.mark.parametrize(("error", "python", "options"), ERRORS, ids=[row[1] for row in ERRORS])
def test_errors_on_every_surface(error: TreewrightError, python: str, options: str) -> None:
    assert str(error) == python
    assert of_command_line(error) == options
    copy = pickle.loads(pickle.dumps(error))
    assert (type(copy), str(copy), of_command_line(copy)) == (type(error), python, options)


def test_a_value_that_cannot_be_pickled_goes_as_what_it_looks_like() -> None:
    error = ParameterError("callback", lambda: 0, "must return a truth value")
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def refused(kind: type[TreewrightError], X: object, y: object, **parameters: object) -> TreewrightError:
    with pytest.raises(kind) as caught:
        GreedyTreeClassifier(**parameters).fit(X, y)
    return caught.value


def test_errors_of_the_core_hold_facts() -> None:
    missing = refused(DataError, [[1.0], [None]], [0, 1], missing="raise")
    assert (missing.feature, missing.column, missing.row) == ("x0", 0, 1)
    assert "choose missing='distribution', 'most_frequent' or 'value'" in str(missing)
    assert "choose --missing distribution, most_frequent or value" in of_command_line(missing)
    numeric = refused(DataError, [["a", 1.5], ["b", 2.5]], [0, 1], growth="id3")
    assert (numeric.feature, numeric.column, numeric.row) == ("x1", 1, None)


def test_errors_of_data_and_parameters_hold_facts() -> None:
    with pytest.raises(ParameterError) as caught:
        FixedDepthTreeClassifier(n_bins=0).fit([[1.0], [2.0]], [0, 1])
    assert (caught.value.name, caught.value.value) == ("n_bins", 0)
    with pytest.raises(DataError) as infinite:
        Dataset([[1.0], [float("inf")]])
    assert str(infinite.value).startswith("feature 'x0' (column 0) has inf at row 1")


REGEX = {
    "_base/memory.py": "reads an amount such as 64MB that a user wrote",
    "_base/warn.py": "tells a filter's pattern from its text",
    "cli/_again.py": "takes apart the words of a command that a result keeps",
    "cli/_pruning.py": "makes the name of a rule from that of its class",
    "cli/_signature.py": "reads kinds and references in the library's docstrings",
    "cli/evolve.py": "tells whether a word of the user looks like a path",
}
"""Where regular expressions are used, and on what; messages are none of it."""


def test_no_regex_reads_a_message() -> None:
    used = set()
    for room in ("_base", "cli", "search/evolution"):
        for path in (PACKAGE / room).rglob("*.py"):
            names = {
                alias.name
                for node in ast.walk(ast.parse(path.read_text()))
                if isinstance(node, ast.Import)
                for alias in node.names
            }
            if "re" in names:
                used.add(path.relative_to(PACKAGE).as_posix())
    assert used == set(REGEX)
