"""Complete search against the tree of every subset: the answer, what is proven, and the work it takes."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import Any

import pytest

from blocks import blocks
from exhaustive import Everything
from reference import grow, validation_errors
from stepwise import Judge
from stepwise_cases import Case, Options, Problem, assert_trees_are_those_of_the_selected, random_problem
from strategies import random_growing, random_parts, random_table
from treewright import BackwardEliminationSelector, CompleteSearchSelector
from treewright.distinct import count_distinct_trees

ORDERS = ("frontier", "frontier_descending", "index", "index_descending")
MEMORY = (None, 1, "20kB")
PROBLEMS_PER_BLOCK = 50
BLOCKS = blocks(60, 4)


def searched(problem: Problem, **options: Any) -> CompleteSearchSelector:
    return CompleteSearchSelector(**problem.parameters, **options).fit(problem.dataset)


def problems(seeds: range) -> list[tuple[Problem, Everything]]:
    drawn = [random_problem(Random(seed)) for seed in seeds]
    return [(problem, Everything.of(problem.judge)) for problem in drawn]


@pytest.fixture(scope="module")
def solved() -> list[tuple[Problem, Everything]]:
    """Problems of which every tree is known."""
    return problems(range(10_000, 10_060))


# Against all subsets -------------------------------------------------------------------


@pytest.mark.parametrize("block", BLOCKS)
def test_best_trees_and_ties_are_those_of_all_subsets(block: int) -> None:
    for seed in range(block * PROBLEMS_PER_BLOCK, (block + 1) * PROBLEMS_PER_BLOCK):
        rng = Random(seed)
        problem = random_problem(rng)
        everything = Everything.of(problem.judge)
        check_exact(problem, random_exact(rng), everything)
        check_within_tolerance(problem, random_tolerant(rng), everything)


@pytest.mark.parametrize("seed", range(20_000, 20_040))
def test_trees_are_those_of_the_plain_version(seed: int) -> None:
    rng = Random(seed)
    table = random_table(rng, rng.choice(("mixed", "nominal", "numeric")), samples=(4, 16))
    table = replace(table, columns=table.columns[:4])
    building, search = map(sorted, random_parts(rng, table))
    problem = Problem(table, random_growing(rng, table), building, search)
    everything = Everything.of(PlainJudge(table, problem.growing, building, search))
    check_exact(problem, random_exact(rng), everything)
    check_within_tolerance(problem, random_tolerant(rng), everything)


class PlainJudge(Judge):
    """Grows and judges by the reference, which shares no line with the engine."""

    def _judged(self, features: frozenset[int]) -> tuple[float, frozenset[int]]:
        tree = grow(self.table.take(self.building), self.growing, sorted(features))
        errors = validation_errors(tree, self.table, self.growing, self.building, self.search)
        return errors, frozenset(tree.used_features)


def random_exact(rng: Random) -> Options:
    """Draw options of a search for the very best."""
    return {
        "top_k": rng.choice((1, 1, 2, 5, 1000)),
        "count_ties": rng.random() < 0.5,
        "max_features": rng.choice((None, None, 0, 1, 2, 4)),
        "order": rng.choice(ORDERS),
        "memory_limit": rng.choice(MEMORY),
    }


def random_tolerant(rng: Random) -> Options:
    """Draw options of a search for something good enough."""
    return {
        "tolerance": rng.choice((1, 2, 7, 0.1, 0.29, 0.999)),
        "max_features": rng.choice((None, None, 1, 3)),
        "order": rng.choice(ORDERS),
        "memory_limit": rng.choice(MEMORY),
    }


def check_exact(problem: Problem, options: Options, everything: Everything) -> None:
    found, case = searched(problem, **options), Case(problem, options)
    expected = everything.ranked(options["max_features"])
    best = expected[0]
    assert tuple(found.used_features_) == best == tuple(found.get_support(indices=True)), case
    assert found.n_validation_errors_ == everything.errors[best], case
    assert (found.search_.status, found.search_.gap) == ("optimal", 0), case
    assert found.n_ties_ == (everything.n_ties(options["max_features"]) if options["count_ties"] else None), (
        case
    )
    assert [tree.used_features for tree in found.best_trees_] == expected[: options["top_k"]], case
    for tree in found.best_trees_:
        assert tree.n_validation_errors == everything.errors[tree.used_features], case
        assert set(tree.equivalent_subsets) == everything.subsets[tree.used_features], case
        assert tuple(tree.tree.used_features) == tree.used_features, case
    assert found.best_trees_[0].tree == found.tree_, case
    assert_trees_are_those_of_the_selected(found, case)


def check_within_tolerance(problem: Problem, options: Options, everything: Everything) -> None:
    found, case = searched(problem, **options), Case(problem, options)
    least = everything.errors[everything.ranked(options["max_features"])[0]]
    given = options["tolerance"]
    tolerance = given if isinstance(given, int) else round(given * problem.validation_weight * 2**20) / 2**20
    assert least <= found.n_validation_errors_ <= least + tolerance, case
    assert found.n_validation_errors_ - tolerance <= found.search_.bound <= least, case
    assert found.n_validation_errors_ == everything.errors[tuple(found.used_features_)], case
    assert found.search_.status == "complete", case
    assert "within the tolerance" in found.search_.message
    assert_trees_are_those_of_the_selected(found, case)


# What must not matter ------------------------------------------------------------------


def answer(found: CompleteSearchSelector) -> tuple[Any, ...]:
    trees = [
        (tree.used_features, tree.n_validation_errors, tree.blocked_features) for tree in found.best_trees_
    ]
    return (trees, found.n_ties_, found.search_.bound, found.search_.status)


@pytest.mark.parametrize("top_k", [1, 4])
def test_orders_and_memory_change_no_answer(solved: list[tuple[Problem, Everything]], top_k: int) -> None:
    for problem, _ in solved:
        usual = answer(searched(problem, top_k=top_k, count_ties=True))
        for order, memory_limit in product(ORDERS, MEMORY):
            options = {"order": order, "memory_limit": memory_limit}
            found = searched(problem, top_k=top_k, count_ties=True, **options)
            assert answer(found) == usual, Case(problem, options)


@pytest.mark.parametrize("options", [{}, {"top_k": 3, "count_ties": True}, {"tolerance": 2}], ids=str)
def test_threads_change_neither_answer_nor_work(
    solved: list[tuple[Problem, Everything]], options: Options
) -> None:
    for problem, _ in solved:
        one, two = (searched(problem, n_jobs=n_jobs, **options) for n_jobs in (1, 2))
        assert answer(one) == answer(two), Case(problem, options)
        assert one.n_trees_built_ == two.n_trees_built_, Case(problem, options)


def n_built_to_start(problem: Problem, parameters: Options) -> int:
    """Trees of an elimination, of one that goes on from there to fewer features, and the single leaf."""
    first = BackwardEliminationSelector(**parameters).fit(problem.dataset)
    to_fewer = BackwardEliminationSelector(
        **parameters, parsimonious=True, floating=True, start_from=first.support_
    ).fit(problem.dataset)
    return int(first.n_trees_built_) + int(to_fewer.n_trees_built_) + 1


@pytest.mark.parametrize("order", ORDERS)
def test_what_is_accepted_saves_work(solved: list[tuple[Problem, Everything]], order: str) -> None:
    """Between two tolerances above 0 no such order is promised."""
    for problem, _ in solved:
        parameters = problem.parameters
        start = n_built_to_start(problem, parameters)
        built = searched(problem, order=order).n_trees_built_
        everything = count_distinct_trees(problem.dataset, **parameters, order=order)
        assert start < built <= everything.n_built + start
        for tolerance in (1, 3, 0.2):
            assert searched(problem, order=order, tolerance=tolerance).n_trees_built_ <= built
        assert built <= searched(problem, order=order, top_k=3).n_trees_built_
        assert built <= searched(problem, order=order, count_ties=True).n_trees_built_


def test_no_selector_does_better(solved: list[tuple[Problem, Everything]]) -> None:
    n_better = 0
    for problem, _ in solved:
        backward = BackwardEliminationSelector(**problem.parameters).fit(problem.dataset)
        errors = searched(problem).n_validation_errors_
        assert errors <= backward.n_validation_errors_
        n_better += errors < backward.n_validation_errors_
    assert n_better > 5
