"""The result of making tables again: every cell with its verdict, tables, and the list of what there is."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.results import Record, ResultTable, floats, ints, texts
from treewright.studies.common.report import Report
from treewright.studies.reproduction.facts import Figure, PublishedColumn, PublishedTable
from treewright.studies.reproduction.page import fragment_of, page_of
from treewright.studies.reproduction.verdict import (
    VERDICTS,
    Measured,
    Verdict,
    judged,
)
from treewright.studies.reproduction.work import Cells

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Cell:
    """A cell of a table: the paper's number, ours, and the verdict."""

    table: PublishedTable
    row: str
    column: PublishedColumn
    figure: Figure
    ours: Measured | None
    verdict: Verdict

    @property
    def published(self) -> str:
        """What the paper prints."""
        return self.figure.told(self.column.digits)

    @property
    def measured(self) -> str:
        """What was measured, with its deviation, in the digits of the paper; a bound is marked."""
        ours = self.ours
        if ours is None:
            return "-"
        if ours.text:
            return ours.text
        digits = self.column.digits
        has_spread = self.column.n_draws > 0 and ours.n > 1 and not math.isnan(self.figure.deviation)
        spread = f" ± {ours.deviation:.{digits}f}" if has_spread else ""
        return f"{'≈ ' if ours.is_bound else ''}{ours.value:,.{digits}f}{spread}"

    @property
    def difference(self) -> str:
        """The difference and its standard error."""
        verdict, digits = self.verdict, self.column.digits
        is_within = self.figure.is_range and verdict.difference == 0
        if math.isnan(verdict.difference) or is_within or self.column.incomparable:
            return "-"
        spread = "" if math.isnan(verdict.std_error) else f" ± {verdict.std_error:.{digits}f}"
        return f"{verdict.difference:+.{digits}f}{spread}"

    @property
    def reason(self) -> str:
        """Why the verdict is not that both agree, and what is unfinished."""
        note = "" if self.ours is None else self.ours.note
        parts = [self.verdict.reason, note if note != self.verdict.reason else ""]
        return "; ".join(part for part in parts if part)

    def record(self) -> tuple[object, ...]:
        """Return the row of `Reproduction.cells`."""
        ours, verdict = self.ours, self.verdict
        numbers = (math.nan, math.nan, 0) if ours is None else (ours.value, ours.deviation, ours.n)
        place = (self.table.paper, self.table.name, self.row, self.column.name, self.column.unit)
        told = (self.published, self.measured)
        paper = (self.figure.value, self.figure.deviation)
        return (
            *place,
            *told,
            *paper,
            *numbers,
            verdict.difference,
            verdict.std_error,
            verdict.verdict,
            self.reason,
        )


HEAD = ("paper", "table", "row", "column", "unit", "published", "ours")
NUMBERS = floats("published_value", "published_deviation", "value", "deviation")
VERDICT = [*floats("difference", "std_error"), texts("verdict", VERDICTS), ("reason", "object")]


