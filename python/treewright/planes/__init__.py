"""Linear separators and oblique trees with few features: linear programs, feature selection, proofs.

The engine of "Feature Minimization within Decision Trees" (Bredensteiner and Bennett, 1998). Each module
imports only those above it.

====================  =======================================================================================
``lp``                the error LP and its solver HiGHS, and what stops a run
``problem``           least error on any set of features; the best set so far
``proof``             certificates of LP values; the proof that fewer features are not enough (hitting sets)
``published``         the paper's searches: Algorithms 4.1 (Frank-Wolfe) and 4.2 (number of features)
``exchange``          leaving out, adding and exchanging features; the best set of every size
``cross_validation``  folds inside of ``fit``, and errors on held-out rows
``options``           the options of a plane, checked
``selection``         the modes of selection: bounded, limited, path, all features
``rows``              from features to rows of numbers: encoding, missing values, two classes
``scaling``           between raw and scaled units; columns that are copies of others
``places``            rows as few columns see them; separation of kept places, and conflicts among them
``sweep``             the fewest misclassified rows over few columns, by turning a plane through all places
``giving_up``         the same by Benders cuts: which places to give up
``wrong_sets``        sets of features by their fewest misclassified rows, found and proven
``misclassified``     the modes of selection where the error is the misclassified rows
``fit``               `Plane`: one plane from rows
``linear_tree``       a tree of oblique splits while it grows; weights in few digits; the `Tree` it becomes
``chain``             more than two classes: one plane after the other
``growing``           growing a tree of planes, and pruning it by cost complexity
``verify``            the check of all claims from certificates
``plot``              pictures of a plane
``checks``            data that are refused, and problems that are large for a proof
``classifier``        `RobustLinearClassifier`
``tree_classifier``   `MultivariateTreeClassifier`
====================  =======================================================================================

The paper's letters: w and gamma are a plane's weights and offset (`coef_`, minus `intercept_`); A and B the
rows of the two classes; delta the bound on the error (`error_bound_`); lambda the `perturbation`; nu the
number of features of a subproblem, f(nu) its weight outside (`trace_`).
"""

from treewright.planes.classifier import RobustLinearClassifier as RobustLinearClassifier
from treewright.planes.fit import Plane as Plane
from treewright.planes.linear_tree import LinearSplit as LinearSplit
from treewright.planes.tree_classifier import MultivariateTreeClassifier as MultivariateTreeClassifier
from treewright.planes.verify import Verification as Verification

__all__ = [
    "LinearSplit",
    "MultivariateTreeClassifier",
    "Plane",
    "RobustLinearClassifier",
    "Verification",
]
