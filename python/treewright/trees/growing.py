"""The growing parameters: checked once, handed to the engines in their form."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from treewright import _core
from treewright._base.errors import ParameterError
from treewright._base.params import (
    BEYOND_DEPTH,
    Limits,
    SearchPruning,
    at_most,
    flag_or_none,
    n_threads,
    number,
    one_of,
    whole_number_or_none,
)
from treewright._base.warn import testing
from treewright._base.wording import NO_VALUE, Param, Sentence
from treewright.data.folds import validation_folds
from treewright.data.training import (
    ATTRIBUTE,
    TrainingSet,
    checked_class_weight,
    class_factors,
    warn_of_lost,
    weight_type,
)
from treewright.data.types import FloatArray, TableLike, VectorLike
from treewright.data.validation_set import Split
from treewright.results import Progress
from treewright.trees.answering import Answering, Prices
from treewright.trees.tree import Tree

CRITERIA = [name for name, _ in _core.GrowthParameters.CRITERIA]
OTHER_NAMES = {"entropy": "info_gain"}
"""What scikit-learn calls a criterion."""
IN_BITS = [name for name, is_in_bits in _core.GrowthParameters.CRITERIA if is_in_bits]
"""Criteria that go by gains in bits."""
GROWTHS = ("standard", "id3", "c45")
NOMINAL_SPLITS = ("multiway", "groups", "one_value")
MISSING = ("distribution", "most_frequent", "value", "raise")

BEYOND_LEAVES = 2**32 - 1
"""More leaves than any tree can have."""

BEYOND_WEIGHT = 1e15
"""More than any data can weigh: as a limit on weights the same as anything above it."""

REMEDIES: dict[str, Sentence] = {
    "min_samples_split": "it is a weight, or below 1 a share of it: a node below it is a leaf; 1 is no limit",
    "min_samples_leaf": "it is the weight that every branch needs, or below 1 a share of it; 1 is no limit",
    "min_samples_branch": "it is the weight that two branches need, or below 1 a share of it; 0 is no limit",
    "min_gain": "it is in bits (in Gini decrease for 'gini'); 0 switches it off",
    "max_depth": ("it counts edges from the root; ", NO_VALUE, " for no limit"),
    "max_leaf_nodes": ("it counts leaves that a sample reaches; ", NO_VALUE, " for no limit"),
}


@dataclass(frozen=True)
class Growing:
    """Checked growing parameters; `class_weight` still needs the data."""

    criterion: str
    growth: str
    min_samples_split: float
    min_samples_leaf: float
    min_samples_branch: float
    min_gain: float
    mdl_correction: bool | None
    collapse: bool | None
    average_gain: bool | None
    max_depth: int | None
    max_leaf_nodes: int | None
    nominal_splits: str
    missing: str
    class_weight: object
    answering: Answering
    categorical_features: object
    n_threads: int
    features: list[int] | None = None

    @classmethod
    def of(cls, estimator: BaseEstimator) -> Growing:
        """Check the growing parameters of an estimator."""
        criterion = _criterion(estimator.criterion, estimator.growth)
        return cls(
            criterion=criterion,
            growth=one_of("growth", estimator.growth, GROWTHS),
            min_samples_split=weight_limit("min_samples_split", estimator.min_samples_split, open_end=True),
            min_samples_leaf=weight_limit("min_samples_leaf", estimator.min_samples_leaf),
            min_samples_branch=weight_limit("min_samples_branch", estimator.min_samples_branch),
            min_gain=weight_limit("min_gain", estimator.min_gain),
            mdl_correction=_correction(estimator.mdl_correction, criterion, estimator.growth),
            collapse=flag_or_none("collapse", estimator.collapse),
            average_gain=_average(estimator.average_gain, criterion, estimator.growth),
            max_depth=at_most("max_depth", estimator.max_depth, BEYOND_DEPTH, remedy=REMEDIES["max_depth"]),
            max_leaf_nodes=_most_leaves(estimator.max_leaf_nodes),
            nominal_splits=_nominal_splits(estimator.nominal_splits, estimator.growth),
            missing=one_of("missing", estimator.missing, MISSING),
            class_weight=checked_class_weight(estimator.class_weight),
            answering=Answering.of(estimator),
            categorical_features=estimator.categorical_features,
            n_threads=n_threads(estimator.n_jobs),
        )

    def on(self, n_jobs: int | None) -> Growing:
        """Return the same for so many threads; None leaves the estimator's own number."""
        return self if n_jobs is None else replace(self, n_threads=n_threads(n_jobs))

    def read(
        self,
        X: TableLike,
        y: VectorLike,
        sample_weight: VectorLike,
        owner: str,
        memory_limit: int | str | None = None,
    ) -> TrainingSet:
        """Pass the user's data through the door, as the estimator reads it."""
        with testing(self.nominal_splits):
            return TrainingSet.read(
                X,
                y,
                sample_weight,
                categorical_features=self.categorical_features,
                class_weight=self.class_weight,
                owner=owner,
                memory_limit=memory_limit,
            )

    def parameters(self, training: TrainingSet) -> _core.GrowthParameters:
        """Return the growing parameters as the engines take them, for this data."""
        return _core.GrowthParameters(
            criterion=self.criterion,
            growth=self.growth,
            min_samples_split=self.min_samples_split,
            min_samples_leaf=self.min_samples_leaf,
            min_samples_branch=self.min_samples_branch,
            min_gain=self.min_gain,
            mdl_correction=self.mdl_correction,
            collapse=self.collapse,
            average_gain=self.average_gain,
            max_depth=self.max_depth,
            max_leaf_nodes=self.max_leaf_nodes,
            nominal_splits=self.nominal_splits,
            missing=self.missing,
            class_weight=class_factors(self.class_weight, training),
            cost_matrix=self.answering.costs(training.classes),
            probability=self.answering.probability,
            smoothing=self.answering.smoothing,
        )

    def grow(self, training: TrainingSet, features: list[int] | None = None) -> Tree:
        """Grow a tree from all the data, on some of its features, those of its own or all."""
        features = self.features if features is None else features
        growth = self.parameters(training)
        return Tree(_core.grow(training.core, growth=growth, features=features, n_threads=self.n_threads))


