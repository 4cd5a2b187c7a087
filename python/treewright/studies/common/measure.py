"""What methods are compared by in a study: errors, or what wrong answers cost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from treewright.data.dataset import Dataset
from treewright.studies.common.folds import Predicts
from treewright.trees.answering import Answering
from treewright.trees.greedy import GreedyTreeClassifier


@dataclass(frozen=True)
class Measure:
    """How answers are counted, and what the numbers are called in tables and columns."""

    answering: Answering

    @classmethod
    def of(cls, estimator: GreedyTreeClassifier) -> Self:
        """Return what the trees of an estimator are compared by."""
        return cls(Answering.of(estimator))

    @property
    def is_cost(self) -> bool:
        """Whether wrong answers have a cost."""
        return self.answering.cost_matrix is not None

    @property
    def total(self) -> str:
        """Name of the column of sums."""
        return "cost" if self.is_cost else "n_errors"

    @property
    def mean(self) -> str:
        """Name of the column of means."""
        return "mean_cost" if self.is_cost else "error"

    @property
    def validation(self) -> str:
        """Name of the column of means on the validation set."""
        return "mean_validation_cost" if self.is_cost else "validation_error"

    @property
    def heading(self) -> str:
        """What means are called in a table."""
        return "cost of an answer" if self.is_cost else "error in %"

    @property
    def axis(self) -> str:
        """What means are called beside a drawing."""
        return "cost of an answer" if self.is_cost else "error"

    @property
    def unit(self) -> str:
        """What follows where a mean is drawn."""
        return "" if self.is_cost else ", %"

    @property
    def word(self) -> str:
        """What is compared."""
        return "cost" if self.is_cost else "error"

    @property
    def factor(self) -> float:
        """What a mean is multiplied by where it is shown."""
        return 1.0 if self.is_cost else 100.0

    def told(self, mean: float) -> str:
        """Write a mean."""
        return f"{mean:.4f}" if self.is_cost else f"{100 * mean:.2f}"

    def check(self, data_sets: dict[str, Dataset]) -> None:
        """Refuse costs that are not those of the classes of every data set."""
        for dataset in data_sets.values():
            assert dataset.classes is not None, "a study opens data sets with classes only"
            self.answering.costs(dataset.classes)

    def sum_of(self, predictor: Predicts, dataset: Dataset) -> float:
        """Return the weight of the samples that are predicted wrongly, or what the answers cost."""
        classes, target = dataset.classes, dataset.target
        assert classes is not None, "a study opens data sets with classes only"
        assert target is not None, "a study opens data sets with classes only"
        places = {label: place for place, label in enumerate(classes.tolist())}
        answers = np.array([places[label] for label in predictor.predict(dataset).tolist()], dtype=np.int64)
        losses = self.answering.losses(target, answers, classes)
        own = dataset.sample_weight
        return float(losses.sum() if own is None else (own * losses).sum())

    def mean_of(self, predictor: Predicts, dataset: Dataset) -> float:
        """Return the same as a share of the weight of all samples."""
        own = dataset.sample_weight
        return self.sum_of(predictor, dataset) / (dataset.n_samples if own is None else float(own.sum()))
