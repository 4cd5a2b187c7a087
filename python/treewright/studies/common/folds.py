"""Repeated stratified cross-validation: which samples learn, which judge, with which seed; and errors."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, Self, TypedDict, TypeVar

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from treewright._base.errors import DataError
from treewright._base.params import whole_number
from treewright.data.dataset import Dataset
from treewright.data.types import AnyArray, BoolArray, IntArray
from treewright.data.validation_set import draw_share
from treewright.studies.common.parameters import seed

Found = TypeVar("Found")


class FoldSettings(TypedDict):
    """Parameters that all studies by cross-validation have."""

    cv: int
    repeats: int
    random_state: int


@dataclass(frozen=True, eq=False)
class Splitting:
    """How samples are parted: `n_folds` folds, `n_repeats` times, a share of the rest for validation."""

    n_folds: int
    n_repeats: int
    validation_share: float
    seed: int

    @classmethod
    def of(cls, cv: object, repeats: object, random_state: object, validation_share: float = 0.0) -> Self:
        """Return what the parameters of a study say."""
        n_folds, n_repeats = whole_number("cv", cv, least=2), whole_number("repeats", repeats, least=1)
        return cls(n_folds, n_repeats, validation_share, seed(random_state))


@dataclass(frozen=True, eq=False)
class Fold:
    """One part held out, the others to learn from; parts are taken where the work is done."""

    name: str
    dataset: Dataset
    repeat: int
    number: int
    seed: int
    validation_share: float
    training_rows: IntArray
    held_out_rows: IntArray

    @property
    def place(self) -> tuple[str, int, int, int]:
        """The first cells of every row about the fold."""
        return self.name, self.repeat, self.number, self.seed

    @cached_property
    def training(self) -> Dataset:
        """The samples to learn from: training part and validation set together."""
        return self.dataset[self.training_rows]

    @cached_property
    def held_out(self) -> Dataset:
        """The samples that judge the final tree."""
        return self.dataset[self.held_out_rows]

    @cached_property
    def is_validation(self) -> BoolArray:
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


def folds_of(name: str, dataset: Dataset, splitting: Splitting) -> Iterator[Fold]:
    """Yield the folds of a data set, repeat by repeat; place and seed of the study give each its own."""
    for i, (training, held_out) in enumerate(_parts(name, dataset, splitting)):
        repeat, number = divmod(i, splitting.n_folds)
        own = int(np.random.SeedSequence([splitting.seed, repeat, number]).generate_state(1)[0])
        yield Fold(name, dataset, repeat, number, own, splitting.validation_share, training, held_out)


def _parts(name: str, dataset: Dataset, splitting: Splitting) -> list[tuple[IntArray, IntArray]]:
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


def timed(work: Callable[[], Found]) -> tuple[Found, float]:
    """Return what a piece of work finds, and its seconds of wall clock."""
    started = time.perf_counter()
    found = work()
    return found, time.perf_counter() - started


class Predicts(Protocol):
    """A tree or a classifier."""

    def predict(self, X: Dataset) -> AnyArray:
        """Return one class label a sample."""


def error_rate(predictor: Predicts, dataset: Dataset) -> float:
    """Return the share of the weight that is predicted wrongly."""
    return wrong_share(predictor.predict(dataset), dataset)


def wrong_share(predicted: AnyArray, dataset: Dataset) -> float:
    """Return the weight of the wrong ones among predicted labels, as a share of all."""
    classes, target = dataset.classes, dataset.target
    assert classes is not None, "a study opens data sets with classes only"
    return float(np.average(predicted != classes[target], weights=dataset.sample_weight))
