"""The one place that imports matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.ticker import Locator


def axes(ax: Axes | None, owner: str, *, width: float, height: float) -> Axes:
    """Return `ax`, or new axes of a size in inches; `owner` is the function that draws."""
    if ax is not None:
        return ax
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise ImportError(
            f"{owner}() needs matplotlib, which is not installed; "
            "`pip install 'treewright[plot]'` installs it"
        ) from error
    figure = pyplot.figure(figsize=(width, height), layout="constrained")
    return figure.add_subplot()


def whole_numbers() -> Locator:
    """Return what puts ticks at whole numbers only; axes are there, so matplotlib is."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True, min_n_ticks=1)
