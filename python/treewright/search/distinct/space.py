"""The search space of an enumeration: its calls as a tree, for a few features, to be read or drawn."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, islice
from typing import TYPE_CHECKING

from treewright._base.html import element, fragment, sentence
from treewright._base.numbers import counted_noun
from treewright._base.shown import shown_text
from treewright.data.types import TableLike, VectorLike
from treewright.search.distinct.problem import Problem
from treewright.search.distinct.space_plot import plot_calls
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.tree import Tree

if TYPE_CHECKING:
    from matplotlib.axes import Axes


Features = tuple[int, ...]
"""Positions of features, ascending."""

MOST_CHARACTERS = 44
"""Of a set in a box."""


@dataclass(frozen=True)
class SearchCall:
    """One call of the enumeration: it grows the tree of its required and its optional features together.

    Attributes
    ----------
    required_features : tuple of int
        R: positions of the features that the trees of this call and of those below it must test, ascending.
    optional_features : tuple of int
        S: positions of the features that they may test, ascending.
    used_features : tuple of int
        Positions of the features that the tree of this call tests, ascending.
    parent : int or None
        Position of the call around this one; None for the first.
    removed_feature : int or None
        Position of the feature that the call around has and this one has not; None for the first.

    Examples
    --------
    >>> from treewright.distinct import SearchCall
    >>> call = SearchCall((0,), (2,), used_features=(2,), parent=None, removed_feature=None)
    >>> call.is_new
    False
    """

    required_features: tuple[int, ...]
    optional_features: tuple[int, ...]
    used_features: tuple[int, ...]
    parent: int | None
    removed_feature: int | None

    @property
    def is_new(self) -> bool:
        """Whether its tree tests all required features: it is reported here, and in no other call."""
        return set(self.required_features) <= set(self.used_features)


@dataclass(frozen=True, repr=False)
class SearchSpace:
    """The calls that an enumeration makes, as `search_space` returns them.

    Attributes
    ----------
    calls : tuple of SearchCall
        The calls in the order in which they are made; a call comes before those below it.
    feature_names : tuple of str
        Names of the features.
    status : {"complete", "node_limit"}
        Whether these are all calls.

    Examples
    --------
    >>> from treewright.distinct import search_space
    >>> X = [["a", "x"], ["a", "y"], ["b", "x"], ["b", "y"]]
    >>> print(search_space(X, ["no", "no", "yes", "no"]))
    must {}, may {x0, x1}: tests {x0, x1}
    |   must {x0}, may {}: tests {x0}
    |   must {}, may {x1}: tests {x1}
    |   |   must {}, may {}: tests {}
    """

    calls: tuple[SearchCall, ...]
    feature_names: tuple[str, ...]
    status: str

    @property
    def n_built(self) -> int:
        """Number of calls; each builds one tree."""
        return len(self.calls)

    @property
    def n_distinct(self) -> int:
        """Number of calls whose tree is new: of distinct trees."""
        return sum(call.is_new for call in self.calls)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the calls as a tree: what trees must test, what they may test, and what they do test.

        A call whose tree is not new has a dashed frame: the tree was built in vain.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, default=None
            Where to draw; None makes a new figure.

        Returns
        -------
        ax : matplotlib.axes.Axes
            A box for each call, in a row those from which equally many features were removed.

        Raises
        ------
        ImportError
            If matplotlib is not installed.
        """
        return plot_calls(
            [self._in_box(call) for call in self.calls],
            [call.parent for call in self.calls],
            [call.is_new for call in self.calls],
            ax,
            is_whole=self.status == "complete",
        )

    def _told(self, features: Features) -> str:
        return "{" + ", ".join(self.feature_names[i] for i in features) + "}"

    def _in_box(self, call: SearchCall) -> tuple[str, str, str]:
        required, optional, used = map(self._short, _sets_of(call))
        return required, optional, used

    def _short(self, features: Features) -> str:
        """Tell a set in so few characters that it fits in a box."""
        for n_named in range(len(features), 0, -1):
            n_more = len(features) - n_named
            names = [shown_text(self.feature_names[i]) for i in features[:n_named]]
            text = "{" + ", ".join([*names, *([f"{n_more} more"] if n_more else [])]) + "}"
            if len(text) <= MOST_CHARACTERS:
                return text
        return f"{{{counted_noun(len(features), 'feature')}}}" if features else "{}"

    def __repr__(self) -> str:
        return f"SearchSpace(n_built={self.n_built}, n_distinct={self.n_distinct}, status={self.status!r})"

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        """Show the calls as a notebook does."""
        told = f"{counted_noun(self.n_distinct, 'distinct tree')}, {counted_noun(self.n_built, 'tree')} built"
        return fragment(element("p", sentence(told)), element("pre", str(self)))

    def _lines(self) -> Iterator[str]:
        depth: dict[int | None, int] = {None: -1}
        for i, call in enumerate(self.calls):
            depth[i] = depth[call.parent] + 1
            required, optional, used = map(self._told, _sets_of(call))
            in_vain = "" if call.is_new else ", built in vain"
            yield f"{'|   ' * depth[i]}must {required}, may {optional}: tests {used}{in_vain}"
        if self.status != "complete":
            yield "The search goes on."


