"""The sparse text of LIBSVM and svmlight: a class, then pairs of a position and a number.

Columns are called x1, x2, ... (x0, x1, ... where a position is 0); what a row leaves out is 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from treewright._base.errors import DataError
from treewright.data.intake.column import Column
from treewright.data.intake.containers import open_container
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import read_number
from treewright.data.sources.file import DataFile
from treewright.data.sources.typed import TypedTable

TARGET = "class"
_PAIR = re.compile(r"(\d+):(\S+)")
_COLUMN = re.compile(r"x(\d+)")


def open_libsvm(file: DataFile) -> TypedTable:
    """Read a sparse file."""
    reader = _Reader(file.shown)
    for line, text in enumerate(file.text().split("\n"), start=1):
        reader.read(line, text.partition("#")[0].split())
    if not reader.lines:
        raise DataError(f"{file.shown}: there is no row")
    return TypedTable(
        file.shown,
        [*reader.names(), TARGET],
        reader.take,
        called=lambda row: f"line {reader.lines[row]}",
        target=TARGET,
        options={"format": "libsvm"},
        further=lambda name: _COLUMN.fullmatch(name) is not None,
    )


@dataclass
class _Reader:
    path: str
    lines: list[int] = field(default_factory=list)
    labels: list[float] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    positions: list[int] = field(default_factory=list)
    values: list[float] = field(default_factory=list)

    def read(self, line: int, words: Sequence[str]) -> None:
        """Take in one line."""
        if not words:
            return
        label, *pairs = words
        self.labels.append(self._number(line, label, "the class"))
        last = -1
        for position, value in self._pairs(line, pairs):
            if position <= last:
                what = f"position {position} follows {last}, and positions ascend; sort the pairs of the row"
                raise DataError(f"{self.path}, line {line}: {what}")
            last = position
            self.rows.append(len(self.lines))
            self.positions.append(position)
            self.values.append(value)
        self.lines.append(line)

    def _pairs(self, line: int, words: Sequence[str]) -> Iterator[tuple[int, float]]:
        for word in words:
            found = _PAIR.fullmatch(word)
            if word.startswith("qid:"):
                continue
            if found is None:
                raise DataError(
                    f"{self.path}, line {line}: {word!r} is no pair of a position and a number, such as 3:0.5"
                )
            yield int(found[1]), self._number(line, found[2], f"the value at {found[1]}")

    def _number(self, line: int, text: str, what: str) -> float:
        number = read_number(text)
        if number is None or not abs(number) < float("inf"):
            many = "several classes, and a tree has one" if "," in text else "no finite number"
            raise DataError(f"{self.path}, line {line}: {what}, {text!r}, is {many}; correct it")
        return float(number)

    @property
    def first(self) -> int:
        """Position of the first column."""
        return 0 if 0 in self.positions else 1

    def names(self) -> list[str]:
        """Name every column up to the last that is written."""
        return [f"x{i}" for i in range(self.first, max(self.positions, default=0) + 1)]

    def take(self, names: Sequence[str]) -> list[Column]:
        """Return columns as dense ones."""
        from scipy.sparse import csc_array

        wanted = {int(name[1:]): place for place, name in enumerate(names) if name != TARGET}
        kept = [i for i, position in enumerate(self.positions) if position in wanted]
        rows = np.array([self.rows[i] for i in kept], dtype=np.int64)
        places = np.array([wanted[self.positions[i]] for i in kept], dtype=np.int64)
        values = np.array([self.values[i] for i in kept], dtype=np.float64)
        matrix = csc_array((values, (rows, places)), shape=(len(self.lines), len(names)))
        columns = list(open_container(matrix, self.path, least_features=0).columns(None))
        labels = NumberColumn(np.array(self.labels))
        return [labels if name == TARGET else one for name, one in zip(names, columns, strict=True)]
