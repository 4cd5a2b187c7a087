"""Subgroups of rows, each of which is judged alone, too."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from treewright._base.errors import DataError
from treewright._base.wording import Param
from treewright.data.types import AnyArray, VectorLike
from treewright.exploration.problems import values_of_rows


@dataclass(frozen=True, eq=False)
class Subgroups:
    """The subgroup of every row, and what it is of, such as sex."""

    values: AnyArray
    name: str | None

    @classmethod
    def of(cls, by: VectorLike | Mapping[str, VectorLike], n_rows: int) -> Subgroups | None:
        """Take values, or a dict of one name and its values."""
        if isinstance(by, Mapping):
            if len(by) != 1:
                raise DataError(Param("by"), f" has {len(by)} names; give one, with its values")
            ((name, given),) = by.items()
        else:
            name, given = getattr(by, "name", None), by
        values = values_of_rows("by", given, n_rows)
        return None if values is None else cls(values, None if name is None else str(name))
