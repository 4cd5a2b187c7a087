"""Pruning by cost complexity, where a split costs one and its features.

For an alpha the pruned tree is the one with the least errors / weight + alpha * cost; at equality a node is a
leaf. As alpha grows these trees become smaller and are inside each other. Which alpha predicts best is found
by cross-validation: every fold grows its own tree, prunes it for every alpha, and is judged by its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from joblib import Parallel, delayed

from treewright._base.clock import Clock, OutOfTimeError
from treewright._base.params import is_whole
from treewright.planes.chain import ClassRows
from treewright.planes.grow import (
    GrowingRules,
    grow,
    part_of,
)
from treewright.planes.grown import GrownTree
from treewright.planes.inner_cv import (
    SEED,
    Split,
    _Quiet,
)
from treewright.planes.options import PlaneOptions
from treewright.planes.problem import FloatArray, Mask

EQUAL = 1e-12
"""Errors and costs that differ by so much are the same."""


@dataclass(frozen=True, eq=False)
class JudgedAlphas:
    """Test errors of the trees that a row of alphas leads to.

    Attributes
    ----------
    alphas : ndarray of shape (n_alphas,)
        Ascending.
    means, standard_errors : ndarray of shape (n_alphas,)
        Share of the weight of held-out rows that is predicted wrongly; NaN if nothing was judged.
    """

    alphas: FloatArray
    means: FloatArray
    standard_errors: FloatArray

    def choose(self, one_standard_error: bool) -> float:
        """Return the alpha of the least error, or the largest within one standard error; 0 if not judged."""
        if np.isnan(self.means).any():
            return 0.0
        least = int(np.argmin(self.means))
        allowed = self.means[least] + (self.standard_errors[least] if one_standard_error else 0.0)
        return float(self.alphas[np.flatnonzero(self.means <= allowed + EQUAL)[-1]])


def not_judged(alphas: FloatArray) -> JudgedAlphas:
    """Return alphas of which no test errors are known."""
    nothing = np.full(len(alphas), np.nan)
    return JudgedAlphas(alphas, nothing, nothing)


def leaves_at(tree: GrownTree, alpha: float) -> Mask:
    """Mark the nodes that are leaves for an alpha; those below a marked one do not matter."""
    total = float(tree.nodes[0].class_weights.sum())
    is_leaf = np.ones(len(tree.nodes), np.bool_)
    least = np.array([node.errors / total for node in tree.nodes])
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.children is None or node.split is None:
            continue
        kept = least[list(node.children)].sum() + alpha * node.split.cost
        is_leaf[number] = least[number] <= kept + EQUAL
        least[number] = min(least[number], kept)
    return is_leaf


def alphas_of(tree: GrownTree) -> FloatArray:
    """Return the alphas at which the pruned tree becomes smaller, 0 first, ascending."""
    alphas, current = [0.0], tree.cut(leaves_at(tree, 0.0))
    while current.splits:
        alphas.append(_weakest_link(current))
        current = current.cut(leaves_at(current, alphas[-1]))
    return np.array(alphas)


def _weakest_link(tree: GrownTree) -> float:
    """Return the smallest alpha at which some node is as well off as a leaf."""
    total = float(tree.nodes[0].class_weights.sum())
    errors = np.array([node.errors / total for node in tree.nodes])
    below, cost, links = errors.copy(), np.zeros(len(errors)), []
    for number in range(len(tree.nodes) - 1, -1, -1):
        node = tree.nodes[number]
        if node.children is None or node.split is None:
            continue
        children = list(node.children)
        below[number] = below[children].sum()
        cost[number] = cost[children].sum() + node.split.cost
        links.append((errors[number] - below[number]) / cost[number])
    return float(min(links))


def judge_alphas(
    tree: GrownTree, rows: ClassRows, options: PlaneOptions, rules: GrowingRules, clock: Clock
) -> JudgedAlphas:
    """Judge an alpha between every two at which the pruned tree changes, by cross-validation.

    The last alpha leads to the root alone, so the trees of the folds are judged as leaves there: at the very
    alpha, half of them would still have a split. Nothing is judged without folds.

    Raises
    ------
    OutOfTimeError, KeyboardInterrupt
        If a fold did not come to its end.
    """
    steps = alphas_of(tree)
    alphas = np.append(np.sqrt(steps[:-1] * steps[1:]), steps[-1])
    judged_at = np.append(alphas[:-1], np.inf)
    splits = _folds(rows, options.cv)
    n_classes, alone = len(tree.nodes[0].class_weights), replace(options, n_jobs=None)
    tasks = (
        delayed(_errors)(rows, n_classes, alone, rules, split, judged_at, clock.limit()) for split in splits
    )
    found = Parallel(n_jobs=options.n_jobs)(tasks) if len(alphas) > 1 else []
    if any(errors is None for errors in found):
        raise OutOfTimeError
    if not found:
        return not_judged(alphas)
    errors = np.array(found)
    spread = errors.std(axis=0, ddof=1) if len(errors) > 1 else np.zeros(len(alphas))
    return JudgedAlphas(alphas, errors.mean(axis=0), spread / np.sqrt(len(errors)))


def _folds(rows: ClassRows, cv: Any) -> list[Split]:
    """Return positions to learn from and to judge by, those with something of both."""
    if isinstance(cv, list):
        here = rows.against_rest(0)
        pairs = [(here.at(np.asarray(learn)), here.at(np.asarray(judge))) for learn, judge in cv]
    else:
        splitter = cv
        if is_whole(cv):
            n_most = min(int(cv), int(np.bincount(rows.target).max()))
            splitter = _Quiet(max(2, n_most), shuffle=True, random_state=SEED)
        found = splitter.split(np.zeros(len(rows.target)), rows.target)
        pairs = [(np.asarray(learn), np.asarray(judge)) for learn, judge in found]
    return [(learn, judge) for learn, judge in pairs if len(learn) and len(judge)]


def _errors(
    rows: ClassRows,
    n_classes: int,
    options: PlaneOptions,
    rules: GrowingRules,
    split: Split,
    alphas: FloatArray,
    limit: float | None,
) -> list[float] | None:
    """Return the share of errors of a fold for every alpha; None when time is over."""
    learn, judge = split
    clock = Clock(limit)
    tree = grow(part_of(rows, learn), n_classes, options, rules, clock)
    if clock.stopped:
        raise KeyboardInterrupt
    if tree.status == "time_limit":
        return None
    held_out = part_of(rows, judge)
    passed = tree.nodes_of(held_out.X)
    return [_error(tree, passed, leaves_at(tree, alpha), held_out) for alpha in alphas]


def _error(tree: GrownTree, passed: list[list[int]], is_leaf: Mask, rows: ClassRows) -> float:
    ends = [next(node for node in nodes if is_leaf[node]) for nodes in passed]
    labels = np.array([tree.nodes[node].label for node in ends])
    return float(rows.weight[labels != rows.target].sum() / rows.weight.sum())
