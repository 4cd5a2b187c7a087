"""How an exploration goes on: what is not done twice, and who comes when time is short.

Beside the public names these are looked at: `exploration.shown` for trees that are one, and `exploration.run`
for the order of the families.
"""

from __future__ import annotations

import subprocess
import sys

import pytest

from treewright import GreedyTreeClassifier, datasets
from treewright.exploration.shown import shown_trees
from treewright.pruning import ErrorBasedPruning


def test_equal_trees_are_one_object_as_they_are_shown() -> None:
    data = datasets.load("tic-tac-toe")
    rules = [None, ErrorBasedPruning(grafting=False), None, ErrorBasedPruning(grafting=False)]
    trees = [GreedyTreeClassifier(pruning=rule).fit(data).tree_ for rule in rules]
    shown = shown_trees(trees)
    assert [one == tree.with_merged_leaves() for one, tree in zip(shown, trees, strict=True)] == [True] * 4
    assert shown[0] is shown[2] is not shown[1] is shown[3]
    assert shown_trees([]) == []


def test_exploring_imports_no_study_of_the_papers() -> None:
    script = "import sys, treewright; treewright.explore; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    found = set(done.stdout.split())
    assert "treewright.studies.evaluation.run" in found
    assert {
        f"treewright.studies.{name}" for name in ("planes", "distinct_trees", "reproduction")
    } & found == set()


def test_a_study_that_there_is_not_is_an_attribute_error() -> None:
    from treewright import studies

    assert {"compare_greedy", "row_splits"} <= set(dir(studies))
    with pytest.raises(AttributeError, match="no attribute 'compare_forests'"):
        studies.compare_forests  # noqa: B018
