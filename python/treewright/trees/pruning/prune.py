"""Pruning a tree that is there."""

from __future__ import annotations

from dataclasses import replace

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import n_threads
from treewright._base.wording import NO_VALUE, Param
from treewright.data.training import class_factors
from treewright.trees.greedy import grower
from treewright.trees.growing import Growing
from treewright.trees.pruning.named import checked_rule
from treewright.trees.pruning.rows import rows_for
from treewright.trees.pruning.rule import (
    Pruned,
    PruningRule,
    Regrowing,
    Task,
    checked_counts,
    checked_tree,
)
from treewright.trees.tree import Tree


def prune(
    tree: Tree,
    rule: PruningRule | str,
    X: object = None,
    y: object = None,
    sample_weight: object = None,
    *,
    estimator: object = None,
    n_jobs: int | None = None,
) -> Tree:
    """Prune a tree by a rule.

    Parameters
    ----------
    tree : Tree
        Any tree; of a fitted estimator ``model.tree_``, of scikit-learn's ``Tree.from_sklearn(model)``.
    rule : pruning rule or str
        A rule of `treewright.pruning`, or its name, such as ``"error_based"``.
    X : array-like, frame or Dataset of shape (n_samples, n_features), default=None
        Samples to count for the estimates instead of the weights in the tree; a leaf then predicts the
        majority class of these samples. Grafting needs them, because it moves samples. For
        `ReducedErrorPruning` they are the validation set, and the predictions of the leaves do not change. A
        fixed-depth tree holds probabilities instead of counts, so every rule needs samples for it.
    y : array-like of shape (n_samples,), default=None
        Their classes; None if `X` is a Dataset that holds them.
    sample_weight : array-like of shape (n_samples,), default=None
        Their weights.
    estimator : GreedyTreeClassifier, default=None
        Estimator, fitted or not, that grows the trees for `TunedErrorBasedPruning` and
        ``CostComplexityPruning(alpha="cv")`` from `X` and `y`. Its ``class_weight`` is used too.
    n_jobs : int, default=None
        Number of threads: None is 1, -1 every core. The tree does not depend on it.

    Returns
    -------
    pruned : Tree
        The pruned tree, with the estimate of every node in ``estimates``. `tree` does not change.

    Raises
    ------
    DataError
        If the rule needs samples that are not given, or these cannot be used.
    ParameterError
        If `rule` is not a rule, or one of its parameters has an invalid value.

    See Also
    --------
    explain_pruning : Explains each decision.

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
    tree: object,
    rule: object,
    X: object,
    y: object,
    sample_weight: object,
    estimator: object,
    n_jobs: int | None,
) -> Pruned:
    """Return all that a rule found."""
    known = checked_rule(rule, "rule")
    if known is None:
        remedy = "give one of treewright.pruning, such as ErrorBasedPruning()"
        raise ParameterError("rule", None, "prunes nothing", remedy)
    tree = checked_tree(tree)
    threads = n_threads(n_jobs)
    if X is None:
        _refuse_without_rows(y, sample_weight, estimator)
        return known._prune(Task(checked_counts(tree), n_threads=threads))
    rows = rows_for(tree, X, y, sample_weight)
    regrowing = None if estimator is None else _regrowing(estimator, X, y, sample_weight, threads)
    factors = None if regrowing is None else _factors(regrowing, rows, tree)
    if not known._takes_rows_as_judges:
        tree = Tree(_core.refill(tree._told, rows, class_weight=factors))
    return known._prune(Task(tree, rows, factors, regrowing, threads))


def _regrowing(estimator: object, X: object, y: object, sample_weight: object, threads: int) -> Regrowing:
    """Return how to grow trees from the samples, as the estimator reads them."""
    growing = replace(Growing.of(grower(estimator)), n_threads=threads)
    return Regrowing(growing, growing.read(X, y, sample_weight, "prune"))


def _factors(regrowing: Regrowing, rows: _core.Dataset, tree: Tree) -> list[float] | None:
    """Return the factors of the estimator's class weights, in the order of the classes of the tree."""
    target = rows.target
    assert target is not None, "rows come with their classes"
    counted = replace(regrowing.training, target=target, classes=tree.classes_, sample_weight=rows.weights)
    return class_factors(regrowing.growing.class_weight, counted)


def _refuse_without_rows(y: object, sample_weight: object, estimator: object) -> None:
    """Refuse what says something of samples that are not there."""
    for name, value in (("y", y), ("sample_weight", sample_weight), ("estimator", estimator)):
        if value is not None:
            given, rows = Param(name), Param("X")
            remedy = ("; give the samples as ", rows, ", or leave ", given, " out")
            raise DataError(given, " is given, but ", rows, " is ", NO_VALUE, *remedy)
