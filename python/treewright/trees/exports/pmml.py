"""A tree as a `TreeModel` of PMML 4.4.

A row goes to the first child whose predicate is true. A comparison with a missing value is not true
(``missingValueStrategy="none"``), so where it goes is said by the order of the children; where none is true,
the node itself answers (``returnLastPrediction``). A value that is not among those of its field is missing;
where the tree tells it from a missing one, fields list no values.
"""

from __future__ import annotations

import re

from treewright.data.intake.labels import Label
from treewright.trees.exports.layout import number
from treewright.trees.exports.program import STOP, Plane, Program, Step, Term
from treewright.trees.exports.questions import Arm, Question, arms
from treewright.trees.exports.refusal import are_alike, as_texts, refusal
from treewright.trees.exports.xml import Writer

TITLE = "PMML"
NAMESPACE = "http://www.dmg.org/PMML-4_4"
PLAIN = re.compile(r"[A-Za-z0-9_.-]+")
"""Texts that an array takes without quotes."""

TYPES = {"bool": "boolean", "int": "integer", "float": "double", "str": "string"}


def write(program: Program) -> str:
    """Write a document."""
    if program.planes and program.tells_unseen:
        raise refusal(TITLE, "has no planes over values that are apart from missing ones")
    return _Document(program).written()


