"""Lists of rules, which people read as they read trees."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

import numpy as np

from treewright._base.clock import Clock
from treewright.data.dataset import Dataset
from treewright.exploration.family import Asked, ModelFamily, Predictor
from treewright.exploration.shape import Shape
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.rules.conditions import WeightedSum
from treewright.trees.rules.estimator import RuleListClassifier
from treewright.trees.rules.rule_list import RuleList

MOST_ASKED = 40
"""A tree asks for about so many features at the most, and rules for those of the tree."""


class RuleLists(ModelFamily):
    """C4.5's rule sets, by the smallest leaf of the tree that they are made of."""

    name, title = "rule_lists", "rule list"
    leaves: ClassVar[tuple[int, ...]] = (10, 20)

    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name the smallest leaves."""
        return [f"rules of a tree with leaf {least}" for least in self.leaves]

    def models(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[RuleListClassifier]:
        """Make a list for each leaf."""
        found = []
        for place in range(len(self.leaves)):
            clock.check()
            found.append(self.fitted(place, training, asked))
        return found

    def fitted(self, place: int, training: Dataset, asked: Asked) -> RuleListClassifier:
        """Make one of them."""
        grower = GreedyTreeClassifier(min_samples_leaf=self.leaves[place], **asked.answering)
        return RuleListClassifier(estimator=grower).fit(training)

    def shape(self, model: Predictor) -> Shape:
        """Count rules, with the default, and conditions that are looked at."""
        assert isinstance(model, RuleListClassifier), "they are its own"
        return shape_of_rules(model.rules_)

    def seconds(self, asked: Asked) -> float:
        """Return the time in which conditions are dropped."""
        return len(self.leaves) * (5e-3 + 2e-6 * asked.n_samples * min(asked.n_features, MOST_ASKED))


def shape_of_rules(rules: RuleList) -> Shape:
    """Return the shape of a list: a row is asked all conditions up to the rule that holds."""
    everything = [*rules.rules, rules.default]
    asked = np.cumsum([len(rule.conditions) for rule in everything])
    weights = np.array([rule.figures.n or 0.0 for rule in everything], dtype=np.float64)
    questions = float((weights * asked).sum() / weights.sum()) if weights.any() else 0.0
    first = rules.rules[0].conditions[0] if rules.rules and rules.rules[0].conditions else None
    root = -1 if first is None or isinstance(first, WeightedSum) else first.feature
    return Shape(len(everything), len(everything), questions, root, rules.used_features.tolist())
