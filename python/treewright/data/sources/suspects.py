"""Columns that became nominal, though they look like numbers with an undeclared spelling of "missing"."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence

from treewright._base.wording import shortened
from treewright.data.sources.csv import TextTable
from treewright.data.sources.kinds import how_missing, numbers_in

SPELLINGS = frozenset({"", "?", "-", "--", ".", "#n/a", "n/a", "na", "nan", "nil", "none", "null", "missing"})
"""How files often spell a missing value, in small letters and without blanks around."""

# Where other fields are none of these, the column is suspected if it has at least this many distinct numbers
# and at most this many distinct other fields.
_MANY_NUMBERS = 10
_FEW_OTHERS = 2


def warn_of_suspects(table: TextTable, nominal: Iterable[tuple[str, Sequence[object]]]) -> None:
    """Warn once, of the first such column in full and of further ones by name.

    Parameters
    ----------
    table : TextTable
        The fields.
    nominal : iterable of (str, sequence of str)
        Columns that nobody declared and that hold text, with their levels.
    """
    suspects = {name: others for name, levels in nominal if (others := _others([*map(str, levels)]))}
    if not suspects:
        return
    spelled = sorted({text for others in suspects.values() for text in others})
    (name, others), *further = suspects.items()
    fields = table.column(name)
    row = next(i for i, text in enumerate(fields) if text in others)
    warnings.warn(
        f"{table.where(name, row)}: the column holds numbers, but also {' and '.join(map(repr, others))}, so "
        f"it is taken as nominal{_and_others([name for name, _ in further])}. Declare what is missing "
        f"({how_missing(spelled)}), or the column nominal, to say what is meant",
        stacklevel=4,
    )


def _others(levels: Sequence[str]) -> list[str]:
    """Return what is no number in a column that is suspected, an empty list for another column."""
    numbers = numbers_in(levels)
    others = [text for text in levels if text not in numbers]
    is_usual = bool(numbers) and all(text.strip().lower() in SPELLINGS for text in others)
    is_rare = len(numbers) >= _MANY_NUMBERS and len(others) <= _FEW_OTHERS
    return others if is_usual or is_rare else []


def _and_others(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = "so is another one" if len(names) == 1 else f"so are {len(names)} more"
    return f", and {more} like it ({shortened(names, 6)})"
