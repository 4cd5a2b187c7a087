"""The data door: arrays, frames of every kind, files, named sets, and sets that are drawn."""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Callable
from dataclasses import asdict
from functools import partial as case
from pathlib import Path
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import Dataset, GreedyTreeClassifier, datasets

NAME = "data"


def contents(dataset: Any) -> facts.Facts:
    """Say what a data set holds."""
    return {
        "text": repr(dataset),
        "shape": list(dataset.shape),
        "names": dataset.feature_names,
        "names given": dataset.feature_names_in,
        "kinds": dataset.kinds,
        "levels": dataset.levels,
        "classes": dataset.classes,
        "target": dataset.target,
        "weights": dataset.sample_weight,
        "columns": [dataset.column(i) for i in range(min(dataset.n_features, 12))],
        "described": dataset.describe().to_text().splitlines(),
    }


def taken(make: Callable[[], Any], **options: Any) -> facts.Facts:
    """Take in a table and say what it became."""
    given = make()
    X, y = given if isinstance(given, tuple) else (given, None)
    return contents(Dataset(X, y, **options))


def grown(make: Callable[[], Any]) -> facts.Facts:
    """Grow a tree from a table and predict from the same table."""
    X, y = make()
    return facts.classifier(GreedyTreeClassifier(min_samples_branch=2).fit(X, y), X)


def object_array() -> Any:
    """Return an array of objects, mixed by column."""
    X, y = data.mixed(30)
    return X.astype(object).to_numpy(), y


def text_array() -> Any:
    """Return an array of text."""
    X, y = data.known(30)
    return np.array(X), np.array(y)


def rows() -> Any:
    """Return a list of rows."""
    X, y = data.mixed(30)
    return X.astype(object).to_numpy().tolist(), y


def pandas_types() -> Any:
    """Return a frame with every type of pandas that may pass."""
    import pandas as pd

    given = data.columns(30)
    sizes = pd.CategoricalDtype(["S", "M", "L", "XL"], ordered=True)
    frame = pd.DataFrame(
        {
            "category": pd.Categorical(given["colour"]),
            "ordered": pd.Series(given["size"]).astype(sizes),
            "object": pd.Series(given["colour"], dtype=object),
            "string": pd.Series(given["colour"], dtype="string"),
            "bool": given["is_new"],
            "boolean": pd.array([None, *given["is_new"][1:]], dtype="boolean"),
            "Int64": pd.array([None, *range(1, 30)], dtype="Int64"),
            "int8": np.arange(30, dtype=np.int8) % 7,
            "float32": np.arange(30, dtype=np.float32) / 3,
            "price": given["price"],
        }
    )
    return frame, pd.Series(given["label"], dtype="category")


def polars_types() -> Any:
    """Return a frame of polars."""
    import polars as pl

    given = data.columns(30)
    frame = pl.DataFrame(
        {
            "string": given["colour"],
            "categorical": pl.Series(given["colour"], dtype=pl.Categorical),
            "enum": pl.Series(given["size"], dtype=pl.Enum(["S", "M", "L", "XL"])),
            "bool": given["is_new"],
            "int": pl.Series([None, *range(1, 30)], dtype=pl.Int32),
            "price": given["price"],
        }
    )
    return frame, pl.Series(given["label"])


def arrow_types() -> Any:
    """Return a table of pyarrow."""
    import pyarrow as pa

    given = data.columns(30)
    table = pa.table(
        {
            "string": given["colour"],
            "dictionary": pa.array(given["colour"]).dictionary_encode(),
            "bool": given["is_new"],
            "int": pa.array([None, *range(1, 30)], type=pa.int16()),
            "price": given["price"],
        }
    )
    return table, given["label"]


def marked() -> Any:
    """Return columns of text in which a mark stands for missing values."""
    import pandas as pd

    return pd.DataFrame({"a": ["1", "?", "3.5", "x"], "b": ["1", "?", "2", "3"], "c": [1, -1, 2, 3]})


def of_columns() -> facts.Facts:
    """Make a data set from columns by name, with levels."""
    made = Dataset.from_columns(
        {"size": ["S", "L", None, "S"], "price": [9.5, None, 8, 1], "code": [3, 1, 2, 1]},
        ["no", "yes", "no", "yes"],
        sample_weight=[1, 2, 0.5, 0],
        levels={"size": ["S", "M", "L"], "code": [1, 2, 3]},
    )
    return contents(made)


def changed() -> facts.Facts:
    """Select rows, give other classes and weights, pickle."""
    base = Dataset(*data.mixed(30))
    return {
        "slice": contents(base[5:15]),
        "mask": contents(base[np.arange(30) % 2 == 0]),
        "positions": contents(base[[-1, 0, 0, 3]]),
        "other classes": contents(Dataset(base, [i % 3 for i in range(30)])),
        "weights": contents(Dataset(base, sample_weight=data.weights(30))),
        "pickled": contents(pickle.loads(pickle.dumps(base))),
    }


