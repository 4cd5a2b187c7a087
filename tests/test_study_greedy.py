"""The comparison of greedy heuristics with the least cost.

Inner names, as in unit tests: `search.tables.searches`: costs and heuristics are asked for as the
engine takes them.
"""

from __future__ import annotations

import time
import tomllib
from pathlib import Path
from random import Random

import numpy as np
import pytest

from reference import tables as ref
from tiny_tables import random_tiny, table_of
from treewright import DataTypeError, ParameterError
from treewright.search.tables.searches import HEURISTICS
from treewright.studies import compare_greedy
from treewright.tables import DecisionTable, tree_cost

PUBLISHED = Path(__file__).parent / "papers" / "decision_tables.toml"
SMALL = {"n_tables": 40, "n_rows": 14, "n_features": 4, "progress": False}


@pytest.fixture(scope="module")
def small():
    return compare_greedy(**SMALL)


def test_differences_of_given_tables_are_those_of_all_trees():
    tiny = [table for table in map(random_tiny, map(Random, range(60))) if table.alpha == 0]
    found = compare_greedy([table_of(table) for table in tiny], progress=False)
    assert (found.n_tables, found.n_asked, found.status) == (len(tiny), len(tiny), "complete")
    order = ["total_path_length" if cost == "average_depth" else cost for cost in found.costs]
    for t, table in enumerate(tiny):
        least = [ref.minimum(table, cost) for cost in order]
        assert found.minima[t].tolist() == least
        for h, heuristic in enumerate(HEURISTICS):
            greedy = ref.greedy(table, *heuristic)
            costs = [ref.cost_of(greedy, cost) for cost in order]
            expected = [(c - m) / m if m else 0.0 for c, m in zip(costs, least, strict=True)]
            np.testing.assert_allclose(found.differences[t, h], expected, rtol=1e-12)


def test_larger_tables_are_compared_too():
    rng = np.random.default_rng(0)
    tables = [
        DecisionTable(rng.integers(0, 3, (90, 6)), rng.integers(0, 3, 90), on_conflict="most_common")
        for _ in range(3)
    ]
    found = compare_greedy(tables, progress=False)
    for t, table in enumerate(tables):
        graph, trees = table.subtable_graph(), table.greedy_trees()
        for h, heuristic in enumerate(found.heuristics):
            for c, cost in enumerate(found.costs):
                least = graph.minimum(cost)
                expected = (tree_cost(trees[heuristic], table, cost) - least) / least
                assert found.differences[t, h, c] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_numbers_do_not_depend_on_threads(small, n_jobs):
    again = compare_greedy(**SMALL, n_jobs=n_jobs)
    np.testing.assert_array_equal(again.differences, small.differences)
    np.testing.assert_array_equal(again.minima, small.minima)


def test_first_tables_are_those_of_a_shorter_study(small):
    shorter = compare_greedy(**{**SMALL, "n_tables": 10})
    np.testing.assert_array_equal(shorter.differences, small.differences[:10])


def test_random_state_draws(small):
    other = compare_greedy(**SMALL, random_state=1)
    assert not np.array_equal(other.differences, small.differences)
    assert compare_greedy(**SMALL, random_state=None).status == "complete"


def test_means_ranks_and_best(small):
    assert (small.differences >= 0).all()
    np.testing.assert_allclose(small.mean, small.differences.mean(axis=0))
    expected = small.differences.std(axis=0, ddof=1) / np.sqrt(40)
    np.testing.assert_allclose(small.std_error, expected)
    for j, cost in enumerate(small.costs):
        best = small.best(cost, n_best=16)
        assert sorted(best) == sorted(HEURISTICS)
        means = [small.mean[HEURISTICS.index(heuristic), j] for heuristic in best]
        assert means == sorted(means)
    with pytest.raises(ParameterError, match="cost='size'"):
        small.best("size")


def test_table_frame_and_latex(small):
    frame = small.to_frame()
    assert frame.shape == (16, 15)
    assert frame.loc[("sum", "rt"), ("depth", "mean")] == small.mean[HEURISTICS.index(("sum", "rt")), 1]
    assert frame[("n_nodes", "rank")].dtype.kind == "i"
    text = small.to_text()
    assert text.count("\n* ") == 0
    assert text.count("* ") == 10 + text.splitlines()[-1].count("* ")
    assert str(small) == text
    assert small.to_latex().count(r"\\") == 18
    assert max(map(len, small.to_text(80).splitlines())) <= 80


def test_heat_map_shows_every_mean(small):
    import matplotlib

    matplotlib.use("agg")
    ax = small.plot()
    assert [text.get_text() for text in ax.texts] == [f"{100 * value:.1f}" for value in small.mean.ravel()]
    assert len(ax.patches) == 10
    matplotlib.pyplot.close(ax.figure)


def test_study_can_be_stopped():
    seen = []

    def stop(progress):
        seen.append(progress)
        return progress.done >= 5

    found = compare_greedy(n_tables=10**6, callback=stop, progress=False)
    assert found.status == "stopped"
    assert 0 < found.n_tables < 10**6
    assert f"{found.n_tables:,} of 1,000,000 tables" in found.to_text()
    limited = compare_greedy(n_tables=10**6, time_limit=0.5, progress=False)
    assert limited.status == "time_limit"


def test_one_table_has_no_standard_error():
    found = compare_greedy(table_of(ref.merged([(0, 0), (0, 1), (1, 0)], [0, 1, 1])), progress=False)
    assert found.n_tables == 1
    assert np.isnan(found.std_error).all()
    assert "±" not in found.to_text()
    assert not found.is_random


def test_mistakes_are_told():
    with pytest.raises(DataTypeError, match=r"tables\[1\] is of type list"):
        compare_greedy([table_of(ref.merged([(0,)], [0])), [[0]]])
    with pytest.raises(DataTypeError, match="tables is of type int"):
        compare_greedy(3)
    with pytest.raises(ParameterError, match="tables is empty"):
        compare_greedy([])
    for name in ("n_tables", "n_rows", "n_features", "n_values", "node_limit"):
        with pytest.raises(ParameterError, match=name):
            compare_greedy(**{name: 0})


@pytest.mark.slow
def test_published_numbers_come_out(record_property):
    """All 320 cells of tables 1 to 4, and the best two of table 5, within 4 standard errors."""
    published = tomllib.loads(PUBLISHED.read_text(encoding="utf-8"))
    started = time.process_time()
    found = compare_greedy(n_tables=40_000, progress=False)
    record_property("seconds", time.process_time() - started)
    for group, table in enumerate(published["tables"]):
        part = found.differences[10_000 * group : 10_000 * (group + 1)]
        tolerance = 4 * np.sqrt(2) * part.std(axis=0, ddof=1) / 100
        paper = np.array([table[impurity][measure] for impurity, measure in HEURISTICS])
        assert (np.abs(part.mean(axis=0) - paper) <= tolerance).all()
    for cost, best in published["best_two"].items():
        assert {tuple(heuristic) for heuristic in best} == set(found.best(cost))
