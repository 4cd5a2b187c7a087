"""Files drawn from the grammar of their format read as what they mean; what is written is read back."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import file_grammars as grammars
from treewright import Dataset, datasets

N_FILES = int(os.environ.get("TREEWRIGHT_FILES", "25"))
"""5 000 of each were read once; more are by this variable."""

few = settings(max_examples=N_FILES, deadline=None, suppress_health_check=list(HealthCheck))
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def read(texts: dict[str, str], **options: object) -> Dataset:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in texts.items():
            Path(folder, name).write_text(text, encoding="utf-8", newline="")
        return datasets.read(Path(folder, list(texts)[-1]), **options)


@given(grammars.arff_files())
@few
def test_arff(drawn: tuple[str, grammars.Truth]) -> None:
    text, truth = drawn
    truth.same(read({"t.csv": text}))


@given(grammars.c45_files())
@few
def test_c45(drawn: tuple[str, str, grammars.Truth]) -> None:
    declared, rows, truth = drawn
    truth.same(read({"t.names": declared, "t.data": rows}))


@given(grammars.orange_files())
@few
def test_orange(drawn: tuple[str, grammars.Truth, bool]) -> None:
    text, truth, is_short = drawn
    if truth.weights is not None:
        truth.names = truth.names[1:]
    truth.same(read({"t.tab": text}), declared=not is_short)


def is_word(text: str) -> bool:
    """Whether no format takes a text as a number, or as missing."""
    is_number = text.lstrip("+-").replace(".", "").isdigit()
    return text == text.strip() and text not in ("?", ".", "~") and not is_number


@st.composite
def data_sets(draw, letters: str, *, numeric: bool = False, weights: bool = True) -> Dataset:
    """Draw a data set whose levels a format can hold."""
    texts = st.text(letters, min_size=1, max_size=5).filter(is_word)
    names = texts.filter(lambda text: text not in ("class", "weight"))
    n = draw(st.integers(2, 6))
    columns, levels = {}, {}
    for name in draw(st.lists(names, min_size=1, max_size=4, unique=True)):
        if numeric or draw(st.booleans()):
            gap = st.nothing() if numeric else st.just(float("nan"))
            columns[name] = draw(st.lists(grammars.NUMBERS | gap, min_size=n, max_size=n))
        else:
            levels[name] = draw(st.lists(texts, min_size=2, max_size=4, unique=True))
            columns[name] = draw(st.lists(st.sampled_from([*levels[name], None]), min_size=n, max_size=n))
    labels = st.sampled_from([1, 2, 10] if numeric else ["no", "yes", "may be"])
    y = draw(st.lists(labels, min_size=n, max_size=n))
    some = st.lists(st.sampled_from([0.5, 1.0, 3.0]), min_size=n, max_size=n)
    return Dataset.from_columns(columns, y, levels=levels, sample_weight=draw(some) if weights else None)


def assert_written(data: Dataset, name: str, **options: object) -> None:
    with tempfile.TemporaryDirectory() as folder:
        datasets.write(data, Path(folder, name))
        again = datasets.read(Path(folder, name), **options)
    if name.endswith("svm"):
        assert [again.column(i).tolist() for i in range(again.n_features)] == [
            data.column(i).tolist() for i in range(again.n_features)
        ]
        return
    assert again.feature_names == data.feature_names
    assert again.levels == data.levels
    assert again.content_hash == data.content_hash


@given(data_sets(grammars.PLAIN + grammars.ODD + "\n\r\x07\x0b"))
@few
def test_arff_is_written_and_read_back(data: Dataset) -> None:
    assert_written(data, "t.arff")


@given(data_sets(grammars.SPACED, weights=False))
@few
def test_c45_is_written_and_read_back(data: Dataset) -> None:
    assert_written(data, "t.names")
    assert_written(data, "t.data")


@given(data_sets(grammars.PLAIN.replace("#", "") + " '\",%|"))
@few
def test_orange_is_written_and_read_back(data: Dataset) -> None:
    assert_written(data, "t.tab")


@given(data_sets("abc", numeric=True, weights=False))
@few
def test_libsvm_is_written_and_read_back(data: Dataset) -> None:
    assume(any(data.column(i).any() for i in range(data.n_features)))
    assert_written(data, "t.svm", format="libsvm")


@given(data_sets("abc, '\"\n", weights=False))
@few
def test_csv_is_written_and_read_back(data: Dataset) -> None:
    with tempfile.TemporaryDirectory() as folder:
        datasets.write(data, Path(folder, "t.csv"))
        kinds = dict(zip(data.feature_names, data.kinds, strict=True))
        again = datasets.read(Path(folder, "t.csv"), target="class", kinds=kinds, header=True)
    for i, levels in enumerate(data.levels):
        one, two = (d.column(i).tolist() for d in (data, again))
        if levels is None:
            np.testing.assert_array_equal(one, two)
        else:
            assert [levels[c] for c in one if c >= 0] == [again.levels[i][c] for c in two if c >= 0]
