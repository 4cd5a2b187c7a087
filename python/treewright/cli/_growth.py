"""The option that says in whose manner a greedy tree grows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.cli._options import TREE, Decorator, parameter_option

if TYPE_CHECKING:
    from treewright import Dataset, GreedyTreeClassifier


def growth_option(default: str, *, prunes: bool) -> Decorator[Any]:
    """Return the option; `prunes` is whether C4.5's growth brings its pruning, too."""
    words = {"pruned": " and pruned" if prunes else ""}
    return parameter_option(TREE, "growth", section="Growing", default=default, **words)


def refuse_numbers(growth: str, name: str, dataset: Dataset) -> None:
    """Refuse numeric columns where trees grow as ID3's, in the words of the command line."""
    from treewright import DataError

    if growth == "id3" and "numeric" in dataset.kinds:
        column = dataset.feature_names[dataset.kinds.index("numeric")]
        raise DataError(
            f"{name}: trees grow by --growth id3, which takes nominal features only, and column {column!r} "
            "is numeric; grow them by --growth standard, or say with --nominal COL which columns hold names"
        )


def classifier(growth: str, parameters: dict[str, Any]) -> GreedyTreeClassifier:
    """Return a classifier with the defaults that are usual for a growth; what is given wins."""
    from treewright import GreedyTreeClassifier

    presets = {"id3": GreedyTreeClassifier.id3, "c45": GreedyTreeClassifier.c45}
    return presets.get(growth, GreedyTreeClassifier)(**parameters)
