"""Rules, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from treewright._base.html import element, fragment, sentence, table
from treewright.data.intake.labels import Label
from treewright.data.types import Native
from treewright.reporting import Column, Table
from treewright.trees.rules.conditions import Condition, Interval, Levels
from treewright.trees.rules.figures import Figures
from treewright.trees.rules.words import Words

__all__ = ["Rule", "Rules"]

ALWAYS = "always"
OTHERWISE = "otherwise"
TEXTS = ("class", "if")
"""Columns that are no figures."""
MOST_SHOWN = 40
"""Rules that a notebook shows."""


@dataclass(frozen=True, eq=False, repr=False)
class Rule:
    """A class, and the conditions under which it is the answer.

    Attributes
    ----------
    conditions : tuple of Condition
        All must hold; none mean that the rule always does.
    label : object
        The class.
    node : int
        Number of the node of the tree that the rule comes from; -1 for the default of a list.
    figures : Figures
        Numbers of rows, errors, coverage, share, lift and cost.
    """

    conditions: tuple[Condition, ...]
    label: Label
    node: int
    figures: Figures
    words: Words = field(compare=False)
    """Names and values, to print the conditions."""

    @property
    def text(self) -> str:
        """The conditions in words."""
        return self.words.of(self.conditions) or ALWAYS

    def to_dict(self) -> dict[str, object]:
        """Return the rule as plain values.

        Returns
        -------
        facts : dict
            ``rule`` (the conditions in words), ``class``, ``node``, the figures, and ``conditions``, a dict
            each: of a number ``feature``, ``above`` and ``up_to`` (None without an end), and ``known`` (False
            where no number meets it); of a nominal feature ``feature`` and ``values``; of a weighted sum
            ``sum`` (pairs of a feature, or of a feature and its value, and a weight), and ``above`` or
            ``up_to``. All say by ``missing`` whether a missing value meets them.
        """
        figures = {name: value for name, value in vars(self.figures).items() if name != "cost"}
        if self.figures.cost is not None:
            figures["cost"] = self.figures.cost
        told = [_condition_dict(condition, self.words) for condition in self.conditions]
        return {"rule": self.text, "class": self.label, "node": self.node, **figures, "conditions": told}

    def __repr__(self) -> str:
        """Return the conditions and the class."""
        return f"<Rule: {self.label!r} if {self.text}>"


def _condition_dict(condition: Condition, words: Words) -> dict[str, object]:
    if isinstance(condition, Interval):
        finite = condition.has_numbers
        return {
            "feature": words.names[condition.feature],
            "above": _end(condition.low) if finite else None,
            "up_to": _end(condition.high) if finite else None,
            "known": finite,
            "missing": condition.missing,
        }
    if isinstance(condition, Levels):
        levels = words.levels[condition.feature] or ()
        values = [levels[level] for level in sorted(condition.levels)]
        return {"feature": words.names[condition.feature], "values": values, "missing": condition.missing}
    pairs = [
        [words.names[feature], term.weight]
        if term.level is None
        else [[words.names[feature], (words.levels[feature] or ())[term.level]], term.weight]
        for feature, term in zip(condition.features, condition.terms, strict=True)
    ]
    end = "above" if condition.above else "up_to"
    return {"sum": pairs, end: condition.offset, "missing": condition.missing}


def _end(value: float) -> float | None:
    return value if abs(value) != float("inf") else None


@dataclass(frozen=True, eq=False, repr=False)
class Rules:
    """The rules of a tree: for a row without gaps exactly one holds.

    They can be iterated, counted and indexed, and come by coverage, the largest first, equal ones by node.

    Attributes
    ----------
    rules : tuple of Rule
        One for each leaf, and one for each node that has no branch for some values of its feature.
    notes : tuple of str
        What is to be known beside, such as what happens to missing values.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> tree = GreedyTreeClassifier(max_depth=2).fit(datasets.load("iris")).tree_
    >>> print(tree.rules())
     n  errors  coverage   share  lift  class       if
    54       5     36.0%   90.7%  2.72  versicolor  petal length (cm) > 1.9 and petal width (cm) <= 1.7
    50       0     33.3%  100.0%  3.00  setosa      petal length (cm) <= 1.9
    46       1     30.7%   97.8%  2.93  virginica   petal length (cm) > 1.9 and petal width (cm) > 1.7
    >>> tree.rules()[1].label, len(tree.rules())
    ('setosa', 3)
    """

    rules: tuple[Rule, ...]
    words: Words
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Rule]:
        """Yield the rules in their order."""
        return iter(self.rules)

    def __len__(self) -> int:
        """Return the number of rules."""
        return len(self.rules)

    def __getitem__(self, place: int) -> Rule:
        """Return a rule by its place."""
        return self.rules[place]

    def __repr__(self) -> str:
        """Return the number of rules; `to_text` writes them."""
        return f"<{type(self).__name__}: {len(self)} rules>"

    def __str__(self) -> str:
        """Return the rules as text."""
        return self.to_text()

    def to_dicts(self) -> list[dict[str, object]]:
        """Return every rule as a dict of plain values, as `Rule.to_dict` makes them."""
        return [rule.to_dict() for rule in self._told()]

    def to_frame(self) -> Native:
        """Return a pandas data frame with one row for each rule: the rule in words, its class, its figures.

        Raises
        ------
        ImportError
            If pandas is not installed.
        """
        import pandas as pd

        rows = [
            {name: value for name, value in row.items() if name != "conditions"} for row in self.to_dicts()
        ]
        return pd.DataFrame(rows)

    def to_text(self) -> str:
        """Return the rules for a screen.

        Returns
        -------
        text : str
            A line for each rule; the conditions stand last, and no line is broken.
        """
        return self._table().to_text().lstrip("\n")

    def to_markdown(self) -> str:
        """Return the rules as a table of Markdown; what has a meaning there is escaped."""
        return self._table().to_markdown().lstrip("\n")

    def to_latex(self) -> str:
        """Return the rules as a LaTeX ``tabular`` (package booktabs); what has a meaning there is escaped."""
        return self._table(f"{len(self)} rules").to_latex()

    def _repr_html_(self) -> str:
        """Show the first rules as a notebook does."""
        columns, n_more = self._table().columns, len(self._told()) - MOST_SHOWN
        cells = [[sentence(cell) for cell in column.cells[:MOST_SHOWN]] for column in columns]
        rows = list(zip(*cells, strict=True))
        numbers = [place for place, column in enumerate(columns) if column.name not in TEXTS]
        more = [f"... {n_more:,} more rules"] if n_more > 0 else []
        below = [element("p", sentence(text), class_="soft") for text in (*more, *self.notes)]
        return fragment(table([sentence(column.name) for column in columns], rows, numbers), *below)

    def _told(self) -> Sequence[Rule]:
        """Return all that is printed."""
        return self.rules

    def _table(self, title: str = "") -> Table:
        rules = self._told()
        figures = [rule.figures for rule in rules]
        columns = [
            Column("n", [_number(one.n) for one in figures]),
            Column("errors", [_number(one.errors) for one in figures]),
            Column("coverage", [_percent(one.coverage) for one in figures]),
            Column("share", [_percent(one.share) for one in figures]),
            Column("lift", ["" if one.lift is None else f"{one.lift:.2f}" for one in figures]),
            Column("cost", ["" if one.cost is None else f"{one.cost:,.6g}" for one in figures]),
            Column("class", [self._class(rule) for rule in rules], align="left"),
            Column("if", [self._conditions(rule) for rule in rules], align="left"),
        ]
        kept = [column for column in columns if any(column.cells) or column.name in TEXTS]
        return Table(title, kept, self.notes)

    def _class(self, rule: Rule) -> str:
        return self.words.class_text(rule.label)

    def _conditions(self, rule: Rule) -> str:
        return rule.text


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if float(value).is_integer() else f"{value:,.1f}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{value:.1%}"
