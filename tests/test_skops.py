"""Every fitted estimator is saved and loaded by skops, which trusts types by name and runs no code."""

from __future__ import annotations

import importlib
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from exported import dataset_of, small_table
from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    OptimalTreeClassifier,
    RobustLinearClassifier,
    RuleListClassifier,
    Tree,
    datasets,
)
from treewright.evolution import LearnedPruning, ProgramPruning, PruningProblem, learn_pruner
from treewright.exports import SKOPS_TYPES
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
)
from treewright.results import ResultTable

pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")

RULES = (
    MinimumErrorPruning(),
    NaiveErrorPruning(),
    ObservedErrorPruning(),
    PessimisticPruning(),
    PublishedEvolvedPruning(),
    TunedErrorBasedPruning(),
    LearnedPruning("((n - c) + 0.5) / n"),
    ProgramPruning(PruningProblem.start().text),
)

ESTIMATORS: dict[str, Any] = {
    "greedy": GreedyTreeClassifier(),
    "c45": GreedyTreeClassifier.c45(),
    "pruned": GreedyTreeClassifier(pruning=CostComplexityPruning()),
    "reduced": GreedyTreeClassifier(pruning=ReducedErrorPruning()),
    "error-based": GreedyTreeClassifier(pruning=ErrorBasedPruning(confidence=0.1)),
    "costs": GreedyTreeClassifier(cost_matrix={("no", "so"): 3}),
    "fixed depth": FixedDepthTreeClassifier(max_depth=2),
    "minimal": MinimalTreeClassifier(max_bins=2, max_pairs=6),
    "plane": RobustLinearClassifier(missing="mean", time_limit=5),
    "plane, path": RobustLinearClassifier(missing="mean", selection="path", n_features=2),
    "planes": MultivariateTreeClassifier(missing="mean", max_depth=2, selection="limited", n_features=2),
    **{f"pruned: {type(rule).__name__}": GreedyTreeClassifier(pruning=rule) for rule in RULES},
    "optimal": OptimalTreeClassifier(max_depth=2),
    "rule list": RuleListClassifier(),
    "elimination": BackwardEliminationSelector(random_state=0),
    "forward": ForwardSelectionSelector(random_state=0),
    "complete": CompleteSearchSelector(random_state=0),
}


def data() -> Dataset:
    X, y = small_table(n_classes=2, gaps=0.05)
    return dataset_of(X[["size", "colour", "age"]], y)


@pytest.fixture(scope="module", params=ESTIMATORS)
def fitted(request: pytest.FixtureRequest) -> Any:
    return ESTIMATORS[request.param].fit(data())


def assert_same(one: Any, other: Any) -> None:
    """Compare what two fitted estimators hold, as far as people see it."""
    rows = data()
    assert type(one) is type(other)
    assert one.predict(rows).tolist() == other.predict(rows).tolist()
    assert str(one.get_params()) == str(other.get_params())
    for name, held in vars(one).items():
        again = getattr(other, name)
        assert type(again) is type(held), name
        if isinstance(held, Tree):
            assert again == held
        elif isinstance(held, ResultTable):
            assert again.dtype == held.dtype
            assert str(again.records()) == str(held.records())
        elif isinstance(held, np.ndarray):
            assert np.array_equal(again, held) or str(again) == str(held)


def test_skops_saves_and_loads_it(fitted: Any) -> None:
    io = pytest.importorskip("skops.io", reason="skops is not installed")
    saved = io.dumps(fitted)
    untrusted = set(io.get_untrusted_types(data=saved))
    assert untrusted <= set(SKOPS_TYPES), untrusted - set(SKOPS_TYPES)
    assert_same(fitted, io.loads(saved, trusted=list(SKOPS_TYPES)))


def test_a_learned_rule_keeps_its_record() -> None:
    io = pytest.importorskip("skops.io", reason="skops is not installed")
    sets = [datasets.load("iris"), datasets.load("wine")]
    rule = learn_pruner(sets, budget=50, n_train=8, n_test=4, random_state=0)
    model = GreedyTreeClassifier(pruning=rule).fit(sets[0])
    again = io.loads(io.dumps(model), trusted=list(SKOPS_TYPES))
    assert again.pruning.report() == rule.report()


def test_pickle_saves_and_loads_it(fitted: Any) -> None:
    assert_same(fitted, pickle.loads(pickle.dumps(fitted)))


def test_types_that_are_named_are_there() -> None:
    for name in SKOPS_TYPES:
        module, _, own = name.rpartition(".")
        assert isinstance(getattr(importlib.import_module(module), own), type)
        assert module.startswith("treewright.") or name == "builtins.frozenset"


def test_a_table_of_tuples_comes_back() -> None:
    from treewright.results import HoldsTables

    class Held(HoldsTables):
        table: Any = None

    held, again = Held(), Held()
    held.table = ResultTable.from_rows([(1, (1, 2)), (2, (3, 4))], [("step", "int64"), ("changed", "O")])
    held.empty = ResultTable.from_rows([], [("step", "int64"), ("changed", "O")])
    again.__setstate__(held.__getstate__())
    assert again.table.records() == held.table.records()
    assert again.empty.dtype == held.empty.dtype
    assert len(again.empty) == 0


def test_a_model_of_dates_is_loaded(tmp_path: Path) -> None:
    skops = pytest.importorskip("skops.io", reason="skops is not installed")
    days = [f"2024-01-{day:02}" for day in range(1, 31)]
    rows = "".join(f"{day},{'late' if day > '2024-01-15' else 'early'}\n" for day in days)
    (tmp_path / "days.csv").write_text(f"when,class\n{rows}")
    data = datasets.read(tmp_path / "days.csv", target="class", dates={"when": "days"})
    model = GreedyTreeClassifier().fit(data)
    loaded = skops.loads(skops.dumps(model), trusted=list(SKOPS_TYPES))
    assert loaded.predict(data).tolist() == model.predict(data).tolist()
