"""Amounts of memory, as bytes or as text."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from pathlib import Path

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole
from treewright._base.wording import NONE_OR

UNITS = {
    "b": 1,
    "kb": 10**3,
    "mb": 10**6,
    "gb": 10**9,
    "tb": 10**12,
    "kib": 2**10,
    "mib": 2**20,
    "gib": 2**30,
    "tib": 2**40,
}
AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([a-z]+)\s*", re.ASCII)

CACHE_MEMORY = 2**27
"""What the case sets of distinct trees may take unless a user says otherwise: 128 MiB."""

BEYOND_MEMORY = 2**62
"""More bytes than any machine has."""


def bytes_or_none(name: str, value: object) -> int | None:
    """Return an amount of memory, such as ``"64MB"`` or ``"64MiB"``, in bytes; None for the default.

    >>> bytes_or_none("memory_limit", "1.5 kB")
    1500
    """
    if value is None:
        return None
    amount = int(value) if is_whole(value) else _read(value)
    if amount < 1:
        allowed = ("must be ", NONE_OR, "bytes as an int of at least 1, or a number with a unit")
        raise ParameterError(name, value, allowed, "write for example '64MB'")
    return min(amount, BEYOND_MEMORY)


def memory_limit(name: str, value: object, default: int) -> int:
    """Return what an engine may use: what is asked for, but at most half of what the process may still take.

    A limit of the process itself (``ulimit -v``) is a limit like that of a parameter: work stops before it.
    """
    asked = bytes_or_none(name, value) or default
    left = _address_space_left()
    return asked if left is None else max(min(asked, left // 2), 1)


def _address_space_left() -> int | None:
    """Return the bytes that the system still lets this process take; None if it sets no limit."""
    if sys.platform == "win32":
        return None
    import resource

    most, _ = resource.getrlimit(resource.RLIMIT_AS)
    used = Path("/proc/self/statm")
    if most == resource.RLIM_INFINITY or not used.exists():
        return None
    return max(most - int(used.read_text().split()[0]) * resource.getpagesize(), 0)


def _read(text: object) -> int:
    """Return the bytes that a text means; 0 if it means none."""
    match = AMOUNT.fullmatch(text.lower()) if isinstance(text, str) else None
    if match is None:
        return 0
    return int(Fraction(match[1]) * UNITS.get(match[2], 0))
