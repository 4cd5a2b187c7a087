"""Named data sets, files and random tables."""

from __future__ import annotations

import csv
import gzip
import json
import os
import time
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from treewright import DataError, Dataset, GreedyTreeClassifier, ParameterError, datasets

FOLDER = os.environ.get("TREEWRIGHT_DATA")
BUNDLED = [entry for entry in datasets.catalogue() if entry.source != "folder"]
needs_folder = pytest.mark.skipif(not FOLDER, reason="TREEWRIGHT_DATA names no folder of data sets")


def rows_of(dataset: Dataset) -> list[tuple[object, ...]]:
    """Rows as tuples of labels and numbers, the class last."""
    columns = []
    for i, levels in enumerate(dataset.levels):
        values = dataset.core.column(i).tolist()
        columns.append(values if levels is None else [None if v < 0 else levels[v] for v in values])
    columns.append([dataset.classes[code].item() for code in dataset.target])
    return list(zip(*columns, strict=True))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


# Names ---------------------------------------------------------------------------------


@pytest.fixture
def no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TREEWRIGHT_DATA", raising=False)


@pytest.fixture
def folder(tmp_path: Path, no_folder: None) -> Path:
    kinds = {"a": "nominal", "b": "numeric", "class": "nominal"}
    columns = json.dumps([{"name": name, "kind": kind} for name, kind in kinds.items()])
    counts = '"rows": 3, "numeric": 1, "nominal": 1, "classes": 2, "missing": 1'
    sets = ", ".join(
        f'{{"name": "{n}", "file": "{n}.csv.gz", {counts}, "columns": {columns}}}' for n in ("iris", "toy")
    )
    write(tmp_path / "index.json", f'{{"datasets": [{sets}]}}')
    for name in ("iris", "toy"):
        with gzip.open(tmp_path / f"{name}.csv.gz", "wt") as stream:
            stream.write("a,b,class\n1,2.5,10\n2,,9\n1,0,9\n")
    return tmp_path


@pytest.mark.parametrize("entry", BUNDLED, ids=lambda entry: entry.name)
def test_catalogue_tells_the_truth(entry: datasets.Entry) -> None:
    loaded = datasets.load(entry.name)
    kinds = Counter(loaded.kinds)
    assert (loaded.n_samples, kinds["numeric"], kinds["nominal"], len(loaded.classes)) == (
        entry.n_samples,
        entry.n_numeric,
        entry.n_nominal,
        entry.n_classes,
    )
    assert sum(loaded.core.n_missing) == entry.n_missing


@pytest.mark.parametrize("alias", ["wdbc", "breast_cancer"])
def test_aliases_mean_scikit_learns_set(alias: str) -> None:
    loaded = datasets.load(alias)
    assert (loaded.n_samples, loaded.n_features) == (569, 30)
    assert loaded.classes.tolist() == ["benign", "malignant"]
    assert np.bincount(loaded.target).tolist() == [357, 212]


def test_bundled_values_and_labels_are_scikit_learns() -> None:
    from sklearn.datasets import load_wine

    loaded, bunch = datasets.load("wine"), load_wine()
    assert loaded.feature_names == list(bunch.feature_names)
    np.testing.assert_array_equal(np.column_stack([loaded.core.column(i) for i in range(13)]), bunch.data)
    assert [loaded.classes[code] for code in loaded.target] == [
        bunch.target_names[code] for code in bunch.target
    ]


def test_folder_sets_by_prefix_or_free_name(folder: Path) -> None:
    assert datasets.load("iris", folder=folder).n_samples == 150
    assert datasets.load("folder:iris", folder=folder).n_samples == 3
    toy = datasets.load("toy", folder=folder)
    assert toy.kinds == ["nominal", "numeric"]
    assert rows_of(toy)[:2] == [("1", 2.5, "10"), ("2", pytest.approx(np.nan, nan_ok=True), "9")]
    assert datasets.names(folder)[-2:] == ["folder:iris", "toy"]


