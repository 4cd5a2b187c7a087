"""A data set with classes, what everything that learns from labels works on, and what its classes weigh."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from treewright import _core
from treewright._base.errors import DataError, ParameterError
from treewright._base.params import number
from treewright._base.warn import warn
from treewright._base.wording import COMMAND, NONE_OR, UNSET
from treewright.data.dataset import Dataset, as_dataset
from treewright.data.types import AnyArray, BoolArray, CodeArray, FloatArray, IntArray, TableLike, VectorLike

GRID = 2**20
"""Factors of classes are multiples of 1 / GRID, as weights are."""


@dataclass(frozen=True, eq=False)
class TrainingSet:
    """A `Dataset` that is known to have classes, its arrays taken out once.

    `kept` tells which rows of the user's table are samples; those of weight 0 are not. `sample_weight` is as
    the user gave it, `counted` what the samples count, the factors of `class_weight` included.
    """

    dataset: Dataset
    target: CodeArray
    classes: AnyArray
    sample_weight: FloatArray | None
    kept: BoolArray
    class_weight: object = None

    @classmethod
    def read(
        cls,
        X: TableLike,
        y: VectorLike,
        sample_weight: VectorLike = None,
        *,
        categorical_features: object = "from_dtype",
        class_weight: object = None,
        owner: str,
        memory_limit: int | str | None = None,
    ) -> Self:
        """Pass the user's data through the door; `owner` is who asks for classes."""
        dataset = as_dataset(
            X,
            y,
            sample_weight=sample_weight,
            categorical_features=categorical_features,
            memory_limit=memory_limit,
        )
        return cls.of(dataset, owner, _kept(sample_weight, dataset.n_samples), class_weight)

    @classmethod
    def of(
        cls, dataset: Dataset, owner: str, kept: BoolArray | None = None, class_weight: object = None
    ) -> Self:
        """Take the classes of a data set; `owner` is who asks for them."""
        target, classes = dataset.target, dataset.classes
        if target is None or classes is None:
            raise DataError(
                f"{owner} requires y to be passed, but the target y is None and X holds no classes; "
                "give one class label a sample"
            )
        all_rows = np.ones(dataset.n_samples, dtype=np.bool_) if kept is None else kept
        return cls(dataset, target, classes, dataset.sample_weight, all_rows, class_weight)

    def part(self, rows: IntArray, owner: str) -> TrainingSet:
        """Return some of the samples, whose classes keep the factors that they have among all."""
        factors = class_factors(self.class_weight, self)
        kept = None if factors is None else dict(zip(self.classes.tolist(), factors, strict=True))
        return TrainingSet.of(self.dataset[rows], owner, class_weight=kept)

    @property
    def weights(self) -> FloatArray:
        """Sample weights as the user gave them, times the factors of their classes."""
        given = np.ones(self.n_samples) if self.sample_weight is None else self.sample_weight
        factors = class_factors(self.class_weight, self)
        return given if factors is None else given * np.array(factors)[self.target]

    @cached_property
    def row_weight(self) -> float:
        """Weight of a sample in a model whose weights are probabilities."""
        return 1 / math.fsum(self.counted.values)

    @property
    def core(self) -> _core.Dataset:
        """The encoded table that the engines read."""
        return self.dataset.core

    @property
    def n_samples(self) -> int:
        """Number of samples of positive weight."""
        return len(self.target)

    @cached_property
    def counted(self) -> _core.CountedWeights:
        """What every sample counts in a fit of all of them."""
        return self.counted_for(None)

    def counted_for(self, training_rows: IntArray | None) -> _core.CountedWeights:
        """Return what every sample counts where a tree grows from some of them; None is all."""
        factors = class_factors(self.class_weight, self)
        return _core.counted_weights(self.core, class_weight=factors, training=training_rows)

    @property
    def weight_scale(self) -> float:
        """What the sample weights are multiplied with, so that their mean is 1 or above."""
        is_plain = self.sample_weight is None and self.class_weight is None
        return 1.0 if is_plain else self.counted.scale

    @property
    def n_lost(self) -> int:
        """Number of samples of positive weight that weigh too little beside the others to count."""
        is_plain = self.sample_weight is None and self.class_weight is None
        return 0 if is_plain else self.counted.n_lost

    @cached_property
    def origin(self) -> IntArray:
        """Position of every sample in the user's table."""
        return np.flatnonzero(self.kept)


