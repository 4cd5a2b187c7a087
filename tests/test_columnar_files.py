"""Parquet, Arrow, workbooks and databases: columns with types, and only the wanted ones."""

from __future__ import annotations

import datetime
import io
import sqlite3
import sys
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import duckdb
import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest
from odf import opendocument, table
from odf.text import P
from scipy.sparse import csr_matrix

from commands import Run
from treewright import DataError, Dataset, DataTypeError, GreedyTreeClassifier, ParameterError, datasets

FRAME = pd.DataFrame(
    {
        "a.b": [1.5, None, 3],
        "size": pd.Categorical(["M", "S", None], categories=["S", "M", "L"]),
        "n": pd.array([1, None, 3], "Int64"),
        "text": ["p", "q", None],
        "yes": [True, False, None],
        "class": ["n", "j", "n"],
        "exact": [Decimal("0.5"), None, Decimal(2)],
        "when": pd.to_datetime(["2020-01-01", None, "2020-01-03"]),
    },
    index=[7, 8, 9],
)


def as_stream(frame: pd.DataFrame, path: Path) -> None:
    whole = pa.Table.from_pandas(frame)
    with pa.ipc.new_stream(path, whole.schema) as writer:
        writer.write_table(whole)


WRITERS: dict[str, Callable[[pd.DataFrame, Path], object]] = {
    "parquet": lambda frame, path: frame.to_parquet(path),
    "feather": lambda frame, path: pa.feather.write_feather(frame.reset_index(drop=True), str(path)),
    "stream": as_stream,
}


@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_columns_keep_their_types(tmp_path: Path, write: Callable[[pd.DataFrame, Path], object]) -> None:
    write(FRAME, tmp_path / "t")
    found = datasets.read(tmp_path / "t", target="class", drop=["when"])
    assert found.content_hash == Dataset(FRAME.drop(columns=["class", "when"]), FRAME["class"]).content_hash
    assert found.levels[1] == ["S", "M", "L"]
    with pytest.raises(
        DataTypeError, match=r"column 'when' \(8\): the column holds dates, such as 2020-01-01"
    ):
        datasets.read(tmp_path / "t", target="class")
    with pytest.raises(ParameterError, match=r"target is needed for .*, 'when'$"):
        datasets.read(tmp_path / "t")


def test_only_wanted_columns_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    FRAME.to_parquet(tmp_path / "t")
    asked = []
    plain = pa.parquet.ParquetFile.read
    monkeypatch.setattr(
        pa.parquet.ParquetFile,
        "read",
        lambda self, columns: asked.append(columns) or plain(self, columns=columns),
    )
    datasets.read(tmp_path / "t", target="class", drop=["when", "text", "exact", "yes"])
    assert asked == [["a.b", "size", "n", "class"]]


def test_a_damaged_file_and_a_missing_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "t").write_bytes(b"PAR1 and no more")
    with pytest.raises(DataError, match=r"t: the file is damaged .*; fetch or write it again"):
        datasets.read(tmp_path / "t", target="class")
    for name, message in (("pyarrow", r"needs pyarrow.*`pip install treewright\[arrow\]`"),):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(DataError, match=message):
            datasets.read(tmp_path / "t", target="class")


