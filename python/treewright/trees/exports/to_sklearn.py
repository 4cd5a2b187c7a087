"""A tree as a pipeline of scikit-learn: columns, one-hot where they are nominal, then a tree of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright import _core
from treewright._base.params import one_of
from treewright.data.types import AnyArray
from treewright.trees.exports.door import MISSING, PLANES, SHARED, STOPPING_REMEDY
from treewright.trees.exports.door import STOP as STOPPING
from treewright.trees.exports.indicators import TITLE, Node, nodes_of, shares_of, weights_of
from treewright.trees.exports.one_hot import Columns
from treewright.trees.exports.program import Program
from treewright.trees.exports.refusal import refusal

if TYPE_CHECKING:
    from sklearn.pipeline import Pipeline
    from sklearn.tree import DecisionTreeClassifier

UNDEFINED = -2
"""What scikit-learn has as feature and threshold of a leaf."""
UNREACHED = 1e-300
"""Weight of a node that no training sample reaches: SHAP divides by weights."""


def pipeline_of(core: _core.Tree, classes: AnyArray, missing: str) -> Pipeline:
    """Return a fitted pipeline that predicts as the tree does."""
    from sklearn.pipeline import Pipeline

    one_of("missing", missing, MISSING)
    program = Program.of(core)
    if missing == STOPPING:
        program = program.without_shares()
    _check(program)
    nodes = nodes_of(program)
    columns = Columns(program, [node.key for node in nodes if node.key is not None])
    transformer = columns.transformer(core.names, core.levels)
    places = columns.places()
    features = [UNDEFINED if node.key is None else places[node.key] for node in nodes]
    tree = _classifier(program, nodes, features, classes, len(transformer.get_feature_names_out()))
    return Pipeline([("columns", transformer), ("tree", tree)])


def _check(program: Program) -> None:
    """Refuse what a tree of scikit-learn cannot say."""
    if program.shares:
        raise refusal(TITLE, f"cannot say a tree that {SHARED}: a row has one leaf", STOPPING_REMEDY)
    if program.planes:
        reason = "its trees compare one column, and round the weighted sum to 32 bits"
        raise refusal(TITLE, f"cannot say a tree that {PLANES}: {reason}")


def _classifier(
    program: Program, nodes: Sequence[Node], features: Sequence[int], classes: AnyArray, n_columns: int
) -> DecisionTreeClassifier:
    """Return an estimator that is fitted: its tree is made of these nodes."""
    from sklearn.tree import DecisionTreeClassifier

    made = DecisionTreeClassifier()
    made.n_features_in_ = made.max_features_ = n_columns
    made.n_outputs_, made.n_classes_, made.classes_ = 1, len(classes), classes.copy()
    made.tree_ = _bare_tree(program, nodes, features, n_columns)
    return made


def _bare_tree(program: Program, nodes: Sequence[Node], features: Sequence[int], n_columns: int) -> object:
    """Return the arrays of nodes as scikit-learn's own tree."""
    from sklearn.tree._tree import Tree

    weights = weights_of(program, nodes)
    total = np.maximum(weights.sum(axis=1), UNREACHED)
    shares = np.array([shares_of(program, node.step) for node in nodes])
    is_inner = np.array([node.key is not None for node in nodes])
    has_own = is_inner & (total > UNREACHED)
    shares[has_own] = weights[has_own] / total[has_own, None]
    made = Tree(n_columns, np.array([len(program.classes)], dtype=np.intp), 1)
    arrays = np.zeros(len(nodes), dtype=made.__getstate__()["nodes"].dtype)
    arrays["left_child"] = [node.first for node in nodes]
    arrays["right_child"] = [node.second for node in nodes]
    arrays["feature"] = features
    arrays["threshold"] = [node.threshold if node.key is not None else UNDEFINED for node in nodes]
    arrays["impurity"] = 1.0 - (shares**2).sum(axis=1)
    arrays["n_node_samples"] = np.rint(total)
    arrays["weighted_n_node_samples"] = total
    arrays["missing_go_to_left"] = [node.missing_is_first for node in nodes]
    depth = _depth(nodes)
    made.__setstate__(
        {"max_depth": depth, "node_count": len(nodes), "nodes": arrays, "values": shares[:, None, :].copy()}
    )
    return made


def _depth(nodes: Sequence[Node]) -> int:
    """Return the number of comparisons on the longest path; a child comes behind its parent."""
    depth = [0] * len(nodes)
    for at, node in enumerate(nodes):
        if node.key is not None:
            depth[node.first] = depth[node.second] = depth[at] + 1
    return max(depth)
