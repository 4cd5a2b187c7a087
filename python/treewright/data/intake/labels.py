"""Labels: what a nominal value or a class may be, and when two of them are the same.

A label is text, an int, a float or a bool. Numbers are the same by value, so 1 and 1.0 and
``numpy.int8(1)`` are one label; True is not 1, and "1" is neither.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable
from decimal import Decimal
from fractions import Fraction
from numbers import Integral, Real
from typing import Literal

import numpy as np

from treewright.data.types import Value

Label = str | int | float | bool
Family = Literal["text", "number", "boolean", "nothing", "other"]

WHOLE_LIMIT = 2**53  # up to here a 64-bit float holds every whole number
INT_LIMITS = (-(2**63), 2**63 - 1)


class _Families(dict[type, Family]):
    """The family of each type met so far."""

    def __missing__(self, kind: type) -> Family:
        self[kind] = _family_of_new_type(kind)
        return self[kind]


def _family_of_new_type(kind: type) -> Family:
    if issubclass(kind, str):
        return "text"
    if issubclass(kind, np.timedelta64):  # which calls itself an integer
        return "other"
    if issubclass(kind, bool | np.bool_):
        return "boolean"
    if issubclass(kind, Real | Decimal):
        return "number"
    return "nothing" if kind is type(None) or _is_pandas_missing(kind) else "other"


def _is_pandas_missing(kind: type) -> bool:
    """Recognise ``pandas.NA`` and ``pandas.NaT`` without importing pandas."""
    package = kind.__module__.partition(".")[0]
    return package == "pandas" and kind.__name__ in ("NAType", "NaTType")


_families = _Families()


def family_of_type(kind: type) -> Family:
    """Say what values of a type are; "nothing" is a missing value."""
    return _families[kind]


def family(value: object) -> Family:
    """Say what a value is; NaN of any type is "nothing"."""
    known = _families[type(value)]
    return "nothing" if known == "number" and is_nan(value) else known


def is_nan(number: Value) -> bool:
    """Tell whether a number is NaN; a signalling decimal NaN counts too."""
    return number.is_nan() if isinstance(number, Decimal) else bool(number != number)


def plain(value: Value) -> Label:
    """Return a text, number or boolean as the Python object that stands for it.

    Whole numbers become ints whatever their type, so that a level has one spelling (floats only as
    far as they hold every whole number).

    >>> plain(np.float32(2.0)), plain(np.str_("a")), plain(np.True_), plain(2.5)
    (2, 'a', True, 2.5)
    """
    known = _families[type(value)]
    if known == "text":
        return str.__str__(value)
    if known == "boolean":
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    number: Value = value if isinstance(value, Decimal | Fraction) else float(value)
    is_whole = abs(number) <= WHOLE_LIMIT and number == int(number)
    return int(number) if is_whole else float(number)


def is_infinite(number: Value) -> bool:
    """Tell whether a known number is infinite; an int or a fraction never is."""
    if isinstance(number, Integral | Fraction):
        return False
    return number.is_infinite() if isinstance(number, Decimal) else math.isinf(number)


def identity(label: Label) -> Hashable:
    """Return a dictionary key that keeps True and 1 apart.

    >>> identity(1) == identity(1.0), identity(1) == identity(True)
    (True, False)
    """
    return (label,) if isinstance(label, bool) else label


def in_text_order(labels: Iterable[Label]) -> list[Label]:
    """Sort labels as text; of equal texts the type's name decides.

    >>> in_text_order([10, 9, "b", True])
    [10, 9, True, 'b']
    """
    return sorted(labels, key=lambda label: (str(label), type(label).__name__))


def fits_int64(label: Label) -> bool:
    """Tell whether an int label fits into 64 bits with sign; other labels do."""
    return not isinstance(label, int) or INT_LIMITS[0] <= label <= INT_LIMITS[1]


def unwritable_text(labels: Iterable[object]) -> str | None:
    """Return the first text that cannot be written: it holds a lone surrogate; None if all can be."""
    texts = [label for label in labels if isinstance(label, str)]
    return None if _can_be_written("".join(texts)) else next(t for t in texts if not _can_be_written(t))


def _can_be_written(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
