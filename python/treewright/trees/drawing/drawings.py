"""The part of a `Tree` that draws it."""

from __future__ import annotations

import gc
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Unpack

from treewright import _core
from treewright.data.types import TableLike

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from scipy.sparse import csr_array

    from treewright.trees.drawing.options import ClassColours, DrawingOptions
    from treewright.trees.drawing.picture import Picture

__all__ = ["TreeDrawings"]

EngineTree = _core.Tree


@contextmanager
def _uncollected() -> Iterator[None]:
    """Pause the garbage collector.

    A picture is made of ten thousands of small objects, none of which is garbage before it is written; to
    look through them again and again takes a tenth of the time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class TreeDrawings(ABC):
    """The part of a `Tree` that draws it; all pictures have one layout."""

    __slots__ = ()
    _core: EngineTree

    @property
    @abstractmethod
    def _told(self) -> EngineTree:
        """The engine's tree, which says how it was found."""

    @abstractmethod
    def decision_path(self, X: TableLike) -> csr_array:
        """Find all nodes that a sample reaches."""

    def to_svg(
        self,
        *,
        orientation: str = "top-down",
        labels: str = "counts",
        class_colours: ClassColours | None = None,
        max_depth: int | None = None,
        max_branches: int = 40,
        max_nodes: int = 1000,
        row: TableLike | None = None,
        leaf_size: str = "width",
        decimals: int | None = None,
    ) -> str:
        """Draw the tree as SVG.

        Parameters
        ----------
        orientation : {"top-down", "left-right"}, default="top-down"
            Where the tree grows to.
        labels : {"short", "counts", "full"}, default="counts"
            What nodes say. ``"short"``: the tested feature, and the class of a leaf; ``"counts"``: also the
            number of training samples, and at leaves the share of the class and C4.5's ``(n/e)``;
            ``"full"``: also the samples of each class, weights where they differ, estimated error rates, and
            where missing values go if that differs among nodes.
        class_colours : list or dict of str, default=None
            A colour such as ``"#0072B2"`` for each class, or a dict of some classes and colours; None takes
            colours that colour-blind readers tell apart.
        max_depth : int, default=None
            Omit nodes below this depth; None draws all. Their number stands in their place.
        max_branches : int, default=40
            Draw as many branches of a node; the number of the others stands in their place.
        max_nodes : int, default=1000
            Draw as many nodes, level by level; the number of the others stands in their place.
        row : array-like of shape (n_features,), dict, or table of one row, default=None
            A sample whose path is marked, a dict by names of features. None marks nothing.
        leaf_size : {"width", "area", "equal"}, default="width"
            The bar of a leaf is as wide as its number of training samples, has this as its area, or is the
            same for all.
        decimals : int, default=None
            Least number of decimals of thresholds and weights. None writes as few digits as send every
            training sample its way, as `export_text` does.

        Returns
        -------
        text : str
            One element ``svg`` that needs nothing from outside. It is light or dark as its reader is.

        Notes
        -----
        Tests and answers are worded as `export_text` words them; what is cut is shown on hover. The bar of a
        node has the shares of the classes. A tree that kept its counts (``fit(X, y, keep_counts=True)``) has
        a histogram at each test, with the cut marked. A branch that no training sample reaches is grey.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> X = [[1.0], [2.0], [3.0], [4.0]]
        >>> tree = GreedyTreeClassifier().fit(X, ["low", "low", "high", "high"]).tree_
        >>> tree.to_svg(labels="short").startswith("<svg xmlns=")
        True
        """
        from treewright.trees.drawing.svg import svg_of

        with _uncollected():
            picture = self._picture(
                orientation=orientation,
                labels=labels,
                class_colours=class_colours,
                max_depth=max_depth,
                max_branches=max_branches,
                max_nodes=max_nodes,
                row=row,
                leaf_size=leaf_size,
                decimals=decimals,
            )
            return svg_of(picture)

    def plot(self, ax: Axes | None = None, **options: Unpack[DrawingOptions]) -> Axes:
        """Draw the tree with matplotlib.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a figure as large as the tree needs.
        **options
            As for `to_svg`.

        Returns
        -------
        ax : matplotlib.axes.Axes
            The axes with the drawing.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from treewright.trees.drawing.figure import plot_of

        return plot_of(self._picture(**options), ax)

    def to_dot(self, **options: Unpack[DrawingOptions]) -> str:
        """Write the tree for Graphviz.

        Parameters
        ----------
        **options
            As for `to_svg`. Histograms and the size of leaves are left out.

        Returns
        -------
        text : str
            A graph in the language DOT, which ``dot -Tsvg`` lays out.

        Examples
        --------
        >>> from treewright import GreedyTreeClassifier
        >>> tree = GreedyTreeClassifier().fit([[1.0], [2.0]], ["low", "high"]).tree_
        >>> tree.to_dot().splitlines()[0]
        'digraph tree {'
        """
        from treewright.trees.drawing.dot import dot_of

        return dot_of(self._picture(**options))

    def to_html(self, **options: Unpack[DrawingOptions]) -> str:
        """Draw the tree as a page to fold, zoom and search.

        Parameters
        ----------
        **options
            As for `to_svg`; `orientation` is ``"left-right"`` by default, and of `max_nodes` those below the
            first 30 are folded at first.

        Returns
        -------
        text : str
            A page of its own that needs nothing from outside.
        """
        from treewright.trees.drawing.page import page_of

        options.setdefault("orientation", "left-right")
        return page_of(self._picture(**options), self._told)

    def _repr_html_(self) -> str:
        """Draw the tree for a notebook, with its key figures."""
        from treewright.trees.drawing.summary import summary_of

        return summary_of(self._told)

    def _picture(self, **options: Unpack[DrawingOptions]) -> Picture:
        from treewright.trees.drawing.options import look_of
        from treewright.trees.drawing.picture import picture_of

        core = self._told
        return picture_of(core, look_of(options, core.classes), self._path(options.get("row")))

    def _path(self, row: TableLike | None) -> Collection[int]:
        """Return the nodes that a sample reaches."""
        if row is None:
            return frozenset()
        from treewright.trees.drawing.row import checked_one, one_row

        found = self.decision_path(one_row(row, self._core.names))
        checked_one(found.shape[0])
        return frozenset(found.indices.tolist())
