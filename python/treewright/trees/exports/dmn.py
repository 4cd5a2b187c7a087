"""A tree as a decision table of DMN 1.3.

Its hit policy is FIRST: the first rule of which all tests hold is the answer, so a rule need not repeat what
the rules before it have taken away. FEEL has decimal numbers: a number written as shortly as reads back to
the same double is on the same side of a cut written so.
"""

from __future__ import annotations

from decimal import Decimal

from treewright.data.intake.labels import Label
from treewright.trees.exports.program import Column, Program
from treewright.trees.exports.questions import Question, paths
from treewright.trees.exports.refusal import are_alike, as_texts
from treewright.trees.exports.xml import Writer

TITLE = "DMN"
NAMESPACE = "https://www.omg.org/spec/DMN/20191111/MODEL/"
NAMED = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


def escaped(text: str) -> str:
    """Write a text as FEEL does."""
    letters = (NAMED.get(c, c if c.isprintable() or ord(c) > 0xFFFF else f"\\u{ord(c):04x}") for c in text)
    return f'"{"".join(letters)}"'


def decimal(value: float) -> str:
    """Write a number without an exponent."""
    return format(Decimal(repr(float(value))), "f")


def literals(labels: tuple[Label, ...], what: str) -> list[str]:
    """Write values; of different types as texts."""
    own = list(labels) if are_alike(labels) else as_texts(labels, TITLE, what)
    return [_literal(label) for label in own]


def _literal(label: Label) -> str:
    if isinstance(label, bool):
        return "true" if label else "false"
    if isinstance(label, str):
        return escaped(label)
    return str(label) if isinstance(label, int) else decimal(label)


def write(program: Program) -> str:
    """Write a document."""
    xml = Writer(TITLE)
    levels = [literals(column.levels or (), f"the column '{column.name}'") for column in program.columns]
    classes = literals(program.classes, "the target")
    opening = {"id": "tree", "name": "tree", "namespace": "https://treewright/exports"}
    xml.start("definitions", xmlns=NAMESPACE, **opening)
    for column in program.columns:
        name = _variable(column)
        xml.start("inputData", id=f"input_{name}", name=name, label=column.name)
        xml.empty("variable", name=name, typeRef=_type(column.levels))
        xml.end()
    xml.start("decision", id="decision", name="prediction")
    xml.empty("variable", name="prediction", typeRef=_type(program.classes))
    for column in program.columns:
        xml.start("informationRequirement", id=f"needs_{_variable(column)}")
        xml.empty("requiredInput", href=f"#input_{_variable(column)}")
        xml.end()
    _table(xml, program, levels, classes)
    xml.end()
    xml.end()
    return xml.document()


def _variable(column: Column) -> str:
    """Return what a column is called in FEEL, whose names know no quotes."""
    return f"column_{column.position}"


def _type(labels: tuple[Label, ...] | None) -> str:
    if labels is None:
        return "number"
    kinds = {type(label) for label in labels}
    if kinds == {bool}:
        return "boolean"
    return "number" if kinds <= {int, float} and kinds else "string"


def _table(xml: Writer, program: Program, levels: list[list[str]], classes: list[str]) -> None:
    xml.start("decisionTable", id="table", hitPolicy="FIRST", outputLabel="prediction")
    for column in program.columns:
        name = _variable(column)
        xml.start("input", id=f"tested_{name}", label=column.name)
        xml.start("inputExpression", id=f"value_{name}", typeRef=_type(column.levels))
        xml.text("text", name)
        xml.end()
        xml.end()
    xml.empty("output", id="answer", name="prediction", typeRef=_type(program.classes))
    for number, (questions, answer) in enumerate(paths(program)):
        tests = _tests(questions, program, levels)
        if tests is not None:
            _rule(xml, number, tests, classes[answer])
    xml.end()


def _rule(xml: Writer, number: int, tests: list[str], answer: str) -> None:
    xml.start("rule", id=f"rule_{number}")
    for i, test in enumerate(tests):
        xml.start("inputEntry", id=f"test_{number}_{i}")
        xml.text("text", test)
        xml.end()
    xml.start("outputEntry", id=f"answer_{number}")
    xml.text("text", answer)
    xml.end()
    xml.end()


def _tests(questions: list[Question], program: Program, levels: list[list[str]]) -> list[str] | None:
    """Return the test of every column, None if no row can come to the rule."""
    by_column: list[list[Question]] = [[] for _ in program.columns]
    for question in questions:
        by_column[question.step.column].append(question)
    tests = [
        _of_levels(asked, own) if column.levels is not None else _of_numbers(asked)
        for column, asked, own in zip(program.columns, by_column, levels, strict=True)
    ]
    return None if "" in tests else tests


def _of_levels(asked: list[Question], literals_: list[str]) -> str:
    if not asked:
        return "-"
    codes = [code for code in asked[0].codes if all(code in question.codes for question in asked)]
    is_missing = all(question.or_missing for question in asked)
    return ", ".join([*(literals_[code] for code in codes), *(["null"] if is_missing else [])])


def _of_numbers(asked: list[Question]) -> str:
    cuts = {question.about: decimal(question.step.threshold) for question in asked}
    if "upto" in cuts and "above" in cuts:
        is_empty = Decimal(cuts["above"]) >= Decimal(cuts["upto"])
        return "" if is_empty else f"({cuts['above']}..{cuts['upto']}]"
    if "upto" in cuts:
        return f"<= {cuts['upto']}"
    if "above" in cuts:
        return f"> {cuts['above']}"
    return "not(null)" if "known" in cuts else "-"
