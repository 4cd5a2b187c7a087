"""A tree as formulas of Excel: one cell, or more where one would be too long or too deep.

Excel has 15 digits. A cut is the largest number of 15 digits that is not above the tree's, so every number
of 15 digits goes where the tree sends it. An ``=`` between texts does not see case, `EXACT` does; an empty
cell is 0 in a comparison, so it is asked for first.
"""

from __future__ import annotations

import re
from decimal import ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from typing import Protocol

from treewright.data.intake.labels import Label
from treewright.data.types import IntArray
from treewright.trees.exports.program import Program, Step
from treewright.trees.exports.questions import ANSWERS, Question, arms, first_of, folded
from treewright.trees.exports.refusal import refusal

TITLE = "Excel"
DIGITS = 15
MOST_CHARACTERS = 8000
"""Of one formula; Excel reads 8192, and cells further down have longer names."""
MOST_NESTED = 60
"""Levels of functions in a formula; Excel reads 64."""
MOST_TEXT = 255
"""Characters of a text within a formula."""
MOST_COLUMNS = 16_384
MOST_VALUES = 250
"""Arguments of one function; Excel reads 255."""
LARGEST, SMALLEST = Decimal("9.99999999999999E+307"), Decimal("2.2251E-308")
CELL = re.compile(r"([A-Z]{1,3})([1-9][0-9]*)")


def escaped(text: str) -> str:
    """Write a text: in parts that are short enough, what cannot be seen as a code."""
    parts, plain = [], ""
    for letter in text:
        quoted = letter.replace('"', '""')
        if letter < " " or letter == "\x7f" or len(plain) + len(quoted) > MOST_TEXT:
            parts += [f'"{plain}"'] if plain else []
            plain = ""
        if letter == "\0":
            raise refusal(TITLE, "has no texts with the character 0", "rename the value")
        if letter < " " or letter == "\x7f":
            parts.append(f"CHAR({ord(letter)})")
        else:
            plain += quoted
    parts += [f'"{plain}"'] if plain or not parts else []
    return "&".join(parts)


def write(program: Program, cell: str) -> str:
    """Write the formulas of one row, with tabs between the cells; the first is the prediction."""
    return _Sheet(program, *_place(cell)).written()


def _place(cell: str) -> tuple[int, str]:
    """Return the position of a cell's column, and its row."""
    found = CELL.fullmatch(cell)
    if found is None:
        raise refusal(TITLE, f"has no cell {cell!r}", "name that of the first feature, such as 'A2'")
    return _position(found[1]), found[2]


class HasFeatures(Protocol):
    """A tree whose features have names."""

    @property
    def feature_names(self) -> list[str]:
        """Names of all features."""

    @property
    def used_features(self) -> IntArray:
        """Positions of those that some node tests."""


