"""What a search hands back: a result, a report of progress, a table of steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np
from numpy.typing import DTypeLike

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["Callback", "Progress", "ResultTable", "SearchResult"]

TreeT = TypeVar("TreeT")
"""The kind of tree that a search finds."""

Columns = Sequence[tuple[str, str]]
"""Names and types of the columns of a table."""

Record = Mapping[str, Any]
"""One row of a table by the names of its columns; a cell may be of any type."""

ENDS = {
    "time_limit": "The time limit was reached",
    "node_limit": "The node limit was reached",
    "memory_limit": "The memory limit was reached",
    "stopped": "The callback or Ctrl-C asked to stop",
    "solver_error": "The solver gave up",
}
"""What ended a search early, as the first half of a sentence."""

MESSAGES = {
    "optimal": "The answer is proven to be the best.",
    "complete": "The search ran to its end.",
    **{status: f"{end}; the best found so far is kept." for status, end in ENDS.items()},
}
"""What every status means for a search that has a best, in one sentence."""

COUNT_MESSAGES = {
    "complete": MESSAGES["complete"],
    **{status: f"{end}; the trees found so far are counted." for status, end in ENDS.items()},
}
"""What every status means for a count, in one sentence."""


@dataclass(frozen=True, repr=False)
class SearchResult(Generic[TreeT]):
    """The answer of a search and why the search ended.

    Reaching a limit is a status, never an exception: the best answer found is
    there whatever `status` says.

    Attributes
    ----------
    cost : float
        What the search made small, in the unit of the search: for a selector the
        summed weight of the wrongly predicted validation samples.
    status : {"optimal", "complete", "time_limit", "node_limit", "memory_limit", \
"stopped", "solver_error"}
        ``"optimal"``: proven to be the best; ``"complete"``: ran to its end, nothing
        claimed or nothing to prove; the others name what ended the search early.
    n_searched : int
        How many trees (subtables, programs) were looked at.
    elapsed : float
        Seconds of wall clock.
    tree : Tree or None
        The tree of that cost, where there is one.
    bound : float or None
        No answer costs less than this; None if nothing was proven.
    message : str
        `status` as a sentence, or the solver's own words.

    Examples
    --------
    >>> from treewright.results import SearchResult
    >>> result = SearchResult(cost=3, status="complete", n_searched=17, elapsed=0.25)
    >>> result
         status: complete
        success: True
        message: The search ran to its end.
           cost: 3
          bound: None
            gap: None
     n_searched: 17
        elapsed: 0.25 s
           tree: None
    """

    cost: float
    status: str
    n_searched: int
    elapsed: float
    tree: TreeT | None = None
    bound: float | None = None
    message: str = ""

    def __post_init__(self) -> None:
        """Refuse an unknown status and fill in its sentence."""
        if self.status not in MESSAGES:
            raise ValueError(f"status={self.status!r} is none of {sorted(MESSAGES)}")
        if not self.message:
            object.__setattr__(self, "message", MESSAGES[self.status])

    @property
    def success(self) -> bool:
        """Whether the search ran to its end (``"optimal"`` or ``"complete"``)."""
        return self.status in ("optimal", "complete")

    @property
    def gap(self) -> float | None:
        """`cost` minus `bound`, in the unit of the cost; None without a bound."""
        return None if self.bound is None else self.cost - self.bound

    def __repr__(self) -> str:
        """One line an attribute, names aligned on the colon."""
        facts = {
            "status": self.status,
            "success": self.success,
            "message": self.message,
            "cost": self.cost,
            "bound": self.bound,
            "gap": self.gap,
            "n_searched": self.n_searched,
            "elapsed": f"{self.elapsed:.3g} s",
            "tree": self.tree,
        }
        return "\n".join(f"{name:>11}: {value}" for name, value in facts.items())


@dataclass(frozen=True)
class Progress:
    """How far long work has come, as given to a ``callback``.

    A callback that returns True stops the work; what was found is kept.

    Attributes
    ----------
    done : int
        What has been searched so far (trees, subtables, programs).
    total : int or None
        How much there is at most, where that is known.
    best : float or None
        The smallest cost so far; None before there is one.
    elapsed : float
        Seconds since the work began.
    text : str or None
        What there is to look at besides, such as the rules found so far; None of most work.

    Examples
    --------
    >>> from treewright.results import Progress
    >>> def stop_after_ten(progress: Progress) -> bool:
    ...     return progress.done >= 10
    >>> stop_after_ten(Progress(done=12, total=None, best=3.0, elapsed=0.1))
    True
    """

    done: int
    total: int | None
    best: float | None
    elapsed: float
    text: str | None = None


Callback = Callable[[Progress], object]
"""What long work accepts as ``callback``: returning True stops it."""


class ResultTable(np.ndarray):
    """A structured array, one record a row, that can become a pandas frame.

    A column is ``table["name"]``, a plain array.

    Examples
    --------
    >>> from treewright.results import ResultTable
    >>> table = ResultTable.from_rows(
    ...     [(0, 2.5), (1, 1.5)], [("step", "int64"), ("errors", "float64")]
    ... )
    >>> table["errors"]
    array([2.5, 1.5])
    >>> table.to_frame()
       step  errors
    0     0     2.5
    1     1     1.5
    """

    @classmethod
    def from_rows(cls, rows: Iterable[Sequence[object]], dtype: DTypeLike) -> ResultTable:
        """Make a table.

        Parameters
        ----------
        rows : iterable of tuple
            One value for each column.
        dtype : dtype
            Names and types of the columns.

        Returns
        -------
        table : ResultTable
            One record a row.
        """
        return np.array([tuple(row) for row in rows], dtype=dtype).view(cls)

    def __getitem__(self, key: Any) -> Any:
        """As for any array; what has no named columns is a plain array."""
        part = super().__getitem__(key)
        is_column = isinstance(part, ResultTable) and part.dtype.names is None
        return part.view(np.ndarray) if is_column else part

    def records(self) -> list[Record]:
        """Return every row as a dict, by the names of the columns.

        Returns
        -------
        records : list of dict
            Values are Python's own.
        """
        return [dict(zip(self.dtype.names or (), row, strict=True)) for row in self.tolist()]

    def to_frame(self) -> pd.DataFrame:
        """Copy the table into a pandas frame.

        Returns
        -------
        frame : pandas.DataFrame
            One column a field, in their order.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        try:
            import pandas as pd
        except ImportError as error:
            raise ImportError(
                "to_frame() needs pandas, which is not installed; install it, or use "
                "the table as it is: a structured numpy array, table['name'] a column"
            ) from error
        return pd.DataFrame({name: np.array(self[name]) for name in self.dtype.names or ()})


def ints(*names: str) -> Columns:
    """Return columns of whole numbers."""
    return [(name, "int64") for name in names]


def floats(*names: str) -> Columns:
    """Return columns of numbers."""
    return [(name, "float64") for name in names]


def texts(name: str, values: Iterable[str]) -> tuple[str, str]:
    """Return a column that holds every one of the texts."""
    return name, f"U{max(map(len, values))}"
