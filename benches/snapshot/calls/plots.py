"""Drawings: which axes there are, their words, and how long their series are."""

from __future__ import annotations

import re
from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from benches.snapshot.calls import studies
from treewright import (
    BackwardEliminationSelector,
    FixedDepthTreeClassifier,
    RobustLinearClassifier,
)
from treewright.fixed_depth import depth_path
from treewright.studies import compare_ranks

NAME = "plot"

SPAN = re.compile(r"\d (second|minute|hour|day|month|year)s?$|age of the universe")
SLOPE = re.compile(r"[\d.]+ x number")


def drawn(make: Any, *arguments: Any, **options: Any) -> list[facts.Facts]:
    """Draw, and say what was drawn on every pair of axes."""
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot

    found = make(*(one() if callable(one) else one for one in arguments), **options)
    try:
        figure = found if hasattr(found, "savefig") else found.figure
        figure.canvas.draw()
        return [axes(one) for one in figure.axes]
    finally:
        pyplot.close("all")


def axes(ax: Any) -> facts.Facts:
    """Return labels and lengths of what is on a pair of axes."""
    legend = ax.get_legend()
    return {
        "title": ax.get_title(),
        "x": [ax.get_xlabel(), ax.get_xscale()],
        "y": [ax.get_ylabel(), ax.get_yscale()],
        "lines": [[shown(line.get_label()), len(line.get_xdata())] for line in ax.lines if is_kept(line)],
        "collections": [len(one.get_offsets()) for one in ax.collections],
        "patches": len(ax.patches),
        "images": [list(image.get_array().shape) for image in ax.images],
        "legend": [] if legend is None else [shown(text.get_text()) for text in legend.get_texts()],
        "texts": [text.get_text() for text in ax.texts if not SPAN.search(text.get_text())],
        "x ticks": [] if ax.get_xscale() == "log" else words(ax.get_xticklabels()),
        "y ticks": words(ax.get_yticklabels()),
    }


def is_kept(line: Any) -> bool:
    """Tell whether a line is there whatever the times are: those of a minute or an hour are not."""
    return not SPAN.search(str(line.get_label()))


def shown(label: str) -> str:
    """Return a label; matplotlib numbers what has none, and one of them has a slope of times."""
    return "" if label.startswith("_child") else SLOPE.sub("<slope> x number", label)


def words(labels: Any) -> list[str]:
    """Return those labels of ticks that are words."""
    texts = [label.get_text() for label in labels]
    return [text for text in texts if any(letter.isalpha() for letter in text) and "mathdefault" not in text]


def history() -> Any:
    """Draw the steps of a selector."""
    return BackwardEliminationSelector(random_state=0, tolerance=2).fit(data.named("heart-c")).plot()


def own_history() -> Any:
    """Draw the steps by the selector itself."""
    return BackwardEliminationSelector(random_state=0).fit(data.named("wine")).plot()


def opt_list() -> Any:
    """Draw an opt-feature list."""
    return FixedDepthTreeClassifier().fit(data.named("monks-3")).opt_feature_list_.plot()


def path() -> Any:
    """Draw accuracies by depth."""
    return depth_path(data.named("monks-3")).plot()


def plane(draw: Any, *, with_rows: bool = False, **params: Any) -> Any:
    """Draw a plane, with its rows or without."""
    X, y = data.numbers()
    model = RobustLinearClassifier(perturbation=0.02, **params).fit(X, y)
    return draw(model, X, y) if with_rows else draw(model)


def ranks() -> Any:
    """Return a comparison of ranks."""
    return compare_ranks([[1.0, 2, 3], [1, 3, 2], [1, 2, 3], [2, 1, 3]], ["a", "b", "c"])


PATH = {"selection": "path", "n_features": 4, "cv": 3}
SELECTION = case(studies.selection, "iris", "wine")
DISTINCT = case(studies.distinct, "wine", min_samples_split=(16, 32))
GREEDY = case(studies.greedy)
FIXED = case(studies.fixed_depth, "monks-1", time_searches=True)
PLANES = case(studies.planes, "wdbc")
PRUNING = case(studies.pruning, generator="paper_table", n_sets=60)

CASES = {
    "history/heart-c": case(drawn, history),
    "history/wine": case(drawn, own_history),
    "opt-list": case(drawn, opt_list),
    "depth-path": case(drawn, path),
    "plane": case(drawn, lambda: plane(RobustLinearClassifier.plot, with_rows=True)),
    "plane/two-features": case(
        drawn,
        lambda: plane(RobustLinearClassifier.plot_samples, with_rows=True, selection="limited", n_features=2),
    ),
    "plane/path": case(drawn, lambda: plane(RobustLinearClassifier.plot_path, **PATH)),
    "plane/weights": case(drawn, lambda: plane(RobustLinearClassifier.plot_weights)),
    "study/errors": case(drawn, lambda study: study.plot(), SELECTION),
    "study/distribution": case(drawn, lambda study: study.plot_distribution(), DISTINCT),
    "study/overhead": case(drawn, lambda study: study.plot_overhead(), DISTINCT),
    "study/times": case(drawn, lambda study: study.plot_time(), DISTINCT),
    "study/error-lines": case(drawn, lambda study: study.plot_errors(), DISTINCT),
    "study/error-lines,judges": case(
        drawn, lambda study: study.plot_errors(on_validation_set=True), DISTINCT
    ),
    "study/distinct-page": case(drawn, lambda study: study.plot(), DISTINCT),
    "study/greedy": case(drawn, lambda study: study.plot(), GREEDY),
    "study/greedy-page": case(drawn, lambda study: study.plot().figure, GREEDY),
    "study/fixed-depth-page": case(drawn, lambda study: study.plot(), FIXED),
    "study/fixed-depth-errors": case(drawn, lambda study: study.plot_errors(), FIXED),
    "study/search-times": case(drawn, lambda study: study.plot_times(), FIXED),
    "study/speed-up": case(drawn, lambda study: study.plot_speed_up(), FIXED),
    "study/planes": case(drawn, lambda study: study.plot(), PLANES),
    "study/planes-page": case(drawn, lambda study: study.plot(), PLANES),
    "study/ranks": case(drawn, lambda study: study.plot(), ranks),
    "study/ranks-page": case(drawn, lambda study: study.plot().figure, ranks),
    "study/pruning": case(drawn, lambda: PRUNING().plot()),
    "study/pruning-page": case(drawn, lambda: PRUNING().plot().figure),
}
