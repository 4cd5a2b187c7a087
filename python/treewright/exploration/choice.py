"""The choice among candidates: errors on inner folds, and a price for every doubling of leaves, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from treewright.data.types import FloatArray, IntArray

UNIT = 2**32
"""A binary logarithm counts in parts of this."""


def doublings(size: int) -> Fraction:
    """Return the binary logarithm of a size, rounded to a fixed unit."""
    return Fraction(round(math.log2(size) * UNIT), UNIT)


@dataclass(frozen=True)
class Question:
    """What a choice is asked for: a price of a doubling of the leaves, and the largest size."""

    name: str
    price: Fraction
    most: int | None = None

    def takes(self, size: int) -> bool:
        """Whether a tree of a size may be chosen."""
        return self.most is None or size <= self.most


PRICED, HALF, DOUBLE, ANY_SIZE = "recommended", "half_price", "double_price", "any_size"
LIMITS = (4, 8, 16)


def at_most(most: int) -> str:
    """Name the choice among trees of at most so many leaves."""
    return f"at_most_{most}"


def questions_of(price: Fraction, most: int | None) -> list[Question]:
    """Return every choice that is made in every fold; that of any size says what a limit gives away."""
    prices = [
        Question(PRICED, price, most),
        Question(HALF, price / 2, most),
        Question(DOUBLE, price * 2, most),
        Question(ANY_SIZE, price),
    ]
    limits = [
        Question(at_most(limit), price, limit if most is None else min(limit, most)) for limit in LIMITS
    ]
    return prices + limits


@dataclass(frozen=True, eq=False)
class Standing:
    """What the candidates of a family are compared by: losses on inner folds, out of what, and sizes."""

    losses: FloatArray
    whole: float
    sizes: IntArray

    def score(self, place: int, question: Question) -> Fraction:
        """Return the share of the loss, and the price of the size."""
        share = Fraction(float(self.losses[place])) / Fraction(self.whole)
        return share + question.price * doublings(int(self.sizes[place]))

    def best(self, question: Question) -> tuple[Fraction, int] | None:
        """Return score and place of the best candidate, the first of equals; None if all are too large."""
        places = [place for place, size in enumerate(self.sizes.tolist()) if question.takes(size)]
        return min(((self.score(place, question), place) for place in places), default=None)

    def own(self, question: Question) -> int:
        """Return the place of the family's own choice: where all are too large, the smallest."""
        found = self.best(question)
        return int(self.sizes.argmin()) if found is None else found[1]


def best_of(standings: Sequence[Standing], question: Question) -> tuple[int, int]:
    """Return family and candidate of the best score; ties go to the first family, then candidate."""
    found = ((standing.best(question), family) for family, standing in enumerate(standings))
    known = [(best[0], family, best[1]) for best, family in found if best is not None]
    _, family, place = min(known)
    return family, place
