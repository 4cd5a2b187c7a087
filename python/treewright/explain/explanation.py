"""An explanation: the class, the path, and the least change."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from treewright._base.shown import shown_text
from treewright.data.intake.labels import Label
from treewright.explain.path import PathStep
from treewright.explain.picture import picture

WEIGHED = "; the probability is of their weights"
BY_CLASS = f'{WEIGHED}\n(a model fitted with probability="raw", --probability raw, has that of their numbers)'
BY_NAIVE_BAYES = "; the probability is the one under naive Bayes"
CLOSE = 1e-9
"""Shares that differ by less are alike."""


@dataclass(frozen=True)
class FeatureChange:
    """A feature that changes.

    Attributes
    ----------
    feature : str
        Its name.
    before, after : object
        The value of the row, None where it is missing, and the one that it is changed to.
    before_text, after_text : str
        The same as they are written; dates as dates.
    distance : float
        How far the change is: of a number in training ranges, else 1.
    """

    feature: str
    before: Label | None
    after: Label
    before_text: str
    after_text: str
    distance: float

    def __str__(self) -> str:
        """Return the change as a line."""
        return f"{shown_text(self.feature)}: {self.before_text} -> {self.after_text}"


@dataclass(frozen=True)
class Change:
    """The least change that gives another class.

    Attributes
    ----------
    label : object
        The class of the changed row.
    features : tuple of FeatureChange
        What changes. These values, put into the row as they stand, give the class.
    n_features : int
        Number of changed features: the least possible.
    distance : float
        The least distance of a change of so many features. Numbers that are shown may be a little beyond: the
        next round one, at most the next training value.
    """

    label: Label
    features: tuple[FeatureChange, ...]
    n_features: int
    distance: float

    def to_dict(self) -> dict[str, object]:
        """Return the change as plain values."""
        told = [
            {"feature": one.feature, "before": one.before, "after": one.after, "distance": one.distance}
            for one in self.features
        ]
        own = {"n_features": self.n_features, "distance": self.distance}
        return {"class": self.label, **own, "features": told}


@dataclass(frozen=True)
class Explanation:
    """Why a row has its class, and what would give it another.

    Attributes
    ----------
    label : object
        The class.
    node : int
        The leaf, or the node at which the row stops; of a list of rules the place of the rule.
    classes : tuple of object
        All classes.
    counts, weights : tuple of float
        Training rows at that node by class: their numbers and their weights.
    shares : tuple of float
        Probability of every class.
    path : tuple of PathStep
        The tests that the row passes, from the root.
    change : Change or None
        The least change that gives another class; None where there is none, or none was found.
    status : str
        ``"optimal"``: the change is the least, or there is none. ``"node_limit"``: the search ended before.
    bound : tuple of float or None
        Number of features and distance that every change has at least.
    """

    label: Label
    node: int
    classes: tuple[Label, ...]
    class_texts: tuple[str, ...]
    counts: tuple[float, ...]
    weights: tuple[float, ...]
    shares: tuple[float, ...]
    path: tuple[PathStep, ...]
    change: Change | None
    status: str
    bound: tuple[float, float] | None
    wanted: str
    """What was asked for: another class, or one by its name."""
    place: str
    """What `node` is."""
    weighed: str = WEIGHED
    """What is said of the probability where it is of no numbers of rows."""

    def to_text(self) -> str:
        """Return the explanation for a screen."""
        share = self.shares[self._position(self.label)]
        lines = [f"class {self._class_text(self.label)} (probability {share:.1%}): {self.place}"]
        there = zip(self.class_texts, self.counts, strict=True)
        told = [f"{text} {_count(count)}" for text, count in there if count]
        if told:
            lines.append(f"training rows there: {', '.join(told)}{self.weighed if self._weighs() else ''}")
        lines += ["", *(f"  {step}" for step in self.path)] if self.path else []
        return "\n".join([*lines, "", *self._change_lines()]) + "\n"

    def _weighs(self) -> bool:
        """Whether probabilities are of weights that are others than the numbers of rows."""
        n, weight = sum(self.counts), sum(self.weights)
        if not n > 0 or not weight > 0:
            return False
        same = zip(self.counts, self.weights, strict=True)
        is_alike = all(math.isclose(count / n, own / weight, abs_tol=CLOSE) for count, own in same)
        shown = zip(self.counts, self.shares, strict=True)
        is_of_rows = all(math.isclose(count / n, share, abs_tol=CLOSE) for count, share in shown)
        return not is_alike and not is_of_rows

    def __str__(self) -> str:
        """Return the explanation as text."""
        return self.to_text()

    def _class_text(self, label: Label) -> str:
        """Write a class."""
        return self.class_texts[self._position(label)]

    def _position(self, label: Label) -> int:
        same = (i for i, one in enumerate(self.classes) if type(one) is type(label) and one == label)
        return next(same)

    def _change_lines(self) -> Sequence[str]:
        change = self.change
        if change is None and self.status == "optimal":
            return [f"No change of features that may change gives {self.wanted}."]
        if change is None:
            features = 0 if self.bound is None else self.bound[0]
            return [f"No change was found within the limit; one changes at least {features:g} features."]
        noun = "feature" if change.n_features == 1 else "features"
        head = f"least change to {self._class_text(change.label)}: {change.n_features} {noun}, "
        return [f"{head}distance {change.distance:.4g}", *(f"  {one}" for one in change.features)]

    def to_dict(self) -> dict[str, object]:
        """Return the explanation as plain values."""
        path = [
            {"node": step.node, "condition": step.text, "holds": step.holds}
            | {"value": step.value, "distance": step.distance, "note": step.note}
            for step in self.path
        ]
        by_class = [
            {"class": label, "n": n, "weight": weight, "probability": share}
            for label, n, weight, share in zip(
                self.classes, self.counts, self.weights, self.shares, strict=True
            )
        ]
        return {
            "class": self.label,
            "node": self.node,
            "classes": by_class,
            "path": path,
            "change": None if self.change is None else self.change.to_dict(),
            "status": self.status,
            "bound": None if self.bound is None else list(self.bound),
        }

    def to_svg(self) -> str:
        """Return a picture of the path, with the least change below it, as SVG."""
        change = self._change_lines()
        head = f"class {self._class_text(self.label)}"
        parts = list(zip(self.class_texts, self.shares, strict=True))
        return picture(head, [str(step) for step in self.path], parts, change)

    def _repr_svg_(self) -> str:
        return self.to_svg()


def _count(count: float) -> str:
    return f"{count:,.0f}" if float(count).is_integer() else f"{count:,.1f}"
