"""What is run on every fold: optimal trees of every depth, those that choose for themselves, greedy trees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from treewright.studies.common.folds import Fold, error_rate, timed
from treewright.studies.common.run import Plan, Row
from treewright.trees.greedy import GreedyTreeClassifier
from treewright.trees.optimal.estimator import OptimalTreeClassifier
from treewright.trees.pruning.cost_complexity import CostComplexityPruning
from treewright.trees.pruning.error_based import ErrorBasedPruning

CHOOSING = ("penalty_cv", "depth_cv")
"""Optimal trees whose price of a leaf, or depth, is chosen by cross-validation."""

GREEDY: Mapping[str, Callable[[], GreedyTreeClassifier]] = {
    "c45": GreedyTreeClassifier.c45,
    "cost_complexity": lambda: GreedyTreeClassifier(
        criterion="gini", nominal_splits="one_value", pruning=CostComplexityPruning(alpha="cv")
    ),
    "fit": lambda: GreedyTreeClassifier(pruning=ErrorBasedPruning(grafting=False)),
}
"""What else a user would take."""

METHODS = (*CHOOSING, *GREEDY)
"""The methods besides the optimal trees of given depths."""

GREEDY_STATUS = "complete"
"""A greedy tree proves nothing."""


def depth_method(depth: int) -> str:
    """Return what the optimal tree of a depth is called among the methods."""
    return f"depth {depth}"


@dataclass(frozen=True)
class OptimalPlan(Plan):
    """What to do on every fold."""

    depths: tuple[int, ...]
    others: tuple[str, ...]

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods, in their order."""
        return (*map(depth_method, self.depths), *self.others)

    def model(self, method: str) -> OptimalTreeClassifier | GreedyTreeClassifier:
        """Return an estimator that is not fitted."""
        if method in GREEDY:
            return GREEDY[method]()
        limit = self.search_time_limit
        if method == "depth_cv":
            return OptimalTreeClassifier(max_depth="cv", time_limit=limit)
        if method == "penalty_cv":
            return OptimalTreeClassifier(max_depth=self.deepest, leaf_penalty="cv", time_limit=limit)
        depth = dict(zip(map(depth_method, self.depths), self.depths, strict=True))[method]
        return OptimalTreeClassifier(max_depth=depth, time_limit=limit)

    @property
    def deepest(self) -> int:
        """The largest depth, within which a price of a leaf is chosen."""
        return max(self.depths, default=3)


def rows_of_fold(fold: Fold, plan: OptimalPlan) -> Iterator[Row]:
    """Yield what every method did on a fold."""
    for method in plan.methods:
        model, seconds = timed(partial(plan.model(method).fit, fold.training))
        errors = (error_rate(model, part) for part in (fold.training, fold.held_out))
        is_search = isinstance(model, OptimalTreeClassifier)
        status = model.search_.status if is_search else GREEDY_STATUS
        tree = model.tree_
        yield (*fold.place, method, *errors, tree.n_leaves, tree.max_depth, seconds, status)
