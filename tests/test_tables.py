"""Decision tables: what they take in, what they hold, what they refuse.

Inner names, as in unit tests: `data.binning`: a column is looked at before it is part of a table.
"""

from __future__ import annotations

import copy
import pickle
from datetime import date
from random import Random

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treewright import (
    DataError,
    DataTypeError,
    FormatError,
    MinimalTreeClassifier,
    ParameterError,
    datasets,
)
from treewright.data.binning import (
    bin_labels,
    binned,
    quantile_edges,
)
from treewright.tables import Cost, DecisionTable

ROWS = [["sunny", 1], ["sunny", 0], ["rainy", 1], ["rainy", 0]]
DECISIONS = ["swim", "walk", "read", "read"]
NAN = float("nan")


def rows_of(table):
    """Return a table's rows as the user's values."""
    columns = [[values[code] for code in table.column(i)] for i, values in enumerate(table.values)]
    return list(zip(*columns, strict=True)) if columns else [()] * table.n_rows


# Values -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        ROWS,
        tuple(map(tuple, ROWS)),
        np.array(ROWS, dtype=object),
        pd.DataFrame(ROWS, columns=["a", "b"]),
        pd.DataFrame(ROWS, columns=["a", "b"]).astype({"a": "category"}),
        pl.DataFrame({"a": [row[0] for row in ROWS], "b": [row[1] for row in ROWS]}),
        pl.DataFrame({"a": [row[0] for row in ROWS], "b": [row[1] for row in ROWS]}).to_arrow(),
    ],
    ids=["lists", "tuples", "array", "pandas", "categories", "polars", "pyarrow"],
)
@pytest.mark.parametrize(
    "decisions",
    [DECISIONS, np.array(DECISIONS), pd.Series(DECISIONS), pl.Series(DECISIONS)],
    ids=["list", "array", "pandas", "polars"],
)
def test_any_container_gives_the_same_table(values, decisions):
    table = DecisionTable(values, decisions)
    assert (table.n_rows, table.n_features) == (4, 2)
    assert table.values == [["rainy", "sunny"], [0, 1]]
    assert table.classes.tolist() == ["read", "swim", "walk"]
    assert rows_of(table) == list(map(tuple, ROWS))
    assert table.decisions.tolist() == [1, 2, 0, 0]


def test_names_come_from_the_frame_or_the_user():
    assert DecisionTable(ROWS, DECISIONS).feature_names == ["x0", "x1"]
    frame = pd.DataFrame(ROWS, columns=["sky", "warm"])
    assert DecisionTable(frame, DECISIONS).feature_names == ["sky", "warm"]
    assert DecisionTable(frame, DECISIONS, feature_names=["a", "b"]).feature_names == ["a", "b"]
    assert DecisionTable(pd.DataFrame(ROWS), DECISIONS).feature_names == ["x0", "x1"]


def test_values_of_any_type_stand_side_by_side():
    values = [1, "1", True, (1, 2), frozenset({1}), b"1", 2.5, date(2020, 1, 1), None]
    table = DecisionTable([[value] for value in values], list(range(9)))
    assert table.n_rows == 9
    assert set(map(repr, table.values[0])) == set(map(repr, values))
    assert table.values[0][-1] is None


def test_one_number_is_one_value_whatever_its_type():
    table = DecisionTable([[1], [1.0], [np.int8(1)], [np.float32(1)]], ["a"] * 4)
    assert table.n_rows == 1
    assert table.values == [[1]]
    assert DecisionTable([[True], [1], ["1"]], [0, 1, 2]).n_rows == 3


@pytest.mark.parametrize("missing", [None, NAN, np.nan, pd.NA, pd.NaT], ids=repr)
def test_missing_is_one_value(missing):
    table = DecisionTable([["a"], [missing], [None]], [0, 1, 1])
    assert table.n_rows == 2
    assert table.values == [["a", None]]
    tree = table.greedy_tree()
    assert "missing" in tree.export_text()
    assert tree.predict([["a"], [None]]).tolist() == [0, 1]


def test_infinite_numbers_are_values():
    table = DecisionTable([[float("inf")], [-float("inf")], [0.5]], [0, 1, 2])
    assert table.values == [[-float("inf"), 0.5, float("inf")]]
    assert table.core.levels == [["-inf", 0.5, "inf"]]


