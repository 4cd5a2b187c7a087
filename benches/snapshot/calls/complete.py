"""Complete search: the best subset, its ties and proofs."""

from __future__ import annotations

from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from treewright import CompleteSearchSelector, GreedyTreeClassifier

NAME = "complete"

Growing = dict[str, Any]
SPLIT_16 = {"min_samples_split": 16}
SPLIT_32 = {"min_samples_split": 32}


def complete(
    given: Any,
    *,
    judges: Any = 0.3,
    seed: Any = 0,
    growing: Growing | None = None,
    weight: Any = None,
    is_cut: bool = False,
    **rules: Any,
) -> facts.Facts:
    """Search all subsets and say all about the answer."""
    sample = data.of(given() if callable(given) else given)
    estimator = GreedyTreeClassifier(**(growing or {}))
    model = CompleteSearchSelector(estimator=estimator, validation_set=judges, random_state=seed, **rules)
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    return facts.complete(model, sample[0])


def stopped_by_callback() -> facts.Facts:
    """End the search at its first report and say how it ended."""
    estimator = GreedyTreeClassifier(**SPLIT_16)
    model = CompleteSearchSelector(estimator=estimator, random_state=0, callback=lambda progress: True)
    model.fit(data.named("breast-cancer"))
    return {
        "status": model.search_.status,
        "success": model.search_.success,
        "message": model.search_.message,
    }


CASES = {
    "iris/default": case(complete, "iris"),
    "wine/split=16": case(complete, "wine", growing=SPLIT_16),
    "wine/split=16,top_k=5,ties": case(complete, "wine", growing=SPLIT_16, top_k=5, count_ties=True),
    "wine/split=16,n_jobs=2": case(complete, "wine", growing=SPLIT_16, n_jobs=2),
    "wine/split=16,tolerance=1": case(complete, "wine", growing=SPLIT_16, tolerance=1),
    "wine/split=16,tolerance=0.03": case(complete, "wine", growing=SPLIT_16, tolerance=0.03),
    "wine/split=16,max_features=3": case(complete, "wine", growing=SPLIT_16, max_features=3),
    "wine/split=16,order=index": case(complete, "wine", growing=SPLIT_16, order="index"),
    "wine/split=16,order=index_descending": case(
        complete, "wine", growing=SPLIT_16, order="index_descending"
    ),
    "wine/split=16,order=frontier_descending": case(
        complete, "wine", growing=SPLIT_16, order="frontier_descending", top_k=3
    ),
    "wine/split=16,memory=64kB": case(complete, "wine", growing=SPLIT_16, memory_limit="64kB"),
    "heart-c/split=32": case(complete, "heart-c", growing=SPLIT_32, count_ties=True),
    "mixed/default": case(complete, data.mixed, top_k=4, count_ties=True),
    "numbers/weights": case(complete, data.numbers, weight=data.weights(90), top_k=2),
    "vote/id3,depth=3": case(complete, "vote", growing={"growth": "id3", "missing": "value", "max_depth": 3}),
    "wine/judges=positions": case(complete, "wine", judges=list(range(0, 178, 5)), growing=SPLIT_32),
    "breast-cancer/stopped": stopped_by_callback,
}
