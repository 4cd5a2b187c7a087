"""Decision trees: the greedy one fast, the features it should see, and how they were found.

Estimators, selectors and functions in scikit-learn's manner; the engines are written in Rust. A
public name is imported when it is first used, so that the command line is quick to answer.
"""

from importlib import import_module
from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright import datasets as datasets
    from treewright.dataset import Dataset as Dataset
    from treewright.exceptions import DataError as DataError
    from treewright.exceptions import DataTypeError as DataTypeError
    from treewright.exceptions import FormatError as FormatError
    from treewright.exceptions import ParameterError as ParameterError
    from treewright.exceptions import TreewrightError as TreewrightError
    from treewright.exceptions import UnfinishedError as UnfinishedError
    from treewright.greedy import GreedyTreeClassifier as GreedyTreeClassifier
    from treewright.results import Progress as Progress
    from treewright.results import ResultTable as ResultTable
    from treewright.results import SearchResult as SearchResult
    from treewright.selection import BackwardEliminationSelector as BackwardEliminationSelector
    from treewright.text import export_text as export_text
    from treewright.tree import Tree as Tree

__version__ = version("treewright")

# In the order of the README.
_HOMES = {
    "BackwardEliminationSelector": "selection",
    "GreedyTreeClassifier": "greedy",
    "Tree": "tree",
    "export_text": "text",
    "Dataset": "dataset",
    "datasets": "datasets",
    "SearchResult": "results",
    "Progress": "results",
    "ResultTable": "results",
    "TreewrightError": "exceptions",
    "DataError": "exceptions",
    "DataTypeError": "exceptions",
    "ParameterError": "exceptions",
    "FormatError": "exceptions",
    "UnfinishedError": "exceptions",
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
