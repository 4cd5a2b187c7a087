"""Shortest decision rules of tables: against every set of features, and against what a rule is.

Inner names, as in unit tests: `search.tables.hitting`: choices of features are looked at alone.
"""

from __future__ import annotations

import json
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands import Run
from treewright import DataTypeError, ParameterError, datasets
from treewright.search.tables.hitting import features_of, greedy_choice, least_number, minimal_sets
from treewright.tables import DecisionTable, TableRules, shortest_rules

Rows = list[tuple[int, ...]]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Rows, list[int]]:
    """Different rows of a few small values, each with one of three decisions."""
    n_features = draw(st.integers(1, 5))
    row = st.tuples(*[st.integers(0, 2)] * n_features)
    rows = draw(st.lists(row, min_size=1, max_size=14, unique=True))
    return rows, draw(st.lists(st.integers(0, 2), min_size=len(rows), max_size=len(rows)))


def fewest(rows: Rows, decisions: list[int], row: int) -> tuple[int, ...]:
    """Return the first set of features, by size and order, that tells a row from all of other decisions."""
    n_features = len(rows[0])
    for size in range(n_features + 1):
        for subset in combinations(range(n_features), size):
            agree = [i for i, other in enumerate(rows) if all(other[j] == rows[row][j] for j in subset)]
            if all(decisions[i] == decisions[row] for i in agree):
                return subset
    raise AssertionError("different rows can be told apart")


def check_rules(rules: TableRules, rows: Rows, decisions: list[int]) -> None:
    """Every row has a rule that it meets, and that is true for the table."""
    for row, place in enumerate(rules.rule_of_row):
        rule = rules[place]
        meets = [i for i, other in enumerate(rows) if all(other[j] == rows[row][j] for j in rule.features)]
        assert rule.rows == tuple(meets)
        assert rule.values == tuple(rows[row][j] for j in rule.features)
        assert {decisions[i] for i in meets} == {rule.decision} == {decisions[row]}
        assert rules.bounds[row] <= rule.n_conditions == rules.n_conditions[row]
    keys = [(rule.n_conditions, -len(rule.rows), rule.features, rule.values) for rule in rules]
    assert keys == sorted(set(keys))


@settings(max_examples=100, deadline=None)
@given(tables())
def test_rules_are_the_shortest(table: tuple[Rows, list[int]]) -> None:
    rows, decisions = table
    made = DecisionTable(rows, decisions)
    exact = shortest_rules(made)
    check_rules(exact, rows, decisions)
    expected = [fewest(rows, decisions, row) for row in range(len(rows))]
    assert [exact[place].features for place in exact.rule_of_row] == expected
    assert exact.bounds.tolist() == [len(features) for features in expected]
    assert exact.status == "optimal"
    greedy = shortest_rules(made, method="greedy")
    check_rules(greedy, rows, decisions)
    assert (greedy.bounds <= exact.n_conditions).all()
    assert (greedy.n_conditions >= exact.n_conditions).all()
    is_proven = (greedy.bounds == greedy.n_conditions).all()
    assert greedy.status == ("optimal" if is_proven else "complete")


def test_greedy_rules_take_the_condition_that_parts_most_rows() -> None:
    differs = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 0], [0, 1, 0], [0, 0, 1]], dtype=bool)
    assert greedy_choice(differs) == [0, 1, 2][1:]  # 1 parts three of five rows, then 2 the two left
    assert greedy_choice(differs[:, [0, 2]][[0, 1, 4]]) == [0, 1]


def test_sets_of_more_than_a_word_are_told_apart() -> None:
    rng = np.random.default_rng(0)
    for n_features in (9, 63, 64, 65, 130):
        differs = rng.random((40, n_features)) < 0.05
        differs[:, rng.integers(n_features, size=40)] = True
        found = {frozenset(features_of(one)) for one in minimal_sets(differs)}
        every = {frozenset(np.flatnonzero(row).tolist()) for row in differs}
        assert found == {one for one in every if not any(other < one for other in every)}


