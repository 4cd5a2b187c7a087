"""Workbooks (.xlsx, .xlsb, .xls, .ods), by python-calamine; what it leaves out is found in the file itself.

Calamine gives empty text for a cell with an error and for a formula whose value nobody stored. Neither is a
missing value, so both are named.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET, Param, shortened
from treewright.data.intake.column import Column
from treewright.data.sources.dates import column_of_objects
from treewright.data.sources.extras import needed
from treewright.data.sources.file import DataFile
from treewright.data.sources.sheet_cells import Blank, blank_cells, cell_name
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import refuse_names
from treewright.data.types import Native


@dataclass(frozen=True)
class SheetTable(TypedTable):
    """The table of a sheet; messages name cells."""

    sheet: str = ""
    rows: Sequence[int] = ()
    columns: Sequence[int] = ()

    def where(self, name: str, row: int | None = None) -> str:
        """Say which sheet, and which cell if `row` is given."""
        column = self.columns[self.names.index(name)]
        cell = cell_name(self.rows[row] if row is not None else 0, column)
        place = f"column {cell.rstrip('0123456789')}" if row is None else f"cell {cell}"
        return f"{self.path}, sheet {self.sheet!r}, {place} ({name!r})"


def open_workbook(file: DataFile, sheet: str | int | None = None) -> TypedTable:
    """Read a sheet of a workbook; its first row with two cells or more names the columns."""
    calamine = needed("python_calamine", "excel", f"{file.shown} is a workbook, and reading it")
    try:
        book = calamine.CalamineWorkbook.from_path(str(file.path))
        name = _chosen(file.shown, book, sheet)
        cells: list[list[object]] = book.get_sheet_by_name(name).to_python(skip_empty_area=False)
    except (calamine.CalamineError, OSError) as error:
        what = (
            "is protected by a password; save it without"
            if "assword" in repr(error)
            else f"cannot be read ({error})"
        )
        raise DataError(f"{file.shown}: the workbook {what}") from error
    where = f"{file.shown}, sheet {name!r}"
    grid = _Grid(where, [[None if value == "" else value for value in row] for row in cells])
    _refuse_blanks(where, grid, blank_cells(file.path, name))
    names = grid.names()
    table = grid.table()
    return SheetTable(
        file.shown,
        names,
        lambda wanted: [table[one] for one in wanted],
        called=lambda row: f"row {grid.rows[row] + 1}",
        options={"format": "excel", "sheet": name},
        sheet=name,
        rows=grid.rows,
        columns=grid.columns,
    )


def _chosen(path: str, book: Native, sheet: str | int | None) -> str:
    """Return the name of the sheet that is meant."""
    names: list[str] = book.sheet_names
    if isinstance(sheet, int) or (isinstance(sheet, str) and sheet.isdigit() and sheet not in names):
        if not 1 <= int(sheet) <= len(names):
            raise ParameterError(
                "sheet", sheet, f"is no sheet of {path}, which has {len(names)}: {shortened(names)}"
            )
        return names[int(sheet) - 1]
    if sheet is not None:
        if sheet not in names:
            raise ParameterError(
                "sheet", sheet, f"is no sheet of {path}", f"its sheets are {shortened(names)}"
            )
        return sheet
    visible = [one.name for one in book.sheets_metadata if str(one.visible).endswith("Visible")]
    filled = [name for name in visible or names if book.get_sheet_by_name(name).height]
    if len(filled) > 1:
        raise ParameterError("sheet", UNSET, f"is needed for {path}: one of {shortened(filled)}")
    if not filled:
        raise DataError(f"{path}: no sheet has a cell that is filled; name another file")
    return filled[0]


class _Grid:
    """The cells of a sheet from A1 on: which rows and columns are the table."""

    def __init__(self, where: str, cells: list[list[object]]) -> None:
        self.where, self.cells = where, cells
        filled = [sum(value is not None for value in row) for row in cells]
        widest = max(filled, default=0)
        self.head = next((i for i, n in enumerate(filled) if n >= min(2, widest) and n), 0)
        self.rows = [i for i in range(self.head + 1, len(cells)) if filled[i]]
        width = max((len(row) for row in cells), default=0)
        self.columns = [
            j for j in range(width) if any(self._at(i, j) is not None for i in (self.head, *self.rows))
        ]

    def _at(self, row: int, column: int) -> object:
        return self.cells[row][column] if column < len(self.cells[row]) else None

    def names(self) -> list[str]:
        """Return the names of the columns, or refuse the header."""
        if not self.rows:
            raise DataError(
                f"{self.where}: there is no row below a header; name another sheet with ", Param("sheet")
            )
        names = []
        for column in self.columns:
            name = self._at(self.head, column)
            if name is None:
                raise DataError(
                    f"{self.where}, cell {cell_name(self.head, column)}: the column has no name; write it"
                )
            names.append(_text(name))
        refuse_names(self.where, names)
        return names

    def table(self) -> dict[str, Column]:
        """Return the columns by name."""
        return {
            name: column_of_objects([self._at(row, column) for row in self.rows])
            for name, column in zip(self.names(), self.columns, strict=True)
        }


def _text(name: object) -> str:
    return str(int(name)) if isinstance(name, float) and name.is_integer() else str(name)


def _refuse_blanks(where: str, grid: _Grid, blanks: Iterator[Blank]) -> None:
    """Refuse cells of the table that look empty and are not."""
    for blank in blanks:
        if blank.row >= grid.head:
            raise DataError(f"{where}, cell {cell_name(blank.row, blank.column)}: {blank.told}")
