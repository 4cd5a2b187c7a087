"""The list of what the papers have, what each table needs, how long it takes, and whether it can be had."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from treewright._base.checkpoint import PathLike
from treewright._base.html import element, escaped, fragment, page
from treewright._base.html import table as html_table
from treewright._base.numbers import counted_noun
from treewright.reporting.table import Column, Table
from treewright.results import Record, ResultTable, floats, ints, texts
from treewright.studies.common.report import Report
from treewright.studies.reproduction.facts import PAPERS, PublishedTable, all_tables, paper
from treewright.studies.reproduction.registry import NEVER_PUBLISHED, Shelf, chosen_tables, recipe

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PublishedTables", "published_tables"]

WHOLE, IN_PART, NOT_AT_ALL, DRAWING, STAND_IN = "yes", "in part", "no", "no numbers", "on a stand-in"


@dataclass(frozen=True, eq=False, repr=False)
class PublishedTables(Report):
    """Result of `published_tables`: the tables and figures of the papers.

    It prints as a table, with a line for each table or figure. `to_frame` and `rows` have the same.

    Attributes
    ----------
    rows : ResultTable
        One row for each table or figure: ``name`` (as `reproduce` takes it), ``title``, ``kind``
        (``"table"``, ``"figure"``, ``"drawing"`` without measurements, or ``"statements"`` of the text about
        figures), ``n_cells``, ``needs`` (data sets of a folder), ``missing`` (those that are not here),
        ``short`` and ``full`` (seconds on one core, about), and ``available``: ``"yes"``, ``"in part"``,
        ``"no"``, ``"on a stand-in"`` or ``"no numbers"``.

    See Also
    --------
    published_tables : Makes one, with an example.
    """

    rows: ResultTable

    def records(self) -> list[Record]:
        """Return every row as a dict.

        Returns
        -------
        records : list of dict
            By the names of the columns.
        """
        return self.rows.records()

    def _table(self) -> Table:
        rows = self.records()
        columns = [
            Column("name", [row["name"] for row in rows], align="left"),
            Column("what", [row["title"] for row in rows], align="left"),
            Column("cells", [f"{row['n_cells'] or '-'}" for row in rows]),
            Column("short", [_duration(row["short"]) for row in rows]),
            Column("full", [_duration(row["full"]) for row in rows]),
            Column("can be had", [row["available"] for row in rows], align="left"),
            Column("not here", [row["missing"] or "-" for row in rows], align="left"),
        ]
        return Table(
            f"{counted_noun(len(rows), 'table')} and figures of published papers",
            columns,
            list(self._notes()),
        )

    def _notes(self) -> Iterator[str]:
        yield "short, full: how long it takes on one core, about, by effort."
        papers = dict.fromkeys(row["name"].partition(":")[0] for row in self.records())
        yield from (f"{name}: {paper(name).citation}." for name in papers)
        missing = {name for row in self.records() for name in row["missing"].split(", ") if name}
        if never := sorted(missing & NEVER_PUBLISHED):
            yield f"Never published: {', '.join(never)}."
        if others := sorted(missing - NEVER_PUBLISHED):
            yield (
                f"Not in the folder of data sets: {', '.join(others)}. The variable TREEWRIGHT_DATA or "
                "--folder names the folder."
            )

    def _frame(self) -> pd.DataFrame:
        return self.rows.to_frame()

    def _facts(self) -> Mapping[str, object]:
        papers = [{"name": name, "citation": paper(name).citation} for name in PAPERS]
        return {"papers": papers, "tables": self.rows}

    def _numbers(self) -> ResultTable:
        return self.rows

    def to_html(self) -> str:
        """Return a page with the list and what is told below it.

        Returns
        -------
        page : str
            HTML that needs nothing else.
        """
        table = self._table()
        return page(table.title, element("h1", table.title), self._body(), *map(_paragraph, table.notes))

    def _body(self) -> str:
        table = self._table()
        heads = [column.name for column in table.columns]
        rows = zip(*([escaped(cell) for cell in column.cells] for column in table.columns), strict=True)
        return html_table(heads, list(rows))

    def _repr_html_(self) -> str:
        return fragment(self._body())

    def __repr__(self) -> str:
        """Return one line: how many there are."""
        return f"<PublishedTables: {counted_noun(len(self.rows), 'table')} and figures>"


def published_tables(what: object = "all", *, folder: PathLike | None = None) -> PublishedTables:
    """List the tables and figures of the papers that `reproduce` knows.

    Parameters
    ----------
    what : str or list of str, default="all"
        Papers or tables, as in `reproduce`.
    folder : path, default=None
        Folder of the data sets that are not bundled; None is the folder that ``TREEWRIGHT_DATA`` names.

    Returns
    -------
    tables : PublishedTables
        It prints as a table.

    Raises
    ------
    ParameterError
        If a paper or a table is not known.

    Examples
    --------
    >>> from treewright.studies import published_tables
    >>> published_tables("decision-tables")
    <PublishedTables: 5 tables and figures>
    >>> [row["n_cells"] for row in published_tables("decision-tables").records()]
    [80, 80, 80, 80, 10]
    """
    shelf = Shelf.of(folder)
    rows = [_row(table, shelf) for table in chosen_tables(what)]
    ids, titles = list(all_tables()), [table.title for table in all_tables().values()]
    columns = [
        texts("name", ids),
        texts("title", titles),
        texts("kind", ["statements"]),
        *ints("n_cells"),
        ("needs", "object"),
        ("missing", "object"),
        *floats("short", "full"),
        texts("available", [WHOLE, IN_PART, NOT_AT_ALL, DRAWING, STAND_IN]),
    ]
    return PublishedTables(ResultTable.from_rows(rows, columns))


def _row(table: PublishedTable, shelf: Shelf) -> tuple[object, ...]:
    missing = shelf.lacks(table.needs)
    n_cells = len(table.rows) * len(table.columns)
    names = (", ".join(table.needs), ", ".join(missing))
    return (
        table.id,
        table.title,
        table.kind,
        n_cells,
        *names,
        *table.seconds.values(),
        _available(table, shelf),
    )


def _available(table: PublishedTable, shelf: Shelf) -> str:
    """Say whether a table can be made here."""
    if not table.rows:
        return DRAWING
    made = recipe(table)
    jobs = [not shelf.why_not(job) for job in made.jobs]
    if made.is_stand_in:
        return STAND_IN
    if not any(jobs):
        return NOT_AT_ALL
    rows = [shelf.lacks(made.needs.get(row, ())) for row in table.rows]
    return WHOLE if all(jobs) and not any(rows) else IN_PART


def _paragraph(text: str) -> str:
    return element("p", escaped(text))


def _duration(seconds: float) -> str:
    """Write how long something takes, about."""
    if not seconds:
        return "-"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.0f} h"
