"""The formats that files come in, told apart by content.

A format recognises a file by its first bytes and opens it as a table. `FORMATS` lists them; the last, CSV,
takes any text that no other format recognises. What is no table at all is refused by its kind.
"""

from __future__ import annotations

import inspect
import re
import zipfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, cast

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET, Param, Value, shortened
from treewright.data.dataset import Dataset
from treewright.data.sources.arff import is_arff, open_arff
from treewright.data.sources.csv import read_header
from treewright.data.sources.file import DataFile
from treewright.data.sources.read import read_csv
from treewright.data.sources.rows import Model, Rows, rows_of_csv
from treewright.data.sources.typed import TypedTable, Wishes
from treewright.data.sources.typed_rows import rows_of_table

Options = Mapping[str, object]


class Table(Protocol):
    """An opened file."""

    @property
    def names(self) -> list[str]:
        """Names of its columns."""

    def dataset(self, wishes: Wishes, name: str) -> Dataset:
        """Turn it into a `Dataset`."""

    def rows(self, tree: Model, wishes: Wishes) -> Rows:
        """Turn it into rows for a tree."""


@dataclass(frozen=True)
class Format:
    """A format of files.

    Attributes
    ----------
    name : str
        What a user calls it.
    recognises : callable
        Tells from the first bytes and the path whether a file has the format.
    open : callable
        Opens a file; its parameters by name are the options of the format.
    """

    name: str
    recognises: Callable[[DataFile], bool]
    open: Callable[..., Table]

    @property
    def options(self) -> list[str]:
        """Names of the options of this format alone."""
        return list(inspect.signature(self.open).parameters)[1:]

    def opened(self, file: DataFile, options: Options) -> Table:
        """Open a file; refuse options of other formats."""
        for name, value in options.items():
            if name not in self.options:
                homes = [one.name for one in FORMATS if name in one.options]
                goes = f"does not go with {self.name} files"
                remedy = f"leave it out (it goes with {', '.join(homes)})" if homes else "leave it out"
                raise ParameterError(name, value, goes, remedy)
        return self.open(file, **options)


@dataclass(frozen=True)
class TypedFile:
    """A file that was read into columns with types."""

    table: TypedTable

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return self.table.names

    def dataset(self, wishes: Wishes, name: str) -> Dataset:
        """Turn it into a `Dataset`."""
        return self.table.dataset(wishes, name)

    def rows(self, tree: Model, wishes: Wishes) -> Rows:
        """Turn it into rows for a tree."""
        return rows_of_table(tree, self.table, wishes)


@dataclass(frozen=True)
class CsvFile:
    """A CSV file; it is read when it is known what is asked of it."""

    file: DataFile
    options: Mapping[str, str]

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return read_header(self.file.path, **self.options)

    def dataset(self, wishes: Wishes, name: str) -> Dataset:
        """Turn it into a `Dataset`."""
        if wishes.target is None:
            allowed = f"is needed for {self.file.shown}: one of its columns, {shortened(self.names)}"
            raise ParameterError("target", UNSET, allowed)
        return read_csv(
            self.file.path,
            target=wishes.target or None,
            kinds=wishes.kinds,
            missing_values=wishes.missing_values,
            drop=wishes.drop,
            weight=wishes.weight,
            **self.options,
        )

    def rows(self, tree: Model, wishes: Wishes) -> Rows:
        """Turn it into rows for a tree."""
        return rows_of_csv(
            tree,
            self.file.path,
            target=wishes.target or None,
            weight=wishes.weight,
            missing_values=wishes.missing_values,
            **self.options,
        )


def _arff(file: DataFile, encoding: str | None = None) -> Table:
    return TypedFile(open_arff(file, encoding))


def _csv(file: DataFile, delimiter: str | None = None, encoding: str | None = None) -> Table:
    given = {"delimiter": delimiter, "encoding": encoding}
    return CsvFile(file, {name: value for name, value in given.items() if value is not None})


FORMATS: Sequence[Format] = (
    Format("arff", lambda file: is_arff(file.head), _arff),
    Format("csv", lambda file: True, _csv),
)
"""All formats, in the order in which they are tried."""


def format_of(file: DataFile, wanted: str | None = None) -> Format:
    """Return the format of a file: the wanted one, else the one that its content has."""
    if wanted is not None:
        known = {one.name: one for one in FORMATS}
        if wanted not in known:
            raise ParameterError("format", wanted, "is not known", ("choose ", Value(*known)))
        return known[wanted]
    found = next(one for one in FORMATS if one.recognises(file))
    if found is FORMATS[-1]:
        _refuse_others(file)
    return found


_OTHERS: Sequence[tuple[bytes, str, str]] = (
    (rb"PAR1", "a Parquet file", "name it by its path"),
    (rb"PK\x03\x04", "a zip archive", "unpack it, and name the table in it"),
    (rb"PK\x05\x06", "an empty zip archive", "name another file"),
    (rb"7z\xbc\xaf|Rar!", "an archive", "unpack it, and name the table in it"),
    (rb"%PDF", "a PDF document", "export its table as CSV or as a workbook"),
    (rb"\xd0\xcf\x11\xe0", "an old Office document", "save it as .xlsx or as CSV"),
    (rb"\x93NUMPY", "a numpy array", "load it (numpy.load) and pass it to Dataset"),
    (rb"\x89HDF", "an HDF5 file", "read it with pandas (read_hdf) and pass the frame"),
    (rb"<stata_dta|[\x71-\x73]\x01\x01", "a Stata file", "read it with pandas (read_stata), pass the frame"),
    (rb"\$FL[23]", "an SPSS file", "read it with pandas (read_spss) and pass the frame"),
    (rb"RD[AX][2-3]\n", "data of R", "write them from R with write.csv"),
    (rb"ORC", "an ORC file", "read it with pandas (read_orc) and pass the frame"),
    (rb"Obj\x01", "an Avro file", "convert it to Parquet or CSV"),
    (rb"\x80[\x02-\x05]", "a pickle", "unpickle it in Python and pass the object"),
    (rb"\x89PNG|GIF8|\xff\xd8\xff", "a picture", "name a table"),
    (
        rb"\s*<(?:!doctype|html|\?xml|table)",
        "a page of HTML or XML",
        "download the table itself",
    ),
    (
        rb'\s*(?:\{\s*"|\[\s*[\[{])',
        "JSON",
        "make a table of it: pandas.read_json reads some",
    ),
)
"""How other kinds of files begin, what they are, and what to do."""


def _refuse_others(file: DataFile) -> None:
    """Refuse what is no text, or text of a known kind that is no table."""
    for begin, what, remedy in _OTHERS:
        if re.match(begin, file.head, re.IGNORECASE):
            raise DataError(f"{file.shown} is {what}, not a table of text; {_contents(file, remedy)}")
    if b"\0" in file.head and file.head[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        known = [one.name for one in FORMATS]
        raise DataError(
            f"{file.shown} is a binary file of an unknown kind; a table is of one of the formats ",
            Param("format", *known),
        )


def _contents(file: DataFile, remedy: str) -> str:
    """Name what a zip archive holds."""
    if not zipfile.is_zipfile(file.path):
        return remedy
    with zipfile.ZipFile(file.path) as archive:
        inside = [one.filename for one in archive.infolist() if not one.is_dir()]
    return f"{remedy}: it holds {shortened(inside, 6)}" if inside else remedy


def options_of(given: Mapping[str, object]) -> Options:
    """Return the options that were given."""
    return cast(Options, {name: value for name, value in given.items() if value is not None})
