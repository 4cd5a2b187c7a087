"""One sample as a table of one row, however it is given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treewright._base.errors import ParameterError
from treewright._base.wording import UNSET
from treewright.data.types import TableLike

ONE = "give one sample: a list of values, a dict by names of features, or a table of one row"


def one_row(row: object, names: Sequence[str]) -> TableLike:
    """Return a table of one row; of a dict features that are not named have no value."""
    as_dict = getattr(row, "to_dict", None)
    if getattr(row, "ndim", None) == 1 and as_dict is not None:
        row = as_dict()
    if isinstance(row, Mapping):
        unknown = [name for name in row if name not in names]
        if unknown:
            raise ParameterError("row", UNSET, f"names {unknown[0]!r}, which is no feature of the tree", ONE)
        return [[row.get(name) for name in names]]
    if isinstance(row, str | bytes | int | float):
        raise ParameterError("row", row, "is no sample", ONE)
    is_flat = isinstance(row, list | tuple) and not any(isinstance(value, list | tuple) for value in row)
    if is_flat or getattr(row, "ndim", 2) == 1:
        return [list(row)]  # type: ignore[call-overload]
    return row


def checked_one(n_rows: int) -> None:
    """Refuse more samples than one."""
    if n_rows != 1:
        raise ParameterError("row", UNSET, f"has {n_rows:,} samples", ONE)
