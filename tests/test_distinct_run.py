"""The face of the enumeration: lazy, paused and resumed, closed, refused; subsets and counts.

Inner names, as in unit tests: `_base.memory` and `_base.numbers`: what all estimators share is
tested once. `search.distinct.count`: work is interrupted at places that only the inside knows.
"""

from __future__ import annotations

import contextlib
import copy
import gc
import itertools
import json
import math
import os
import pickle
import signal
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import treewright
from growers import grown_by
from treewright import DataError, GreedyTreeClassifier, ParameterError, UnfinishedError, datasets
from treewright._base.memory import bytes_or_none
from treewright._base.numbers import for_json
from treewright.distinct import (
    DistinctTrees,
    SubsetInterval,
    count_distinct_trees,
    enumerate_distinct_trees,
    feature_subsets,
)
from treewright.results import Progress
from treewright.search.distinct.count import certified

TINY = 1e-9
"""Seconds in which nothing can be done."""

FUNCTIONS = [enumerate_distinct_trees, count_distinct_trees]


@pytest.fixture(scope="module")
def wine() -> treewright.Dataset:
    return datasets.load("wine")


@pytest.fixture(scope="module")
def all_used(wine: treewright.Dataset) -> list[tuple[int, ...]]:
    return [
        tree.used_features
        for tree in enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8))
    ]


def in_pieces(trees: DistinctTrees, status: str, **limits: Any) -> Iterator[tuple[int, ...]]:
    """Exhaust an enumeration that pauses again and again."""
    yield from (tree.used_features for tree in trees)
    while trees.status != "complete":
        assert trees.status == status
        yield from (tree.used_features for tree in trees.resume(**limits))


# Pausing -------------------------------------------------------------------------------


def test_nothing_is_built_before_it_is_asked_for() -> None:
    trees = enumerate_distinct_trees(datasets.load("breast-cancer"))
    assert (trees.n_built, trees.n_distinct, trees.status) == (0, 0, None)
    first = list(itertools.islice(trees, 5))
    assert len({tree.used_features for tree in first}) == 5
    assert trees.n_distinct < 1000
    assert trees.status is None


def test_time_limit_pauses_and_nothing_is_lost(
    wine: treewright.Dataset, all_used: list[tuple[int, ...]]
) -> None:
    trees = enumerate_distinct_trees(
        wine, estimator=GreedyTreeClassifier(min_samples_split=8), time_limit=TINY
    )
    assert list(trees) == []
    assert trees.status == "time_limit"
    assert list(trees) == []
    assert list(in_pieces(trees.resume(time_limit=0.002), "time_limit", time_limit=0.002)) == all_used
    assert list(trees.resume()) == []


def test_callback_that_stops_loses_nothing(wine: treewright.Dataset, all_used: list[tuple[int, ...]]) -> None:
    seen: list[Progress] = []

    def stop(progress: Progress) -> bool:
        seen.append(progress)
        return True

    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8), callback=stop)
    assert list(in_pieces(trees, "stopped")) == all_used
    assert [progress.elapsed for progress in seen] == sorted(progress.elapsed for progress in seen)
    assert len(seen) > 3


def test_error_in_the_callback_is_raised_and_loses_nothing(
    wine: treewright.Dataset, all_used: list[tuple[int, ...]]
) -> None:
    def fail(progress: Progress) -> bool:
        raise LookupError("mine")

    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8), callback=fail)
    found: list[tuple[int, ...]] = []
    while trees.status != "complete":
        with pytest.raises(LookupError, match="mine"):
            next(trees)
        found += [next(trees).used_features for _ in range(trees.n_distinct - len(found))]
    assert found == all_used


def test_interrupt_is_raised_and_loses_nothing() -> None:
    X, options = datasets.load("breast-cancer"), grown_by(min_samples_split=64, node_limit=50_000)
    trees = enumerate_distinct_trees(X, **options)
    trees._batches._size = 50_000  # long enough to be interrupted
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        next(trees)
    timer.join()
    assert trees.status is None
    found = [tree.used_features for tree in trees]
    assert found == [tree.used_features for tree in enumerate_distinct_trees(X, **options)]


class Losing:
    """An engine at whose every third answer Ctrl-C is pressed, too late for the search."""

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._n_answers = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def next_batch(self, *arguments: Any, **limits: Any) -> Any:
        answer = self._engine.next_batch(*arguments, **limits)
        self._n_answers += 1
        if self._n_answers % 3 == 0:
            raise KeyboardInterrupt
        return answer


