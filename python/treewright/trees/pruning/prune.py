"""Pruning a tree that is there: `prune`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import n_threads
from treewright.data import class_weight as _class_weight
from treewright.data.training import TrainingSet
from treewright.trees.growing import Growing
from treewright.trees.pruning.rows import rows_for
from treewright.trees.pruning.rule import (
    Pruned,
    PruningRule,
    Regrowing,
    Task,
    checked_rule,
)
from treewright.trees.pruning.trees import checked_counts, checked_tree
from treewright.trees.tree import Tree


def prune(
    tree: Tree,
    rule: PruningRule,
    X: Any = None,
    y: Any = None,
    sample_weight: Any = None,
    *,
    estimator: Any = None,
    n_jobs: int | None = None,
) -> Tree:
    """Prune a tree by a rule.

    Parameters
    ----------
    tree : Tree
        Any tree; of a fitted estimator ``model.tree_``, of scikit-learn's ``Tree.from_sklearn(model)``.
    rule : pruning rule
        One of `treewright.pruning`.
    X : array-like, frame or Dataset of shape (n_samples, n_features), default=None
        Samples that estimates go by, in place of the weights in the tree: nodes are counted anew, and a
        leaf answers the class of most of its samples. Grafting needs them, for it moves samples. For
        `ReducedErrorPruning` they are the pruning samples, and what leaves answer stays as it is. A tree of
        fixed depth holds probabilities in place of counts, so its samples are needed by every rule.
    y : array-like of shape (n_samples,), default=None
        Their classes; None if `X` is a Dataset that holds them.
    sample_weight : array-like of shape (n_samples,), default=None
        Their weights.
    estimator : GreedyTreeClassifier, default=None
        Fitted or not: its parameters grow the trees that `TunedErrorBasedPruning` and
        ``CostComplexityPruning(alpha="cv")`` ask for, from `X` and `y`, and its ``class_weight`` weighs them.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Returns
    -------
    pruned : Tree
        The pruned tree, with the estimate of every node in ``estimates``. `tree` stays as it is.

    Raises
    ------
    DataError
        If the rule needs samples that are not given, or these cannot be used.
    ParameterError
        If `rule` is no rule, or one of its parameters is not what it may be.

    See Also
    --------
    explain_pruning : What was pruned, and why.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.pruning import ErrorBasedPruning, prune
    >>> iris = datasets.load("iris")
    >>> tree = GreedyTreeClassifier().fit(iris).tree_
    >>> tree
    Tree(n_nodes=17, n_leaves=9, max_depth=5)
    >>> prune(tree, ErrorBasedPruning(), iris)
    Tree(n_nodes=13, n_leaves=7, max_depth=5)
    >>> prune(tree, ErrorBasedPruning(confidence=0.01, grafting=False))
    Tree(n_nodes=11, n_leaves=6, max_depth=4)
    """
    return pruned(tree, rule, X, y, sample_weight, estimator, n_jobs).tree


def pruned(
    tree: Any, rule: Any, X: Any, y: Any, sample_weight: Any, estimator: Any, n_jobs: int | None
) -> Pruned:
    """Return all that a rule found."""
    known = checked_rule(rule, "rule")
    if known is None:
        raise ParameterError(
            "rule=None prunes nothing; give one of treewright.pruning, such as ErrorBasedPruning()"
        )
    checked_tree(tree)
    threads = n_threads(n_jobs)
    if X is None:
        _refuse_without_rows(y, sample_weight, estimator)
        return known._prune(Task(checked_counts(tree), n_threads=threads))
    rows = rows_for(tree, X, y, sample_weight)
    regrowing = None if estimator is None else _regrowing(estimator, X, y, sample_weight, threads)
    factors = None if regrowing is None else _factors(regrowing, rows, tree)
    if not known._takes_rows_as_judges:
        tree = Tree(_core.refill(tree._core, rows, class_weight=factors))
    return known._prune(Task(tree, rows, factors, regrowing, threads))


def _regrowing(estimator: Any, X: Any, y: Any, sample_weight: Any, threads: int) -> Regrowing:
    """Return how to grow trees from the samples, as the estimator reads them."""
    growing = replace(_growing_of(estimator), n_threads=threads)
    training = TrainingSet.read(
        X, y, sample_weight, categorical_features=estimator.categorical_features, owner="prune"
    )
    return Regrowing(growing, training)


def _factors(regrowing: Regrowing, rows: _core.Dataset, tree: Tree) -> list[float] | None:
    """Return the factors of the estimator's class weights, in the order of the classes of the tree."""
    target = rows.target
    assert target is not None, "rows come with their classes"
    counted = replace(regrowing.training, target=target, classes=tree.classes_, sample_weight=rows.weights)
    return _class_weight.factors(regrowing.growing.class_weight, counted)


def _growing_of(estimator: object) -> Growing:
    """Check the parameters of the estimator that is to grow trees."""
    from treewright.trees.greedy import GreedyTreeClassifier

    if not isinstance(estimator, GreedyTreeClassifier):
        raise ParameterError(
            f"estimator={estimator!r} grows no such trees; give a GreedyTreeClassifier with the parameters "
            "that grew the tree"
        )
    return Growing.of(estimator)


def _refuse_without_rows(y: object, sample_weight: object, estimator: object) -> None:
    """Refuse what says something of samples that are not there."""
    for name, value in (("y", y), ("sample_weight", sample_weight), ("estimator", estimator)):
        if value is not None:
            raise DataError(f"{name} is given, but X is None; give the samples as X, or leave {name} out")
