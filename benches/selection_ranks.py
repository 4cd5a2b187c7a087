"""Hold selected and pruned trees against C4.5 and scikit-learn's pruned trees.

Run ``python -m benches.selection_ranks`` from the root of the repository, with ``TREEWRIGHT_DATA`` naming the
folder of data sets. On each of 18 sets of 100 to 2 400 rows every method learns from the same nine tenths
and predicts the last, ten times. Told are the error, the leaves and the features that the trees ask for, and
the rank of each method by its errors, 1 being the best and equal ones sharing theirs. What chooses features,
prunes or tunes sees the nine tenths only. With ``--options`` the methods are `treewright fit` and
`treewright select` with options that make trees small.
"""

from __future__ import annotations

import argparse
import csv
import os
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import astuple, dataclass, fields
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier

from treewright import BackwardEliminationSelector, Dataset, GreedyTreeClassifier, datasets
from treewright.pruning import ErrorBasedPruning

SETS = (
    *(
        "promoters",
        "lymph",
        "iris",
        "hepatitis",
        "wine",
        "sonar",
        "heart-statlog",
        "breast-cancer",
        "heart-c",
    ),
    *("ionosphere", "vote", "wdbc", "soybean", "crx", "pima", "vehicle", "credit-g", "segment"),
)
N_FOLDS = 10
MOST_ALPHAS = 50


@dataclass(frozen=True)
class Line:
    """A method on a set: means over the folds.

    Attributes
    ----------
    data, method : str
        What was learned, and how.
    error : float
        Share of the held-out rows that were predicted wrong.
    leaves, features : float
        Leaves of the tree that predicts, and features that it asks for.
    """

    data: str
    method: str
    error: float
    leaves: float
    features: float


@dataclass(frozen=True)
class Learned:
    """What a method makes of the training rows: predictions of the others, and the size of its tree."""

    predicted: Any
    n_leaves: int
    n_features: int


def _of_tree(model: Any, rows: Dataset) -> Learned:
    tree = model.refit_tree_ if hasattr(model, "refit_tree_") else model.tree_
    return Learned(model.predict(rows), tree.n_leaves, len(tree.used_features))


AS_C45: dict[str, Any] = {"criterion": "gain_ratio", "min_samples_branch": 2, "mdl_correction": True}
"""What of C4.5's growth a selection can have."""


def _selection(
    *, pruned: bool, validation_set: object, **growth: Any
) -> Callable[[Dataset, Dataset], Learned]:
    def learn(training: Dataset, rows: Dataset) -> Learned:
        rule = ErrorBasedPruning(grafting=False) if pruned else None
        estimator = GreedyTreeClassifier(pruning=rule, **growth)
        model = BackwardEliminationSelector(
            estimator=estimator, validation_set=validation_set, random_state=0
        )
        return _of_tree(model.fit(training), rows)

    return learn


def _c45(training: Dataset, rows: Dataset) -> Learned:
    return _of_tree(GreedyTreeClassifier.c45(pruning=ErrorBasedPruning()).fit(training), rows)


def _cost_complexity(training: Dataset, rows: Dataset) -> Learned:
    """Learn with scikit-learn, nominal columns one-hot; the price of a leaf by five folds."""
    (X, owner), (held_out, _) = (_one_hot(part) for part in (training, rows))
    tree = DecisionTreeClassifier(random_state=0)
    alphas = np.unique(tree.cost_complexity_pruning_path(X, training.target).ccp_alphas.clip(0))
    middles = np.sqrt(alphas * np.append(alphas[1:], alphas[-1:]))
    few = middles[np.unique(np.linspace(0, len(middles) - 1, MOST_ALPHAS).astype(int))]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    best = GridSearchCV(tree, {"ccp_alpha": few}, cv=folds).fit(X, training.target).best_estimator_
    asked = {owner[i] for i in best.tree_.feature if i >= 0}
    assert training.classes is not None
    return Learned(training.classes[best.predict(held_out)], best.get_n_leaves(), len(asked))


def _one_hot(data: Dataset) -> tuple[Any, list[int]]:
    """Return the columns as scikit-learn takes them, and the feature of each."""
    columns, owner = [], []
    for feature in range(data.n_features):
        values = data.column(feature)
        levels = data.levels[feature]
        parts = [values] if levels is None else [values == code for code in range(len(levels))]
        columns += [np.asarray(part, np.float64) for part in parts]
        owner += [feature] * len(parts)
    return np.column_stack(columns), owner


METHODS: dict[str, Callable[[Dataset, Dataset], Learned]] = {
    "elimination": _selection(pruned=False, validation_set=0.3),
    "elimination, cv": _selection(pruned=False, validation_set="cv"),
    "pruned elimination": _selection(pruned=True, validation_set=0.3),
    "pruned elimination, cv": _selection(pruned=True, validation_set="cv"),
    "pruned elimination, cv, grown as C4.5": _selection(pruned=True, validation_set="cv", **AS_C45),
    "C4.5": _c45,
    "cost complexity, cv": _cost_complexity,
}


