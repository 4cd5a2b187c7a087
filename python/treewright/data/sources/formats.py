"""The formats that files come in, told apart by content.

A format recognises a file by its first bytes and opens it as a table. `FORMATS` lists them; the last, CSV,
takes any text that no other format recognises. What is no table at all is refused by its kind.
"""

from __future__ import annotations

import inspect
import re
import zipfile
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, cast

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET, Param, Value, shortened
from treewright.data.dataset import Dataset
from treewright.data.sources.csv import CsvSource
from treewright.data.sources.file import DataFile
from treewright.data.sources.layout import CsvOptions
from treewright.data.sources.read import CsvWishes, dataset_of_file
from treewright.data.sources.recognise import (
    NAMES,
    is_arff,
    is_arrow,
    is_database,
    is_libsvm,
    is_orange,
    is_workbook,
    names_of,
)
from treewright.data.sources.rows import Model, Rows, rows_of_csv
from treewright.data.sources.streams import found_encoding
from treewright.data.sources.typed import TypedTable, Wishes

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
        from treewright.data.sources.typed_rows import rows_of_table

        return rows_of_table(tree, self.table, wishes)


@dataclass(frozen=True)
class CsvFile:
    """A CSV file; it is read when it is known what is asked of it."""

    file: DataFile
    options: CsvOptions
    known: frozenset[str] = frozenset()
    """Names that its columns are expected to have: a first line that holds one is the header."""

    @property
    def names(self) -> list[str]:
        """Names of its columns."""
        return CsvSource.of(self.file, self.options, self.known).layout.names

    def dataset(self, wishes: Wishes, name: str) -> Dataset:
        """Turn it into a `Dataset`."""
        if wishes.target is None:
            allowed = f"is needed for {self.file.shown}: one of its columns, {shortened(self.names)}"
            raise ParameterError("target", UNSET, allowed)
        asked = CsvWishes(
            wishes.target or None,
            wishes.kinds,
            wishes.missing_values,
            wishes.drop,
            wishes.weight,
            wishes.drop_missing_target,
        )
        return dataset_of_file(self.file, self.options, asked, name)

    def rows(self, tree: Model, wishes: Wishes) -> Rows:
        """Turn it into rows for a tree."""
        target = wishes.target or None
        return rows_of_csv(tree, self.file, target, wishes.weight, wishes.missing_values, self.options)


def expecting(table: Table, known: Collection[str]) -> Table:
    """Return a table of which names of columns are expected; only a CSV file leaves open what names them."""
    return replace(table, known=frozenset(known)) if isinstance(table, CsvFile) else table


def _is_c45(file: DataFile) -> bool:
    """Tell C4.5's files: ``.names``, or rows beside a ``.names`` file that can be read."""
    names = names_of(file.path)
    if names is None or file.path.suffix == NAMES:
        return names is not None
    from treewright.data.sources.c45 import read_names

    try:
        read_names(names.name, file.beside(names).text())
    except DataError:
        return False
    return True


def _arff(file: DataFile, encoding: str | None = None) -> Table:
    from treewright.data.sources.arff import open_arff

    return TypedFile(open_arff(file, encoding))


def _c45(file: DataFile, encoding: str | None = None) -> Table:
    from treewright.data.sources.c45 import open_c45

    return TypedFile(open_c45(file, encoding))


def _orange(file: DataFile, encoding: str | None = None) -> Table:
    from treewright.data.sources.orange import open_orange

    return TypedFile(open_orange(file, encoding))


def _arrow(file: DataFile) -> Table:
    from treewright.data.sources.arrow import open_arrow

    return TypedFile(open_arrow(file))


def _excel(file: DataFile, sheet: str | int | None = None) -> Table:
    from treewright.data.sources.sheets import open_workbook

    return TypedFile(open_workbook(file, sheet))


def _sql(file: DataFile, query: str | None = None) -> Table:
    from treewright.data.sources.sql import open_database

    return TypedFile(open_database(file, query))


def _libsvm(file: DataFile) -> Table:
    from treewright.data.sources.libsvm import open_libsvm

    return TypedFile(open_libsvm(file))


def _csv(
    file: DataFile,
    delimiter: str | None = None,
    decimal: str | None = None,
    thousands: str | None = None,
    encoding: str | None = None,
    header: bool | None = None,
    skip_rows: int | None = None,
    skip_footer: int | None = None,
    quote: str | None = None,
    comment: str | None = None,
) -> Table:
    options = CsvOptions(
        delimiter, decimal, thousands, encoding, header, skip_rows, skip_footer, quote, comment
    )
    return CsvFile(file, options)


FORMATS: Sequence[Format] = (
    Format("c45", _is_c45, _c45),
    Format("sql", is_database, _sql),
    Format("arff", is_arff, _arff),
    Format("arrow", is_arrow, _arrow),
    Format("excel", is_workbook, _excel),
    Format("orange", is_orange, _orange),
    Format("libsvm", is_libsvm, _libsvm),
    Format("csv", lambda file: True, _csv),
)
"""All formats, in the order in which they are tried."""


def format_of(file: DataFile, wanted: str | None = None) -> Format:
    """Return the format of a file: the wanted one, else the one that its content has."""
    if wanted is not None:
        known = {one.name: one for one in FORMATS}
        if wanted not in known:
            raise ParameterError("format", wanted, "is not known", ("choose ", Value(*sorted(known))))
        return known[wanted]
    found = next(one for one in FORMATS if one.recognises(file))
    if found is FORMATS[-1]:
        _refuse_others(file)
    return found


_OTHERS: Sequence[tuple[bytes, str, str]] = (
    (rb"PK\x03\x04", "a zip archive", "unpack it, and name the table in it"),
    (rb"PK\x05\x06", "an empty zip archive", "name another file"),
    (rb"7z\xbc\xaf|Rar!", "an archive", "unpack it, and name the table in it"),
    (rb"%PDF", "a PDF document", "export its table as CSV or as a workbook"),
    (rb"\xd0\xcf\x11\xe0", "an Office document without a workbook", "name a table"),
    (rb"\x93NUMPY", "a numpy array", "load it (numpy.load) and pass it to Dataset"),
    (rb"\x89HDF", "an HDF5 file", "read it with pandas (read_hdf) and pass the frame"),
    (rb"<stata_dta|[\x71-\x73]\x01\x01", "a Stata file", "read it with pandas (read_stata), pass the frame"),
    (rb"\$FL[23]", "an SPSS file", "read it with pandas (read_spss) and pass the frame"),
    (
        rb"\x00{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}LIB",
        "a SAS file",
        "read it with pandas (read_sas) and pass the frame",
    ),
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
    if b"\0" in file.head and not found_encoding(file.head).startswith("utf-16"):
        known = sorted(one.name for one in FORMATS)
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