def stubbornly(trees: DistinctTrees) -> Iterator[tuple[int, ...]]:
    """Go on after every Ctrl-C."""
    while trees.status is None:
        with contextlib.suppress(KeyboardInterrupt):
            yield from (tree.used_features for tree in trees)


def test_interrupt_while_trees_are_handed_over_loses_nothing(
    wine: treewright.Dataset, all_used: list[tuple[int, ...]]
) -> None:
    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8))
    trees._batches._engine = Losing(trees._batches._engine)  # type: ignore[assignment]
    assert list(stubbornly(trees)) == all_used
    assert (trees.status, trees.certificate) == ("complete", 2**13)


def test_any_number_of_interrupts_lose_nothing(
    wine: treewright.Dataset, all_used: list[tuple[int, ...]]
) -> None:
    trees, found = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8)), []
    is_pressed: list[bool] = []

    def press(*_: object) -> None:
        if is_pressed:
            is_pressed.clear()
            raise KeyboardInterrupt

    gc.disable()  # an interrupt within another package's callback of the collector would be lost
    before = signal.signal(signal.SIGALRM, press)
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    while trees.status is None:
        with contextlib.suppress(KeyboardInterrupt):
            is_pressed.append(True)
            found.extend(trees)  # runs no code of its own between two trees
            is_pressed.clear()
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)
    gc.enable()
    assert [tree.used_features for tree in found] == all_used


def test_node_limit_ends_it(wine: treewright.Dataset, all_used: list[tuple[int, ...]]) -> None:
    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8), node_limit=50)
    found = [tree.used_features for tree in trees]
    assert found == all_used[: len(found)]
    assert (trees.status, trees.n_built) == ("node_limit", 50)
    assert 0 < trees.certificate < 2**13
    assert list(trees.resume()) == []
    count = count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8), node_limit=50)
    assert (count.n_distinct, count.certificate) == (len(found), trees.certificate)
    assert "so far" in str(count)
    assert "node limit" in str(count)


def test_larger_node_limit_goes_on(wine: treewright.Dataset, all_used: list[tuple[int, ...]]) -> None:
    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8), node_limit=50)
    found = [tree.used_features for tree in trees]
    found += [tree.used_features for tree in trees.resume(node_limit=120)]
    assert (trees.status, trees.n_built) == ("node_limit", 120)
    assert list(trees.resume(node_limit=10)) == []
    assert found + [tree.used_features for tree in trees.resume(node_limit=10**9)] == all_used
    with pytest.raises(ParameterError, match="node_limit=0"):
        trees.resume(node_limit=0)


# Closing -------------------------------------------------------------------------------


def test_closing_ends_it_and_leaves_trees_whole(wine: treewright.Dataset) -> None:
    with enumerate_distinct_trees(wine) as trees:
        first = next(trees)
    assert (list(trees), trees.status) == ([], "closed")
    trees.close()
    assert first.tree.used_features.tolist() == list(first.used_features)
    with pytest.raises(UnfinishedError, match="begin a new one"):
        trees.resume()


def test_closing_after_the_end_changes_nothing(wine: treewright.Dataset) -> None:
    trees = enumerate_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=64))
    n_trees = len(list(trees))
    trees.close()
    assert (trees.status, trees.n_distinct, trees.certificate) == ("complete", n_trees, 2**13)
    assert list(trees.resume()) == []


def test_closing_from_the_callback_ends_it(wine: treewright.Dataset) -> None:
    trees = enumerate_distinct_trees(wine, callback=lambda progress: trees.close())
    assert list(trees) == []
    assert trees.status == "closed"


# One tree ------------------------------------------------------------------------------


def test_tree_is_a_value(wine: treewright.Dataset) -> None:
    tree = next(enumerate_distinct_trees(wine, validation_set=0.3, random_state=0))
    again = next(enumerate_distinct_trees(wine, validation_set=0.3, random_state=0))
    assert tree == again
    assert hash(tree) == hash(again)
    assert tree.tree == again.tree == pickle.loads(pickle.dumps(tree)).tree
    assert tree.n_subsets == tree.equivalent_subsets.n_subsets
    with pytest.raises(AttributeError):
        tree.used_features = ()  # type: ignore[misc]


