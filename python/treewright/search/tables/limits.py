"""What the searches of a table share: default limits, and the measure they stop by."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from treewright._base.params import whole_number

DEFAULT_MEMORY = 2**30
"""Bytes that a graph or a search may take if nothing is said."""

MOST_PAIRS = 2**63 - 1
"""More pairs of rows than any table has."""


def checked_alpha(alpha: Any) -> int:
    """Return how many pairs of rows with different decisions a leaf may have."""
    return min(whole_number("alpha", alpha, least=0, remedy="0 tells all rows apart"), MOST_PAIRS)


def pairs(decisions: NDArray[np.int32]) -> int:
    """Count the pairs of rows with different decisions."""
    counts = [int(count) for count in np.bincount(decisions)]
    n = sum(counts)
    return (n * n - sum(count * count for count in counts)) // 2
