"""What is known of a table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from treewright.data.intake.column import Kind
from treewright.data.intake.labels import Label
from treewright.data.types import FloatArray, IntArray


@dataclass(frozen=True, eq=False)
class Histogram:
    """How many rows have which values, by class.

    Attributes
    ----------
    edges : ndarray of shape (n_bars + 1,) or None
        Ends of the bars of a numeric column, each with its lower end, the last with both; an infinite end is
        open. None for a nominal column.
    labels : tuple
        What the bars of a nominal column stand for, the most frequent value first.
    counts : ndarray of shape (n_bars, n_classes)
        Rows; one column where there are no classes.
    n_others : int
        Rows with a value of a nominal column that has no bar.
    """

    edges: FloatArray | None
    labels: tuple[Label, ...]
    counts: IntArray
    n_others: int = 0


@dataclass(frozen=True)
class Extreme:
    """The lowest or the highest number of a column, beside the others.

    Attributes
    ----------
    value : float
        The number.
    n_rows : int
        Rows that have it.
    lowest_other, highest_other : float
        The least and the largest of the other numbers.
    """

    value: float
    n_rows: int
    lowest_other: float
    highest_other: float

    @property
    def is_lowest(self) -> bool:
        """Whether the others are larger."""
        return self.value < self.lowest_other

    @property
    def is_far(self) -> bool:
        """Whether it is farther from the others than these are from each other."""
        distance = self.lowest_other - self.value if self.is_lowest else self.value - self.highest_other
        return distance > self.highest_other - self.lowest_other > 0


@dataclass(frozen=True, eq=False)
class ColumnDescription:
    """What is known of a column.

    Attributes
    ----------
    name : str
        Its name.
    kind : {"numeric", "nominal"}
        How it is taken.
    n_missing : int
        Rows without a value.
    n_different : int
        Different values that occur.
    n_declared : int or None
        Values that are declared, with those that do not occur; None for a numeric column.
    lowest, highest, mean, deviation : float or None
        Of the known numbers; the deviation is that of the sample. None for a nominal column, or where
        nothing is known.
    extremes : tuple of Extreme
        The lowest and the highest number beside the others, where there are three or more.
    quartiles : tuple of three float, or None
        Numbers that a quarter, a half and three quarters of the known ones do not exceed.
    dates : tuple of two str, or None
        The first and the last date, where the column counts units since the first one.
    most_frequent : tuple of pairs
        The most frequent values and how many rows have each.
    histogram : Histogram or None
        None where nothing is known.
    """

    name: str
    kind: Kind
    n_missing: int
    n_different: int
    n_declared: int | None
    lowest: float | None
    quartiles: tuple[float, float, float] | None
    highest: float | None
    extremes: tuple[Extreme, ...]
    mean: float | None
    deviation: float | None
    most_frequent: tuple[tuple[Label, int], ...]
    histogram: Histogram | None
    dates: tuple[str, str] | None = None

    def to_dict(self) -> dict[str, object]:
        """Return what can be written as JSON."""
        bars = self.histogram
        drawn = bars and {
            "edges": None if bars.edges is None else [_finite(edge) for edge in bars.edges.tolist()],
            "labels": list(bars.labels),
            "counts": bars.counts.tolist(),
            "n_others": bars.n_others,
        }
        plain = {name: value for name, value in vars(self).items() if name != "histogram"}
        return {**plain, "extremes": [vars(one) for one in self.extremes], "histogram": drawn}


@dataclass(frozen=True)
class TargetDescription:
    """The classes.

    Attributes
    ----------
    name : str or None
        Name of the column, if it is known.
    classes : tuple
        Their labels, sorted.
    counts : tuple of int
        Rows of each.
    weights : tuple of float, or None
        Summed weight of each; None where every row weighs 1.
    """

    name: str | None
    classes: tuple[Label, ...]
    counts: tuple[int, ...]
    weights: tuple[float, ...] | None

    @property
    def shares(self) -> tuple[float, ...]:
        """Share of each class in the rows."""
        return tuple(count / sum(self.counts) for count in self.counts)


@dataclass(frozen=True)
class RowsDescription:
    """Equal rows.

    Attributes
    ----------
    n_complete : int
        Rows without a missing value.
    n_repeated : int
        Rows whose values are those of an earlier row.
    n_contradicting : int
        Rows whose values are those of a row of another class.
    unavoidable_errors : float
        Rows, or what they weigh, that any tree predicts wrongly: it answers equal rows alike.
    unavoidable_error : float
        Their share.
    contradiction : tuple of two int, or None
        Positions of two such rows.
    without : tuple of str
        Columns that are left out of the comparison, since they have a value of their own in each row.
    """

    n_complete: int
    n_repeated: int
    n_contradicting: int
    unavoidable_errors: float
    unavoidable_error: float
    contradiction: tuple[int, int] | None
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Determination:
    """Of two columns one says what the other is, in all rows; both say it of each other if it is mutual."""

    column: str
    follows_from: str
    is_mutual: bool


@dataclass(frozen=True)
class Remark:
    """What is worth a look.

    Attributes
    ----------
    kind : str
        What was found.
    columns : tuple of str
        Names of the columns that it is about.
    text : str
        A sentence.
    remedy : str
        What to do, if there is anything to do.
    options : tuple of str
        Options of the command line that do it, such as ``("--drop", "id")``.
    """

    kind: str
    columns: tuple[str, ...]
    text: str
    remedy: str = ""
    options: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.text}; {self.remedy}" if self.remedy else self.text


@dataclass(frozen=True, eq=False, repr=False)
class Facts:
    """What is known of a data set."""

    name: str | None
    reading: Mapping[str, object] | None
    content_hash: str
    n_samples: int
    weight: float | None
    columns: tuple[ColumnDescription, ...]
    target: TargetDescription | None
    rows: RowsDescription
    determinations: tuple[Determination, ...]
    remarks: tuple[Remark, ...]

    @property
    def n_missing(self) -> int:
        """Number of missing values."""
        return sum(column.n_missing for column in self.columns)


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