ATTRIBUTE = "n_lost_samples_"
"""Where a fitted estimator says how many samples were left out."""


def warn_of_lost(n_lost: int, n_all: int, where: str | None = ATTRIBUTE) -> None:
    """Tell the user that samples weigh next to nothing beside the others, and leave.

    The number stands in the attribute `where`, not in the text: boosting fits hundreds of times, and a text
    is shown once. Without such an attribute, and on the command line, the text has it.
    """
    if not n_lost:
        return
    where = None if COMMAND.get() else where
    which = "some samples weigh" if where else f"{n_lost} of {n_all} samples weigh"
    told = f" ({where} says how many)" if where else ""
    warn(
        f"{which} less than a millionth of the mean weight, too little to count, and left out{told}; "
        "a weight of 0 says that this is meant, and weights that differ less keep every sample"
    )


def _kept(sample_weight: VectorLike, n_samples: int) -> BoolArray:
    """Tell which rows of the user's table have a weight other than 0; the weights have been checked."""
    weights = np.asarray(1.0 if sample_weight is None else sample_weight, dtype=np.float64)
    return weights != 0 if weights.ndim else np.ones(n_samples, dtype=np.bool_)


def weight_type(weights: FloatArray) -> Callable[[float], int | float]:
    """Return the type of a sum of such weights: int where all are whole."""
    return int if bool((weights % 1 == 0).all()) else float


def checked_class_weight(value: object) -> object:
    """Return the parameter ``class_weight`` if it has a known form."""
    is_balanced = isinstance(value, str) and value == "balanced"
    if value is None or is_balanced or isinstance(value, Mapping):
        return value
    raise ParameterError(
        "class_weight",
        value,
        ("must be ", NONE_OR, "'balanced' or a dict of class label to factor"),
        "weights of single samples go to fit(sample_weight=)",
    )


def class_factors(class_weight: object, training: TrainingSet) -> list[float] | None:
    """Return one factor a class, in the order of the classes, or None for 1 throughout."""
    if class_weight is None:
        return None
    if isinstance(class_weight, str):
        return _balanced(training)
    assert isinstance(class_weight, Mapping), "it has been checked"
    return _from_mapping(class_weight, training.classes)


def _balanced(training: TrainingSet) -> list[float]:
    """Give every class the same weight: total / (classes * own weight), as multiples of 2^-20.

    On that grid a sample of weight 2 and the sample twice still weigh exactly the same. Rounded up, so that
    the mean of the weights does not fall below what it is without the factors.
    """
    weights = [Fraction(weight) for weight in _weight_by_class(training)]
    total = sum(weights)
    exact = [total / (len(weights) * own) if own else Fraction(1) for own in weights]
    return [math.ceil(factor * GRID) / GRID for factor in exact]


def _weight_by_class(training: TrainingSet) -> list[float]:
    """Sum the weights class by class, exactly, so that row order cannot show."""
    counts = np.bincount(training.target, minlength=len(training.classes))
    if training.sample_weight is None:
        return [float(count) for count in counts]
    by_class = np.argsort(training.target, kind="stable")
    pieces = np.split(training.sample_weight[by_class], np.cumsum(counts)[:-1])
    return [math.fsum(piece) for piece in pieces]


def _from_mapping(given: Mapping[object, object], classes: AnyArray) -> list[float]:
    """Look factors up by label; a class left out has 1."""
    labels = classes.tolist()
    strangers = [label for label in given if label not in labels]
    if strangers and any(label not in given for label in labels):
        raise ParameterError(
            "class_weight", UNSET, f"names {strangers[0]!r}, which is no class", f"the classes are {labels}"
        )
    return [_factor(label, given.get(label, 1.0)) for label in labels]


def _factor(label: object, value: object) -> float:
    return number(
        f"class_weight[{label!r}]",
        value,
        least=0,
        open_end=True,
        remedy="to leave a class out, leave its samples out",
    )
