"""All formats: what each is, what it takes, what it cannot say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import one_of
from treewright._base.wording import Param, Value
from treewright.trees.exports.program import Program
from treewright.trees.exports.refusal import refusal

__all__ = ["ExportFormat", "export_formats"]

AS_TREE, STOP = "as_tree", "stop"
MISSING = (AS_TREE, STOP)

SHARED = "shares a row with a missing value among the branches"
PLANES = "has oblique splits (planes)"
UNSEEN = "tells a value that it does not know from a missing one"
STOPPING_REMEDY = ("give ", Param("missing", STOP), ", and such a row gets the class of that node")

Written = str | bytes
Choices = tuple[str, ...] | None
"""Of an option the values that it may have; None: any text."""


@dataclass(frozen=True)
class ExportFormat:
    """A format that trees are written in.

    Attributes
    ----------
    name : str
        What `Tree.export` and ``treewright export --to`` call it.
    title : str
        What it is.
    ending : str
        Of a file in it.
    options : dict
        What else `Tree.export` takes for it: names and defaults.
    planes, shared, unseen : str or None
        Why it cannot say oblique splits; a row that is shared among branches; an unknown value apart from a
        missing one. None where it can.
    limits : str
        Limits of the target, and how numbers are compared; a tree beyond them is refused.
    """

    name: str
    title: str
    ending: str
    options: Mapping[str, str | None] = field(default_factory=dict)
    planes: str | None = None
    shared: str | None = None
    unseen: str | None = None
    limits: str = ""


CHOICES: Mapping[str, Choices] = {
    "form": ("plain", "numpy"),
    "dialect": ("postgresql", "sqlite", "duckdb", "bigquery", "snowflake", "tsql"),
    "table": None,
    "cell": None,
}
"""Values of options."""

FORMATS: Mapping[str, ExportFormat] = {
    one.name: one
    for one in (
        ExportFormat("json", "JSON", ".json", limits="none: the whole tree, read back by `Tree.from_json`"),
        ExportFormat(
            "python",
            "Python",
            ".py",
            {"form": "plain"},
            limits="none: tables and a loop; `form` is plain (a row, no imports) or numpy (columns)",
        ),
        ExportFormat(
            "c",
            "C",
            ".c",
            limits="none: C99, tables and a loop; values of nominal columns are texts in UTF-8",
        ),
        ExportFormat(
            "javascript",
            "JavaScript",
            ".js",
            limits="none: tables and a loop; whole numbers as values up to 2^53",
        ),
        ExportFormat(
            "pmml",
            "PMML",
            ".pmml",
            shared="its strategies weigh the answers of branches otherwise than a tree does",
            limits="256 elements in one another; no control characters; a value of a field is no empty text",
        ),
        ExportFormat(
            "onnx",
            "ONNX",
            ".onnx",
            shared="a row has one leaf in a TreeEnsembleClassifier",
            limits="1000 comparisons on a path; numbers are doubles; nominal columns are texts, an empty one"
            " is missing; a tree that asks nothing has no input; needs the extra `onnx`",
        ),
        ExportFormat(
            "excel",
            "Excel",
            ".tsv",
            {"cell": "A2"},
            planes="Excel has 15 digits, in which a weighted sum is another one",
            shared="shares of rows need more than the 15 digits that Excel has",
            limits="cells of 8 192 characters and 64 levels, else several cells, up to 16 384; numbers of 15"
            " digits, cuts moved down to them, refused where training values beside one agree in them",
        ),
        ExportFormat(
            "dmn",
            "DMN",
            ".dmn",
            planes="FEEL adds decimal numbers, and a tree doubles",
            shared="a decision table has one answer a rule",
            limits="hit policy FIRST; no control characters in names of columns",
        ),
        ExportFormat(
            "sql",
            "SQL",
            ".sql",
            {"dialect": "postgresql", "table": None},
            limits="nested `CASE`; deeper than 50 levels (SQLite 15, T-SQL 10) one flat `CASE`; names,"
            " characters, columns and constants as the database limits them; rows are shared over at most"
            " 400 tests",
        ),
    )
}
"""All formats by name."""


def export_formats() -> list[ExportFormat]:
    """Return all formats that trees are written in.

    Returns
    -------
    formats : list of ExportFormat
        What each takes and what it cannot say.

    Examples
    --------
    >>> from treewright.exports import export_formats
    >>> [one.name for one in export_formats()][:3]
    ['json', 'python', 'c']
    """
    return list(FORMATS.values())


def write(core: _core.Tree, format: str, missing: str, options: Mapping[str, object]) -> Written:  # noqa: A002
    """Write a tree in a format, or say what this cannot say."""
    chosen = FORMATS[one_of("format", format, tuple(FORMATS))]
    given = _options(chosen, options)
    one_of("missing", missing, MISSING)
    if chosen.name == "json":
        return core.to_json()
    program = Program.of(core)
    if missing == STOP:
        program = program.without_shares()
    _check(chosen, program)
    writer: Callable[..., Written] = import_module(f"treewright.trees.exports.{chosen.name}").write
    return writer(program, **given)


def _options(chosen: ExportFormat, options: Mapping[str, object]) -> dict[str, object]:
    """Return the options of a format, each with a value that it may have."""
    for name, value in options.items():
        if name not in chosen.options:
            known = list(chosen.options)
            remedy = ("it takes ", Value(*known)) if known else "leave it out"
            raise ParameterError(name, value, f"is no option of the format {chosen.name!r}", remedy)
    given = {**chosen.options, **{name: value for name, value in options.items() if value is not None}}
    for name, value in given.items():
        choices = CHOICES[name]
        if choices is not None:
            one_of(name, value, choices)
        elif value is not None and not isinstance(value, str):
            raise ParameterError(name, value, "must be a text")
    return dict(given)


def _check(chosen: ExportFormat, program: Program) -> None:
    """Refuse a tree that a format cannot say."""
    if program.shares and chosen.shared is not None:
        raise refusal(chosen.title, f"cannot say a tree that {SHARED}: {chosen.shared}", STOPPING_REMEDY)
    if program.planes and chosen.planes is not None:
        raise refusal(chosen.title, f"cannot say a tree that {PLANES}: {chosen.planes}")
    if program.tells_unseen and chosen.unseen is not None:
        raise refusal(chosen.title, f"cannot say a tree that {UNSEEN}: {chosen.unseen}")
