"""Growing one tree, node by node, from all the samples again each time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reference.numbers import (
    SLACK,
    WHOLE_SHARE,
    divide_share,
    f_bits,
    mass_of,
)
from reference.splits import ByValue, Judge, Split, choose, threshold_of
from reference.table import (
    Column,
    Growing,
    Table,
    Value,
    as_counted,
    filled,
    filling,
    total_weight,
)

Shares = dict[int, int]  # sample -> share in units of 2**-30, all positive


@dataclass(frozen=True)
class Node:
    """A leaf (``feature`` is None) or an internal node with one child a branch."""

    depth: int
    node_class: int
    class_masses: tuple[int, ...]
    feature: int | None = None
    threshold: float | None = None
    children: tuple[Node, ...] = ()

    @property
    def mass(self) -> int:
        return sum(self.class_masses)

    def walk(self) -> Iterator[Node]:
        """Yield this node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Tree:
    """A root, with what prediction needs to know of the training columns."""

    root: Node
    n_classes: int
    fillings: tuple[Value, ...]
    routing: str

    @property
    def used_features(self) -> list[int]:
        """Features some node splits on, ascending."""
        nodes = self.root.walk()
        return sorted({node.feature for node in nodes if node.feature is not None})


def grow(table: Table, growing: Growing, features: Sequence[int] | None = None) -> Tree:
    """Grow the tree of a table with the given features, or with all."""
    allowed = range(table.n_features) if features is None else sorted(features)
    table, growing, weights = as_counted(table, growing)
    fillings = tuple(filling(c, weights, growing.missing) for c in table.columns)
    columns = [filled(c, fill) for c, fill in zip(table.columns, fillings, strict=True)]
    if growing.growth == "id3" and not all(column.is_nominal for column in columns):
        raise ValueError("ID3 grows on nominal features only")
    grower = Grower(table, growing, weights, columns)
    everyone = dict.fromkeys(range(table.n_samples), WHOLE_SHARE)
    root = grower.node(everyone, list(allowed), depth=0, parent_class=None)
    return Tree(root, table.n_classes, fillings, growing.routing)


class Grower:
    def __init__(
        self,
        table: Table,
        growing: Growing,
        weights: Sequence[int],
        columns: Sequence[Column],
    ) -> None:
        self.table, self.growing = table, growing
        self.weights, self.columns = weights, columns
        self.bits = f_bits(total_weight(weights))

    def node(self, shares: Shares, features: list[int], depth: int, parent_class: int | None) -> Node:
        """Grow the sub-tree of the samples with these shares."""
        masses = tuple(self._class_masses(shares))
        label = self._class_of(masses, parent_class)
        split = None
        if not self._must_be_leaf(masses, depth):
            split = self._best_split(shares, features, sum(masses))
        if split is None:
            return Node(depth, label, masses)
        threshold = self._threshold_of(split)
        if self.growing.growth == "id3":
            features = [f for f in features if f != split.feature]
        children = tuple(
            self.node(branch, features, depth + 1, label) for branch in self._divide(shares, split)
        )
        return Node(depth, label, masses, split.feature, threshold, children)

    def _threshold_of(self, split: Split) -> float | None:
        if split.cut is None:
            return None
        return threshold_of(split.cut, self._training_values(split.feature))

    def _class_masses(self, shares: Shares) -> list[int]:
        masses = [0] * self.table.n_classes
        for sample, share in shares.items():
            masses[self.table.target[sample]] += self.weights[sample] * share
        return masses

    def _class_of(self, masses: Sequence[int], parent_class: int | None) -> int:
        """Heaviest class; the lowest of equals, in ID3 the parent's if it is one."""
        if sum(masses) == 0 and parent_class is not None:
            return parent_class
        tied = [label for label, mass in enumerate(masses) if mass == max(masses)]
        if self.growing.growth == "id3" and parent_class in tied:
            return parent_class
        return tied[0]

    def _must_be_leaf(self, masses: Sequence[int], depth: int) -> bool:
        mass = sum(masses)
        return (
            mass + SLACK < mass_of(self.growing.min_samples_split)
            or depth == self.growing.max_depth
            or max(masses) == mass
        )

    def _best_split(self, shares: Shares, features: Sequence[int], mass: int) -> Split | None:
        judge = Judge(self.growing, mass, self.bits)
        splits = (self._split(judge, shares, feature) for feature in features)
        candidates = [split for split in splits if split is not None]
        return choose(candidates, self.growing.growth)

    def _split(self, judge: Judge, shares: Shares, feature: int) -> Split | None:
        n_levels = self.columns[feature].n_levels
        masses, undivided = self._masses_by_value(shares, feature)
        if n_levels is None:
            return judge.by_threshold(feature, masses, undivided)
        contingency = [masses.get(level, [0] * self.table.n_classes) for level in range(n_levels)]
        if self.growing.growth == "id3":
            return judge.id3(feature, contingency)
        return judge.by_value(feature, contingency, [undivided.get(level, [0]) for level in range(n_levels)])

    def _masses_by_value(self, shares: Shares, feature: int) -> tuple[ByValue, ByValue]:
        """Class masses at each known value, and the mass of the same samples undivided."""
        masses: ByValue = {}
        undivided: ByValue = {}
        for sample, share in shares.items():
            value = self.columns[feature].values[sample]
            if value is not None:
                at_value = masses.setdefault(value, [0] * self.table.n_classes)
                at_value[self.table.target[sample]] += self.weights[sample] * share
                undivided.setdefault(value, [0])[0] += self.weights[sample] * WHOLE_SHARE
        return masses, undivided

    def _training_values(self, feature: int) -> list[float]:
        values = self.table.columns[feature].values
        return [value for value in values if value is not None]

    def _divide(self, shares: Shares, split: Split) -> list[Shares]:
        """Send each sample whole to the branch of its value, or in parts to all if it is unknown."""
        branches: list[Shares] = [{} for _ in split.contingency]
        for sample, share in shares.items():
            value = self.columns[split.feature].values[sample]
            for branch, part in enumerate(_parts(value, share, split)):
                if part > 0:
                    branches[branch][sample] = part
        return branches


def _parts(value: Value, share: int, split: Split) -> list[int]:
    if value is None:
        return divide_share(share, split.branch_masses)
    branch = value if split.cut is None else value >= split.cut[1]
    return [share if b == branch else 0 for b in range(len(split.contingency))]