def test_other_values_stand_in_a_tree_as_text_of_their_own():
    table = DecisionTable([[(1, 2)], ["(1, 2)"], [date(2020, 1, 2)]], ["a", "b", "c"])
    labels = table.core.levels[0]
    assert sorted(labels) == ["(1, 2)", "(1, 2) (2)", "2020-01-02"]
    assert table.values[0][labels.index("(1, 2)")] == "(1, 2)"


def test_large_ints_are_values():
    table = DecisionTable([[2**70], [2**70 + 1]], ["a", "b"])
    assert table.values == [[2**70, 2**70 + 1]]
    assert table.core.levels == [[str(2**70), str(2**70 + 1)]]


def test_decisions_of_any_type():
    assert DecisionTable([[0], [1], [2]], [10, 9, 10]).classes.tolist() == [9, 10]
    assert DecisionTable([[0], [1]], [True, False]).classes.tolist() == [False, True]
    mixed = DecisionTable([[0], [1], [2]], [(1,), "x", 3])
    assert mixed.classes.tolist() == [(1,), 3, "x"]
    assert mixed.greedy_tree().classes_.tolist() == ["(1,)", 3, "x"]


@given(
    st.lists(
        st.tuples(*[st.none() | st.integers(-2, 2) | st.sampled_from(["a", "b", (1,), True, 0.5])] * 2),
        min_size=1,
        max_size=12,
    )
)
def test_rows_come_back_as_they_were(rows):
    table = DecisionTable(rows, ["same"] * len(rows))
    distinct = list(dict.fromkeys(tuple((type(v).__name__, v) for v in row) for row in rows))
    assert [tuple((type(v).__name__, v) for v in row) for row in rows_of(table)] == distinct


# Equal rows ---------------------------------------------------------------------------


def test_equal_rows_of_one_decision_always_merge():
    table = DecisionTable([["b"], ["a"], ["b"]], [1, 0, 1])
    assert table.n_rows == 2
    assert table.first_rows.tolist() == [0, 1]


def test_conflict_names_rows_and_decisions():
    with pytest.raises(DataError, match=r"rows 1 and 3 .* walk and swim; choose on_conflict='most_common'"):
        DecisionTable([["a"], ["b"], ["c"], ["b"]], ["read", "walk", "read", "swim"])


def test_most_common_decision_wins_and_the_first_of_equals():
    values = [["a"], ["b"], ["a"], ["a"], ["b"]]
    table = DecisionTable(values, ["z", "z", "y", "y", "x"], on_conflict="most_common")
    assert [table.classes[code] for code in table.decisions] == ["y", "x"]


@pytest.mark.parametrize("seed", range(40))
def test_merging_is_that_of_the_reference(seed):
    from reference import tables as ref

    rng = Random(seed)
    rows = [tuple(rng.randrange(3) for _ in range(2)) for _ in range(rng.randint(1, 30))]
    decisions = [rng.randrange(3) for _ in rows]
    expected = ref.merged(rows, decisions)
    table = DecisionTable(rows, decisions, on_conflict="most_common")
    assert rows_of(table) == list(expected.values)
    assert [table.classes[code] for code in table.decisions] == list(expected.decisions)
    assert [rows[row] for row in table.first_rows] == list(expected.values)


# From data ----------------------------------------------------------------------------


def test_data_gives_levels_and_missing_values():
    frame = pd.DataFrame({"c": pd.Categorical(["u", None, "v"], categories=["w", "v", "u"]), "n": [1, 2, 2]})
    table = DecisionTable.from_data(frame, ["p", "q", "p"])
    assert table.values == [["w", "v", "u", None], [1, 2]]
    assert rows_of(table) == [("u", 1), (None, 2), ("v", 2)]
    assert table.bin_edges == [None, None]


def test_data_set_is_taken_with_its_classes():
    data = datasets.load("monks-1")
    table = DecisionTable.from_data(data)
    assert (table.n_rows, table.n_features) == (432, 6)
    assert table.classes.tolist() == data.classes.tolist()
    assert table.feature_names == data.feature_names


