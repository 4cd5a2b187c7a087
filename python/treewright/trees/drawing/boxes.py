"""What stands in the box of each node: texts, a bar of shares, a histogram; from its upper left corner."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from treewright import _core
from treewright.trees.drawing.histogram import HISTOGRAM_HEIGHT, Histograms, Parts
from treewright.trees.drawing.measure import cut_to, in_lines, on_hover, told_apart, width_of, wrapped
from treewright.trees.drawing.options import AREA, EQUAL, FULL, SHORT, Look
from treewright.trees.drawing.parts import ANSWER, ANSWER_LINE, SMALL, Bar, Style, Text
from treewright.trees.drawing.words import Words

SIZE = 12.0
LINE, SMALL_LINE = 15.0, 12.5
PAD, BAR = 7.0, 7.0
MOST_WIDTH, MOST_ANSWER = 190.0, 150.0
LEAST_WIDTH, HISTOGRAM_WIDTH = 44.0, 120.0
MOST_LINES, MOST_COUNTS = 5, 3
"""Lines of the sum of a plane, and of the samples by class."""
NAME_LINES, VALUE_LINES, GROUP_LINES = 3, 3, 6
"""Lines of a name, and of what must hold on a branch: of a value, and of a group of values."""
OTHERS = "others"
WEIGHT, OFFSET = re.compile(r"(?<![\w.])\d+\.\d{4,}(?=\*)"), re.compile(r"\d+\.\d{4,}$")
"""Long numbers before a product, and at the end of a comparison: those of planes."""
LONGEST_BAR, LARGEST_AREA = 90.0, 30.0
LEAST_BAR = 5.0
"""So wide is the bar of the smallest leaf, so that it is seen."""


@dataclass(slots=True)
class Box:
    """A node with what stands in it, and the answer that leads to it.

    Attributes
    ----------
    node : int
        The node of the tree; of a stand-in for others that of its parent.
    kind : {"test", "leaf", "more"}
        What it is.
    title : str
        What is shown on hover.
    answer, answer_width : tuple of str, float
        What must hold on the branch to it, in lines.
    is_reached : bool
        Whether a training sample reaches it.
    colour : int
        The class of a leaf, else -1.
    weights : sequence of float
        Of the classes.
    n_more : int
        Of a stand-in how many nodes it stands for.
    x, y, edge : float, float, tuple of float
        Its upper left corner, and the points of the line that leads to it.
    """

    node: int
    kind: str
    width: float
    height: float
    parts: Parts
    title: str
    told: Sequence[Line]
    answer: tuple[str, ...] = ()
    answer_width: float = 0.0
    is_reached: bool = True
    is_on_path: bool = False
    colour: int = -1
    weights: Sequence[float] = ()
    n_more: int = 0
    x: float = 0.0
    y: float = 0.0
    edge: tuple[float, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """What it says, each line in full as far as it is worth reading."""
        return tuple([on_hover(line.text) for line in self.told])

    @property
    def rise(self) -> float:
        """Height of the answer with the room around it."""
        return ANSWER + ANSWER_LINE * (len(self.answer) - 1) if self.answer else 0.0


class Line(NamedTuple):
    """A line of text in a box."""

    text: str
    style: Style
    is_bold: bool = False
    number: str = ""
    """Behind a name that is cut, and looks like another one then."""


@dataclass
class Boxes:
    """Makes boxes."""

    core: _core.Tree
    words: Words
    look: Look
    largest_leaf: float
    histograms: Histograms
    _routes_differ: bool = field(init=False)
    _classes: dict[str, str] = field(init=False)
    _features: dict[str, str] = field(init=False)

    def __post_init__(self) -> None:
        """See whether nodes send missing values different ways; else a node need not tell."""
        self._routes_differ = any(route is not None for route in self.core.missing_routes)
        self._classes = told_apart(self.words.classes, lambda name: tuple(_broken(name, bold=True)))
        self._features = told_apart(self.words.names, lambda name: tuple(_broken(name, bold=True)))

    def of(self, node: int) -> Box:
        """Return the box of a node."""
        return self._leaf(node) if self.words.is_leaf(node) else self._test(node)

    def more(self, node: int, n_branches: int, n_nodes: int) -> Box:
        """Return the box that stands for nodes that are not shown."""
        nodes = f"{n_nodes:,} more node{'' if n_nodes == 1 else 's'}"
        lines = [Line(f"... {nodes}", "small")]
        if n_branches:
            plural = "" if n_branches == 1 else "es"
            lines = [Line(f"... {n_branches:,} more branch{plural}", "small"), Line(f"({nodes})", "small")]
        told = _stacked(lines)
        parts = told.parts(told.width / 2)
        title = " ".join(line.text for line in lines)
        return Box(node, "more", told.width, told.height, parts, title, lines, n_more=n_nodes)

    def _test(self, node: int) -> Box:
        words, look = self.words, self.look
        told = [*self._asked(node), *self._numbers(node)]
        if look.labels == FULL and self._routes_differ:
            told.append(Line(words.route(node), "small"))
        lines = _stacked(told)
        width, height = lines.width, lines.height
        if look.labels != SHORT and self.histograms.has(node):
            shift = max(width, HISTOGRAM_WIDTH + 2 * PAD) - width
            parts = lines.parts(width / 2 + shift / 2)
            width += shift
            parts += self.histograms.parts(node, PAD, height - PAD + 3, width - 2 * PAD)
            height += HISTOGRAM_HEIGHT
        else:
            parts = lines.parts(width / 2)
        parts += self._bar(node, PAD, height - PAD + 3, width - 2 * PAD, BAR)
        return self._box(node, "test", width, height + BAR + 2, parts, told)

    def _asked(self, node: int) -> list[Line]:
        """Return what a node asks about; the sum of a plane takes several lines."""
        test = self.words.test(node)
        if not self.words.is_plane(node):
            return [Line(test, "name", True, self._features.get(test, ""))]
        told = test if self.words.decimals is not None else WEIGHT.sub(_short_number, test)
        lines = self._short(wrapped(told, MOST_WIDTH, SMALL), MOST_LINES)
        return [Line(text, "small") for text in lines]

    def _leaf(self, node: int) -> Box:
        words, look = self.words, self.look
        name = words.label(node)
        told = [Line(name, "name", True, self._classes.get(name, ""))]
        if look.labels != SHORT:
            share = words.share(node)
            errors = words.rounded_errors(node)
            told.append(Line(f"{share} {errors}" if share else errors, "small"))
        if not words.is_reached(node):
            told.append(Line("(no samples)", "small"))
        told += self._more_numbers(node)
        lines = _stacked(told)
        width, height = lines.width, lines.height
        long, tall = self._extent(node, width - 2 * PAD)
        shift = max(long + 2 * PAD - width, 0.0) / 2
        parts = lines.parts(width / 2 + shift)
        width += 2 * shift
        parts += self._bar(node, (width - long) / 2, height - PAD + 3, long, tall)
        return self._box(node, "leaf", width, height + tall + 2, parts, told)

    def _numbers(self, node: int) -> list[Line]:
        if self.look.labels == SHORT:
            return []
        return [Line(self.words.total(node), "small"), *self._more_numbers(node)]

    def _more_numbers(self, node: int) -> list[Line]:
        if self.look.labels != FULL:
            return []
        counts = self._short(wrapped(self.words.counts(node), MOST_WIDTH, SMALL), MOST_COUNTS)
        estimate = self.words.estimate(node)
        return [Line(text, "small") for text in [*counts, *([estimate] if estimate else [])]]

    @staticmethod
    def _short(lines: list[str], most: int) -> list[str]:
        return [*lines[: most - 1], "…"] if len(lines) > most else lines

    def _extent(self, node: int, width: float) -> tuple[float, float]:
        """Return the length and height of the bar of a leaf: by its number of samples if so asked."""
        part = self.words.n_rows(node) / self.largest_leaf if self.largest_leaf > 0 else 0.0
        if self.look.leaf_size == EQUAL:
            return max(width, LEAST_WIDTH), BAR
        if self.look.leaf_size == AREA:
            side = max(LARGEST_AREA * part**0.5, LEAST_BAR) if part > 0 else 0.0
            return side, side
        return max(LONGEST_BAR * part, LEAST_BAR) if part > 0 else 0.0, BAR

    def _bar(self, node: int, x: float, y: float, width: float, height: float) -> Parts:
        """Return a bar of the shares of the classes."""
        total = self.words.weight(node)
        return [Bar(x, y, width, height, self.words.weights(node), total)] if total > 0 else []

    def _box(
        self, node: int, kind: str, width: float, height: float, parts: Parts, told: Sequence[Line]
    ) -> Box:
        words = self.words
        first = on_hover(words.branch(node)) if node else "all samples"
        is_leaf = kind == "leaf"
        name = on_hover(words.label(node) if is_leaf else words.test(node))
        title = f"{first}\n{'class' if is_leaf else 'tests'} {name}\n{words.told(node)}"
        answer = self._answer(node) if node else ()
        wide = max([width_of(line, SMALL) for line in answer]) if answer else 0.0
        is_reached, colour = words.is_reached(node), words.answer(node) if is_leaf else -1
        weights = words.weights(node)
        return Box(
            *(node, kind, width, height, parts, title, told, answer, wide),
            is_reached=is_reached,
            colour=colour,
            weights=weights,
        )

    def _answer(self, node: int) -> tuple[str, ...]:
        """Return what must hold on a branch: a group as far as it has room, then its number of values."""
        text = self.words.condition(node)
        if self.words.decimals is None and self.words.is_of_plane(node):
            text = OFFSET.sub(_short_number, text)
        if not text or width_of(text[:200], SMALL) <= MOST_ANSWER:
            return (text,) if text else ()
        n_listed = self.words.n_listed(node)
        if not n_listed:
            return tuple(in_lines(text, MOST_ANSWER, SMALL, VALUE_LINES))
        if self.words.is_complement(node):
            return (OTHERS,)
        lines = [cut_to(line, MOST_ANSWER, SMALL) for line in wrapped(on_hover(text), MOST_ANSWER, SMALL)]
        if len(lines) > GROUP_LINES:
            lines = [*lines[: GROUP_LINES - 1], f"… ({n_listed:,} values)"]
        return tuple(lines)


class Stacked(NamedTuple):
    """Lines of text below one another, with the place of each from above."""

    width: float
    height: float
    lines: list[tuple[float, str, Style]]

    def parts(self, middle: float) -> Parts:
        """Return the lines around a middle."""
        return [Text(middle, y, text, style) for y, text, style in self.lines]


def _stacked(lines: Sequence[Line]) -> Stacked:
    """Put lines below one another, as wide as the widest of them; long ones are broken or cut."""
    width, y = LEAST_WIDTH, PAD - 1
    placed: list[tuple[float, str, Style]] = []
    for text, style, bold, number in lines:
        step = LINE if bold else SMALL_LINE
        for part, wide in _pieces(text, bold, number):
            if wide > width:
                width = wide
            y += step
            placed.append((y - 3.5, part, style))
    return Stacked(width + 2 * PAD, y + PAD, placed)


def _short_number(found: re.Match[str]) -> str:
    """Write a number with four digits; all of them are shown on hover."""
    return f"{float(found[0]):.4g}"


@lru_cache(maxsize=4096)
def _pieces(text: str, bold: bool, number: str) -> list[tuple[str, float]]:
    """Return the lines of a text, the last with the number behind it, and their widths."""
    pieces = [*_broken(text, bold=bold)]
    pieces[-1] += number
    return [(piece, width_of(piece, SIZE if bold else SMALL, is_bold=bold)) for piece in pieces]


def _broken(text: str, *, bold: bool) -> Sequence[str]:
    if bold:
        return in_lines(text, MOST_WIDTH, SIZE, NAME_LINES, is_bold=True)
    return (cut_to(text, MOST_WIDTH, SMALL),)
