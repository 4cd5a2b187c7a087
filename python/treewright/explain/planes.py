"""The least change of a row within a box whose weighted sums are bounded: a mixed-integer program.

For every number a step t from the row's own, in units of its training range, and 0 or 1 for whether it
changes; for every nominal feature 0 or 1 for each level. First the number of changed features is minimised,
then, with so many at the most, the distance: the sum of ``|t|``, and 1 for each level that changes or value
that is filled in. Changed numbers stay within the training range, or reach as far as the row's own.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from treewright.data.types import FloatArray
from treewright.explain.boxes import Box, Entry, Kept, Row, everything
from treewright.trees.exports.program import Term
from treewright.trees.rules.conditions import Interval, Levels, WeightedSum

CLEAR = 1e-6
"""How far beyond an offset a changed sum is, by its largest term: what HiGHS may err by, and more."""

MOST_CLEAR = 1e-2


@dataclass(frozen=True)
class Solved:
    """Values of the features that change, and their cost."""

    values: dict[int, float]
    cost: tuple[int, float]


@dataclass
class _Program:
    """The program while it is made: variables with bounds, and rows of coefficients."""

    low: list[float] = field(default_factory=list)
    high: list[float] = field(default_factory=list)
    is_whole: list[bool] = field(default_factory=list)
    distance: list[float] = field(default_factory=list)
    counts: list[float] = field(default_factory=list)
    rest: list[float] = field(default_factory=list)
    """Values of the variables where nothing changes."""
    rows: list[tuple[dict[int, float], float, float]] = field(default_factory=list)

    def variable(
        self,
        low: float,
        high: float,
        *,
        whole: bool = False,
        distance: float = 0.0,
        count: float = 0.0,
        rest: float = 0.0,
    ) -> int:
        """Add a variable and return its number."""
        self.rest.append(rest)
        self.low.append(low)
        self.high.append(high)
        self.is_whole.append(whole)
        self.distance.append(distance)
        self.counts.append(count)
        return len(self.low) - 1

    def row(self, coefficients: dict[int, float], low: float, high: float) -> None:
        """Ask for a sum of variables between two ends."""
        self.rows.append((coefficients, low, high))

    def solve(self) -> FloatArray | None:
        """Return the values of all variables: fewest changes, then least distance."""
        counts = np.array(self.counts)
        fewest = self._minimised(counts, [])
        if fewest is None:
            return None
        most = round(float(counts @ fewest))
        near = self._minimised(np.array(self.distance), [(dict(enumerate(self.counts)), -np.inf, most)])
        return fewest if near is None else near

    def _minimised(
        self, cost: FloatArray, more: list[tuple[dict[int, float], float, float]]
    ) -> FloatArray | None:
        from scipy.optimize import Bounds, LinearConstraint, milp

        rows = [*self.rows, *more]
        matrix = np.zeros((len(rows), len(self.low)))
        for place, (coefficients, _, _) in enumerate(rows):
            matrix[place, list(coefficients)] = list(coefficients.values())
        found = milp(
            cost,
            integrality=np.array(self.is_whole, dtype=np.int64),
            bounds=Bounds(np.array(self.low), np.array(self.high)),
            constraints=LinearConstraint(
                matrix, np.array([low for _, low, _ in rows]), np.array([high for _, _, high in rows])
            ),
            options={"mip_rel_gap": 0.0},
        )
        return None if found.x is None else np.asarray(found.x, dtype=np.float64)


@dataclass(frozen=True)
class _Number:
    """A number: its own value, or nothing; the variables of its step and of whether it changes."""

    own: float
    scale: float
    step: int
    changes: int
    base: float
    """What a step of 0 stands for where the row has no value."""

    def terms(self, term: Term) -> tuple[dict[int, float], float]:
        """Return the coefficients and the constant of a summand."""
        if not math.isnan(self.own):
            return {self.step: term.weight * self.scale}, term.weight * self.own
        filled = term.missing or 0.0
        change = {self.step: term.weight * self.scale, self.changes: term.weight * (self.base - filled)}
        return change, term.weight * filled

    def value(self, found: FloatArray) -> float:
        """Return the number that the solution has."""
        return (self.base if math.isnan(self.own) else self.own) + float(found[self.step]) * self.scale


@dataclass(frozen=True)
class _Nominal:
    """A nominal feature: the variables of its levels, and of whether it changes."""

    levels: dict[int, int]
    changes: int
    is_missing: bool
    is_unseen: bool

    def terms(self, term: Term) -> tuple[dict[int, float], float]:
        """Return the coefficients and the constant of a summand."""
        coefficients = {}
        if term.level in self.levels:
            coefficients[self.levels[term.level]] = term.weight
        if not self.is_missing:
            return coefficients, 0.0
        filled = (term.unseen if self.is_unseen else term.missing) or 0.0
        coefficients[self.changes] = -term.weight * filled
        return coefficients, term.weight * filled

    def value(self, found: FloatArray) -> float:
        """Return the level that the solution has."""
        return float(max(self.levels, key=lambda level: found[self.levels[level]]))


def solve(box: Box, row: Row, is_met: Callable[[dict[int, float]], bool]) -> Solved | None:
    """Return the least change within a box, None where there is none.

    A sum goes beyond its offset by a hair more than the solver may err by; where rounding has the model see
    it otherwise, by ten times as much, and so on.
    """
    clear = CLEAR
    while clear <= MOST_CLEAR:
        values = _solved(box, row, clear)
        if values is None:
            return None
        if is_met(values):
            cost = len(values), math.fsum(row.distance(feature, value) for feature, value in values.items())
            return Solved(values, cost)
        clear *= 10
    return None


def _solved(box: Box, row: Row, clear: float) -> dict[int, float] | None:
    program = _Program()
    features = dict.fromkeys(feature for one in box.sums for feature in one.features)
    parts = {feature: _feature(program, feature, box.entries.get(feature), row) for feature in features}
    if any(part is None for part in parts.values()):
        return None
    made = {feature: part for feature, part in parts.items() if part is not None}
    for condition in box.sums:
        _bound(program, condition, made, clear)
    found = program.solve()
    values = None if found is None else box.nearest(row)
    if found is None or values is None:
        return None
    for feature, part in made.items():
        changes = found[part.changes] > 0.5
        if changes:
            values[feature] = _within(part.value(found), feature, box.entries.get(feature), row)
        else:
            values.pop(feature, None)
    return values


def _within(value: float, feature: int, entry: Entry | None, row: Row) -> float:
    """Return a number that rounding has not carried out of its interval."""
    if row.n_levels[feature] is not None:
        return value
    if feature in row.whole:
        value = float(round(value))
    if isinstance(entry, Interval):
        value = min(max(value, math.nextafter(entry.low, math.inf)), entry.high)
    return value


def _feature(program: _Program, feature: int, entry: Entry | None, row: Row) -> _Number | _Nominal | None:
    """Add the variables of a feature; None where it can have no value."""
    allowed = everything(feature, row) if entry is None or isinstance(entry, Kept) else entry
    is_kept = isinstance(entry, Kept) or feature in row.fixed
    must = row.is_missing(feature) and isinstance(entry, Interval | Levels)
    if isinstance(allowed, Levels):
        return _nominal(program, feature, allowed, row, is_kept=is_kept, must=must)
    assert isinstance(allowed, Interval), "a box has intervals and levels"
    return _number(program, feature, allowed, row, is_kept=is_kept, must=must)


def _number(
    program: _Program, feature: int, allowed: Interval, row: Row, *, is_kept: bool, must: bool
) -> _Number | None:
    own, scale = row.own[feature], row.scales[feature]
    least, most = row.ranges[feature].tolist()
    if not math.isnan(own):
        least, most = min(least, own), max(most, own)
    base = least if math.isnan(own) else own
    low = max(least, math.nextafter(allowed.low, math.inf))
    high = min(most, allowed.high)
    if low > high:
        return None
    if feature in row.whole:
        scale = 1.0
    at_rest = must or not (math.isnan(own) or low <= own <= high)
    changes = program.variable(1.0 if at_rest else 0.0, 0.0 if is_kept else 1.0, whole=True, count=1.0)
    steps = sorted(((low - base) / scale, (high - base) / scale))
    step = program.variable(min(steps[0], 0.0), max(steps[1], 0.0), whole=feature in row.whole)
    if math.isnan(own):
        program.distance[changes] = 1.0
    else:
        size = program.variable(0.0, max(map(abs, steps)), distance=scale / row.scales[feature])
        program.row({size: 1.0, step: -1.0}, 0.0, np.inf)
        program.row({size: 1.0, step: 1.0}, 0.0, np.inf)
    program.row({step: 1.0, changes: -steps[1]}, -np.inf, 0.0)
    program.row({step: 1.0, changes: -steps[0]}, 0.0, np.inf)
    return _Number(own, scale, step, changes, base)


def _nominal(
    program: _Program, feature: int, allowed: Levels, row: Row, *, is_kept: bool, must: bool
) -> _Nominal:
    is_missing, own = row.is_missing(feature), int(row.own[feature])
    levels = {}
    for level in sorted(allowed.levels | (frozenset() if is_missing else {own})):
        is_out = level not in allowed.levels or (is_kept and level != own)
        rest = float(level == own)
        levels[level] = program.variable(0.0, 0.0 if is_out else 1.0, whole=True, rest=rest)
    changes = program.variable(
        1.0 if must else 0.0, 0.0 if is_kept else 1.0, whole=True, distance=1.0, count=1.0
    )
    if is_missing:
        program.row({**dict.fromkeys(levels.values(), 1.0), changes: -1.0}, 0.0, 0.0)
    else:
        program.row(dict.fromkeys(levels.values(), 1.0), 1.0, 1.0)
        program.row({levels[own]: 1.0, changes: 1.0}, 1.0, 1.0)
    return _Nominal(levels, changes, is_missing, row.is_unseen(feature))


def _bound(
    program: _Program, condition: WeightedSum, parts: dict[int, _Number | _Nominal], clear: float
) -> None:
    """Ask for a sum on its side of the offset, in units of its largest coefficient."""
    summed: dict[int, float] = {}
    constant = 0.0
    for feature, term in zip(condition.features, condition.terms, strict=True):
        coefficients, own = parts[feature].terms(term)
        constant += own
        for variable, weight in coefficients.items():
            summed[variable] = summed.get(variable, 0.0) + weight
    unit = max((abs(weight) for weight in summed.values()), default=1.0) or 1.0
    offset = (condition.offset - constant) / unit
    scaled = {variable: weight / unit for variable, weight in summed.items()}
    at_rest = math.fsum(weight * program.rest[variable] for variable, weight in scaled.items())
    if condition.above:
        least = min(offset + clear, at_rest) if at_rest > offset else offset + clear
        program.row(scaled, least, np.inf)
    else:
        most = max(offset - clear, at_rest) if at_rest <= offset else offset - clear
        program.row(scaled, -np.inf, most)
