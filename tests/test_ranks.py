"""Average ranks and their tests, against scipy and by hand.

Inner names, as in unit tests: `studies.common.statistics` and `studies.ranks`: statistics and
rivals are compared with other libraries, one by one.
"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from treewright import DataError, ParameterError
from treewright.studies import compare_ranks
from treewright.studies.common.statistics import holm_adjusted, iman_davenport
from treewright.studies.ranks import cliques

EASY = [[9, 7, 4], [8, 8, 3], [5, 6, 4], [7, 6, 2], [9, 5, 5], [6, 4, 3]]


@pytest.mark.parametrize("k", [3, 5, 8])
def test_friedman_is_that_of_scipy(k):
    rng = np.random.default_rng(k)
    for values in (4, 1000):  # with and without ties
        errors = rng.integers(0, values, (40, k)) + np.arange(k) // 2
        found = compare_ranks(errors)
        expected = stats.friedmanchisquare(*errors.T)
        assert found.statistic == pytest.approx(expected.statistic)
        assert found.p_value == pytest.approx(expected.pvalue)
        np.testing.assert_allclose(found.ranks, stats.rankdata(errors, axis=1).mean(axis=0))


def test_holm_goes_down_step_by_step():
    np.testing.assert_allclose(holm_adjusted(np.array([0.01, 0.04, 0.03, 0.5])), [0.04, 0.09, 0.09, 0.5])
    np.testing.assert_allclose(holm_adjusted(np.array([0.9, 0.8])), [1.0, 1.0])


def test_marks_say_better_and_worse():
    rng = np.random.default_rng(0)
    errors = rng.normal(size=(200, 4)) + np.array([0.0, 1.0, 0.5, 0.5])
    tests = compare_ranks(errors, ["good", "bad", "close", "middle"], reference="middle").tests
    assert tests["mark"].tolist() == ["+", "-", "", ""]
    assert math.isnan(tests["p_holm"][3])
    z = (tests["rank"] - tests["rank"][3]) / math.sqrt(4 * 5 / (6 * 200))
    np.testing.assert_allclose(tests["z"][:3], z[:3])
    np.testing.assert_allclose(tests["p_value"][:3], 2 * stats.norm.sf(np.abs(z[:3])))


def test_no_mark_where_friedman_finds_nothing():
    errors = np.array([[1, 2, 3], [3, 2, 1], [2, 1, 3], [2, 3, 1]])
    found = compare_ranks(errors)
    assert not found.differ
    assert set(found.tests["mark"].tolist()) == {""}


def test_one_set_has_ranks_and_no_test():
    found = compare_ranks([[3, 1, 1]], ["a", "b", "c"])
    assert found.ranks.tolist() == [3.0, 1.5, 1.5]
    assert math.isnan(found.p_value)
    assert "no test" in str(found)


def test_equal_ranks_are_no_difference():
    found = compare_ranks(np.ones((9, 3)))
    assert (found.statistic, found.p_value) == (0.0, 1.0)


def test_two_methods_are_compared_too():
    found = compare_ranks([[1, 2]] * 20)
    assert found.p_value < 0.001
    assert found.tests["mark"].tolist() == ["+", ""]


def test_critical_difference_is_in_the_published_table():
    # Demšar 2006, table 5: q is 2.343 of three and 2.728 of five methods at 0.05.
    for k, quantile in ((3, 2.343), (5, 2.728)):
        found = compare_ranks(np.random.default_rng(0).random((30, k)))
        assert found.critical_difference == pytest.approx(quantile * math.sqrt(k * (k + 1) / 180), abs=5e-4)


def test_bars_join_what_is_close_and_no_bar_is_within_another():
    ranks = np.array([1.0, 1.5, 2.2, 4.0, 4.1])
    assert cliques(ranks, 1.0) == [(0, 1), (1, 2), (3, 4)]
    assert cliques(ranks, 5.0) == [(0, 4)]
    assert cliques(ranks, 0.05) == []


def test_text_latex_and_drawing():
    pytest.importorskip("matplotlib").use("agg")
    found = compare_ranks(EASY, ["none", "some", "most"])
    assert found.to_text().splitlines()[3].split() == ["none", "2.75-", "2.89", "0.004", "0.008"]
    assert found.to_latex().count("\\\\") == 4
    texts = [text.get_text() for text in found.plot().texts]
    assert texts[-3:] == ["most  1.08", "some  2.17", "2.75  none"]
    assert "critical difference 1.35" in texts


@pytest.mark.parametrize(
    ("errors", "options", "error", "message"),
    [
        ([1, 2, 3], {}, DataError, "shape"),
        ([[1], [2]], {}, DataError, "two methods"),
        (np.empty((0, 3)), {}, DataError, "shape"),
        ([[1, math.nan]], {}, DataError, "finite"),
        ([["a", "b"]], {}, DataError, "no table of numbers"),
        ([[1, 2], [1]], {}, DataError, "no table of numbers"),
        (EASY, {"methods": ["a", "b"]}, ParameterError, "3 names"),
        (EASY, {"methods": ["a", "b", "a"]}, ParameterError, "each once"),
        (EASY, {"reference": "d"}, ParameterError, "reference='d'"),
        (EASY, {"level": 0}, ParameterError, "level=0"),
    ],
)
def test_what_cannot_be_is_refused(errors, options, error, message):
    with pytest.raises(error, match=message):
        compare_ranks(errors, **options)


@pytest.mark.parametrize("width", [0, -3, 4.5, "80", True], ids=str)
def test_a_table_has_a_line_of_one_character_or_more(width):
    found = compare_ranks(EASY)
    with pytest.raises(ParameterError, match=f"max_width={width!r} must be None or an int of at least 1"):
        found.to_text(width)
    assert "rank" in found.to_text(1)


def test_iman_and_davenports_f_is_that_of_an_analysis_of_variance_of_the_ranks() -> None:
    rng = np.random.default_rng(3)
    errors = rng.permuted(np.tile(np.arange(4.0), (7, 1)), axis=1)
    found = compare_ranks(errors, list("abcd"))
    ranks = errors + 1
    means = ranks.mean(axis=0)
    between = 7 * ((means - 2.5) ** 2).sum() / 3
    within = ((ranks - means) ** 2).sum() / (3 * 6)
    assert found.iman_davenport[0] == pytest.approx(between / within)
    assert found.iman_davenport[1] == pytest.approx(stats.f.sf(between / within, 3, 18))
    assert iman_davenport(21.0, 7, 4) == (math.inf, 0.0)
    assert all(map(math.isnan, compare_ranks([[1, 2, 3]]).iman_davenport))
