"""Narwhals, which reads frames of any package; it is imported when there is one to ask."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import narwhals as nw
else:

    class _Lazy(ModuleType):
        def __getattr__(self, name: str) -> object:
            return getattr(import_module(self.__name__), name)

    nw = _Lazy("narwhals")

__all__ = ["nw"]
