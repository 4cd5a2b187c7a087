"""Columns that determine each other: a town and its post code, centimetres and inches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np

from treewright.data.description.columns import bits_of
from treewright.data.description.facts import Determination
from treewright.data.types import AnyArray, CodeArray, IntArray

FEWEST_BY_CHANCE = 20.0
"""One column determines another if so many rows were expected to differ, and none does."""
MOST_CELLS = 50_000_000
"""In a larger table only columns that determine each other are looked for."""
SAMPLE = 20_000
"""Rows of the first look."""
FEW = 64
"""Pairs of rows that are tried first."""


@dataclass(frozen=True, eq=False)
class _Coded:
    """A column as numbers from 0 in the order of first occurrence."""

    name: str
    codes: CodeArray
    n_values: int

    @property
    def variety(self) -> float:
        """Share of pairs of rows with different values."""
        shares = np.bincount(self.codes) / len(self.codes)
        return 1.0 - float((shares**2).sum())


def determinations(names: Sequence[str], columns: Sequence[AnyArray]) -> tuple[Determination, ...]:
    """Find columns that say what others are: in all rows, and not by chance."""
    named = zip(names, columns, strict=True)
    found, others = _mutual(_coded(name, bits_of(column)) for name, column in named)
    return (*found, *_one_way(others))


def _coded(name: str, bits: IntArray) -> _Coded:
    _, first, place = np.unique(bits, return_index=True, return_inverse=True)
    rank = np.empty(len(first), dtype=np.int32)
    rank[np.argsort(first)] = np.arange(len(first), dtype=np.int32)
    return _Coded(name, rank[place], len(first))


def _mutual(coded: Iterable[_Coded]) -> tuple[list[Determination], list[_Coded]]:
    """Find columns that part the rows alike; return them, and one of each, of not too many."""
    first: dict[bytes, _Coded] = {}
    found, n_cells = [], 0
    for column in coded:
        if not 1 < column.n_values <= len(column.codes) / 2:
            continue
        other = first.setdefault(sha256(column.codes.tobytes()).digest(), column)
        if other is not column and _repeats(column) * column.variety >= FEWEST_BY_CHANCE:
            found.append(Determination(column.name, other.name, is_mutual=True))
        n_cells += len(column.codes)
        if n_cells > MOST_CELLS:
            first = {digest: replace(one, codes=one.codes[:0]) for digest, one in first.items()}
    return found, [] if n_cells > MOST_CELLS else list(first.values())


def _repeats(column: _Coded) -> int:
    """Return how many rows have the value of an earlier one."""
    return len(column.codes) - column.n_values


def _one_way(coded: Sequence[_Coded]) -> list[Determination]:
    """Find columns that follow from one other; of a column the one with the fewest values is told."""
    if len(coded) < 2:
        return []
    n_rows = len(coded[0].codes)
    step = max(n_rows // SAMPLE, 1)
    sample = np.stack([column.codes[::step] for column in coded])
    sources: dict[int, int] = {}
    for of, by in _candidates(coded, sample):
        is_less = of not in sources or coded[by].n_values < coded[sources[of]].n_values
        if is_less and _follows(coded[of].codes, coded[by].codes):
            sources[of] = by
    return [
        Determination(coded[of].name, coded[by].name, is_mutual=False) for of, by in sorted(sources.items())
    ]


def _candidates(coded: Sequence[_Coded], sample: AnyArray) -> Iterator[tuple[int, int]]:
    """Yield pairs of columns of which the first may follow from the second, by a few rows."""
    n_values = np.array([column.n_values for column in coded])
    variety = np.array([column.variety for column in coded])
    for by in range(len(coded)):
        order = np.argsort(sample[by], kind="stable")
        is_pair = sample[by][order[1:]] == sample[by][order[:-1]]
        one, other = order[1:][is_pair], order[:-1][is_pair]
        if not len(one):
            continue
        few = np.linspace(0, len(one) - 1, min(FEW, len(one))).astype(np.int64)
        agrees = (sample[:, one[few]] == sample[:, other[few]]).all(axis=1)
        agrees &= (n_values < n_values[by]) & (variety * _repeats(coded[by]) >= FEWEST_BY_CHANCE)
        for of in np.flatnonzero(agrees).tolist():
            if of != by and bool((sample[of][one] == sample[of][other]).all()):
                yield of, by


def _follows(of: CodeArray, by: CodeArray) -> bool:
    """Tell whether rows with one value in `by` have one value in `of`."""
    value = np.empty(int(by.max()) + 1, dtype=of.dtype)
    value[by] = of
    return bool((value[by] == of).all())
