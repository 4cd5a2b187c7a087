"""`Description`: what is known of a table, in every form."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.description.facts import ColumnDescription, Facts

if TYPE_CHECKING:
    import pandas as pd

FORMAT = "treewright-description"


class Description(Facts):
    """What a data set holds, and what looks wrong with it; `Dataset.describe` makes it.

    Printed it is a text, in a notebook a page.

    Attributes
    ----------
    name : str or None
        Name of the set or of the file.
    reading : mapping or None
        How the file was read.
    content_hash : str
        Hash of all that the data set holds.
    n_samples : int
        Rows, without those of weight 0.
    weight : float or None
        Summed weight of the rows; None where every row weighs 1.
    columns : tuple of ColumnDescription
        The features.
    target : TargetDescription or None
        The classes; None without them.
    rows : RowsDescription
        Equal rows.
    determinations : tuple of Determination
        Columns that say what others are.
    remarks : tuple of Remark
        What is worth a look, the worst first.

    Examples
    --------
    >>> from treewright import Dataset
    >>> found = Dataset([["red", 1.5], ["blue", None], ["red", 1.5]], ["yes", "no", "no"]).describe()
    >>> found.rows.n_contradicting, found.columns[1].n_missing
    (2, 1)
    """

    def to_text(self, *, max_columns: int | None = None, width: int = 80) -> str:
        """Return the description as text.

        Parameters
        ----------
        max_columns : int, default=None
            Columns to list; None lists all.
        width : int, default=80
            Characters of a line, where names leave room for that.

        Returns
        -------
        text : str
            Size, classes, columns, equal rows, and what is worth a look.
        """
        from treewright.data.description.text import text_of

        return text_of(self, max_columns, width)

    __str__ = __repr__ = to_text

    def to_html(self) -> str:
        """Return a page with small histograms that needs nothing from outside.

        Returns
        -------
        page : str
            HTML.
        """
        from treewright.data.description.page import page

        return page(self)

    def _repr_html_(self) -> str:
        """Show the page in a notebook."""
        from treewright.data.description.page import fragment

        return fragment(self)

    def to_dict(self) -> dict[str, object]:
        """Return all that is known, of types that JSON has."""
        return {
            "reading": self.reading,
            "n_samples": self.n_samples,
            "weight": self.weight,
            "columns": [column.to_dict() for column in self.columns],
            "target": self.target and vars(self.target),
            "rows": vars(self.rows),
            "determinations": [vars(one) for one in self.determinations],
            "remarks": [vars(one) for one in self.remarks],
        }

    def to_json(self) -> str:
        """Return all that is known as JSON."""
        facts = {"format": FORMAT, "version": 1, **self.to_dict()}
        return json.dumps(facts, ensure_ascii=False, allow_nan=False)

    def to_frame(self) -> pd.DataFrame:
        """Return a pandas frame with a row for every column.

        Returns
        -------
        frame : pandas.DataFrame
            What `ColumnDescription` has, without the histogram.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_frame() needs pandas, which is not installed; install it, or use to_dict()"
            ) from error
        rows = [_flat(column) for column in self.columns]
        return pd.DataFrame(rows).set_index("name")


def _flat(column: ColumnDescription) -> dict[str, object]:
    """Return what fits one row of a frame."""
    plain = {name: value for name, value in vars(column).items() if name not in ("histogram", "extremes")}
    quartiles = plain.pop("quartiles") or (np.nan,) * 3
    frequent = plain.pop("most_frequent")
    first = {"most_frequent": frequent[0][0], "n_most_frequent": frequent[0][1]} if frequent else {}
    return {
        **plain,
        **dict(zip(("lower_quartile", "median", "upper_quartile"), quartiles, strict=True)),
        **first,
    }
