"""Categories with a declared order: where it comes from, that it stays, and that optimal trees cut it."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from commands import Run, assert_refused
from treewright import DataError, Dataset, OptimalTreeClassifier, ParameterError, Tree, datasets
from treewright.optimal import optimal_path

SIZES = list("SMLX")
VALUES = pd.Categorical(["S", "M", None, "X"] * 3, categories=SIZES, ordered=True)
FRAME = pd.DataFrame({"size": VALUES, "shop": list("abcabcabcabc"), "y": ["no", "no", "yes", "yes"] * 3})
PLAIN = FRAME.assign(size=VALUES.set_ordered(False))


def arrow_file(write: Callable[..., Any], frame: pd.DataFrame, folder: Path) -> Dataset:
    write(frame, folder / "t")
    return datasets.read(folder / "t", target="y")


def c45_file(frame: pd.DataFrame, folder: Path) -> Dataset:
    datasets.write(Dataset(frame[["size", "shop"]], frame["y"]), folder / "t.names", target="y")
    return datasets.read(folder / "t.names")


def csv_file(frame: pd.DataFrame, folder: Path) -> Dataset:
    frame.to_csv(folder / "t.csv", index=False)
    orders = {"size": SIZES} if frame["size"].cat.ordered else None
    return datasets.read(folder / "t.csv", target="y", ordered=orders)


def enum_frame(frame: pd.DataFrame, _: Path) -> Dataset:
    values = [None if value != value else value for value in frame["size"]]
    dtype = pl.Enum(SIZES) if frame["size"].cat.ordered else pl.Categorical()
    columns = {"size": pl.Series(values, dtype=dtype), "shop": frame["shop"].tolist()}
    return Dataset(pl.DataFrame(columns), frame["y"].tolist())


def arrow_table(frame: pd.DataFrame, _: Path) -> Dataset:
    return Dataset(pa.Table.from_pandas(frame[["size", "shop"]]), frame["y"].tolist())


SOURCES: dict[str, Callable[[pd.DataFrame, Path], Dataset]] = {
    "pandas": lambda frame, _: Dataset(frame[["size", "shop"]], frame["y"]),
    "columns": lambda frame, _: Dataset.from_columns(dict(frame[["size", "shop"]]), frame["y"]),
    "frame with its class": lambda frame, _: datasets.read(frame, target="y"),
    "polars": enum_frame,
    "pyarrow": arrow_table,
    "parquet": lambda frame, folder: arrow_file(pd.DataFrame.to_parquet, frame, folder),
    "feather": lambda frame, folder: arrow_file(pd.DataFrame.to_feather, frame, folder),
    "c45": c45_file,
    "csv": csv_file,
}


@pytest.mark.parametrize("name", SOURCES)
def test_every_source_that_declares_an_order_keeps_it(name: str, tmp_path: Path) -> None:
    data = SOURCES[name](FRAME, tmp_path)
    assert data.ordered == [True, False]
    assert [str(level) for level in data.levels[0] or []] == SIZES
    assert data.levels[1] == ["a", "b", "c"]
    assert SOURCES[name](PLAIN, tmp_path).ordered == [False, False]


def test_the_order_stays() -> None:
    data, plain = Dataset(FRAME[["size", "shop"]], FRAME["y"]), Dataset(PLAIN[["size", "shop"]], FRAME["y"])
    others = [data[::2], pickle.loads(pickle.dumps(data)), copy.deepcopy(data), Dataset(data)]
    others += [Dataset(data, sample_weight=range(12)), Dataset(data, ["p", "q"] * 6)]
    assert all(other.ordered == [True, False] for other in others)
    assert pickle.loads(pickle.dumps(data)).content_hash == data.content_hash == plain.content_hash
    assert data.levels == plain.levels


def test_optimal_trees_cut_it() -> None:
    four = Dataset(pd.DataFrame({"size": pd.Categorical(SIZES * 2, SIZES, ordered=True)}), [0, 0, 1, 1] * 2)
    plain = pd.DataFrame({"size": pd.Categorical(SIZES * 2, SIZES)})
    assert OptimalTreeClassifier(max_depth=1).fit(plain, [0, 0, 1, 1] * 2).search_.cost == 2
    model = OptimalTreeClassifier(max_depth=1).fit(four)
    assert model.search_.cost == 0
    assert [row["loss"] for row in optimal_path(four, max_depth=1).table.records()] == [4, 4, 0]
    assert OptimalTreeClassifier(max_depth="cv").fit(four).depth_ == 1
    again = Tree.from_json(model.tree_.to_json())
    assert again.predict(four).tolist() == [0, 0, 1, 1] * 2


def test_orders_of_files_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    FRAME.assign(n=range(12)).to_csv(path, index=False)
    for orders, told in (
        ({"size": list("SML")}, "'size' has the value 'X'"),
        ({"y": ["no", "yes"]}, "'y' is no feature"),
        ({"what": ["no", "yes"]}, "has no column 'what'"),
    ):
        with pytest.raises(DataError, match=told):
            datasets.read(path, target="y", ordered=orders)
    for values in ("SML", ["S"], ["S", "S"]):
        with pytest.raises(ParameterError, match="ordered"):
            datasets.read(path, target="y", ordered={"size": values})
    found = datasets.read(path, target="y", ordered={"n": range(12)})
    assert (found.ordered, found.levels[2]) == ([False, False, True], [str(i) for i in range(12)])
    assert datasets.load("monks-1", ordered={"a1": ["3", "2", "1"]}).levels[0] == ["3", "2", "1"]


def test_the_command_line_takes_an_order(run: Run) -> None:
    pd.DataFrame({"size": SIZES * 2, "y": [0, 0, 1, 1] * 2}).to_csv("sizes.csv", index=False)
    pd.DataFrame({"size": pd.Categorical(SIZES * 2, SIZES, ordered=True), "y": [0, 0, 1, 1] * 2}).to_parquet(
        "sizes.parquet"
    )
    words = ("optimal", "--target", "y", "--depth", 1, "--json")
    costs = {
        source: json.loads(run(*words, *source).out)["loss"]
        for source in (("sizes.csv",), ("sizes.parquet",), ("sizes.csv", "--ordered", "size=S, M,L,X"))
    }
    assert list(costs.values()) == [2, 0, 0]
    for order, code, told in (
        ("size", 2, "has no '='"),
        ("size=S", 2, "two values or more"),
        ("size=S,M,L", 1, "has the value 'X'"),
        ("other=S,M", 1, "no column 'other'"),
    ):
        ended = run("optimal", "sizes.csv", "--target", "y", "--ordered", order)
        assert_refused(ended, code, told)
