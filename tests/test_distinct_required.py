"""Required features of an enumeration, and its search space: against the tree of every subset."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest
from joblib import parallel_config

from commands import Run, assert_refused
from test_distinct import KINDS, ORDERS, brute_force, dataset, enumerated, grower, random_problem
from treewright import GreedyTreeClassifier, ParameterError, datasets
from treewright.distinct import (
    count_distinct_trees,
    enumerate_distinct_trees,
    feature_subsets,
    search_space,
)

WINE = GreedyTreeClassifier(min_samples_split=16)


@pytest.fixture(scope="module")
def problems() -> list[tuple[Any, Any, list[int]]]:
    """Tables, ways of growing, and features that are required: none to three of them."""
    found = []
    for seed in range(900, 900 + 12 * len(KINDS)):
        table, growing = random_problem(seed, n_features=6)
        n_required = min(seed % 4, table.n_features)
        found.append((table, growing, Random(seed).sample(range(table.n_features), n_required)))
    return found


@pytest.mark.parametrize("order", ORDERS)
def test_trees_are_those_that_test_all_required_features(problems: Any, order: str) -> None:
    n_left_out = 0
    for table, growing, required in problems:
        groups = brute_force(table, growing)
        wanted = {
            tree: subsets for tree, subsets in groups.items() if set(required) <= set(tree.used_features)
        }
        n_left_out += len(groups) - len(wanted)
        trees = enumerated(table, growing, order=order, required_features=required)
        assert {tree.tree._core: set(tree.equivalent_subsets) for tree in trees} == wanted
        assert (trees.status, trees.n_distinct) == ("complete", len(wanted))
        assert trees.required_features == tuple(sorted(required))
        for options in ({}, {"n_jobs": 2}, {"memory_limit": 1}):
            count = count_distinct_trees(
                dataset(table), estimator=grower(growing), order=order, required_features=required, **options
            )
            assert (count.n_distinct, count.n_built) == (len(wanted), trees.n_built)
            assert count.certificate == trees.certificate == sum(map(len, wanted.values()))
            assert count.n_subsets == 2 ** (table.n_features - len(required))
    assert n_left_out > 100


def test_workers_count_the_same() -> None:
    data, asked = datasets.load("wine"), {"estimator": WINE, "required_features": ["alcohol", "hue"]}
    here = count_distinct_trees(data, **asked)
    with parallel_config(backend="threading", n_jobs=2):
        there = count_distinct_trees(data, **asked, distribute=True)
    assert (here.by_n_features, here.n_built, here.certificate) == (
        there.by_n_features,
        there.n_built,
        there.certificate,
    )
    assert f"{here.n_distinct} distinct trees with 2 required features of 13 features" in str(here)
    assert "of the 2,048 subsets with all required features give them" in str(here)


def test_the_line_of_all_subsets_leaves_out_those_without_required_features() -> None:
    count = count_distinct_trees(datasets.load("iris"), required_features=["petal width (cm)"])
    beside = count.plot().lines[0].get_ydata()
    n_subsets = [len(subset) for subset in feature_subsets([3], [0, 1, 2])]
    assert list(beside) == [n_subsets.count(size) for size in range(5)]


@pytest.mark.parametrize(
    ("required", "message"),
    [
        (["alkohol"], "is no feature of X; did you mean 'alcohol'"),
        ([13], "is no feature of X, which has 13"),
        ([0, 0], "repeats feature 'alcohol'"),
        ("alcohol", r"is one text; give a list: \['alcohol'\]"),
    ],
)
def test_what_is_no_list_of_features_is_refused(required: object, message: str) -> None:
    with pytest.raises(ParameterError, match=f"required_features.*{message}"):
        enumerate_distinct_trees(datasets.load("wine"), required_features=required)


# The search space ----------------------------------------------------------------------


@pytest.mark.parametrize("order", ORDERS)
def test_calls_are_those_of_the_engine(problems: Any, order: str) -> None:
    """Every tree of the space is grown from the root; the engine adapts one from another."""
    n_in_vain = 0
    for table, growing, required in problems:
        asked = {"order": order, "required_features": required}
        trees = enumerated(table, growing, **asked)
        space = search_space(dataset(table), estimator=grower(growing), **asked)
        assert [call.used_features for call in space.calls if call.is_new] == [
            tree.used_features for tree in trees
        ]
        assert (space.n_built, space.n_distinct, space.status) == (
            trees.n_built,
            trees.n_distinct,
            "complete",
        )
        n_in_vain += space.n_built - space.n_distinct
        for i, call in enumerate(space.calls):
            own = {*call.required_features, *call.optional_features}
            assert len(own) == len(call.required_features) + len(call.optional_features)
            assert own >= set(call.used_features)
            if call.parent is not None:
                above = space.calls[call.parent]
                assert call.parent < i
                assert own | {call.removed_feature} == {*above.required_features, *above.optional_features}
    assert n_in_vain > 0


def test_picture_has_a_box_for_each_call() -> None:
    space = search_space(datasets.load("wine"), estimator=WINE, order="index_descending", node_limit=9)
    assert (space.n_built, space.status) == (9, "node_limit")
    ax = space.plot()
    shown = [text.get_text() for text in ax.texts]
    assert len(shown) == 10
    assert shown[-1] == "The first 9 calls; the search goes on."
    assert shown[0].startswith("must {}\nmay {alcohol, malic_acid, ash, 10 more}\ntests {")
    edges, *frames = (len(collection.get_paths()) for collection in ax.collections)
    assert (edges, sum(frames)) == (8, 9)
    assert str(space).endswith("The search goes on.")
    assert "9 trees built" in space._repr_html_()


# The command line ----------------------------------------------------------------------


def test_command_counts_and_draws(run: Run) -> None:
    line = ("enumerate", "weather.csv", "--target", "play", "--validation-set", 0, "--require", "outlook")
    ended = run(*line, "--plot", "space.svg", "--json")
    facts = json.loads(ended.out)
    data = datasets.read_csv("weather.csv", target="play")
    count = count_distinct_trees(data, required_features=["outlook"])
    assert facts["settings"]["required_features"] == ["outlook"]
    assert (facts["n_distinct"], facts["certificate"]) == (count.n_distinct, count.certificate)
    assert facts["n_distinct"] < count_distinct_trees(data).n_distinct
    picture = Path("space.svg").read_text(encoding="utf-8")
    assert picture.count("outlook") >= count.n_built  # it is in every box
    assert_refused(run(*line[:-1], "outlock"), 2, "did you mean 'outlook'?")
