"""Backward elimination, every tree grown anew and every error counted anew.

The black box (SBE) tries to drop each feature of the subset; the pruned form (PSBE)
only those the tree tests. Both must take the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from reference.grow import Tree, grow
from reference.predict import predict
from reference.table import Growing, Table, counted_weights, total_weight

TOP_TREE = -1  # stands for the dropped feature in the first step


@dataclass(frozen=True)
class Step:
    """A feature dropped, the errors after it, and the trees built by then."""

    dropped: int
    errors: float
    n_trees_built: int


@dataclass
class Elimination:
    """Subset, tree and errors of the last step taken, and all steps."""

    selected: list[int]
    tree: Tree
    n_trees_built: int = 1
    history: list[Step] = field(default_factory=list)

    @property
    def errors(self) -> float:
        return self.history[-1].errors


def validation_errors(
    tree: Tree, table: Table, growing: Growing, building: Sequence[int], search: Sequence[int]
) -> float:
    """Sum the weights, class weights included, of the validation samples predicted wrongly."""
    weights = counted_weights(table, growing, building)
    wrong = (s for s in search if predict(tree, table.row(s)) != table.target[s])
    return total_weight([weights[s] for s in wrong])


def eliminate_backward(
    table: Table,
    growing: Growing,
    building: Sequence[int],
    search: Sequence[int],
    strategy: str,
) -> Elimination:
    """Drop the feature whose loss leaves the fewest errors, while they fall."""

    def attempt(features: list[int]) -> tuple[float, Tree]:
        tree = grow(table.take(building), growing, features)
        return validation_errors(tree, table, growing, building, search), tree

    errors, tree = attempt(list(range(table.n_features)))
    found = Elimination(list(range(table.n_features)), tree)
    found.history.append(Step(TOP_TREE, errors, 1))
    while candidates := _candidates(found, strategy):
        trials = []
        for feature in candidates:
            errors, tree = attempt([f for f in found.selected if f != feature])
            trials.append((errors, feature, tree))
        found.n_trees_built += len(trials)
        errors, feature, tree = min(trials, key=lambda trial: trial[:2])
        if errors >= found.errors:
            break
        found.selected.remove(feature)
        found.tree = tree
        found.history.append(Step(feature, errors, found.n_trees_built))
    return found


def _candidates(found: Elimination, strategy: str) -> list[int]:
    if strategy == "retrain":
        return list(found.selected)
    return found.tree.used_features
