"""The fewest features that meet every one of some sets: the core of shortest rules.

A set is a whole number, whose bits are its features.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from treewright.data.types import AnyArray

Sets = Sequence[int]
Look = Callable[[], object]
"""Is called as the search goes on, and raises what ends it."""


def minimal_sets(differs: AnyArray) -> list[int]:
    """Return the rows of a table of booleans as sets, without those that have another one in them.

    What meets the others meets these, too. The sets come by size, the smallest first.
    """
    if not len(differs):
        return []
    words = _words_of(differs)
    unique = np.unique(words) if words.ndim == 1 else np.unique(words, axis=0)
    sizes = np.unpackbits(unique.view(np.uint8).reshape(len(unique), -1), axis=1).sum(axis=1)
    rest = unique[np.argsort(sizes, kind="stable")]
    found = []
    while len(rest):
        first = rest[0]
        found.append(int.from_bytes(first.tobytes(), "little"))
        is_left = (rest & first) != first
        rest = rest[is_left if is_left.ndim == 1 else is_left.any(axis=1)]
    return found


def _words_of(differs: AnyArray) -> AnyArray:
    """Return rows of booleans as bits of words, shape (n_rows,) where one word is enough for a row."""
    packed = np.packbits(differs, axis=1, bitorder="little")
    n_words = max(1, -(-packed.shape[1] // 8))
    whole = np.zeros((len(packed), 8 * n_words), dtype=np.uint8)
    whole[:, : packed.shape[1]] = packed
    words = whole.view("<u8")
    return words[:, 0] if n_words == 1 else words


def greedy_choice(differs: AnyArray) -> list[int]:
    """Return features that every row has one of: in turn the one that most rows have which have none yet.

    Of equally many the lowest feature is taken.
    """
    chosen, left = [], differs
    while len(left):
        best = int(left.sum(axis=0).argmax())
        chosen.append(best)
        left = left[~left[:, best]]
    return sorted(chosen)


def least_number(sets: Iterable[int]) -> int:
    """Return a number of features below which nothing meets all sets: that of sets found with none in common.

    The sets come by size, the smallest first.
    """
    n_apart, taken = 0, 0
    for one in sets:
        if not one & taken:
            n_apart, taken = n_apart + 1, taken | one
    return n_apart


def is_enough(sets: Sets, n_features: int, look: Look) -> bool:
    """Whether so many features can meet all sets; no set is empty, and they come by size."""
    look()
    if not sets:
        return True
    if least_number(sets) > n_features:
        return False
    counts = Counter(feature for one in sets for feature in features_of(one))
    excluded = 0
    for feature in sorted(features_of(sets[0]), key=lambda feature: (-counts[feature], feature)):
        rest = [one & ~excluded for one in sets if not one >> feature & 1]
        if 0 in rest:
            excluded |= 1 << feature
            continue
        if is_enough(sorted(set(rest), key=int.bit_count), n_features - 1, look):
            return True
        excluded |= 1 << feature  # whatever has it was looked at
    return False


def first_choice(sets: Sets, n_features: int, look: Look) -> list[int]:
    """Return the lexicographically first choice of so many features, which are enough and the fewest."""
    chosen: list[int] = []
    left = list(sets)
    while left:
        for feature in sorted({feature for one in left for feature in features_of(one)}):
            later = ~((1 << feature + 1) - 1)
            rest = [one & later for one in left if not one >> feature & 1]
            n_more = n_features - len(chosen) - 1
            if 0 not in rest and is_enough(sorted(set(rest), key=int.bit_count), n_more, look):
                chosen.append(feature)
                left = rest
                break
        else:
            raise AssertionError("so many features are enough")
    return chosen


def features_of(one: int) -> Iterator[int]:
    """Yield the features of a set, ascending."""
    while one:
        lowest = one & -one
        yield lowest.bit_length() - 1
        one ^= lowest