def _fit(**options: Any) -> Callable[[Dataset, Dataset], Learned]:
    def learn(training: Dataset, rows: Dataset) -> Learned:
        return _of_tree(GreedyTreeClassifier(**options).fit(training), rows)

    return learn


def _select(**options: Any) -> Callable[[Dataset, Dataset], Learned]:
    def learn(training: Dataset, rows: Dataset) -> Learned:
        model = BackwardEliminationSelector(estimator=GreedyTreeClassifier(**options), random_state=0)
        return _of_tree(model.fit(training), rows)

    return learn


USUAL = ErrorBasedPruning(grafting=False)
CAUTIOUS = ErrorBasedPruning(confidence=0.1, grafting=False)
SMALL: dict[str, dict[str, Any]] = {
    "--prune none": {},
    "": {"pruning": USUAL},
    "--confidence 0.1": {"pruning": CAUTIOUS},
    "--min-samples-leaf 5": {"pruning": USUAL, "min_samples_leaf": 5},
    "as C4.5": {"pruning": USUAL, **AS_C45},
    "as C4.5, --confidence 0.1": {"pruning": CAUTIOUS, **AS_C45},
}
"""What the command line is given, and what it means."""

OPTIONS = {
    f"{command} {name}".strip(): learner(**options)
    for command, learner in (("fit", _fit), ("select", _select))
    for name, options in SMALL.items()
}
OPTIONS["fit --growth c45"] = _c45


def measured(name: str, method: str) -> Line:
    """Learn a set ten times."""
    learn = {**METHODS, **OPTIONS}[method]
    warnings.simplefilter("ignore")
    data = datasets.load(f"folder:{name}", folder=os.environ["TREEWRIGHT_DATA"])
    assert data.target is not None
    assert data.classes is not None
    n_wrong, sizes = 0, []
    folds = StratifiedKFold(N_FOLDS, shuffle=True, random_state=0)
    for training, held_out in folds.split(np.zeros((data.n_samples, 1)), data.target):
        found = learn(data[training], data[held_out])
        n_wrong += int((found.predicted != data.classes[data.target[held_out]]).sum())
        sizes.append((found.n_leaves, found.n_features))
    leaves, features = np.mean(sizes, axis=0).tolist()
    return Line(name, method, n_wrong / data.n_samples, leaves, features)


def table(lines: list[Line]) -> Iterator[str]:
    """Write errors by set, and the means and ranks of each method."""
    methods = list(dict.fromkeys(line.method for line in lines))
    names = list(dict.fromkeys(line.data for line in lines))
    of = {(line.data, line.method): line for line in lines}
    yield "| set | " + " | ".join(methods) + " |"
    yield "| --- |" + " --- |" * len(methods)
    for name in names:
        cells = [of[name, method] for method in methods]
        yield f"| {name} | " + " | ".join(f"{100 * c.error:.1f} ({c.leaves:.1f})" for c in cells) + " |"
    errors = np.array([[round(of[name, method].error, 9) for method in methods] for name in names])
    ranks = np.mean([rankdata(row) for row in errors], axis=0)
    leaves, features = (
        np.mean([[getattr(of[name, method], what) for method in methods] for name in names], axis=0)
        for what in ("leaves", "features")
    )
    yield "| mean error, % | " + " | ".join(f"{100 * mean:.2f}" for mean in errors.mean(axis=0)) + " |"
    yield "| mean rank | " + " | ".join(f"{rank:.2f}" for rank in ranks) + " |"
    yield "| mean leaves | " + " | ".join(f"{mean:.1f}" for mean in leaves) + " |"
    yield "| mean features | " + " | ".join(f"{mean:.1f}" for mean in features) + " |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benches.selection_ranks", description=__doc__)
    parser.add_argument("names", nargs="*", default=list(SETS), metavar="SET", help="sets; default: all")
    parser.add_argument("--options", action="store_true", help="compare options of the command line")
    parser.add_argument("--out", type=Path, help="write the lines to this CSV file")
    parser.add_argument("--n-jobs", type=int, default=1, help="sets that are learned side by side")
    asked = parser.parse_args()
    compared = OPTIONS if asked.options else METHODS
    names, methods = zip(*product(asked.names, compared), strict=True)
    lines = []
    with ProcessPoolExecutor(asked.n_jobs) as pool:
        for line in pool.map(measured, names, methods):
            lines.append(line)
            print(*astuple(line), file=sys.stderr, flush=True)
    if asked.out is not None:
        with asked.out.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(field.name for field in fields(Line))
            writer.writerows(astuple(line) for line in lines)
    print("\n".join(table(lines)))


if __name__ == "__main__":
    main()
