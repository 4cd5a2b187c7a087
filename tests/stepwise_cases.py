"""Random tables and options for searches by single steps, and what their answers must be.

Inner names, as in unit tests: `data.dataset`: a column is looked at before it is part of a table.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from operator import mul
from random import Random
from typing import Any

import numpy as np

from reference.bridge import core_dataset, core_grow
from reference.table import Column, Growing, Table, Value, counted_weights, total_weight
from stepwise import Judge, Rules, Search, Step
from strategies import random_growing, random_parts, random_table
from treewright import BackwardEliminationSelector, Dataset, ForwardSelectionSelector, GreedyTreeClassifier
from treewright.data.dataset import dataset_of_codes

Options = dict[str, Any]
Selector = BackwardEliminationSelector | ForwardSelectionSelector


@dataclass(frozen=True)
class Problem:
    """A table with growing parameters and its two parts."""

    table: Table
    growing: Growing
    building: list[int]
    search: list[int]

    @property
    def judge(self) -> Judge:
        return Judge(self.table, self.growing, self.building, self.search)

    @property
    def dataset(self) -> Dataset:
        """The table as users have it."""
        weights = None if self.table.weights is None else np.array(self.table.weights)
        core = core_dataset(self.table)
        columns = [core.column(i) for i in range(core.n_features)]
        return dataset_of_codes(core.names, columns, core.levels, core.target, np.array(self.labels), weights)

    @property
    def labels(self) -> list[str]:
        return [f"c{code}" for code in range(self.table.n_classes)]

    @property
    def parameters(self) -> Options:
        """Estimator and validation set as a selector takes them."""
        factors = self.growing.class_weight
        class_weight = None if factors is None else dict(zip(self.labels, factors, strict=True))
        growing = vars(self.growing) | {"class_weight": class_weight}
        return {"estimator": GreedyTreeClassifier(**growing), "validation_set": self.search}

    @property
    def validation_weight(self) -> float:
        weights = counted_weights(self.table, self.growing, self.building)
        return total_weight([weights[sample] for sample in self.search])


@dataclass(frozen=True)
class Case:
    """One search of a problem; as text, everything needed to see it again."""

    problem: Problem
    options: Options
    strategy: str = "incremental"

    def __str__(self) -> str:
        return f"{self.strategy} {self.options}\n{self.problem}"


def random_problem(rng: Random) -> Problem:
    """Draw a table whose classes many features decide together, or one full of oddities."""
    return _voted_problem(rng) if rng.random() < 0.6 else _odd_problem(rng)


def _odd_problem(rng: Random) -> Problem:
    kind = rng.choice(("mixed", "mixed", "nominal", "numeric"))
    table = random_table(rng, kind, samples=(8, 40), min_features=3)
    building, search = random_parts(rng, table)
    return Problem(table, random_growing(rng, table), sorted(building), sorted(search))


def _voted_problem(rng: Random) -> Problem:
    table = _voted_table(rng)
    order = rng.sample(range(table.n_samples), table.n_samples)
    building, search = order[::2], order[1::2]
    limits = {
        "max_depth": rng.choice((None, 2, 3, 4)),
        "min_samples_split": rng.choice((1.0, 2.0, 5.0, 10.0)),
    }
    growing = replace(random_growing(rng, table), min_gain=0.0, **limits)
    return Problem(table, growing, sorted(building), sorted(search))


def _voted_table(rng: Random) -> Table:
    """Draw a table whose class is a weighted vote of the features, with noise."""
    n_samples, n_features = rng.randint(60, 120), rng.randint(5, 8)
    drawn = [_voter(rng, n_samples) for _ in range(n_features)]
    stakes = [rng.choice((0.0, 0.5, 1.0, 1.0, 2.0)) for _ in drawn]
    noise = rng.choice((0.0, 0.5, 1.0))
    sums = [sum(map(mul, stakes, votes)) for votes in zip(*(votes for _, votes in drawn), strict=True)]
    target = tuple(int(total + rng.gauss(0.0, noise) > 0) for total in sums)
    whole = tuple(float(rng.randint(1, 3)) for _ in target)
    fractions = tuple(rng.randint(1, 40) / 16 for _ in target)
    return Table(tuple(column for column, _ in drawn), target, 2, rng.choice((None, None, whole, fractions)))


def _voter(rng: Random, n_samples: int) -> tuple[Column, list[int]]:
    """Draw a column, one time in three with gaps, and how each of its values votes."""
    n_levels = rng.choice((None, None, 2, 3, 4))
    if n_levels is None:
        step = rng.choice((0.001, 1.0))
        values: list[Value] = [round(rng.gauss(0.0, 1.5) / step) * step for _ in range(n_samples)]
        votes = [(value > 0) - (value < 0) for value in values]
    else:
        votes_of_levels = [rng.choice((-1, 0, 1)) for _ in range(n_levels)]
        values = [rng.randrange(n_levels) for _ in range(n_samples)]
        votes = [votes_of_levels[code] for code in values]
    rate = rng.choice((0.0, 0.0, 0.1))
    return Column(tuple(None if rng.random() < rate else value for value in values), n_levels), votes


# Options -------------------------------------------------------------------------------


def random_sets(rng: Random, n_features: int) -> Options:
    """Draw groups, fixed features and a start that agree with each other."""
    features = rng.sample(range(n_features), n_features)
    groups = []
    if rng.random() < 0.4:
        cut = rng.randint(1, n_features - 1)
        groups = [features[:cut][:3], features[cut:][:2]][: rng.randint(1, 2)]
    fixed = rng.sample(range(n_features), rng.choice((0, 0, 0, 1, 2)))
    start = None
    if rng.random() < 0.4:
        chosen = {feature for feature in range(n_features) if rng.random() < 0.6} | {*fixed}
        start = sorted(chosen.union(*(group for group in groups if not chosen.isdisjoint(group))))
    return {"feature_groups": groups or None, "required_features": fixed or None, "start_from": start}


def random_backward(rng: Random, problem: Problem) -> Options:
    """Draw options of backward elimination."""
    options = random_sets(rng, problem.table.n_features)
    start = options["start_from"]
    n_start = problem.table.n_features if start is None else len(start)
    floating = rng.random() < 0.3
    tolerance = rng.choice((0, 0, 0, 0, 1, 2, 7, 0.1, 0.29, 0.999))
    return options | {
        "floating": floating,
        "tolerance": 0 if floating else tolerance,
        "parsimonious": rng.random() < 0.3,
        "min_features": min(n_start, rng.choice((0, 0, 0, 1, 2, 4))),
    }


def random_forward(rng: Random, problem: Problem) -> Options:
    """Draw options of forward selection."""
    n_features = problem.table.n_features
    options = random_sets(rng, n_features)
    n_start = len(start_of(options, frozenset(), n_features))
    most = rng.choice((None, None, n_start, n_start + 1, n_start + 3))
    return options | {"floating": rng.random() < 0.5, "max_features": most}


def start_of(options: Options, default: frozenset[int], n_features: int) -> frozenset[int]:
    """Features that a search starts from, the fixed ones and their groups among them."""
    start = default if options["start_from"] is None else frozenset(options["start_from"])
    return start | fixed_of(options, n_features)


def fixed_of(options: Options, n_features: int) -> frozenset[int]:
    fixed = frozenset(options["required_features"] or ())
    return fixed.union(*(group for group in groups_of(options, n_features) if group & fixed))


def groups_of(options: Options, n_features: int) -> tuple[frozenset[int], ...]:
    groups = [frozenset(group) for group in options["feature_groups"] or ()]
    alone = [frozenset({feature}) for feature in range(n_features)]
    return tuple(
        sorted([*groups, *(one for one in alone if not any(one & group for group in groups))], key=min)
    )


def rules_of(case: Case, *, backward: bool) -> Rules:
    """Say the same as the options of a selector in the words of the slow version."""
    problem, options = case.problem, case.options
    n_features = problem.table.n_features
    tolerance, parsimonious = options.get("tolerance", 0), options.get("parsimonious", False)
    weight = tolerance if isinstance(tolerance, int) else tolerance * problem.validation_weight
    most = options.get("max_features")
    return Rules(
        groups=groups_of(options, n_features),
        start=start_of(options, frozenset(range(n_features) if backward else ()), n_features),
        fixed=fixed_of(options, n_features),
        floating=options["floating"],
        tolerance=round(weight * 2**20) / 2**20,
        parsimonious=parsimonious,
        min_features=options.get("min_features", 0),
        max_features=n_features if most is None else most,
        tries_untested=case.strategy == "retrain" and not tolerance and not parsimonious,
    )


# Answers -------------------------------------------------------------------------------


def steps_of(selector: Selector) -> list[tuple[Any, ...]]:
    """Return the steps of a fitted selector, without times."""
    columns = ["changed", "dropped", "added", "errors", "n_features", "n_trees_built"]
    return selector.history_[columns].tolist()


def assert_same_search(selector: Selector, expected: Search, case: Case) -> None:
    """Compare every step, and the end, with the slow version's."""
    assert steps_of(selector) == [_record(step) for step in expected.history], case
    assert frozenset(selector.get_support(indices=True).tolist()) == expected.selected, case
    assert frozenset(selector.used_features_.tolist()) == expected.used, case
    assert selector.n_validation_errors_ == expected.errors, case
    assert selector.n_trees_built_ == expected.n_trees_built, case
    assert selector.search_.status == "complete", case


def _record(step: Step) -> tuple[Any, ...]:
    first = min(step.changed, default=-1)
    dropped, added = (-1, first) if step.added else (first, -1)
    return (step.changed, dropped, added, step.errors, step.n_features, step.n_trees_built)


def assert_trees_are_those_of_the_selected(selector: Selector, case: Case) -> None:
    """Compare both trees with trees grown on the selected features."""
    selected = selector.get_support(indices=True).tolist()
    table, growing, building = case.problem.table, case.problem.growing, case.problem.building
    assert selector.tree_._core == core_grow(table.take(building), growing, selected), case
    assert selector.refit_tree_._core == core_grow(table, growing, selected), case


def assert_same_answer(fast: Selector, black_box: Selector, case: Case) -> None:
    """Compare both strategies: the same in every step, with no more trees."""
    columns = ["changed", "dropped", "added", "errors", "n_features"]
    assert fast.history_[columns].tolist() == black_box.history_[columns].tolist(), case
    assert fast.support_.tolist() == black_box.support_.tolist(), case
    assert fast.tree_ == black_box.tree_, case
    assert fast.refit_tree_ == black_box.refit_tree_, case
    assert fast.n_trees_built_ <= black_box.n_trees_built_, case