def test_fractions_are_refused_with_a_hint():
    with pytest.raises(DataTypeError, match=r"feature 'x1' \(column 1\) has 0.5 at row 1: .* bins=4"):
        DecisionTable.from_data([[1, 1.0], [2, 0.5]], [0, 1])
    assert DecisionTable.from_data([[1.0], [2.0]], [0, 1]).values == [[1, 2]]


def test_bins_hold_about_as_many_samples_each():
    numbers = np.random.default_rng(0).normal(size=(1000, 1))
    table = DecisionTable.from_data(numbers, np.zeros(1000, dtype=int), bins=4)
    counts = np.bincount(binned(numbers[:, 0], table.bin_edges[0]))
    assert counts.tolist() == [250] * 4
    assert len(table.values[0]) == 4


@given(
    st.lists(st.floats(allow_infinity=False), min_size=1, max_size=40),
    st.integers(2, 6),
)
def test_bins_are_intervals_that_all_hold_something(numbers, max_bins):
    column = np.array(numbers)
    edges = quantile_edges(column, max_bins)
    codes = binned(column, edges)
    known = ~np.isnan(column)
    assert (np.diff(edges) > 0).all()
    assert len(edges) < max_bins
    assert (codes[~known] == len(edges) + 1).all()
    if known.any():
        assert set(codes[known]) == set(range(len(edges) + 1))
        order = np.argsort(column[known], kind="stable")
        assert (np.diff(codes[known][order]) >= 0).all()
    assert len(set(bin_labels(edges))) == len(edges) + 1


def test_few_numbers_have_a_bin_each():
    assert quantile_edges(np.array([3.0, 1.0, 1.0, 7.0]), 3).tolist() == [2.0, 5.0]
    assert quantile_edges(np.array([np.nan]), 3).tolist() == []
    # A lowest value more frequent than a bin is cut off from the rest.
    assert quantile_edges(np.array([0.0] * 98 + [1.0, 2.0, 3.0]), 3).tolist() == [0.5]


# Errors -------------------------------------------------------------------------------

MISTAKES = [
    (lambda: DecisionTable([[[1]]], [0]), DataTypeError, ["'x0' (column 0)", "list", "row 0", "hashable"]),
    (lambda: DecisionTable([[1]], [[0]]), DataTypeError, ["decisions", "row 0", "hashable"]),
    (lambda: DecisionTable([[1], [2]], [0, None]), DataError, ["decisions", "row 1", "leave it out"]),
    (lambda: DecisionTable([], []), DataError, ["no rows"]),
    (lambda: DecisionTable("text", [0]), DataTypeError, ["str", "list of rows"]),
    (lambda: DecisionTable({"a": [1]}, [0]), DataTypeError, ["dict", "list of rows"]),
    (lambda: DecisionTable(np.zeros(3), [0]), DataError, ["length 3", "reshape"]),
    (lambda: DecisionTable(np.zeros(2, dtype=[("a", "i4")]), [0, 1]), DataTypeError, ["structured"]),
    (lambda: DecisionTable([[1], 2], [0, 1]), DataTypeError, ["row 1", "int"]),
    (lambda: DecisionTable([[1], "ab"], [0, 1]), DataTypeError, ["row 1", "str"]),
    (lambda: DecisionTable([[1, 2], [1]], [0, 1]), DataError, ["row 1", "1 values", "row 0 has 2", "None"]),
    (lambda: DecisionTable([[1], [2]], [0]), DataError, ["2 rows", "1 decisions", "one decision a row"]),
    (lambda: DecisionTable([[1]], 0), DataError, ["int", "one decision a row"]),
    (lambda: DecisionTable([[1]], np.zeros((1, 1))), DataError, ["(1, 1)", "one decision a row"]),
    (lambda: DecisionTable([[1]], [0], feature_names=[]), ParameterError, ["0 names", "1 columns"]),
    (lambda: DecisionTable([[1]], [0], feature_names=[1]), ParameterError, ["feature_names[0]=1", "text"]),
    (lambda: DecisionTable([[1]], [0], on_conflict="x"), ParameterError, ["on_conflict='x'", "'raise'"]),
    (lambda: DecisionTable.from_data([[1]], [0], bins=1), ParameterError, ["bins=1"]),
    (lambda: DecisionTable.from_data([[1]]), DataError, ["y"]),
    (lambda: DecisionTable([[1]], [0]).greedy_tree(impurity="mean"), ParameterError, ["impurity='mean'"]),
    (lambda: DecisionTable([[1]], [0]).greedy_tree(uncertainty="x"), ParameterError, ["uncertainty='x'"]),
    (lambda: DecisionTable([[1]], [0]).greedy_trees(max_pairs=-1), ParameterError, ["max_pairs=-1"]),
    (lambda: DecisionTable([[1]], [0]).greedy_trees(max_pairs=0.5), ParameterError, ["max_pairs=0.5"]),
    (lambda: DecisionTable([[1]], [0]).minimum_tree("size"), ParameterError, ["cost='size'", "'n_nodes'"]),
    (lambda: DecisionTable([[1]], [0]).minimum_tree("depth", then="x"), ParameterError, ["then='x'"]),
    (lambda: DecisionTable([[1]], [0]).subtable_graph(node_limit=0), ParameterError, ["node_limit=0"]),
    (lambda: DecisionTable([[1]], [0]).subtable_graph(memory_limit="x"), ParameterError, ["memory_limit"]),
    (lambda: Cost(leaf=0.5), ParameterError, ["leaf=0.5", "multiply"]),
    (lambda: Cost(per_row=-1), ParameterError, ["per_row=-1", "from 0"]),
    (lambda: Cost(per_node=2**31), ParameterError, ["per_node", str(2**31 - 1)]),
    (lambda: Cost(per_node=True), ParameterError, ["per_node=True"]),
    (lambda: Cost(combine="mean"), ParameterError, ["combine='mean'", "'max'"]),
]


