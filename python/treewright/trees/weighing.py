"""How the weights of training rows stand to their numbers, in words."""

from __future__ import annotations

import numpy as np

from treewright import _core
from treewright.data.types import FloatArray

CLASSES_WEIGH = "classes have different weights: shares are of weight"
SAMPLES_WEIGH = "samples have different weights: shares are of weight"
ANSWERS_WEIGH = "classes have different weights where answers are chosen: shares are of rows"
OF_NAIVE_BAYES = "shares are probabilities under naive Bayes, which chose the answers; counts are of rows"
LEAST_ROWS = 2
CLOSE = 1e-6
"""Weights are sums of products, and differ by their last digits."""


def told_weights(core: _core.Tree) -> FloatArray:
    """Return the weights by node and class that shares are told of, as probabilities are.

    Parameters
    ----------
    core : Tree
        Of the engine.

    Returns
    -------
    weights : ndarray of shape (n_nodes, n_classes)
        `class_weights`, or without the factors of classes where the tree's probabilities are raw.
    """
    weights, factors = core.class_weights, core.decision.class_factors
    if core.decision.probability != "raw" or factors is None:
        return weights
    divisors = np.array(factors)
    raw = np.divide(weights, divisors, out=np.zeros_like(weights), where=divisors > 0)
    counts = core.class_counts
    is_of_rows = counts is not None and np.allclose(raw, counts, rtol=CLOSE, atol=CLOSE)
    return counts if counts is not None and is_of_rows else raw


def note_of(core: _core.Tree) -> str:
    """Say what the shares of a tree are of, where that is not the numbers of rows that choose the answers.

    Parameters
    ----------
    core : Tree
        Of the engine.

    Returns
    -------
    text : str
        Nothing where they are.
    """
    if is_of_naive_bayes(core):
        return OF_NAIVE_BAYES
    said = weighing_of(told_weights(core), core.class_counts)
    if said or core.decision.probability != "raw" or core.decision.class_factors is None:
        return said
    return ANSWERS_WEIGH


def is_of_naive_bayes(core: _core.Tree) -> bool:
    """Whether the weights of a tree are probabilities of a model.

    Parameters
    ----------
    core : Tree
        Of the engine.

    Returns
    -------
    is_so : bool
        Whether they add up to 1 where rows do not: the weights of two rows or more always do to 2 or more.
    """
    counts, total = core.class_counts, float(core.weight[0])
    return counts is not None and float(counts[0].sum()) >= LEAST_ROWS and abs(total - 1.0) < CLOSE


def weighing_of(weights: FloatArray, counts: FloatArray | None) -> str:
    """Say that shares are of weights where those of numbers are others; nothing where they are alike.

    Parameters
    ----------
    weights, counts : ndarray of shape (n_nodes, n_classes)
        Weights and numbers of training rows; None where numbers are not known.

    Returns
    -------
    text : str
        That of classes if all rows of a class have one weight, else that of samples.
    """
    if counts is None:
        return ""
    totals = counts.sum(axis=0)
    there = totals > 0
    factors = weights.sum(axis=0)[there] / totals[there]
    if factors.size == 0:
        return ""
    is_by_class = np.allclose(weights[:, there], counts[:, there] * factors, rtol=CLOSE, atol=CLOSE)
    if not is_by_class:
        return SAMPLES_WEIGH
    return "" if np.allclose(factors, factors[0], rtol=CLOSE, atol=0) else CLASSES_WEIGH
