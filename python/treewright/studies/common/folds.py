"""Repeated stratified cross-validation: which samples learn, which judge, with which seed; and errors."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import RepeatedStratifiedKFold

from treewright._base.errors import DataError
from treewright.data.dataset import Dataset
from treewright.data.validation_set import draw_share

Rows = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Splitting:
    """How samples are parted: `n_folds` folds, `n_repeats` times, a share of the rest for validation."""

    n_folds: int
    n_repeats: int
    validation_share: float
    seed: int


@dataclass(frozen=True, eq=False)
class Fold:
    """One part held out, the others to learn from; parts are taken where the work is done."""

    name: str
    dataset: Dataset
    repeat: int
    number: int
    seed: int
    validation_share: float
    training_rows: Rows
    held_out_rows: Rows

    @cached_property
    def training(self) -> Dataset:
        """The samples to learn from: training part and validation set together."""
        return self.dataset[self.training_rows]

    @cached_property
    def held_out(self) -> Dataset:
        """The samples that judge the final tree."""
        return self.dataset[self.held_out_rows]

    @cached_property
    def is_validation(self) -> NDArray[np.bool_]:
        """Which of the samples to learn from judge feature sets; the others grow trees."""
        target = self.training.target
        assert target is not None, "a study opens data sets with classes only"
        return draw_share(self.validation_share, target, self.seed)

    @property
    def training_part(self) -> Dataset:
        """The samples that grow trees during the search."""
        return self.training[~self.is_validation]

    @property
    def validation_part(self) -> Dataset:
        """The samples that judge feature sets during the search."""
        return self.training[self.is_validation]


def seed_of(seed: int, repeat: int, number: int) -> int:
    """Return the seed of one fold, which depends on nothing but its place and the study's seed."""
    return int(np.random.SeedSequence([seed, repeat, number]).generate_state(1)[0])


def folds_of(name: str, dataset: Dataset, splitting: Splitting) -> Iterator[Fold]:
    """Yield the folds of a data set, repeat by repeat."""
    for i, (training, held_out) in enumerate(_parts(name, dataset, splitting)):
        repeat, number = divmod(i, splitting.n_folds)
        seed = seed_of(splitting.seed, repeat, number)
        yield Fold(name, dataset, repeat, number, seed, splitting.validation_share, training, held_out)


def _parts(name: str, dataset: Dataset, splitting: Splitting) -> list[tuple[Rows, Rows]]:
    """Split as scikit-learn does; a class with fewer samples than folds is simply not in every fold."""
    target = dataset.target
    assert target is not None, "a study opens data sets with classes only"
    largest = int(np.bincount(target).max())
    if largest < splitting.n_folds:
        raise DataError(
            f"data set {name!r}: its largest class has {largest} samples, too few for {splitting.n_folds} "
            "folds; choose fewer folds"
        )
    splitter = RepeatedStratifiedKFold(
        n_splits=splitting.n_folds, n_repeats=splitting.n_repeats, random_state=splitting.seed
    )
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "The least populated class", UserWarning)
        return list(splitter.split(np.zeros(len(target)), target))


class Predicts(Protocol):
    """A tree or a classifier."""

    def predict(self, X: Any) -> NDArray[Any]:
        """Return one class label a sample."""


def error_rate(predictor: Predicts, dataset: Dataset) -> float:
    """Return the share of the weight that is predicted wrongly."""
    return wrong_share(predictor.predict(dataset), dataset)


def wrong_share(predicted: NDArray[Any], dataset: Dataset) -> float:
    """Return the weight of the wrong ones among predicted labels, as a share of all."""
    classes, target = dataset.classes, dataset.target
    assert classes is not None, "a study opens data sets with classes only"
    return float(np.average(predicted != classes[target], weights=dataset.sample_weight))