def test_folder_by_environment(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TREEWRIGHT_DATA", str(folder))
    assert datasets.load("toy").n_samples == 3
    entry = datasets.catalogue()[-1]
    assert (entry.name, entry.source, entry.n_missing) == ("toy", "folder", 1)


def test_unknown_name_without_folder(no_folder: None) -> None:
    with pytest.raises(
        DataError, match=r"no bundled data set 'irsi'.*no folder is named.*did you mean 'iris'"
    ):
        datasets.load("irsi")


def test_unknown_name_with_folder(folder: Path) -> None:
    with pytest.raises(DataError, match=r"folder .* has none either; did you mean 'toy'"):
        datasets.load("folder:toys", folder=folder)


@pytest.mark.parametrize("text", [None, "not JSON", "[]", '{"datasets": 3}', '{"datasets": [{"name": "x"}]}'])
def test_folder_without_usable_index(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        write(tmp_path / "index.json", text)
    with pytest.raises(DataError, match=r"index\.json"):
        datasets.load("toy", folder=tmp_path)


# Generated -----------------------------------------------------------------------------


@needs_folder
@pytest.mark.parametrize("name", ["tic-tac-toe", "balance-scale"])
def test_generated_rows_are_the_published_ones_in_their_order(name: str) -> None:
    made, published = datasets.load(name), datasets.load(f"folder:{name}")
    assert made.feature_names == published.feature_names
    assert rows_of(made) == rows_of(published)


@needs_folder
@pytest.mark.parametrize("name", ["monks-1", "monks-2", "monks-3"])
def test_monks_are_the_published_test_part(name: str) -> None:
    assert rows_of(datasets.load(name)) == rows_of(datasets.load(f"folder:{name}"))[-432:]


def test_tic_tac_toe_outcomes() -> None:
    boards = datasets.load("tic-tac-toe")
    assert Counter(row[-1] for row in rows_of(boards)) == {"positive": 626, "negative": 332}
    assert len(set(rows_of(boards))) == 958


# Files ---------------------------------------------------------------------------------


def test_kinds_levels_and_missing_values_are_inferred(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "size,colour,empty,class\n1,red,,yes\n,blue,,no\n2.5e3,,,yes\n")
    table = datasets.read_csv(path, target="class")
    assert table.kinds == ["numeric", "nominal", "numeric"]
    assert table.levels[1] == ["blue", "red"]
    assert list(table.core.n_missing) == [1, 1, 3]
    assert table.core.column(0).tolist() == [1.0, pytest.approx(np.nan, nan_ok=True), 2500.0]
    assert table.core.column(1).tolist() == [1, 0, -1]


def test_declared_kinds_missing_values_and_dropped_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "id,zip,age,class\n1,10115,?,1\n2,80331,40,0\n")
    table = datasets.read_csv(
        path, target="class", kinds={"zip": "nominal"}, missing_values={"?"}, drop=["id"]
    )
    assert (table.feature_names, table.kinds) == (["zip", "age"], ["nominal", "numeric"])
    assert list(table.core.n_missing) == [0, 1]


@pytest.mark.parametrize(
    ("labels", "kinds", "classes"),
    [
        (["10", "9", "9"], {}, [9, 10]),
        (["10", "9", "9"], {"class": "nominal"}, ["10", "9"]),
        (["01", "1", "1"], {}, ["01", "1"]),
        (["-1", "1", "1"], {}, [-1, 1]),
        (["1.0", "2.0", "1.0"], {}, ["1.0", "2.0"]),
        (["1.5", "2.5", "1.5"], {"class": "nominal"}, ["1.5", "2.5"]),
        (["b", "a", "a"], {}, ["a", "b"]),
    ],
)
def test_class_labels(
    tmp_path: Path, labels: list[str], kinds: dict[str, str], classes: list[object]
) -> None:
    path = write(
        tmp_path / "t.csv", "x,class\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels))
    )
    assert datasets.read_csv(path, target="class", kinds=kinds).classes.tolist() == classes


def test_quoted_fields_byte_order_mark_and_other_delimiters(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes('\ufeffname;class\r\n"a;\n""b""";x\r\nc;y\r\n\r\n'.encode())
    table = datasets.read_csv(path, target="class", delimiter=";")
    assert (table.feature_names, table.levels) == (["name"], [['a;\n"b"', "c"]])


def test_compression_is_recognised_by_content(tmp_path: Path) -> None:
    path = tmp_path / "no-suffix"
    path.write_bytes(gzip.compress(b"x,class\n1,a\n2,b\n"))
    assert datasets.read_csv(path, target="class").n_samples == 2


def test_rows_are_read_for_a_tree(tmp_path: Path) -> None:
    path = write(tmp_path / "new.csv", "wind,sky,play\n1.5,sunny,no\n,foggy,often\n2,,yes\n")
    old = write(tmp_path / "old.csv", "sky,wind,play\nrainy,1,yes\nsunny,1,no\nsunny,2,yes\n")
    tree = GreedyTreeClassifier().fit(datasets.read_csv(old, target="play")).tree_
    assert datasets.read_header(path) == ["wind", "sky", "play"]
    rows = datasets.read_rows(tree, path, target="play")
    assert rows.features.feature_names == ["sky", "wind"]
    assert rows.features.levels[0] == ["rainy", "sunny", "foggy"]
    assert rows.labels == ["no", "often", "yes"]
    assert [note.partition(": ")[2] for note in rows.notes] == [
        "1 value unknown to the tree and taken as missing, first 'foggy' on line 3"
    ]
    plain = [["sunny", 1.5], [None, None], [None, 2.0]]
    assert tree.predict(rows.features).tolist() == tree.predict(plain).tolist()
    assert datasets.read_rows(tree, path).labels is None
    write(path, "wind,skyy\n1,sunny\n")
    with pytest.raises(DataError, match=r"no column 'sky'.*the closest name in the file is 'skyy'"):
        datasets.read_rows(tree, path)


def test_a_table_without_classes(tmp_path: Path) -> None:
    table = datasets.read_csv(write(tmp_path / "t.csv", "x,y\n1,a\n"), target=None)
    assert (table.feature_names, table.target) == (["x", "y"], None)


def cut_gzip(content: bytes) -> bytes:
    """Compress, and leave out the end of the file."""
    packer = zlib.compressobj(wbits=31)
    return packer.compress(content) + packer.flush(zlib.Z_SYNC_FLUSH)


BAD_FILES = {
    "empty": (b"", "t.csv: the file is empty; its first line must name the columns"),
    "only a header": (b"x,class\n", "t.csv: there is a header but no row below it"),
    "short line": (b"x,y,class\n1,2,a\n1,2\n", r"t.csv, line 3: 2 fields .* names 3; column 'class' \(3\)"),
    "long line": (
        b'x,class\n"1\n2",a\n1,a,b\n',
        "t.csv, line 4: 3 fields .* names 2; column 3 has no name.*'b'",
    ),
    "repeated name": (b"x,y,x\n1,2,3\n", "t.csv, line 1: columns 1 and 3 are both named 'x'; rename one"),
    "unnamed column": (
        b",x,class\n0,1,a\n",
        "t.csv, line 1, column 1: the column has no name; .*index=False",
    ),
    "missing class": (b"x,class\n1,a\n2,\n", r"t.csv, line 3, column 'class' \(2\): the class is missing"),
    "not UTF-8": (
        "x,y,class\n1,ü,a\n".encode() + b"1,\xe9,b\n",
        r"t.csv, line 3, column 'y' \(2\): byte 0xe9 is not utf-8; save",
    ),
    "open quotation mark": (b'x,class\n"1,a\n2,b\n', r"t.csv, line 2: .*quotation mark that is never closed"),
    "text behind a quoted field": (b'x,class\n"1"2,a\n', r"t.csv, line 2, column 1: .*text behind a closing"),
    "damaged gzip": (gzip.compress(b"x,class\n1,a\n" * 99)[:-12], "t.csv: the compressed file is damaged"),
    "cut gzip that is not UTF-8": (
        cut_gzip(b"x,class\n" + b"1,a\n" * 99 + b"2,\xe9\xe9"),
        "t.csv: the compressed file is damaged",
    ),
    "measurements as class": (
        b"x,class\n1,0.5\n2,1.25\n",
        r"column 'class' \(2\) holds 2 different numbers with frac",
    ),
    "no such column": (b"x,Class\n1,a\n", r"t.csv has no column 'class' \(target\); did you mean 'Class'"),
}


@pytest.mark.parametrize(("content", "message"), BAD_FILES.values(), ids=BAD_FILES)
def test_bad_files_are_refused_by_place_and_remedy(tmp_path: Path, content: bytes, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        datasets.read_csv(path, target="class")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (b"x;class\n1;a\n", {"delimiter": ","}, "t.csv, line 1: .* the delimiter seems to be ';'"),
        (
            b"x,class\n1,a\n1e999,b\n",
            {"kinds": {"x": "numeric"}},
            r"t.csv, line 3, column 'x' \(1\): '1e999' is infinite.*rescale",
        ),
        (
            b"x,y,class\n1,2,a\n1,\xe9,b\n",
            {"encoding": "utf-8"},
            r"t.csv, line 3, column 'y' \(2\): byte 0xe9 is not utf-8; save",
        ),
    ],
)
def test_what_the_user_says_wins_over_the_content(
    tmp_path: Path, content: bytes, options: dict[str, object], message: str
) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=message):
        datasets.read_csv(path, target="class", **options)