def compared(
    table: PublishedTable, row: str, measured: Cells, absent: str, rule: str = "published"
) -> Iterator[Cell]:
    """Yield the cells of a row; `absent` says why numbers of ours are missing.

    `rule` is ``"other"`` where one stands for the evolved rule of a paper.
    """
    for column, figure in zip(table.columns, table.rows[row], strict=True):
        ours = measured.get((row, column.name))
        verdict = judged(figure, column, ours, table.reasons_of(row, column.name, rule), absent)
        yield Cell(table, row, column, figure, ours, verdict)


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Reproduction(Report):
    """Result of `reproduce`.

    It prints as one table for each table of the papers, with a line for each cell: the paper's number, ours,
    the difference with its standard error, the verdict and the reason. `to_frame`, `to_csv` and `cells` have
    all cells; `to_html` is a page with the tables as the papers have them, every verdict in its cell.

    Attributes
    ----------
    tables : tuple of str
        The tables, as ``"PAPER:TABLE"``.
    cells : ResultTable
        One row for each cell: ``paper``, ``table``, ``row``, ``column``, ``unit``, ``published`` and ``ours``
        as they are printed, ``published_value`` and ``published_deviation`` (NaN where the paper has none),
        ``value``, ``deviation`` (of one fold, set or table) and ``n`` of them, ``difference``, ``std_error``,
        ``verdict``, ``reason``.
    summary : ResultTable
        One row for each table: ``paper``, ``table``, and the numbers of cells that ``agree``, ``differ`` and
        are ``not_compared``.
    effort : {"short", "full"}
        As it was asked for.
    random_state : int
        The random seed.
    rule : str
        What stands for the evolved pruning rule; empty for the one that the paper prints.
    status : {"complete", "stopped", "time_limit"}
        How it ended; what was completed is here.
    elapsed : float
        Seconds of wall clock.

    See Also
    --------
    reproduce : Makes one.
    """

    _published: tuple[PublishedTable, ...]
    _compared: tuple[Cell, ...]
    effort: str
    random_state: int
    rule: str
    status: str
    elapsed: float

    @property
    def tables(self) -> tuple[str, ...]:
        """The tables, as ``"PAPER:TABLE"``."""
        return tuple(table.id for table in self._published)

    @property
    def cells(self) -> ResultTable:
        """One row for each cell; the columns stand above."""
        rows = [cell.record() for cell in self._compared]
        head = [texts(name, ["-", *(str(row[i]) for row in rows)]) for i, name in enumerate(HEAD)]
        return ResultTable.from_rows(rows, [*head, *NUMBERS, *ints("n"), *VERDICT])

    def records(self) -> list[Record]:
        """Return every cell as a dict, by the names of the columns of `cells`.

        Returns
        -------
        records : list of dict
            Values are Python's own.
        """
        return self.cells.records()

    @property
    def summary(self) -> ResultTable:
        """One row for each table, with the numbers of cells by verdict."""
        rows = [(table.paper, table.name, *self._counts(table)) for table in self._published]
        names = [texts(name, [str(row[i]) for row in rows]) for i, name in enumerate(("paper", "table"))]
        return ResultTable.from_rows(rows, [*names, *ints("agree", "differ", "not_compared")])

    def _of(self, table: PublishedTable) -> list[Cell]:
        return [cell for cell in self._compared if cell.table is table]

    def _counts(self, table: PublishedTable | None = None) -> tuple[int, ...]:
        """Return how many cells have each verdict."""
        found = [cell.verdict.verdict for cell in (self._compared if table is None else self._of(table))]
        return tuple(found.count(verdict) for verdict in VERDICTS)

    def _table(self) -> Table:
        """Return all cells as one table."""
        columns = [
            Column("table", [cell.table.id for cell in self._compared], align="left"),
            *_columns(self._compared),
            Column("reason", [cell.reason for cell in self._compared], align="left"),
        ]
        return Table(self._told(), columns)

    def _tables(self) -> Iterator[Table]:
        """Yield a table for each of the papers', with its reasons as notes."""
        for table in self._published:
            cells = self._of(table)
            if not cells:
                continue
            notes = [f"{table.settings}.".replace("..", ".")]
            marks = {reason: f"[{n}]" for n, reason in enumerate(dict.fromkeys(_reasons(cells)), start=1)}
            columns = _columns(cells, marks)
            notes += [f"{mark} {reason}." for reason, mark in marks.items()]
            title = f"{table.id}: {table.title}"
            yield Table(title, columns, notes)

    def to_text(self, max_width: int | None = None) -> str:
        """Return the tables as text for a screen.

        Parameters
        ----------
        max_width : int, default=None
            Largest number of characters in a line, as in `treewright.reporting.Table`.

        Returns
        -------
        text : str
            A table for each table of the papers, and the sums of the verdicts.
        """
        texts = [table.to_text(max_width) for table in self._tables()]
        others = [
            f"{table.id}: {table.title}\n{table.settings}." for table in self._published if not table.rows
        ]
        return "\n\n\n".join([*texts, *others, self._told()])

    def to_latex(self) -> str:
        r"""Return the tables as LaTeX, for the package booktabs.

        Returns
        -------
        source : str
            A ``tabular`` environment for each table of the papers.
        """
        return "\n\n".join(table.to_latex() for table in self._tables())

    def to_html(self) -> str:
        """Return a page with the tables as the papers have them, and the verdict in every cell.

        Returns
        -------
        page : str
            HTML that needs nothing else.
        """
        return page_of(self._told(), [(table, self._of(table)) for table in self._published])

    def _repr_html_(self) -> str:
        """Show the same within a notebook."""
        return fragment_of(self._told(), [(table, self._of(table)) for table in self._published])

    def _told(self) -> str:
        """Say what comes of all of it."""
        agree, differ, others = self._counts()
        text = (
            f"{counted_noun(sum(self._counts()), 'cell')}: {agree:,} agree, {differ:,} differ, {others:,} "
            f"cannot be compared. Effort {self.effort}, seed {self.random_state}, {self.elapsed:,.0f} s."
        )
        if self.rule:
            text += f" In the tables of the paper on pruning, SYNTH is {self.rule}."
        ends = {"time_limit": " The time limit was reached.", "stopped": " It was stopped."}
        return text + ends.get(self.status, "")

    def _frame(self) -> pd.DataFrame:
        return self.cells.to_frame()

    def _facts(self) -> Mapping[str, object]:
        return {
            "settings": {
                "what": self.tables,
                "effort": self.effort,
                "random_state": self.random_state,
                "rule": self.rule or None,
            },
            "status": self.status,
            "seconds": self.elapsed,
            "summary": self.summary,
            "cells": self.cells,
        }

    def _numbers(self) -> ResultTable:
        return self.cells

    def __repr__(self) -> str:
        """Return one line: what was compared, and how it ended."""
        agree, differ, others = self._counts()
        tables, cells = counted_noun(len(self._published), "table"), counted_noun(len(self._compared), "cell")
        counts = f"{agree} agree, {differ} differ, {others} cannot be compared"
        return f"<Reproduction: {tables}, {cells}, {counts}, {self.status}>"


def _reasons(cells: Sequence[Cell]) -> Iterator[str]:
    return (cell.reason for cell in cells if cell.reason)


def _columns(cells: Sequence[Cell], marks: Mapping[str, str] | None = None) -> list[Column]:
    """Return a line for each cell; `marks` stand behind verdicts for their reasons."""
    behind = {} if marks is None else marks

    def verdict(cell: Cell) -> str:
        mark = behind.get(cell.reason, "")
        return f"{cell.verdict.verdict} {mark}" if mark else cell.verdict.verdict

    return [
        Column("row", [cell.table.shown(cell.row) for cell in cells], align="left"),
        Column("column", [cell.column.heading for cell in cells], align="left"),
        Column("paper", [cell.published for cell in cells]),
        Column("ours", [cell.measured for cell in cells]),
        Column("difference", [cell.difference for cell in cells]),
        Column("verdict", [verdict(cell) for cell in cells], align="left"),
    ]
