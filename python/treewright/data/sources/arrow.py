"""Parquet, Feather and Arrow files, by pyarrow: only the columns that are wanted are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from treewright._base.errors import DataError
from treewright.data.intake.column import Column
from treewright.data.sources.dates import column_of_series
from treewright.data.sources.extras import needed
from treewright.data.sources.file import DataFile
from treewright.data.sources.recognise import STREAM
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import refuse_names
from treewright.data.types import Native

_INDEX = re.compile(r"__index_level_\d+__")
"""What pandas calls the index of a frame in a file."""


def open_arrow(file: DataFile) -> TypedTable:
    """Open a file of columns."""
    arrow = needed("pyarrow", "arrow", f"{file.shown} is a file of Arrow or Parquet, and reading it")
    try:
        names, read = _opened(file, arrow)
    except (arrow.ArrowInvalid, OSError) as error:
        raise DataError(f"{file.shown}: the file is damaged ({error}); fetch or write it again") from error
    refuse_names(file.shown, names)

    def take(wanted: Sequence[str]) -> list[Column]:
        table = read(list(wanted))
        return [column_of_series(table.column(name)) for name in wanted]

    return TypedTable(
        file.shown,
        names,
        take,
        options={"format": "arrow"},
        ignored=[name for name in names if _INDEX.fullmatch(name)],
    )


def _opened(file: DataFile, arrow: Native) -> tuple[list[str], Callable[[list[str]], Native]]:
    """Return the names of the columns, and what reads some of them."""
    path = str(file.path)
    if file.head.startswith(b"PAR1"):
        parquet = needed("pyarrow.parquet", "arrow", file.shown)
        opened = parquet.ParquetFile(path)
        return opened.schema_arrow.names, lambda names: opened.read(columns=names)
    if file.head.startswith(STREAM):
        table = arrow.ipc.open_stream(arrow.memory_map(path)).read_all()
        return table.column_names, table.select
    feather = needed("pyarrow.feather", "arrow", file.shown)
    if file.head.startswith(b"FEA1"):
        return feather.read_table(path).column_names, lambda names: feather.read_table(path, columns=names)
    schema = arrow.ipc.open_file(arrow.memory_map(path)).schema
    return schema.names, lambda names: feather.read_table(path, columns=names)
