"""Greedy trees: every parameter, every kind of data."""

from __future__ import annotations

from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import GreedyTreeClassifier
from treewright.pruning import ErrorBasedPruning

NAME = "grow"


def greedy(given: Any, *, weight: Any = None, everything: bool = False, **params: Any) -> facts.Facts:
    """Grow a tree with the parameters."""
    return fitted(GreedyTreeClassifier(**params), given, weight, everything)


def id3(given: Any, **params: Any) -> facts.Facts:
    """Grow a tree as ID3 did."""
    return fitted(GreedyTreeClassifier.id3(**params), given)


def c45(given: Any, *, weight: Any = None, **params: Any) -> facts.Facts:
    """Grow a tree as C4.5 does, pruned unless told otherwise."""
    return fitted(GreedyTreeClassifier.c45(**params), given, weight)


def fitted(model: Any, given: Any, weight: Any = None, everything: bool = False) -> facts.Facts:
    """Fit the model and say all about it."""
    sample = data.of(given() if callable(given) else given)
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    return facts.classifier(model, sample[0], everything=everything)


def other_rows() -> facts.Facts:
    """Predict rows that were not grown on, with values that the tree has not seen."""
    X, y = data.mixed()
    model = GreedyTreeClassifier(min_samples_branch=2).fit(X, y)
    new, _ = data.mixed(60, seed=5)
    new.loc[::4, "colour"] = "purple"
    return facts.answers(model, new)


def layouts() -> list[Any]:
    """Grow the same tree from every memory layout."""
    X, y = data.numbers()
    forms = (
        X,
        np.asfortranarray(X),
        X[::-1][::-1],
        X.tolist(),
        X.astype(np.float32),
        (X * 100).round().astype(int),
    )
    return [facts.tree(GreedyTreeClassifier(max_depth=3).fit(form, y).tree_) for form in forms]


def scikit_face() -> facts.Facts:
    """Use what scikit-learn asks of an estimator."""
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score

    X, y = data.numbers()
    model = GreedyTreeClassifier(max_depth=4, pruning=ErrorBasedPruning())
    grid = GridSearchCV(clone(model), {"pruning__confidence": [0.01, 0.25, 0.9]}, cv=3).fit(X, y)
    return {
        "scores": cross_val_score(model, X, y, cv=3),
        "grid": grid.cv_results_["mean_test_score"],
        "best": grid.best_params_["pruning__confidence"],
        "score": clone(model).fit(X, y).score(X, y),
        "depth": grid.best_estimator_.get_depth(),
        "leaves": grid.best_estimator_.get_n_leaves(),
    }


MIXED = data.mixed
NUMBERS = data.numbers

CASES = {
    "iris/default": case(greedy, "iris", everything=True),
    "wine/default": case(greedy, "wine"),
    "heart-c/default": case(greedy, "heart-c", everything=True),
    "letter-16th/default": case(greedy, "letter/16"),
    "soybean/default": case(greedy, "soybean"),
    "mixed/default": case(greedy, MIXED, everything=True),
    "mixed/rows-not-seen": other_rows,
    "numbers/layouts": layouts,
    "numbers/scikit-learn": scikit_face,
    "heart-c/criterion=gain_ratio": case(greedy, "heart-c", criterion="gain_ratio"),
    "heart-c/criterion=gini": case(greedy, "heart-c", criterion="gini"),
    "mixed/criterion=gain_ratio": case(greedy, MIXED, criterion="gain_ratio"),
    "mixed/criterion=gini": case(greedy, MIXED, criterion="gini"),
    "heart-c/min_samples_split=20": case(greedy, "heart-c", min_samples_split=20),
    "hepatitis/min_samples_split=7.5": case(greedy, "hepatitis", min_samples_split=7.5),
    "heart-c/min_samples_branch=5": case(greedy, "heart-c", min_samples_branch=5),
    "hepatitis/min_samples_branch=0": case(greedy, "hepatitis", min_samples_branch=0),
    "hepatitis/min_samples_branch=2.5": case(greedy, "hepatitis", min_samples_branch=2.5),
    "heart-c/min_gain=0.1": case(greedy, "heart-c", min_gain=0.1),
    "pima/min_gain=0.01,gini": case(greedy, "pima", min_gain=0.01, criterion="gini"),
    "pima/mdl_correction": case(greedy, "pima", mdl_correction=True),
    "crx/mdl_correction,gain_ratio": case(greedy, "crx", mdl_correction=True, criterion="gain_ratio"),
    "heart-c/max_depth=0": case(greedy, "heart-c", max_depth=0),
    "heart-c/max_depth=3": case(greedy, "heart-c", max_depth=3),
    "hepatitis/missing=distribution": case(greedy, "hepatitis", everything=True),
    "hepatitis/missing=most_frequent": case(greedy, "hepatitis", missing="most_frequent", everything=True),
    "hepatitis/missing=value": case(greedy, "hepatitis", missing="value", everything=True),
    "iris/missing=raise": case(greedy, "iris", missing="raise"),
    "mixed/missing=most_frequent": case(greedy, MIXED, missing="most_frequent", everything=True),
    "mixed/missing=value": case(greedy, MIXED, missing="value", everything=True),
    "heart-c/class_weight=balanced": case(greedy, "heart-c", class_weight="balanced"),
    "mixed/class_weight=dict": case(greedy, MIXED, class_weight={"yes": 2.5, "maybe": 0.5}),
    "numbers/sample_weight=whole": case(greedy, NUMBERS, weight=data.weights(90, whole=True)),
    "numbers/sample_weight=fractions": case(greedy, NUMBERS, weight=data.weights(90)),
    "mixed/sample_weight,class_weight": case(
        greedy, MIXED, weight=data.weights(120), class_weight="balanced", everything=True
    ),
    "wine/n_jobs=1": case(greedy, "wine", n_jobs=1),
    "wine/n_jobs=2": case(greedy, "wine", n_jobs=2),
    "monks-1/categorical_features=names": case(greedy, "monks-1", categorical_features="from_dtype"),
    "numbers/categorical_features=[4]": case(greedy, NUMBERS, categorical_features=[4]),
    "known/id3": case(id3, data.known),
    "monks-1/id3": case(id3, "monks-1"),
    "vote/id3": case(id3, "vote"),
    "vote/id3,max_depth=3": case(id3, "vote", max_depth=3),
    "vote/id3,missing=distribution": case(id3, "vote", missing="distribution"),
    "iris/c45": case(c45, "iris"),
    "crx/c45": case(c45, "crx"),
    "hepatitis/c45": case(c45, "hepatitis"),
    "mixed/c45": case(c45, MIXED),
    "mixed/c45,sample_weight": case(c45, MIXED, weight=data.weights(120)),
    "hepatitis/c45,unpruned": case(c45, "hepatitis", pruning=None),
    "crx/c45,info_gain": case(c45, "crx", criterion="info_gain"),
    "crx/c45,min_samples_branch=5": case(c45, "crx", min_samples_branch=5),
    "vote/c45,missing=value": case(c45, "vote", missing="value"),
    "heart-c/pruning=error-based": case(greedy, "heart-c", pruning=ErrorBasedPruning()),
    "numbers/pruning,sample_weight": case(
        greedy, NUMBERS, weight=data.weights(90), pruning=ErrorBasedPruning(confidence=0.1)
    ),
}
