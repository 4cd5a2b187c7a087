"""Shapes that boxes consist of, for any writer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

Style = Literal["name", "small", "tiny"]
"""Of a text: what a node asks or answers, numbers, the ends of an axis."""

SMALL, TINY = 10.0, 8.0
ANSWER, ANSWER_LINE = 15.0, 12.5
"""Height of the answer on a branch with the room around it, and of every further line of it."""
AXIS, CUT = -1, -2
"""Colours that are no class."""
THINNEST = 0.5
"""A part of a bar that is thinner cannot be seen: the line around each part, half of it inside, covers it."""


class Text(NamedTuple):
    """A line of text; `x` is its middle, its start or its end, `y` its base line."""

    x: float
    y: float
    text: str
    style: Style
    anchor: Literal["middle", "start", "end"] = "middle"


class Rect(NamedTuple):
    """A filled rectangle; `colour` is a class, `AXIS` or `CUT`."""

    x: float
    y: float
    width: float
    height: float
    colour: int


class Bar(NamedTuple):
    """A bar of the classes side by side, each as long as its weight; one too thin to be seen is left out."""

    x: float
    y: float
    width: float
    height: float
    weights: Sequence[float]
    total: float

    def rects(self) -> Iterator[Rect]:
        """Yield the part of each class."""
        x = self.x
        for label, weight in enumerate(self.weights):
            if weight > 0:
                long = self.width * weight / self.total
                if long >= THINNEST:
                    yield Rect(x, self.y, long, self.height, label)
                x += long


class Mark(NamedTuple):
    """A small triangle below an axis, its tip at `x`, `y`."""

    x: float
    y: float


Part = Text | Rect | Bar | Mark
