"""How an exploration goes on: what is not done twice, and who comes when time is short.

Beside the public names these are looked at: `exploration.shown` and `exploration.judging` for what is asked,
`exploration.families` for the register, `exploration.ceiling` for what boosting is given, and
`_base.clock` for how a search ends.
"""

from __future__ import annotations

import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import ClassifierMixin, clone

from treewright import (
    Dataset,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    OptimalTreeClassifier,
    datasets,
    explore,
)
from treewright._base.clock import Clock, HaltError
from treewright.exploration import Asked
from treewright.exploration.ceiling import Learning
from treewright.exploration.families import FAMILIES
from treewright.exploration.judging import Rows
from treewright.exploration.shown import answering_trees, shown_trees
from treewright.pruning import ErrorBasedPruning


def test_equal_trees_are_one_object_as_they_are_shown() -> None:
    data = datasets.load("tic-tac-toe")
    rules = [None, ErrorBasedPruning(grafting=False), None, ErrorBasedPruning(grafting=False)]
    trees = [GreedyTreeClassifier(pruning=rule).fit(data).tree_ for rule in rules]
    shown = shown_trees(trees)
    assert [one == tree.with_merged_leaves() for one, tree in zip(shown, trees, strict=True)] == [True] * 4
    assert shown[0] is shown[2] is not shown[1] is shown[3]
    assert shown_trees([]) == []


GROWERS = (
    GreedyTreeClassifier(),
    GreedyTreeClassifier(pruning=ErrorBasedPruning(grafting=False)),
    GreedyTreeClassifier(nominal_splits="groups"),
    GreedyTreeClassifier.c45(min_samples_branch=1),
    FixedDepthTreeClassifier(max_depth=2),
    OptimalTreeClassifier(max_depth=2),
)


@given(st.integers(0, 10_000), st.sampled_from(GROWERS), st.floats(0, 0.2))
@settings(max_examples=40, deadline=None)
def test_trees_that_only_answer_give_the_classes_of_those_that_are_shown(
    seed: int, grower: ClassifierMixin, gaps: float
) -> None:
    rng = np.random.default_rng(seed)
    table = {f"f{i}": rng.integers(0, 4, 60).astype(object) for i in range(3)}
    table["x"] = rng.integers(0, 9, 60).astype(float)
    for column in table.values():
        column[rng.random(60) < gaps] = None if column.dtype == object else np.nan
    words = {name: [f"v{x}" if x is not None else None for x in table[name]] for name in ("f0", "f1", "f2")}
    data = Dataset.from_columns({**table, **words}, rng.integers(0, 3, 60).astype(str))
    model = clone(grower).fit(data[:40])
    found = model.threshold_tree() if isinstance(model, FixedDepthTreeClassifier) else model.tree_
    rows = Rows(data[40:], data.classes)
    (asked,), (shown,) = answering_trees([found], rows.lacking), shown_trees([found])
    assert rows.codes(asked).tolist() == rows.codes(shown).tolist()
    empty = [
        i for i in range(4) if (column := data[40:].column(i)).dtype.kind == "f" and np.isnan(column).any()
    ]
    coded = [i for i in range(4) if (column := data[40:].column(i)).dtype.kind == "i" and (column < 0).any()]
    assert sorted(rows.lacking) == sorted(empty + coded)
    if not rows.lacking:
        assert asked is found


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


WIDE = Asked(1500, 400, 20, None, None, 0)
"""Enough columns for searches to take long."""


def test_quick_families_come_before_those_that_search_wide_tables() -> None:
    quick = ("cost_complexity", "learned_pruning", "rule_lists", "c45_pruned", "best_first")
    slow = ("backward_elimination", "fixed_depth", "planes", "optimal")
    assert max(FAMILIES[name].seconds(WIDE) for name in quick) < 1
    assert min(quick, key=lambda name: FAMILIES[name].seconds(WIDE)) == "cost_complexity"
    assert min(FAMILIES[name].seconds(WIDE) for name in slow) > 2


class Slow(type(FAMILIES["majority"])):
    """A family that notes how long each fit may take, and at some fit ends early."""

    name, title, is_essential = "slow", "slow", False

    def __init__(self, last: float = np.inf, status: str = "time_limit") -> None:
        self.left: list[float] = []
        self.last, self.status = last, status

    def trees(self, training, asked, clock):
        self.left.append(clock.left())
        if len(self.left) > self.last:
            raise HaltError(self.status)
        return super().trees(training, asked, clock)


def dropped(monkeypatch: pytest.MonkeyPatch, family: Slow) -> str:
    """Explore with a family, with plenty of time, and return why it was left out."""
    monkeypatch.setitem(FAMILIES, "slow", family)
    X = np.arange(40.0)[:, None]
    found = explore(X, np.arange(40) % 2, families=["slow"], cv=4, inner_cv=3, time_limit=10_000)
    return next((one.reason for one in found.dropped_), "")


def test_the_first_fold_of_a_family_has_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    family = Slow()
    assert dropped(monkeypatch, family) == ""
    assert len(family.left) == 5 * 4
    share = 10_000 * 1.25 / 5
    assert all(left <= share for left in family.left[:4])
    assert all(left > 2 * share for left in family.left[4:])


def test_a_family_that_cannot_end_in_time_is_named_with_its_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    told = dropped(monkeypatch, Slow(0))
    assert re.fullmatch(r"it needs more than 1\d,000 s, and (10,000|9,\d00) s of the limit were left", told)
    assert dropped(monkeypatch, Slow(8)) == "the time limit ended it after 2 of 5 folds"
    assert dropped(monkeypatch, Slow(0, "solver_error")) == "its search ended early (solver error)"


def test_a_clock_goes_on_unless_it_was_stopped() -> None:
    clock = Clock(0.0)
    with pytest.raises(HaltError, match="time_limit"):
        clock.check()
    clock.go_on(1e6)
    assert 1e5 < clock.left() <= 1e6
    clock.go_on(None)
    assert clock.limit() is None
    clock.stop()
    clock.go_on(None)
    with pytest.raises(HaltError, match="stopped"):
        clock.check()


def test_boosting_is_given_no_weights_that_say_nothing() -> None:
    plain, asked = datasets.load("iris"), Asked(150, 4, None, None, None, 0)
    assert Learning.of(plain, asked, one_hot=False).without_equal_weights().weights is None
    halves = Dataset(plain, sample_weight=np.where(np.arange(150) % 2, 2.0, 1.0))
    weights = Learning.of(halves, asked, one_hot=False).without_equal_weights().weights
    assert weights is not None
    assert sorted(set(weights.tolist())) == [1.0, 2.0]
