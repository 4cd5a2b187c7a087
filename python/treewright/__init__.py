"""Decision trees: the greedy one fast, the features it should see, and how they were found.

Estimators, selectors and functions in scikit-learn's manner; the engines are written in Rust. A
public name is imported when it is first used, so that the command line is quick to answer.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright import datasets as datasets
    from treewright import evolution as evolution
    from treewright import pruning as pruning
    from treewright.complete_search import CompleteSearchSelector as CompleteSearchSelector
    from treewright.dataset import Dataset as Dataset
    from treewright.distinct import DistinctTree as DistinctTree
    from treewright.distinct import DistinctTreeCount as DistinctTreeCount
    from treewright.distinct import DistinctTrees as DistinctTrees
    from treewright.distinct import SubsetInterval as SubsetInterval
    from treewright.distinct import count_distinct_trees as count_distinct_trees
    from treewright.distinct import enumerate_distinct_trees as enumerate_distinct_trees
    from treewright.distinct import feature_subsets as feature_subsets
    from treewright.evolution import ProgramEvolver as ProgramEvolver
    from treewright.evolution import learn_pruner as learn_pruner
    from treewright.exceptions import DataError as DataError
    from treewright.exceptions import DataTypeError as DataTypeError
    from treewright.exceptions import FormatError as FormatError
    from treewright.exceptions import MemoryLimitError as MemoryLimitError
    from treewright.exceptions import ParameterError as ParameterError
    from treewright.exceptions import StepLimitError as StepLimitError
    from treewright.exceptions import TreewrightError as TreewrightError
    from treewright.exceptions import UnfinishedError as UnfinishedError
    from treewright.fixed_depth import DepthPath as DepthPath
    from treewright.fixed_depth import FixedDepthTreeClassifier as FixedDepthTreeClassifier
    from treewright.fixed_depth import FixedDepthTrees as FixedDepthTrees
    from treewright.fixed_depth import OptFeatureList as OptFeatureList
    from treewright.fixed_depth import depth_path as depth_path
    from treewright.fixed_depth import fit_many as fit_many
    from treewright.greedy import GreedyTreeClassifier as GreedyTreeClassifier
    from treewright.minimal import MinimalTreeClassifier as MinimalTreeClassifier
    from treewright.planes import MultivariateTreeClassifier as MultivariateTreeClassifier
    from treewright.planes import RobustLinearClassifier as RobustLinearClassifier
    from treewright.results import Progress as Progress
    from treewright.results import ResultTable as ResultTable
    from treewright.results import SearchResult as SearchResult
    from treewright.selection import BackwardEliminationSelector as BackwardEliminationSelector
    from treewright.selection import ForwardSelectionSelector as ForwardSelectionSelector
    from treewright.tables import Cost as Cost
    from treewright.tables import DecisionTable as DecisionTable
    from treewright.tables import SubtableGraph as SubtableGraph
    from treewright.tables import tree_cost as tree_cost
    from treewright.text import export_text as export_text
    from treewright.tree import Tree as Tree

__version__ = version("treewright")

# In the order of the README.
_HOMES = {
    "BackwardEliminationSelector": "selection",
    "ForwardSelectionSelector": "selection",
    "CompleteSearchSelector": "complete_search",
    "enumerate_distinct_trees": "distinct",
    "count_distinct_trees": "distinct",
    "feature_subsets": "distinct",
    "GreedyTreeClassifier": "greedy",
    "MinimalTreeClassifier": "minimal",
    "FixedDepthTreeClassifier": "fixed_depth",
    "RobustLinearClassifier": "planes",
    "MultivariateTreeClassifier": "planes",
    "fit_many": "fixed_depth",
    "depth_path": "fixed_depth",
    "learn_pruner": "evolution",
    "ProgramEvolver": "evolution",
    "DecisionTable": "tables",
    "SubtableGraph": "tables",
    "Cost": "tables",
    "tree_cost": "tables",
    "Tree": "tree",
    "export_text": "text",
    "Dataset": "dataset",
    "datasets": "datasets",
    "pruning": "pruning",
    "evolution": "evolution",
    "DistinctTrees": "distinct",
    "DistinctTree": "distinct",
    "SubsetInterval": "distinct",
    "DistinctTreeCount": "distinct",
    "OptFeatureList": "fixed_depth",
    "FixedDepthTrees": "fixed_depth",
    "DepthPath": "fixed_depth",
    "SearchResult": "results",
    "Progress": "results",
    "ResultTable": "results",
    "TreewrightError": "exceptions",
    "DataError": "exceptions",
    "DataTypeError": "exceptions",
    "ParameterError": "exceptions",
    "FormatError": "exceptions",
    "UnfinishedError": "exceptions",
    "StepLimitError": "exceptions",
    "MemoryLimitError": "exceptions",
}

__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    home = import_module(f"{__name__}.{_HOMES[name]}")
    value = home if _HOMES[name] == name else getattr(home, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
