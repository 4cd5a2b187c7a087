"""What a list of rules holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from treewright.data.types import FloatArray, IntArray
from treewright.trees.rules.probabilities import Telling
from treewright.trees.rules.rules import OTHERWISE, Rule, Rules


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class ListedRules(Rules):
    """Rules in an order, and a default; `RuleList` predicts by them."""

    default: Rule
    ranges: FloatArray
    """Smallest and largest training value of every feature, NaN where that is not known."""
    marks_unseen: bool
    """Whether a value that is no level is told apart from a missing one."""
    telling: Telling
    provenance: Mapping[str, object] | None = field(default=None)
    reading: Mapping[str, object] | None = field(default=None)
    """How the file was read whose rows the rules are made of; None if there was none."""

    @property
    def answers(self) -> IntArray:
        """Position of the class of every rule, that of the default last."""
        place = {(type(label), label): i for i, label in enumerate(self.words.classes)}
        labels = [rule.label for rule in self._told()]
        return np.array([place[type(label), label] for label in labels], dtype=np.int64)

    def _told(self) -> Sequence[Rule]:
        return (*self.rules, self.default)

    def _conditions(self, rule: Rule) -> str:
        return OTHERWISE if rule is self.default else rule.text
