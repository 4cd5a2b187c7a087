"""The picture of the front: size against error, in SVG that is light or dark as the page."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import treewright.exploration.sentences as sentences
from treewright._base.html import element
from treewright.exploration.comparison import written
from treewright.exploration.findings import Findings
from treewright.exploration.page.parts import told

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 20, 16, 46
MOST_OFF = 400
"""Candidates that are not on the front and still drawn."""


@dataclass(frozen=True)
class Frame:
    """Where sizes and errors stand."""

    largest: float
    top: float

    def x(self, size: float) -> float:
        """Return the place of a size; each doubling takes as much room."""
        return LEFT + (WIDTH - LEFT - RIGHT - 20) * math.log2(max(size, 1.0)) / math.log2(self.largest) + 10

    def y(self, value: float) -> float:
        """Return the place of an error."""
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(value, self.top) / self.top)


def chart(found: Findings) -> str:
    """Draw the front."""
    table, promised = found.front_, _promised(found)
    boxes = {found.title_of(name): found.figure_of(name) for name in found.ceiling}
    highest = max(float(table["error"].max()), float(table["high"][table["is_on_front"]].max()), promised[2])
    largest = max(float(table["size"].max()), 2.0)
    frame = Frame(largest, max([highest, *boxes.values(), 1e-9]) * 1.04)
    shapes = [
        *_axes(found, frame),
        *_candidates(found, frame),
        *(_line(found, frame, title, figure) for title, figure in boxes.items()),
        *_front(found, frame),
        _own(found, frame, promised),
    ]
    about = "Leaves of the trees against their error"
    svg = element(
        "svg",
        element("title", told(about)),
        *shapes,
        viewBox=f"0 0 {WIDTH} {HEIGHT}",
        width=WIDTH,
        height=HEIGHT,
        role="img",
        class_="chart",
    )
    return element("figure", svg, _legend(found))


def _promised(found: Findings) -> tuple[float, float, float]:
    """Return what is promised, with its ends."""
    if sentences.is_cost(found):
        cost = found.evaluation_.mean_cost or 0.0
        return cost, cost, cost
    error = found.error_
    return error.value, error.low, error.high


def _axes(found: Findings, frame: Frame) -> Iterator[str]:
    step = _step(frame.top)
    for place in range(int(frame.top / step + 1e-9) + 1):
        value = place * step
        y = frame.y(value)
        yield f'<path class="grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}"/>'
        shown = f"{value:.4g}" if sentences.is_cost(found) else f"{100 * value:.3g}%"
        yield f'<text class="soft" x="{LEFT - 7}" y="{y + 4:.1f}" text-anchor="end">{shown}</text>'
    for power in range(int(math.log2(frame.largest)) + 1):
        x = frame.x(2**power)
        yield f'<path class="grid" d="M{x:.1f} {HEIGHT - BOTTOM}v5"/>'
        yield _text(str(2**power), f'x="{x:.1f}" y="{HEIGHT - BOTTOM + 19}"')
    middle = (LEFT + WIDTH - RIGHT) / 2
    yield _text("leaves of the tree", f'x="{middle:.0f}" y="{HEIGHT - 6}"')
    name = "cost of an answer" if sentences.is_cost(found) else "error"
    middle = (TOP + HEIGHT - BOTTOM) / 2
    yield _text(name, f'transform="translate(14 {middle:.0f}) rotate(-90)"')


def _text(text: str, place: str) -> str:
    return f'<text class="soft" {place} text-anchor="middle">{text}</text>'


def _step(top: float) -> float:
    """Return a round distance of four to nine lines."""
    power = 10.0 ** math.floor(math.log10(top))
    return next(part * power for part in (0.1, 0.2, 0.5, 1.0) if top / (part * power) <= 9 or part == 1.0)


def _candidates(found: Findings, frame: Frame) -> Iterator[str]:
    table = found.front_[~found.front_["is_on_front"]]
    for one in table.records()[:MOST_OFF]:
        yield _point("off", 3, frame, found, one)


def _front(found: Findings, frame: Frame) -> Iterator[str]:
    front = found.front_[found.front_["is_on_front"]].records()
    places = [f"{frame.x(_number(one['size'])):.1f} {frame.y(_number(one['error'])):.1f}" for one in front]
    yield f'<path class="line" d="M{"L".join(places)}"/>'
    for one in front:
        x, low, high = frame.x(_number(one["size"])), _number(one["low"]), _number(one["high"])
        yield f'<path class="end" d="M{x:.1f} {frame.y(high):.1f}V{frame.y(low):.1f}"/>'
        yield _point("dot", 4.5, frame, found, one)


def _point(kind: str, radius: float, frame: Frame, found: Findings, one: dict[str, object]) -> str:
    size, error = _number(one["size"]), _number(one["error"])
    low, high = (written(_number(one[end]), is_cost=sentences.is_cost(found)) for end in ("low", "high"))
    unit = "" if sentences.is_cost(found) else "%"
    shown = written(error, is_cost=sentences.is_cost(found))
    name = f"{found.title_of(str(one['family']))}: {one['candidate']}"
    title = f"{name}; {one['n_leaves']} leaves, {shown}{unit} ({low} to {high})"
    place = f'cx="{frame.x(size):.1f}" cy="{frame.y(error):.1f}" r="{radius}"'
    return f'<circle class="{kind}" {place}><title>{told(title)}</title></circle>'


def _line(found: Findings, frame: Frame, title: str, error: float) -> str:
    y, unit = frame.y(error), "" if sentences.is_cost(found) else "%"
    shown = written(error, is_cost=sentences.is_cost(found))
    about = f"<title>{told(f'{title}: {shown}{unit} on the outer folds')}</title>"
    return f'<path class="box" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}">{about}</path>'


def _own(found: Findings, frame: Frame, promised: tuple[float, float, float]) -> str:
    """Draw a ring around the recommended tree, and beside it what is promised."""
    choice, part = found.choice_, found.part_of(found.choice_)
    size = float(part.sizes[choice.place])
    x, y = frame.x(size), frame.y(float(part.losses[choice.place] / part.whole))
    value, low, high = (frame.y(one) for one in promised)
    beside = x + 9
    diamond = f'<path class="outer" d="M{beside:.1f} {value - 5:.1f}l5 5l-5 5l-5-5z"/>'
    ends = f'<path class="outer" d="M{beside:.1f} {high:.1f}V{low:.1f}"/>'
    return f'<circle class="ring" cx="{x:.1f}" cy="{y:.1f}" r="8.5"/>{ends}{diamond}'


def _number(value: object) -> float:
    assert isinstance(value, int | float), "columns of numbers"
    return float(value)


FRONT = '<path class="end" d="M11 1V15"/><circle class="dot" cx="11" cy="8" r="4"/>'
PROMISED = '<path class="outer" d="M11 1V15M11 3l5 5l-5 5l-5-5z"/>'
SIGNS = {
    "recommended": '<circle class="ring" cx="11" cy="8" r="6"/>',
    "the front, with intervals of 95 % (inner folds)": FRONT,
    "other candidates (inner folds)": '<circle class="off" cx="11" cy="8" r="3"/>',
    "what is promised, with its interval (outer folds)": PROMISED,
}
BOX = '<path class="box" d="M0 8H22"/>'


def _legend(found: Findings) -> str:
    signs = dict(SIGNS)
    for name in found.ceiling:
        signs[f"{found.title_of(name)}, a black box (outer folds)"] = BOX
    return element(
        "p",
        *(
            element(
                "span",
                f'<svg class="chart" width="22" height="16" viewBox="0 0 22 16">{sign}</svg>{told(name)}',
            )
            for name, sign in signs.items()
        ),
        class_="legend",
    )