def _sets_of(call: SearchCall) -> tuple[Features, Features, Features]:
    return call.required_features, call.optional_features, call.used_features


def search_space(
    X: TableLike,
    y: VectorLike = None,
    *,
    sample_weight: VectorLike = None,
    estimator: GreedyTreeClassifier | None = None,
    validation_set: object = None,
    random_state: object = None,
    required_features: object = None,
    order: str = "frontier",
    node_limit: int = 256,
) -> SearchSpace:
    """Return the calls that the enumeration of distinct trees makes, to be read or drawn.

    It is meant for few features: every tree is grown from the root, and each call is a box of the picture.

    Parameters
    ----------
    X, y, sample_weight, estimator, validation_set, random_state, required_features
        As in `enumerate_distinct_trees`. Validation samples grow no trees.
    order : {"frontier", "frontier_descending", "index", "index_descending"}, default="frontier"
        Which feature is removed first.
    node_limit : int, default=256
        Number of calls after which the search space ends.

    Returns
    -------
    SearchSpace
        The calls, in the order in which they are made.

    Raises
    ------
    ParameterError
        If a parameter has an invalid value.
    DataError
        If the data cannot be used.

    See Also
    --------
    enumerate_distinct_trees : Yields the trees.

    References
    ----------
    S. Ruggieri, "Enumerating Distinct Decision Trees", ICML 2017, figure 2 and algorithm 2.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.distinct import search_space
    >>> estimator = GreedyTreeClassifier(min_samples_split=100)
    >>> space = search_space(datasets.load("iris"), estimator=estimator)
    >>> space.n_built, space.n_distinct
    (6, 6)
    """
    problem = Problem.of(
        X,
        y,
        estimator=estimator,
        sample_weight=sample_weight,
        validation_set=validation_set,
        random_state=random_state,
        n_jobs=None,
        order=order,
        node_limit=node_limit,
        memory_limit=None,
        required_features=required_features,
    )
    return space_of(problem, node_limit)


def space_of(problem: Problem, node_limit: int) -> SearchSpace:
    """Return the calls of a problem."""
    required = frozenset(problem.rules.required_features)
    first = (required, frozenset(range(problem.n_features)) - required)
    found = _visited(problem, *first, parent=None, removed=None, numbers=count())
    calls = tuple(islice(found, node_limit))
    status = "complete" if next(found, None) is None else "node_limit"
    return SearchSpace(calls, tuple(problem.training.dataset.feature_names), status)


def _visited(
    problem: Problem,
    required: frozenset[int],
    optional: frozenset[int],
    *,
    parent: int | None,
    removed: int | None,
    numbers: Iterator[int],
) -> Iterator[SearchCall]:
    """Yield the calls of algorithm 2 as they come; its line 8 should read "S without U"."""
    own = next(numbers)
    tree = Tree(problem.unpruned(_ascending(required | optional)))
    used = frozenset(tree.used_features)
    yield SearchCall(_ascending(required), _ascending(optional), _ascending(used), parent, removed)
    must, may = required | (optional & used), optional - used
    for feature in _in_order(tree, optional & used, problem.rules.order):
        must -= {feature}
        yield from _visited(problem, must, may, parent=own, removed=feature, numbers=numbers)
        may |= {feature}


def _ascending(features: frozenset[int]) -> Features:
    return tuple(sorted(features))


def _in_order(tree: Tree, features: frozenset[int], order: str) -> list[int]:
    """Return features as a call removes them; ties of the frontier go to the lowest."""
    if not order.startswith("frontier"):
        return sorted(features, reverse=order == "index_descending")
    weights = defaultdict[int, list[float]](list)
    for feature, weight in zip(tree.feature.tolist(), tree.weight.tolist(), strict=True):
        weights[feature].append(weight)
    sign = -1 if order == "frontier_descending" else 1
    return sorted(features, key=lambda feature: (sign * math.fsum(weights[feature]), feature))
