"""Conditions of rules in words, as `Tree.export_text` has them."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from treewright._base.shown import SIDES, lone_cut, numbers_between, shown_number, shown_text, shown_values
from treewright.data.derived import Derived
from treewright.data.intake.labels import Label
from treewright.data.types import FloatArray
from treewright.trees.exports.program import Program
from treewright.trees.rules.conditions import INFINITY, Condition, Interval, Levels, WeightedSum

QUOTES = ("'", '"')


@dataclass(frozen=True, eq=False)
class Words:
    """Names and values of a tree as they are written."""

    names: Sequence[str]
    levels: Sequence[Sequence[Label] | None]
    classes: Sequence[Label]
    derived: Mapping[int, Derived]
    """Features that are made of dates, by their position."""

    @cached_property
    def shown_names(self) -> list[str]:
        """Names of the features."""
        return [shown_text(name) for name in self.names]

    @cached_property
    def shown_classes(self) -> dict[tuple[type, Label], str]:
        """The classes, no two alike."""
        texts = shown_values(list(self.classes))
        return {(type(label), label): text for label, text in zip(self.classes, texts, strict=True)}

    def class_text(self, label: Label) -> str:
        """Write a class."""
        return self.shown_classes[type(label), label]

    @cached_property
    def shown_levels(self) -> list[list[str] | None]:
        """Values of every nominal feature; none looks like "missing"."""
        return [
            None if levels is None else shown_values(list(levels), may_miss=True) for levels in self.levels
        ]

    def level(self, feature: int, level: int) -> str:
        """Return a value of a nominal feature."""
        return (self.shown_levels[feature] or [])[level]

    def of(self, conditions: Sequence[Condition]) -> str:
        """Write conditions that all hold."""
        texts = [self.condition(condition) for condition in conditions]
        if len(texts) > 1:
            texts = [f"({text})" if " or " in text else text for text in texts]
        return " and ".join(texts)

    def condition(self, condition: Condition) -> str:
        """Write one condition."""
        if isinstance(condition, WeightedSum):
            return self._sum(condition)
        text = self._interval(condition) if isinstance(condition, Interval) else self._levels(condition)
        name = self.shown_names[condition.feature]
        if not text:
            return f"{name} is missing" if condition.missing else f"{name} has no value"
        return f"{text} or missing" if condition.missing else text

    def number(self, feature: int, value: float) -> str:
        """Write a number of a feature, or the date that it stands for."""
        made = self.derived.get(feature)
        told = None if made is None else made.worded(value)
        return shown_number(value) if told is None else told

    def _interval(self, condition: Interval) -> str:
        """Write where a number is; nothing where it is nowhere."""
        name, made = self.shown_names[condition.feature], self.derived.get(condition.feature)
        ends = [(">", condition.shown_low), ("<=", condition.shown_high)]
        known = [(sign, end) for sign, end in ends if math.isfinite(end)]
        if not condition.has_numbers:
            return ""
        if not known:
            return f"{name} is known"
        dates = [None if made is None else made.undone(sign, end) for sign, end in known]
        if None not in dates:
            return " and ".join(str(date) for date in dates)
        if len(known) == 2:
            return f"{name} in ({shown_number(known[0][1])}, {shown_number(known[1][1])}]"
        return f"{name} {known[0][0]} {shown_number(known[0][1])}"

    def _levels(self, condition: Levels) -> str:
        """Write which levels a value is one of; nothing where it is none."""
        feature, chosen = condition.feature, sorted(condition.levels)
        name, n_levels = self.shown_names[feature], condition.n_levels
        if not chosen:
            return f"{name} is no known value" if condition.unseen and not condition.missing else ""
        if len(chosen) == n_levels:
            return f"{name} is known"
        levels = self.levels[feature]
        if levels is not None and list(levels) == [False, True] and all(type(x) is bool for x in levels):
            return name if chosen == [1] else f"not {name}"
        if len(chosen) == 1:
            return f"{name} = {self.level(feature, chosen[0])}"
        others = [level for level in range(n_levels) if level not in condition.levels]
        is_in, told = ("in", chosen) if len(chosen) <= len(others) else ("not in", others)
        return f"{name} {is_in} {{{', '.join(self._member(feature, level) for level in told)}}}"

    def _member(self, feature: int, level: int) -> str:
        """Return a value that stands in a list: one that has a comma itself is in quotes."""
        text = self.level(feature, level)
        is_plain = text.startswith(QUOTES) or not any(mark in text for mark in ",{}")
        return text if is_plain else repr(text)

    def _sum(self, condition: WeightedSum) -> str:
        told = self._lone(condition) or self._weighted(condition)
        return f"{told} or unknown" if condition.missing else told

    def _lone(self, condition: WeightedSum) -> str:
        """Write a plane over one number as a cut of it; nothing for another plane."""
        if len(condition.terms) != 1 or condition.terms[0].level is not None:
            return ""
        weight = condition.terms[0].weight
        cut = lone_cut(weight, condition.offset)
        if cut is None:
            return ""
        name, sign = self.shown_names[condition.features[0]], SIDES[condition.above, weight < 0]
        return f"{name} {sign} {shown_number(cut)}"

    def _weighted(self, condition: WeightedSum) -> str:
        text = ""
        for feature, term in zip(condition.features, condition.terms, strict=True):
            sign = (" - " if term.weight < 0 else " + ") if text else ("-" if term.weight < 0 else "")
            name = self.shown_names[feature]
            what = name if term.level is None else f"[{name} = {self.level(feature, term.level)}]"
            text += f"{sign}{shown_number(abs(term.weight))}*{what}"
        sign = ">" if condition.above else "<="
        return f"{text or '0'} {sign} {shown_number(condition.offset)}"


@dataclass
class _Cut:
    """A cut of a feature, and where its number may be moved."""

    threshold: float
    low: float = -INFINITY
    high: float = INFINITY
    is_known: bool = True


def shown_cuts(program: Program) -> dict[tuple[int, float], float]:
    """Return, for a feature's position among the columns and a threshold, the number that is written.

    It has as few digits as keep all training samples where they are, and all cuts of a feature apart, as in
    `Tree.export_text`.
    """
    cuts = _cuts(program)
    for feature in {feature for feature, _ in cuts}:
        own = sorted((cut for (of, _), cut in cuts.items() if of == feature), key=lambda cut: cut.threshold)
        for one, other in pairwise(own):
            _keep_apart(one, other)
    known = [(key, cut) for key, cut in cuts.items() if cut.is_known]
    if not known:
        return {key: key[1] for key in cuts}
    texts = numbers_between([key[1] for key, _ in known], [(cut.low, cut.high) for _, cut in known])
    shown = {key: float(text) for (key, _), text in zip(known, texts, strict=True)}
    return {key: shown.get(key, key[1]) for key in cuts}


def _cuts(program: Program) -> dict[tuple[int, float], _Cut]:
    """Return the cuts of all columns, those that are equal as one."""
    cuts: dict[tuple[int, float], _Cut] = {}
    values: FloatArray = program.cut_values
    for number, step in enumerate(program.steps):
        if step.ask != "number" or step.threshold == sys.float_info.max or len(set(step.branches)) == 1:
            continue  # it asks whether there is a number
        cut = cuts.setdefault((step.column, step.threshold), _Cut(step.threshold))
        low, high = values[number].tolist()
        if math.isnan(low) and math.isnan(high):
            cut.is_known = False
            continue
        cut.low = max(cut.low, step.threshold if math.isnan(low) else low)
        cut.high = min(cut.high, math.nextafter(step.threshold, INFINITY) if math.isnan(high) else high)
    return cuts


def _keep_apart(before: _Cut, after: _Cut) -> None:
    """Part the rooms of two neighbouring cuts half way where they overlap."""
    if before.high <= after.low:
        return
    middle = before.threshold / 2.0 + after.threshold / 2.0
    middle = min(middle, after.threshold) if before.threshold < middle else after.threshold
    before.high, after.low = min(before.high, middle), max(after.low, middle)
