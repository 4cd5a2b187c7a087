"""How a result was found, in words that JSON has."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from numbers import Number
from pathlib import PurePath
from typing import ClassVar

import numpy as np
from sklearn.base import BaseEstimator

MOST_VALUES = 100
"""Longer lists are told by their length."""


def parameters_of(model: BaseEstimator) -> dict[str, object]:
    """Return the parameters of an estimator or a rule, as they are now."""
    pairs = ((name, getattr(model, name)) for name in _names(type(model)))
    return {name: value if type(value) in _PLAIN else told(value) for name, value in pairs}


_PLAIN = frozenset({type(None), bool, int})
_NAMES: dict[type, tuple[str, ...]] = {}


def _names(kind: type[BaseEstimator]) -> tuple[str, ...]:
    """Return the names of the parameters of a class; scikit-learn asks its signature each time."""
    if kind not in _NAMES:
        _NAMES[kind] = tuple(kind._get_param_names())
    return _NAMES[kind]


class Parametrised(BaseEstimator):
    """Base of estimators and rules, of whose signature the parameters are read once."""

    _own_names: ClassVar[dict[type, list[str]]] = {}

    @classmethod
    def _get_param_names(cls) -> list[str]:
        if cls not in cls._own_names:
            cls._own_names[cls] = super()._get_param_names()
        return list(cls._own_names[cls])


def told(value: object) -> object:
    """Return a value as JSON has it: no address, no path but its last part, no long list.

    >>> told({"max_depth": 3, "weights": np.arange(2), "path": PurePath("/tmp/a.json"), "rule": told})
    {'max_depth': 3, 'weights': [0, 1], 'path': 'a.json', 'rule': 'told'}
    """
    if isinstance(value, str):
        return value if value.isascii() else value.encode("utf-8", "backslashreplace").decode("utf-8")
    if isinstance(value, np.generic):
        return told(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, int):
        return value
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, os.PathLike):
        return told(PurePath(os.fspath(value)).name)
    if isinstance(value, BaseEstimator):
        return {"class": type(value).__name__, **parameters_of(value)}
    return _of_many(value)


def _of_many(value: object) -> object:
    """Return a mapping or a list as JSON has it; of anything else its name, or that of its type."""
    if isinstance(value, Mapping):
        pairs = list(value.items())
        if all(isinstance(name, str) for name, _ in pairs):
            return {str(told(name)): told(part) for name, part in pairs}
        return [[told(name), told(part)] for name, part in pairs]
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size <= MOST_VALUES else f"{value.shape} values"
    if isinstance(value, list | tuple):
        return _listed(value)
    if isinstance(value, set | frozenset):
        return _listed(sorted(value, key=str))
    if is_dataclass(value) and not isinstance(value, type):
        own = {field.name: told(getattr(value, field.name)) for field in fields(value)}
        return {"class": type(value).__name__, **own}
    text = getattr(value, "text", None)  # of a program
    return told(text) if isinstance(text, str) else str(getattr(value, "__name__", type(value).__name__))


def _listed(values: Iterable[object]) -> object:
    parts = list(values)
    return [told(part) for part in parts] if len(parts) <= MOST_VALUES else f"{len(parts)} values"
