"""`missing_values`: what stands for a missing value besides NaN, None and NA."""

from __future__ import annotations

from collections.abc import Iterable

from treewright.data.intake.column import Spellings
from treewright.data.intake.labels import (
    Label,
    family,
    plain,
)
from treewright.data.intake.messages import parameters as messages


def read_spellings(missing_values: Iterable[object] | None) -> Spellings | None:
    """Part the spellings into texts and numbers; None if there are none."""
    if missing_values is None:
        return None
    if isinstance(missing_values, str):
        raise messages.missing_values_alone(missing_values)
    if not isinstance(missing_values, Iterable):
        raise messages.missing_values_entry(missing_values)
    labels = [_label(value) for value in missing_values]
    texts = frozenset(label for label in labels if isinstance(label, str))
    numbers = frozenset(label for label in labels if not isinstance(label, str))
    return Spellings(texts, numbers) if labels else None


def _label(value: object) -> Label:
    if family(value) not in ("text", "number"):
        raise messages.missing_values_entry(value)
    return plain(value)
