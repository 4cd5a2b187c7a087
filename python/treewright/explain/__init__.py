"""Why a model answers as it does, and the least change of a row that gives another class."""

from treewright.explain.explaining import explain as explain
from treewright.explain.explanation import Change as Change
from treewright.explain.explanation import Explanation as Explanation
from treewright.explain.explanation import FeatureChange as FeatureChange
from treewright.explain.path import PathStep as PathStep

__all__ = ["Change", "Explanation", "FeatureChange", "PathStep", "explain"]
