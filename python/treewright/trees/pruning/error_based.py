"""C4.5's rule: an upper limit of the errors, and grafting."""

from __future__ import annotations

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import flag
from treewright.trees.pruning.estimates import rates_by
from treewright.trees.pruning.params import checked_confidence, checked_limit
from treewright.trees.pruning.rule import (
    FloatArray,
    Pruned,
    PruningRule,
    Task,
    bottom_up,
)
from treewright.trees.tree import Tree

SLACK = 0.1
"""In samples: so much worse a leaf may be, as in C4.5."""


class ErrorBasedPruning(PruningRule):
    """C4.5's pruning: by an upper confidence limit of the errors of every leaf.

    A leaf is charged the errors that it would have at the upper end of a one-sided confidence interval. A
    node becomes a leaf where that adds less than a tenth of a sample to the errors of its subtree; with
    grafting it may also give way to the largest of its branches, which then takes over all its samples and
    is pruned again.

    Parameters
    ----------
    confidence : float, default=0.25
        Probability that errors exceed the limit by chance; less prunes more, though not at every node.
    grafting : bool, default=True
        Whether a node may be replaced by its largest branch, too (the last of equal ones). Samples move
        then, so they must be there: ``fit`` has them, `prune` asks for `X` and `y`.
    limit : {"c45", "weka", "exact", "wilson"}, default="c45"
        The upper limit. ``"c45"``: of C4.5 release 8, a normal approximation with its quantile
        interpolated in a table and special cases below one error; ``"weka"``: the same with the exact
        quantile; ``"exact"``: of the binomial distribution (Clopper and Pearson); ``"wilson"``: of the
        score interval, without correction for continuity.

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

    def __init__(self, *, confidence: float = 0.25, grafting: bool = True, limit: str = "c45") -> None:
        self.confidence = confidence
        self.grafting = grafting
        self.limit = limit

    def _check(self) -> None:
        checked_confidence(self.confidence)
        flag("grafting", self.grafting)
        checked_limit(self.limit)

    def _rates(self, tree: Tree) -> FloatArray:
        return rates_by(tree, "error_based", confidence=float(self.confidence), limit=self.limit)

    def _prune(self, task: Task) -> Pruned:
        if self.grafting:
            return self._graft(task)
        return bottom_up(self, task.tree, self._rates(task.tree), slack_errors=SLACK)

    def _graft(self, task: Task) -> Pruned:
        if task.rows is None:
            raise ParameterError(
                f"{self!r} moves samples from node to node, and a tree has only their counts; "
                "pass the training rows as X and y, or use grafting=False"
            )
        found = _core.prune_grafting(
            task.tree._core,
            task.rows,
            confidence=float(self.confidence),
            limit=self.limit,
            class_weight=task.class_weight,
            n_threads=task.n_threads,
        )
        return Pruned.of(self, task.tree, found)
