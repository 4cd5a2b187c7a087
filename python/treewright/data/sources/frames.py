"""A frame, as a table like that of a file: so its dates become numbers in the same way."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.data.intake.column import Column
from treewright.data.intake.containers import Frame, native_of
from treewright.data.sources.dates import column_of_series
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import refuse_names
from treewright.data.types import Native

FRAME = "the frame"


def table_of_frame(native: Native) -> TypedTable:
    """Open a frame of pandas or polars, or a table of pyarrow; rows count from 0 as there."""
    frame = Frame(native_of(native))
    names = [str(label) for label in frame.labels]
    refuse_names(FRAME, names)
    position = {name: i for i, name in enumerate(names)}

    def take(wanted: Sequence[str]) -> list[Column]:
        return [column_of_series(frame.native_column(position[name])) for name in wanted]

    return TypedTable(FRAME, names, take, called="row {}".format, options={"format": "frame"})
