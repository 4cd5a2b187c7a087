"""J48's unpruned trees, pruned here with its limit, are as large as those it prunes itself."""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import weka
from treewright import _core, datasets

NAMES = [
    "audiology",
    "car",
    "hayes-roth",
    "kr-vs-kp",
    "monks-1",
    "monks-2",
    "monks-3",
    "mushroom",
    "nursery",
    "promoters",
    "soybean",
    "splice",
    "tic-tac-toe",
    "vote",
]

CONFIDENCES = ("0.05", "0.25", "0.4")

ABSENT = weka.why_absent() or (
    None if os.environ.get("TREEWRIGHT_DATA") else "TREEWRIGHT_DATA names no folder of data sets"
)

pytestmark = [pytest.mark.weka, pytest.mark.skipif(ABSENT is not None, reason=f"Weka: {ABSENT}")]


def sizes_by_j48(arff):
    """Print the unpruned tree, and give sizes of the pruned ones by confidence, without and with grafting."""
    settings = [("-U",)]
    for confidence in CONFIDENCES:
        settings += [("-C", confidence, "-S"), ("-C", confidence)]
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        unpruned, *pruned = pool.map(lambda options: weka.run_j48(arff, "-M", "1", *options), settings)
    return unpruned, [weka.size(printed) for printed in pruned]


def sizes_here(tree, data):
    own = tree.class_weights[np.arange(tree.n_nodes), tree.node_class]
    sizes = []
    for confidence in map(float, CONFIDENCES):
        estimate = _core.ErrorEstimate("error_based", confidence=confidence, limit="weka")
        plain = _core.prune(tree, estimate.rates(own, tree.weight), slack_errors=0.1)
        grafted = _core.prune_grafting(tree, data.core, confidence=confidence, limit="weka")
        sizes += [plain.tree.n_nodes, grafted.tree.n_nodes]
    return sizes


@pytest.mark.parametrize("name", NAMES)
def test_sizes_are_those_of_j48(name, tmp_path):
    data = weka.filled(datasets.load(f"folder:{name}"))
    arff = tmp_path / "table.arff"
    weka.write_arff(data, arff)
    printed, expected = sizes_by_j48(arff)
    bare = weka.read_tree(printed, data)
    assert bare.n_nodes == weka.size(printed)
    tree = _core.refill(bare._core, data.core)
    assert sizes_here(tree, data) == expected
