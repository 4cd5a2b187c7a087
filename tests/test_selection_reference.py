"""Backward elimination under every option against the slow, plain version."""

from __future__ import annotations

from random import Random

import pytest

from blocks import blocks
from stepwise import Judge, backward
from stepwise_cases import (
    Case,
    Options,
    Problem,
    assert_same_answer,
    assert_same_search,
    assert_trees_are_those_of_the_selected,
    random_backward,
    random_problem,
    rules_of,
)
from treewright import BackwardEliminationSelector

N_BLOCKS = 10
PROBLEMS_PER_BLOCK = 40
SEARCHES_PER_PROBLEM = 4


@pytest.mark.parametrize("block", blocks(N_BLOCKS, 5))
def test_every_step_is_that_of_the_slow_version(block: int) -> None:
    for seed in range(block * PROBLEMS_PER_BLOCK, (block + 1) * PROBLEMS_PER_BLOCK):
        rng = Random(seed)
        problem = random_problem(rng)
        judge = problem.judge
        for _ in range(SEARCHES_PER_PROBLEM):
            check_search(problem, random_backward(rng, problem), judge)


def check_search(problem: Problem, options: Options, judge: Judge) -> None:
    fast, black_box = (
        checked(Case(problem, options, strategy), judge) for strategy in ("incremental", "retrain")
    )
    assert_same_answer(fast, black_box, Case(problem, options))
    assert_trees_are_those_of_the_selected(fast, Case(problem, options))


def checked(case: Case, judge: Judge) -> BackwardEliminationSelector:
    """Fit by one strategy and compare with the slow version of it."""
    selector = BackwardEliminationSelector(strategy=case.strategy, **case.problem.parameters, **case.options)
    expected = backward(judge, rules_of(case, backward=True))
    assert_same_search(selector.fit(case.problem.dataset), expected, case)
    return selector
