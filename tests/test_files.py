"""Files of every format: what each must read as, and what is refused, with line, column and remedy."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import numpy as np
import pytest

from commands import Run
from treewright import DataError, Dataset, DataTypeError, GreedyTreeClassifier, ParameterError, datasets

ARFF = r"""% A comment, and an empty line.

@RELATION 'two words'
@attribute 'it\'s' {'a b', "c,d", '?', e}   % a domain in its order
@Attribute n REAL
@attribute when date "yyyy-MM-dd"
@attribute text string
@attribute cls {1,10,9}

@DATA
'a b', 1.5, 2020-01-02, "hello \"x\"", 1
e ? ? ? 10, {2.5}
{0 "c,d", 1 3, 4 9}
'?', ?, 2021-05-01, x, 9   % comment
"""


def written(folder: Path, text: str | bytes, name: str = "table") -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


# ARFF ----------------------------------------------------------------------------------


def test_arff_keeps_domains_weights_and_its_class(tmp_path: Path) -> None:
    table = datasets.read(written(tmp_path, ARFF), drop=["when"])
    assert table.feature_names == ["it's", "n", "text"]
    assert table.levels == [["a b", "c,d", "?", "e"], None, ["0", 'hello "x"', "x"]]
    assert table.column(0).tolist() == [0, 3, 1, 2]
    np.testing.assert_array_equal(table.column(1), [1.5, np.nan, 3.0, np.nan])
    assert table.column(2).tolist() == [1, -1, 0, 2]
    assert table.classes.tolist() == [1, 9, 10]
    assert table.classes[table.target].tolist() == [1, 10, 9, 9]
    assert table.sample_weight.tolist() == [1, 2.5, 1, 1]
    assert table.source.reading["format"] == "arff"


def test_arff_is_told_by_content_even_compressed_or_in_utf_16(tmp_path: Path) -> None:
    plain = datasets.read(written(tmp_path, ARFF), drop=["when"])
    for content in (gzip.compress(ARFF.encode()), ARFF.encode("utf-16"), b"\xef\xbb\xbf" + ARFF.encode()):
        same = datasets.read(written(tmp_path, content, "other.csv"), drop=["when"])
        assert same.content_hash == plain.content_hash


def test_declared_kinds_win_over_those_of_the_file(tmp_path: Path) -> None:
    kinds = {"when": "nominal", "n": "nominal", "cls": "numeric"}
    table = datasets.read(written(tmp_path, ARFF), target="it's", kinds=kinds, drop=["text"])
    assert table.levels == [[1.5, 3], ["1970-01-01", "2020-01-02", "2021-05-01"], None]
    assert table.columns()[2].tolist() == [1, 10, 9, 9]


HEADER = "@relation r\n@attribute a numeric\n@attribute b {x,y}\n@data\n"
BAD_ARFF = {
    "too many": (HEADER + "1,x,2\n", "t.arff, line 5: 3 values where the header declares 2 attributes; comp"),
    "too few": (HEADER + "1,x\n\n% no row\n1\n", "t.arff, line 8: 1 value where the header declares 2"),
    "empty": (HEADER + "1,,x\n", r"line 5: there is nothing between two commas; .* missing value as \?"),
    "domain": (HEADER + "1,z\n", r"line 5, column 'b': 'z' is not in the declared domain \('x', 'y'\); add"),
    "text": (HEADER + "a,x\n", r"line 5, column 'a': 'a' is not a number; a missing value is written as \?"),
    "infinite": (HEADER + "1e999,x\n", "line 5, column 'a': '1e999' is infinite"),
    "sparse twice": (HEADER + "{0 1, 0 2}\n", "line 5: '0' is no position of a sparse row; .* 0 to 1 and as"),
    "sparse open": (HEADER + "{0 1\n", "line 5: the brace of the sparse row is not closed"),
    "sparse odd": (HEADER + "{0 1, 1}\n", "line 5: a sparse row is pairs of a position and a value"),
    "weight": (HEADER + "1,x,{-1}\n", "line 5: '{ -1 }' behind the row is no weight; a weight is a number"),
    "open quote": (HEADER + "'a,x\n", "line 5: the quotation mark before 'a,x' is never closed; close it"),
    "quote inside": (HEADER + "1,x'y'\n", "line 5: .* follows a value without a comma; a value with a quota"),
    "no rows": (HEADER, "t.arff: there is no row below @data"),
    "no data": ("@relation\n@attribute a numeric\n", "t.arff: there is no line @data; the rows follow it"),
    "no columns": ("@relation r\n@data\n1\n", "line 2: no @attribute is declared before @data"),
    "type": (
        "@relation r\n@attribute a foo\n",
        "line 2: the attribute 'a' has the type 'foo'; the types are",
    ),
    "relational": ("@relation r\n@attribute a relational\n", "line 2: the attribute 'a' is relational"),
    "twice": (HEADER.replace("@data", "@attribute a real\n@data"), "two attributes are named 'a'; rename"),
    "open domain": (HEADER.replace("{x,y}", "{x,y"), "line 3: the domain of 'b' does not end in a brace"),
    "double value": (HEADER.replace("{x,y}", "{x,x}"), "line 3: the domain of 'b' has 'x' twice"),
    "header": (
        "@relation r\nattribute a real\n",
        "line 2: 'attribute' is none of @relation, @attribute",
    ),
    "no class": (HEADER + "1,x\n2,?\n", r"line 6, column 'b' \(2\): the class is missing; fill it in, or"),
}


@pytest.mark.parametrize(("text", "message"), BAD_ARFF.values(), ids=BAD_ARFF)
def test_bad_arff_is_refused_by_place_and_remedy(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(written(tmp_path, text, "t.arff"))


def test_a_class_that_is_no_domain_has_to_be_named(tmp_path: Path) -> None:
    path = written(tmp_path, "@relation r\n@attribute a {x,y}\n@attribute b real\n@data\nx,1\ny,2\n")
    with pytest.raises(ParameterError, match=r"target is needed for .*: one of its columns, 'a', 'b'"):
        datasets.read(path)
    assert datasets.read(path, target="a").classes.tolist() == ["x", "y"]
    assert datasets.read(path, target=False).target is None


def test_undeclared_dates_are_refused(tmp_path: Path) -> None:
    with pytest.raises(
        DataTypeError, match=r"holds dates, such as 2020-01-02 at line 11; declare .* in dates"
    ):
        datasets.read(written(tmp_path, ARFF))


def test_rows_for_a_tree_come_from_any_format(tmp_path: Path) -> None:
    text = HEADER.replace("{x,y}", "{x,y,z}") + "1,x\n2,y\n3,y\n"
    tree = GreedyTreeClassifier().fit(datasets.read(written(tmp_path, text))).tree_
    rows = datasets.read_rows(tree, written(tmp_path, text), target="b")
    assert rows.labels == ["x", "y", "y"]
    assert tree.predict(rows.features).tolist() == rows.labels
    assert datasets.read_rows(tree, written(tmp_path, "q,a\n1,7\n")).features.column(0).tolist() == [7]


def test_what_a_tree_does_not_know_is_noted(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a {p,q}\n@attribute b {x,y}\n@data\np,x\nq,y\n"
    tree = GreedyTreeClassifier().fit(datasets.read(written(tmp_path, text))).tree_
    rows = datasets.read_rows(tree, written(tmp_path, text.replace("{p,q}", "{r,p,q}") + "r,x\nr,x\n"))
    assert rows.features.levels[0] == ["p", "q", "r"]
    (note,) = rows.notes
    assert note.endswith("2 values unknown to the tree and taken as missing, first 'r' on line 7")


# C4.5, Orange, libsvm ------------------------------------------------------------------

NAMES = r"""| What it is about
1, 9, 10.          | the classes
age:    continuous.
mark:   none, low\, or so,
        high.
