"""The tools that are compared, each behind the same small face.

A module of this package names its `PACKAGE`, says in `SETTINGS` how it is used, and has a function for each
kind of work it can do. Such a function takes a table and prepares whatever a user of the tool would have at
hand already; it returns the job, of which only `run` is measured.
"""

from __future__ import annotations

import importlib
import importlib.metadata
from types import ModuleType

MODULES = {
    "treewright": "treewright",
    "treewright-retrain": "treewright_retrain",
    "scikit-learn": "scikit_learn",
    "ydf": "ydf",
    "c50py": "c50py",
    "mlxtend": "mlxtend",
}


def module(tool: str) -> ModuleType:
    """Import the module of a tool; the tool itself is imported only when work is prepared."""
    return importlib.import_module(f"{__name__}.{MODULES[tool]}")


def version(tool: str) -> str | None:
    """Return the installed version of a tool, None if there is none."""
    try:
        return importlib.metadata.version(module(tool).PACKAGE)
    except importlib.metadata.PackageNotFoundError:
        return None
