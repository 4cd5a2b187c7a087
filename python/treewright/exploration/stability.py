"""How alike the choices of the outer folds are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Chosen = tuple[str, int, list[int]]
"""Family, first feature and all features of a chosen tree."""


@dataclass(frozen=True)
class Stability:
    """How alike the choices of the outer folds are to the recommended one, as shares of the folds.

    Attributes
    ----------
    n_folds : int
        Number of outer folds.
    same_family, same_root, same_features : float
        Share of the folds whose choice is of the same family, asks the same feature first, asks for the same
        set of features.
    second : str or None
        The family whose best candidate on all rows comes second.
    second_chosen : float
        Share of the folds that chose this family.
    """

    n_folds: int
    same_family: float
    same_root: float
    same_features: float
    second: str | None
    second_chosen: float


def stability_of(own: Chosen, chosen: Sequence[Chosen], second: str | None) -> Stability:
    """Compare the choices of the folds with that of all rows."""
    n = len(chosen)
    return Stability(
        n,
        sum(one[0] == own[0] for one in chosen) / n,
        sum(one[1] == own[1] for one in chosen) / n,
        sum(one[2] == own[2] for one in chosen) / n,
        second,
        sum(one[0] == second for one in chosen) / n,
    )
