"""Columns that can be used but cannot be right are named once, at the door, with a remedy.

Inner names, as in unit tests: `data.checks`: a column is looked at before it is part of a table.
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import cross_val_score

from commands import Run, runner
from treewright import Dataset, DataWarning, GreedyTreeClassifier, RobustLinearClassifier, datasets
from treewright.data.checks import are_dates, spelled_alike

N = 60
Y = np.array(["no", "yes"])[np.arange(N) % 4 // 2]


@pytest.fixture
def run(monkeypatch, capsys, tmp_path) -> Run:
    return runner(monkeypatch, capsys, tmp_path)


def told(X, y=Y, **options):
    """Return the warnings of a table, and check that they are warnings about data."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        Dataset(X, y, **options)
    assert all(warning.category is DataWarning for warning in caught)
    assert all(warning.filename == __file__ for warning in caught)
    return [str(warning.message) for warning in caught]


def column(values):
    return pd.DataFrame({"size": np.arange(N) % 5 / 3, "col": values})


DAYS = [f"2018-0{month}-{day:02}" for month in (1, 2, 3) for day in (1, 2, 3, 5, 8)] * 4
SUSPECT = {
    "identifiers": ([f"A{i}" for i in range(N)], "60 different values in 60 rows, such as 'A0'", "leave it"),
    "free text": (
        [None, *(f"word {i % 57}" for i in range(59))],
        "57 different values in 59 rows",
        "leave it",
    ),
    "row numbers": (range(1, N + 1), "60 different values in 60 rows, such as 1", "X.drop(columns=['col'])"),
    "shuffled": (np.random.default_rng(0).permutation(N) + 0.0, "60 different values", "leave it out"),
    "dates": (DAYS, "holds dates as text, such as '2018-01-01'", "days since a date"),
    "leaking values": (Y, "the class of all 60 rows: each of its 2 values", "leave it out unless"),
    "leaking number": (
        np.where(Y == "yes", 5.0, 4.9),
        "ranges in the classes lie apart",
        "leave it out unless",
    ),
    "leaking gaps": (np.where(Y == "yes", None, "known"), "its 2 values, such as 'known'", "leave it out"),
    "many values": ([f"v{i % 52}" for i in range(N)], "52 different values, such as 'v0'", "rare values"),
    "many values, by groups": ([f"v{i % 52}" for i in range(N)], "52", "(nominal_splits='groups')"),
}


@pytest.mark.parametrize(("values", "seen", "remedy"), SUSPECT.values(), ids=SUSPECT)
def test_what_cannot_be_right_is_named(values, seen, remedy):
    (found,) = told(column(values))
    assert found.startswith("feature 'col' (column 1)")
    assert seen in found
    assert remedy in found


RIGHT = {
    "numbers": np.random.default_rng(0).normal(size=N),
    "whole numbers": np.random.default_rng(0).choice(10**6, N, replace=False),
    "fifty values": [f"v{i % 44}" for i in range(N)],
    "a word for a date": ["10-12-14", "99-99-99", "1-2-3"] * 20,
    "two classes of one value": np.where(np.arange(N) == 7, "no", Y),
    "nothing known": [None] * N,
    "one value": ["a"] * N,
}


@pytest.mark.parametrize("values", RIGHT.values(), ids=RIGHT)
def test_what_may_be_right_is_not_named(values):
    assert told(column(values)) == []


def test_few_rows_prove_nothing():
    few = slice(0, 40)
    for values, _, _ in SUSPECT.values():
        table = column(list(values)).iloc[few]
        if not are_dates(table["col"].unique()):
            assert told(table, Y[few]) == []


def test_without_classes_nothing_is_checked():
    for values, _, _ in SUSPECT.values():
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data = Dataset(column(values))
    with pytest.warns(DataWarning, match="different values"):
        GreedyTreeClassifier().fit(Dataset(column(range(N))), Y)
    assert data.target is None


def test_what_is_declared_is_meant():
    assert told(column(DAYS), categorical_features=["col"]) == []
    assert told(column([f"v{i % 52}" for i in range(N)]), categorical_features=["col"]) == []


def test_columns_of_one_kind_share_a_warning():
    X = pd.DataFrame({f"d{i}": DAYS for i in range(9)} | {"id": range(N)})
    one, two = told(X)
    assert "row" in one
    assert "(likewise 'd1', 'd2', 'd3', 'd4', 'd5', 'd6', … (8 in all))" in two


def test_a_fit_warns_once_and_a_prediction_never():
    X = column(range(N))
    with pytest.warns(DataWarning) as caught:
        model = GreedyTreeClassifier().fit(X, Y)
    assert len(caught) == 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.predict(X)
        model.score(X, Y)
        data = Dataset(X.drop(columns="col"), Y)
        RobustLinearClassifier().fit(data)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_leak_is_a_column_that_alone_decides(data):
    """The quick look at a few rows, and the exact one after it, against the definition."""
    n_classes = data.draw(st.integers(2, 3))
    target = np.arange(N) % n_classes
    is_number = data.draw(st.booleans())
    values = target + 0.0 if is_number else target.copy()
    for row in data.draw(st.lists(st.integers(0, N - 1), max_size=3)):
        values[row] = data.draw(st.sampled_from([-1, 0, 1, 2, 7]))
    known = np.where(values == -1, np.nan, values) if is_number else values
    X = pd.DataFrame({"v": known if is_number else [f"v{value}" for value in values]})
    classes_of = [set(target[values == value]) for value in set(values)]
    is_pure = all(len(classes) == 1 for classes in classes_of)
    if is_number and is_pure:
        ranges = sorted((values[(target == c) & (values >= 0)].tolist() or [99], c) for c in range(n_classes))
        bounds = [(min(inside), max(inside)) for inside, _ in ranges]
        is_pure = all(one[1] < two[0] for one, two in zip(sorted(bounds), sorted(bounds)[1:], strict=False))
    assert any("alone tells" in message for message in told(X, target)) == is_pure


