"""Numbers every platform agrees on: integer units, logarithms, F and Gini.

A weight counts in units of 2**-20, a share of a sample in units of 2**-30. Their
product, the *mass*, counts in units of 2**-50 and is never rounded: sums of masses do
not depend on the order of the samples.

``log2`` and ``log`` are FreeBSD's, step for step (``e_log2.c`` and ``e_log.c``,
Copyright (C) 1993 by Sun Microsystems, Inc., whose notice asks to be preserved:
"Developed at SunSoft, a Sun Microsystems, Inc. business. Permission to use, copy,
modify, and distribute this software is freely granted, provided that this notice is
preserved."). The C library's own logarithm may differ in the last bit.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from fractions import Fraction
from functools import cache

UNIT_WEIGHT = 2**20
WHOLE_SHARE = 2**30
UNIT_MASS = UNIT_WEIGHT * WHOLE_SHARE
SLACK = 2**40  # 2**-10 in weight: a sum of shares may fall just below a whole number
F_BITS = 32
GINI_STEPS = 4096

_IVLN2_HI = 1.44269504072144627571e00
_IVLN2_LO = 1.67517131648865118353e-10
_LN2_HI = 6.93147180369123816490e-01
_LN2_LO = 1.90821492927058770002e-10
_LG1 = 6.666666666666735130e-01
_LG2 = 3.999999999940941908e-01
_LG3 = 2.857142874366239149e-01
_LG4 = 2.222219843214978396e-01
_LG5 = 1.818357216161805012e-01
_LG6 = 1.531383769920937332e-01
_LG7 = 1.479819860511658591e-01


def mass_of(weight: float | Fraction) -> int:
    """Mass of a weight given as a parameter, in units of 2**-50: rounded, of a share rounded up."""
    return math.ceil(weight * UNIT_MASS) if isinstance(weight, Fraction) else round(weight * UNIT_MASS)


def weight_of(mass: int) -> float:
    """Weight of a mass: the nearest double of the integer, then an exact scaling.

    >>> weight_of(3 * UNIT_MASS)
    3.0
    """
    return float(mass) * 2.0**-50


def log2(x: float) -> float:
    """Take the base 2 logarithm of a positive normal double.

    >>> log2(8.0)
    3.0
    """
    if x == 1.0:
        return 0.0
    exponent, fraction = _reduce(x)
    half_square, r = 0.5 * fraction * fraction, _remainder(fraction)
    s = fraction / (2.0 + fraction)
    high = _clear_low_word(fraction - half_square)
    low = fraction - high - half_square + s * (half_square + r)
    value_high = high * _IVLN2_HI
    value_low = (low + high) * _IVLN2_LO + low * _IVLN2_HI
    whole = float(exponent) + value_high
    value_low += (float(exponent) - whole) + value_high
    return value_low + whole


def log(x: float) -> float:
    """Take the natural logarithm of a positive normal double.

    >>> log(1.0)
    0.0
    """
    if x == 1.0:
        return 0.0
    exponent, fraction = _reduce(x)
    half_square, r = 0.5 * fraction * fraction, _remainder(fraction)
    s = fraction / (2.0 + fraction)
    k = float(exponent)
    return s * (half_square + r) + k * _LN2_LO - half_square + fraction + k * _LN2_HI


def _reduce(x: float) -> tuple[int, float]:
    """Split x into 2**k * (1 + f) with sqrt(2)/2 < 1 + f < sqrt(2); return k, f."""
    bits = _bits(x)
    high = (bits >> 32) + (0x3FF00000 - 0x3FE6A09E)
    exponent = (high >> 20) - 0x3FF
    high = (high & 0x000FFFFF) + 0x3FE6A09E
    return exponent, _double((high << 32) | (bits & 0xFFFFFFFF)) - 1.0


def _remainder(f: float) -> float:
    """Polynomial in (f / (2 + f))**2 that both logarithms use."""
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    t1 = w * (_LG2 + w * (_LG4 + w * _LG6))
    t2 = z * (_LG1 + w * (_LG3 + w * (_LG5 + w * _LG7)))
    return t2 + t1


def _clear_low_word(x: float) -> float:
    return _double(_bits(x) & 0xFFFFFFFF00000000)


def _bits(x: float) -> int:
    bits: int = struct.unpack("<Q", struct.pack("<d", x))[0]
    return bits


def _double(bits: int) -> float:
    x: float = struct.unpack("<d", struct.pack("<Q", bits))[0]
    return x


@cache
def f_of(mass: int, bits: int = F_BITS) -> int:
    """Return F, n * log2(n) of a mass as a weight n, in units of 2**-bits; 0 for 0.

    >>> f_of(4 * UNIT_MASS) == 8 * 2**32
    True
    """
    if mass == 0:
        return 0
    n = weight_of(mass)
    return round((n * log2(n)) * 2.0**bits)


def f_bits(total_weight: float) -> int:
    """Bits after the point of F: fewer where the training weight exceeds 2**26.

    >>> f_bits(1000.0), f_bits(2.0**27)
    (32, 30)
    """
    if total_weight <= 2.0**26:
        return F_BITS
    size = total_weight * log2(total_weight)
    return max(bits for bits in range(F_BITS + 1) if size * 2.0**bits <= 2.0**62)


def gini_of(class_masses: Sequence[int]) -> int:
    """Weight times Gini uncertainty, in units of 2**-20 / 4096.

    That is 4096 * n - floor(4096 * sum of n_c**2 / n) for weights n and n_c that are
    rounded down to units of 2**-20 first; the floor is taken in whole units of weight.

    >>> gini_of([UNIT_MASS, UNIT_MASS]) == UNIT_WEIGHT * GINI_STEPS
    True
    """
    n = sum(class_masses) // WHOLE_SHARE
    if n == 0:
        return 0
    squares = sum((mass // WHOLE_SHARE) ** 2 for mass in class_masses)
    return GINI_STEPS * n - GINI_STEPS * squares // (n * UNIT_WEIGHT) * UNIT_WEIGHT


@cache
def n_nats(mass: int) -> float:
    """Return n * ln(n) of a mass as a weight n, for ID3's gains; 0 for 0."""
    if mass == 0:
        return 0.0
    n = weight_of(mass)
    return n * log(n)


def divide_share(share: int, branch_masses: Sequence[int]) -> list[int]:
    """Divide one sample's share among branches in proportion to their known mass.

    Each share is rounded down; the heaviest branch (the lowest of equals) takes the
    rest, so nothing is lost.

    >>> divide_share(10, [2, 1])
    [7, 3]
    """
    known = float(sum(branch_masses))
    shares = [int(float(share) * float(mass) / known) for mass in branch_masses]
    heaviest = branch_masses.index(max(branch_masses))
    shares[heaviest] += share - sum(shares)
    return shares
