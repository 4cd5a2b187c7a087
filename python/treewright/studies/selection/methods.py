"""The ways of choosing features that a study compares, each on one fold."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from treewright.selection.complete import CompleteSearchSelector
from treewright.selection.selector import TreeSelector
from treewright.selection.stepwise import BackwardEliminationSelector, ForwardSelectionSelector
from treewright.studies.common.folds import Fold
from treewright.studies.common.outcome import Outcome, error_rate
from treewright.studies.selection.sequential import sequential
from treewright.trees.greedy import GreedyTreeClassifier


@dataclass(frozen=True)
class Plan:
    """What to do on every fold; trees grow on one thread, so that times can be compared."""

    methods: tuple[str, ...]
    growing: Mapping[str, Any]
    time_limit: float | None


def _top(fold: Fold, plan: Plan) -> Outcome:
    """Select nothing: the tree on all features."""
    model = GreedyTreeClassifier(**plan.growing, n_jobs=1)
    started = time.perf_counter()
    tree = model.fit(fold.training).tree_
    seconds = time.perf_counter() - started
    return Outcome(
        error=error_rate(tree, fold.held_out),
        validation_error=error_rate(model.fit(fold.building), fold.search),
        n_selected=tree.n_features,
        n_used=len(tree.used_features),
        n_trees_built=1,
        seconds=seconds,
        status="complete",
    )


def _selected(fold: Fold, plan: Plan, *, kind: Callable[..., TreeSelector], **options: Any) -> Outcome:
    """Let one of the selectors choose."""
    options |= {"time_limit": plan.time_limit, "n_jobs": 1, "estimator": GreedyTreeClassifier(**plan.growing)}
    selector = kind(validation_set=fold.is_validation, **options).fit(fold.training)
    return Outcome(
        error=error_rate(selector.refit_tree_, fold.held_out),
        validation_error=selector.validation_error_,
        n_selected=int(selector.support_.sum()),
        n_used=len(selector.refit_tree_.used_features),
        n_trees_built=selector.n_trees_built_,
        seconds=selector.search_.elapsed,
        status=selector.search_.status,
    )


def _sklearn(fold: Fold, plan: Plan) -> Outcome:
    """Let scikit-learn's selector and tree do it."""
    return sequential(fold, plan.growing, plan.time_limit)


Method = Callable[[Fold, Plan], Outcome]

METHODS: Mapping[str, Method] = {
    "top": _top,
    "backward": partial(_selected, kind=BackwardEliminationSelector),
    "forward": partial(_selected, kind=ForwardSelectionSelector),
    "complete": partial(_selected, kind=CompleteSearchSelector),
}
"""What can be compared."""

BLACK_BOXES: Mapping[str, Method] = {
    "retrain": partial(_selected, kind=BackwardEliminationSelector, strategy="retrain"),
    "sklearn": _sklearn,
}
"""What is run for its time: elimination that knows nothing of trees."""

RUNNERS: Mapping[str, Method] = {**METHODS, **BLACK_BOXES}