@pytest.mark.parametrize(("mistake", "error", "told"), MISTAKES)
def test_mistake_is_told(mistake, error, told):
    with pytest.raises(error) as caught:
        mistake()
    for part in told:
        assert part in str(caught.value)


# What a table is ----------------------------------------------------------------------


def test_table_cannot_change():
    table = DecisionTable(ROWS, DECISIONS)
    with pytest.raises(AttributeError, match="cannot change"):
        table.n_rows = 5
    table.values[0].append("snow")
    assert table.values == [["rainy", "sunny"], [0, 1]]
    assert copy.copy(table) is copy.deepcopy(table) is table


def test_pickled_table_is_the_same():
    values = [["a", (1, 2)], ["b", None], ["a", True]]
    table = DecisionTable(values, ["x", ("y",), "x"], feature_names=["p", "q"])
    again = pickle.loads(pickle.dumps(table))
    assert rows_of(again) == rows_of(table)
    assert again.classes.tolist() == table.classes.tolist()
    assert again.greedy_trees() == table.greedy_trees()
    merged = DecisionTable([[1], [1], [2]], [0, 0, 1])
    assert pickle.loads(pickle.dumps(merged)).first_rows.tolist() == merged.first_rows.tolist() == [0, 2]
    binned_table = DecisionTable.from_data([[0.5], [1.5], [None]], [0, 1, 1], bins=2)
    assert pickle.loads(pickle.dumps(binned_table)).bin_edges[0].tolist() == [1.0]


def test_pickle_of_another_format_is_refused():
    restore, (number, *state) = DecisionTable(ROWS, DECISIONS).__reduce__()
    for other in (number - 1, number + 1):
        with pytest.raises(FormatError, match=f"in format {other}; this version of treewright reads"):
            restore(other, *state)


def test_pairs_of_different_decisions_are_counted():
    assert DecisionTable(ROWS, DECISIONS).n_pairs == 5
    assert DecisionTable([[0], [1]], [0, 0]).n_pairs == 0


def test_a_value_without_a_branch_stays_at_the_node_everywhere() -> None:
    rows, decisions = [["a", "1"], ["b", "1"], ["d", "1"], [None, "1"]], list("xxxy")
    tree = DecisionTable(rows, decisions).minimum_tree().tree
    model = MinimalTreeClassifier().fit(rows, decisions)
    for predict in (tree.predict, model.predict, model.tree_.predict):
        assert predict([["zz", "1"]]).tolist() == ["x"]
        assert predict([[None, "1"]]).tolist()[0] in ("x", "y")
    assert tree.predict([[None, "1"]]).tolist() == ["y"]
    assert tree.lists_branches
