"""`Exploration`: what was found, as text, picture and facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from treewright._base.checkpoint import PathLike, write_whole
from treewright.exploration.findings import Findings
from treewright.exploration.plot import drawn_front
from treewright.exploration.report import facts_of, markdown_report, report

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["Exploration"]


class Exploration(Findings):
    """What `explore` found.

    Printed it is a report. ``to_dict()`` and ``to_json()`` hold the same for programs.

    Attributes
    ----------
    recommended_ : estimator
        The recommended tree as a fitted estimator.
    tree_ : Tree
        The recommended tree, which compares raw numbers.
    evaluation_ : Evaluation
        How good trees are that are chosen this way: the answers on the outer folds, of trees whose whole
        choice has not seen the rows.
    error_ : Share
        Their error, with the ends `low` and `high` of its interval of 95 %.
    mean_size_ : float
        Mean size of the trees that were chosen in the outer folds.
    choice_ : Choice
        Family and candidate of the recommended tree.
    families_ : ResultTable
        One row for each family that was judged in every fold: ``family``; ``candidate``, its own choice on
        all rows, with ``size`` and inner ``inner_error``; ``error``, ``low`` and ``high`` of trees chosen
        within the family; ``difference`` of this error to the recommended procedure's, over the same folds,
        with its ends and ``p_value`` (Nadeau and Bengio); ``mean_size`` over the outer folds; ``seconds``.
    front_ : ResultTable
        One row for each candidate on all rows, by size: ``family``, ``candidate``, ``size``, ``n_leaves``,
        ``n_features``, ``questions`` (asked of a row on the mean), inner ``error`` (or cost) with ``low`` and
        ``high``, and ``is_on_front``: nothing smaller errs as little.
    stability_ : Stability
        How alike the choices of the outer folds are.
    dropped_ : tuple of Dropped
        Families that were not judged in every fold, and why.
    status_ : str
        ``"complete"``, ``"time_limit"`` or ``"stopped"``.
    elapsed_ : float
        Seconds.
    """

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw inner error against size, the front as a line, the recommended tree with a ring.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Sizes double from tick to tick; grey points are candidates that are not on the front.
        """
        return drawn_front(self.front_, self.choice_.family, self.choice_.candidate, ax)

    def to_text(self, width: int = 80, *, details: bool = True) -> str:
        """Return the report as text.

        Parameters
        ----------
        width : int, default=80
            Characters of a line.
        details : bool, default=True
            Whether confusion matrix, figures of classes, calibration, subgroups and what is worth a look in
            the data are told, too.

        Returns
        -------
        text : str
            Recommended tree, promise, families, front, what other prices choose, details, stability, time.
        """
        return report(self, width, details=details)

    def to_markdown(self) -> str:
        """Return the report as Markdown.

        Returns
        -------
        text : str
            What `to_text` says.
        """
        return markdown_report(self)

    def to_html(self, path: PathLike | None = None) -> str:
        """Return the report as a page that needs nothing from outside.

        It holds all that there is to tell: the tree, what is promised, the data, the front, rules,
        confusion matrix, calibration, subgroups, costs, other families and black boxes, what is proven, how
        it was made.
        Sections fold, and are open on paper. The page is below 2 MB.

        Parameters
        ----------
        path : path, default=None
            File to write the page to; ``treewright predict`` uses the tree in it. None writes none.

        Returns
        -------
        page : str
            HTML.
        """
        from treewright.exploration.page.whole import page_of

        page = page_of(self)
        if path is not None:
            write_whole(Path(path), page.encode())
        return page

    def _repr_html_(self) -> str:
        """Show the short form in a notebook."""
        from treewright.exploration.page.whole import short_form

        return short_form(self)

    def __str__(self) -> str:
        return self.to_text()

    def __repr__(self) -> str:
        error, n = self.error_, self.tree_.n_leaves
        leaves = "1 leaf" if n == 1 else f"{n} leaves"
        return (
            f"<Exploration: {self.choice_.words}, {leaves}; error {error.value:.1%} "
            f"({error.low:.1%} to {error.high:.1%})>"
        )

    def to_dict(self) -> dict[str, object]:
        """Return everything, of types that JSON has; what is not known is None."""
        return facts_of(self)

    def to_json(self) -> str:
        """Return everything as JSON; `Tree.from_json` reads the tree in it, under ``"tree"``."""
        return json.dumps(self.to_dict(), ensure_ascii=False, allow_nan=False)
