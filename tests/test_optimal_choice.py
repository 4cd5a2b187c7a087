"""Optimal trees that choose their depth or price by cross-validation: what they choose by, and early ends.

Inner names, as in unit tests: `data.training`: what is interrupted between two searches.
"""

from __future__ import annotations

import time

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from treewright import Dataset, OptimalTreeClassifier, datasets
from treewright.data.training import TrainingSet
from treewright.optimal import optimal_path
from treewright.results import Progress

CHOOSING = [{"max_depth": "cv"}, {"max_depth": 2, "leaf_penalty": "cv"}]


def held_out(data: Dataset, params: dict[str, object], folds: int = 5) -> float:
    """Count errors on the first folds, by fits of the others."""
    splits = StratifiedKFold(5, shuffle=True, random_state=0).split(np.zeros(data.n_samples), data.target)
    wrong = 0
    for learning, judging in list(splits)[:folds]:
        share = {"leaf_penalty": params.get("leaf_penalty", 0) * len(learning) / data.n_samples}  # type: ignore[operator]
        model = OptimalTreeClassifier(**(params | share)).fit(data[learning])  # type: ignore[arg-type]
        assert data.classes is not None
        assert data.target is not None
        wrong += int((model.predict(data[judging]) != data.classes[data.target[judging]]).sum())
    return wrong


@pytest.mark.parametrize("params", CHOOSING, ids=["depth", "price"])
def test_the_choice_is_the_best_of_what_it_tells(params: dict[str, object]) -> None:
    data = datasets.load("iris")
    model = OptimalTreeClassifier(**params).fit(data)  # type: ignore[arg-type]
    rows = model.cv_results_
    assert rows is not None
    assert set(rows["n_folds"].tolist()) == {5}
    for row in rows.records():
        asked = {"max_depth": row["depth"], "leaf_penalty": row["leaf_penalty"]}
        assert row["loss"] == held_out(data, asked)
    best = min(rows.records(), key=lambda row: (row["loss"], row["depth"], -row["leaf_penalty"]))
    assert (model.depth_, model.leaf_penalty_) == (best["depth"], best["leaf_penalty"])
    assert model.search_.status == "optimal"
    assert OptimalTreeClassifier().fit(data).cv_results_ is None


class Press:
    """Presses Ctrl-C, or asks to stop, once so many searches are done."""

    def __init__(self, after: int, raises: bool) -> None:
        self.after, self.raises, self.is_done = after, raises, False

    def __call__(self, progress: Progress) -> bool:
        assert not self.is_done, "no search asks once the work was stopped"
        if progress.done < self.after:
            return False
        self.is_done = True
        if self.raises:
            raise KeyboardInterrupt
        return True


@pytest.mark.parametrize("raises", [False, True], ids=["callback", "Ctrl-C"])
@pytest.mark.parametrize("params", CHOOSING, ids=["depth", "price"])
def test_what_is_stopped_chooses_by_whole_folds(params: dict[str, object], raises: bool) -> None:
    data = datasets.load("digits")[:: 8 if params["max_depth"] == "cv" else 3]
    model = OptimalTreeClassifier(**params, callback=Press(6, raises))  # type: ignore[arg-type]
    began = time.monotonic()
    if raises:
        with pytest.raises(KeyboardInterrupt):
            model.fit(data)
    else:
        model.fit(data)
    assert time.monotonic() - began < 60
    assert model.search_.status == "stopped"
    assert model.search_.bound is not None
    assert model.search_.bound <= model.search_.cost
    assert model.predict(data).shape == (data.n_samples,)
    rows = model.cv_results_
    assert rows is not None
    if len(rows):
        best = min(rows.records(), key=lambda row: (row["loss"], row["depth"], -row["leaf_penalty"]))
        assert (model.depth_, model.leaf_penalty_) == (best["depth"], best["leaf_penalty"])
    else:
        assert (model.depth_, model.leaf_penalty_) == (3 if params["max_depth"] == "cv" else 2, 0)


def test_ctrl_c_between_two_searches_keeps_a_tree(monkeypatch: pytest.MonkeyPatch) -> None:
    data, part, calls = datasets.load("iris"), TrainingSet.part, []

    def pressed(self: TrainingSet, *given: object, **more: object) -> TrainingSet:
        calls.append(given)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return part(self, *given, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(TrainingSet, "part", pressed)
    model = OptimalTreeClassifier(max_depth="cv")
    with pytest.raises(KeyboardInterrupt):
        model.fit(data)
    assert model.cv_results_ is not None
    assert set(model.cv_results_["n_folds"].tolist()) == {2}
    losses = [held_out(data, {"max_depth": depth, "leaf_penalty": 0}, folds=2) for depth in range(4)]
    assert model.cv_results_["loss"].tolist() == losses
    assert model.search_.status == "stopped"
    assert model.score(data, data.classes[data.target]) > 0.3  # type: ignore[index]


@pytest.mark.parametrize("params", [{"max_depth": "cv"}, {"max_depth": 3, "leaf_penalty": "cv"}])
def test_the_time_is_that_of_all(params: dict[str, object]) -> None:
    data = datasets.load("digits")[::3]
    began = time.monotonic()
    model = OptimalTreeClassifier(**params, time_limit=0.5).fit(data)  # type: ignore[arg-type]
    assert time.monotonic() - began < 20
    assert model.search_.status == "time_limit"
    assert model.search_.bound is not None
    assert model.search_.bound <= model.search_.cost


def test_a_path_that_is_cut_says_so() -> None:
    data = datasets.load("digits")[::3]
    began = time.monotonic()
    path = optimal_path(data, max_depth=3, model=OptimalTreeClassifier(time_limit=0.5))
    assert time.monotonic() - began < 20
    assert path.status == "time_limit"
    assert len(path.trees) == len(path.table)
    assert optimal_path(data, max_depth=1).status == "optimal"
    stopped = optimal_path(data, max_depth=3, model=OptimalTreeClassifier(callback=Press(3, raises=False)))
    assert stopped.status == "stopped"
    with pytest.raises(KeyboardInterrupt):
        optimal_path(data, max_depth=3, model=OptimalTreeClassifier(callback=Press(3, raises=True)))