def target_types() -> facts.Facts:
    """Take in classes of every type."""
    import pandas as pd

    X = [[1.0], [2.0], [3.0], [4.0]]
    given = {
        "int": [3, 10, 3, 9],
        "whole floats": [1.0, 2.0, 1.0, 2.0],
        "bool": [True, False, True, True],
        "text": ["b", "a", "c", "a"],
        "object": np.array(["b", "a", "c", "a"], dtype=object),
        "Int64": pd.array([1, 2, 1, 2], dtype="Int64"),
        "category": pd.Categorical(["b", "a", "b", "a"], categories=["b", "a"]),
        "one class": ["a", "a", "a", "a"],
    }
    made = {name: Dataset(X, y) for name, y in given.items()}
    return {name: [one.classes, one.target] for name, one in made.items()}


def csv(
    text: str = data.WEATHER, *, encoding: str = "utf-8", is_packed: bool = False, **options: Any
) -> facts.Facts:
    """Read a file."""
    content = text.encode(encoding)
    Path("table.csv").write_bytes(gzip.compress(content) if is_packed else content)
    return contents(datasets.read_csv("table.csv", encoding=encoding, **{"target": "play", **options}))


def loaded(name: str, **options: Any) -> facts.Facts:
    """Load a named set."""
    return contents(datasets.load(name, **options))


def listed() -> facts.Facts:
    """List all sets there are."""
    return {
        "names": datasets.names(),
        "entries": [list(asdict(entry).values()) for entry in datasets.catalogue()],
    }


def network(**options: Any) -> facts.Facts:
    """Draw a linear network."""
    made = datasets.make_linear_network(**options)
    return {"train": contents(made.train), "test": contents(made.test)}


GAPS = "name,legs,covering,class\ndog,4,hair,mammal\nhen,2,feathers,bird\ncarp,?,scales,fish\nbat,2,,mammal\n"
ANIMALS = {"text": GAPS, "target": "class"}

CASES = {
    "taken/pandas": case(taken, pandas_types),
    "taken/polars": case(taken, polars_types),
    "taken/pyarrow": case(taken, arrow_types),
    "taken/objects": case(taken, object_array),
    "taken/text": case(taken, text_array),
    "taken/rows": case(taken, rows),
    "taken/numbers": case(taken, data.numbers),
    "taken/categorical=[4]": case(taken, data.numbers, categorical_features=[4]),
    "taken/categorical=mask": case(taken, data.numbers, categorical_features=[False] * 4 + [True]),
    "taken/categorical=names": case(
        taken, data.mixed, categorical_features=["colour", "size", "age", "is_new"]
    ),
    "taken/weights": case(taken, data.mixed, sample_weight=data.weights(120)),
    "taken/one-weight": case(taken, data.mixed, sample_weight=2.5),
    "taken/missing_values": case(taken, marked, missing_values={"?", -1}),
    "taken/text-columns": case(taken, marked),
    "grown/pandas": case(grown, pandas_types),
    "grown/polars": case(grown, polars_types),
    "grown/pyarrow": case(grown, arrow_types),
    "grown/objects": case(grown, object_array),
    "grown/text": case(grown, text_array),
    "grown/rows": case(grown, rows),
    "columns": of_columns,
    "changed": changed,
    "targets": target_types,
    "csv/default": csv,
    "csv/packed": case(csv, is_packed=True),
    "csv/drop,kinds": case(csv, drop=["windy"], kinds={"humidity": "nominal"}),
    "csv/delimiter": case(csv, data.WEATHER.replace(",", ";"), delimiter=";"),
    "csv/encoding": case(csv, data.WEATHER.replace("sunny", "sunnü"), encoding="latin-1"),
    "csv/gaps": case(csv, **ANIMALS),
    "csv/gaps,missing_values": case(csv, **ANIMALS, missing_values={"?"}),
    "csv/no-target": case(csv, target=None),
    "load/vote": case(loaded, "vote"),
    "load/heart-c": case(loaded, "heart-c"),
    "load/tic-tac-toe": case(loaded, "tic-tac-toe"),
    "load/balance-scale": case(loaded, "balance-scale"),
    "load/folder-iris": case(loaded, "folder:iris"),
    "load/zoo,drop,kinds": case(loaded, "zoo", drop=["hair"], kinds={"legs": "nominal"}),
    "list": listed,
    "make/random_table": lambda: contents(
        datasets.make_random_table(80, missing_share=0.1, n_classes=3, random_state=0)
    ),
    "make/madelon": lambda: contents(datasets.make_madelon(60, n_probes=10, random_state=1)),
    "make/marketing": lambda: contents(datasets.make_marketing(60, 12, random_state=2)),
    "make/linear_network": case(network, n_inputs=6, n_removed=1, train_share=0.4, random_state=3),
    "make/linear_network,preset": case(network, preset="paper_text", number=3, random_state=0),
}