def test_declared_numeric_column_with_text(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,class\n1,a\n?,b\n")
    with pytest.raises(
        DataError, match=r"line 3, column 'x' \(1\): '\?' is not a number, and the column is declared"
    ):
        datasets.read_csv(path, target="class", kinds={"x": "numeric"})


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"kinds": {"x": "ordinal"}}, ParameterError, "choose 'numeric' or 'nominal'"),
        ({"kinds": {"z": "nominal"}}, DataError, r"no column 'z' \(kinds\)"),
        ({"drop": ["z"]}, DataError, r"no column 'z' \(drop\); its columns are 'x', 'class'"),
        ({"drop": ["x"]}, DataError, "no feature is left"),
        ({"missing_values": "?"}, ParameterError, r"pass a set: \{'\?'\}"),
        ({"missing_values": {-999}}, ParameterError, "missing_values holds -999; .* pass '-999'"),
        ({"encoding": "utf-99"}, DataError, "name an encoding Python knows"),
        ({"delimiter": "::"}, ParameterError, "delimiter='::' must be one character"),
    ],
)
def test_bad_options(
    tmp_path: Path, options: dict[str, object], error: type[Exception], message: str
) -> None:
    path = write(tmp_path / "t.csv", "x,class\n1,a\n2,b\n")
    with pytest.raises(error, match=message):
        datasets.read_csv(path, target="class", **options)


