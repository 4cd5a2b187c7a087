"""The path of a row in words: what each node asks, and how far the row is from the other side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from treewright.data.types import AnyArray
from treewright.explain.boxes import Row
from treewright.trees.exports.program import SHARE, Program
from treewright.trees.rules.conditions import Condition, Interval, Levels, WeightedSum
from treewright.trees.rules.listed import ListedRules
from treewright.trees.rules.paths import Paths
from treewright.trees.rules.words import Words


@dataclass(frozen=True)
class PathStep:
    """A test that the row passes.

    Attributes
    ----------
    node : int
        Number of the node; of a list the place of the rule.
    text : str
        The condition that holds of the row; of a rule that does not hold, the one that it fails.
    value : str
        The row's value, as it is written.
    distance : float or None
        How far the number is from the cut, in its own unit, or the sum from its offset; None at other tests.
    note : str
        What is to be known beside: the distance in words, or what became of a missing value.
    holds : bool
        Whether the condition holds.
    """

    node: int
    text: str
    value: str
    distance: float | None = None
    note: str = ""
    holds: bool = True

    def __str__(self) -> str:
        """Return the step as a line."""
        note = f" ({self.note})" if self.note else ""
        value = f": {self.value}" if self.value else ""
        return f"{self.text}{'' if self.holds else ' does not hold'}{value}{note}"


def value_text(feature: int, row: Row, words: Words) -> str:
    """Write the row's value of a feature."""
    value = row.own[feature]
    if row.is_missing(feature):
        return "unknown value" if row.is_unseen(feature) else "missing"
    return words.number(feature, value) if row.n_levels[feature] is None else words.level(feature, int(value))


def path_in_tree(
    program: Program, nodes: Sequence[int], leaf: int, row: Row, columns: Sequence[AnyArray], words: Words
) -> list[PathStep]:
    """Return the steps from the root to a node, among all nodes that the row reaches."""
    paths, reached = Paths(program), set(nodes)
    parent = {child: number for number, below in enumerate(program.children) for child in below}
    path = [leaf]
    while path[-1] in parent:
        path.append(parent[path[-1]])
    path.reverse()
    steps = []
    for node, child in pairwise(path):
        is_shared = SHARE in program.steps[node].targets and len(reached & set(program.children[node])) > 1
        note = "it goes down every branch; this is the one of the largest share" if is_shared else ""
        steps.append(_step(node, paths.branch(node, child), row, columns, words, note))
    return steps


def path_in_list(
    rules: ListedRules, place: int, row: Row, columns: Sequence[AnyArray], words: Words
) -> list[PathStep]:
    """Return for each rule before the one that holds the condition that fails, then all that hold."""
    steps = []
    for number, rule in enumerate(rules.rules[: place + 1]):
        for condition in rule.conditions:
            holds = bool(condition.holds(columns)[0])
            if number == place or not holds:
                steps.append(_step(number, condition, row, columns, words, "", holds=holds))
            if not holds:
                break
    return steps


def _step(
    node: int,
    condition: Condition,
    row: Row,
    columns: Sequence[AnyArray],
    words: Words,
    note: str,
    *,
    holds: bool = True,
) -> PathStep:
    text = words.condition(condition)
    if isinstance(condition, WeightedSum):
        total = float(condition.sums(columns)[0])
        if math.isnan(total):
            return PathStep(node, text, "unknown", None, note, holds)
        gap = abs(total - condition.offset)
        return PathStep(node, text, f"{total:.6g}", gap, f"{gap:.4g} from the offset", holds)
    feature = condition.feature
    value = value_text(feature, row, words)
    if isinstance(condition, Levels) or row.is_missing(feature):
        return PathStep(node, text, value, None, note, holds)
    distance = _distance(condition, row.own[feature])
    told = "" if distance is None else f"{_apart(distance, feature, words)} from the cut"
    return PathStep(node, text, value, distance, note or told, holds)


def _distance(condition: Interval, value: float) -> float | None:
    """Return how far a number is from the nearest end."""
    ends = [end for end in (condition.low, condition.high) if math.isfinite(end)]
    return min((abs(value - end) for end in ends), default=None)


def _apart(distance: float, feature: int, words: Words) -> str:
    """Write a distance in the unit of a feature."""
    made = words.derived.get(feature)
    number = f"{distance:.4g}"
    return number if made is None or made.since is None else f"{number} {made.part}"


def row_columns(values: Sequence[float], n_levels: Sequence[int | None]) -> list[AnyArray]:
    """Return the columns of a row in the domain of the model."""
    return [
        np.array([value], dtype=np.float64 if levels is None else np.int32)
        for value, levels in zip(values, n_levels, strict=True)
    ]
