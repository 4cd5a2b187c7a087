"""Measure what is told of cells that differ from the papers: ``python -m benches.reasons RECORD.csv``.

`treewright reproduce` tells with a cell that differs what was tried to explain it. Here it is tried again, on
the sets of the folder that ``TREEWRIGHT_DATA`` names. It takes some minutes.
"""

from __future__ import annotations

import csv
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.model_selection import RepeatedStratifiedKFold

from treewright import BackwardEliminationSelector, Dataset, GreedyTreeClassifier, Tree, datasets
from treewright.pruning import ErrorBasedPruning, EstimatorPruning, NaiveErrorPruning, PruningRule, prune
from treewright.studies.common.published import published_set

N_FOLDS = 10
WILSON = "(e/n + {z}*{z}/(2*n) + {z}*sqrt(e/n/n - e*e/n/n/n + {z}*{z}/(4*n*n))) / (1 + {z}*{z}/n)"
"""The upper end of the interval of the naive rule."""


class Row(NamedTuple):
    """A number that a reason tells."""

    about: str
    setting: str
    quantity: str
    value: float
    deviation: float
    n_folds: int


def folds(data: Dataset, repeats: int) -> Iterator[tuple[int, Dataset, Dataset]]:
    """Yield the number of a fold, its rows to learn from and its rows to judge."""
    truth = labels(data)
    split = RepeatedStratifiedKFold(n_splits=N_FOLDS, n_repeats=repeats, random_state=0)
    for place, (learn, judge) in enumerate(split.split(np.zeros(len(truth)), truth)):
        yield place, data[learn], data[judge]


def labels(data: Dataset) -> np.ndarray:
    """Return the classes of the rows."""
    assert data.target is not None
    return np.asarray(data.classes)[data.target]


def errors(predicted: np.ndarray, judge: Dataset) -> float:
    """Return the share of wrong answers in percent."""
    return float(100 * np.mean(predicted != labels(judge)))


def rows(about: str, setting: str, found: Mapping[str, list[float]]) -> Iterator[Row]:
    """Yield the means of quantities."""
    for quantity, values in found.items():
        yield Row(about, setting, quantity, np.mean(values), np.std(values, ddof=1), len(values))


def elimination(name: str, repeats: int) -> Iterator[Row]:
    """Yield errors where removals with equal errors are accepted, and where they are not."""
    grower = GreedyTreeClassifier(min_samples_branch=2, mdl_correction=True)
    for parsimonious in (False, True):
        found = []
        for place, learn, judge in folds(datasets.load(name), repeats):
            selector = BackwardEliminationSelector(
                estimator=grower, parsimonious=parsimonious, random_state=place
            )
            found.append(errors(selector.fit(learn).refit_tree_.predict(judge), judge))
        yield from rows(f"elimination, {name}", f"parsimonious={parsimonious}", {"error": found})


def pruned(name: str, data: Dataset, setting: str, rules: Mapping[str, PruningRule | None]) -> Iterator[Row]:
    """Yield errors and nodes of ID3's trees by rule."""
    found: dict[str, list[float]] = {}
    for _, learn, judge in folds(data, 3):
        grown = GreedyTreeClassifier.id3().fit(learn).tree_
        for rule, how in rules.items():
            tree = grown if how is None else prune(grown, how)
            found.setdefault(f"error, {rule}", []).append(errors(tree.predict(judge), judge))
            found.setdefault(f"nodes, {rule}", []).append(tree.n_nodes)
    yield from rows(f"pruning, {name}", setting, found)


def as_values(name: str) -> Iterator[Row]:
    """Yield what comes of ``?`` as a value, and of the most frequent value in its place."""
    rules = {"NOP": None, "WEBP": ErrorBasedPruning(grafting=False)}
    yield from pruned(name, datasets.load(name), "? as a value", rules)
    yield from pruned(name, published_set("pruning", name), "the most frequent value", rules)


def quantiles(name: str) -> Iterator[Row]:
    """Yield the nodes of the naive rule by its quantile."""
    rules = {"NEBP": NaiveErrorPruning(), "z = 0.69": EstimatorPruning(WILSON.format(z=0.69))}
    yield from pruned(name, published_set("pruning", name), "naive rule", rules)


def decisions(name: str) -> Iterator[Row]:
    """Yield the number of decisions of C4.5's trees."""
    harder = {"pruning": ErrorBasedPruning(confidence=0.1)}
    plainer = {"pruning": ErrorBasedPruning(grafting=False)}
    settings: dict[str, dict[str, object]] = {
        "release 8": {},
        "no correction": {"mdl_correction": False},
        "confidence 0.1": harder,
        "no raising": plainer,
    }
    for setting, options in settings.items():
        grower = GreedyTreeClassifier.c45().set_params(**options)
        found = [inner(grower.fit(learn).tree_) for _, learn, _ in folds(published_set("planes", name), 5)]
        yield from rows(f"C4.5, {name}", setting, {"decisions": found})


def inner(tree: Tree) -> float:
    """Return the number of tests of a tree."""
    return float(tree.n_nodes - tree.n_leaves)


PARTS: tuple[Callable[[], Iterator[Row]], ...] = (
    *(lambda name=name: decisions(name) for name in ("heart", "cancer", "sonar", "house")),
    *(lambda name=name: quantiles(name) for name in ("nursery", "car")),
    *(lambda name=name: as_values(name) for name in ("audiology", "soybean")),
    lambda: elimination("soybean", 5),
    lambda: elimination("madelon", 3),
    lambda: elimination("adult", 1),
)


def main() -> None:
    """Write the record."""
    warnings.simplefilter("ignore")  # classes of fewer rows than folds
    with Path(sys.argv[1]).open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Row._fields)
        for part in PARTS:
            for row in part():
                writer.writerow([*row[:3], f"{row.value:.2f}", f"{row.deviation:.2f}", row.n_folds])
                file.flush()


if __name__ == "__main__":
    main()