@dataclass(frozen=True, eq=False)
class SearchData:
    """Data of a search over sets of features: how trees grow, all rows, and their two parts."""

    growing: Growing
    training: TrainingSet
    split: Split
    pruning: SearchPruning | None = None
    folds: tuple[Split, ...] = ()

    @classmethod
    def read(
        cls,
        growing: Growing,
        X: TableLike,
        y: VectorLike,
        sample_weight: VectorLike,
        validation_set: object,
        random_state: object,
        owner: str,
        *,
        may_lack_validation: bool = False,
        memory_limit: int | str | None = None,
        pruning: SearchPruning | None = None,
        takes_folds: bool = False,
    ) -> Self:
        """Read the data and split its rows; all train without a `validation_set`, where that may be."""
        training = growing.read(X, y, sample_weight, owner, memory_limit)
        folds = validation_folds(training, validation_set, random_state)
        if folds and not takes_folds:
            allowed = f"is cross-validation, which {owner} does not take"
            raise ParameterError("validation_set", validation_set, allowed, "give a share or rows")
        if folds:
            split = Split.joining(training, folds)
        elif validation_set is None and may_lack_validation:
            split = Split.without_validation(training)
        else:
            split = Split.of(training, validation_set, random_state)
        data = cls(growing, training, split, pruning, folds)
        where = None if may_lack_validation else ATTRIBUTE
        warn_of_lost(data.counted.n_lost, training.n_samples, where)
        return data

    @cached_property
    def growth(self) -> _core.GrowthParameters:
        """Growing parameters as the engines take them."""
        return self.growing.parameters(self.training)

    @property
    def of_engine(self) -> _core.SearchData:
        """The data as the engines take it."""
        return self._of_engine(self.split)

    @property
    def folds_of_engine(self) -> list[_core.SearchData]:
        """The data of every fold as the engines take it; a single split is the only fold."""
        return [self._of_engine(fold) for fold in self.folds or (self.split,)]

    def _of_engine(self, split: Split) -> _core.SearchData:
        rows = split.training_rows, split.validation_rows
        return _core.SearchData(self.training.core, *rows, self.growth, self.pruning)

    def training_parts(self) -> list[tuple[Growing, TrainingSet]]:
        """Return the training part of every fold by itself, and how to grow from it what a search grows."""
        return [self._training_part(fold) for fold in self.folds or (self.split,)]

    def _training_part(self, split: Split) -> tuple[Growing, TrainingSet]:
        part = self.training.part(split.training_rows, owner="search")
        return replace(self.growing, class_weight=part.class_weight), part

    @cached_property
    def counted(self) -> _core.CountedWeights:
        """What every row counts where the training part is in use."""
        return self.training.counted_for(self.split.training_rows)

    @property
    def weights(self) -> FloatArray:
        """What every row counts."""
        return self.counted.values

    @property
    def validation_weight(self) -> float:
        """Summed weight of the validation rows."""
        folds = self.folds or (self.split,)
        return math.fsum(weight for fold in folds for weight in self.weights[fold.validation_rows])

    @property
    def counts_cost(self) -> bool:
        """Whether trees are compared by what wrong answers cost, not by errors."""
        return self.growing.answering.cost_matrix is not None

    @property
    def as_errors(self) -> Callable[[float], int | float]:
        """Type of a number of errors: int where all weights are whole, and wrong answers have no costs."""
        return float if self.counts_cost else weight_type(self.weights)

    @cached_property
    def prices(self) -> Prices:
        """What answers cost."""
        return self.growing.answering.prices(self.training.classes)

    @property
    def largest_loss(self) -> float:
        """What the validation rows cost at the most."""
        return self.validation_weight * max(1.0, self.prices.largest)

    @property
    def usual_loss(self) -> float:
        """What the validation rows cost if all answers are wrong, each at the mean cost for its class."""
        rows = np.concatenate([fold.validation_rows for fold in self.folds or (self.split,)])
        return math.fsum(self.weights[rows] * self.prices.by_class[self.training.target[rows]])

    def in_units(self, limits: Limits, per_error: int = 1) -> Limits:
        """Return limits whose callback is told the best in the unit of the costs, not the engine's.

        The engine may count an error more than once.
        """
        asked, unit = limits.callback, self.prices.unit / per_error
        if asked is None or unit == 1:
            return limits

        def told(progress: Progress) -> object:
            best, bound = (None if told is None else told * unit for told in (progress.best, progress.bound))
            return asked(replace(progress, best=best, bound=bound))

        return limits._replace(callback=told)


