"""`treewright enumerate`: what it counts, ranks and writes.

Inner names, as in unit tests: `cli._enumeration`: parts of the command line are tested without a
process. `data.training` and `data.validation_set`: a column is looked at before it is part of a
table. `trees.growing`: a tree is grown by hand beside the one of the search.
"""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from commands import Run, assert_refused, lines_of
from treewright import GreedyTreeClassifier, Tree, _core, datasets
from treewright.cli._enumeration import BestTrees
from treewright.data.training import TrainingSet
from treewright.data.validation_set import draw_share
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees
from treewright.trees.growing import Growing

SCHEMA = json.loads((Path(__file__).parent.parent / "docs/tree.schema.json").read_text(encoding="utf-8"))
WEATHER = ("enumerate", "weather.csv", "--target", "play")
WINE = ("enumerate", "wine", "--min-samples-split", 16)


def brute_force(share: float) -> dict[Tree, list[set[str]]]:
    """Grow the tree of every subset of the weather's features; sort the subsets by the tree they give."""
    weather = datasets.read_csv("weather.csv", target="play")
    assert weather.target is not None, "the file has classes"
    is_validation = (
        draw_share(share, weather.target, 0) if share else np.zeros(len(weather.target), dtype=bool)
    )
    names, groups = weather.feature_names, {}
    for size in range(len(names) + 1):
        for subset in combinations(names, size):
            tree = grown(weather, ~is_validation, subset)
            groups.setdefault(tree, []).append(set(subset))
    return groups


def grown(weather: datasets.Dataset, is_building: Any, subset: tuple[str, ...]) -> Tree:
    positions = [weather.feature_names.index(name) for name in subset]
    part = weather[np.flatnonzero(is_building)]
    growth = Growing.of(GreedyTreeClassifier()).parameters(TrainingSet.of(part, owner="test"))
    return Tree(_core.grow(part.core, growth=growth, features=positions))


# Counts and ranks ----------------------------------------------------------------------


def test_counts_are_those_of_the_function(run: Run) -> None:
    ended = run(*WINE)
    count = count_distinct_trees(
        datasets.load("wine"),
        estimator=GreedyTreeClassifier(min_samples_split=16),
        validation_set=0.3,
        random_state=0,
    )
    shown, expected = (
        [line for line in text.splitlines() if " built, " not in line] for text in (ended.out, str(count))
    )
    assert (ended.code, ended.err) == (0, "")
    assert shown[-len(expected) :] == expected
    assert "125 training rows, 53 validation rows." in shown


def test_without_search_rows_all_rows_grow_trees(run: Run) -> None:
    ended = run(*WINE, "--validation-set", 0)
    assert "All rows are training rows." in ended.out
    assert "\n1,886 distinct trees on subsets of 13 features\n" in ended.out


@pytest.mark.parametrize("options", [[], ["--order", "index"], ["--n-jobs", 2, "--memory-limit", "1MB"]])
def test_best_trees_are_the_best_of_all(run: Run, options: list[object]) -> None:
    facts = json.loads(run(*WINE, "--top", 7, "--json", *options).out)
    trees = enumerate_distinct_trees(
        datasets.load("wine"),
        estimator=GreedyTreeClassifier(min_samples_split=16),
        validation_set=0.3,
        random_state=0,
    )
    ranked = sorted(
        trees, key=lambda tree: (tree.n_validation_errors, len(tree.used_features), tree.used_features)
    )
    names = datasets.load("wine").feature_names
    assert [tree["used_features"] for tree in facts["best"]] == [
        [names[i] for i in tree.used_features] for tree in ranked[:7]
    ]
    for shown, tree in zip(facts["best"], ranked, strict=False):
        assert (shown["n_validation_errors"], shown["n_subsets"]) == (
            tree.n_validation_errors,
            tree.n_subsets,
        )
        expected = json.loads(tree.tree.to_json())
        for one in (shown["tree"], expected):
            del one["provenance"]  # parameters as the command has them
        assert shown["tree"] == expected
    assert facts["certificate"] == facts["n_subsets"] == 2**13
    assert sum(facts["by_n_features"]) == facts["n_distinct"] == len(ranked)


