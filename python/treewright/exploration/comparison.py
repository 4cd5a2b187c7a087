"""Paired differences of families to what is recommended, over the same outer folds."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from treewright.reporting import Column, Table
from treewright.studies.common.statistics import corrected_t, holm_adjusted, interval


@dataclass(frozen=True)
class Compared:
    """A family beside what is recommended.

    Attributes
    ----------
    name, title : str
        The family.
    error : float
        Mean error of the family's own choices over the folds, or cost.
    own : float
        That of the recommended procedure over the same folds.
    difference, low, high : float
        Mean of the family's minus the recommended, and the ends of its interval of 95 %.
    p_value, p_holm : float
        Two-sided, of no difference; Holm's for the number of comparisons. NaN where there is one fold.
    n_folds : int
        Number of folds that both have.
    """

    name: str
    title: str
    error: float
    own: float
    difference: float
    low: float
    high: float
    p_value: float
    n_folds: int
    p_holm: float = math.nan


def paired(
    name: str, title: str, losses: Mapping[int, float], own: Mapping[int, float], overlap: float
) -> Compared:
    """Compare the mean losses of folds."""
    places = sorted(losses.keys() & own.keys())
    theirs, ours = (np.array([one[place] for place in places]) for one in (losses, own))
    mean, low, high = interval(theirs - ours, overlap)
    _, _, p_value, n = corrected_t(theirs - ours, overlap)
    return Compared(name, title, float(theirs.mean()), float(ours.mean()), mean, low, high, p_value, n)


@dataclass(frozen=True)
class Comparison:
    """Families beside what is recommended; it prints as a table.

    Attributes
    ----------
    rows : tuple of Compared
        One for each family.
    measure : str
        What differs: ``"error"``, ``"balanced_error"`` or ``"cost"``.
    """

    rows: tuple[Compared, ...]
    measure: str

    def table(self) -> Table:
        """Return the table that prints."""
        is_cost, rows = self.measure == "cost", self.rows
        title = f"{'Cost of an answer' if is_cost else 'Error'}, minus that of the recommended procedure"

        def told(values: Sequence[float]) -> list[str]:
            return [written(value, is_cost=is_cost) for value in values]

        lows, highs = told([one.low for one in rows]), told([one.high for one in rows])
        return Table(
            title,
            [
                Column("family", [one.title for one in rows], align="left"),
                Column("folds", [str(one.n_folds) for one in rows]),
                Column("mean", told([one.error for one in rows])),
                Column("difference", told([one.difference for one in rows])),
                Column("95 %", [f"{low} to {high}" for low, high in zip(lows, highs, strict=True)]),
                Column("p", [_p(one.p_value) for one in rows]),
                Column("Holm's p", [_p(one.p_holm) for one in rows]),
            ],
        )

    def to_text(self, width: int = 100) -> str:
        """Return the table as text.

        Parameters
        ----------
        width : int, default=100
            Characters of a line.

        Returns
        -------
        text : str
            A row for each family.
        """
        return self.table().to_text(width)

    __str__ = to_text


def comparison_of(rows: Sequence[Compared], measure: str) -> Comparison:
    """Put families together, with Holm's p-values."""
    known = [one for one in rows if not math.isnan(one.p_value)]
    holm = holm_adjusted(np.array([one.p_value for one in known])).tolist() if known else []
    adjusted = {one.name: p for one, p in zip(known, holm, strict=True)}
    return Comparison(tuple(replace(one, p_holm=adjusted.get(one.name, math.nan)) for one in rows), measure)


def written(value: float, *, is_cost: bool = False) -> str:
    """Return a mean loss as text: a rate in per cent, a cost as it is."""
    if math.isnan(value):
        return "-"
    return f"{value:.4g}" if is_cost else f"{100 * value:.1f}"


def _p(value: float) -> str:
    return "-" if math.isnan(value) else "<0.001" if value < 0.001 else f"{value:.3f}"
