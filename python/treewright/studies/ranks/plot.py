"""Average ranks on a line, what does not differ joined by a bar."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from treewright.reporting.matplotlib_glue import axes, new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from treewright.studies import RankComparison

STEP = 0.42
"""Height of a line of text, in the units of the drawing."""

BAR = 0.16
"""Between two bars."""

INK = "#222222"
ACCENT = "#0072b2"


def plot_critical_difference(comparison: RankComparison, ax: Axes | None = None) -> Axes:
    """Draw average ranks on a line, the best on the left, methods that do not differ joined by a bar.

    Two methods differ where their ranks are further apart than the critical difference of Nemenyi's test of
    all pairs, which is drawn above the line.

    Parameters
    ----------
    comparison : RankComparison
        What `treewright.studies.compare_ranks` found.
    ax : matplotlib.axes.Axes, default=None
        Where to draw; None makes a new figure.

    Returns
    -------
    ax : matplotlib.axes.Axes
        A critical-difference diagram; the reference is in bold.

    Raises
    ------
    ImportError
        If matplotlib is not installed.

    References
    ----------
    J. Demšar, "Statistical Comparisons of Classifiers over Multiple Data Sets", JMLR 7, 2006, figure 1.

    Examples
    --------
    >>> from treewright.studies.ranks.plot import plot_critical_difference
    >>> from treewright.studies import compare_ranks
    >>> comparison = compare_ranks([[3, 2, 1], [3, 1, 2], [3, 2, 1]], ["a", "b", "c"])
    >>> ax = plot_critical_difference(comparison)
    >>> [text.get_text() for text in ax.texts][-2:]
    ['b  1.67', '3.00  a']
    """
    k = len(comparison.methods)
    order, bars = _order_and_bars(comparison)
    depth = 0.25 + BAR * len(bars)
    n_lines = (k + 1) // 2
    ax = axes(ax, "plot_critical_difference", **_size(comparison))
    ax.set_axis_off()
    _scale(ax, k)
    _difference(ax, comparison)
    for i, (first, last) in enumerate(bars):
        ends = comparison.ranks[order[[first, last]]] + np.array([-0.03, 0.03])
        height = -0.2 - BAR * i
        ax.plot(ends, [height, height], color=ACCENT, linewidth=3.5, solid_capstyle="butt", zorder=3)
    for place, method in enumerate(order):
        is_left = place < n_lines
        line = place if is_left else k - 1 - place
        _label(ax, comparison, int(method), is_left, -depth - STEP * (line + 0.5))
    ax.set_xlim(1 - 0.35 * (k - 1), k + 0.35 * (k - 1))
    ax.set_ylim(-depth - STEP * (n_lines + 0.2), 1.25)
    return ax


def critical_difference_page(comparison: RankComparison) -> Figure:
    """Draw average ranks on a figure of their own.

    Parameters
    ----------
    comparison : RankComparison
        What `treewright.studies.compare_ranks` found.

    Returns
    -------
    figure : matplotlib.figure.Figure
        With what `plot_critical_difference` draws.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    figure = new_figure("critical_difference_page", **_size(comparison))
    plot_critical_difference(comparison, figure.add_subplot())
    return figure


def _order_and_bars(comparison: RankComparison) -> tuple[NDArray[np.intp], list[tuple[int, int]]]:
    """Return the methods by rank, and which of them bars join."""
    order = np.argsort(comparison.ranks, kind="stable")
    return order, cliques(comparison.ranks[order], comparison.critical_difference)


def _size(comparison: RankComparison) -> dict[str, float]:
    n_lines, n_bars = (len(comparison.methods) + 1) // 2, len(_order_and_bars(comparison)[1])
    return {"width": 6.4, "height": 1.0 + 0.32 * n_lines + 0.12 * n_bars}


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


def _difference(ax: Axes, comparison: RankComparison) -> None:
    """Draw the critical difference from rank 1 on, and say what was tested."""
    width, height = comparison.critical_difference, 0.8
    ax.plot([1, 1 + width], [height, height], color=ACCENT, linewidth=1.5)
    for end in (1, 1 + width):
        ax.plot([end, end], [height - 0.07, height + 0.07], color=ACCENT, linewidth=1.5)
    text = f"critical difference {width:.{2 if width >= 0.1 else 3}f}"
    ax.text(1, height + 0.12, text, color=ACCENT, fontsize="small", ha="left", va="bottom")
    sets = "1 set" if comparison.n_sets == 1 else f"{comparison.n_sets:,} sets"
    told = f"{sets}, Friedman p {_probability(comparison.p_value)}"
    k = len(comparison.methods)
    ax.text(k + 0.3 * (k - 1), height + 0.12, told, color=INK, fontsize="small", ha="right", va="bottom")


def _probability(p: float) -> str:
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _label(ax: Axes, comparison: RankComparison, method: int, is_left: bool, height: float) -> None:
    """Lead a line from a rank to its method, beside the scale."""
    k, rank = len(comparison.methods), float(comparison.ranks[method])
    name = comparison.methods[method]
    end = 1 - 0.02 * (k - 1) if is_left else k + 0.02 * (k - 1)
    ax.plot([rank, rank, end], [0, height, height], color=INK, linewidth=0.8, zorder=2)
    text = f"{name}  {rank:.2f}" if is_left else f"{rank:.2f}  {name}"
    weight = "bold" if name == comparison.reference else "normal"
    edge = end - 0.01 * (k - 1) if is_left else end + 0.01 * (k - 1)
    ax.text(edge, height, text, color=INK, fontweight=weight, ha="right" if is_left else "left", va="center")
