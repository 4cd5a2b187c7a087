"""Whether a number of ours agrees with the paper's: the difference, its standard error, and the verdict.

    difference = ours - paper                     0 within a range, else the way to its nearer end
    std_error² = paper's deviation² / paper's n  +  our deviation² / our n
    agrees     iff |difference| <= 2 std_error + half a unit of the paper's last digit

Where the paper prints no deviation, ours stands in for it: its folds are taken to spread as ours do. A
deviation is that of one fold (or set, or table), so standard errors are those of folds as they would be if
they were independent. Numbers that are counted exactly, such as rows, have a standard error of 0.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from treewright.studies.reproduction.facts import Figure, PublishedColumn, Reason

AGREES, DIFFERS, INCOMPARABLE = "agrees", "differs", "cannot be compared"
VERDICTS = (AGREES, DIFFERS, INCOMPARABLE)
N_ERRORS = 2.0
"""Standard errors that a difference may have."""

NOT_KNOWN = "reason not known"

SLACK = 1e-9
"""What floating numbers may add to a difference."""


@dataclass(frozen=True)
class Measured:
    """A number of ours: the mean of some folds, sets or tables."""

    value: float
    deviation: float = 0.0
    """Of one of them (n - 1); 0 of what is exact."""
    n: int = 1
    note: str = ""
    """What a reader must know, such as folds that were not finished."""
    text: str = ""
    """A name, where that is what the cell holds; then `value` is how much worse the paper's one is here."""
    is_bound: bool = False
    """Whether a search did not end, so that the number is only the best so far."""

    @classmethod
    def mean(cls, values: Sequence[float] | np.ndarray, *, factor: float = 1.0, note: str = "") -> Self:
        """Return the mean of values and their deviation; NaN as deviation of one value."""
        given = np.asarray(values, dtype=np.float64) * factor
        deviation = float(given.std(ddof=1)) if len(given) > 1 else math.nan
        return cls(float(given.mean()), deviation, len(given), note)

    def packed(self) -> list[object]:
        """Return what a checkpoint holds."""
        return [self.value, self.deviation, self.n, self.note, self.text, self.is_bound]


class Verdict(NamedTuple):
    """What comes of the comparison of a cell."""

    difference: float
    std_error: float
    verdict: str
    reason: str


def judged(
    figure: Figure, column: PublishedColumn, ours: Measured | None, known: Sequence[Reason], absent: str
) -> Verdict:
    """Compare a cell with what was measured.

    `known` is what is known of the cell beforehand, `absent` why nothing was measured.
    """
    reason = known[0].text if known else ""
    nothing = "the paper has no number here" if figure.is_empty else ""
    if ours is None:
        return Verdict(math.nan, math.nan, INCOMPARABLE, absent or reason or nothing or "not measured")
    difference, error = _difference(figure, ours), _std_error(figure, column, ours)
    bar = column.incomparable or (reason if known and known[0].bars else "")
    if not bar and figure.is_empty:
        bar = reason or nothing
    if not bar and ours.is_bound:
        bar = ours.note
    if not bar and math.isnan(error):
        bar = "one fold has no standard error"
    if bar:
        return Verdict(difference, error, INCOMPARABLE, bar)
    rounding = 0.0 if figure.text or figure.is_range else 0.5 * 10.0**-column.digits
    if abs(difference) <= N_ERRORS * error + rounding + SLACK:
        return Verdict(difference, error, AGREES, "")
    return Verdict(difference, error, DIFFERS, reason or NOT_KNOWN)


def _difference(figure: Figure, ours: Measured) -> float:
    if figure.text:
        return ours.value
    if figure.is_range:
        return ours.value - min(max(ours.value, figure.low), figure.high)
    return ours.value - figure.value


def _std_error(figure: Figure, column: PublishedColumn, ours: Measured) -> float:
    """Return the standard error of the difference, of the paper's draws and ours."""
    own = ours.deviation**2 / ours.n
    if figure.text or figure.is_range or not column.n_draws:
        return math.sqrt(own)
    deviation = ours.deviation if math.isnan(figure.deviation) else figure.deviation
    return math.sqrt(own + deviation**2 / column.n_draws)