FRAMES: dict[str, Callable[[pd.DataFrame], object]] = {
    "pandas": lambda frame: frame,
    "polars": lambda frame: pl.from_pandas(frame),
    "pyarrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_a_frame_is_read_like_a_file(make: Callable[[pd.DataFrame], object]) -> None:
    whole = pd.concat([FRAME.drop(columns="exact")] * 3, ignore_index=True)
    frame = make(whole)
    found = datasets.read(frame, target="class", dates={"when": ["days"]})
    assert found.feature_names[-1] == "when.days"
    np.testing.assert_array_equal(found.column(5), [0, np.nan, 2] * 3)
    tree = GreedyTreeClassifier().fit(found).tree_
    rows = datasets.read_rows(tree, frame, target="class")
    assert tree.predict(rows.features).tolist() == rows.labels == list(whole["class"])
    assert datasets.read_header(frame) == list(whole.columns)
    with pytest.raises(DataTypeError, match=r"the frame, column 'when' .* 2020-01-01 at row 0; declare"):
        datasets.read(frame, target="class")


def test_what_fetch_openml_returns_is_taken_as_it_is() -> None:
    """Its frames have categories in the order of the file, and a target that is a category too."""
    kind = pd.CategoricalDtype(["late", "early", "never"])
    X = pd.DataFrame({"kind": pd.Categorical(["early", None, "late"], dtype=kind), "size": [1.0, 2.0, None]})
    y = pd.Series(pd.Categorical(["2", "1", "2"], categories=["2", "1", "3"]), name="class")
    data = Dataset(X, y)
    assert (data.levels, data.classes.tolist()) == ([["late", "early", "never"], None], ["1", "2"])
    frame = pd.concat([X, y], axis=1)
    assert datasets.read(frame, target="class").content_hash == data.content_hash
    sparse = csr_matrix([[0.0, 1.5], [2.0, 0.0], [0.0, 0.0]])
    wide = pd.DataFrame.sparse.from_spmatrix(sparse, columns=["a", "b"])
    assert Dataset(wide, y).column(1).tolist() == Dataset(sparse, y).column(1).tolist() == [1.5, 0, 0]


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            [Decimal("0.1234567890123456789"), Decimal(1)],
            r"has Decimal\('0.1234567890123456789'\) at row 0, .* round",
        ),
        (
            np.array([1, np.longdouble(1) + np.longdouble(2) ** -60]),
            r"has .*1\.0+9.* at row 1, .* round it",
        ),
        ([[1, 2], [3, 4]], "has a list at row 0; .* give each of its elements a column of its own"),
    ],
)
def test_numbers_that_no_float_holds_are_refused(values: object, message: str) -> None:
    with pytest.raises((DataError, DataTypeError), match=message):
        Dataset.from_columns({"x": values})


def test_decimals_and_long_doubles_are_taken_where_a_float_holds_them() -> None:
    longs = np.array([0.1, 2.5], dtype=np.longdouble)
    data = Dataset.from_columns(
        {"x": [Decimal("0.10"), None], "y": longs, "z": [Decimal(3), Decimal("1e22")]}
    )
    np.testing.assert_array_equal(data.column(0), [0.1, np.nan])
    assert data.column(1).tolist() == [0.1, 2.5]


# Workbooks -----------------------------------------------------------------------------

ROWS = [
    ["Patients of the ward"],
    [],
    ["age", "mark", "when", "class"],
    [1, "p", datetime.date(2020, 1, 2), 1],
    [2.5, None, datetime.date(2020, 1, 3), 2],
    [None, "q", None, 1],
]


def book(folder: Path, rows: list[list[object]] | None = None, **sheets: list[list[object]]) -> Path:
    found = openpyxl.Workbook()
    found.remove(found.active)
    for title, lines in (sheets or {"Data": rows or ROWS}).items():
        sheet = found.create_sheet(title)
        for line in lines:
            sheet.append(line)
    path = folder / "book"
    found.save(path)
    return path


def test_a_sheet_is_read_below_its_title(tmp_path: Path) -> None:
    found = datasets.read(book(tmp_path), target="class", drop=["when"])
    assert (found.feature_names, found.levels) == (["age", "mark"], [None, ["p", "q"]])
    np.testing.assert_array_equal(found.column(0), [1, 2.5, np.nan])
    assert found.classes[found.target].tolist() == [1, 2, 1]
    assert found.source.reading["sheet"] == "Data"
    with pytest.raises(
        DataTypeError, match=r"sheet 'Data', column C \('when'\): .* such as 2020-01-02 at row 4"
    ):
        datasets.read(book(tmp_path), target="class")


def test_dates_count_from_1904_where_the_workbook_says_so(tmp_path: Path) -> None:
    found = openpyxl.Workbook()
    found.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
    for line in (["d", "y"], [datetime.date(2020, 1, 2), "a"], [datetime.date(2020, 1, 3), "b"]):
        found.active.append(line)
    found.save(tmp_path / "book")
    read = datasets.read(tmp_path / "book", target="y", kinds={"d": "nominal"})
    assert read.levels == [["2020-01-02", "2020-01-03"]]


