"""The largest classes of nodes and their shares in per cent, of all nodes at once."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from treewright.data.types import FloatArray, IntArray

MOST_TOLD = 6
"""Classes of which a node tells the share on hover."""

UNDER, OVER = 101, 102
TEXTS = (*(str(share) for share in range(101)), "< 1", "> 99")
"""Shares in words; one is 0 or 100 per cent only if it is."""

Told = tuple[int, list[int], list[str]]


def per_cent(share: float) -> str:
    """Return a share in per cent.

    >>> per_cent(0.5), per_cent(0.001), per_cent(0.999)
    ('50', '< 1', '> 99')
    """
    text = TEXTS[round(100 * share)]
    if text == "100" and share < 1:
        return TEXTS[OVER]
    return TEXTS[UNDER] if text == "0" and share > 0 else text


def largest_shares(table: FloatArray, totals: Sequence[float]) -> list[Told]:
    """Return for each row the number of classes that are there, the largest ones, and their shares.

    >>> largest_shares(np.array([[1.0, 0.0, 3.0]]), [4.0])
    [(2, [2, 0], ['75', '25'])]
    """
    whole = np.array(totals, dtype=np.float64)[:, None]
    order = np.argsort(-table, axis=1, kind="stable")[:, :MOST_TOLD]
    shares = np.take_along_axis(table, order, axis=1) / np.where(whole > 0, whole, 1.0)
    counts = np.count_nonzero(table > 0, axis=1).tolist()
    found = zip(counts, order.tolist(), _places(shares).tolist(), strict=True)
    return [(n, labels[:n], [TEXTS[place] for place in places[:n]]) for n, labels, places in found]


def _places(shares: FloatArray) -> IntArray:
    """Return the positions of shares in the list of texts."""
    rounded = np.rint(100 * shares)
    rounded[(rounded == 0) & (shares > 0)] = UNDER
    rounded[(rounded == 100) & (shares < 1)] = OVER
    return rounded.astype(np.int64)
