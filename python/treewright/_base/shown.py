"""Numbers, names and values as people see them: in the engine's words, so that all texts agree."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from treewright import _core

FEW_STEPS = 4
"""Division is off by a few of the neighbouring numbers at most, unless the product underflows."""


def shown_number(value: float) -> str:
    """Write a number with as many digits as read back to the same one.

    >>> shown_number(2.0), shown_number(20180130.5), shown_number(1e-7)
    ('2', '20180130.5', '1e-7')
    """
    return _core.number_text(value)


def lone_cut(weight: float, offset: float) -> float | None:
    """Return where ``weight * x <= offset`` ends: the last `x` on that side, rounding included.

    So a plane over one number is a cut of it, as the printed tree has it. None where the product is too small
    or too large for that.

    >>> lone_cut(2.0, 1.5), lone_cut(-1.26, -0.74), lone_cut(0.0, 1.0)
    (0.75, 0.5873015873015873, None)
    """
    size = abs(weight)
    if not size or not math.isfinite(offset / size):
        return None
    last = offset / size
    for _ in range(FEW_STEPS):
        if size * last > offset:
            last = math.nextafter(last, -math.inf)
        elif size * math.nextafter(last, math.inf) <= offset:
            last = math.nextafter(last, math.inf)
        else:
            return (-last if weight < 0 else last) + 0.0
    return None


SIDES = {(False, False): "<=", (False, True): ">=", (True, False): ">", (True, True): "<"}
"""How a number lies to the cut of a plane: by whether it is above it, and whether its weight is negative."""


def numbers_between(values: Iterable[float], ends: Iterable[Sequence[float]]) -> list[str]:
    """Write numbers with as few digits as stay at least the lower end and below the upper one.

    >>> numbers_between([20180130.5, 1.2512345], [(20180130, 20180131), (1.2, 1.3)])
    ['20180130', '1.2']
    """
    low, high = zip(*ends, strict=True)
    return _core.numbers_between(list(values), list(low), list(high))


def shown_text(text: object) -> str:
    r"""Return a name as it is, or in quotes and escaped where something in it cannot be seen.

    >>> print(shown_text("age"), shown_text(""), shown_text("a\nb"), shown_text("\x1b[31mred"))
    age '' 'a\nb' '\x1b[31mred'
    """
    try:
        return _core.visible_text(str(text))
    except UnicodeEncodeError:  # half a character
        return repr(str(text))


def on_one_line(text: str) -> str:
    r"""Escape what cannot be seen in a text that is laid out already, such as a cell of a table.

    >>> print(on_one_line("a\x07b"))
    a\x07b
    """
    if text.isprintable():
        return text
    return "".join(letter if letter.isprintable() else repr(letter)[1:-1] for letter in text)


def shown_values(values: Sequence[object], *, may_miss: bool = False) -> list[str]:
    """Write the values of a feature, or the classes, no two alike.

    >>> shown_values([1, "1", True, "True", "a"])
    ['1', "'1'", 'True', "'True'", 'a']
    >>> shown_values(["missing", "known"], may_miss=True)
    ["'missing'", 'known']
    """
    return _core.label_texts(values, may_miss)