def test_sets_with_nothing_in_common_need_a_feature_each() -> None:
    assert least_number([0b1, 0b110, 0b1010, 0b110000]) == 3
    assert least_number([]) == 0


def test_one_decision_needs_no_condition() -> None:
    rules = shortest_rules(DecisionTable([["a"], ["b"]], ["yes", "yes"]))
    assert [rule.text for rule in rules] == ["always: yes"]
    assert (len(rules), rules[0].rows, rules.bounds.tolist()) == (1, (0, 1), [0, 0])


def test_words_show_missing_values_and_names() -> None:
    table = DecisionTable([[None, "missing"], ["b", "c"]], [0, 1], feature_names=["a b", "$x$"])
    first, second = (shortest_rules(table)[i] for i in (0, 1))
    assert {first.text, second.text} == {"a b = b: 1", "a b = missing: 0"}
    assert {first.values, second.values} == {("b",), (None,)}
    assert "<td>a b = missing</td>" in shortest_rules(table)._repr_html_()
    assert r"a b = missing" in shortest_rules(table).to_latex()


def test_limits_leave_greedy_rules_with_bounds() -> None:
    table = DecisionTable.from_data(datasets.load("tic-tac-toe")[::4])
    greedy, exact = shortest_rules(table, method="greedy"), shortest_rules(table)
    assert exact.n_conditions.sum() < greedy.n_conditions.sum()
    short = shortest_rules(table, time_limit=1e-9)
    assert short.status == "time_limit"
    assert [rule.features for rule in short] == [rule.features for rule in greedy]
    assert (short.bounds <= exact.n_conditions).all()


def test_a_callback_leaves_what_was_found() -> None:
    # All rows: the search takes several times as long as it takes until the callback is asked.
    table = DecisionTable.from_data(datasets.load("tic-tac-toe"))
    seen = []
    stopped = shortest_rules(table, callback=lambda progress: seen.append(progress) or len(seen) == 1)
    assert (stopped.status, len(seen), seen[0].total) == ("stopped", 1, 958)
    assert (stopped.bounds <= stopped.n_conditions).all()
    assert stopped.n_conditions.sum() > shortest_rules(table).n_conditions.sum()


def test_published_concept_of_monks() -> None:
    """monks-1 is ``a1 = a2 or a5 = 1``: these are the rules of its positive rows."""
    rules = shortest_rules(DecisionTable.from_data(datasets.load("monks-1")))
    positive = [rule.text for rule in rules if rule.decision == "1"]
    assert positive == ["a5 = 1: 1", *(f"a1 = {value} and a2 = {value}: 1" for value in (1, 2, 3))]


def test_what_cannot_be_is_refused() -> None:
    table = DecisionTable([[0], [1]], [0, 1])
    with pytest.raises(ParameterError, match="method='fast'"):
        shortest_rules(table, method="fast")
    with pytest.raises(DataTypeError, match="table is of type list; give a DecisionTable"):
        shortest_rules([[0]])  # type: ignore[arg-type]


def test_command_tells_the_rules(run: Run) -> None:
    ended = run("table", "weather.csv", "--target", "play", "--drop", "temperature", "--drop", "humidity")
    assert "Rules that are true" not in ended.out
    line = ("table", "monks-1", "--rules")
    shown = run(*line).out
    assert "Rules that are true for the table: 22, 2.25 conditions for a row on average;" in shown
    assert " 108           1  1         a5 = 1" in shown
    facts = json.loads(run(*line, "--json").out)
    rules = shortest_rules(DecisionTable.from_data(datasets.load("monks-1")))
    assert facts["rules"]["rules"] == rules.to_dicts()
    assert facts["rules"]["n_conditions"] == rules.n_conditions.tolist()
    assert facts["rules"]["status"] == "optimal"
