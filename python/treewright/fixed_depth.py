"""Trees of a fixed depth, optimal under naive Bayes.

A fixed-depth tree asks at most so many questions of a sample and then answers. `FixedDepthTreeClassifier`
finds the best there is, `fit_many` one for each of many weightings of the samples, `depth_path` one for every
depth. With two classes an `OptFeatureList` tells which question is the best last one, whatever the answers
before it made of the probability of a class.
"""

from __future__ import annotations

from treewright.trees.fixed_depth.depth_path import DepthPath, depth_path
from treewright.trees.fixed_depth.estimator import FixedDepthTreeClassifier
from treewright.trees.fixed_depth.many import FixedDepthTrees, fit_many
from treewright.trees.fixed_depth.opt_feature_list import OptFeatureList

__all__ = [
    "DepthPath",
    "FixedDepthTreeClassifier",
    "FixedDepthTrees",
    "OptFeatureList",
    "depth_path",
    "fit_many",
]
