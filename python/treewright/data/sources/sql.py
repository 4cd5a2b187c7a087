"""Tables of a database: SQLite by Python itself, DuckDB by its package, any other by SQLAlchemy.

The query runs as a table of its own, of which only the wanted columns are asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET, shortened
from treewright.data.intake.column import Column
from treewright.data.sources.dates import column_of_objects
from treewright.data.sources.extras import needed
from treewright.data.sources.file import DataFile
from treewright.data.sources.recognise import SQLITE, URL
from treewright.data.sources.typed import TypedTable
from treewright.data.sources.words import refuse_names
from treewright.data.types import Native

_SECRET = re.compile(r"(://[^/@:]*):[^/@]*@")
_WORD = re.compile(r"[\w.]+")

Rows = list[tuple[object, ...]]
Run = Callable[[str], tuple[list[str], Rows]]
"""Runs a statement: the names of its columns, and its rows."""


def open_database(file: DataFile, query: str | None = None) -> TypedTable:
    """Open the result of a query, or a table by its name."""
    database = _Database.of(file)
    statement = database.statement(query)
    names, _ = database.run(f"SELECT * FROM ({statement}) AS t WHERE 1 = 0")
    refuse_names(database.shown, names)

    def take(wanted: Sequence[str]) -> list[Column]:
        columns = ", ".join(map(database.quoted, wanted))
        _, rows = database.run(f"SELECT {columns} FROM ({statement}) AS t")
        if not rows:
            raise DataError(f"{database.shown}: the query returns no row")
        return [column_of_objects(list(values)) for values in zip(*rows, strict=True)]

    return TypedTable(database.shown, names, take, options={"format": "sql", "query": statement})


@dataclass(frozen=True)
class _Database:
    """A database: what runs a statement, what quotes a name, and what lists the tables."""

    shown: str
    runs: Run
    quoted: Callable[[str], str]
    tables: Callable[[], list[str]]

    @classmethod
    def of(cls, file: DataFile) -> _Database:
        """Open a database by its URL, or its file."""
        shown = _SECRET.sub(r"\1:***@", file.shown)
        url = URL.match(file.shown)
        scheme = url[1] if url else "sqlite" if file.head.startswith(SQLITE) else "duckdb"
        rest = file.shown[url.end() :] if url else f"/{file.path}"
        if scheme in ("http", "https", "ftp", "s3"):
            raise DataError(f"{shown} is an address of the network; download the file, and name its path")
        if scheme == "sqlite":
            return _sqlite(shown, unquote(rest.removeprefix("/")))
        return (
            _duckdb(shown, unquote(rest.removeprefix("/")))
            if scheme == "duckdb"
            else _other(shown, file.shown)
        )

    def run(self, statement: str) -> tuple[list[str], Rows]:
        """Run a statement; what the database says of it is the error."""
        try:
            return self.runs(statement)
        except DataError:
            raise
        except Exception as error:
            told = str(error).partition("\n")[0]
            raise DataError(f"{self.shown}: the database refuses the query ({told}); correct it") from error

    def statement(self, query: str | None) -> str:
        """Return what selects the rows: a query, all of a named table, or of the only one."""
        asked = (query or "").strip().rstrip(";").strip()
        if not asked:
            names = self.tables()
            if len(names) != 1:
                found = shortened(names) if names else "none"
                raise ParameterError(
                    "query",
                    UNSET,
                    f"is needed for {self.shown}: a statement of SQL, or one of its tables, {found}",
                )
            asked = names[0]
            return f"SELECT * FROM {self.quoted(asked)}"
        is_table = _WORD.fullmatch(asked) is not None
        return f"SELECT * FROM {'.'.join(map(self.quoted, asked.split('.')))}" if is_table else asked


def _in_quotes(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _sqlite(shown: str, path: str) -> _Database:
    import sqlite3

    if not Path(path).is_file():
        raise FileNotFoundError(2, "No such file or directory", path)

    def run(statement: str) -> tuple[list[str], Rows]:
        address = f"{Path(path).absolute().as_uri()}?mode=ro"
        with closing(sqlite3.connect(address, uri=True)) as connection:
            cursor = connection.execute(statement)
            return [one[0] for one in cursor.description], cursor.fetchall()

    def tables() -> list[str]:
        wanted = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
        return [str(name) for (name,) in run(wanted)[1]]

    return _Database(shown, run, _in_quotes, tables)


def _duckdb(shown: str, path: str) -> _Database:
    duckdb = needed("duckdb", "sql", f"{shown} is a database of DuckDB, and reading it")
    if path and not Path(path).is_file():
        raise FileNotFoundError(2, "No such file or directory", path)

    def run(statement: str) -> tuple[list[str], Rows]:
        with duckdb.connect(path or ":memory:", read_only=bool(path)) as connection:
            cursor = connection.execute(statement)
            return [one[0] for one in cursor.description], cursor.fetchall()

    return _Database(shown, run, _in_quotes, lambda: [str(row[0]) for row in run("SHOW TABLES")[1]])


def _other(shown: str, url: str) -> _Database:
    alchemy = needed("sqlalchemy", "sql", f"{shown} is a database, and reading it")
    try:
        engine: Native = alchemy.create_engine(url)
    except (alchemy.exc.ArgumentError, alchemy.exc.NoSuchModuleError, ImportError) as error:
        raise DataError(
            f"{shown}: SQLAlchemy cannot open it ({error}); install the package of its driver"
        ) from error

    def run(statement: str) -> tuple[list[str], Rows]:
        with engine.connect() as connection:
            result = connection.execute(alchemy.text(statement.replace(":", r"\:")))
            return list(result.keys()), [tuple(row) for row in result]

    return _Database(
        shown,
        run,
        engine.dialect.identifier_preparer.quote,
        lambda: alchemy.inspect(engine).get_table_names(),
    )
