"""Average ranks on a line, what does not differ joined by a bar."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

STEP = 0.42
"""Height of a line of text, in the units of the drawing."""

BAR = 0.16
"""Between two bars."""

INK = "#222222"
ACCENT = "#0072b2"


@dataclass(frozen=True)
class RankDiagram:
    """A critical-difference diagram: average ranks, and what there is to say about them."""

    methods: Sequence[str]
    ranks: NDArray[np.float64]
    critical_difference: float
    reference: str
    told: str
    """Written above the scale, on the right."""

    def draw(self, ax: Axes | None) -> Axes:
        """Draw it on `ax`, or on a new figure."""
        k = len(self.methods)
        order = np.argsort(self.ranks, kind="stable")
        bars = cliques(self.ranks[order], self.critical_difference)
        depth = 0.25 + BAR * len(bars)
        n_lines = (k + 1) // 2
        ax = axes(ax, "plot", width=6.4, height=1.0 + 0.32 * n_lines + 0.12 * len(bars))
        ax.set_axis_off()
        _scale(ax, k)
        self._difference(ax)
        for i, (first, last) in enumerate(bars):
            ends = self.ranks[order[[first, last]]] + np.array([-0.03, 0.03])
            height = -0.2 - BAR * i
            ax.plot(ends, [height, height], color=ACCENT, linewidth=3.5, solid_capstyle="butt", zorder=3)
        for place, method in enumerate(order):
            is_left = place < n_lines
            line = place if is_left else k - 1 - place
            self._label(ax, int(method), is_left, -depth - STEP * (line + 0.5))
        ax.set_xlim(1 - 0.35 * (k - 1), k + 0.35 * (k - 1))
        ax.set_ylim(-depth - STEP * (n_lines + 0.2), 1.25)
        return ax

    def _difference(self, ax: Axes) -> None:
        """Draw the critical difference from rank 1 on, and say what was tested."""
        width, height, k = self.critical_difference, 0.8, len(self.methods)
        ax.plot([1, 1 + width], [height, height], color=ACCENT, linewidth=1.5)
        for end in (1, 1 + width):
            ax.plot([end, end], [height - 0.07, height + 0.07], color=ACCENT, linewidth=1.5)
        text = f"critical difference {width:.{2 if width >= 0.1 else 3}f}"
        ax.text(1, height + 0.12, text, color=ACCENT, fontsize="small", ha="left", va="bottom")
        right = k + 0.3 * (k - 1)
        ax.text(right, height + 0.12, self.told, color=INK, fontsize="small", ha="right", va="bottom")

    def _label(self, ax: Axes, method: int, is_left: bool, height: float) -> None:
        """Lead a line from a rank to its method, beside the scale."""
        k, rank, name = len(self.methods), float(self.ranks[method]), self.methods[method]
        end = 1 - 0.02 * (k - 1) if is_left else k + 0.02 * (k - 1)
        ax.plot([rank, rank, end], [0, height, height], color=INK, linewidth=0.8, zorder=2)
        text = f"{name}  {rank:.2f}" if is_left else f"{rank:.2f}  {name}"
        weight = "bold" if name == self.reference else "normal"
        edge = end - 0.01 * (k - 1) if is_left else end + 0.01 * (k - 1)
        side = "right" if is_left else "left"
        ax.text(edge, height, text, color=INK, fontweight=weight, ha=side, va="center")


def cliques(ranks: NDArray[np.float64], critical_difference: float) -> list[tuple[int, int]]:
    """Return the largest runs of ascending ranks within the critical difference, by first and last."""
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = int(np.searchsorted(ranks, rank + critical_difference, side="right")) - 1
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found


def _scale(ax: Axes, k: int) -> None:
    ax.plot([1, k], [0, 0], color=INK, linewidth=1)
    for rank in range(1, k + 1):
        ax.plot([rank, rank], [0, 0.13], color=INK, linewidth=1)
        ax.text(rank, 0.2, str(rank), color=INK, fontsize="small", ha="center", va="bottom")
