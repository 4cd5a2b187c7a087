"""C4.5's rule: an upper limit of the errors, and grafting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import Limits, flag, one_of
from treewright._base.wording import Param
from treewright.data.folds import checked_cv
from treewright.data.types import FloatArray
from treewright.data.validation_set import generator
from treewright.trees.pruning.estimates import rates_by
from treewright.trees.pruning.held_out import held_out_errors, regrowing_of
from treewright.trees.pruning.rule import (
    Pruned,
    PruningRule,
    Task,
    checked_confidence,
)
from treewright.trees.tree import Tree

LIMITS = ("c45", "weka", "exact", "wilson")
SLACK = 0.1
"""In samples: so much worse a leaf may be, as in C4.5."""


@dataclass(kw_only=True, eq=False, repr=False)
class ErrorBasedPruning(PruningRule):
    """Error-based pruning of C4.5, by an upper confidence limit of the errors of every leaf.

    The estimated errors of a leaf are those at the upper end of a one-sided confidence interval. A node
    becomes a leaf if this adds at most 0.1 to the estimated errors of its subtree. With grafting (subtree
    raising) the largest branch may also replace the node; it then gets all samples of the node and is pruned
    again.

    Parameters
    ----------
    confidence : float, default=0.25
        Probability that the errors exceed the limit by chance; a smaller value prunes more, but not at every
        node.
    grafting : bool, default=True
        Whether a node may be replaced by its largest branch (in a tie the last). This moves samples, so it
        needs them: ``fit`` has them, `prune` needs `X` and `y`.
    limit : {"c45", "weka", "exact", "wilson"}, default="c45"
        The upper confidence limit. ``"c45"``: that of C4.5 release 8, a normal approximation with its
        quantile interpolated in a table and special cases below one error; ``"weka"``: the same with the
        exact quantile; ``"exact"``: that of the binomial distribution (Clopper and Pearson); ``"wilson"``:
        that of the score interval, without continuity correction.

    See Also
    --------
    TunedErrorBasedPruning : Chooses the confidence by cross-validation.

    References
    ----------
    J. R. Quinlan, "C4.5: Programs for Machine Learning", 1993, chapter 4.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import ErrorBasedPruning
    >>> data = datasets.load("breast-cancer")
    >>> GreedyTreeClassifier().fit(data).tree_.n_nodes
    39
    >>> GreedyTreeClassifier(pruning=ErrorBasedPruning()).fit(data).tree_.n_nodes
    31
    """

    confidence: float = 0.25
    grafting: bool = True
    limit: str = "c45"
    _slack_errors = SLACK

    def _check(self) -> None:
        checked_confidence(self.confidence)
        flag("grafting", self.grafting)
        one_of("limit", self.limit, LIMITS)

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "error_based", confidence=float(self.confidence), limit=self.limit)

    def _prune(self, task: Task) -> Pruned:
        if not self.grafting:
            return super()._prune(task)
        if task.rows is None:
            allowed = "moves samples from node to node, and a tree has only their counts"
            rows = ("pass the training rows as ", Param("X"), " and ", Param("y"))
            raise ParameterError("rule", self, allowed, (*rows, ", or use ", Param("grafting", False)))
        found = _core.prune_grafting(
            task.tree._told,
            task.rows,
            confidence=float(self.confidence),
            limit=self.limit,
            class_weight=task.class_weight,
            limits=Limits(task.n_threads),
        )
        return Pruned.of(self, task.tree, found)


CONFIDENCES = (0.001, 0.01, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.5)
USUAL = 0.25


@dataclass(kw_only=True, eq=False, repr=False)
class TunedErrorBasedPruning(PruningRule):
    """`ErrorBasedPruning` with the confidence chosen by cross-validation.

    The training samples are split into folds. For each fold, a tree is grown from the other folds, with the
    parameters of the tree to prune, and pruned with every confidence. The confidence with the smallest weight
    of errors on the held-out samples is used for the tree of all samples. In a tie it is the one nearest to
    0.25, then the lower one.

    Parameters
    ----------
    confidences : sequence of float, default=(0.001, 0.01, 0.05, ..., 0.4, 0.5)
        Candidates for the confidence.
    cv : int, splitter or iterable of splits, default=10
        An int is a number of stratified folds, shuffled; fewer if no class has so many samples. Positions in
        splits of your own count only samples of positive weight.
    grafting : bool, default=False
        As in `ErrorBasedPruning`. Off by default, as in the comparison from which the rule comes.
    limit : {"c45", "weka", "exact", "wilson"}, default="c45"
        As in `ErrorBasedPruning`.
    random_state : int, RandomState instance or None, default=0
        Random seed that shuffles the folds. The same int gives the same tree.

    Notes
    -----
    The rule grows one additional tree for each fold. The chosen value is the parameter `confidence` of
    ``GreedyTreeClassifier(...).fit(X, y).pruning_``.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import TunedErrorBasedPruning
    >>> data = datasets.load("breast-cancer")
    >>> model = GreedyTreeClassifier(pruning=TunedErrorBasedPruning()).fit(data)
    >>> model.pruning_
    ErrorBasedPruning(confidence=0.05, grafting=False)
    """

    confidences: Sequence[float] = CONFIDENCES
    cv: object = 10
    grafting: bool = False
    limit: str = "c45"
    random_state: object = 0

    def _check(self) -> None:
        if np.ndim(self.confidences) != 1 or not len(self.confidences):
            raise ParameterError("confidences", self.confidences, "must be a sequence of one or more")
        for i, confidence in enumerate(self.confidences):
            checked_confidence(confidence, "confidences", at=(i,))
        checked_cv(self.cv)
        flag("grafting", self.grafting)
        one_of("limit", self.limit, LIMITS)
        generator(self.random_state)

    def _prune(self, task: Task) -> Pruned:
        return self._chosen(task)._prune(task)

    def _chosen(self, task: Task) -> ErrorBasedPruning:
        rules = [
            ErrorBasedPruning(confidence=float(confidence), grafting=self.grafting, limit=self.limit)
            for confidence in self.confidences
        ]

        def prunings(fold: Task) -> list[Tree]:
            return [rule._prune(fold).tree for rule in rules]

        errors = held_out_errors(
            regrowing_of(self, task),
            prunings,
            cv=self.cv,
            random_state=self.random_state,
            remedy="ErrorBasedPruning",
        )
        return min(zip(errors, rules, strict=True), key=lambda pair: _preference(*pair))[1]


def _preference(errors: float, rule: ErrorBasedPruning) -> tuple[float, float, float]:
    """Order by errors, then by the distance from the usual confidence, then by the confidence."""
    return errors, round(abs(rule.confidence - USUAL), 12), rule.confidence
