"""A chain of 50 000 nodes grows, predicts, prints and travels: nothing recurses."""

import copy
import pickle
import sys

import numpy as np
import pytest

from treewright import GreedyTreeClassifier, Tree, export_text

CHAIN_LEAVES = 25_001


@pytest.fixture(scope="module")
def chain():
    """Grow a tree that peels one row a level: alternating classes on a line.

    The ends of the line are the best cuts, because only there one side is pure.
    """
    X = np.arange(CHAIN_LEAVES, dtype=float)[:, None]
    return GreedyTreeClassifier().fit(X, np.arange(CHAIN_LEAVES) % 2)


def test_chain_grows(chain):
    assert chain.tree_.n_nodes == 2 * CHAIN_LEAVES - 1
    assert chain.get_depth() == CHAIN_LEAVES - 1


def test_chain_predicts(chain):
    rows = np.array([[0.0], [12_000.0], [12_001.0], [25_000.0], [np.nan]])
    assert chain.predict(rows)[:4].tolist() == [0, 0, 1, 0]
    assert chain.predict_proba(rows).sum() == pytest.approx(5)
    assert chain.leaf_shares(rows[-1:]).nnz == CHAIN_LEAVES
    assert chain.decision_path(rows[:1]).nnz <= CHAIN_LEAVES


def test_chain_prints(chain):
    text = export_text(chain)
    assert len(text.splitlines()) == 2 * (CHAIN_LEAVES - 1)
    assert len(text) < 20e6


def test_chain_travels(chain):
    tree = chain.tree_
    assert Tree.from_json(tree.to_json()) == tree
    assert pickle.loads(pickle.dumps(tree)) == tree
    assert copy.deepcopy(chain).tree_ == tree
    assert hash(tree) == hash(Tree.from_json(tree.to_json()))


def test_chain_needs_no_deep_stack(chain):
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(200)
    try:
        assert pickle.loads(pickle.dumps(chain.tree_)).n_nodes == chain.tree_.n_nodes
        assert chain.tree_.feature_importances().tolist() == [1.0]
    finally:
        sys.setrecursionlimit(limit)
