"""Hold ensembles of our trees against those of scikit-learn's, and boosted learners against the majority.

Run ``python -m benches.boosting`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming the folder
of data sets. Accuracies are means of stratified folds, the same for every tool. The exit code is 1 if an
ensemble of `GreedyTreeClassifier(nominal_splits="groups")` is more than 0.02 below one of scikit-learn's
trees of the same depth and criterion, or if boosting a learner ends on the majority. Trees of scikit-learn's
own default, Gini, stand beside, and the last line counts how many ensembles are within 0.02 of those too: the
criterion alone may be worth more than that.
"""

from __future__ import annotations

import argparse
import csv
import sys
import warnings
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from treewright import (
    BackwardEliminationSelector,
    CompleteSearchSelector,
    DataWarning,
    FixedDepthTreeClassifier,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    MultivariateTreeClassifier,
    RobustLinearClassifier,
    datasets,
)

MOST_BELOW = 0.02
SETS = ("breast-cancer", "wine", "folder:heart-c")
DEPTHS = (1, 2, 3)
N_ROUNDS = 10
"""Of boosting a learner that may be slow."""

ENSEMBLES = {"AdaBoost": AdaBoostClassifier, "Bagging": BaggingClassifier}
_STUMP = GreedyTreeClassifier(max_depth=1)
_PLANE = {"selection": "limited", "n_features": 1}
LEARNERS: dict[str, Any] = {
    "greedy": _STUMP,
    "greedy, gain ratio": GreedyTreeClassifier(criterion="gain_ratio", max_depth=1),
    "greedy, gini": GreedyTreeClassifier(criterion="gini", max_depth=1),
    "greedy, three leaves": GreedyTreeClassifier(max_leaf_nodes=3),
    "greedy, pruned": GreedyTreeClassifier(max_depth=2, pruning="error_based"),
    "greedy, balanced": GreedyTreeClassifier(max_depth=1, class_weight="balanced"),
    "C4.5": GreedyTreeClassifier.c45(max_depth=2),
    "fixed depth": FixedDepthTreeClassifier(max_depth=1),
    "minimal": MinimalTreeClassifier(max_bins=2),
    "plane": RobustLinearClassifier(**_PLANE),
    "tree of planes": MultivariateTreeClassifier(max_depth=1, **_PLANE),
    "backward elimination": BackwardEliminationSelector(estimator=_STUMP, random_state=0),
    "forward selection": ForwardSelectionSelector(estimator=_STUMP, random_state=0),
    "complete search": CompleteSearchSelector(estimator=_STUMP, random_state=0),
}


@dataclass(frozen=True)
class Line:
    """One comparison.

    Attributes
    ----------
    data, ensemble, learner : str
        What was learned, how, and from which trees.
    treewright : float
        Accuracy of the ensemble.
    other : float
        What it is held against: scikit-learn's accuracy, or the share of the majority.
    least : float
        What `treewright` must not be below.
    gini : float
        Accuracy with scikit-learn's trees as they are by default; NaN where `other` is not scikit-learn's.
    """

    data: str
    ensemble: str
    learner: str
    treewright: float
    other: float
    least: float
    gini: float

    @property
    def holds(self) -> bool:
        """Whether the accuracy is large enough."""
        return self.treewright >= self.least


def table(name: str) -> tuple[pd.DataFrame, Any]:
    """Return a set as a frame, and its classes.

    AdaBoost refuses missing values, so the most frequent value of the column takes their place.
    """
    data = datasets.load(name)
    columns = {}
    for i, (feature, levels) in enumerate(zip(data.feature_names, data.levels, strict=True)):
        column = pd.Series(data.column(i))
        if levels is not None:
            column = column.map(dict(enumerate(levels)))
        columns[feature] = column.fillna(column.mode()[0])
    assert data.classes is not None
    return pd.DataFrame(columns), data.classes[data.target]


