"""What a selector makes of a table: names, columns, kinds of output."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from sklearn.base import clone
from sklearn.datasets import make_classification
from sklearn.pipeline import make_pipeline

from treewright import BackwardEliminationSelector, DataError, Dataset, DataTypeError, GreedyTreeClassifier


@pytest.fixture(scope="module")
def noisy():
    """Three informative columns among twelve, some labels wrong."""
    return make_classification(
        300, 12, n_informative=3, n_redundant=2, flip_y=0.15, shuffle=True, random_state=4
    )


@pytest.fixture(scope="module")
def fitted(noisy):
    return BackwardEliminationSelector(random_state=0).fit(*noisy)


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(0)
    colour = rng.choice(["red", "green"], 120)
    code = rng.integers(0, 3, 120)
    size = rng.normal(size=120)
    frame = pd.DataFrame(
        {
            "colour": colour,
            "code": pd.Categorical(code, categories=[2, 1, 0, 9]),
            "size": size,
            "noise": rng.normal(size=120),
        }
    )
    frame.loc[3, "colour"] = None
    return frame, np.where(colour == "red", code > 0, size > 0).astype(int)


@pytest.fixture(scope="module")
def chooser(mixed):
    """Find a selector that has dropped something from a mixed frame, but not everything."""
    for seed in range(20):
        selector = BackwardEliminationSelector(random_state=seed).fit(*mixed)
        if 0 < selector.support_.sum() < 4 and selector.support_[:2].all():
            return selector
    raise AssertionError("no seed drops the noise alone")


def test_names_out(chooser, mixed):
    names = list(mixed[0].columns)
    assert chooser.get_feature_names_out().tolist() == [names[i] for i in np.flatnonzero(chooser.support_)]
    assert chooser.used_feature_names_out().tolist() == [names[i] for i in chooser.used_features_]


def test_names_out_without_names(fitted):
    assert fitted.used_feature_names_out().tolist() == [f"x{i}" for i in fitted.used_features_]
    letters = list("abcdefghijkl")
    assert fitted.used_feature_names_out(letters).tolist() == [letters[i] for i in fitted.used_features_]


def test_array_stays_an_array(fitted, noisy):
    X, _ = noisy
    np.testing.assert_array_equal(fitted.transform(X), X[:, fitted.support_])
    assert fitted.transform(X.tolist()).shape == (300, fitted.support_.sum())
    assert fitted.transform(X.astype(np.float32)).dtype == np.float32


def test_text_survives_in_an_array():
    X = np.array([["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]] * 5, dtype=object)
    y = [0, 0, 1, 1] * 5
    selector = BackwardEliminationSelector(random_state=0).fit(X, y)
    np.testing.assert_array_equal(selector.transform(X), X[:, selector.support_])


@pytest.mark.parametrize(
    "convert",
    [lambda frame: frame, pl.from_pandas, lambda frame: pa.Table.from_pandas(frame, preserve_index=False)],
    ids=["pandas", "polars", "pyarrow"],
)
def test_frame_stays_a_frame_with_its_types(chooser, mixed, convert):
    frame = convert(mixed[0])
    names = chooser.get_feature_names_out().tolist()
    chosen = chooser.transform(frame)
    assert type(chosen) is type(frame)
    assert chosen.equals(frame.select(names) if hasattr(frame, "select") else frame[names])


@pytest.mark.parametrize("kind", ["pandas", "polars"])
@pytest.mark.parametrize("given", ["array", "pandas", "polars"])
def test_set_output_asks_for_a_kind(noisy, kind, given):
    X, y = noisy
    names = [f"f{i}" for i in range(12)]
    table = {"array": X, "pandas": pd.DataFrame(X, columns=names), "polars": pl.DataFrame(X, schema=names)}[
        given
    ]
    selector = BackwardEliminationSelector(random_state=0).set_output(transform=kind).fit(table, y)
    chosen = selector.transform(table)
    assert type(chosen) is {"pandas": pd.DataFrame, "polars": pl.DataFrame}[kind]
    assert list(chosen.columns) == selector.get_feature_names_out().tolist()
    np.testing.assert_array_equal(chosen.to_numpy(), X[:, selector.support_])


def test_pandas_output_keeps_index_and_types(chooser, mixed):
    frame = mixed[0].set_axis(range(1000, 1120))
    try:
        chosen = chooser.set_output(transform="pandas").transform(frame)
    finally:
        chooser.set_output(transform="default")
    pd.testing.assert_frame_equal(chosen, frame[chooser.get_feature_names_out().tolist()])


def test_frame_keeps_numbers_that_are_categories_nominal(chooser, mixed):
    tree = make_pipeline(chooser, GreedyTreeClassifier()).fit(*mixed)[-1].tree_
    position = tree.feature_names.index("code")
    assert tree.levels[position] == [2, 1, 0, 9]


def test_columns_are_found_by_name_in_transform(chooser, mixed):
    frame, _ = mixed
    chosen = chooser.transform(frame)
    pd.testing.assert_frame_equal(chooser.transform(frame[frame.columns[::-1]].assign(more="?")), chosen)
    pd.testing.assert_frame_equal(chooser.transform(chosen), chosen)
    with pytest.raises(DataError, match="has no column 'colour'"):
        chooser.transform(frame.drop(columns="colour"))


def test_dataset_stays_a_dataset(chooser, mixed):
    data = Dataset(*mixed)
    chosen = chooser.transform(data)
    assert chosen.feature_names == chooser.get_feature_names_out().tolist()
    assert chosen.levels == [data.levels[i] for i in np.flatnonzero(chooser.support_)]
    assert chosen.classes.tolist() == data.classes.tolist()
    pipeline = make_pipeline(chooser, GreedyTreeClassifier())
    assert pipeline.fit(data)[-1].tree_ == pipeline.fit(*mixed)[-1].tree_
    assert chooser.transform(chosen).feature_names == chosen.feature_names
    with pytest.raises(DataTypeError, match="cannot become a pandas frame"):
        clone(chooser).set_output(transform="pandas").fit_transform(data)
