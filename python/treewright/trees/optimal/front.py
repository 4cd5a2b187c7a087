"""The convex front of leaves and loss: its corners are the trees that are best at some price of a leaf."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from treewright.data.training import TrainingSet
from treewright.trees.optimal.course import Course
from treewright.trees.optimal.search import Found
from treewright.trees.optimal.task import OptimalTask
from treewright.trees.tree import Tree

FINEST = 10**9
"""Largest denominator of a price between two trees."""


@dataclass(frozen=True, eq=False)
class Point:
    """A tree on the front."""

    n_leaves: int
    loss: Fraction
    tree: Tree
    bound: float
    status: str
    mean_weight: Fraction
    """Of a sample: the unit of prices."""

    @classmethod
    def of(cls, found: Found) -> Point:
        """Take what a search at a price found."""
        search, n_leaves = found.search, found.tree.n_leaves
        assert search.bound is not None, "it proves one"
        bound = max(search.bound - search.leaf_price * n_leaves, 0.0)
        return cls(n_leaves, Fraction(search.loss), found.tree, bound, search.status, found.mean_weight)

    def price_against(self, larger: Point) -> Fraction:
        """Return the price of a leaf at which both cost the same."""
        price = (self.loss - larger.loss) / (larger.n_leaves - self.n_leaves) / self.mean_weight
        return price.limit_denominator(FINEST)

    def at(self, penalty: Fraction) -> Fraction:
        """Return the cost at a price."""
        return self.loss + penalty * self.mean_weight * self.n_leaves


@dataclass(eq=False)
class Searches:
    """Searches in the same data."""

    training: TrainingSet
    task: OptimalTask
    course: Course

    def front(self, depth: int) -> list[Point]:
        """Return the corners of the convex front of a depth by the number of leaves, those that are found."""
        least = self.point(0, Fraction(0))
        if self.course.is_over:
            return [least]
        most = self.point(depth, Fraction(0), fewest_leaves=True)
        if most.n_leaves <= least.n_leaves or most.loss >= least.loss:
            return [least]
        return [least, *self._between(depth, least, most), most]

    def _between(self, depth: int, fewer: Point, more: Point) -> list[Point]:
        if more.n_leaves - fewer.n_leaves < 2 or self.course.is_over:
            return []
        penalty = fewer.price_against(more)
        found = self.point(depth, penalty)
        is_inside = fewer.n_leaves < found.n_leaves < more.n_leaves
        if not is_inside or found.at(penalty) >= min(fewer.at(penalty), more.at(penalty)):
            return []
        left, right = self._between(depth, fewer, found), self._between(depth, found, more)
        return [*left, found, *right]

    def point(self, depth: int, penalty: Fraction, *, fewest_leaves: bool = False, where: str = "") -> Point:
        """Search at one price; `where` is told to the callback."""
        task = replace(self.task.at(depth, penalty), fewest_leaves=fewest_leaves)
        price = f", {float(penalty):.6g} for each leaf" if penalty else ""
        text = f"{where}depth {depth}{price}"
        return Point.of(self.course.search(self.training, task, text))
