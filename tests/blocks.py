"""Random trials in blocks: the first run always, the others with ``-m slow``."""

from __future__ import annotations

from typing import Any

import pytest


def blocks(n_blocks: int, n_quick: int) -> list[Any]:
    """List the numbers of all blocks; those from `n_quick` on are marked as slow."""
    return [pytest.param(i, marks=[pytest.mark.slow] if i >= n_quick else []) for i in range(n_blocks)]
