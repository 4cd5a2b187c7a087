"""Distinct trees: each named by the features that it tests, with the feature subsets that give it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Literal, NoReturn, Protocol

from treewright._base.errors import ParameterError
from treewright._base.html import element, fragment, sentence
from treewright._base.params import is_whole
from treewright._base.wording import UNSET, Param
from treewright.trees.tree import Tree

ORDERS = ("frontier", "frontier_descending", "index", "index_descending")
"""Which feature of a tree a search takes away first."""


def feature_subsets(
    required_features: Iterable[int], optional_features: Iterable[int]
) -> Iterator[tuple[int, ...]]:
    """Enumerate the feature subsets that contain all required features and any of the optional ones.

    Parameters
    ----------
    required_features : iterable of int
        Positions of the features that are in every set.
    optional_features : iterable of int
        Positions of the features that may be in a set; none of them required.

    Returns
    -------
    subsets : iterator of tuple of int
        ``2**len(optional_features)`` sets, each once, as ascending positions.

    Raises
    ------
    ParameterError
        If an item is no position, comes twice, or is both required and optional.

    Notes
    -----
    This is `subset` of the reference, which takes features away one at a time: each set but the
    first is an earlier one without one feature. Taken in ascending order, the features taken away
    count up in binary, the first optional feature being the last digit; so there is no recursion
    and nothing to hold but the number.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, algorithm 1.

    Examples
    --------
    >>> from treewright.distinct import feature_subsets
    >>> list(feature_subsets(required_features=[2], optional_features=[0, 5]))
    [(0, 2, 5), (2, 5), (0, 2), (2,)]
    """
    held, free = (
        _positions("required_features", required_features),
        _positions("optional_features", optional_features),
    )
    for position in held:
        if position in free:
            raise ParameterError(
                "optional_features",
                UNSET,
                (f"has feature {position}, which is in ", Param("required_features"), " too"),
                "leave it in only one of the two",
            )
    return _counting_up(held, free)


def _counting_up(held: list[int], free: list[int]) -> Iterator[tuple[int, ...]]:
    """Read the digits of 0, 1, 2, ... as the free features that are away."""
    for away in range(2 ** len(free)):
        present = (feature for i, feature in enumerate(free) if not away >> i & 1)
        yield tuple(sorted([*held, *present]))


def _positions(name: str, items: Iterable[int]) -> list[int]:
    try:
        positions = list(items)
    except TypeError as error:
        remedy = f"give their positions: [{items!r}]"
        raise ParameterError(name, items, "is no list of features", remedy) from error
    for i, position in enumerate(positions):
        if not is_whole(position) or position < 0:
            remedy = "give ints from 0 on"
            raise ParameterError(name, position, "is no position of a feature", remedy, at=(i,))
    if len(set(positions)) < len(positions):
        raise ParameterError(name, positions, "names a feature twice", "name every feature once")
    return sorted(map(int, positions))


@dataclass(frozen=True)
class SubsetInterval:
    """All sets of features between a smallest and a largest one.

    It can be asked what it has (``subset in interval``) and walked through, but makes no list.

    Attributes
    ----------
    required_features : tuple of int
        Positions of the features that every set has, ascending: the smallest set.
    optional_features : tuple of int
        Positions of the features that a set may have or not, ascending.

    Examples
    --------
    >>> from treewright.distinct import SubsetInterval
    >>> interval = SubsetInterval(required_features=(2,), optional_features=(0, 5))
    >>> interval.n_subsets, [2, 0] in interval, [0, 5] in interval
    (4, True, False)
    >>> list(interval)
    [(0, 2, 5), (2, 5), (0, 2), (2,)]
    """

    required_features: tuple[int, ...]
    optional_features: tuple[int, ...]

    @property
    def n_subsets(self) -> int:
        """How many sets there are: ``2**len(optional_features)``, exactly."""
        return 1 << len(self.optional_features)

    def __len__(self) -> NoReturn:
        raise TypeError("a SubsetInterval may have more sets than len() can say; use n_subsets")

    def __bool__(self) -> Literal[True]:
        return True

    def __getitem__(self, position: object) -> NoReturn:
        raise TypeError("a SubsetInterval makes no list to take from; walk through it, or use n_subsets")

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return feature_subsets(self.required_features, self.optional_features)

    def __contains__(self, subset: Iterable[int]) -> bool:
        features = set(subset)
        return features.issuperset(self.required_features) and features <= {
            *self.required_features,
            *self.optional_features,
        }


class TreeSource(Protocol):
    """Where the tree of some features comes from."""

    @property
    def n_features(self) -> int:
        """Number of features of the data."""

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Return the tree of some features."""

    def count_leaves(self, features: tuple[int, ...]) -> int | float:
        """Return the leaves of the tree of some features; the mean where it stands for several trees."""


