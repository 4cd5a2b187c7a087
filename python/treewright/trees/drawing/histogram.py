"""The histogram in the box of a test: training samples by value and class, with the cut."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright import _core
from treewright._base.shown import shown_values
from treewright.data.types import FloatArray
from treewright.trees.drawing.measure import cut_to
from treewright.trees.drawing.parts import AXIS, CUT, TINY, Mark, Part, Rect, Text

Parts = list[Part]

BARS_HEIGHT = 34.0
HISTOGRAM_HEIGHT = BARS_HEIGHT + 16.0
MOST_BARS = 24
GROUP = 5
"""Kind of a node that asks whether a value is in a set."""


class Histograms:
    """The histograms that a tree has kept."""

    def __init__(self, core: _core.Tree) -> None:
        self._found = core.histograms or []
        if self._found:
            self._n_classes = len(core.classes)
            self._kind, self._feature, self._cut = core.kind, core.feature, core.threshold
            self._sets, self._levels = core.branch_levels, core.levels
            self._names: dict[int, list[str]] = {}

    def has(self, node: int) -> bool:
        """Whether there is one for a node, with a sample in it."""
        found = self._found[node] if self._found else None
        return found is not None and any(map(any, found.counts))

    def parts(self, node: int, x: float, y: float, width: float) -> Parts:
        """Return the shapes of one whose upper left corner is at `x`, `y`."""
        found = self._found[node]
        assert found is not None, "it was asked for"
        counts = np.array(found.counts, dtype=np.float64).reshape(-1, self._n_classes)
        base = y + BARS_HEIGHT
        parts: Parts = [Rect(x, base, width, 0.8, AXIS)]
        if found.edges:
            cut = float(self._cut[node])
            return parts + _of_numbers(np.array(found.edges), counts, cut, x, base, width)
        members = self._sets[node] if self._kind[node] == GROUP else None
        order = _order(members, found.levels, counts)
        names = [self._name(int(self._feature[node]), level) for level in found.levels]
        return parts + _of_levels(names, order, counts, x, base, width)

    def _name(self, feature: int, level: int) -> str:
        """Return a value in words."""
        if feature not in self._names:
            own = self._levels[feature] or []
            self._names[feature] = [*shown_values(own, may_miss=True), "missing"]
        return self._names[feature][level]


def _of_numbers(
    edges: FloatArray, counts: FloatArray, cut: float, x: float, base: float, width: float
) -> Parts:
    """Draw bars from edge to edge, as high as dense, with the ends of the axis and the cut."""
    low, span = edges[0], edges[-1] - edges[0]
    if span <= 0 or not np.isfinite(span):
        places = np.linspace(x, x + width, len(edges))
    else:
        places = x + width * (edges - low) / span
    places[1:-1] = np.clip(places[1:-1], x, x + width)
    wide = np.maximum(np.diff(places), 0.6)
    heights = counts / wide[:, None]
    parts = _bars(heights, places[:-1].tolist(), wide.tolist(), base)
    if edges[0] <= cut <= edges[-1]:
        at = float(np.interp(cut, edges, places))
        parts += [Rect(at - 0.6, base - BARS_HEIGHT, 1.2, BARS_HEIGHT + 3, CUT), Mark(at, base + 1)]
    y = base + 12
    ends = f"{edges[0]:.4g}", f"{edges[-1]:.4g}"
    return [*parts, Text(x, y, ends[0], "tiny", "start"), Text(x + width, y, ends[1], "tiny", "end")]


def _of_levels(
    names: Sequence[str],
    order: Sequence[int | None],
    counts: FloatArray,
    x: float,
    base: float,
    width: float,
) -> Parts:
    """Draw a bar for each value, in the order of the branches, with a line between two sides of a set."""
    step = width / max(len(order), 1)
    places = {one: x + i * step for i, one in enumerate(order) if one is not None}
    wide = min(step - 1, 26.0) if step > 2 else step
    lefts = [place + (step - wide) / 2 for place in places.values()]
    parts = _bars(counts[list(places)], lefts, [wide] * len(places), base)
    for one, place in places.items():
        text = cut_to(names[one], step, TINY)
        if text != "…":
            parts.append(Text(place + step / 2, base + 9, text, "tiny"))
    if None in order:
        at = x + (order.index(None) + 0.5) * step
        parts.append(Rect(at - 0.6, base - BARS_HEIGHT, 1.2, BARS_HEIGHT + 4, CUT))
    return parts


def _order(members: Sequence[int] | None, levels: Sequence[int], counts: FloatArray) -> list[int | None]:
    """Return the values that are drawn, the largest of many; None stands between a set and the others."""
    sizes = counts.sum(axis=1)
    kept: list[int] = sorted(np.argsort(-sizes, kind="stable")[:MOST_BARS].tolist())
    if members is None:
        return list(kept)
    inside: list[int | None] = [one for one in kept if levels[one] in set(members)]
    return [*inside, None, *(one for one in kept if one not in inside)]


def _bars(heights: FloatArray, lefts: Sequence[float], wide: Sequence[float], base: float) -> Parts:
    """Draw upright bars, the classes of each stacked."""
    scale = BARS_HEIGHT / heights.sum(axis=1).max()
    parts: Parts = []
    for left, width, column in zip(lefts, wide, (heights * scale).tolist(), strict=True):
        bottom = base
        for label, tall in enumerate(column):
            if tall > 0:
                bottom -= tall
                parts.append(Rect(left, bottom, width, tall, label))
    return parts
