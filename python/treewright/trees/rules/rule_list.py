"""A list of rules with a default: the first rule that holds gives the class."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from treewright._base.errors import FormatError
from treewright.data.encode import UNSEEN, encode
from treewright.data.intake.labels import Label
from treewright.data.matching import ModelColumns
from treewright.data.types import AnyArray, FloatArray, IntArray, TableLike
from treewright.trees.predictions import Columns
from treewright.trees.rules.conditions import WeightedSum, all_hold
from treewright.trees.rules.listed import ListedRules
from treewright.trees.rules.matching import first_of
from treewright.trees.rules.rule_file import document_of, list_of
from treewright.trees.rules.rules import OTHERWISE

__all__ = ["RuleList"]


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class RuleList(ListedRules):
    """Rules in an order, and a default: the first rule that holds of a row gives its class.

    `simplify_rules` makes it; the figures of a rule are of the training rows for which it is the first that
    holds.

    Attributes
    ----------
    rules : tuple of Rule
        In their order.
    default : Rule
        The class of rows for which no rule holds.
    notes : tuple of str
        What is to be known beside.

    Examples
    --------
    >>> from treewright import GreedyTreeClassifier, datasets
    >>> from treewright.rules import RuleList, simplify_rules
    >>> wine = datasets.load("wine")
    >>> rules = simplify_rules(GreedyTreeClassifier().fit(wine).tree_, wine)
    >>> print(rules)
     n  errors  coverage   share  lift  class    if
    58       0     32.6%  100.0%  3.02  class_0  flavanoids > 1.57 and proline > 720 and color_intensity > 3.4
    48       0     27.0%  100.0%  3.71  class_2  flavanoids <= 1.57 and color_intensity > 3.8 and ash > 2.04
    55       0     30.9%  100.0%  2.51  class_1  color_intensity <= 3.4
    14       1      7.9%   92.9%  2.33  class_1  flavanoids > 1.57 and proline <= 720
     2       0      1.1%  100.0%  2.51  class_1  ash <= 2.04
     1       0      0.6%  100.0%  2.51  class_1  otherwise
    >>> RuleList.from_json(rules.to_json()).to_text() == rules.to_text()
    True
    """

    @property
    def classes_(self) -> AnyArray:
        """Class labels, ndarray of shape (n_classes,)."""
        labels = list(self.words.classes)
        return np.array(labels, object if len({type(label) for label in labels}) > 1 else None)

    @property
    def feature_names(self) -> list[str]:
        """Names of the features, in the order of the columns."""
        return list(self.words.names)

    @property
    def levels(self) -> list[list[Label] | None]:
        """The values of each categorical feature; None of a numeric one."""
        return [None if levels is None else list(levels) for levels in self.words.levels]

    @property
    def lists_branches(self) -> bool:
        """Whether a value that is no level is told apart from a missing one."""
        return self.marks_unseen

    @property
    def cost_matrix(self) -> FloatArray | None:
        """What wrong answers cost, ndarray of shape (n_classes, n_classes); None where all cost the same."""
        return self.telling.costs

    @property
    def used_features(self) -> IntArray:
        """Positions of the features that some rule asks for, ascending."""
        used: set[int] = set()
        for rule in self.rules:
            for condition in rule.conditions:
                used.update(
                    condition.features if isinstance(condition, WeightedSum) else (condition.feature,)
                )
        return np.array(sorted(used), dtype=np.int64)

    def predict(self, X: TableLike) -> AnyArray:
        """Predict the class of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            The samples. Only the columns of `used_features` are read, as by `Tree.predict`.

        Returns
        -------
        labels : ndarray of shape (n_samples,)
            Class labels.
        """
        found: AnyArray = self.classes_[self.answers[self.apply(X)]]
        return found

    def predict_proba(self, X: TableLike) -> FloatArray:
        """Predict the share of every class.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        shares : ndarray of shape (n_samples, n_classes)
            The shares among the training rows for which the same rule is the first that holds, as
            ``probability`` and ``smoothing`` say.
        """
        return self.telling.shares(self.answers)[self.apply(X)]

    def apply(self, X: TableLike) -> IntArray:
        """Find the first rule that holds of every sample.

        Parameters
        ----------
        X : array-like, frame or Dataset of shape (n_samples, n_features)
            As in `predict`.

        Returns
        -------
        places : ndarray of shape (n_samples,)
            Place of the rule in the list; the number of rules where none holds.
        """
        return self._places(self._encode(X))

    def path_texts(self, places: Iterable[int]) -> list[str]:
        """Write the conditions of rules.

        Parameters
        ----------
        places : iterable of int
            Places in the list, such as those that `apply` gives.

        Returns
        -------
        texts : list of str
            What holds of the rows that each rule is the first to hold of; ``"otherwise"`` of the default.
        """
        told = [*(rule.text for rule in self.rules), OTHERWISE]
        return [told[place] for place in places]

    def _encode(self, X: TableLike) -> Columns:
        names = self.feature_names
        columns = ModelColumns(names, self.used_features.tolist(), names)
        return encode(X, columns, self.words.levels, unseen=self.unseen_code)

    @property
    def unseen_code(self) -> int:
        """What a value is that is no level of its feature."""
        return UNSEEN if self.marks_unseen else -1

    def _places(self, columns: Columns) -> IntArray:
        """Find the first rule that holds of rows in the domain of the rules."""
        n_rows = len(columns[0]) if columns else 0
        return first_of([all_hold(rule.conditions, columns, n_rows) for rule in self.rules], n_rows)

    def to_json(self) -> str:
        """Write the list as JSON; `from_json` reads the same list from it.

        Returns
        -------
        text : str
            JSON with a format and a version number.
        """
        return json.dumps(document_of(self), ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str) -> RuleList:
        """Read a list that `to_json` wrote.

        Parameters
        ----------
        text : str
            The JSON.

        Returns
        -------
        rules : RuleList
            It predicts and prints the same.

        Raises
        ------
        FormatError
            If the text is no such list or has an unknown version.
        """
        try:
            return list_of(json.loads(text), cls)
        except json.JSONDecodeError as error:
            raise FormatError(f"the text is not JSON: {error}") from error
