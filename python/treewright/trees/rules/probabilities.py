"""Which shares of classes a list of rules tells."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treewright.data.types import FloatArray, IntArray

LAPLACE = "laplace"


@dataclass(frozen=True, eq=False)
class Telling:
    """Weights and numbers of training rows by rule and class, the default last, and how shares are told."""

    weights: FloatArray
    counts: FloatArray
    probability: str = "weighted"
    class_factors: FloatArray | None = None
    smoothing: str | float | None = None
    costs: FloatArray | None = None

    def shares(self, answers: IntArray) -> FloatArray:
        """Return a row of shares for each rule; without weight all of it is the answer."""
        weights = self.weights
        if self.probability == "raw" and self.class_factors is not None:
            factors = self.class_factors
            weights = np.divide(weights, factors, out=np.zeros_like(weights), where=factors > 0)
        if self.smoothing is not None:
            weights = weights + self._added(weights)
        total = weights.sum(axis=1, keepdims=True)
        alone = np.eye(weights.shape[1])[answers]
        found: FloatArray = np.where(total > 0, weights / np.where(total > 0, total, 1.0), alone)
        return found

    def _added(self, weights: FloatArray) -> FloatArray:
        """Return what smoothing adds to each class."""
        if self.smoothing == LAPLACE:
            return np.ones(weights.shape[1])
        whole = weights.sum(axis=0)
        return np.asarray(float(self.smoothing or 0) * whole / whole.sum())
