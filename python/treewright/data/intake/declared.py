"""Levels that a user declares by name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treewright.data.intake.labels import (
    Label,
    family,
    fits_int64,
    identity,
    is_infinite,
    plain,
)
from treewright.data.intake.messages import parameters as messages


def read_levels(
    levels: Mapping[str, Sequence[object]] | None, names: Sequence[str]
) -> list[list[Label] | None]:
    """Return the declared domain of each column, None where there is none."""
    by_name = dict(levels or {})
    for name in by_name:
        if name not in names:
            raise messages.levels_unknown(name, names)
    return [_domain(name, by_name[name]) if name in by_name else None for name in names]


def _domain(name: str, levels: Sequence[object]) -> list[Label]:
    domain: dict[object, Label] = {}
    for value in levels:
        label = _label(name, value)
        if identity(label) in domain:
            raise messages.levels_duplicate(name, value)
        domain[identity(label)] = label
    return list(domain.values())


def _label(name: str, value: object) -> Label:
    if family(value) not in ("text", "number", "boolean"):
        raise messages.levels_type(name, value)
    label = plain(value)
    is_number = not isinstance(label, str | bool)
    if is_number and (is_infinite(label) or not fits_int64(label)):
        raise messages.levels_type(name, value)
    return label
