"""What the results of all studies do alike: text, LaTeX, JSON, CSV; and the cells of their tables."""

from __future__ import annotations

import csv
import io
import json
import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.results import Columns, Record, ResultTable

if TYPE_CHECKING:
    import pandas as pd

ABSENT = "-"
"""The cell of a data set of which no fold was run."""


class Report(ABC):
    """A result that has a table, and prints as it."""

    @abstractmethod
    def _table(self) -> Table:
        """Return the table that the class describes."""

    @abstractmethod
    def _frame(self) -> pd.DataFrame:
        """Return the frame that the class describes."""

    @abstractmethod
    def _facts(self) -> Mapping[str, object]:
        """Return what `to_json` writes, by name."""

    @abstractmethod
    def _numbers(self) -> ResultTable:
        """Return the rows that `to_csv` writes."""

    def table(self) -> Table:
        """Return the table that `to_text` and `to_latex` print.

        Returns
        -------
        table : treewright.reporting.Table
            The rows are described in the class.
        """
        return self._table()

    def to_frame(self) -> pd.DataFrame:
        """Return the summary as a pandas data frame.

        Returns
        -------
        frame : pandas.DataFrame
            The rows are described in the class.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        return self._frame()

    def to_text(self, max_width: int | None = None) -> str:
        """Return the table as text for a screen.

        Parameters
        ----------
        max_width : int, default=None
            Largest number of characters in a line; a wider table is split into parts, one below the other.
            None does not split it.

        Returns
        -------
        text : str
            The rows of the table below a title and headings, notes below them.

        Raises
        ------
        ParameterError
            If the width is not an int of at least 1.
        """
        return self.table().to_text(max_width)

    def to_latex(self) -> str:
        r"""Return the table as LaTeX, for the package booktabs.

        Returns
        -------
        source : str
            A ``tabular`` environment; put it into a ``table`` with a caption of your own.
        """
        return self.table().to_latex()

    def to_json(self) -> str:
        """Return the result as JSON: settings, status and every table as a list of objects, one for each row.

        Returns
        -------
        text : str
            One line. NaN and infinite numbers are null; estimators and rules are written as they print.
        """
        facts = {"treewright": version("treewright"), **self._facts()}
        return json.dumps(_plain(facts), ensure_ascii=False, allow_nan=False)

    def to_csv(self) -> str:
        """Return the detailed numbers behind the table as CSV.

        Returns
        -------
        text : str
            A line of headings, then one line for each row.
        """
        table, text = self._numbers(), io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(table.dtype.names or ())
        writer.writerows(table.tolist())
        return text.getvalue()

    def __str__(self) -> str:
        """Return the table as text."""
        return self.to_text()


Settings = TypeVar("Settings", bound=Mapping[str, object])
"""The parameters of a study, by name."""


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class FoldReport(Report, Generic[Settings]):
    """A result with one row for each fold and method in ``per_fold``."""

    _SUMMARY: ClassVar[Columns] = ()
    """What the folds of one method come to, where that is the same for every study of the kind."""

    data_sets: ResultTable
    methods: tuple[str, ...]
    per_fold: ResultTable
    settings: Settings
    status: str
    elapsed: float

    def __repr__(self) -> str:
        """Return one line: what was compared, on how much."""
        sets = counted_noun(len(self.data_sets), "data set")
        folds = counted_noun(self.n_folds_done, "fold")
        folds += "" if len(self.data_sets) == 1 else " in all"
        return f"<{type(self).__name__}: {', '.join(self.methods)}; {sets}, {folds}, {self.status}>"

    @property
    def n_folds_done(self) -> int:
        """Number of folds that were run, those of all data sets together."""
        return len(self.per_fold) // len(self.methods)

    @property
    def summary(self) -> ResultTable:
        """One row for each data set and method, of the folds that were run; the columns stand above."""
        rows = [
            (name, method, *self._summed_up(folds))
            for name in self._names
            for method in self.methods
            if len(folds := self._chosen(name, method))
        ]
        return ResultTable.from_rows(rows, [*self._head, *self._summary_columns])

    @property
    def _summary_columns(self) -> Columns:
        """The columns of the summary after ``data`` and ``method``."""
        return self._SUMMARY

    def _summed_up(self, folds: ResultTable) -> Iterable[object]:
        """Return what the folds of one data set and method come to, by themselves."""
        raise NotImplementedError  # abstract but for a report that makes its own `summary`

    def _frame(self) -> pd.DataFrame:
        return self.summary.to_frame()

    def _facts(self) -> Mapping[str, object]:
        return {
            "settings": self.settings,
            "status": self.status,
            "seconds": self.elapsed,
            "data_sets": self.data_sets,
            "summary": self.summary,
            "per_fold": self.per_fold,
        }

    def _numbers(self) -> ResultTable:
        return self.per_fold

    @property
    def _names(self) -> list[str]:
        """Names of the data sets."""
        return list(self.data_sets["data"].tolist())

    @property
    def _head(self) -> Columns:
        """Columns of a row about a data set and a method."""
        return [field_of(self.per_fold, name) for name in ("data", "method")]

    @property
    def _n_parts(self) -> str:
        """Numbers of repeats and folds, as titles say them."""
        return f"{self.settings['repeats']} x {self.settings['cv']} folds"

    def _chosen(self, name: str, method: str) -> ResultTable:
        """Return the folds of a data set and a method."""
        folds = self.per_fold
        chosen: ResultTable = folds[(folds["data"] == name) & (folds["method"] == method)]
        return chosen

    def _records(self) -> dict[tuple[str, str], Record]:
        """Return the rows of the summary by data set and method."""
        return {(row["data"], row["method"]): row for row in self.summary.records()}

    def _size_columns(self, last: Sequence[str] = ()) -> list[Column]:
        """Return the columns of names and sizes, with cells below them where a table has such rows."""
        sets, below = self.data_sets, [""] * len(last)
        sizes = [(name.removeprefix("n_"), name) for name in sets.dtype.names or () if name != "data"]
        return [
            Column("data", [*self._names, *last], align="left"),
            *(Column(heading, [*(f"{n:,}" for n in sets[name].tolist()), *below]) for heading, name in sizes),
        ]

    def _stopped_note(self, one: str = "fold") -> list[str]:
        """Say how much was done, where the study was stopped."""
        if self.status == "complete":
            return []
        done = counted_noun(self.n_folds_done, one)
        return [f"Stopped after {done}." if self.status == "stopped" else f"Time was up after {done}."]


def mean_of(folds: ResultTable, field: str) -> float:
    """Return the mean of a column."""
    return float(np.mean(folds[field]))


def deviation(values: NDArray[np.float64]) -> float:
    """Return the standard deviation (n - 1); 0 of one value."""
    return float(np.std(values, ddof=1)) if len(values) > 1 else 0.0


def field_of(table: ResultTable, name: str) -> tuple[str, str]:
    """Return name and type of a column."""
    fields = table.dtype.fields
    assert fields is not None, "a result table is a structured array"
    return name, fields[name][0].str


def padded(column: Column) -> Column:
    """Line up the signs of a column of means and deviations."""
    tails = [cell.rpartition(" ")[2] for cell in column.cells]
    width = max(map(len, tails))
    cells = [
        cell if cell == ABSENT else f"{cell.removesuffix(tail)}{tail:>{width}}"
        for cell, tail in zip(column.cells, tails, strict=True)
    ]
    return Column(column.name, cells, column.group)


def three_digits(value: float) -> str:
    """Write a positive number with three digits that matter, and at most five after the point."""
    if value < 0.001:
        return f"{value:.5f}"
    if value < 100:
        return f"{value:#.3g}"
    return f"{value:,.0f}"


def _plain(value: object) -> object:
    """Return what JSON can hold: tables as lists of records, NaN as None, other objects as they print."""
    if isinstance(value, ResultTable):
        return [_plain(record) for record in value.records()]
    if isinstance(value, Mapping):
        return {str(name): _plain(part) for name, part in value.items()}
    if isinstance(value, tuple | list):
        return [_plain(part) for part in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, str | bool | int) else repr(value)