def test_random_state_draws_the_share(wine: treewright.Dataset) -> None:
    rows = [
        enumerate_distinct_trees(wine, validation_set=0.3, random_state=seed).validation_rows
        for seed in (0, 0, 1)
    ]
    assert rows[0] is not None
    assert rows[0].tolist() == rows[1].tolist() != rows[2].tolist()
    assert enumerate_distinct_trees(wine).validation_rows is None


def test_search_rows_are_positions_in_the_users_table() -> None:
    X, weights = [[1.0], [2.0], [3.0], [4.0]], [0, 1, 1, 1]
    trees = enumerate_distinct_trees(X, [0, 0, 1, 1], sample_weight=weights, validation_set=[0, 3])
    assert trees.validation_rows.tolist() == [3]
    assert [tree.n_validation_errors for tree in trees] == [0, 1]


# Subsets -------------------------------------------------------------------------------


def paper(required: set[int], optional: list[int]) -> Iterator[tuple[int, ...]]:
    """Algorithm 1 as it is printed."""
    yield tuple(sorted(required.union(optional)))
    required, returned = required.union(optional), []
    for feature in optional:
        required = required - {feature}
        yield from paper(required, returned)
        returned = [*returned, feature]


@pytest.mark.parametrize(
    ("required", "optional"), [([], []), ([3], []), ([], [0, 1]), ([2, 7], [0, 4, 5, 9])]
)
def test_subsets_are_those_of_the_paper_in_its_order(required: list[int], optional: list[int]) -> None:
    found = list(feature_subsets(required, optional))
    assert found == list(paper(set(required), optional))
    assert len(set(found)) == 2 ** len(optional)


def test_subsets_of_many_features_come_one_by_one() -> None:
    interval = SubsetInterval((0,), tuple(range(1, 5001)))
    assert interval.n_subsets == 2**5000
    assert len(next(iter(interval))) == 5001
    assert (0, 17) in interval
    assert () not in interval
    assert (0, 5001) not in interval


@pytest.mark.parametrize(
    ("required", "optional", "words"),
    [
        ([0], [0, 1], "optional_features has feature 0, which is in required_features too"),
        ([1, 1], [], "names a feature twice"),
        ([], [-1], r"optional_features\[0\]=-1 is no position"),
        ([True], [], r"required_features\[0\]=True is no position"),
        (["age"], [], "give ints"),
    ],
)
def test_what_are_no_subsets_is_refused(required: Any, optional: Any, words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        feature_subsets(required, optional)


# Parameters ----------------------------------------------------------------------------


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"growth": "c45"}, "average-gain rule .* collapse .* dropping an unused feature"),
        ({"growth": "random"}, "growth='random'"),
        ({"criterion": "error"}, "criterion='error' is not known"),
        (
            {"criterion": "gini", "mdl_correction": True},
            "mdl_correction=True does not go with criterion='gini'",
        ),
        ({"order": "random"}, "order='random' is not known; choose 'frontier'"),
        ({"node_limit": 0}, "node_limit=0 .* it counts trees built"),
        ({"memory_limit": "64"}, "memory_limit='64' .* '64MB'"),
        ({"memory_limit": 0}, "memory_limit=0"),
        ({"time_limit": 0}, "time_limit=0"),
        ({"callback": 3}, "callback=3"),
        ({"n_jobs": 0}, "n_jobs=0"),
        ({"validation_set": 2.0}, "validation_set=2.0 is no share"),
    ],
)
def test_parameters_are_checked_at_once(function: Any, options: dict[str, Any], words: str) -> None:
    with pytest.raises(ParameterError, match=words):
        function([[1.0], [2.0], [3.0]], [0, 1, 0], **grown_by(**options))


@pytest.mark.parametrize("function", FUNCTIONS)
def test_data_without_classes_is_refused(function: Any) -> None:
    with pytest.raises(DataError, match="y is None"):
        function([[1.0], [2.0]])


@pytest.mark.parametrize(
    ("given", "n_bytes"),
    [
        (None, None),
        (1, 1),
        (np.int64(4096), 4096),
        ("64MB", 64_000_000),
        (" 64 mb ", 64_000_000),
        ("64MiB", 2**26),
        ("0.5kB", 500),
        ("12B", 12),
        ("1TiB", 2**40),
        ("9999999999999TB", 2**62),
    ],
)
def test_memory_limit_is_bytes_or_text(given: Any, n_bytes: int | None) -> None:
    assert bytes_or_none("memory_limit", given) == n_bytes


