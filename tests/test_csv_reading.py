"""What a CSV file says stays with its tree, later lines correct its beginning, and options override both."""

from __future__ import annotations

import io
import subprocess
import sys
import warnings
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from commands import Run
from treewright import DataError, Dataset, GreedyTreeClassifier, ParameterError, datasets


def write(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def told(data: Dataset) -> str | None:
    assert data.source is not None
    return data.source.told


# Later lines.


def test_a_byte_far_behind_says_that_the_text_is_not_utf8(tmp_path: Path) -> None:
    rows = "1.5,red,a\n" * 40_000
    path = write(tmp_path / "t.csv", f"size,colour,class\n{rows}2,gr\xfcn,b\n", "latin-1")
    data = datasets.read_csv(path, target="class")
    assert told(data) == "commas, cp1252; 40,001 rows, 3 columns"
    assert data.levels[1] == ["grün", "red"]


@pytest.mark.parametrize("odd", ["many", "007", "1,5"])
def test_a_text_far_behind_makes_a_column_nominal_again(tmp_path: Path, odd: str) -> None:
    numbers = [f"{i}.50" for i in range(9000)]
    text = "".join(f"{number};a\n" for number in [*numbers, odd])
    path = write(tmp_path / "t.csv", f"size;class\n{text}")
    if odd == "1,5":
        with pytest.raises(DataError, match=r"line 9002, column 'size'.*decimal comma"):
            datasets.read_csv(path, target="class")
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data = datasets.read_csv(path, target="class")
    assert any("line 9002, column 'size' (1)" in str(warning.message) for warning in caught)
    assert data.levels[0] == sorted([*numbers, odd])


@pytest.mark.parametrize(("odd", "reason"), [("many", "is not a number"), ("1e999", "is infinite or beyond")])
def test_a_declared_number_far_behind_is_one(tmp_path: Path, odd: str, reason: str) -> None:
    text = "".join(f"{number};a\n" for number in [*range(9000), odd, "5"])
    path = write(tmp_path / "t.csv", f"size;class\n{text}")
    with pytest.raises(DataError, match=rf"line 9002, column 'size' \(1\): '{odd}' {reason}"):
        datasets.read_csv(path, target="class", kinds={"size": "numeric"})
    tree = GreedyTreeClassifier().fit(
        datasets.read_csv(write(path, "size;class\n1;a\n2;b\n"), target="class")
    )
    with pytest.raises(DataError, match=rf"line 9002, column 'size' \(1\): '{odd}' {reason}"):
        datasets.read_rows(tree.tree_, write(path, f"size;class\n{text}"))


def test_a_comment_far_behind_is_left_out(tmp_path: Path) -> None:
    rows = "1.5,red,a\n2,blue,b\n2,red,b\n1.5,blue,b\n" * 1000
    path = write(tmp_path / "t.csv", f"size,colour,class\n{rows}# the end, or so, at, last\n{rows}")
    data = datasets.read_csv(path, target="class")
    assert told(data) == "commas, UTF-8; 8,000 rows, 3 columns, 1 line of comment"


def test_many_numbers_with_commas_are_read_as_few_are(tmp_path: Path) -> None:
    texts = [f"{i},{i % 10}" for i in range(20_000)]
    path = write(tmp_path / "t.csv", "size;class\n" + "".join(f"{text};a\n" for text in texts))
    data = datasets.read_csv(path, target="class")
    np.testing.assert_array_equal(data.column(0), [float(text.replace(",", ".")) for text in texts])
    ambiguous = "".join(f"{i % 9 + 1},{i % 900 + 100};a\n" for i in range(20_000))
    with pytest.raises(DataError, match="'1,100' is 1100 if ',' stands between thousands"):
        datasets.read_csv(write(path, f"size;class\n{ambiguous}"), target="class")


# Options.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"decimal": "'"}, r"decimal=\"'\" must be '.' or ','"),
        ({"decimal": ",", "thousands": ","}, "thousands=',' is the decimal mark"),
        ({"skip_rows": -1}, "skip_rows=-1 must be an int of at least 0"),
        ({"quote": "''"}, "must be one ASCII character"),
    ],
)
def test_options_that_cannot_be(tmp_path: Path, options: dict[str, object], message: str) -> None:
    path = write(tmp_path / "t.csv", "size,class\n1,a\n2,b\n")
    with pytest.raises(ParameterError, match=message):
        datasets.read_csv(path, target="class", **options)


