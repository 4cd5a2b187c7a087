"""The tree of least cost as an estimator."""

from __future__ import annotations

from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from treewright import MinimalTreeClassifier
from treewright.tables import Cost

NAME = "minimal"


def minimal(given: Any, **params: Any) -> facts.Facts:
    """Fit the classifier and say all about it."""
    sample = data.of(given() if callable(given) else given)
    model = MinimalTreeClassifier(**params).fit(*sample)
    return {
        **facts.classifier(model, sample[0], everything=True),
        "search": facts.search(model.search_),
        "edges": model.bin_edges_,
        "rows": model.n_rows_,
    }


CASES = {
    "monks-1/default": case(minimal, "monks-1"),
    "monks-1/cost=depth,then=n_nodes": case(minimal, "monks-1", cost="depth", then="n_nodes"),
    "monks-3/cost=average_depth": case(minimal, "monks-3", cost="average_depth", then=["n_leaves", "depth"]),
    "iris/alpha=50": case(minimal, "iris", max_pairs=50),
    "iris/max_bins=3": case(minimal, "iris", max_bins=3, cost="n_leaves"),
    "mixed/default": case(minimal, data.mixed),
    "mixed/cost=own": case(minimal, data.mixed, cost=Cost(leaf=2, per_row=1, per_node=3)),
    "known/cost=total_path_length": case(minimal, data.known, cost="total_path_length"),
    "numbers/categorical": case(minimal, data.numbers, categorical_features=[4], max_bins=2),
    "tic-tac-toe/node_limit=500": case(minimal, "tic-tac-toe", node_limit=500),
    "monks-2/n_jobs=1": case(minimal, "monks-2", n_jobs=1),
    "monks-2/n_jobs=2": case(minimal, "monks-2", n_jobs=2),
}
