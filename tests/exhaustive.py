"""Complete search, the obvious way: the tree of every subset, all of them compared."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from stepwise import Judge

Used = tuple[int, ...]


@dataclass(frozen=True)
class Everything:
    """Every distinct tree, named by what it tests, with its errors and the subsets that give it."""

    errors: dict[Used, float]
    subsets: dict[Used, set[Used]]

    @classmethod
    def of(cls, judge: Judge) -> Everything:
        """Grow and judge the tree of every subset."""
        errors, subsets = {}, defaultdict(set)
        n_features = judge.table.n_features
        for size in range(n_features + 1):
            for subset in combinations(range(n_features), size):
                used = tuple(sorted(judge.used(frozenset(subset))))
                errors[used] = judge.errors(frozenset(subset))
                subsets[used].add(subset)
        return cls(errors, subsets)

    def ranked(self, max_features: int | None = None) -> list[Used]:
        """Return the trees that test at most so many features, the best first."""
        legal = (used for used in self.errors if max_features is None or len(used) <= max_features)
        return sorted(legal, key=lambda used: (self.errors[used], len(used), used))

    def n_ties(self, max_features: int | None = None) -> int:
        """Count the trees that err as little as the best."""
        errors = [self.errors[used] for used in self.ranked(max_features)]
        return errors.count(min(errors))
