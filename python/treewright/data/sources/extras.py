"""Packages that are asked for only where a format needs them."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from treewright._base.errors import DataError


def needed(module: str, extra: str, what: str) -> ModuleType:
    """Return a package that is no requirement of treewright, or say how it is installed.

    `what` is the beginning of the message: what needs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.partition(".")[0].replace("_", "-")
        raise DataError(
            f"{what} needs {package}, which is not installed; `pip install treewright[{extra}]` installs it"
        ) from error