# Dates and spellings.


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["2018-01-30", "2018-01-31", "2018-12-01"], True),
        (["2018/1/3 12:30", "2018/1/4 07:00:01", "2018/1/5"], True),
        (["30.01.2018", "31.01.2018", "1.2.18"], True),
        (["12/31/2018", "1/1/2019", "1/2/2019"], True),
        (["3 Jan 2018", "4-feb-18", "March 5, 2018"], True),
        (["2018-01-30", "2018-01-31", "never"], False),
        (["10-12-14", "99-99-99", "1-2-3"], False),
        (["2018-13-01", "2018-01-32", "2018-00-01"], False),
        (["1.2.3", "1.2.4", "1.10.1"], False),
        (["2018-01-30", "2018-01-31"], False),
        ([20180130, 20180131, 20180201], False),
    ],
)
def test_dates(texts, expected):
    assert are_dates(texts) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (["1E5", "100000"], ("100000", "1E5")),
        (["01234", "1234", "7"], ("01234", "1234")),
        (["9007199254740993", "9007199254740992"], ("9007199254740992", "9007199254740993")),
        (["1", "1.0", "1.", "+1", " 1"], None),
        ([".5", "0.5", "0.50", "-.5", "-0.5"], None),
        (["0", "-0", "0.0", "-0.0"], None),
        (["1", "2", "3"], None),
    ],
)
def test_texts_that_are_one_number(texts, expected):
    assert spelled_alike({text: float(text) for text in texts}) == expected


def test_a_file_tells_what_it_merges(tmp_path: Path, run: Run):
    path = tmp_path / "codes.csv"
    path.write_text("code,size,play\n" + "1E5,1,no\n100000,2,yes\n7,3,yes\n" * 3)
    with pytest.warns(DataWarning) as caught:
        datasets.read_csv(path, target="play")
    (message,) = [str(warning.message) for warning in caught]
    assert "codes.csv, column 'code' (1): the column is read as numbers" in message
    assert "'100000' and '1E5'" in message
    assert "--nominal code, in Python kinds={'code': 'nominal'}" in message
    for kind in ("numeric", "nominal"):
        assert datasets.read_csv(path, target="play", kinds={"code": kind}).kinds[0] == kind
    assert datasets.read_csv(path, target=None).target is None
    ended = run("fit", path, "--target", "play", "--out", "tree.json")
    assert ended.err.count("Warning: ") == 1
    assert run("predict", "tree.json", path).err == ""
    assert run("fit", path, "--target", "play", "--nominal", "code").err == ""


def test_texts_read_as_numbers_are_told_too():
    X = pd.DataFrame({"code": ["1E5", "100000", "?"] * 4})
    (message,) = told(X, [0, 1, 1] * 4, missing_values={"?"})
    assert "feature 'code' (column 0) is read as numbers, and different texts become one" in message


def test_folds_of_one_call_warn_once():
    rng = np.random.default_rng(0)
    X = pd.DataFrame({"code": rng.integers(0, 70, 600).astype(str), "n": rng.normal(size=600)})
    y = rng.integers(0, 2, 600)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        cross_val_score(GreedyTreeClassifier(max_depth=2), X.sample(frac=1, random_state=0), y, cv=5)
    assert ["code" in str(warning.message) for warning in caught] == [True]


def test_files_read_in_one_loop_warn_each(tmp_path):
    for name in ("one", "other"):
        rows = [f"v{i},{i % 2}" for i in range(N)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["code,y", *rows]), encoding="utf-8")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for path in sorted(tmp_path.iterdir()):
            datasets.read_csv(path, target="y")
    assert [name in str(told.message) for told, name in zip(caught, ("one", "other"), strict=True)] == [
        True
    ] * 2


def test_python_without_filters_of_the_user_warns_once(monkeypatch):
    with warnings.catch_warnings(record=True) as caught:
        warnings.resetwarnings()
        own = ("default", None, DeprecationWarning, "__main__", 0)  # as Python itself writes it
        monkeypatch.setattr(warnings, "filters", [own, ("ignore", None, DeprecationWarning, None, 0)])
        for _ in range(3):
            GreedyTreeClassifier(max_depth=1).fit(column(range(N)), Y)
    assert ["60 different values" in str(warning.message) for warning in caught] == [True]


def test_many_values_are_no_fault_where_groups_are_tested() -> None:
    X = [[f"v{i % 52}", i % 3] for i in range(N)]
    y = [i % 2 for i in range(N)]
    with pytest.warns(DataWarning, match="52 different values"):
        GreedyTreeClassifier().fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        GreedyTreeClassifier(nominal_splits="groups").fit(X, y)
