"""`OptimalTreeClassifier` with a checkpoint: stopped anywhere and resumed, it ends in the same tree.

Inner names, as in unit tests: `trees.optimal.saving`: time between two entries is not public.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from commands import Run
from treewright import Dataset, FormatError, OptimalTreeClassifier, ParameterError, datasets
from treewright.results import Progress
from treewright.trees.optimal import saving

IRIS = datasets.load("iris")


@pytest.fixture(scope="module")
def data() -> Dataset:
    """Return a table whose search at depth 3 takes some rounds."""
    wdbc = datasets.load("wdbc")
    return wdbc[np.arange(0, 569, 3)]


@pytest.mark.parametrize("params", [{}, {"min_samples_leaf": 4}, {"max_leaf_nodes": 5, "leaf_penalty": 0.5}])
def test_a_resumed_search_ends_in_the_same_tree(params, data: Dataset, tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    straight = OptimalTreeClassifier(**params).fit(data)
    gap = np.inf
    for limit in (1, 30, 90, 300, 301):
        part = OptimalTreeClassifier(**params, checkpoint=place, resume=True, node_limit=limit).fit(data)
        search = part.search_
        assert search.bound <= straight.search_.cost <= search.cost
        assert search.gap <= gap
        gap = search.gap
    whole = OptimalTreeClassifier(**params, checkpoint=place, resume=True, n_jobs=2).fit(data)
    assert (whole.tree_, whole.search_.cost) == (straight.tree_, straight.search_.cost)
    assert whole.search_.n_searched == straight.search_.n_searched
    again = OptimalTreeClassifier(**params, checkpoint=place, resume=True).fit(data)
    assert again.tree_ == straight.tree_
    assert [path.name for path in tmp_path.iterdir()] == ["run.json"]


def test_ctrl_c_writes_where_the_search_stands(
    data: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "run.json"

    def press(progress: Progress) -> None:
        raise KeyboardInterrupt

    model = OptimalTreeClassifier(max_depth=4, checkpoint=place, callback=press)
    with pytest.raises(KeyboardInterrupt):
        model.fit(data)
    assert model.search_.status in ("stopped", "optimal")
    assert json.loads(place.read_text())["work"] == "OptimalTreeClassifier"
    monkeypatch.setattr(saving, "SECONDS_BETWEEN", 0.0)
    held = OptimalTreeClassifier(checkpoint=tmp_path / "held.json").fit(data)
    assert held.tree_ == OptimalTreeClassifier().fit(data).tree_


def test_another_search_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "run.json"
    OptimalTreeClassifier(checkpoint=place).fit(IRIS)
    with pytest.raises(ParameterError, match="checkpoint"):
        OptimalTreeClassifier(checkpoint=place).fit(IRIS)
    for other, word in [
        ({"max_depth": 2}, "max_depth"),
        ({"leaf_penalty": 0.5}, "leaf_penalty"),
        ({"cost_matrix": {("setosa", "virginica"): 2}}, "cost_matrix"),
    ]:
        with pytest.raises(FormatError, match=word):
            OptimalTreeClassifier(**other, checkpoint=place, resume=True).fit(IRIS)
    with pytest.raises(FormatError, match="data set"):
        OptimalTreeClassifier(checkpoint=place, resume=True).fit(IRIS[:149])
    state = json.loads(place.read_text())
    state["state"]["entry"] = state["state"]["entry"].replace('"best":', '"best":-', 1)
    place.write_text(json.dumps(state))
    with pytest.raises(FormatError, match="cannot be resumed"):
        OptimalTreeClassifier(checkpoint=place, resume=True).fit(IRIS)


@pytest.mark.parametrize("params", [{"leaf_penalty": "cv", "max_depth": 2}, {"max_depth": "cv"}])
def test_folds_that_are_done_are_not_done_again(params, tmp_path: Path) -> None:
    place, wine = tmp_path / "run.json", datasets.load("wine")
    straight = OptimalTreeClassifier(**params, checkpoint=place).fit(wine)
    state = json.loads(place.read_text())
    known = state["state"]["known"]
    assert sum(name.startswith("fold") for name in known) % 5 == 0
    state["state"] |= {"known": {**known, "fold 1 of 5, choice 0": 1e9}, "entry": None}
    place.write_text(json.dumps(state))
    resumed = OptimalTreeClassifier(**params, checkpoint=place, resume=True).fit(wine)
    first = (resumed.depth_, resumed.leaf_penalty_)
    assert first == (straight.depth_, straight.leaf_penalty_)
    assert json.loads(place.read_text())["state"]["known"]["fold 1 of 5, choice 0"] == 1e9
    assert resumed.tree_ == straight.tree_


def test_the_command_goes_on(run: Run) -> None:
    command = ("optimal", "wine", "--checkpoint", "run.json")
    part = run(*command, "--node-limit", 3)
    assert "To continue, repeat the command with --resume." in part.err
    whole = run(*command, "--resume")
    assert "proven the least" in " ".join(whole.out.split())
    assert run(*command).code == 2