@dataclass(frozen=True, slots=True)
class Grown:
    """A source of one tree that is there already, so that no data need be held."""

    tree: Tree
    mean_leaves: float | None = None
    """The mean leaves of the trees that it stands for, if it stands for several."""

    @property
    def n_features(self) -> int:
        """Number of features of the data."""
        return self.tree.n_features

    def grow(self, features: tuple[int, ...]) -> Tree:
        """Return the tree; it tests these features."""
        return self.tree

    def count_leaves(self, features: tuple[int, ...]) -> int | float:
        """Return the leaves of the tree, or the mean of those that it stands for."""
        return self.tree.n_leaves if self.mean_leaves is None else self.mean_leaves


@dataclass(frozen=True, slots=True, repr=False)
class DistinctTree:
    """A distinct tree: one tree, with all feature subsets that give it.

    No two distinct trees test the same features, so these are enough to grow it again. A pickle of
    one that an enumeration found holds the data, from which `tree` is grown; for a small one pickle
    ``tree`` itself.

    Attributes
    ----------
    used_features : tuple of int
        Positions of the features that the tree tests, ascending.
    n_validation_errors : int, float or None
        Summed weight of the validation samples that the tree predicts wrongly, an int when all weights
        are whole; None without a validation part, and with a cost matrix.
    blocked_features : tuple of int
        Positions of the features that would change the tree if they were added, ascending.
    validation_cost : float or None
        With a cost matrix, what the answers to the validation samples cost, in its unit.

    Examples
    --------
    >>> from treewright.distinct import enumerate_distinct_trees
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> first = next(enumerate_distinct_trees(X, ["no", "no", "yes", "yes"]))
    >>> first
    DistinctTree(used_features=(0,), n_validation_errors=None, blocked_features=())
    >>> list(first.equivalent_subsets)
    [(0, 1), (0,)]
    >>> print(first.tree.export_text())
    x0 = a: no
    x0 = b: yes
    """

    used_features: tuple[int, ...]
    n_validation_errors: int | float | None
    blocked_features: tuple[int, ...]
    _source: TreeSource = field(repr=False, compare=False)
    validation_cost: float | None = None

    def __repr__(self) -> str:
        """Return what identifies the tree, and what was counted on the validation samples."""
        errors, cost = self.n_validation_errors, self.validation_cost
        counted = f"n_validation_errors={errors}" if cost is None else f"validation_cost={cost}"
        return (
            f"DistinctTree(used_features={self.used_features}, {counted}, "
            f"blocked_features={self.blocked_features})"
        )

    def _repr_html_(self) -> str:
        """Show what identifies the tree, and the tree as a notebook shows it."""
        return f"<div>{fragment(element('p', sentence(repr(self))))}{self.tree._repr_html_()}</div>"

    @property
    def equivalent_subsets(self) -> SubsetInterval:
        """The feature subsets that give this tree: all used features, no blocked ones, any of the others."""
        taken = {*self.used_features, *self.blocked_features}
        free = (feature for feature in range(self._source.n_features) if feature not in taken)
        return SubsetInterval(self.used_features, tuple(free))

    @property
    def n_subsets(self) -> int:
        """Number of feature subsets that give this tree."""
        return 1 << (self._source.n_features - len(self.used_features) - len(self.blocked_features))

    @property
    def tree(self) -> Tree:
        """The tree itself; for a tree of an enumeration it is grown at each access."""
        return self._source.grow(self.used_features)

    @property
    def n_leaves(self) -> int | float:
        """Number of leaves of the tree; of a complete search with folds, the mean of the folds' trees."""
        return self._source.count_leaves(self.used_features)
