"""A tree as a program of tests, from which every export is written.

All that stands between a raw row and its answer is in the program: what takes the place of a missing value,
missing as a value of its own, and where each node sends a value that is missing or that it does not know. A
writer asks nothing of the tree any more, so no two of them can read it in two ways.

A step has targets: the number of a step, `STOP` (the step itself answers), or `SHARE` (the row goes down
every branch, by its share of the training weight).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np

from treewright import _core
from treewright.data.intake.labels import Label
from treewright.data.types import FloatArray

STOP, SHARE = -1, -2
"""Targets that are no step."""

Ask = Literal["leaf", "number", "level", "plane"]
ASKS: tuple[Ask, ...] = ("leaf", "number", "level", "plane")
"""What a step asks, by the number that tables have for it."""

LEAF, VALUE, THRESHOLD, LINEAR, LISTED, GROUP, MISSING = range(7)
"""Kinds of nodes."""

ALL_VOTES = 2.0**52
"""Votes of a row that is whole."""


@dataclass(frozen=True)
class Column:
    """A column that the program reads."""

    position: int
    """In the data."""
    name: str
    levels: tuple[Label, ...] | None
    """None for numbers."""

    @property
    def n_codes(self) -> int:
        """Number of codes: one a level, one for missing, one for a value that is no level."""
        return len(self.levels or ()) + 2


@dataclass(frozen=True)
class Term:
    """One summand of a plane: its weight times a number, or times 1 where a level is the row's."""

    column: int
    level: int | None
    """Position of the level, None for a number."""
    weight: float
    missing: float | None
    """What a missing value counts; None: then the sum is unknown."""
    unseen: float | None
    """The same of a value that is no level."""


@dataclass(frozen=True)
class Plane:
    """A weighted sum, and what it is compared with."""

    terms: tuple[Term, ...]
    offset: float


@dataclass(frozen=True)
class Step:
    """A node: what it asks and where it sends a row."""

    ask: Ask
    answer: int
    """Class of a row that ends here."""
    column: int = -1
    threshold: float = np.nan
    plane: int = -1
    branches: tuple[int, ...] = ()
    """Targets: of a number or a plane up to the cut and above it; of each level."""
    missing: int = STOP
    """Target where the value is missing, or the sum unknown."""
    unseen: int = STOP
    """Target of a value that is no level."""

    @property
    def targets(self) -> tuple[int, ...]:
        """All targets, as tables list them."""
        if self.ask == "leaf":
            return ()
        tail = (self.missing, self.unseen) if self.ask == "level" else (self.missing,)
        return (*self.branches, *tail)


class Feature(NamedTuple):
    """What becomes of missing values of a feature."""

    levels: Sequence[Label] | None
    is_value: bool
    fill: float | int | None
    """A number, or the position of a level."""


@dataclass(frozen=True, eq=False)
class Program:
    """A tree as tests; steps are numbered as its nodes."""

    columns: tuple[Column, ...]
    n_features: int
    classes: tuple[Label, ...]
    steps: tuple[Step, ...]
    planes: tuple[Plane, ...]
    weight: FloatArray
    class_weights: FloatArray
    cut_values: FloatArray
    children: tuple[range, ...]
    costs: tuple[tuple[int, ...], ...] | None
    """Of true classes by answers, in whole units, where they decide."""
    threshold: float | None
    """Share of the second of two classes above which it is the answer."""

    @classmethod
    def of(cls, core: _core.Tree) -> Program:
        """Read a tree."""
        return _Reader(core).program()

    @cached_property
    def shares(self) -> bool:
        """Whether some step sends a row down several branches."""
        return any(SHARE in step.targets for step in self.steps)

    @cached_property
    def tells_unseen(self) -> bool:
        """Whether a value that is no level is treated as missing ones are not."""
        steps = any(step.ask == "level" and step.missing != step.unseen for step in self.steps)
        terms = (term for plane in self.planes for term in plane.terms if term.level is not None)
        return steps or any(term.missing != term.unseen for term in terms)

    @cached_property
    def max_depth(self) -> int:
        """Number of tests on the longest path."""
        depth = [0] * len(self.steps)
        for number, below in enumerate(self.children):
            for child in below:
                depth[child] = depth[number] + 1
        return max(depth)

    def without_shares(self) -> Program:
        """Return the program in which a row answers at the step at which it would be shared."""
        steps = tuple(_stopping(step) if SHARE in step.targets else step for step in self.steps)
        return replace(self, steps=steps)

    def share(self, child: int, parent: int) -> float:
        """Return the share of the rows at a parent that a child gets of those without a value."""
        own, whole = float(self.weight[child]), float(self.weight[parent])
        return own / whole if own > 0.0 and whole > 0.0 else 0.0

    def parts(self, number: int) -> list[float]:
        """Return the share of every class at a step."""
        weight = self.weight[number]
        if weight == 0.0:
            return [float(of == self.steps[number].answer) for of in range(len(self.classes))]
        parts: list[float] = (self.class_weights[number] / weight).tolist()
        return parts

    def ends(self) -> Iterator[int]:
        """Yield the steps at which a row may end: leaves, and those that stop one."""
        for number, step in enumerate(self.steps):
            if step.ask == "leaf" or STOP in step.targets:
                yield number