def test_columns_that_are_dropped_may_hold_anything(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "id,size,class\n0\xff1,1.5,a\nx,2,b\n", "latin-1")
    data = datasets.read_csv(path, target="class", drop=["id"], encoding="utf-8")
    assert data.feature_names == ["size"]


# A tree and the next file.


def test_the_next_file_is_read_as_the_one_before(tmp_path: Path) -> None:
    old = write(tmp_path / "old.csv", "price;share;class\n1.234,5;5%;no\n2,5;7%;yes\n-9;6%;no\n")
    data = datasets.read_csv(old, target="class", missing_values={"-9"})
    assert data.feature_names == ["price", "share (%)"]
    tree = GreedyTreeClassifier().fit(data).tree_
    new = write(tmp_path / "new.csv", "Prices\nclass;share;price\nno;9%;1.234\nyes;8 %;-9\n")
    rows = datasets.read_rows(tree, new, target="class")
    assert rows.labels == ["no", "yes"]
    used = [tree.feature_names[i] for i in tree.used_features]
    expected = {"price": [1234.0, np.nan], "share (%)": [9.0, 8.0]}
    for name in used:
        np.testing.assert_array_equal(rows.features.column(tree.feature_names.index(name)), expected[name])
    with pytest.raises(DataError, match=r"line 2, column '(price|share)' .*is not a number"):
        datasets.read_rows(tree, write(new, "price;share\n1.5;5\n2;7\n"))


def test_a_file_without_names_is_read_so_again(tmp_path: Path) -> None:
    old = write(tmp_path / "old.csv", "1,red,a\n2,blue,b\n3,red,a\n")
    tree = GreedyTreeClassifier().fit(datasets.read_csv(old, target="x2")).tree_
    rows = datasets.read_rows(tree, write(tmp_path / "new.csv", "7,red\n8,blue\n"))
    assert rows.features.n_samples == 2


def test_standard_input(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    content = b"size;colour;class\n1,5;red;a\n2;blue;b\n"
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))
    assert datasets.read_csv("-", target="class").n_samples == 2
    command = [sys.executable, "-m", "treewright", "fit", "-", "--target", "class", "--delimiter", r"\t"]
    ended = subprocess.run(command, input=content.replace(b";", b"\t"), capture_output=True, check=False)
    assert ended.returncode == 0, ended.stderr
    assert (
        ended.stderr.decode().splitlines()[-1]
        == "standard input: tabs, decimal commas, UTF-8; 2 rows, 3 columns"
    )


# A line that may be the header or a row.


@pytest.mark.parametrize("rows", ["b,a,y\nc,d,z\n", "c,b,no\n"])
def test_a_column_that_is_asked_for_settles_that_the_first_line_is_the_header(
    run: Run, tmp_path: Path, rows: str
) -> None:
    path = write(tmp_path / "two.csv", f"a,b,y\n{rows}")
    for data in (datasets.read_csv(path, target="y"), datasets.read(path, target="y")):
        assert (data.feature_names, data.n_samples) == (["a", "b"], rows.count("\n"))
    assert datasets.read(path, target=False, kinds={"b": "nominal"}).n_samples == rows.count("\n")
    assert "2 features" in run("describe", path, "--target", "y").out
    with pytest.raises(DataError, match="the line may name the columns or be the first row"):
        datasets.read(path, target="class")