@pytest.mark.parametrize(
    "given", [0, -1, True, 1.5, "", "MB", "64", "-1MB", "1e3MB", "1XB", "0MB", "64 M B", b"1B"]
)
def test_other_amounts_of_memory_are_refused(given: Any) -> None:
    with pytest.raises(ParameterError, match="write for example '64MB'"):
        bytes_or_none("memory_limit", given)


# The count -----------------------------------------------------------------------------


def test_count_and_enumeration_agree(wine: treewright.Dataset, all_used: list[tuple[int, ...]]) -> None:
    count = count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=8))
    sizes = [len(used) for used in all_used]
    assert count.by_n_features == list(map(sizes.count, range(14)))
    assert count.overhead == count.n_built / len(all_used)
    assert count.elapsed > 0


@pytest.mark.parametrize("limits", [{"time_limit": TINY}, {"callback": lambda progress: True}])
def test_count_that_ends_early_says_what_it_has(limits: dict[str, Any]) -> None:
    count = count_distinct_trees(datasets.load("breast-cancer"), **limits)
    assert count.status in ("time_limit", "stopped")
    assert count.certificate < count.n_subsets == 2**30
    assert count.overhead >= 1 or (count.n_distinct == 0 and math.isnan(count.overhead))
    assert "the trees found so far are counted" in str(count)
    assert "nan" not in str(count)


def test_wrong_certificate_is_an_internal_error() -> None:
    assert certified([0, 2], 2, "complete") == 4
    assert certified([1], 2, "time_limit") == 1
    for by_log_subsets, status in (([1], "complete"), ([5], "time_limit")):
        with pytest.raises(AssertionError, match="error in treewright"):
            certified(by_log_subsets, 2, status)


def test_counts_agree_in_number_and_are_grouped() -> None:
    trees, built, certificate, *_ = str(count_distinct_trees([[1.0], [1.0]], [0, 1])).splitlines()
    assert trees == "1 distinct tree on subsets of 1 feature"
    assert built.startswith("1 tree built, 1.000 for each distinct one")
    assert certificate == "certificate: it accounts for all 2 subsets"


def test_numbers_too_long_for_python_to_write() -> None:
    X = np.random.default_rng(0).integers(0, 2, (2, 15_000)).astype(float)
    count = count_distinct_trees(X, [0, 1], node_limit=3)
    assert f"of 2^{15_000} subsets" in str(count)
    for number in (count.certificate, 2**15_000 - 1, 2**1024, 5):
        written = for_json(number)
        assert json.loads(json.dumps(written)) == written
        assert (int(written, 0) if isinstance(written, str) else written) == number


@pytest.mark.parametrize("seed", ["bad", -1, 1.5])
def test_seed_that_is_none_is_refused(wine: treewright.Dataset, seed: Any) -> None:
    for function in FUNCTIONS:
        with pytest.raises(ParameterError, match=f"random_state={seed!r} must be None or an int from 0"):
            function(wine, validation_set=0.3, random_state=seed)


def test_no_search_rows_are_refused(wine: treewright.Dataset) -> None:
    with pytest.raises(ParameterError, match=r"validation_set=\[\] names no row; give a share"):
        enumerate_distinct_trees(wine, validation_set=[])


def test_subsets_of_a_single_number_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"required_features=0 is no list of features.*\[0\]"):
        feature_subsets(0, 3)  # type: ignore[arg-type]


def test_interval_points_to_its_number_of_sets() -> None:
    interval = SubsetInterval((0,), (1, 2))
    assert interval
    for ask in (len, lambda asked: asked[0]):
        with pytest.raises(TypeError, match="use n_subsets"):
            ask(interval)  # type: ignore[operator]
    assert len(list(interval)) == interval.n_subsets


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickle.dumps])
def test_search_under_way_is_not_copied(wine: treewright.Dataset, duplicate: Callable[[Any], Any]) -> None:
    with pytest.raises(TypeError, match=r"a DistinctTrees is a search under way.*begin another"):
        duplicate(enumerate_distinct_trees(wine))


def test_count_keeps_its_search_rows(wine: treewright.Dataset) -> None:
    options = grown_by(min_samples_split=32, validation_set=0.3, random_state=0)
    count, trees = count_distinct_trees(wine, **options), enumerate_distinct_trees(wine, **options)
    assert count.validation_rows is not None
    assert count.validation_rows.tolist() == trees.validation_rows.tolist()  # type: ignore[union-attr]
    assert (
        count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=64)).validation_rows
        is None
    )
