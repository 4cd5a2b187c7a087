"""Planes and trees of planes: selections, proofs, missing values, verification."""

from __future__ import annotations

from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from benches.snapshot.neutral import MASK
from treewright import MultivariateTreeClassifier, RobustLinearClassifier

NAME = "plane"


def plane(given: Any, perturbation: float = 0.02, *, weight: Any = None, **params: Any) -> facts.Facts:
    """Fit planes and say all about them."""
    sample = data.of(given() if callable(given) else given)
    model = RobustLinearClassifier(perturbation=perturbation, **params)
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    checked = model.verify(*sample, **({} if weight is None else {"sample_weight": weight}))
    return {
        "weights": model.coef_,
        "intercepts": model.intercept_,
        "columns": model.column_names_,
        "support": model.support_,
        "n features": model.n_features_used_,
        "errors": [model.error_, model.error_bound_, model.least_error_, model.lower_bound_],
        "search": facts.search(model.search_),
        "path": model.path_,
        "trace": model.trace_,
        "classes": model.plane_classes_,
        "planes": [one_plane(one) for one in model.planes_],
        "predictions": model.predict(sample[0]),
        "decisions": model.decision_function(sample[0]),
        "claims": claims(checked.claims),
        "holds": checked.holds,
    }


def claims(table: Any) -> list[list[Any]]:
    """Return the claims that were checked; the values of ``planes_`` are addresses of objects."""
    rows = [list(row) for row in table.tolist()]
    return [[*row[:2], MASK, MASK, *row[4:]] if row[1] == "planes_" else row for row in rows]


def one_plane(found: Any) -> facts.Facts:
    """Return what is known of a single plane."""
    return {
        "weights": found.coef,
        "intercept": found.intercept,
        "support": found.support,
        "errors": [found.error, found.error_bound, found.least_error, found.lower_bound],
        "search": facts.search(found.search),
    }


def tree(given: Any, *, weight: Any = None, **params: Any) -> facts.Facts:
    """Grow a tree of planes and say all about it."""
    sample = data.of(given() if callable(given) else given)
    model = MultivariateTreeClassifier(**{"perturbation": 0.02, **params})
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    return {
        **facts.classifier(model, sample[0], everything=True),
        "rounded": facts.tree(model.rounded_tree_),
        "text": model.rounded_tree_.export_text(),
        "planes": [one_plane(one) for one in model.planes_],
        "splits": model.n_splits_,
        "features a split": model.n_features_per_split_,
        "support": model.support_,
        "cost": model.cost_,
        "alpha": model.alpha_,
        "path": model.pruning_path_,
        "search": facts.search(model.search_),
    }


COSTS = [1, 2, 1, 3, 1]

CASES = {
    "wdbc/default": case(plane, "wdbc"),
    "wdbc/prove": case(plane, "wdbc", prove=True),
    "wine/default": case(plane, "wine"),
    "wine/perturbation=0": case(plane, "wine", 0.0),
    "iris/prove": case(plane, "iris", 0.0, prove=True),
    "numbers/default": case(plane, data.numbers),
    "numbers/weights": case(plane, data.numbers, weight=data.weights(90)),
    "numbers/costs,prove": case(plane, data.numbers, feature_costs=COSTS, prove=True),
    "numbers/slack,floor": case(plane, data.numbers, error_slack=0.4, error_floor=0.3),
    "numbers/not-refitted": case(plane, data.numbers, refit=False),
    "numbers/search=paper": case(plane, data.numbers, search="paper"),
    "numbers/selection=None": case(plane, data.numbers, selection=None),
    "pima/limited,prove": case(plane, "pima", selection="limited", n_features=3, prove=True),
    "wine/limited": case(plane, "wine", selection="limited", n_features=2),
    "pima/path": case(plane, "pima", selection="path", n_features=4, cv=3),
    "hepatitis/path,one-error,mean": case(
        plane, "hepatitis", selection="path", n_features=4, cv=3, one_standard_error=True, missing="mean"
    ),
    "heart-c/missing=mean,prove": case(plane, "heart-c", missing="mean", prove=True),
    "heart-c/missing=drop": case(plane, "heart-c", missing="drop"),
    "mixed/missing=mean": case(plane, data.mixed, missing="mean"),
    "numbers/categorical": case(plane, data.numbers, categorical_features=[4]),
    "tree/iris/default": case(tree, "iris"),
    "tree/wine/default": case(tree, "wine"),
    "tree/heart-c/unpruned": case(tree, "heart-c", missing="mean", alpha=None),
    "tree/heart-c/alpha=0.01": case(tree, "heart-c", missing="drop", alpha=0.01, max_depth=3),
    "tree/numbers/cv=3,one-error": case(tree, data.numbers, cv=3, one_standard_error=True),
    "tree/numbers/limited": case(
        tree, data.numbers, selection="limited", n_features=1, max_depth=3, alpha=None
    ),
    "tree/numbers/rules": case(
        tree,
        data.numbers,
        min_samples_split=20,
        min_samples_leaf=5,
        min_gain=0.02,
        max_depth=None,
        alpha=None,
    ),
    "tree/numbers/weights": case(tree, data.numbers, weight=data.weights(90), cv=3),
    "tree/mixed/mean": case(tree, data.mixed, missing="mean", alpha=None),
}
