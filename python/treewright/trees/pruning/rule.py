"""What a rule is: a small estimator that, given a tree, says which of its nodes become leaves."""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass
from functools import cached_property
from numbers import Real
from typing import Self

import numpy as np

from treewright import _core
from treewright._base.errors import DataError, DataTypeError, ParameterError
from treewright._base.origin import Parametrised
from treewright._base.params import Rating, SearchPruning, number
from treewright._base.wording import Attribute, Param
from treewright.data.training import TrainingSet
from treewright.data.types import FloatArray
from treewright.trees.growing import Growing
from treewright.trees.origin import PrunedBy
from treewright.trees.tree import Tree

KEPT, CUT, BELOW, LEAF, GRAFTED = range(5)
"""What becomes of a node: as the engine numbers it."""


@dataclass(frozen=True, eq=False)
class Regrowing:
    """How to grow such a tree again, and the samples it was grown from."""

    growing: Growing
    training: TrainingSet


@dataclass(frozen=True, eq=False)
class Task:
    """A tree to prune and what is known besides.

    Estimates go by the weights of the tree. `rows` are samples in its domain, `class_weight` the factors of
    their weights, one a class of the tree, and `regrowing` says how to grow it from other samples.
    """

    tree: Tree
    rows: _core.Dataset | None = None
    class_weight: list[float] | None = None
    regrowing: Regrowing | None = None
    n_threads: int = 1


@dataclass(frozen=True, eq=False)
class Pruned:
    """What a rule made of a tree.

    `rule` is a copy of the one that was applied; of one that chooses a parameter, what it chose. `before` is
    the tree as it was judged: its weights are those of the estimates. `found` tells for every node of the
    pruned tree its `origin`, the node before that stands there now, and for every node before its estimated
    error rates, as a `leaf`, with its `subtree`, and with its largest `branch` in its place (NaN where that
    was not tried), and its `action`: `KEPT`, `CUT`, `BELOW`, `LEAF` or `GRAFTED`.
    """

    rule: PruningRule
    before: Tree
    found: _core.PrunedTree

    @classmethod
    def of(cls, rule: PruningRule, before: Tree, found: _core.PrunedTree) -> Pruned:
        """Take over what the engine found; the rule may change later."""
        return cls(copy.copy(rule), before, found)

    @cached_property
    def tree(self) -> Tree:
        """The pruned tree."""
        return Tree(self.found.tree)._found_by(PrunedBy.of(self.rule))


class PruningRule(Parametrised):
    """Base of the pruning rules.

    A rule by an estimate has `_rates` and perhaps a parameter `slack`, in units of the estimate; one that
    does more has a `_prune` of its own.
    """

    _slack_errors = 0.0
    """In samples: so much more a leaf may be estimated to err than what is below it."""
    _estimates_nodes = True
    """Whether there is an estimate for every node, and not for the whole tree alone."""
    _takes_rows_as_judges = False
    """Whether samples given with a tree judge it, in place of being what its nodes count."""

    def __copy__(self) -> Self:
        """Return a rule of the same parameters; scikit-learn looks at versions on the way."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__)
        return other

    def _check(self) -> None:
        """Refuse parameters that cannot be; called before anything is looked at."""

    def _grown(self, regrowing: Regrowing) -> Task:
        """Grow the tree to prune in ``fit``: of all samples, unless the rule says otherwise."""
        return grown_whole(regrowing)

    def _search_rates(self) -> _core.ErrorEstimate | _core.Program | Rating | float | None:
        """Return what estimates leaves while a search goes on; None if it needs more than a node's counts."""
        return None

    def _for_search(self) -> SearchPruning | None:
        """Return the rule as the engine of a search takes it, if it can."""
        rates = self._search_rates()
        slack = float(getattr(self, "slack", 0.0))
        return None if rates is None else SearchPruning(rates, self._slack_errors, slack)

    def _rates(self, tree: Tree) -> FloatArray:
        """Estimate the error rate of every node as a leaf."""
        raise AssertionError("every rule has estimates or a way of its own")

    def _prune(self, task: Task) -> Pruned:
        """Make leaves, from the bottom up, of nodes that are estimated to err no more than what is below."""
        core, slack = task.tree._told, float(getattr(self, "slack", 0.0))
        rates = self._rates(task.tree)
        judged = priced(task.tree)._core
        found = _core.prune(core, rates, slack_errors=self._slack_errors, slack_rate=slack, judged=judged)
        return Pruned.of(self, task.tree, found)


def grown_whole(regrowing: Regrowing) -> Task:
    """Grow a tree from all the samples; they are the rows of the task as well."""
    growing, training = regrowing.growing, regrowing.training
    factors = growing.parameters(training).class_weight
    return Task(growing.grow(training), training.core, factors, regrowing, growing.n_threads)


def counts_of(tree: Tree) -> tuple[FloatArray, FloatArray]:
    """Return the weight of the own class of every node, and the whole weight.

    Where wrong answers have costs, a sample weighs as much as those to its class cost on the mean.
    """
    judged = priced(tree)
    n = judged.weight
    return judged.class_weights[np.arange(len(n)), judged.node_class], n


def priced(tree: Tree) -> Tree:
    """Return a tree with the weights by which its errors are estimated: its own, unless there are costs."""
    return tree if tree.cost_matrix is None else Tree(tree._core.priced())


def checked_confidence(value: object, name: str = "confidence", at: tuple[object, ...] = ()) -> float:
    """Return a confidence: a probability, neither 0 nor 1."""
    return checked_share(value, name, "0.25 is usual, and less prunes more", at)


def checked_slack(value: object) -> float:
    """Return how much worse a leaf may be."""
    remedy = "it is in units of the estimate; 0 prunes only what is no better"
    return number("slack", value, least=0, remedy=remedy)


def checked_share(
    value: object,
    name: str = "share",
    role: str = "it is the part of the samples that judges the tree",
    at: tuple[object, ...] = (),
) -> float:
    """Return a share, strictly between 0 and 1."""
    is_number = isinstance(value, Real) and not isinstance(value, bool | np.bool_)
    x = float(value) if is_number else math.nan  # type: ignore[arg-type]
    if 0 < x < 1:
        return x
    raise ParameterError(name, value, "must be above 0 and below 1", role, at)


SHARES = (
    "the weights in the tree are shares of the samples, as a tree of fixed depth holds them, and not counts "
    "that errors could be estimated from"
)


def checked_tree(tree: object) -> Tree:
    """Return a tree; for what has one, or could be made one, say how."""
    if isinstance(tree, Tree):
        return tree
    name = type(tree).__name__
    if isinstance(getattr(tree, "tree_", None), Tree):
        raise DataTypeError(Param("tree"), f" is of type {name}; give its tree: ", Attribute("model.tree_"))
    if type(tree).__module__.startswith("sklearn."):
        raise DataTypeError(
            Param("tree"), f" is a {name} of scikit-learn; take it over with Tree.from_sklearn(model)"
        )
    raise DataTypeError(
        Param("tree"), f" is of type {name}; give a Tree, such as model.tree_ or Tree.from_json(text)"
    )


def checked_counts(tree: object) -> Tree:
    """Return a tree that holds counts of samples."""
    known = checked_tree(tree)
    if holds_shares(known):
        raise DataError(f"{SHARES}; pass samples as ", Param("X"), " and ", Param("y"))
    return known


def holds_shares(tree: Tree) -> bool:
    """Whether the weights of a tree are parts of one, and no samples of weight 1 or more."""
    weight = tree.weight
    return bool(abs(weight[0] - 1) < 1e-9 and (weight % 1 != 0)[1:].any())
