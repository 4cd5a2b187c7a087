"""Class weights: one factor a class, from the parameter and the data."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from treewright._base.errors import ParameterError
from treewright._base.params import number
from treewright._base.wording import NONE_OR, UNSET
from treewright.data.training import GRID, TrainingSet
from treewright.data.types import AnyArray


def checked(value: Any) -> Any:
    """Return the parameter ``class_weight`` if it has a known form."""
    is_balanced = isinstance(value, str) and value == "balanced"
    if value is None or is_balanced or isinstance(value, Mapping):
        return value
    raise ParameterError(
        "class_weight",
        value,
        ("must be ", NONE_OR, "'balanced' or a dict of class label to factor"),
        "weights of single samples go to fit(sample_weight=)",
    )


def factors(class_weight: Any, training: TrainingSet) -> list[float] | None:
    """Return one factor a class, in the order of the classes, or None for 1 throughout."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        return _balanced(training)
    return _from_mapping(class_weight, training.classes)


def _balanced(training: TrainingSet) -> list[float]:
    """Give every class the same weight: total / (classes * own weight), as multiples of 2^-20.

    On that grid a sample of weight 2 and the sample twice still weigh exactly the same.
    """
    weights = _weight_by_class(training)
    total = math.fsum(weights)
    exact = [total / (len(weights) * own) if own else 1.0 for own in weights]
    return [max(round(factor * GRID), 1) / GRID for factor in exact]


def _weight_by_class(training: TrainingSet) -> list[float]:
    """Sum the weights class by class, exactly, so that row order cannot show."""
    counts = np.bincount(training.target, minlength=len(training.classes))
    if training.sample_weight is None:
        return [float(count) for count in counts]
    by_class = np.argsort(training.target, kind="stable")
    pieces = np.split(training.sample_weight[by_class], np.cumsum(counts)[:-1])
    return [math.fsum(piece) for piece in pieces]


def _from_mapping(given: Mapping[Any, Any], classes: AnyArray) -> list[float]:
    """Look factors up by label; a class left out has 1."""
    labels = classes.tolist()
    strangers = [label for label in given if label not in labels]
    if strangers and any(label not in given for label in labels):
        raise ParameterError(
            "class_weight", UNSET, f"names {strangers[0]!r}, which is no class", f"the classes are {labels}"
        )
    return [_factor(label, given.get(label, 1.0)) for label in labels]


def _factor(label: object, value: object) -> float:
    return number(
        f"class_weight[{label!r}]",
        value,
        least=0,
        open_end=True,
        remedy="to leave a class out, leave its samples out",
    )
