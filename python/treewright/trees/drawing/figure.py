"""A picture in matplotlib, for axes, PNG and PDF."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from treewright.reporting.matplotlib_glue import (
    Corners,
    Shade,
    add_boxes,
    add_paths,
    axes,
    in_picture,
    size_in_points,
)
from treewright.trees.drawing.boxes import Box
from treewright.trees.drawing.options import Look
from treewright.trees.drawing.parts import ANSWER_LINE, CUT, SMALL, TINY, Bar, Mark, Rect, Text
from treewright.trees.drawing.picture import CHIP, MARGIN, Picture

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PER_INCH = 96.0
"""Units of a picture in an inch."""
LONGEST_SIDE, LARGEST_AREA = 194.9, 1700.0
"""Of a figure, in inches and square inches: a page of PDF has at most 200, and the pixels need memory."""
INK, SOFT, FAINT, PAPER = "#1b1f24", "#7a838d", "#a9b1ba", "#ffffff"
SIZES = {"name": 12.0, "small": SMALL, "tiny": TINY}
HATCHES = ("", "////", "....", "++++")
MOVE, LINE, CURVE = 1, 2, 4
"""Codes of paths."""


def plot_of(picture: Picture, ax: Axes | None) -> Axes:
    """Draw a picture into axes, or into new ones that are as large as it needs."""
    ax = axes(ax, "plot", **_inches(picture))
    ax.set_xlim(0, picture.width)
    ax.set_ylim(picture.height, 0)
    ax.set_aspect("equal")
    ax.set_axis_off()
    wide, high = size_in_points(ax)
    pen = _Pen(ax, picture, min(wide / picture.width, high / picture.height))
    pen.edges()
    pen.boxes()
    pen.parts()
    pen.texts()
    return ax


def _inches(picture: Picture) -> dict[str, float]:
    """Return the size of a figure: that of the picture, or smaller if it is too large for paper."""
    width, height = picture.width / PER_INCH, picture.height / PER_INCH
    part = min(1.0, LONGEST_SIDE / max(width, height), (LARGEST_AREA / (width * height)) ** 0.5)
    return {"width": width * part, "height": height * part}


class _Pen:
    """Draws shapes that look alike together; `scale` is the number of points in a unit."""

    def __init__(self, ax: Axes, picture: Picture, scale: float) -> None:
        self.ax, self.picture, self.scale, self.top = ax, picture, scale, picture.top

    def edges(self) -> None:
        """Draw the lines between boxes."""
        plain: Shade = {"facecolor": "none", "zorder": 1}
        looks: dict[str, Shade] = {
            "on": {**plain, "edgecolor": INK, "linewidth": 3.0 * self.scale},
            "empty": {**plain, "edgecolor": FAINT, "linewidth": self.scale, "linestyle": "dashed"},
            "": {**plain, "edgecolor": SOFT, "linewidth": self.scale},
        }
        found = defaultdict(list)
        for box in self.picture.boxes:
            if box.edge:
                found[_state(box)].append(_curve(box.edge, self.top, self.picture.look))
        for state, paths in found.items():
            add_paths(self.ax, paths, **looks[state])

    def boxes(self) -> None:
        """Draw the outlines of boxes."""
        found: defaultdict[tuple[str, str, int], list[Corners]] = defaultdict(list)
        for box in self.picture.boxes:
            place = (MARGIN + box.x, self.top + box.y, box.width, box.height)
            found[box.kind, _state(box), box.colour].append(place)
        for (kind, state, colour), places in found.items():
            outline = {"on": INK, "empty": FAINT}.get(state, SOFT)
            if kind == "leaf" and not state:
                outline = self.picture.look.fill(colour)
            width = {"on": 3.0}.get(state, 1.6 if kind == "leaf" else 1.0) * self.scale
            add_boxes(
                self.ax,
                places,
                rounding=7.0 if kind == "leaf" else 2.0,
                facecolor={"leaf": "#f4f6f8", "more": "none"}.get(kind, PAPER),
                edgecolor=outline,
                linewidth=width,
                linestyle="dashed" if kind == "more" or state == "empty" else "solid",
                zorder=2,
            )

    def parts(self) -> None:
        """Draw bars, histograms and the squares of the classes."""
        found: defaultdict[int, list[Corners]] = defaultdict(list)
        for x, y, part in self._placed():
            if isinstance(part, Rect):
                found[part.colour].append((x + part.x, y + part.y, part.width, part.height))
            elif isinstance(part, Mark):
                at, tip = x + part.x, y + part.y
                path = [(at, tip), (at + 3, tip + 4), (at - 3, tip + 4), (at, tip)]
                add_paths(self.ax, [(path, (MOVE, LINE, LINE, LINE))], facecolor=INK, zorder=4, linewidth=0)
        for key in self.picture.keys:
            if key.colour >= 0:
                found[key.colour].append((key.x, key.y, CHIP, CHIP))
        for colour, places in found.items():
            add_boxes(self.ax, places, **_fill(self.picture.look, colour, self.scale))

    def texts(self) -> None:
        """Write all texts."""
        for x, y, part in self._placed():
            if isinstance(part, Text):
                self._write(x + part.x, y + part.y, part.text, part.anchor, SIZES[part.style])
        for box in self.picture.boxes:
            self._answer(box)
        for key in self.picture.keys:
            self._write(key.x + CHIP + 5, key.y + CHIP - 1.5, key.text, "start")

    def _answer(self, box: Box) -> None:
        is_down = self.picture.look.is_down
        x = MARGIN + box.x + (box.width / 2 if is_down else -4)
        y = self.top + box.y - 4 + (0 if is_down else box.height / 2)
        for above, line in zip(reversed(range(len(box.answer))), box.answer, strict=True):
            self._write(x, y - ANSWER_LINE * above, line, "middle" if is_down else "end")

    def _write(self, x: float, y: float, text: str, anchor: str = "middle", size: float = SMALL) -> None:
        self.ax.text(
            x,
            y,
            in_picture(text),
            fontsize=size * self.scale,
            fontweight="bold" if size > SMALL else "normal",
            fontfamily="DejaVu Sans",
            color=INK,
            horizontalalignment={"middle": "center", "start": "left", "end": "right"}[anchor],
            verticalalignment="baseline",
            zorder=5,
            clip_on=True,
        )

    def _placed(self) -> Iterable[tuple[float, float, Text | Rect | Mark]]:
        """Yield all parts of boxes with the corner of their box."""
        for box in self.picture.boxes:
            x, y = MARGIN + box.x, self.top + box.y
            for part in box.parts:
                yield from ((x, y, one) for one in (part.rects() if isinstance(part, Bar) else (part,)))


def _state(box: Box) -> str:
    return "on" if box.is_on_path else "" if box.is_reached else "empty"


def _curve(
    edge: Sequence[float], top: float, look: Look
) -> tuple[list[tuple[float, float]], tuple[int, ...]]:
    """Return a line as points and codes: straight, bent, straight."""
    a, b, c, d, e, f, g, h = edge
    down, across = (d + f) / 2, (c + e) / 2
    middle = [(c, down), (e, down)] if look.is_down else [(across, d), (across, f)]
    points = [(a, b), (c, d), *middle, (e, f), (g, h)]
    return [(MARGIN + x, top + y) for x, y in points], (MOVE, LINE, CURVE, CURVE, CURVE, LINE)


def _fill(look: Look, colour: int, scale: float) -> Shade:
    """Return how rectangles of a colour look."""
    if colour < 0:
        return {"facecolor": INK if colour == CUT else SOFT, "linewidth": 0, "zorder": 3}
    hatch = HATCHES[look.texture(colour)]
    found: Shade = {
        "facecolor": look.fill(colour),
        "linewidth": 0.5 * scale,
        "edgecolor": PAPER,
        "zorder": 3,
    }
    return {**found, "hatch": hatch, "edgecolor": INK} if hatch else found
