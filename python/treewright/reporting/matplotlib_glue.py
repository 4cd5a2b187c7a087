"""The one place that imports matplotlib."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypedDict, Unpack

from treewright._base.shown import shown_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.patches import Patch
    from matplotlib.ticker import Locator

Colour = str | tuple[float, float, float, float]
"""A name, or red, green, blue and opacity."""

Points = Sequence[tuple[float, float]]

NO_DATES: dict[str, dict[str, None]] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {}}
"""Kinds of picture, and what keeps the moment out of them."""


def axes(ax: Axes | None, owner: str, *, width: float, height: float) -> Axes:
    """Return `ax`, or new axes of a size in inches; `owner` is the function that draws."""
    return new_figure(owner, width=width, height=height).add_subplot() if ax is None else ax


def new_figure(owner: str, *, width: float, height: float, padding: float = 0.04) -> Figure:
    """Return an empty figure of a size in inches, and so much room around each drawing."""
    try:
        from matplotlib import pyplot
    except ImportError as error:
        raise _missing(f"{owner}()") from error
    figure = pyplot.figure(figsize=(width, height), layout="constrained")
    figure.set_layout_engine("constrained", w_pad=padding, h_pad=padding)
    return figure


def without_windows(owner: str) -> None:
    """Switch matplotlib to drawing into files only, as a command does.

    Parameters
    ----------
    owner : str
        Name of the caller, for the message if matplotlib is missing.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    try:
        import matplotlib
    except ImportError as error:
        raise _missing(owner) from error
    matplotlib.use("agg")


def picture(figure: Figure, kind: str) -> bytes:
    """Return a figure as a file: the same figure gives the same bytes.

    Parameters
    ----------
    figure : matplotlib.figure.Figure
        The figure.
    kind : {"png", "pdf", "svg"}
        Kind of the file.

    Returns
    -------
    content : bytes
        The file, without the moment at which it was made.
    """
    import matplotlib

    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "treewright"}):
        figure.savefig(stream, format=kind, dpi=150, metadata=NO_DATES[kind])
    return stream.getvalue()


def whole_numbers() -> Locator:
    """Return what puts ticks at whole numbers only; axes are there, so matplotlib is."""
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True, min_n_ticks=1)


def plain_numbers() -> Locator:
    """Return what puts ticks at 1, 2, 5, 10, 20, ... of a logarithmic axis."""
    from matplotlib.ticker import LogLocator

    return LogLocator(base=10.0, subs=(1.0, 2.0, 5.0))


def no_ticks() -> Locator:
    """Return what puts no ticks anywhere."""
    from matplotlib.ticker import NullLocator

    return NullLocator()


def in_picture(text: object) -> str:
    """Return a name as a picture shows it: all can be seen, and no dollar sign starts a formula."""
    return shown_text(text).replace("$", r"\$")


def rectangle(x: float, y: float, width: float, height: float, *, colour: str, line_width: float) -> Patch:
    """Return the outline of a rectangle."""
    from matplotlib.patches import Rectangle

    return Rectangle((x, y), width, height, fill=False, edgecolor=colour, linewidth=line_width)


Corners = tuple[float, float, float, float]
"""Left, upper, width and height."""


class Shade(TypedDict, total=False):
    """How shapes look, as matplotlib's collections take it."""

    facecolor: str
    edgecolor: str
    linewidth: float
    linestyle: str
    zorder: float
    hatch: str


def add_boxes(ax: Axes, boxes: Sequence[Corners], *, rounding: float = 0.0, **look: Unpack[Shade]) -> None:
    """Draw boxes that look alike, their corners rounded."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import FancyBboxPatch, Rectangle

    def patch(box: Corners) -> Patch:
        x, y, width, height = box
        if rounding:
            style = f"round,pad=0,rounding_size={min(rounding, width / 2, height / 2)}"
            return FancyBboxPatch((x, y), width, height, boxstyle=style)
        return Rectangle((x, y), width, height)

    if boxes:
        ax.add_collection(PatchCollection([patch(box) for box in boxes], **look), autolim=False)


def add_paths(ax: Axes, paths: Sequence[tuple[Points, Sequence[int]]], **look: Unpack[Shade]) -> None:
    """Draw paths that look alike, each of points and matplotlib's codes for them."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    if paths:
        found = [Path(points, codes) for points, codes in paths]
        ax.add_collection(PathCollection(found, **look), autolim=False)


def size_in_points(ax: Axes) -> tuple[float, float]:
    """Return width and height of axes in points, of which an inch has 72."""
    box = ax.get_window_extent().transformed(ax.figure.dpi_scale_trans.inverted())
    return box.width * 72, box.height * 72


def shades(n: int) -> list[Colour]:
    """Return so many colours from dark to light, in grey too, none of them too light to see."""
    from matplotlib import colormaps

    return [colormaps["viridis"](0.85 * i / max(n - 1, 1)) for i in range(n)]


def _missing(owner: str) -> ImportError:
    return ImportError(
        f"{owner} needs matplotlib, which is not installed; `pip install 'treewright[plot]'` installs it"
    )
