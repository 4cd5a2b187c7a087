"""Trees as rules, and the shorter lists of rules that C4.5 makes of them."""

from treewright.trees.rules.conditions import Interval as Interval
from treewright.trees.rules.conditions import Levels as Levels
from treewright.trees.rules.conditions import WeightedSum as WeightedSum
from treewright.trees.rules.figures import Figures as Figures
from treewright.trees.rules.rules import Rule as Rule
from treewright.trees.rules.rules import Rules as Rules

__all__ = ["Figures", "Interval", "Levels", "Rule", "Rules", "WeightedSum"]