@pytest.mark.parametrize("spelling", ["?", "nan", "NA"])
def test_numbers_with_a_foreign_word_are_pointed_out(tmp_path: Path, spelling: str) -> None:
    path = write(tmp_path / "t.csv", "x,class\n" + "".join(f"{i},a\n" for i in range(20)) + f"{spelling},b\n")
    message = r"line 22, column 'x' \(1\): the column holds numbers, but also .*--missing-value"
    with pytest.warns(UserWarning, match=message):
        table = datasets.read_csv(path, target="class")
    assert table.kinds == ["nominal"]
    assert datasets.read_csv(path, target="class", missing_values={spelling}).kinds == ["numeric"]


def test_usual_spellings_of_missing_are_pointed_out_once_for_all_columns(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,word,z,class\n1,NA,1,a\nNaN,b,NA,a\nnull,c,3,b\n")
    with pytest.warns(UserWarning, match=r"line 3, column 'x' \(1\)") as seen:
        assert datasets.read_csv(path, target="class").kinds == ["nominal"] * 3
    (warning,) = map(str, (found.message for found in seen))
    assert "'NaN' and 'null', so it is taken as nominal, and so is another one like it ('z')" in warning
    assert "--missing-value NA --missing-value NaN --missing-value null, in Python " in warning


def test_declared_names_are_not_pointed_out(tmp_path: Path) -> None:
    path = write(tmp_path / "t.csv", "x,word,class\n1,NA,a\nNA,b,b\n")
    assert datasets.read_csv(path, target="class", kinds={"x": "nominal"}).kinds == ["nominal", "nominal"]


def test_underscores_make_no_numbers(tmp_path: Path) -> None:
    table = datasets.read_csv(write(tmp_path / "t.csv", "x,class\n1_0,a\n1_1,b\n"), target="class")
    assert table.kinds == ["nominal"]


def test_a_wide_header_is_read_in_linear_time(tmp_path: Path) -> None:
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{i}" for i in range(40_000)) + "\n")
    start = time.process_time()
    assert len(datasets.read_header(path)) == 40_000
    assert time.process_time() - start < 2  # about 0.05 s; in quadratic time it took 20


def test_reading_a_large_file_is_quick(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([f"f{i}" for i in range(14)] + ["class"])
        writer.writerows(
            [(i % 97, *["abcdef"[(i + j) % 6] for j in range(13)], i % 4 // 2) for i in range(48_842)]
        )
    start = time.process_time()
    assert datasets.read_csv(path, target="class").n_samples == 48_842
    assert time.process_time() - start < 3  # about 0.3 s; the margin is for busy machines


@needs_folder
def test_every_set_of_the_folder_is_as_its_index_says() -> None:
    for entry in datasets.catalogue():
        if entry.source == "folder" and entry.n_samples * (entry.n_numeric + entry.n_nominal) < 200_000:
            loaded = datasets.load(entry.name)
            kinds = Counter(loaded.kinds)
            assert (loaded.n_samples, kinds["numeric"], len(loaded.classes), sum(loaded.core.n_missing)) == (
                entry.n_samples,
                entry.n_numeric,
                entry.n_classes,
                entry.n_missing,
            ), entry.name


# Random --------------------------------------------------------------------------------


def test_random_tables_repeat_by_seed() -> None:
    first, second, third = (
        datasets.make_random_table(60, missing_share=0.2, random_state=seed) for seed in (1, 1, 2)
    )
    assert repr(rows_of(first)) == repr(rows_of(second)) != repr(rows_of(third))


def test_random_table_has_what_was_asked_for() -> None:
    table = datasets.make_random_table(
        500, n_numeric=2, n_nominal=3, n_levels=4, n_classes=3, missing_share=0.25, random_state=0
    )
    assert table.kinds == ["numeric"] * 2 + ["nominal"] * 3
    assert table.levels[2] == list("abcd")
    assert table.classes.tolist() == [0, 1, 2]
    assert 0.2 < sum(table.core.n_missing) / (500 * 5) < 0.3


def test_madelon_is_shaped_as_told_and_repeats() -> None:
    first, second = (datasets.make_madelon(300, n_probes=20, random_state=5) for _ in range(2))
    assert rows_of(first) == rows_of(second)
    kinds = Counter(name.rstrip("0123456789") for name in first.feature_names)
    assert kinds == {"informative": 5, "redundant": 15, "probe": 20}
    assert first.classes.tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (
            datasets.make_random_table,
            {"n_numeric": 0, "n_nominal": 0},
            "n_features=0 must be at least 1",
        ),
        (datasets.make_random_table, {"noise": 1.5}, r"noise=1\.5 is no share"),
        (datasets.make_random_table, {"n_levels": 27}, "26 letters"),
        (datasets.make_madelon, {"n_informative": 1}, "n_informative=1 must be at least 2"),
    ],
)
def test_generators_refuse_nonsense(make: object, options: dict[str, object], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make(**options)  # type: ignore[operator]
