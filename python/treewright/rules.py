"""Trees as rules, and the shorter lists of rules that C4.5 makes of them."""

from treewright.trees.rules.estimator import RuleListClassifier as RuleListClassifier
from treewright.trees.rules.figures import Figures as Figures
from treewright.trees.rules.rule_list import RuleList as RuleList
from treewright.trees.rules.rules import Rule as Rule
from treewright.trees.rules.rules import Rules as Rules
from treewright.trees.rules.simplify import simplify_rules as simplify_rules

__all__ = ["Figures", "Rule", "RuleList", "RuleListClassifier", "Rules", "simplify_rules"]
