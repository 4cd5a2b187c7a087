"""Planes with few features: robust linear programming, the paper's feature minimisation, and proofs.

=====================  ==================================================================================
``_estimator``         `RobustLinearClassifier`
``_multivariate``      `MultivariateTreeClassifier`
``_base``              what estimators of planes share: intake, columns of numbers, missing values
``_chain``             more than two classes: one is split off the rest, again and again
``_fit``               one plane from rows, as an estimator, a fold and a node of a tree ask for it
``_scaled``            merged rows, scaling, the plane back in raw units
``_select``            which features: every mode of selection, and what ends it early
``_counts``            the paper's search over the number of features (Algorithm 4.2)
``_frank_wolfe``       its subproblem (Algorithm 4.1)
``_bounded_l1``        the LP of that: least size within a bound on the error
``_exchange``          leaving out and exchanging features
``_limited``           the least error with so many features, and the path
``_inner_cv``          which number of features predicts best
``_hitting_set``       the proof that fewer features cannot do
``_certificate``       dual vectors that prove values of LPs; ``_verify*`` check all claims by them
``_grow``              trees of planes; ``_grown`` is one while it grows, ``_chain_tree`` one of a classifier
``_cost_complexity``   pruning where a split costs one and its features
``_rounding``          weights in few digits that change nothing; ``_tree_document`` makes the `Tree`
``_problem``, ``_lp``  the error LP on any set of features; ``_highs`` runs the solver and stops it
=====================  ==================================================================================
"""

from treewright.planes.estimator import RobustLinearClassifier as RobustLinearClassifier
from treewright.planes.fit import Plane as Plane
from treewright.planes.multivariate import MultivariateTreeClassifier as MultivariateTreeClassifier
from treewright.planes.verify import Verification as Verification

__all__ = ["MultivariateTreeClassifier", "Plane", "RobustLinearClassifier", "Verification"]
