"""What a search hands back: a result, a report of progress, a table of steps."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import DTypeLike

from treewright._base.html import element, escaped, fragment, sentence, table

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

__all__ = ["Callback", "Progress", "ResultTable", "SearchResult"]

TreeT = TypeVar("TreeT")
"""The kind of tree that a search finds."""

Columns = Sequence[tuple[str, str]]
"""Names and types of the columns of a table."""

Record = Mapping[str, Any]
"""One row of a table by the names of its columns; a cell may be of any type."""

MOST_SHOWN = 40
"""Rows of a table that a notebook shows."""

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

TRACE = [("seconds", "float64"), ("n_searched", "int64"), ("best", "float64"), ("bound", "float64")]
"""Columns of the trace of a search."""

MOST_POINTS = 256
"""Rows of a trace."""

COUNT_MESSAGES = {
    "complete": MESSAGES["complete"],
    **{status: f"{end}; the trees found so far are counted." for status, end in ENDS.items()},
}
"""What every status means for a count, in one sentence."""


TABLE, PAIRS = "treewright-table", "treewright-pairs"
"""Keys of dicts that stand for a table, and for a dict with tuples as keys, where an object is saved."""


class HoldsTables:
    """An object whose tables are saved as dicts of plain columns, so that what knows only those saves it.

    So are dicts whose keys are tuples, such as costs.
    """

    def __getstate__(self) -> dict[str, object]:
        """Return the attributes, tables as dicts."""
        state = super().__getstate__()
        assert isinstance(state, dict), "an object of Python has a dict of attributes"
        return {name: _as_columns(held) for name, held in state.items()}

    def __setstate__(self, state: Mapping[str, object]) -> None:
        """Take attributes that `__getstate__` returned."""
        held = {name: _as_table(value) for name, value in state.items()}
        above = getattr(super(), "__setstate__", None)
        if above is None:
            self.__dict__.update(held)
        else:
            above(held)


@dataclass(frozen=True, repr=False)
class SearchResult(HoldsTables, Generic[TreeT]):
    """The result of a search, and why the search ended.

    Reaching a limit is a status, not an exception: the best result so far is always available.

    Attributes
    ----------
    cost : float
        The cost that the search minimised, in its own unit: for a selector the summed weight of
        the wrongly predicted validation samples.
    status : {"optimal", "complete", "time_limit", "node_limit", "memory_limit", \
"stopped", "solver_error"}
        ``"optimal"``: proven to be the best; ``"complete"``: ran to its end, without a proof of
        optimality; the others name the limit that ended the search early.
    n_searched : int
        Number of trees (subtables, programs) that were examined.
    elapsed : float
        Seconds of wall clock.
    tree : Tree or None
        The tree with this cost, if there is one.
    bound : float or None
        Proven lower bound: no result costs less than this; None without a proof.
    message : str
        `status` as a sentence, or the message of the solver.
    trace : ResultTable
        Of a search that can be ended at any time, the best cost and the proven bound as they came: rows with
        ``seconds``, ``n_searched``, ``best`` and ``bound``, NaN where there was none yet. The last row is the
        end. At most 256 rows: of more, every second one was left out. Empty for other searches. Times differ
        from run to run, what is found does not.

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
    trace: ResultTable = field(default_factory=lambda: ResultTable.from_rows([], TRACE), compare=False)

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
        """`cost` minus `bound`, in the unit of the cost; None without a bound, 0 for two equal infinities."""
        if self.bound is None:
            return None
        return 0.0 if math.isinf(self.cost) and self.cost == self.bound else self.cost - self.bound

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the best cost so far and the proven bound over time, and the gap between them.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            Two lines of steps, and the gap in grey; of a search without a `trace` the end alone.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        from treewright.reporting.curves import gap

        end = (self.elapsed, self.n_searched, self.cost, math.nan if self.bound is None else self.bound)
        rows = self.trace if len(self.trace) else ResultTable.from_rows([end], TRACE)
        return gap(ax, "SearchResult.plot", rows["seconds"], rows["best"], rows["bound"], name="cost")

    def _repr_html_(self) -> str:
        """Show how the search ended, and the tree as a notebook shows it."""
        found = {"cost": self.cost, "bound": self.bound, "gap": self.gap}
        rows = [
            ("status", self.status),
            ("", self.message),
            *((name, _shown(number)) for name, number in found.items() if number is not None),
            ("searched", f"{self.n_searched:,}"),
            ("elapsed", f"{self.elapsed:.3g} s"),
        ]
        facts = fragment(table(("search", ""), [(name, sentence(text)) for name, text in rows]))
        draw = getattr(self.tree, "_repr_html_", None)
        return facts if draw is None else f"<div>{facts}{draw()}</div>"

    def __repr__(self) -> str:
        """One line for each attribute, names aligned on the colon."""
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
    """Progress of a long computation, as given to a ``callback``.

    A callback that returns True stops the computation; the results so far are kept.

    Attributes
    ----------
    done : int
        Number of trees, subtables or programs searched so far.
    total : int or None
        Largest possible number, if it is known.
    best : float or None
        The smallest cost so far; None before there is one.
    elapsed : float
        Seconds since the start.
    text : str or None
        Additional text, such as the rules found so far; usually None.
    bound : float or None
        Proven lower bound: no cost is less than this; None where nothing is proven.

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
    bound: float | None = None


Callback = Callable[[Progress], object]
"""What long work accepts as ``callback``: returning True stops it."""


ResultT = TypeVar("ResultT", bound=SearchResult[Any])
"""The kind of result that gets a trace."""


@dataclass
class Watch:
    """Keeps best and bound of a search by time, and passes progress on to a callback.

    Of more than `MOST_POINTS` every second one is left out, so a long search has a short trace.
    """

    callback: Callback | None = None
    begin: float = 0.0
    """Seconds that went by before the search that tells."""
    points: list[tuple[float, int, float, float]] = field(default_factory=list)

    def __call__(self, progress: Progress) -> object:
        """Keep a point if something is better than before; return what the callback says."""
        best, bound = _or_nan(progress.best), _or_nan(progress.bound)
        if not self.points or str(self.points[-1][2:]) != str((best, bound)):
            self.points.append((self.begin + progress.elapsed, progress.done, best, bound))
            if len(self.points) >= MOST_POINTS:
                del self.points[1::2]
        return False if self.callback is None else self.callback(progress)

    def onto(self, result: ResultT, unit: Callable[[float], float] = float) -> ResultT:
        """Return a result with the trace, its costs in the unit of the result; the end is the last row."""
        told = [(*point[:2], *map(unit, point[2:])) for point in self.points if point[0] < result.elapsed]
        end = (result.elapsed, result.n_searched, float(result.cost), _or_nan(result.bound))
        return replace(result, trace=ResultTable.from_rows([*told, end], TRACE))


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _shown(number: float) -> str:
    """Write a number with six digits; costs may be Fractions, which Python 3.11 does not format."""
    return f"{number if isinstance(number, int) else float(number):,.6g}"


def _cell(value: object) -> str:
    """Write a value of a table for a notebook."""
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


class ResultTable(np.ndarray):
    """A structured array with one record for each row; `to_frame` converts it to a pandas data frame.

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
    def from_rows(cls, rows: Iterable[Sequence[object]], dtype: DTypeLike) -> Self:
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
            One record for each row.
        """
        return np.array([tuple(row) for row in rows], dtype=dtype).view(cls)

    def __getitem__(self, key: Any) -> Any:
        """As for any array; what has no named columns is a plain array."""
        part = super().__getitem__(key)
        is_column = isinstance(part, ResultTable) and part.dtype.names is None
        return part.view(np.ndarray) if is_column else part

    def _repr_html_(self) -> str:
        """Show the first rows as a notebook does."""
        if self.ndim != 1 or not self.dtype.names:
            return fragment(element("pre", sentence(repr(self))))
        rows = [[sentence(_cell(value)) for value in row] for row in self[:MOST_SHOWN].tolist()]
        numbers = [place for place, name in enumerate(self.dtype.names) if self.dtype[name].kind in "iuf"]
        n_more = len(self) - len(rows)
        more = [element("p", f"... {n_more:,} more rows", class_="soft")] if n_more else []
        return fragment(table([escaped(name) for name in self.dtype.names], rows, numbers), *more)

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
            One column for each field, in their order.

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


def _as_columns(held: object) -> object:
    """Return tables, in dicts too, as dicts: names and types, and columns, those of objects as lists."""
    if type(held) is dict:
        if any(isinstance(key, tuple) for key in held):
            return {PAIRS: [(key, value) for key, value in held.items()]}
        return {key: _as_columns(value) for key, value in held.items()}
    if not isinstance(held, ResultTable):
        return held
    names = list(held.dtype.names or ())
    types = [held.dtype[name].str for name in names]
    columns = [held[name].tolist() if held.dtype[name].hasobject else np.array(held[name]) for name in names]
    return {TABLE: {"names": names, "types": types, "columns": columns}}


def _as_table(held: object) -> object:
    """Return the table that a dict stands for, and anything else as it is."""
    if type(held) is not dict:
        return held
    if list(held) == [PAIRS]:
        return dict(held[PAIRS])
    if list(held) != [TABLE]:
        return {key: _as_table(value) for key, value in held.items()}
    table = held[TABLE]
    names, columns = table["names"], table["columns"]
    rows = np.empty(len(columns[0]), dtype=list(zip(names, table["types"], strict=True)))
    for name, column in zip(names, columns, strict=True):
        rows[name][:] = column if isinstance(column, np.ndarray) else _objects(column)
    return rows.view(ResultTable)


def _objects(values: Sequence[object]) -> np.ndarray:
    """Return an array of objects, tuples among them."""
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def ints(*names: str) -> Columns:
    """Return columns of whole numbers."""
    return [(name, "int64") for name in names]


def floats(*names: str) -> Columns:
    """Return columns of numbers."""
    return [(name, "float64") for name in names]


def texts(name: str, values: Iterable[str]) -> tuple[str, str]:
    """Return a column that holds every one of the texts."""
    return name, f"U{max(map(len, values))}"
