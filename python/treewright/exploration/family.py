"""What a family of trees is: candidates in a fixed order, a way to fit them at once, and what that costs."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Protocol, TypedDict

from treewright._base.clock import Clock
from treewright.data.dataset import Dataset
from treewright.data.types import AnyArray, FloatArray, TableLike
from treewright.exploration.shape import Shape
from treewright.trees.tree import Tree

__all__ = ["Asked", "BlackBox", "Candidates", "Entry", "Family", "ModelFamily"]


class Answers(TypedDict):
    """Parameters of every estimator about its answers."""

    class_weight: object
    cost_matrix: object
    probability: str


@dataclass(frozen=True)
class Asked:
    """What every family is told of an exploration.

    Attributes
    ----------
    n_samples, n_features : int
        Size of the data.
    max_leaf_nodes : int or None
        Largest tree that is asked for.
    cost_matrix, class_weight : object
        As trees are grown with.
    random_state : int
        Random seed of whatever draws.
    """

    n_samples: int
    n_features: int
    max_leaf_nodes: int | None
    cost_matrix: object
    class_weight: object
    random_state: int

    @property
    def growth_seconds(self) -> float:
        """Seconds that a greedy tree takes, about."""
        n = max(self.n_samples, 2)
        return 4e-4 + 1.2e-8 * n * math.log2(n) * self.n_features

    @property
    def answering(self) -> Answers:
        """Parameters of estimators: what classes weigh, what wrong answers cost, shares of rows."""
        shares = "weighted" if self.class_weight is None else "raw"
        return {
            "class_weight": self.class_weight,
            "cost_matrix": self.cost_matrix,
            "probability": shares,
        }


class Predictor(Protocol):
    """A fitted classifier."""

    def predict(self, X: TableLike) -> AnyArray:
        """Return a class for each row."""

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Return a probability for each row and class."""


class Entry(ABC):
    """What is judged: it has a name, a cost, and perhaps a reason not to be.

    Attributes
    ----------
    name : str
        What it is called in parameters.
    title : str
        What it is called in reports.
    is_essential : bool
        Whether it is judged whatever the time limit says.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    is_essential: ClassVar[bool] = False

    def refusal(self, dataset: Dataset, asked: Asked) -> str:
        """Say why it is not for the data; empty where it is.

        Parameters
        ----------
        dataset : Dataset
            All rows.
        asked : Asked
            What is asked for.

        Returns
        -------
        reason : str
            For the report.
        """
        return ""

    @abstractmethod
    def seconds(self, asked: Asked) -> float:
        """Estimate what one fit to all rows takes, of all candidates together.

        Parameters
        ----------
        asked : Asked
            What is asked for.

        Returns
        -------
        seconds : float
            On one thread.
        """


class Candidates(Entry):
    """A way to small models that people read, with one candidate for every size.

    Candidates come in a fixed order: of equally good ones the first is chosen.
    """

    @abstractmethod
    def candidates(self, asked: Asked) -> Sequence[str]:
        """Name the candidates in their order.

        Parameters
        ----------
        asked : Asked
            What is asked for.

        Returns
        -------
        names : sequence of str
            One for each.
        """

    @abstractmethod
    def fitted(self, place: int, training: Dataset, asked: Asked) -> Predictor:
        """Fit a candidate as an estimator, which predicts as the one that is judged.

        Parameters
        ----------
        place : int
            Place of the candidate.
        training : Dataset
            Rows to learn from.
        asked : Asked
            What is asked for.

        Returns
        -------
        model : estimator
            Fitted.
        """


class Family(Candidates):
    """A way to small trees.

    A subclass names itself and is put among the others by `treewright.exploration.register`.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.exploration import Family, register
    >>> class Shallow(Family):
    ...     name, title = "shallow", "at most two questions"
    ...
    ...     def candidates(self, asked):
    ...         return ["one question", "two questions"]
    ...
    ...     def seconds(self, asked):
    ...         return 2 * asked.growth_seconds
    ...
    ...     def fitted(self, place, training, asked):
    ...         return GreedyTreeClassifier(max_depth=place + 1, **asked.answering).fit(training)
    ...
    ...     def trees(self, training, asked, clock):
    ...         return [self.fitted(place, training, asked).tree_ for place in range(2)]
    >>> register(Shallow())  # doctest: +SKIP
    >>> asked = Asked(150, 4, max_leaf_nodes=None, cost_matrix=None, class_weight=None, random_state=0)
    >>> [tree.n_leaves for tree in Shallow().trees(datasets.load("iris"), asked, clock=None)]
    [2, 3]
    """

    @abstractmethod
    def trees(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Tree]:
        """Fit every candidate; a search that the clock cuts short raises `HaltError`.

        Parameters
        ----------
        training : Dataset
            Rows to learn from.
        asked : Asked
            What is asked for.
        clock : Clock
            Says how many seconds are left, and raises when none are.

        Returns
        -------
        trees : sequence of Tree
            One for each candidate; equal ones may be one object, which is asked once.
        """


class ModelFamily(Candidates):
    """A way to small models that are no trees, such as lists of rules.

    They are judged, counted and shown as trees are, each family with its own choice in every fold
    (`Exploration.model_of` fits it). What is recommended is always a tree: pictures, exports and files are of
    trees.
    """

    @abstractmethod
    def models(self, training: Dataset, asked: Asked, clock: Clock) -> Sequence[Predictor]:
        """Fit every candidate; a search that the clock cuts short raises `HaltError`.

        Parameters
        ----------
        training : Dataset
            Rows to learn from.
        asked : Asked
            What is asked for.
        clock : Clock
            Says how many seconds are left, and raises when none are.

        Returns
        -------
        models : sequence of classifier
            One for each candidate; they are asked with `Dataset` rows.
        """

    @abstractmethod
    def shape(self, model: Predictor) -> Shape:
        """Return how large a model is, and what it asks for.

        Parameters
        ----------
        model : classifier
            One of `models`.

        Returns
        -------
        shape : Shape
            Its size is compared with leaves of trees.
        """


class BlackBox(Entry):
    """A model that no one reads: it says what a small tree gives away, and is never recommended."""

    @abstractmethod
    def model(self, training: Dataset, asked: Asked, clock: Clock) -> Predictor:
        """Fit it; it is asked with `Dataset` rows.

        Parameters
        ----------
        training : Dataset
            Rows to learn from.
        asked : Asked
            What is asked for.
        clock : Clock
            Says how many seconds are left, and raises when none are.

        Returns
        -------
        model : classifier
            With ``predict`` and ``predict_proba``.
        """
