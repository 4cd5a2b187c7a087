"""Small decision trees, found by search and with proofs.

The top level holds estimators, selectors, `Dataset`, `Tree`, `explore`, `export_text` and the errors; the
rest lives in rooms: `treewright.datasets`, `doctor`, `pruning`, `rules`, `tables`, `distinct`, `fixed_depth`,
`optimal`, `planes`, `evolution`, `exploration`, `studies`, `reporting` and `results`. A name is imported when
it is first used, so that the command line answers quickly.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str
    from treewright import datasets as datasets
    from treewright import distinct as distinct
    from treewright import doctor as doctor
    from treewright import evolution as evolution
    from treewright import explain as explain
    from treewright import exploration as exploration
    from treewright import exports as exports
    from treewright import fixed_depth as fixed_depth
    from treewright import optimal as optimal
    from treewright import planes as planes
    from treewright import pruning as pruning
    from treewright import reporting as reporting
    from treewright import results as results
    from treewright import rules as rules
    from treewright import studies as studies
    from treewright import tables as tables
    from treewright._base.errors import DataError as DataError
    from treewright._base.errors import DataTypeError as DataTypeError
    from treewright._base.errors import ExportError as ExportError
    from treewright._base.errors import FormatError as FormatError
    from treewright._base.errors import MemoryLimitError as MemoryLimitError
    from treewright._base.errors import ParameterError as ParameterError
    from treewright._base.errors import ProgramError as ProgramError
    from treewright._base.errors import StepLimitError as StepLimitError
    from treewright._base.errors import TreewrightError as TreewrightError
    from treewright._base.errors import UnfinishedError as UnfinishedError
    from treewright._base.warn import DataWarning as DataWarning
    from treewright.data.dataset import Dataset as Dataset
    from treewright.exploration.explore import explore as explore
    from treewright.planes.classifier import RobustLinearClassifier as RobustLinearClassifier
    from treewright.planes.tree_classifier import MultivariateTreeClassifier as MultivariateTreeClassifier
    from treewright.search.tables.minimal_tree import MinimalTreeClassifier as MinimalTreeClassifier
    from treewright.selection.complete import CompleteSearchSelector as CompleteSearchSelector
    from treewright.selection.stepwise import BackwardEliminationSelector as BackwardEliminationSelector
    from treewright.selection.stepwise import ForwardSelectionSelector as ForwardSelectionSelector
    from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier as FixedDepthTreeClassifier
    from treewright.trees.greedy import GreedyTreeClassifier as GreedyTreeClassifier
    from treewright.trees.optimal.estimator import OptimalTreeClassifier as OptimalTreeClassifier
    from treewright.trees.rules.estimator import RuleListClassifier as RuleListClassifier
    from treewright.trees.text import export_text as export_text
    from treewright.trees.tree import Tree as Tree

_HOMES = {
    "BackwardEliminationSelector": "selection.stepwise",
    "ForwardSelectionSelector": "selection.stepwise",
    "CompleteSearchSelector": "selection.complete",
    "GreedyTreeClassifier": "trees.greedy",
    "MinimalTreeClassifier": "search.tables.minimal_tree",
    "FixedDepthTreeClassifier": "trees.fixed_depth.estimator",
    "OptimalTreeClassifier": "trees.optimal.estimator",
    "RobustLinearClassifier": "planes.classifier",
    "MultivariateTreeClassifier": "planes.tree_classifier",
    "RuleListClassifier": "trees.rules.estimator",
    "Dataset": "data.dataset",
    "Tree": "trees.tree",
    "explore": "exploration.explore",
    "export_text": "trees.text",
    "TreewrightError": "_base.errors",
    "DataError": "_base.errors",
    "DataTypeError": "_base.errors",
    "ParameterError": "_base.errors",
    "ProgramError": "_base.errors",
    "ExportError": "_base.errors",
    "FormatError": "_base.errors",
    "UnfinishedError": "_base.errors",
    "StepLimitError": "_base.errors",
    "MemoryLimitError": "_base.errors",
    "DataWarning": "_base.warn",
}

_ROOMS = (
    "datasets",
    "doctor",
    "pruning",
    "tables",
    "distinct",
    "fixed_depth",
    "optimal",
    "explain",
    "exports",
    "planes",
    "evolution",
    "exploration",
    "studies",
    "reporting",
    "results",
    "rules",
)

__all__ = [*_HOMES, *_ROOMS, "__version__"]


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version

        globals()[name] = version("treewright")
        return globals()[name]
    if name in _ROOMS:
        return import_module(f"{__name__}.{name}")
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