def _stopping(step: Step) -> Step:
    def own(target: int) -> int:
        return STOP if target == SHARE else target

    return replace(
        step,
        branches=tuple(map(own, step.branches)),
        missing=own(step.missing),
        unseen=own(step.unseen),
    )


class _Reader:
    """Reads the engine's tree."""

    def __init__(self, core: _core.Tree) -> None:
        self.core = core
        text = core.to_json()
        schema = _schema_in(text)["features"]
        self.planes = json.loads(text)["planes"] if LINEAR in core.kind else []
        self.features = [
            Feature(levels, *_mode(told.get("missing", "unknown")))
            for levels, told in zip(core.levels, schema, strict=True)
        ]
        self.used, self.names = core.used_features, core.names
        self.place = {feature: i for i, feature in enumerate(self.used)}
        self.first, self.n_children = core.first_child.tolist(), core.n_children.tolist()
        self.feature, self.threshold = core.feature.tolist(), core.threshold.tolist()
        self.kind, self.answer = core.kind.tolist(), core.node_class.tolist()
        self.plane, self.weight = core.plane.tolist(), core.weight
        self.lists, self.routes = core.branch_levels, core.missing_routes
        self.marks_unseen = LISTED in self.kind

    def program(self) -> Program:
        """Return the whole program."""
        core, decision = self.core, self.core.decision
        costs = None if decision.cost_matrix is None else _core.whole_costs(decision.cost_matrix)[0]
        return Program(
            columns=tuple(self.column(feature) for feature in self.used),
            n_features=core.n_features,
            classes=tuple(core.classes),
            steps=tuple(map(self.step, range(core.n_nodes))),
            planes=tuple(map(self.plane_of, range(len(self.planes)))),
            weight=self.weight,
            class_weights=core.class_weights,
            cut_values=core.cut_values,
            children=tuple(map(self.below, range(core.n_nodes))),
            costs=None if costs is None else tuple(map(tuple, costs)),
            threshold=decision.threshold,
        )

    def column(self, feature: int) -> Column:
        """Return a column that is read."""
        levels = self.features[feature].levels
        return Column(feature, self.names[feature], None if levels is None else tuple(levels))

    def below(self, node: int) -> range:
        """Return the children of a node."""
        return (
            range(self.first[node], self.first[node] + self.n_children[node]) if self.kind[node] else range(0)
        )

    def route(self, node: int) -> int:
        """Return where a node sends a value that it does not know."""
        own = self.routes[node]
        route = self.core.routing if own is None else own
        if isinstance(route, int):
            return int(self.first[node]) + route
        below = self.below(node)
        if route == "node_majority":
            return below[int(np.argmax(self.weight[below.start : below.stop]))]
        return SHARE if route == "distribute" else STOP

    def step(self, node: int) -> Step:
        """Return what a node asks, with all its targets."""
        kind, answer, first = self.kind[node], self.answer[node], self.first[node]
        if kind == LEAF:
            return Step("leaf", answer)
        if kind == LINEAR:
            unknown = self.route(node)
            return Step("plane", answer, plane=self.plane[node], branches=(first, first + 1), missing=unknown)
        feature = self.feature[node]
        own, column = self.features[feature], self.place[feature]
        if own.levels is None:
            return self.of_number(node, own, column)
        n_levels = len(own.levels)
        if kind == MISSING:
            known = (first + 1,) * n_levels
            return Step("level", answer, column, branches=known, missing=first, unseen=first)
        route, branch = self.route(node), self.branch_of(node)
        missing = route
        if own.is_value:
            missing = branch(n_levels)
        elif own.fill is not None:
            missing = branch(int(own.fill))
        unseen = route if self.marks_unseen else missing
        levels = tuple(map(branch, range(n_levels)))
        return Step("level", answer, column, branches=levels, missing=missing, unseen=unseen)

    def of_number(self, node: int, feature: Feature, column: int) -> Step:
        """Return a comparison with a threshold, or the question whether there is a number."""
        first, answer = self.first[node], self.answer[node]
        if self.kind[node] == MISSING:
            known = (first + 1, first + 1)
            return Step("number", answer, column, 0.0, branches=known, missing=first)
        threshold = self.threshold[node]
        if feature.is_value:
            missing = first + (np.inf > threshold)
        elif feature.fill is not None:
            missing = first + (feature.fill > threshold)
        else:
            missing = self.route(node)
        return Step("number", answer, column, threshold, branches=(first, first + 1), missing=missing)

    def branch_of(self, node: int) -> Callable[[int], int]:
        """Return what gives the target of a level."""
        first, kind = self.first[node], self.kind[node]
        if kind == VALUE:
            return lambda level: int(first) + level
        listed = self.lists[node] or []
        if kind == GROUP:
            members = set(listed)
            return lambda level: int(first) + (level not in members)
        position, route = {level: i for i, level in enumerate(listed)}, self.route(node)
        return lambda level: first + position[level] if level in position else route

    def plane_of(self, number: int) -> Plane:
        """Return a plane; what has no weight is left out, as is a plane that no node asks about."""
        if number not in self.plane:
            return Plane((), 0.0)
        told = self.planes[number]
        nothing = [None] * len(told["weights"])
        rows = zip(told["weights"], told.get("levels", nothing), told.get("means", nothing), strict=True)
        terms = [self.term(pair[0], pair[1], level, mean) for pair, level, mean in rows if pair[1] != 0.0]
        return Plane(tuple(terms), float(told["offset"]))

    def term(self, feature: int, weight: float, level: int | None, mean: float | None) -> Term:
        """Return a summand, with what takes the place of a value that is not known."""
        own = self.features[feature]
        missing = mean
        if own.fill is not None:
            missing = own.fill if level is None else float(own.fill == level)
        elif own.is_value and level is not None and own.levels is not None:
            missing = float(level == len(own.levels))
        unseen = mean if self.marks_unseen else missing
        return Term(self.place[feature], level, weight, missing, unseen)


