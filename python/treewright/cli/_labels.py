"""Options that name classes: what they weigh, and what wrong answers cost."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

import click

from treewright.cli._signature import Given

if TYPE_CHECKING:
    from treewright import Dataset

BALANCED = "balanced"


def class_weights(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> str | dict[str, float] | None:
    """Return "balanced", or factors by label."""
    if not values:
        return None
    if BALANCED in values:
        if len(values) > 1:
            raise click.BadParameter("'balanced' stands alone.", ctx, parameter)
        return BALANCED
    return dict(_assigned(value, "LABEL=FACTOR", ctx, parameter) for value in values)


def cost_matrix(
    ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> dict[tuple[str, str], float] | None:
    """Return costs by true and predicted label."""
    costs = {}
    for value in values:
        pair, cost = _assigned(value, "TRUE:PREDICTED=COST", ctx, parameter)
        true, colon, predicted = pair.partition(":")
        if not colon:
            raise click.BadParameter(f"{value!r} is not of the form TRUE:PREDICTED=COST.", ctx, parameter)
        costs[true, predicted] = cost
    return costs or None


def _assigned(value: str, form: str, ctx: click.Context, parameter: click.Parameter) -> tuple[str, float]:
    name, equals, text = value.rpartition("=")
    try:
        number = float(text)
    except ValueError:
        number = None
    if not equals or number is None:
        raise click.BadParameter(f"{value!r} is not of the form {form}.", ctx, parameter)
    if not 0 <= number < math.inf:
        of = form.rpartition("=")[2].lower()
        raise click.BadParameter(f"{value!r}: a {of} is a finite number of at least 0.", ctx, parameter)
    return name, number


def with_labels(growing: Given, dataset: Dataset) -> Given:
    """Return parameters in which classes are named by their labels, not by how these are written."""
    classes = dataset.classes
    labels: dict[str, Any] = {} if classes is None else {str(label): label for label in classes.tolist()}
    named = dict(growing)
    weights, costs = growing.get("class_weight"), growing.get("cost_matrix")
    if isinstance(weights, dict):
        named["class_weight"] = {_label(name, labels): factor for name, factor in weights.items()}
    if costs is not None:
        named["cost_matrix"] = {
            (_label(true, labels), _label(predicted, labels)): cost
            for (true, predicted), cost in costs.items()
        }
    return named


def with_labels_of_all(growing: Given, datasets: Collection[Dataset]) -> Given:
    """Return the same where the classes are those of several data sets."""
    named = [with_labels(growing, dataset) for dataset in datasets]
    if any(other != named[0] for other in named):
        raise click.UsageError("The classes of one DATA are numbers, of another texts; give them one by one.")
    return named[0] if named else growing


def _label(name: str, labels: dict[str, Any]) -> object:
    if name in labels:
        return labels[name]
    raise click.UsageError(f"{name!r} is no class; the classes are {', '.join(map(repr, labels))}.")
