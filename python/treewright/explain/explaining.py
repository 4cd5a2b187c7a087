"""`explain`: the door of the room."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.params import whole_number
from treewright._base.shown import shown_number
from treewright._base.wording import Param, Value
from treewright.data.intake.labels import Label, identity
from treewright.data.types import AnyArray, TableLike
from treewright.explain.boxes import Row
from treewright.explain.explanation import (
    BY_CLASS,
    BY_NAIVE_BAYES,
    WEIGHED,
    Change,
    Explanation,
    FeatureChange,
)
from treewright.explain.models import (
    ListModel,
    Model,
    TreeModel,
    labels_of,
    model_of,
    own_values,
    table_of,
    whole_features,
)
from treewright.explain.path import row_columns, value_text
from treewright.explain.rounding import shown_values
from treewright.explain.search import Aim, Asked, Found, least_change
from treewright.trees.weighing import is_of_naive_bayes

__all__ = ["explain"]

MOST_SEARCHED = 200_000


def explain(
    model: object,
    row: TableLike,
    *,
    to: object = None,
    fixed: Iterable[str] = (),
    node_limit: int = MOST_SEARCHED,
) -> Explanation:
    """Explain the class of a row, and find the least change that gives another.

    Parameters
    ----------
    model : Tree or fitted estimator
        A tree, a tree classifier or selector, a `RobustLinearClassifier`, a `RuleListClassifier` or a
        `RuleList`.
    row : dict, sequence, or table of one row
        The values by the names of features, or all of them in their order. A feature that a dict leaves out
        is missing.
    to : object, default=None
        The class that is wanted; None takes any other.
    fixed : iterable of str, default=()
        Names of features that cannot change.
    node_limit : int, default=200000
        Largest number of boxes to look into; at the limit the explanation says what is proven by then.

    Returns
    -------
    explanation : Explanation
        The path, the class with its counts, and the least change: fewest features, then least distance.

    Raises
    ------
    DataError
        If the row cannot be read, or a plane is to be crossed and the training ranges are not known.
    DataTypeError
        If the model cannot be explained; a pipeline is told its remedy.
    ParameterError
        If `to` is no class, or the row's own; or `fixed` names no feature.

    Notes
    -----
    A changed number counts its distance to the nearest value beyond the cut, in ranges of the training values
    (in its own unit where they are not known). A changed level, and a value in the place of a missing one,
    count 1. A known value is never made missing. Numbers whose training values are whole, as far as the tree
    keeps them, stay whole. Features that are made of a date change one by one, and are told as dates.

    Trees are searched from the cheapest box of rows to the next; planes by mixed-integer programs, exact to a
    millionth of the range, with changed numbers within the training range.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.explain import explain
    >>> tree = GreedyTreeClassifier(max_depth=2).fit(datasets.load("iris")).tree_
    >>> print(explain(tree, [5.1, 3.5, 1.4, 0.2]), end="")
    class setosa (probability 100.0%): leaf 1
    training rows there: setosa 50
    <BLANKLINE>
      petal length (cm) <= 1.9: 1.4 (0.5 from the cut)
    <BLANKLINE>
    least change to versicolor: 1 feature, distance 0.08475
      petal length (cm): 1.4 -> 2
    """
    made = model_of(model, row)
    names = list(made.words.names)
    dates = {one.source for one in made.words.derived.values()}
    columns = made.encoded(table_of(row, names, dates))
    if len(columns[0]) != 1:
        raise DataError(Param("row"), f" has {len(columns[0])} rows; give one")
    _refuse_without_ranges(made)
    asked = _row(made, columns, names, fixed)
    answered = made.answered(asked, columns)
    aim = Aim(answered.answer, _wanted(made, to, answered.answer))

    def predict(values: dict[int, float]) -> int:
        changed = [values.get(feature, value) for feature, value in enumerate(asked.own)]
        return int(made.codes(row_columns(changed, asked.n_levels))[0])

    limit = whole_number("node_limit", node_limit, least=1, remedy="it counts boxes of rows")
    found = least_change(made.subject, asked, aim, predict, limit)
    kind = "rule" if isinstance(made, ListModel) else "leaf"
    texts = [made.words.class_text(label) for label in labels_of(made)]
    return Explanation(
        label=labels_of(made)[answered.answer],
        node=answered.node,
        classes=tuple(labels_of(made)),
        class_texts=tuple(texts),
        counts=tuple(answered.counts),
        weights=tuple(answered.weights),
        shares=tuple(answered.shares),
        path=tuple(answered.path),
        change=_change(made, asked, found, aim, predict),
        status=found.status,
        bound=found.bound,
        wanted="another class" if aim.to is None else f"the class {texts[aim.to]}",
        place=_place(kind, answered.node, made),
        weighed=_weighed(made),
    )


def _weighed(model: Model) -> str:
    """Say what weights are of, and the remedy where there is one."""
    if isinstance(model, ListModel):
        return WEIGHED if model.rules.telling.class_factors is None else BY_CLASS
    assert isinstance(model, TreeModel), "other models are trees"
    if is_of_naive_bayes(model.tree._core):
        return BY_NAIVE_BAYES
    return WEIGHED if model.tree.class_factors is None else BY_CLASS


def _refuse_without_ranges(model: Model) -> None:
    """Refuse planes whose features have no known range: nothing bounds what they may be."""
    for feature in model.summed():
        if not np.isfinite(model.ranges[feature]).all():
            raise DataError(
                f"the training range of {model.words.names[feature]!r} is not known, and a plane is crossed "
                "within it; fit the model again, trees keep the ranges"
            )


def _place(kind: str, node: int, model: Model) -> str:
    if isinstance(model, ListModel):
        return f"rule {node + 1}" if node < len(model.rules) else "no rule holds, the default"
    return f"{kind} {node}"


def _row(model: Model, columns: Sequence[AnyArray], names: Sequence[str], fixed: Iterable[str]) -> Row:
    """Return the row with what its distances are measured by."""
    given = [fixed] if isinstance(fixed, str) else list(fixed)
    for name in given:
        if name not in names:
            raise ParameterError("fixed", name, "is no feature", ("choose ", Value(*names)))
    own, used = own_values(columns), set(model.used)
    spans = (model.ranges[:, 1] - model.ranges[:, 0]).tolist()
    held = {place for place, name in enumerate(names) if name in given or place not in used}
    whole = {feature for feature in whole_features(model) if _is_whole(own[feature])}
    return Row(
        own=own,
        n_levels=[None if levels is None else len(levels) for levels in model.words.levels],
        fixed=frozenset(held),
        scales=[span if span > 0 and math.isfinite(span) else 1.0 for span in spans],
        ranges=model.ranges,
        whole=frozenset(whole),
    )


def _is_whole(value: float) -> bool:
    return math.isnan(value) or float(value).is_integer()


def _wanted(model: Model, to: object, own: int) -> int | None:
    """Return the position of the class that is wanted."""
    if to is None:
        return None
    plain = to.item() if isinstance(to, np.generic) else to
    labels = labels_of(model)
    place = next((i for i, label in enumerate(labels) if _same(label, plain)), None)
    if place is None:
        raise ParameterError("to", to, "is no class", ("choose ", Value(*labels)))
    if place == own:
        raise ParameterError("to", to, "is the class that the row has", "name another, or none")
    return place


def _same(label: Label, other: object) -> bool:
    return isinstance(other, Label) and identity(label) == identity(other)


def _change(model: Model, row: Row, found: Found, aim: Aim, predict: Asked) -> Change | None:
    if found.values is None or found.cost is None or found.box is None:
        return None
    shown = shown_values(row, found.values, found.box, model.beside(), lambda one: aim.is_met(predict(one)))
    features = tuple(_feature_change(model, row, feature, value) for feature, value in sorted(shown.items()))
    return Change(labels_of(model)[predict(shown)], features, *found.cost)


def _feature_change(model: Model, row: Row, feature: int, value: float) -> FeatureChange:
    words, levels = model.words, model.words.levels[feature]
    own = row.own[feature]
    before: Label | None = None
    if not row.is_missing(feature):
        before = own if levels is None else levels[int(own)]
    after: Label = value if levels is None else levels[int(value)]
    told = words.number(feature, value) if levels is None else words.level(feature, int(value))
    own_text = value_text(feature, row, words)
    if told == own_text:  # the date is the same, the number is not
        told, own_text = shown_number(value), shown_number(own)
    return FeatureChange(words.names[feature], before, after, own_text, told, row.distance(feature, value))