def test_heap_holds_no_more_than_it_should() -> None:
    for n_kept in (0, 1, 5, 10_000):
        best = BestTrees(n_kept)
        trees = list(enumerate_distinct_trees(datasets.load("iris"), validation_set=0.3, random_state=0))
        for n_offered, tree in enumerate(trees, start=1):
            best.offer(tree)
            assert len(best.best_first()) == min(n_kept, n_offered)
        assert best.least_errors == (min(tree.n_validation_errors or 0 for tree in trees) if n_kept else None)


def test_best_trees_are_drawn_as_deep_as_asked_for(run: Run) -> None:
    ended = run(*WINE, "--top", 2, "--show-depth", 1)
    assert "\n1. 1 error (1.9%), 4 features tested, given by 256 subsets\n" in ended.out
    assert "flavanoids > 1.57: ... (" in ended.out
    assert max(map(len, ended.out.splitlines())) <= 80
    assert "flavanoids" not in run(*WINE, "--top", 1, "--show-depth", 0).out.split("depth 4")[1]


def test_out_holds_what_json_prints(run: Run) -> None:
    printed = json.loads(run(*WINE, "--top", 1, "--json", "--out", "found.json").out)
    written = json.loads(Path("found.json").read_text(encoding="utf-8"))
    assert printed == written
    jsonschema.validate(printed["best"][0]["tree"], SCHEMA)


def test_limits_are_told(run: Run) -> None:
    ended = run("enumerate", "digits", "--time-limit", 0.2)
    assert ended.code == 0
    assert "The time limit was reached" in ended.out
    ended = run("enumerate", "digits", "--node-limit", 50, "--top", 1, "--show-depth", 0)
    assert "\n50 trees built" in ended.out
    assert "The best tree found so far" in ended.out


# All trees -----------------------------------------------------------------------------


@pytest.mark.parametrize("share", [0, 0.3])
def test_file_has_each_tree_of_brute_force_once_with_exactly_its_subsets(run: Run, share: float) -> None:
    ended = run(*WEATHER, "--validation-set", share, "--all", "t.jsonl", "--with-trees")
    groups, found = brute_force(share), {}
    for facts in lines_of("t.jsonl"):
        used, optional = facts["used_features"], facts["optional_features"]
        subsets = [{*used, *some} for k in range(len(optional) + 1) for some in combinations(optional, k)]
        assert len(subsets) == facts["n_subsets"]
        assert (facts["n_validation_errors"] is None) is (share == 0)
        tree = Tree.from_json(json.dumps(facts["tree"]))
        assert tree not in found
        found[tree] = sorted(map(sorted, subsets))
    assert found == {tree: sorted(map(sorted, subsets)) for tree, subsets in groups.items()}
    assert f"Complete: {len(groups)} trees are in t.jsonl.\n" in ended.out


def test_file_begins_with_what_the_trees_depend_on(run: Run) -> None:
    run(*WEATHER, "--all", "t.jsonl", "--criterion", "gini")
    header = json.loads(Path("t.jsonl").read_text(encoding="utf-8").splitlines()[0])
    assert header["format"] == "treewright-distinct-trees"
    assert header["settings"]["criterion"] == "gini"
    assert header["data"][0]["n_samples"] == 14
    errors = Counter(facts["n_validation_errors"] for facts in lines_of("t.jsonl"))
    trees = enumerate_distinct_trees(
        datasets.read_csv("weather.csv", target="play"),
        estimator=GreedyTreeClassifier(criterion="gini"),
        validation_set=0.3,
        random_state=0,
    )
    assert errors == Counter(tree.n_validation_errors for tree in trees)


# Refusals ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--resume"], "--resume goes with --checkpoint FILE"),
        (["--checkpoint", "state.json"], "--checkpoint goes with --all FILE"),
        (["--overwrite"], "--overwrite goes with --all FILE"),
        (["--with-trees"], "--with-trees goes with --all FILE"),
        (["--top", 1, "--validation-set", 0], "give a --validation-set above 0"),
        (["--memory-limit", "much"], "Invalid value for '--memory-limit': 'much' must be"),
        (["--time-limit", "nan"], "Invalid value for '--time-limit': nan must be"),
        (["--all", "-"], "'-' is no file"),
    ],
)
def test_options_that_make_no_sense_are_refused(run: Run, options: list[object], message: str) -> None:
    assert_refused(run(*WEATHER, *options), 2, message)