def test_one_of_several_sheets_is_named(tmp_path: Path) -> None:
    path = book(tmp_path, None, Data=ROWS, Other=[["a", "b"], [1, 2]], Empty=[])
    with pytest.raises(ParameterError, match=r"sheet is needed for .*: one of 'Data', 'Other'"):
        datasets.read(path, target="b")
    for sheet in ("Other", 2, "2"):
        assert datasets.read(path, target="b", sheet=sheet).n_samples == 1
    for sheet in ("No", 4):
        with pytest.raises(ParameterError, match=r"is no sheet of .*'Data', 'Other', 'Empty'"):
            datasets.read(path, target="b", sheet=sheet)


BLANKS = {
    "formula": (
        "=1/0",
        "n",
        "the formula =1/0 has no stored value; open the workbook in a",
    ),
    "error": ("#N/A", "e", "the cell has the error #N/A; mend it in the workbook, or empty it"),
    "text": (
        "n/a",
        "s",
        r"\('age'\): the column holds the text 'n/a' and numbers, such as 1.0 \(row 4\)",
    ),
}


@pytest.mark.parametrize(("value", "kind", "message"), BLANKS.values(), ids=BLANKS)
def test_cells_that_are_no_values_are_named(tmp_path: Path, value: str, kind: str, message: str) -> None:
    path = book(tmp_path)
    found = openpyxl.load_workbook(io.BytesIO(path.read_bytes()))
    cell = found.active["A6"]
    cell.value = value
    if kind == "e":
        cell.data_type = kind
    found.save(path)
    with pytest.raises(DataError, match=f"sheet 'Data', cell A6.*{message}"):
        datasets.read(path, target="class", drop=["when"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([["a", None, "b"], [1, 2, 3]], "sheet 'Data', cell B1: the column has no name; write it"),
        ([["a", "a"], [1, 2]], "sheet 'Data': columns 1 and 2 are both named 'a'; rename one"),
        ([["a", "b"]], "sheet 'Data': there is no row below a header; name another sheet with sheet"),
    ],
)
def test_bad_sheets_are_refused(tmp_path: Path, rows: list[list[object]], message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(book(tmp_path, rows), target="a")


def open_document(folder: Path, rows: list[list[object]], repeated: int = 1) -> Path:
    document = opendocument.OpenDocumentSpreadsheet()
    sheet = table.Table(name="Data")
    for line in rows:
        row = table.TableRow(numberrowsrepeated=repeated if line is rows[-1] else 1)
        for value in line:
            if isinstance(value, tuple):
                cell = table.TableCell(formula=value[0])
                if value[1]:
                    cell.addElement(P(text=value[1]))
            else:
                is_text = isinstance(value, str)
                cell = (
                    table.TableCell(valuetype="string")
                    if is_text
                    else table.TableCell(valuetype="float", value=value)
                )
                cell.addElement(P(text=str(value)))
            row.addElement(cell)
        sheet.addElement(row)
    document.spreadsheet.addElement(sheet)
    document.save(str(folder / "table"))
    return folder / "table"


def test_open_documents_repeat_rows(tmp_path: Path) -> None:
    rows = [["a", "y"], [1, "p"], [2.5, "q"]]
    found = datasets.read(open_document(tmp_path, rows, repeated=3), target="y")
    assert found.column(0).tolist() == [1, 2.5, 2.5, 2.5]
    for value, message in (
        (("of:=1/0", "#DIV/0!"), "the error #DIV/0!"),
        (("of:=1+1", ""), "formula of:=1.1 has"),
    ):
        path = open_document(tmp_path, [["a", "y"], [1, "p"], [value, "q"]])
        with pytest.raises(DataError, match=f"cell A3: the .*{message}"):
            datasets.read(path, target="y")


def test_a_workbook_without_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(DataError, match=r"is a workbook, and reading it needs python-calamine.*\[excel\]"):
        datasets.read(book(tmp_path), target="class")


def test_the_command_line_names_a_sheet(run: Run) -> None:
    book(Path(), None, Data=ROWS, Other=[["a", "b"], [1, 2], [2, 3]])
    assert (
        "a <= 1: 2 (1)" in run("fit", "./book", "--target", "b", "--sheet", "Other", "--out", "tree.json").out
    )
    assert run("predict", "tree.json", "./book", "--sheet", "2").out == "prediction\n2\n3\n"
    assert (
        run("predict", "tree.json", "./book").out == "prediction\n2\n3\n"
    )  # the sheet that it was fitted to
    refused = run("fit", "./book", "--target", "b")
    assert (refused.code, "--sheet is needed for ./book" in refused.err) == (2, True)


# Databases -----------------------------------------------------------------------------


@pytest.fixture
def patients(tmp_path: Path) -> Path:
    path = tmp_path / "patients.db"
    with sqlite3.connect(path) as connection:
        connection.execute('create table patients (id int, age real, "s ex" text, class text)')
        rows = [(1, 2.5, "f", "n"), (2, None, "m", "j"), (3, 7, None, "n")]
        connection.executemany("insert into patients values (?, ?, ?, ?)", rows)
    connection.close()
    return path


@pytest.mark.parametrize("query", [None, "patients", "select * from patients;"])
@pytest.mark.parametrize("scheme", ["", "sqlite:///", "sqlite+pysqlite:///"])
def test_a_database_is_asked_by_table_or_statement(patients: Path, scheme: str, query: str | None) -> None:
    found = datasets.read(f"{scheme}{patients}", target="class", drop=["id"], query=query)
    assert (found.feature_names, found.levels) == (["age", "s ex"], [None, ["f", "m"]])
    np.testing.assert_array_equal(found.column(0), [2.5, np.nan, 7])


def test_only_wanted_columns_are_selected(patients: Path) -> None:
    query = "select age, class, random() as r from patients where age > 3 or ':a' = ''"
    found = datasets.read(patients, target="class", drop=["r"], query=query)
    assert found.column(0).tolist() == [7]


@pytest.mark.parametrize(
    ("path", "query", "message"),
    [
        ("{}", "select agee from patients", "the database refuses the query .no such column: agee.; correct"),
        ("{}", "drop table patients", "the database refuses the query"),
        ("{}", "select class from patients where age > 99", "has no column 'age'|no feature is left"),
        ("mysql://me:secret@host/x", "t", r"mysql://me:\*\*\*@host/x: SQLAlchemy cannot open it"),
        ("https://host/x.csv", "t", "is an address of the network; download the file"),
    ],
)
def test_bad_queries_are_refused(patients: Path, path: str, query: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(path.format(patients), target="class", query=query)
    assert datasets.read(patients, target="class").n_samples == 3


def test_duckdb_by_file_by_url_and_without_a_file(tmp_path: Path) -> None:
    path = tmp_path / "t.duckdb"
    with duckdb.connect(str(path)) as connection:
        connection.execute(
            "create table a as select 1::decimal(9,2) as x, 'j' as y union all select 2.5, 'n'"
        )
        connection.execute("create table b as select 1 as z")
    with pytest.raises(ParameterError, match=r"query is needed for .*, or one of its tables, 'a', 'b'"):
        datasets.read(path, target="y")
    for place in (path, f"duckdb:///{path}"):
        assert datasets.read(place, target="y", query="a").column(0).tolist() == [1, 2.5]
    FRAME.to_parquet(tmp_path / "t.parquet")
    found = datasets.read("duckdb://", target="class", query=f"select class, n from '{tmp_path}/t.parquet'")
    np.testing.assert_array_equal(found.column(0), [1, np.nan, 3])


def test_a_database_that_is_not_there_is_not_made(tmp_path: Path) -> None:
    for scheme in ("sqlite", "duckdb"):
        with pytest.raises(FileNotFoundError):
            datasets.read(f"{scheme}:///{tmp_path}/new.db", target="y", query="t")
    assert list(tmp_path.iterdir()) == []


def test_the_command_line_asks_a_database(run: Run, patients: Path) -> None:
    query = "select age, class from patients where age is not null"
    told = run("fit", f"sqlite:///{patients}", "--query", query, "--target", "class", "--out", "tree.json")
    assert (told.code, "2 rows" in told.out) == (0, True)
    assert run("predict", "tree.json", f"sqlite:///{patients}", "--query", "patients").code == 0
