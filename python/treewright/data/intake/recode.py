"""Columns in a domain that is given: that of a fitted tree, or the levels a user declares."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.data.intake.column import Column, Nominal
from treewright.data.intake.labels import (
    Label,
    family,
    identity,
)
from treewright.data.intake.messages import fitted as messages
from treewright.data.intake.messages import values
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.place import (
    AnyArray,
    CodeArray,
    Place,
    first,
)


def in_domain(column: Column, levels: Sequence[Label] | None, place: Place, unseen: int = -1) -> AnyArray:
    """Return numbers where `levels` is None, else codes among the levels (`unseen`: not one of them)."""
    if levels is None:
        return column.numbers(place)
    return recoded(column.nominal(place), levels, place, unseen)


def recoded(nominal: Nominal, levels: Sequence[Label], place: Place, unseen: int = -1) -> CodeArray:
    """Return codes among `levels`; a value that is none of them is `unseen`, -1 being missing.

    Values of another type than every level are no unseen values but a mistake.
    """
    code = {identity(level): i for i, level in enumerate(levels)}
    translation = np.array([*(code.get(identity(own), unseen) for own in nominal.levels), -1], np.int32)
    codes: CodeArray = translation[nominal.codes]
    families = {family(level) for level in levels}
    if levels and not families.intersection(map(family, nominal.levels)):
        _refuse_family(nominal, levels, place)
    return codes


def _refuse_family(nominal: Nominal, levels: Sequence[Label], place: Place) -> None:
    known = nominal.codes >= 0
    if known.any():
        row = first(known)
        raise messages.family(place, row, nominal.levels[nominal.codes[row]], levels)


def in_declared_levels(column: Column, levels: Sequence[Label], place: Place) -> Nominal:
    """Return codes among levels that a user declares; any other value is refused."""
    nominal = column.nominal(place)
    codes = recoded(nominal, levels, place)
    outside = (codes < 0) & (nominal.codes >= 0)
    if outside.any():
        row = first(outside)
        raise values.no_level(place, row, nominal.levels[nominal.codes[row]])
    return Nominal(codes, list(levels))


def column_of_dataset(
    values: AnyArray,
    own: list[Label] | None,
    levels: Sequence[Label] | None,
    place: Place,
    unseen: int = -1,
) -> AnyArray:
    """Return a column that has passed the door before in another domain."""
    if own is None:
        return in_domain(NumberColumn(values, is_checked=True), levels, place, unseen)
    if levels is not None:
        return recoded(Nominal(values, own), levels, place, unseen)
    known = values >= 0
    if known.any():
        row = first(known)
        raise messages.nominal_where_numeric(place, row, own[values[row]])
    return np.full(len(values), np.nan)
