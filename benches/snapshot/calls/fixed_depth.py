"""Trees of a fixed depth: solvers, costs, bins, many weightings, the opt-feature list, the path of depths."""

from __future__ import annotations

import pickle
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import FixedDepthTreeClassifier
from treewright.fixed_depth import depth_path, fit_many

NAME = "fixed-depth"


def fixed(given: Any, max_depth: int | str = 3, *, weight: Any = None, **params: Any) -> facts.Facts:
    """Fit the classifier and say all about it."""
    sample = data.of(given() if callable(given) else given)
    model = FixedDepthTreeClassifier(max_depth=max_depth, **params)
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    return {
        **facts.classifier(model, sample[0], everything=True),
        "expected": model.expected_accuracy_,
        "training": model.training_accuracy_,
        "depth": model.depth_,
        "edges": model.bin_edges_,
        "search": facts.search(model.search_),
        "list": opt_list(getattr(model, "opt_feature_list_", None)),
    }


def opt_list(found: Any) -> facts.Facts | None:
    """Return an opt-feature list; only two classes have one."""
    if found is None:
        return None
    at = np.array([0.0, 0.25, 0.5, 1.0])
    return {
        "breakpoints": found.breakpoints,
        "features": found.features,
        "lines": found.lines,
        "names": list(found.feature_names),
        "classes": found.classes,
        "start": found.start,
        "width": found.width,
        "likelihoods": found.likelihoods,
        "lookup": found.lookup(at),
        "values": found.values(at),
        "value of 0": found.value_of(0, at),
        "rows": len(found.to_frame()),
    }


def solvers() -> facts.Facts:
    """Find the same tree by every solver."""
    names = ("auto", "bounded", "sets", "feature_list", "exhaustive")
    models = {name: FixedDepthTreeClassifier(solver=name).fit(data.named("monks-2")) for name in names}
    return {
        name: [model.expected_accuracy_, facts.tree(model.tree_), facts.search(model.search_)]
        for name, model in models.items()
    }


def many(given: Any, n_trees: int = 6, n_jobs: int | None = None, **params: Any) -> facts.Facts:
    """Fit trees to random weightings."""
    sample = data.of(given() if callable(given) else given)
    n = len(sample[0]) if len(sample) == 2 else sample[0].n_samples
    drawn = np.random.default_rng(1).multinomial(n, np.full(n, 1 / n), size=n_trees).astype(float)
    y = sample[1] if len(sample) == 2 else None
    found = fit_many(sample[0], drawn, y, model=FixedDepthTreeClassifier(**params), n_jobs=n_jobs)
    return {
        "expected": found.expected_accuracy,
        "status": list(found.status),
        "classes": found.classes_,
        "edges": found.bin_edges_,
        "trees": [facts.tree(tree) for tree in found.trees],
        "each": found.predict_each(sample[0]),
        "together": found.predict(sample[0]),
        "shares": found.predict_proba(sample[0]),
        "text": repr(found),
    }


def path(given: Any, n_jobs: int | None = None, weight: Any = None, **options: Any) -> facts.Facts:
    """Follow accuracies by depth."""
    sample = data.of(given() if callable(given) else given)
    found = depth_path(*sample, sample_weight=weight, n_jobs=n_jobs, **options)
    return {"table": found.table, "folds": found.folds, "best": found.best_depth, "text": repr(found)}


def thresholds() -> facts.Facts:
    """Turn bins into thresholds, and pickle the model."""
    model = FixedDepthTreeClassifier(n_bins=3).fit(data.named("iris"))
    again = pickle.loads(pickle.dumps(model))
    return {"tree": facts.tree(model.threshold_tree()), "again": facts.tree(again.tree_)}


COSTLY = {"feature_costs": [1, 2.5, 0.1, 1, 3, 0], "cost_budget": 3.6}

CASES = {
    "monks-3/default": case(fixed, "monks-3"),
    "monks-3/depth=0": case(fixed, "monks-3", 0),
    "monks-3/depth=1": case(fixed, "monks-3", 1),
    "tic-tac-toe/depth=4": case(fixed, "tic-tac-toe", 4),
    "vote/depth=2": case(fixed, "vote", 2),
    "heart-c/default": case(fixed, "heart-c"),
    "zoo/default": case(fixed, "zoo"),
    "monks-3/depth=cv": case(fixed, "monks-3", "cv"),
    "hepatitis/depth=cv": case(fixed, "hepatitis", "cv"),
    "mixed/default": case(fixed, data.mixed),
    "mixed/unseen=skip": case(fixed, data.mixed, unseen="skip"),
    "iris/bins=4": case(fixed, "iris", 2, n_bins=4),
    "heart-c/supervised": case(fixed, "heart-c", binning="supervised"),
    "monks-1/priors=0": case(fixed, "monks-1", class_prior=0, value_prior=0),
    "vote/priors": case(fixed, "vote", class_prior=0.5, value_prior=2.5),
    "monks-1/untrimmed": case(fixed, "monks-1", trim=False),
    "monks-1/costs": case(fixed, "monks-1", 4, **COSTLY),
    "monks-2/costs,solver=sets": case(fixed, "monks-2", 3, solver="sets", **COSTLY),
    "mixed/weights": case(fixed, data.mixed, weight=data.weights(120)),
    "numbers/categorical": case(fixed, data.numbers, categorical_features=[4], n_bins=3),
    "monks-2/solvers": solvers,
    "iris/thresholds,pickle": thresholds,
    "many/monks-3": case(many, "monks-3"),
    "many/mixed/depth=2": case(many, data.mixed, max_depth=2, n_bins=3),
    "many/monks-3/n_jobs=2": case(many, "monks-3", n_jobs=2),
    "path/monks-3": case(path, "monks-3"),
    "path/iris/depths=1-3,cv=4": case(
        path, "iris", depths=[1, 2, 3], cv=4, model=FixedDepthTreeClassifier(n_bins=3)
    ),
    "path/mixed/weights": case(path, data.mixed, depths=[1, 2], weight=data.weights(120) + 0.25),
}