def _criterion(value: object, growth: object) -> str:
    criterion = one_of("criterion", OTHER_NAMES.get(str(value), value), CRITERIA)
    if isinstance(growth, str) and growth == "id3" and criterion != "info_gain":
        clash = ("does not go with ", Param("growth", "id3"), ", which scores by information gain")
        remedy = ("choose ", Param("criterion", "info_gain"), " or ", Param("growth", "standard"))
        raise ParameterError("criterion", criterion, clash, remedy)
    if isinstance(growth, str) and growth == "c45" and criterion not in IN_BITS:
        clash = ("does not go with ", Param("growth", "c45"), ", whose charge and average gain are in bits")
        in_bits = Param("criterion", "gain_ratio", "info_gain")
        remedy = ("choose ", in_bits, ", or ", Param("growth", "standard"))
        raise ParameterError("criterion", criterion, clash, remedy)
    return criterion


def _nominal_splits(value: object, growth: object) -> str:
    name = "nominal_splits"
    splits = one_of(name, value, NOMINAL_SPLITS)
    reasons = {
        "id3": ", which tests a feature once on a path, with a branch for every value",
        "c45": ", whose trees are those of C4.5 as it is run, with a branch for every value",
    }
    if splits != "multiway" and isinstance(growth, str) and growth in reasons:
        remedy = ("choose ", Param("growth", "standard"), " or ", Param(name, "multiway"))
        raise ParameterError(
            name, splits, ("does not go with ", Param("growth", growth), reasons[growth]), remedy
        )
    return splits


def _correction(value: object, criterion: str, growth: object) -> bool | None:
    name, without = "mdl_correction", Param("mdl_correction", False)
    wanted = flag_or_none(name, value)
    if wanted and criterion not in IN_BITS:
        why = f": it charges bits, and {criterion.capitalize()} gains are not in bits"
        remedy = ("choose ", Param("criterion", *IN_BITS), ", or ", without)
        raise ParameterError(name, True, ("does not go with ", Param("criterion", criterion), why), remedy)
    if wanted and isinstance(growth, str) and growth == "id3":
        why = ": it charges numeric features, and ID3 takes none"
        remedy = ("choose ", Param("growth", "standard"), " or ", without)
        raise ParameterError(name, True, ("does not go with ", Param("growth", "id3"), why), remedy)
    return wanted


def _average(value: object, criterion: str, growth: object) -> bool | None:
    name, without = "average_gain", Param("average_gain", False)
    wanted = flag_or_none(name, value)
    if wanted and growth != "c45":
        clash = ("does not go with ", Param("growth", growth), ": it is a rule of C4.5's growth")
        raise ParameterError(name, True, clash, ("choose ", Param("growth", "c45"), " or ", without))
    if wanted and criterion != "gain_ratio":
        why = ": it is a rule of the gain ratio"
        remedy = ("choose ", Param("criterion", "gain_ratio"), " or ", without)
        raise ParameterError(name, True, ("does not go with ", Param("criterion", criterion), why), remedy)
    return wanted


def _most_leaves(value: object) -> int | None:
    most = whole_number_or_none("max_leaf_nodes", value, least=1, remedy=REMEDIES["max_leaf_nodes"])
    return None if most is None else min(most, BEYOND_LEAVES)


def weight_limit(name: str, value: object, *, open_end: bool = False) -> float:
    """Check a limit on weights or a least gain; a share stays one."""
    checked = number(name, value, least=0, open_end=open_end, remedy=REMEDIES[name])
    if isinstance(value, np.floating):
        checked = float(str(value))  # a share is the decimal that is written
    return min(checked, BEYOND_WEIGHT)
