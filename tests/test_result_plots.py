"""What results draw is what they hold.

Inner names, as in unit tests: `reporting.curves` (curves of plain numbers).
"""

from __future__ import annotations

from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from sklearn.datasets import load_iris

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    OptimalTreeClassifier,
    RobustLinearClassifier,
    datasets,
)
from treewright.distinct import count_distinct_trees, enumerate_distinct_trees
from treewright.fixed_depth import depth_path
from treewright.pruning import CostComplexityPruning
from treewright.reporting.curves import gap
from treewright.results import MOST_POINTS, Progress, SearchResult, Watch

mpl.use("agg")
pytestmark = pytest.mark.filterwarnings("ignore::treewright.DataWarning")


@pytest.fixture(autouse=True)
def closed() -> Any:
    from matplotlib import pyplot

    yield
    pyplot.close("all")


def points(ax: Any, label: str) -> list[tuple[float, float]]:
    """Return the points of the line of a label."""
    lines = [*ax.lines, *(container.lines[0] for container in ax.containers if hasattr(container, "lines"))]
    names = [*(line.get_label() for line in ax.lines), *(c.get_label() for c in ax.containers)]
    return next(
        list(zip(*map(np.ndarray.tolist, map(np.asarray, line.get_data())), strict=True))
        for line, name in zip(lines, names, strict=False)
        if name.startswith(label)
    )


def both(*columns: Any) -> list[tuple[float, float]]:
    return list(zip(*(np.asarray(column).tolist() for column in columns), strict=True))


@pytest.mark.parametrize(
    "selector",
    [
        BackwardEliminationSelector(random_state=0),
        BackwardEliminationSelector(random_state=0, min_features=2),
        ForwardSelectionSelector(random_state=0),
    ],
)
def test_an_elimination_shows_its_steps_and_the_chosen_one(selector: Any) -> None:
    wine = datasets.load("wine")
    history = selector.fit(wine).history_
    ax = selector.plot()
    assert both(history["step"], history["errors"]) in [both(*line.get_data()) for line in ax.lines]
    ((step, errors),) = points(ax, "chosen")
    assert errors == selector.n_validation_errors_
    assert history["n_features"][int(step)] == selector.support_.sum()
    assert selector.plot(ax) is ax


def test_a_complete_search_shows_its_best_trees() -> None:
    selector = CompleteSearchSelector(random_state=0, top_k=5).fit(datasets.load("iris"))
    ax = selector.plot()
    expected = [(tree.n_leaves, tree.n_validation_errors) for tree in selector.best_trees_]
    assert points(ax, "the best trees") == expected
    assert points(ax, "chosen") == expected[:1]


def test_a_pruning_path_shows_size_and_error() -> None:
    tree = GreedyTreeClassifier().fit(datasets.load("iris")).tree_
    path = CostComplexityPruning.path(tree)
    ax = path.plot(alpha=1.5)
    assert points(ax, "on the samples") == both(path["n_leaves"], path["errors"])
    assert points(ax, "chosen") == [(4, 4.0)]
    assert "chosen" not in [line.get_label() for line in path.plot().lines]
    assert path.plot(alpha=0).lines
    assert path[1:].plot().lines


def test_a_tree_of_planes_shows_its_path() -> None:
    model = MultivariateTreeClassifier(max_depth=2).fit(datasets.load("iris"))
    path = model.pruning_path_
    ax = model.plot_path()
    assert points(ax, "on the samples") == both(path["n_splits"], path["error"])
    assert points(ax, "cross-validated") == both(path["n_splits"], path["test_error"])
    assert points(ax, "chosen")[0][0] == model.n_splits_
    with pytest.raises(ValueError, match="leaves no path to draw"):
        MultivariateTreeClassifier(max_depth=1, alpha=None).fit(datasets.load("iris")).plot_path()


def test_a_path_of_depths_rings_the_best() -> None:
    path = depth_path(datasets.load("iris"), depths=[1, 2, 3])
    ax = path.plot()
    assert points(ax, "cross-validated") == both(path.table["depth"], 100 * path.table["cv_accuracy"])
    assert points(ax, "chosen")[0][0] == path.best_depth


def test_distinct_trees_show_their_sizes() -> None:
    iris = datasets.load("iris")
    count = count_distinct_trees(iris)
    bars = [bar.get_height() for bar in count.plot().patches]
    assert bars == count.by_n_features
    assert sum(bars) == count.n_distinct
    trees = enumerate_distinct_trees(iris)
    taken = [len(next(trees).used_features) for _ in range(3)]
    assert trees.by_n_features == np.bincount(taken, minlength=5).tolist()
    assert [bar.get_height() for bar in trees.plot().patches] == trees.by_n_features
    assert len(list(trees)) + 3 == count.n_distinct
    assert trees.by_n_features == count.by_n_features


# The gap over time.


def iris_of_two() -> Dataset:
    X, y = load_iris(return_X_y=True)
    return Dataset(X[50:], y[50:])


def test_searches_keep_how_they_went() -> None:
    iris = datasets.load("iris")
    models = [
        CompleteSearchSelector(random_state=0).fit(iris),
        MinimalTreeClassifier(max_bins=4, cost="depth").fit(iris),
        CompleteSearchSelector(random_state=0, time_limit=1e-9).fit(iris),
        RobustLinearClassifier().fit(iris_of_two()),
        OptimalTreeClassifier(max_depth=3).fit(datasets.load("wine")),
    ]
    for model in models:
        found = model.search_
        last = found.trace[-1]
        assert last["best"] == found.cost
        assert last["seconds"] == found.elapsed
        assert np.isnan(last["bound"]) if found.bound is None else last["bound"] == found.bound
        assert (np.diff(found.trace["seconds"]) >= 0).all()
        ax = found.plot()
        assert points(ax, "best found")[-1] == (found.elapsed, found.cost)


def test_a_watch_keeps_few_points_and_asks_the_callback() -> None:
    seen: list[Progress] = []
    watch = Watch(lambda progress: seen.append(progress) or len(seen) == 5000)
    for i in range(5000):
        stop = watch(Progress(i, None, 5000.0 - i // 2, float(i)))
        assert bool(stop) == (i == 4999)
    assert len(seen) == 5000
    assert len(watch.points) < MOST_POINTS
    assert watch.points[0] == (0.0, 0, 5000.0, pytest.approx(np.nan, nan_ok=True))
    result = watch.onto(SearchResult(3.0, "complete", 5000, 6000.0, bound=1.0), lambda cost: cost / 10)
    assert len(result.trace) <= MOST_POINTS
    assert result.trace["best"][0] == 500.0
    assert result.trace[-1].tolist() == (6000.0, 5000, 3.0, 1.0)
    assert result == SearchResult(3.0, "complete", 5000, 6000.0, bound=1.0)


def test_a_gap_is_what_is_between() -> None:
    ax = gap(None, "test", [0, 1, 3], [np.nan, 9, 7], [2, 2, 6], name="cost")
    assert points(ax, "best found")[1:] == [(1, 9), (3, 7)]
    assert points(ax, "proven bound") == [(0, 2), (1, 2), (3, 6)]
    assert SearchResult(3.0, "complete", 7, 0.5).plot().lines
