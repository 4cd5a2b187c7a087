"""What one method did on one fold."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from treewright.data.dataset import Dataset


class Predicts(Protocol):
    """A tree or a classifier."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return one class label a sample."""


class Outcome(NamedTuple):
    """What one method did on one fold.

    Attributes
    ----------
    error : float
        Share of the held-out weight that is predicted wrongly by the tree grown on all training samples.
    validation_error : float
        The same of the search set, by the tree grown on the building set.
    n_selected : int
        Features that the tree was given.
    n_used : int
        Features that the tree grown on all training samples tests.
    n_trees_built : int
        Trees that the selection built.
    seconds : float
        Wall clock of the selection; for the top tree, of growing it.
    status : str
        How the selection ended, as in `treewright.results.SearchResult`.
    """

    error: float
    validation_error: float
    n_selected: int
    n_used: int
    n_trees_built: int
    seconds: float
    status: str


def error_rate(predictor: Predicts, dataset: Dataset) -> float:
    """Return the share of the weight that is predicted wrongly."""
    return wrong_share(predictor.predict(dataset), dataset)


def wrong_share(predicted: NDArray[Any], dataset: Dataset) -> float:
    """Return the weight of the wrong ones among predicted labels, as a share of all."""
    classes, target = dataset.classes, dataset.target
    assert classes is not None, "a study opens data sets with classes only"
    return float(np.average(predicted != classes[target], weights=dataset.sample_weight))
