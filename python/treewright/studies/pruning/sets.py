"""The fourteen public sets of the experiment on pruning, each as its numbers say that it was taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from treewright.data.dataset import Dataset
from treewright.data.sources import registry as datasets
from treewright.studies.common.set_versions import (
    all_of_folder,
    levels_as_most_frequent,
    missing_as_most_frequent,
    missing_as_value,
    of_folder,
)

PAPER = "paper"
"""What stands for the fourteen sets."""

AMBIGUOUS = ("N", "D", "S", "R")
"""Letters of splice that stand for one of several bases."""

Load = Callable[..., Dataset]


def published_sets(folder: Path | None = None) -> dict[str, Dataset]:
    """Load the fourteen sets, from a folder or the one that the environment names."""
    load_set = partial(of_folder, folder)
    return all_of_folder({name: partial(make, load_set) for name, make in SETS.items()}, len(SETS) - 2)


def _whole(name: str, load: Load) -> Dataset:
    return load(name)


def _filled(name: str, load: Load) -> Dataset:
    return missing_as_most_frequent(load(name))


SETS: Mapping[str, Callable[[Load], Dataset]] = {
    "mushroom": partial(_filled, "mushroom"),
    "audiology": partial(_filled, "audiology"),
    "car": partial(_whole, "car"),
    "splice4": lambda load: levels_as_most_frequent(load("splice"), AMBIGUOUS),
    "hayes-roth": partial(_whole, "hayes-roth"),
    "kr-vs-kp": partial(_whole, "kr-vs-kp"),
    "monks-1": lambda load: datasets.load("monks-1"),
    "monks-2": partial(_whole, "monks-2"),
    "monks-3": partial(_whole, "monks-3"),
    "nursery": partial(_whole, "nursery"),
    "promoters": partial(_whole, "promoters"),
    "soybean": partial(_filled, "soybean"),
    "tic-tac-toe": lambda load: datasets.load("tic-tac-toe"),
    "vote": lambda load: missing_as_value(load("vote")),
}
"""In the order of the published tables."""