code:   discrete 3.
id:     ignore.
grade:  1..4
"""
DATA = "31, low\\, or so, 007, a, 4, 10.\n\n? , ?, 9, b, 1, 9  | a comment\n1.5,high,\n  8,c,2,1.\n"


def golf(folder: Path, names: str = NAMES, rows: str = DATA) -> Path:
    written(folder, names, "golf.names")
    written(folder, "1,high,007,z,1,10\n", "golf.test")
    return written(folder, rows, "golf.data")


@pytest.mark.parametrize("name", ["golf.names", "golf.data", "golf"])
def test_c45_has_its_classes_its_domains_and_what_is_ignored(tmp_path: Path, name: str) -> None:
    golf(tmp_path)
    table = datasets.read(tmp_path / name)
    assert table.feature_names == ["age", "mark", "code", "grade"]
    levels = [None, ["none", "low, or so", "high"], ["007", "8", "9"], ["1", "2", "3", "4"]]
    assert table.levels == levels
    assert table.classes[table.target].tolist() == [10, 9, 1]
    np.testing.assert_array_equal(table.column(0), [31, np.nan, 1.5])
    assert table.column(1).tolist() == [1, -1, 2]
    assert datasets.read(tmp_path / "golf.test").n_samples == 1


def test_a_line_goes_on_after_a_comma_that_parts_and_no_other(tmp_path: Path) -> None:
    rows = "1,\n x\\,\n| a comment,\n2,y\n3, | why\n y\n"
    table = datasets.read(golf(tmp_path, "x\\,, y.\na: continuous.\n", rows))
    assert table.column(0).tolist() == [1, 2, 3]
    assert table.classes[table.target].tolist() == ["x,", "y", "y"]


def test_the_first_line_may_name_the_class_as_in_see5(tmp_path: Path) -> None:
    table = datasets.read(golf(tmp_path, "play.\na: continuous.\nplay: y, n.\nb: label.\n", "1,y,q\n2,n,r\n"))
    assert (table.feature_names, table.classes.tolist()) == (["a"], ["n", "y"])


def test_rows_without_a_readable_declaration_are_csv(tmp_path: Path) -> None:
    path = golf(tmp_path, "1. Title: Iris Plants Database\n", "a,b\n1,x\n2,y\n")
    assert datasets.read(path, target="b").n_samples == 2
    with pytest.raises(DataError, match=r"golf.names, line 1: the attribute 'Title' has only 'Iris Plants"):
        datasets.read(path.with_suffix(".names"))


BAD_C45 = {
    "no classes": ("a: continuous.\n", "1,2", "golf.names, line 1: the file begins with an attribute"),
    "no colon": ("y, n.\na\n", "1,y", "golf.names, line 2: 'a' is followed by no colon; write a: continuous"),
    "one value": ("y, n.\na: x.\n", "x,y", "line 2: the attribute 'a' has only 'x'; write continuous, disc"),
    "no attribute": ("y, n.\n", "y", "golf.names: no attribute is declared below the classes"),
    "twice": ("y, n.\na: x, x.\n", "x,y", "golf.names, line 2: 'x' is listed twice"),
    "too few": (NAMES, "1,high\n", "golf.data, line 1: 2 values where the .names file declares 6"),
    "too many": (NAMES, DATA + "1,high,1,b,1,9,9\n", "golf.data, line 6: 7 values where"),
    "domain": (NAMES, "1,huge,1,b,1,9\n", "golf.data, line 1, column 'mark': 'huge' is not in the decl"),
    "number": (NAMES, "x,high,1,b,1,9\n", "golf.data, line 1, column 'age': 'x' is not a number; a missing"),
    "discrete": (NAMES, "".join(f"1,high,{i},b,1,9\n" for i in range(4)), "declares discrete 3; correct"),
    "class": (NAMES, "1,high,1,b,1,?\n", r"golf.data, line 1, column 'class' \(6\): the class is missing"),
}


@pytest.mark.parametrize(("names", "rows", "message"), BAD_C45.values(), ids=BAD_C45)
def test_bad_c45_is_refused_by_place(tmp_path: Path, names: str, rows: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(golf(tmp_path, names, rows), format="c45")


THREE_ROWS = (
    "id\tage\tmark\twhere\tn\tkind\ns\tc\tlow high\\ or\\ so\tdiscrete\tcontinuous\td\n"
    "meta\t\t\t\tweight\tclass\n"
    "a\t31\tlow\tUlm\t2\ty\nb\t?\thigh or so\tBonn\t0.5\tn\nc\t7\t\tUlm\t1\ty\n"
)
ONE_ROW = "mS#id\tC#age\tD#mark\twhere\twC#n\tcD#kind\n" + THREE_ROWS.partition("class\n")[2]


@pytest.mark.parametrize("text", [THREE_ROWS, ONE_ROW])
def test_orange_knows_types_and_roles(tmp_path: Path, text: str) -> None:
    table = datasets.read(written(tmp_path, text))
    assert table.feature_names == ["age", "mark", "where"]
    levels = ["low", "high or so"] if text == THREE_ROWS else ["high or so", "low"]
    assert table.levels == [None, levels, ["Bonn", "Ulm"]]
    assert table.sample_weight.tolist() == [2, 0.5, 1]
    assert table.classes[table.target].tolist() == ["y", "n", "y"]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\tclass\n", "\tklass\n", "line 3, column 'kind': 'klass' is no role; write class, meta"),
        ("\tclass\n", "\n", "the three header rows have 6, 6 and 5 fields; give each column"),
        ("b\t?", "b", "line 5: 5 fields where the header has 6 columns; complete"),
        ("\t7\t", "\tseven\t", "line 6, column 'age': 'seven' is not a number"),
        ("\thigh or", "\thuge or", "line 5, column 'mark': 'huge or so' is not in the declared domain"),
        ("low high\\ or\\ so", "low low", "line 2, column 'mark': the type is a list with 'low' twice"),
    ],
)
def test_bad_orange_is_refused_by_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(written(tmp_path, THREE_ROWS.replace(old, new)), format="orange")


def test_a_plain_tab_separated_table_is_no_orange(tmp_path: Path) -> None:
    path = written(tmp_path, "x\ty\tclass\nc\ts\t1\nm\tc\t2\n")
    assert datasets.read(path, target="class", delimiter="\t").n_samples == 2


def test_libsvm_leaves_out_zeros(tmp_path: Path) -> None:
    path = written(tmp_path, "# a comment\n+1 qid:3 1:0.5 4:2 # why\n-1 2:1e3\n\n-1\n")
    table = datasets.read(path)
    assert table.feature_names == ["x1", "x2", "x3", "x4"]
    assert table.classes[table.target].tolist() == [1, -1, -1]
    assert [column.tolist() for column in table.columns()] == [[0.5, 0, 0], [0, 1000, 0], [0] * 3, [2, 0, 0]]
    assert datasets.read(written(tmp_path, "1 0:1\n2 1:1\n")).feature_names == ["x0", "x1"]
    tree = GreedyTreeClassifier().fit(table).tree_
    narrow = written(tmp_path, "1 2:1\n")
    assert tree.predict(datasets.read_rows(tree, narrow).features).tolist() == [-1]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:1\n1 2:1 1:1\n", "line 2: position 1 follows 2, and positions ascend; sort"),
        ("1 1:1\n1 2:x\n", "line 2: the value at 2, 'x', is no finite number"),
        ("1 1:1\n1,2 2:1\n", "line 2: the class, '1,2', is several classes, and a tree has one"),
        ("1 1:1\n1 2\n", "line 2: '2' is no pair of a position and a number, such as 3:0.5"),
    ],
)
def test_bad_libsvm_is_refused_by_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(written(tmp_path, text), format="libsvm")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("t.names", "'' cannot be written in C4.5's format, which has no empty values"),
        ("t.svm", "libsvm's format holds numbers and their class; write ARFF"),
        ("t.tab", "Orange's format takes '' as missing; rename the level"),
        ("t.csv", "a level is empty, which CSV takes as missing"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(tmp_path: Path, name: str, message: str) -> None:
    table = Dataset.from_columns({"x": ["a  b\t", "", "c"]}, [1, 2, 1])
    with pytest.raises(DataError, match=message):
        datasets.write(table, tmp_path / name)
    datasets.write(table, tmp_path / "t.arff")
    assert datasets.read(tmp_path / "t.arff").content_hash == table.content_hash


def test_an_unknown_ending_asks_for_the_format(tmp_path: Path) -> None:
    table = datasets.load("monks-1")
    with pytest.raises(ParameterError, match=r"format=None is not told by 't\.txt'; choose 'arff'"):
        datasets.write(table, tmp_path / "t.txt")
    datasets.write(table, tmp_path / "t.txt", format="c45", target="kind")
    assert (tmp_path / "t.names").read_text(encoding="utf-8").startswith("0, 1.\n\na1: 1, 2, 3.\n")


def test_missing_values_by_column_and_rows_without_a_class(tmp_path: Path) -> None:
    text = "@relation r\n@attribute a real\n@attribute b real\n@attribute c {x,y}\n@data\n"
    path = written(tmp_path, text + "-9,-9,x,{2}\n1,2,?,{3}\n2,-9.0,y,{4}\n")
    with pytest.raises(DataError, match=r"line 7, .* or leave such rows out \(drop_missing_target=True\)"):
        datasets.read(path)
    found = datasets.read(path, missing_values={"a:-9"}, drop_missing_target=True)
    assert [column.tolist() for column in found.columns()] == [
        [pytest.approx(np.nan, nan_ok=True), 2],
        [-9, -9],
    ]
    assert (found.classes[found.target].tolist(), found.sample_weight.tolist()) == (["x", "y"], [2, 4])
    everywhere = datasets.read(path, missing_values={"-9"}, drop_missing_target=True)
    assert list(everywhere.core.n_missing) == [1, 2]


# Kinds that are no table ---------------------------------------------------------------

OTHER_KINDS = {
    "PDF": (b"%PDF-1.4 ...", "is a PDF document, not a table of text; export its table"),
    "JSON": (b'{"a": 3}', "is JSON, not a table of text"),
    "HTML": (b"<!DOCTYPE html><html>", "is a page of HTML or XML"),
    "numpy": (b"\x93NUMPY\x01", "is a numpy array, .* pass it to Dataset"),
    "SAS": (
        b"\0" * 12 + b"\xc2\xea\x81\x60" + b"\0" * 99,
        r"is a SAS file, .* read it with pandas \(read_sas\)",
    ),
    "SAS transport": (b"HEADER RECORD*******LIBRARY HEADER RECORD!!!!!!!", "is a SAS file, "),
    "SPSS": (b"$FL2@(#) SPSS DATA FILE", r"is an SPSS file, .* read it with pandas \(read_spss\)"),
    "binary": (b"\x00\x01\x02", r"is a binary file of an unknown kind; .* formats format='arff'"),
}


@pytest.mark.parametrize(("content", "message"), OTHER_KINDS.values(), ids=OTHER_KINDS)
def test_another_kind_is_never_a_broken_csv_file(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(DataError, match=message):
        datasets.read(written(tmp_path, content, "t.csv"), target="a")


def test_a_format_that_is_asked_for_and_its_options(tmp_path: Path) -> None:
    path = written(tmp_path, HEADER + "1,x\n2,y\n")
    with pytest.raises(ParameterError, match=r"format='foo' is not known; choose 'arff'"):
        datasets.read(path, format="foo")
    with pytest.raises(
        ParameterError, match=r"delimiter=';' does not go with arff files; .* \(it goes with csv"
    ):
        datasets.read(path, delimiter=";")
    assert datasets.read_header(path) == ["a", "b"]
    with pytest.raises(DataError, match="has no column 'b'"):
        datasets.read(written(tmp_path, "@relation,b c\n1,2\n"), format="csv", target="b")


# The command line ----------------------------------------------------------------------


def test_the_command_line_reads_any_format(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("t.arff").write_text(HEADER + "1,x\n2,y\n3,y\n", encoding="utf-8")
    assert "a <= 1: x (1)" in run("fit", "t.arff", "--out", "tree.json").out
    assert run("predict", "tree.json", "t.arff").out == "prediction\nx\ny\ny\n"
    for content, options in ((Path("t.arff").read_bytes(), []), (b"a,b\n1,x\n2,y\n", ["--target", "b"])):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
        assert "a <= 1: x (1)" in run("fit", "-", *options).out
    refused = run("fit", "t.arff", "--delimiter", ";")
    assert refused.code == 2
    assert "Invalid value for '--delimiter': ';' does not go with arff files" in refused.err


def test_standard_input_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO((HEADER + "1,x\n2,q\n").encode())))
    with pytest.raises(DataError, match=r"^standard input, line 6, column 'b': 'q' is not in the declared"):
        datasets.read("-")
