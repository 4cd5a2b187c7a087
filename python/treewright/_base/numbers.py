"""Whole numbers of any size as text: Python itself refuses to write those of thousands of digits."""

from __future__ import annotations

from math import log2

_MOST_DIGITS = 60
_MOST_JSON_BITS = 1024


def in_digits(number: int) -> str:
    """Write a count in digits, one too long for that as a power of two or rounded to one.

    >>> in_digits(8192), in_digits(2**15000), in_digits(3**9000)
    ('8,192', '2^15000', 'about 2^14264.7')
    """
    if number < 10**_MOST_DIGITS:
        return f"{number:,}"
    exponent = number.bit_length() - 1
    if number == 1 << exponent:
        return f"2^{exponent}"
    mantissa = (number >> (exponent - 52)) / 2**52
    return f"about 2^{exponent + log2(mantissa):.1f}"


def for_json(number: int) -> int | str:
    """Return what stands for a number in JSON: itself, or one that no reader need take, in hexadecimal.

    ``int(text, 0)`` reads the text exactly.

    >>> for_json(8192), for_json(2**1100)[:6]
    (8192, '0x1000')
    """
    return number if number.bit_length() <= _MOST_JSON_BITS else hex(number)


def counted_noun(count: int, one: str) -> str:
    """Return a count with its noun, in the singular or with an s."""
    return f"{in_digits(count)} {one}{'' if count == 1 else 's'}"
