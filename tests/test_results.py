"""Results, progress and tables of steps."""

import pickle
import sys

import numpy as np
import pytest

from treewright.results import (
    MESSAGES,
    Progress,
    ResultTable,
    SearchResult,
)

STEPS = [("step", "int64"), ("errors", "float64")]


@pytest.mark.parametrize("status", sorted(MESSAGES))
def test_success_belongs_to_a_search_that_ran_to_its_end(status):
    result = SearchResult(cost=1.0, status=status, n_searched=2, elapsed=0.1)
    assert result.success == (status in {"optimal", "complete"})
    assert result.message == MESSAGES[status]


def test_gap_is_cost_minus_bound():
    result = SearchResult(cost=5, bound=3, status="time_limit", n_searched=9, elapsed=1.0)
    assert result.gap == 2
    assert SearchResult(cost=5, status="complete", n_searched=9, elapsed=1.0).gap is None


def test_own_message_wins():
    result = SearchResult(cost=0, status="solver_error", n_searched=0, elapsed=0.0, message="singular")
    assert result.message == "singular"


def test_unknown_status_is_refused():
    with pytest.raises(ValueError, match="status='done'"):
        SearchResult(cost=0, status="done", n_searched=0, elapsed=0.0)


def test_results_are_frozen_and_pickle():
    result = SearchResult(cost=0, status="complete", n_searched=0, elapsed=0.0)
    progress = Progress(done=1, total=None, best=None, elapsed=0.5)
    with pytest.raises(AttributeError):
        result.cost = 1
    with pytest.raises(AttributeError):
        progress.done = 2
    assert pickle.loads(pickle.dumps((result, progress))) == (result, progress)


def test_columns_of_a_table_are_plain_arrays():
    table = ResultTable.from_rows([(0, 2.5), (1, 1.5)], STEPS)
    assert type(table["errors"]) is np.ndarray
    assert type(table[:1]) is ResultTable
    assert table[1]["errors"] == 1.5
    assert table["errors"].min() == 1.5


def test_table_without_rows_keeps_its_columns():
    table = ResultTable.from_rows([], STEPS)
    assert table.shape == (0,)
    assert list(table.to_frame().columns) == ["step", "errors"]


def test_table_becomes_a_frame():
    frame = ResultTable.from_rows([(0, 2.5), (1, 1.5)], STEPS).to_frame()
    assert frame.to_dict("list") == {"step": [0, 1], "errors": [2.5, 1.5]}


def test_table_pickles():
    table = ResultTable.from_rows([(0, 2.5)], STEPS)
    copy = pickle.loads(pickle.dumps(table))
    assert type(copy) is ResultTable
    assert copy.tolist() == table.tolist()


def test_frame_without_pandas_says_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"needs pandas.*not installed"):
        ResultTable.from_rows([(0, 2.5)], STEPS).to_frame()
