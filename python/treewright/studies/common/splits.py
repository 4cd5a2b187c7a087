"""Folds of rows: stratified, by groups that stay together, or in time; one way for all."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from treewright._base.errors import DataError
from treewright.data.types import AnyArray, CodeArray, IntArray

Split = tuple[IntArray, IntArray]
"""Positions of the rows to learn from, and of those to judge by."""


def row_splits(
    target: CodeArray,
    n_folds: int,
    *,
    n_repeats: int = 1,
    seed: int = 0,
    row_groups: AnyArray | None = None,
    times: AnyArray | None = None,
) -> list[Split]:
    """Return rows to learn from and rows to judge by, for every fold of every repetition.

    Parameters
    ----------
    target : ndarray of int, shape (n_samples,)
        Class of every row.
    n_folds : int
        Number of folds; fewer if no class has so many rows.
    n_repeats : int, default=1
        How often folds are drawn anew; folds in time are always the same.
    seed : int, default=0
        Draws the folds.
    row_groups : ndarray of shape (n_samples,), default=None
        Rows of one value stay in one fold.
    times : ndarray of shape (n_samples,), default=None
        A fold is a later block of rows, judged by what comes before it; rows of one time stay together, and
        the first block is judged by none.

    Returns
    -------
    splits : list of (ndarray of int, ndarray of int)
        A class with fewer rows than folds is simply not in every fold.

    Raises
    ------
    DataError
        If there are fewer groups or times than folds, or times are missing.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright.studies import row_splits
    >>> target = np.array([0, 1, 0, 1, 0, 1], dtype=np.int32)
    >>> [judging.tolist() for _, judging in row_splits(target, 2, times=np.array([1, 2, 2, 3, 4, 5]))]
    [[3], [4, 5]]
    """
    if times is not None:
        return _in_time(times, n_folds)
    repeats = range(seed, seed + n_repeats)
    if row_groups is not None:
        codes = np.unique(row_groups.astype(str), return_inverse=True)[1]
        return [split for one in repeats for split in _by_group(target, codes, n_folds, one)]
    return [split for one in repeats for split in _stratified(target, n_folds, one)]


def _stratified(target: CodeArray, n_folds: int, seed: int) -> list[Split]:
    n_folds = min(n_folds, int(np.bincount(target).max()))
    if n_folds < 2:
        raise DataError("no class has two rows, so there is none to judge by; give more rows")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(StratifiedKFold(n_folds, shuffle=True, random_state=seed).split(target, target))


def _by_group(target: CodeArray, codes: IntArray, n_folds: int, seed: int) -> list[Split]:
    n_groups = int(codes.max()) + 1
    if n_groups < n_folds:
        raise DataError(f"there are {n_groups} groups, fewer than {n_folds} folds; ask for fewer folds")
    splitter = StratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return [(one, other) for one, other in splitter.split(target, target, codes) if len(other)]


def _in_time(times: AnyArray, n_folds: int) -> list[Split]:
    """Return later and later blocks, each with all rows before it."""
    if any(time is None or time != time for time in times.tolist()):
        raise DataError("the times have missing values; fill them in")
    _, codes = np.unique(times, return_inverse=True)
    ends = np.cumsum(np.bincount(codes))
    wanted = np.arange(1, n_folds + 1) * len(times) / (n_folds + 1)
    cuts = np.unique([*np.searchsorted(ends, wanted).tolist(), len(ends) - 1])
    blocks = np.searchsorted(cuts, codes)
    if blocks.max() < n_folds:
        raise DataError(f"there are too few different times for {n_folds} folds; ask for fewer folds")
    later = range(1, int(blocks.max()) + 1)
    return [(np.flatnonzero(blocks < block), np.flatnonzero(blocks == block)) for block in later]
