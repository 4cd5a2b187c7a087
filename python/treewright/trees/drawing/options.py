"""How a tree is drawn: what users ask for, checked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypedDict

from treewright._base.errors import ParameterError
from treewright._base.html import COLOURS
from treewright._base.params import BEYOND_DEPTH, at_most, one_of, whole_number
from treewright.data.intake.labels import Label
from treewright.data.types import TableLike

DOWN, RIGHT = ORIENTATIONS = ("top-down", "left-right")
SHORT, COUNTS, FULL = LABELS = ("short", "counts", "full")
EQUAL, WIDTH, AREA = LEAF_SIZES = ("equal", "width", "area")

MOST_NODES, MOST_BRANCHES = 1000, 40
MOST_DECIMALS = 1100
"""No 64-bit number has more."""

ClassColours = Mapping[Label, str] | Sequence[str]
"""A colour for each class, in the order of the classes or by name."""

MORE_COLOURS = (*COLOURS, "#F0E442", "#999999")
"""Fills of classes; further classes have the same ones with a texture."""
HEX = re.compile(r"#[0-9a-fA-F]{6}")


class DrawingOptions(TypedDict, total=False):
    """The options that all kinds of pictures take; `Tree.to_svg` explains them."""

    orientation: str
    labels: str
    class_colours: ClassColours | None
    max_depth: int | None
    max_branches: int
    max_nodes: int
    row: TableLike | None
    leaf_size: str
    decimals: int | None


@dataclass(frozen=True)
class Look:
    """What is asked for."""

    orientation: str
    labels: str
    colours: tuple[str, ...]
    max_depth: int
    max_branches: int
    max_nodes: int
    leaf_size: str
    decimals: int | None

    @property
    def is_down(self) -> bool:
        """Whether the root is at the top, not at the left."""
        return self.orientation == DOWN

    def fill(self, label: int) -> str:
        """Return the colour of a class."""
        return self.colours[label % len(self.colours)]

    def texture(self, label: int) -> int:
        """Return which texture a class has; 0 is none."""
        return (label // len(self.colours)) % 4


def look_of(options: DrawingOptions, classes: Sequence[Label]) -> Look:
    """Check the options."""
    unknown = next((name for name in options if name not in DrawingOptions.__annotations__), None)
    if unknown is not None:
        known = ", ".join(DrawingOptions.__annotations__)
        raise TypeError(f"there is no option {unknown!r} of drawing; there are {known}")
    depth = at_most("max_depth", options.get("max_depth"), BEYOND_DEPTH, remedy="None draws every level")
    most = options.get("max_nodes", MOST_NODES)
    few = options.get("max_branches", MOST_BRANCHES)
    return Look(
        orientation=one_of("orientation", options.get("orientation", DOWN), ORIENTATIONS),
        labels=one_of("labels", options.get("labels", COUNTS), LABELS),
        colours=_colours(options.get("class_colours"), classes),
        max_depth=BEYOND_DEPTH if depth is None else depth,
        max_branches=whole_number("max_branches", few, least=1, remedy="more branches are counted"),
        max_nodes=whole_number("max_nodes", most, least=1, remedy="more nodes are counted"),
        leaf_size=one_of("leaf_size", options.get("leaf_size", WIDTH), LEAF_SIZES),
        decimals=at_most(
            "decimals",
            options.get("decimals"),
            MOST_DECIMALS,
            remedy="None writes as few digits as decide alike",
        ),
    )


def _colours(given: ClassColours | None, classes: Sequence[Label]) -> tuple[str, ...]:
    if given is None:
        return MORE_COLOURS
    remedy = "give a list with a colour such as '#0072B2' for each class, or a dict of classes and colours"
    if isinstance(given, Mapping):
        unknown = [label for label in given if label not in classes]
        if unknown:
            raise ParameterError("class_colours", given, f"names {unknown[0]!r}, which is no class", remedy)
        usual = (MORE_COLOURS[i % len(MORE_COLOURS)] for i in range(len(classes)))
        found = [given.get(label, colour) for label, colour in zip(classes, usual, strict=True)]
    elif isinstance(given, str) or not isinstance(given, Sequence):
        raise ParameterError("class_colours", given, "is no list or dict of colours", remedy)
    else:
        found = list(given)
    for colour in found:
        if not isinstance(colour, str) or HEX.fullmatch(colour) is None:
            raise ParameterError("class_colours", given, f"has {colour!r}, which is no colour", remedy)
    if len(found) != len(classes):
        said = f"has {len(found)} colours for {len(classes)} classes"
        raise ParameterError("class_colours", given, said, remedy)
    return tuple(found)
