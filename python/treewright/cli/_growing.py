"""Options of growing greedy trees, and of what classes weigh and cost."""

from __future__ import annotations

from treewright.cli._options import gathered, parameter_option, parameter_options
from treewright.cli._signature import given

TREE = "treewright.GreedyTreeClassifier"
_GROWING = parameter_options(
    TREE,
    *("criterion", "min_samples_split", "min_samples_leaf", "min_samples_branch", "min_gain"),
    *("mdl_correction", "collapse", "average_gain", "max_depth", "max_leaf_nodes", "nominal_splits"),
    *("missing", "n_jobs"),
    section="Growing",
)
_ANSWERING = parameter_options(
    TREE, *("class_weight", "cost_matrix", "probability", "smoothing"), section="Classes"
)
takes_classes = gathered("answering", _ANSWERING, given)
"""What classes weigh and cost, for commands that grow no greedy tree."""
_BY_GROWTH = {
    "criterion": "gain_ratio with --growth c45, else info_gain",
    "min_samples_split": "1 with --growth id3, else 2",
    "min_samples_branch": "0 with --growth id3, 2 with c45, else 1",
    "missing": "value with --growth id3, else distribution",
    **dict.fromkeys(("mdl_correction", "collapse", "average_gain"), "with --growth c45"),
}
"""Defaults of commands that have --growth."""
_GROWING_BY_GROWTH = {
    name: parameter_option(TREE, name, section="Growing", otherwise=_BY_GROWTH.get(name)) for name in _GROWING
}
_PRICES = {name: _ANSWERING[name] for name in ("class_weight", "cost_matrix")}
takes_prices = gathered("prices", _PRICES, given)
"""The same where no probability is told."""
takes_growing = gathered("growing", _GROWING | _PRICES, given)
takes_growing_by_growth = gathered("growing", _GROWING_BY_GROWTH | _PRICES, given)
takes_growing_of_one = gathered("growing", _GROWING | _ANSWERING, given)
"""The same where a tree is the answer, which tells probabilities."""
takes_growing_of_one_by_growth = gathered("growing", _GROWING_BY_GROWTH | _ANSWERING, given)
