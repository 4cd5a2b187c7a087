"""Draw what searches found, for docs/plots.md: run ``python docs/make_plots.py`` after a change to a plot.

It writes docs/images/results.svg, and docs/images/search-space.svg for docs/distinct.md. Times differ from
run to run, so no test compares the pictures.
"""

from __future__ import annotations

from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_digits

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    Dataset,
    GreedyTreeClassifier,
    MultivariateTreeClassifier,
    datasets,
)
from treewright.distinct import count_distinct_trees, search_space
from treewright.fixed_depth import depth_path
from treewright.pruning import CostComplexityPruning
from treewright.reporting import picture, without_windows

IMAGES = Path(__file__).parent / "images"


def main() -> None:
    """Draw six results on one page."""
    without_windows("docs/make_plots.py")
    from matplotlib import pyplot

    wine = datasets.load("wine")
    X, y = load_breast_cancer(return_X_y=True)
    tree = GreedyTreeClassifier().fit(X, y).tree_
    digits = Dataset(*load_digits(return_X_y=True))
    search = CompleteSearchSelector(random_state=0, time_limit=8.0).fit(digits).search_
    figure, parts = pyplot.subplots(3, 2, figsize=(11, 12.5), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.12, w_pad=0.1)
    BackwardEliminationSelector(random_state=0).fit(wine).plot(parts[0, 0])
    CostComplexityPruning.path(tree).plot(parts[0, 1], alpha=2)
    depth_path(datasets.load("wine"), depths=range(1, 5)).plot(parts[1, 0])
    MultivariateTreeClassifier(max_depth=3).fit(wine).plot_path(parts[1, 1])
    count_distinct_trees(wine, estimator=GreedyTreeClassifier(min_samples_split=16)).plot(parts[2, 0])
    search.plot(parts[2, 1])
    (IMAGES / "results.svg").write_bytes(picture(figure, "svg"))
    draw_search_space()


def draw_search_space() -> None:
    """Draw the calls that find the distinct trees of iris."""
    estimator = GreedyTreeClassifier(min_samples_split=16)
    space = search_space(datasets.load("iris"), estimator=estimator)
    (IMAGES / "search-space.svg").write_bytes(picture(space.plot().get_figure(root=True), "svg"))


if __name__ == "__main__":
    main()
