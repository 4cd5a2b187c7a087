"""Decision rules of a table: for every row the rule with the fewest conditions that is true for the table."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from treewright._base.clock import Clock, HaltError
from treewright._base.errors import DataTypeError
from treewright._base.html import element, fragment, sentence
from treewright._base.html import table as html_table
from treewright._base.numbers import counted_noun
from treewright._base.params import callable_or_none, one_of, seconds_or_none
from treewright._base.shown import shown_text, shown_values
from treewright._base.wording import Param
from treewright.data.intake.labels import Label
from treewright.data.types import AnyArray, IntArray
from treewright.reporting import Column, Table
from treewright.results import Callback, Progress
from treewright.search.tables.hitting import (
    first_choice,
    greedy_choice,
    is_enough,
    least_number,
    minimal_sets,
)
from treewright.search.tables.table import DecisionTable

METHODS = ("exact", "greedy")
MOST_SHOWN = 40
"""Rules that a notebook shows."""


@dataclass(frozen=True)
class TableRule:
    """A rule that is true for a decision table: all rows that meet its conditions have its decision.

    Attributes
    ----------
    features : tuple of int
        Positions of the features that the conditions are about, ascending; with none the rule always holds.
    values : tuple
        The value that each of these features must have.
    decision : object
        The decision of the rows that meet the conditions.
    rows : tuple of int
        Positions of the rows of the table that meet the conditions, ascending.
    text : str
        The rule in words.

    Examples
    --------
    >>> from treewright.tables import DecisionTable, shortest_rules
    >>> table = DecisionTable([["a", 0], ["a", 1], ["b", 0]], ["no", "yes", "yes"])
    >>> shortest_rules(table)[0]
    TableRule(features=(0,), values=('b',), decision='yes', rows=(2,), text='x0 = b: yes')
    """

    features: tuple[int, ...]
    values: tuple[Hashable, ...]
    decision: object
    rows: tuple[int, ...]
    text: str

    @property
    def n_conditions(self) -> int:
        """Number of conditions."""
        return len(self.features)


@dataclass(frozen=True, repr=False, eq=False)
class TableRules:
    """The shortest rules of a table, as `shortest_rules` returns them.

    The different rules can be iterated, counted and indexed: those of the fewest conditions first, of these
    those that most rows meet, then in the order of their features and values.

    Attributes
    ----------
    rules : tuple of TableRule
        The different rules.
    rule_of_row : ndarray of int, shape (n_rows,)
        Position in `rules` of the rule of each row.
    bounds : ndarray of int, shape (n_rows,)
        No rule of fewer conditions is true for the row: proven.
    status : {"optimal", "complete", "time_limit", "stopped"}
        ``"optimal"`` if every rule is proven to be the shortest; ``"complete"`` for greedy rules, not all of
        which are; else what ended the search, and the rules of the rows left are greedy.

    Examples
    --------
    >>> from treewright.tables import DecisionTable, shortest_rules
    >>> table = DecisionTable([["a", 0], ["a", 1], ["b", 0]], ["no", "yes", "yes"])
    >>> rules = shortest_rules(table)
    >>> print(rules)
    rows  conditions  decision  if
       1           1  yes       x0 = b
       1           1  yes       x1 = 1
       1           2  no        x0 = a and x1 = 0
    >>> rules.n_conditions, rules.status
    (array([2, 1, 1]), 'optimal')
    """

    rules: tuple[TableRule, ...]
    rule_of_row: IntArray
    bounds: IntArray
    status: str
    _names: tuple[str, ...] = field(repr=False)
    _conditions: tuple[str, ...] = field(repr=False)
    _decisions: tuple[str, ...] = field(repr=False)

    @cached_property
    def n_conditions(self) -> IntArray:
        """Number of conditions of the rule of each row, shape (n_rows,)."""
        lengths = np.array([rule.n_conditions for rule in self.rules], dtype=np.int64)
        return lengths[self.rule_of_row]

    def __iter__(self) -> Iterator[TableRule]:
        """Yield the different rules in their order."""
        return iter(self.rules)

    def __len__(self) -> int:
        """Return the number of different rules."""
        return len(self.rules)

    def __getitem__(self, place: int) -> TableRule:
        """Return a rule by its place."""
        return self.rules[place]

    def __repr__(self) -> str:
        """Return the number of rules; `to_text` writes them."""
        return f"<TableRules: {counted_noun(len(self), 'rule')}, {self.status}>"

    def __str__(self) -> str:
        """Return the rules as text."""
        return self.to_text()

    def to_dicts(self) -> list[dict[str, object]]:
        """Return every rule as a dict of plain values.

        Returns
        -------
        facts : list of dict
            ``rule`` (in words), ``decision``, ``n_rows``, and ``conditions``, a dict each: ``feature`` and
            ``value``.
        """
        return [
            {
                "rule": rule.text,
                "decision": rule.decision,
                "n_rows": len(rule.rows),
                "conditions": [
                    {"feature": self._names[i], "value": value}
                    for i, value in zip(rule.features, rule.values, strict=True)
                ],
            }
            for rule in self.rules
        ]

    def to_text(self) -> str:
        """Return the rules for a screen, a line for each."""
        return self._table().to_text().lstrip("\n")

    def to_latex(self) -> str:
        """Return the rules as a LaTeX ``tabular`` (package booktabs)."""
        return self._table(f"{len(self)} rules").to_latex()

    def _repr_html_(self) -> str:
        """Show the first rules as a notebook does."""
        columns, n_more = self._table().columns, len(self) - MOST_SHOWN
        cells = [[sentence(cell) for cell in column.cells[:MOST_SHOWN]] for column in columns]
        more = [element("p", f"... {n_more:,} more rules")] if n_more > 0 else []
        rows = list(zip(*cells, strict=True))
        return fragment(html_table([sentence(column.name) for column in columns], rows, (0, 1)), *more)

    def _table(self, title: str = "") -> Table:
        return Table(
            title,
            [
                Column("rows", [f"{len(rule.rows):,}" for rule in self.rules]),
                Column("conditions", [str(rule.n_conditions) for rule in self.rules]),
                Column("decision", self._decisions, align="left"),
                Column("if", self._conditions, align="left"),
            ],
        )


def shortest_rules(
    table: DecisionTable,
    *,
    method: str = "exact",
    time_limit: float | None = None,
    callback: Callback | None = None,
) -> TableRules:
    """Find for every row of a table the rule with the fewest conditions that is true for the table.

    A rule of a row has conditions "feature = value" that the row meets, and the decision of the row. It is
    true for the table if all rows that meet the conditions have this decision.

    Parameters
    ----------
    table : DecisionTable
        The table.
    method : {"exact", "greedy"}, default="exact"
        ``"exact"`` proves that no rule is shorter. ``"greedy"`` adds in turn the condition that tells the row
        from the most rows with other decisions.
    time_limit : float, default=None
        Seconds after which the rules of the rows left are greedy; their `bounds` are still proven.
    callback : callable, default=None
        Called regularly with a `Progress`, counted in rows; returning True makes the rules of the rows left
        greedy. Ctrl-C raises ``KeyboardInterrupt`` without a result.

    Returns
    -------
    TableRules
        The different rules, the rule of each row, and how many conditions it must have at the least.

    Raises
    ------
    DataTypeError
        If `table` is no `DecisionTable`.
    ParameterError
        If a parameter has an invalid value.

    See Also
    --------
    DecisionTable.minimum_tree : Finds a tree of least cost. No path of a tree is shorter than the rule of a
        row that takes it.

    Notes
    -----
    A row and a row with another decision differ in a set of features, and the conditions must be about one
    feature of each such set. So the shortest rule is a smallest set that meets all of them (a minimum hitting
    set). This is NP-hard in the number of features. The greedy rule is at most ``1 + ln(n)`` times as long,
    for n rows with other decisions. The search is by branch and bound: the bound is a number of sets that
    have no feature in common. Of equally short rules the exact one has the lexicographically first features.
    The time grows with the square of the number of rows, that of greedy rules too.

    References
    ----------
    A. Alkhalid, I. Chikalov, M. Moshkov, "Decision Tree Construction using Greedy Algorithms and Dynamic
    Programming -- Comparative Study", 2011, section 2 (decision tables).

    M. Moshkov, B. Zielosko, "Combinatorial Machine Learning: A Rough Set Approach", Studies in Computational
    Intelligence 360, Springer, 2011.

    Examples
    --------
    >>> from treewright import datasets
    >>> from treewright.tables import DecisionTable, shortest_rules
    >>> table = DecisionTable.from_data(datasets.load("monks-1"))
    >>> rules = shortest_rules(table)
    >>> len(rules), int(rules.n_conditions.max()), rules[0].text
    (22, 3, 'a5 = 1: 1')
    """
    if not isinstance(table, DecisionTable):
        raise DataTypeError(Param("table"), f" is of type {type(table).__name__}; give a DecisionTable")
    exact = one_of("method", method, METHODS) == "exact"
    seconds, asked = seconds_or_none("time_limit", time_limit), callable_or_none("callback", callback)
    n_rows = table.n_rows

    def watch(done: int, best: float | None, elapsed: float) -> bool:
        return asked is not None and bool(asked(Progress(done, total=n_rows, best=best, elapsed=elapsed)))

    clock = Clock(seconds, watch=watch) if exact else None
    found, status = _searched(table, clock)
    if status is None:
        status = "optimal" if all(len(one.features) == one.bound for one in found) else "complete"
    return _told(table, found, status)


@dataclass
class _Found:
    """The rule of a row so far, by its features, and the fewest conditions that it may have."""

    features: list[int]
    bound: int


def _searched(table: DecisionTable, clock: Clock | None) -> tuple[list[_Found], str | None]:
    """Return what is found for each row, greedy rules without a clock, and what ended the search early."""
    codes, decisions = _codes(table), table.decisions
    found, halted = [], None
    for row, decision in zip(codes, decisions, strict=True):
        differs = codes[decisions != decision] != row
        sets = minimal_sets(differs)
        one = _Found(greedy_choice(differs), least_number(sets))
        found.append(one)
        if clock is not None and halted is None:
            try:
                clock.step()
                _shorten(one, sets, clock)
            except HaltError as halt:
                halted = halt.status
    return found, halted


def _shorten(one: _Found, sets: list[int], clock: Clock) -> None:
    """Find the fewest features that meet all sets, as far as the clock lets."""

    def look() -> None:
        clock.check()
        clock.look()

    while one.bound < len(one.features) and not is_enough(sets, one.bound, look):
        one.bound += 1
    one.features = first_choice(sets, one.bound, look)


def _codes(table: DecisionTable) -> AnyArray:
    """Return the table as positions of values, shape (n_rows, n_features)."""
    columns = [table.column(i) for i in range(table.n_features)]
    return np.stack(columns, axis=1) if columns else np.zeros((table.n_rows, 0), dtype=np.int32)


def _value_texts(column: Sequence[Label | None]) -> list[str]:
    """Write the values of a feature; none but a missing one looks like "missing"."""
    known = iter(shown_values([value for value in column if value is not None], may_miss=True))
    return ["missing" if value is None else next(known) for value in column]


def _told(table: DecisionTable, found: list[_Found], status: str) -> TableRules:
    """Return the different rules in their order, and the rule of each row."""
    codes, names = _codes(table), [shown_text(name) for name in table.feature_names]
    levels = [_value_texts(column) for column in table.core.levels]
    labels, classes = table.classes.tolist(), shown_values(list(table.core.classes))
    keys = [(tuple(one.features), tuple(codes[row, one.features].tolist())) for row, one in enumerate(found)]
    rules, conditions, decisions = {}, {}, {}
    for row, (features, values) in enumerate(keys):
        if (features, values) in rules:
            continue
        meets = np.flatnonzero((codes[:, features] == values).all(axis=1))
        decision = int(table.decisions[row])
        pairs = list(zip(features, values, strict=True))
        text = " and ".join(f"{names[i]} = {levels[i][value]}" for i, value in pairs) or "always"
        told = tuple(table.values[i][value] for i, value in pairs)
        key = (features, values)
        conditions[key], decisions[key] = text, classes[decision]
        whole = f"{text}: {classes[decision]}"
        rules[key] = TableRule(features, told, labels[decision], tuple(meets.tolist()), whole)
    order = sorted(rules, key=lambda key: (len(key[0]), -len(rules[key].rows), *key))
    place = {key: i for i, key in enumerate(order)}
    return TableRules(
        tuple(rules[key] for key in order),
        np.array([place[key] for key in keys], dtype=np.int64),
        np.array([one.bound for one in found], dtype=np.int64),
        status,
        tuple(table.feature_names),
        tuple(conditions[key] for key in order),
        tuple(decisions[key] for key in order),
    )