class _Sheet:
    """The cells of a row."""

    def __init__(self, program: Program, first: int, row: str) -> None:
        self.program, self.first, self.row = program, first, row
        self.cells: list[str] = [""]
        self.steps = folded(program)
        self.written_: dict[int, tuple[str, int]] = {}
        self.classes = [self.literal(label) for label in program.classes]
        for column in program.columns:
            if "" in (column.levels or ()):
                reason = f"takes an empty cell for a missing value, and '{column.name}' has an empty text"
                raise refusal(TITLE, reason, "rename it")

    def written(self) -> str:
        """Return all cells; a child has a higher number than its parent, so it is written before."""
        for number in reversed(range(len(self.steps))):
            if self.steps[number].ask != "leaf":
                self.written_[number] = self.formula(number)
        self.cells[0] = self.target(first_of(self.program))[0]
        if self.first + self.program.n_features + len(self.cells) > MOST_COLUMNS:
            reason = f"has {MOST_COLUMNS:,} columns, and the tree needs {len(self.cells):,}"
            raise refusal(TITLE, reason, "prune the tree")
        return "\t".join(f"={text}" for text in self.cells) + "\n"

    def name(self, position: int) -> str:
        """Return the name of a cell."""
        return f"{_letters(self.first + position)}{self.row}"

    def target(self, target: int) -> tuple[str, int]:
        """Return what stands for a target, and how deep it is."""
        return (self.classes[ANSWERS - target], 1) if target <= ANSWERS else self.written_[target]

    def formula(self, number: int) -> tuple[str, int]:
        """Write a step; targets that are too long or too deep get cells of their own."""
        asked = arms(self.steps[number])
        said = ["" if question is None else self.said(question, number) for question, _ in asked]
        below = [self.target(target) for _, target in asked]
        while self.is_too_much(said, below):
            longest = max(range(len(below)), key=lambda i: (below[i][1] > 1, len(below[i][0])))
            if below[longest][1] == 1:
                n_characters = sum(map(len, said))
                reason = f"reads formulas of at most 8,192 characters, and one step has {n_characters:,}"
                raise refusal(TITLE, reason, "group the values of the column")
            below[longest] = (self.moved(below[longest][0]), 1)
        text, depth = below[-1]
        for question, (answer, own) in zip(reversed(said[:-1]), reversed(below[:-1]), strict=True):
            text, depth = f"IF({question},{answer},{text})", max(own, depth, 3) + 1
        return text, depth

    def is_too_much(self, said: list[str], below: list[tuple[str, int]]) -> bool:
        """Whether a formula is too long or too deep for a cell."""
        length = sum(len(text) for text in said) + sum(len(text) for text, _ in below) + 6 * len(said)
        return length > MOST_CHARACTERS or max(depth for _, depth in below) + len(said) > MOST_NESTED

    def moved(self, text: str) -> str:
        """Move a formula to a cell of its own; return the name of that."""
        self.cells.append(text)
        return self.name(self.program.n_features + len(self.cells) - 1)

    def said(self, question: Question, number: int) -> str:
        """Write a question."""
        step = question.step
        column = self.program.columns[step.column]
        cell = self.name(column.position)
        if question.about == "among":
            return self.among(cell, question, column.levels or ())
        if question.about == "known":
            return f'{cell}<>""'
        relation = "<=" if question.about == "upto" else ">"
        return f'AND({cell}<>"",{cell}{relation}{self.cut(step, number)})'

    def among(self, cell: str, question: Question, levels: tuple[Label, ...]) -> str:
        """Ask for some values."""
        labels = [levels[code] for code in question.codes]
        asked = [
            f"EXACT({cell},{escaped(label)})"
            if isinstance(label, str)
            else f'AND({cell}<>"",{cell}={self.literal(label)})'
            for label in labels
        ]
        asked += [f'{cell}=""'] if question.or_missing else []
        if len(asked) <= MOST_VALUES:
            return asked[0] if len(asked) == 1 else f"OR({','.join(asked)})"
        parts = [asked[i : i + MOST_VALUES] for i in range(0, len(asked), MOST_VALUES)]
        joined = [f"OR({','.join(part)})" for part in parts]
        return f"OR({','.join(joined)})"

    def cut(self, step: Step, number: int) -> str:
        """Write a threshold with 15 digits; refuse one that training values lie too close beside."""
        exact = Decimal(repr(float(step.threshold)))
        cut = Context(prec=DIGITS, rounding=ROUND_FLOOR).plus(exact)
        below, above = (_shown(value) for value in self.program.cut_values[number].tolist())
        if (below is not None and below > cut) or (above is not None and above <= cut):
            reason = f"has {DIGITS} digits, and training values beside {step.threshold!r} agree in them"
            raise refusal(TITLE, reason, "round the column before fitting")
        return _decimal(cut)

    def literal(self, label: Label) -> str:
        """Write a label."""
        if isinstance(label, bool):
            return str(label).upper()
        if isinstance(label, str):
            return escaped(label)
        exact = Decimal(repr(label))
        if isinstance(label, int) and len(str(abs(label)).rstrip("0")) > DIGITS:
            raise refusal(TITLE, f"has {DIGITS} digits, and {label} is a value", "make it a text")
        return _decimal(Context(prec=DIGITS, rounding=ROUND_HALF_EVEN).plus(exact))


def _shown(value: float) -> Decimal | None:
    """Return a number with the digits that Excel has; None of NaN."""
    if value != value:
        return None
    return Context(prec=DIGITS, rounding=ROUND_HALF_EVEN).plus(Decimal(repr(value)))


def _decimal(value: Decimal) -> str:
    """Write a number that Excel reads."""
    if abs(value) > LARGEST:
        value = LARGEST.copy_sign(value)
    if 0 < abs(value) < SMALLEST:
        value = Decimal(0) if value > 0 else -SMALLEST
    text = format(value.normalize(), "f")
    return text if len(text) <= 20 else format(value.normalize(), "E")


def excel_cells(tree: HasFeatures, cell: str = "A2") -> dict[str, str]:
    """Return the cell that the formulas of `Tree.export` read for every feature that the tree tests.

    Parameters
    ----------
    tree : Tree
        The tree.
    cell : str, default="A2"
        The cell of the first feature.

    Returns
    -------
    cells : dict of str
        Cells by names of features, in the order of the features.

    Raises
    ------
    ExportError
        If there is no such cell.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.exports import excel_cells
    >>> tree = GreedyTreeClassifier(max_depth=2).fit(datasets.load("iris")).tree_
    >>> excel_cells(tree)
    {'petal length (cm)': 'C2', 'petal width (cm)': 'D2'}
    """
    first, row = _place(cell)
    return {
        tree.feature_names[feature]: f"{_letters(first + feature)}{row}"
        for feature in tree.used_features.tolist()
    }


def _letters(position: int) -> str:
    """Return the letters of a column, counted from 0.

    >>> _letters(0), _letters(25), _letters(26), _letters(16383)
    ('A', 'Z', 'AA', 'XFD')
    """
    letters, rest = "", position + 1
    while rest:
        rest, letter = divmod(rest - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return letters


def _position(letters: str) -> int:
    """Return the position of a column."""
    position = 0
    for letter in letters:
        position = position * 26 + ord(letter) - ord("A") + 1
    return position - 1