def _schema_in(text: str) -> dict[str, list[dict[str, object]]]:
    """Return the schema in the JSON of a tree, which stands before all that is written of its nodes."""
    start = text.index("{", text.index('"schema":'))
    found: dict[str, list[dict[str, object]]] = json.JSONDecoder().raw_decode(text, start)[0]
    return found


def _mode(told: object) -> tuple[bool, float | int | None]:
    """Return whether missing is a value of its own, and what fills it in."""
    if isinstance(told, dict):
        (fill,) = told["filled"].values()
        return False, fill
    return told == "value", None


def deciding(program: Program) -> Literal["largest", "threshold", "costs"]:
    """Return how votes decide."""
    if program.costs is not None:
        return "costs"
    return "largest" if program.threshold is None else "threshold"


class Tables(NamedTuple):
    """The program as flat lists, for a loop to read.

    `ask` is a position in `ASKS`; `which` the column, or the plane, that a step asks about. The targets of a
    step start at `start`: of a number or a plane up to the cut, above it, unknown; of each level, then of a
    missing value and of one that is no level. The terms of plane p are those from ``plane_start[p]`` on.
    """

    ask: list[int]
    which: list[int]
    threshold: list[float]
    start: list[int]
    answer: list[int]
    targets: list[int]
    plane_start: list[int]
    offset: list[float]
    terms: list[Term]


def tables_of(program: Program) -> Tables:
    """Lay a program out as flat lists."""
    targets: list[int] = []
    start: list[int] = []
    for step in program.steps:
        start.append(len(targets))
        targets += step.targets
    starts = [0]
    terms: list[Term] = []
    for plane in program.planes:
        terms += plane.terms
        starts.append(len(terms))
    return Tables(
        ask=[ASKS.index(step.ask) for step in program.steps],
        which=[step.plane if step.ask == "plane" else max(step.column, 0) for step in program.steps],
        threshold=[0.0 if step.ask != "number" else step.threshold for step in program.steps],
        start=start,
        answer=[step.answer for step in program.steps],
        targets=targets,
        plane_start=starts,
        offset=[plane.offset for plane in program.planes],
        terms=terms,
    )


def share_tables(program: Program) -> tuple[list[int], list[int], list[float], list[float]]:
    """Return the first child of every step, their number, the share of each step, and the parts by class."""
    first = [below.start for below in program.children]
    n_children = [len(below) for below in program.children]
    share = [1.0] * len(program.steps)
    for number, below in enumerate(program.children):
        for child in below:
            share[child] = program.share(child, number)
    parts = [part for number in range(len(program.steps)) for part in program.parts(number)]
    return first, n_children, share, parts


def some_steps(
    core: _core.Tree, nodes: Sequence[int]
) -> tuple[tuple[Column, ...], tuple[Plane, ...], dict[int, Step]]:
    """Return the columns and planes of a tree, and the steps of some of its nodes."""
    reader = _Reader(core)
    columns = tuple(map(reader.column, reader.used))
    planes = tuple(map(reader.plane_of, range(len(reader.planes))))
    return columns, planes, {node: reader.step(node) for node in nodes}