def accuracy(model: Any, X: Any, y: Any, n_repeats: int) -> float:
    """Return the mean accuracy of some times five folds."""
    folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=n_repeats, random_state=0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        warnings.filterwarnings("ignore", ".*samples weigh less than a millionth", UserWarning)
        return float(cross_val_score(model, X, y, cv=folds).mean())


def compare(name: str, ensemble: str, depth: int, n_trees: int, n_repeats: int) -> Line:
    """Measure an ensemble of our trees and one of scikit-learn's, which sees nominal columns as 0 and 1."""
    X, y = table(name)
    numbers = pd.get_dummies(X, dtype=float).to_numpy()
    ours = X if len(X.columns) < numbers.shape[1] else numbers
    trees = (
        (GreedyTreeClassifier(nominal_splits="groups", max_depth=depth), ours),
        (DecisionTreeClassifier(criterion="entropy", max_depth=depth), numbers),
        (DecisionTreeClassifier(max_depth=depth), numbers),
    )
    found = []
    for tree, given in trees:
        model = ENSEMBLES[ensemble](tree, n_estimators=n_trees, random_state=0)
        found.append(accuracy(model, given, y, n_repeats))
    own, entropy, gini = found
    return Line(name, ensemble, f"depth {depth}", own, entropy, entropy - MOST_BELOW, gini)


def boost(learner: str) -> Line:
    """Boost a learner on few columns; the least is halfway from the majority's share to 1."""
    X, y = table("breast-cancer")
    few, y = X.to_numpy()[::2, [0, 1, 7, 20, 27]], y[::2]
    majority = float(np.unique(y, return_counts=True)[1].max() / len(y))
    boosted = AdaBoostClassifier(LEARNERS[learner], n_estimators=N_ROUNDS, random_state=0)
    least = (1 + majority) / 2
    return Line("breast-cancer", "AdaBoost", learner, accuracy(boosted, few, y, 1), majority, least, np.nan)


def lines(asked: argparse.Namespace) -> Iterator[Line]:
    """Measure everything, in processes of their own."""
    with ProcessPoolExecutor(asked.jobs) as pool:
        cases = product(SETS, ENSEMBLES, DEPTHS)
        waiting = [pool.submit(compare, *case, asked.trees, asked.repeats) for case in cases]
        waiting += [pool.submit(boost, learner) for learner in LEARNERS]
        yield from (one.result() for one in waiting)


def summary(found: list[Line]) -> str:
    """Say how many ensembles hold against scikit-learn's with the same criterion, and against Gini's."""
    against = [line for line in found if not np.isnan(line.gini)]
    same = sum(line.holds for line in against)
    gini = sum(line.treewright >= line.gini - MOST_BELOW for line in against)
    return f"{same} of {len(against)} hold with the same criterion, {gini} against Gini"


def write(found: list[Line], place: Path) -> None:
    """Write all lines as CSV."""
    with place.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(field.name for field in fields(Line))
        for line in found:
            names, shares = astuple(line)[:3], astuple(line)[3:]
            writer.writerow([*names, *("" if np.isnan(share) else round(share, 4) for share in shares)])


def main() -> int:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--trees", type=int, default=50, help="trees of an ensemble (50)")
    parser.add_argument("--repeats", type=int, default=10, help="times five folds (10)")
    parser.add_argument("--jobs", type=int, default=1, help="processes at work (1)")
    parser.add_argument("--out", type=Path, default=None, help="CSV file for the figures")
    asked = parser.parse_args()
    found = []
    for line in lines(asked):
        found.append(line)
        figures = f"{line.treewright:.4f}, held against {line.other:.4f}"
        verdict = "ok" if line.holds else "MISSED"
        print(f"{line.data:15} {line.ensemble:9} {line.learner:21} {figures}  {verdict}", flush=True)
    print(summary(found))
    if asked.out is not None:
        write(found, asked.out)
    return int(not all(line.holds for line in found))


if __name__ == "__main__":
    sys.exit(main())
