"""Planes with few features: robust linear programming with the paper's feature minimisation, and proofs."""

from treewright.planes._estimator import RobustLinearClassifier as RobustLinearClassifier
from treewright.planes._multivariate import MultivariateTreeClassifier as MultivariateTreeClassifier

__all__ = ["MultivariateTreeClassifier", "RobustLinearClassifier"]
