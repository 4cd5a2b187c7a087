"""Planes with few features: robust linear programming with the paper's feature minimisation, and proofs."""

from treewright.planes._estimator import RobustLinearClassifier as RobustLinearClassifier

__all__ = ["RobustLinearClassifier"]