class _Document:
    """A program on its way."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.xml = Writer(TITLE)
        self.fields = [column.name for column in program.columns]
        self.target = _free("prediction", self.fields)
        self.planes = [_free(f"plane {i}", self.fields) for i in range(len(program.planes))]
        self.types = [_type(column.levels or ()) for column in program.columns]
        self.values = [
            _texts(column.levels or (), f"the column '{column.name}'") for column in program.columns
        ]
        self.class_type, self.classes = _type(program.classes), _texts(program.classes, "the target")

    def written(self) -> str:
        """Return the whole document."""
        xml = self.xml
        xml.start("PMML", xmlns=NAMESPACE, version="4.4")
        xml.start("Header")
        xml.empty("Application", name="treewright")
        xml.end()
        self.dictionary()
        xml.start(
            "TreeModel",
            functionName="classification",
            missingValueStrategy="none",
            noTrueChildStrategy="returnLastPrediction",
            splitCharacteristic="multiSplit",
        )
        self.mining_schema()
        self.transformations()
        self.nodes()
        xml.end()
        xml.end()
        return xml.document()

    def dictionary(self) -> None:
        """Write the fields and their values."""
        xml, program = self.xml, self.program
        xml.start("DataDictionary", numberOfFields=str(len(self.fields) + 1))
        for i, column in enumerate(program.columns):
            if column.levels is None:
                xml.empty("DataField", name=column.name, optype="continuous", dataType="double")
                continue
            listed = [] if program.tells_unseen else self.values[i]
            self.categories(column.name, self.types[i], listed)
        self.categories(self.target, self.class_type, self.classes)
        xml.end()

    def categories(self, name: str, kind: str, values: list[str]) -> None:
        """Write a field with its values."""
        if not values:
            self.xml.empty("DataField", name=name, optype="categorical", dataType=kind)
            return
        self.xml.start("DataField", name=name, optype="categorical", dataType=kind)
        for value in values:
            self.xml.empty("Value", value=value)
        self.xml.end()

    def mining_schema(self) -> None:
        """Write what the model reads."""
        treatment = "asIs" if self.program.tells_unseen else "asMissing"
        self.xml.start("MiningSchema")
        for name in self.fields:
            self.xml.empty("MiningField", name=name, usageType="active", invalidValueTreatment=treatment)
        self.xml.empty("MiningField", name=self.target, usageType="target")
        self.xml.end()

    def transformations(self) -> None:
        """Write the weighted sums of planes as fields."""
        if not self.program.planes:
            return
        self.xml.start("LocalTransformations")
        for name, plane in zip(self.planes, self.program.planes, strict=True):
            self.xml.start("DerivedField", name=name, optype="continuous", dataType="double")
            self.total(plane)
            self.xml.end()
        self.xml.end()

    def total(self, plane: Plane) -> None:
        """Write a sum from left to right: the last term is added last."""
        for _ in plane.terms[1:]:
            self.xml.start("Apply", function="+")
        for i, term in enumerate(plane.terms):
            self.xml.start("Apply", function="*")
            self.constant(term.weight)
            self.value(term)
            self.xml.end()
            if i:
                self.xml.end()
        if not plane.terms:
            self.constant(0.0)

    def constant(self, value: float) -> None:
        """Write a number."""
        self.xml.text("Constant", number(value), dataType="double")

    def value(self, term: Term) -> None:
        """Write what a term multiplies."""
        xml, name = self.xml, self.fields[term.column]
        if term.missing is not None:
            xml.start("Apply", function="if")
            xml.start("Apply", function="isMissing")
            xml.empty("FieldRef", field=name)
            xml.end()
            self.constant(term.missing)
        if term.level is None:
            xml.empty("FieldRef", field=name)
        elif term.level >= len(self.values[term.column]):
            self.constant(0.0)
        else:
            xml.start("Apply", function="if")
            xml.start("Apply", function="equal")
            xml.empty("FieldRef", field=name)
            xml.text("Constant", self.values[term.column][term.level], dataType=self.types[term.column])
            xml.end()
            self.constant(1.0)
            self.constant(0.0)
            xml.end()
        if term.missing is not None:
            xml.end()

    # Nodes.

    def nodes(self) -> None:
        """Write all nodes, each with the question that leads to it."""
        program, xml = self.program, self.xml
        waiting: list[tuple[int, Step, Arm] | None] = [(0, program.steps[0], (None, 0))]
        while waiting:
            item = waiting.pop()
            if item is None:
                xml.end()
                continue
            number_, parent, (question, target) = item
            step = parent if target == STOP else program.steps[target]
            xml.start("Node", id=str(number_), score=self.classes[step.answer])
            self.predicate(question)
            waiting.append(None)
            if target != STOP and step.ask != "leaf":
                asked = arms(step)
                children = asked[:-1] if asked[-1][1] == STOP else asked
                waiting += [(max(arm[1], 0), step, arm) for arm in reversed(children)]

    def predicate(self, question: Question | None) -> None:
        """Write a question."""
        xml = self.xml
        if question is None:
            xml.empty("True")
            return
        if question.about == "among":
            self.among(question)
            return
        step = question.step
        field = self.planes[step.plane] if step.ask == "plane" else self.fields[step.column]
        if question.about == "known":
            xml.empty("SimplePredicate", field=field, operator="isNotMissing")
            return
        cut = self.program.planes[step.plane].offset if step.ask == "plane" else step.threshold
        operator = "lessOrEqual" if question.about == "upto" else "greaterThan"
        xml.empty("SimplePredicate", field=field, operator=operator, value=number(cut))

    def among(self, question: Question) -> None:
        """Write a set of values: as an array where no value needs quotes."""
        xml, column = self.xml, question.step.column
        field, values = self.fields[column], [self.values[column][code] for code in question.codes]
        is_plain = len(values) > 1 and all(map(PLAIN.fullmatch, values))
        n_parts = (1 if is_plain else len(values)) + question.or_missing
        if n_parts > 1:
            xml.start("CompoundPredicate", booleanOperator="or")
        if question.or_missing:
            xml.empty("SimplePredicate", field=field, operator="isMissing")
        if is_plain:
            kind = {"integer": "int", "double": "real"}.get(self.types[column], "string")
            xml.start("SimpleSetPredicate", field=field, booleanOperator="isIn")
            xml.text("Array", " ".join(values), n=str(len(values)), type=kind)
            xml.end()
        else:
            for value in values:
                xml.empty("SimplePredicate", field=field, operator="equal", value=value)
        if n_parts > 1:
            xml.end()


def _free(name: str, taken: list[str]) -> str:
    """Return a name that no field has."""
    while name in taken:
        name += "_"
    return name


def _type(labels: tuple[Label, ...]) -> str:
    """Return the type of a field with these values."""
    kinds = {type(label).__name__ for label in labels}
    if kinds == {"int", "float"}:
        return "double"
    return TYPES[kinds.pop()] if len(kinds) == 1 else "string"


def _texts(labels: tuple[Label, ...], what: str) -> list[str]:
    """Write values."""
    if not are_alike(labels):
        return as_texts(labels, TITLE, what)
    if any(label == "" for label in labels):
        raise refusal(TITLE, f"takes an empty text for a missing value, and {what} has one", "rename it")
    return [str(label).lower() if isinstance(label, bool) else str(label) for label in labels]
