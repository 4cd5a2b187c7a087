"""The public sets of the experiment on planes with few features, each as the paper describes it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import numpy as np

from treewright.data.dataset import Dataset, override
from treewright.data.sources.build import build
from treewright.studies.common.set_versions import (
    all_of_folder,
    complete_rows,
    labels_of,
    of_folder,
)

PAPER = "paper"
"""What stands for the four sets."""

VOTE_CODES = {"y": 2.0, "n": -2.0}
"""A missing vote is 0, between them."""

Load = Callable[..., Dataset]


def published_sets(folder: Path | None = None) -> dict[str, Dataset]:
    """Load the four sets from a folder, or the one that the environment names."""
    load = partial(of_folder, folder)
    return all_of_folder({name: partial(make, load) for name, make in SETS.items()}, len(SETS))


def _heart(load: Load) -> Dataset:
    """Complete rows; any narrowing of vessels is a disease."""
    complete = complete_rows(load("heart-cleveland"))
    return override(complete, np.where(labels_of(complete) == "0", "healthy", "ill"))


def _cancer(load: Load) -> Dataset:
    return complete_rows(load("breast-w"))


def _sonar(load: Load) -> Dataset:
    return load("sonar")


def _house(load: Load) -> Dataset:
    """Votes as numbers."""
    votes = load("vote")
    columns = []
    for i, levels in enumerate(votes.levels):
        assert levels is not None, "votes are nominal"
        codes = np.array([*(VOTE_CODES[str(level)] for level in levels), 0.0])
        columns.append(codes[votes.column(i)])
    assert votes.classes is not None, "votes have parties"
    names = list(votes.feature_names)
    return build(names, columns, [None] * len(names), votes.target, votes.classes.tolist())


SETS: Mapping[str, Callable[[Load], Dataset]] = {
    "heart": _heart,
    "cancer": _cancer,
    "sonar": _sonar,
    "house": _house,
}
