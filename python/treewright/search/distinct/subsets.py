"""Sets of features: all those between two, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal, NoReturn

from treewright._base.errors import ParameterError
from treewright._base.params import is_whole


def feature_subsets(required: Iterable[int], optional: Iterable[int]) -> Iterator[tuple[int, ...]]:
    """Yield every set that has all the required features and any of the optional ones.

    Parameters
    ----------
    required : iterable of int
        Positions of the features that are in every set.
    optional : iterable of int
        Positions of the features that may be in a set; none of them required.

    Returns
    -------
    subsets : iterator of tuple of int
        ``2**len(optional)`` sets, each once, as ascending positions.

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
    >>> list(feature_subsets(required=[2], optional=[0, 5]))
    [(0, 2, 5), (2, 5), (0, 2), (2,)]
    """
    held, free = _positions("required", required), _positions("optional", optional)
    for position in held:
        if position in free:
            raise ParameterError(
                f"feature {position} is both required and optional; leave it in only one of the two"
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
        raise ParameterError(
            f"{name}={items!r} is no list of features; give their positions: [{items!r}]"
        ) from error
    for i, position in enumerate(positions):
        if not is_whole(position) or position < 0:
            raise ParameterError(f"{name}[{i}]={position!r} is no position of a feature; give ints from 0 on")
    if len(set(positions)) < len(positions):
        raise ParameterError(f"{name}={positions!r} names a feature twice; name every feature once")
    return sorted(map(int, positions))


@dataclass(frozen=True)
class SubsetInterval:
    """All sets of features between a smallest and a largest one.

    It can be asked what it has (``subset in interval``) and walked through, but makes no list.

    Attributes
    ----------
    required : tuple of int
        Positions of the features that every set has, ascending: the smallest set.
    optional : tuple of int
        Positions of the features that a set may have or not, ascending.

    Examples
    --------
    >>> from treewright.distinct import SubsetInterval
    >>> interval = SubsetInterval(required=(2,), optional=(0, 5))
    >>> interval.n_subsets, [2, 0] in interval, [0, 5] in interval
    (4, True, False)
    >>> list(interval)
    [(0, 2, 5), (2, 5), (0, 2), (2,)]
    """

    required: tuple[int, ...]
    optional: tuple[int, ...]

    @property
    def n_subsets(self) -> int:
        """How many sets there are: ``2**len(optional)``, exactly."""
        return 1 << len(self.optional)

    def __len__(self) -> NoReturn:
        raise TypeError("a SubsetInterval may have more sets than len() can say; use n_subsets")

    def __bool__(self) -> Literal[True]:
        return True

    def __getitem__(self, position: object) -> NoReturn:
        raise TypeError("a SubsetInterval makes no list to take from; walk through it, or use n_subsets")

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return feature_subsets(self.required, self.optional)

    def __contains__(self, subset: Iterable[int]) -> bool:
        features = set(subset)
        return features.issuperset(self.required) and features <= {*self.required, *self.optional}
