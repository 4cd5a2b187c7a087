"""Feature names: text or none at all, no two alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright.data.intake.messages import table as messages


@dataclass(frozen=True)
class Names:
    """What features are called in output, and what the user called them (None: nothing)."""

    shown: list[str]
    given: NDArray[Any] | None = None


def feature_names(labels: Sequence[object] | None, n_features: int) -> Names:
    """Name features as scikit-learn does: by text labels, else x0, x1, ...

    An empty name is kept as given, but shown as x and the position, so that a tree can be read.
    """
    if labels is None or not _are_text(labels):
        return Names([f"x{column}" for column in range(n_features)])
    names = [str(label) for label in labels]
    _refuse_duplicates(names)
    return Names(_without_empty(names), np.array(names, dtype=object))


def _are_text(labels: Sequence[object]) -> bool:
    types = sorted({type(label).__qualname__ for label in labels})
    if len(types) > 1 and "str" in types:
        raise messages.mixed_names(types)
    return types == ["str"]


def _refuse_duplicates(names: Sequence[str]) -> None:
    earlier: dict[str, int] = {}
    for column, name in enumerate(names):
        if name in earlier:
            raise messages.duplicate_names(name, earlier[name], column)
        earlier[name] = column


def _without_empty(names: list[str]) -> list[str]:
    """Replace the empty name (there is one at most) by one that is free."""
    if "" not in names:
        return names
    column = names.index("")
    shown = f"x{column}"
    while shown in names:
        shown += "_"
    return [shown if name == "" else name for name in names]
