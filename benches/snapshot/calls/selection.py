"""Backward elimination and forward selection: every rule, every way to part the rows."""

from __future__ import annotations

from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import BackwardEliminationSelector, ForwardSelectionSelector, GreedyTreeClassifier

NAME = "select"

Growing = dict[str, Any]


def backward(
    given: Any, *, judges: Any = 0.3, seed: Any = 0, growing: Growing | None = None, **rules: Any
) -> Any:
    """Return a backward elimination, not fitted yet; `judges` are the rows that judge."""
    estimator = GreedyTreeClassifier(**(growing or {}))
    return BackwardEliminationSelector(estimator=estimator, validation_set=judges, random_state=seed, **rules)


def forward(
    given: Any, *, judges: Any = 0.3, seed: Any = 0, growing: Growing | None = None, **rules: Any
) -> Any:
    """Return a forward selection, not fitted yet."""
    estimator = GreedyTreeClassifier(**(growing or {}))
    return ForwardSelectionSelector(estimator=estimator, validation_set=judges, random_state=seed, **rules)


def found(make: Any, given: Any, *, weight: Any = None, **options: Any) -> facts.Facts:
    """Fit a selector and say all about it."""
    sample = data.of(given() if callable(given) else given)
    model = make(given, **options)
    model.fit(*sample, **({} if weight is None else {"sample_weight": weight}))
    return facts.stepwise(model, sample[0])


def as_transformer() -> facts.Facts:
    """Keep the selected columns of arrays and frames, and put them back."""
    import pandas as pd

    X, y = data.numbers(120, 6)
    model = backward("numbers", parsimonious=True).fit(X, y)
    frame = pd.DataFrame(X, columns=[f"c{i}" for i in range(6)])
    of_frame = backward("numbers", parsimonious=True).fit(frame, y)
    return {
        "array": model.transform(X),
        "back": model.inverse_transform(model.transform(X)),
        "frame": of_frame.transform(frame),
        "support": model.get_support(indices=True),
        "names": of_frame.get_feature_names_out(),
        "score": model.score(X, y),
    }


def drawn_by_state() -> facts.Facts:
    """Draw the judging rows by a RandomState."""
    return found(backward, "wine", seed=np.random.RandomState(7))


MASK = np.arange(178) % 3 == 0

CASES = {
    name: case(found, make, given, **options)
    for name, make, given, options in (
        ("backward/iris/default", backward, "iris", {}),
        ("backward/wine/default", backward, "wine", {}),
        ("backward/heart-c/default", backward, "heart-c", {}),
        ("backward/breast-cancer/default", backward, "breast-cancer", {}),
        ("backward/mixed/default", backward, data.mixed, {}),
        ("backward/hepatitis/seed=3", backward, "hepatitis", {"seed": 3}),
        ("backward/wine/n_jobs=1", backward, "wine", {"n_jobs": 1}),
        ("backward/wine/n_jobs=2", backward, "wine", {"n_jobs": 2}),
        ("backward/heart-c/tolerance=2", backward, "heart-c", {"tolerance": 2}),
        ("backward/heart-c/tolerance=0.02", backward, "heart-c", {"tolerance": 0.02}),
        ("backward/heart-c/parsimonious", backward, "heart-c", {"parsimonious": True}),
        (
            "backward/heart-c/parsimonious,tolerance=1",
            backward,
            "heart-c",
            {"parsimonious": True, "tolerance": 1},
        ),
        ("backward/heart-c/floating", backward, "heart-c", {"floating": True}),
        (
            "backward/hepatitis/floating,parsimonious",
            backward,
            "hepatitis",
            {"floating": True, "parsimonious": True},
        ),
        ("backward/heart-c/min_features=10", backward, "heart-c", {"min_features": 10}),
        (
            "backward/heart-c/min_features=5,parsimonious",
            backward,
            "heart-c",
            {"min_features": 5, "parsimonious": True, "tolerance": 3},
        ),
        ("backward/wine/fixed_features=[0,1]", backward, "wine", {"required_features": [0, 1]}),
        (
            "backward/wine/fixed_features=names",
            backward,
            "wine",
            {"required_features": ["malic_acid", "color_intensity"]},
        ),
        (
            "backward/wine/feature_groups",
            backward,
            "wine",
            {"feature_groups": [[0, 1, 2], ["hue", "proline"]], "parsimonious": True},
        ),
        ("backward/wine/start_from=[0..6]", backward, "wine", {"start_from": list(range(7))}),
        (
            "backward/wine/start_from=mask,floating",
            backward,
            "wine",
            {"start_from": [True, False] * 6 + [True], "floating": True},
        ),
        ("backward/wine/strategy=retrain", backward, "wine", {"strategy": "retrain"}),
        (
            "backward/hepatitis/strategy=retrain,floating",
            backward,
            "hepatitis",
            {"strategy": "retrain", "floating": True},
        ),
        ("backward/wine/judges=positions", backward, "wine", {"judges": list(range(0, 178, 4))}),
        ("backward/wine/judges=mask", backward, "wine", {"judges": MASK}),
        ("backward/wine/judges=half,seed=5", backward, "wine", {"judges": 0.5, "seed": 5}),
        ("backward/numbers/weights", backward, data.numbers, {"weight": data.weights(90)}),
        ("backward/numbers/weights=whole", backward, data.numbers, {"weight": data.weights(90, whole=True)}),
        (
            "backward/heart-c/growing=gini",
            backward,
            "heart-c",
            {"growing": {"criterion": "gini", "min_samples_split": 8, "min_samples_branch": 2}},
        ),
        (
            "backward/heart-c/growing=gain_ratio,mdl",
            backward,
            "heart-c",
            {"growing": {"criterion": "gain_ratio", "mdl_correction": True, "min_gain": 0.01}},
        ),
        ("backward/vote/growing=id3", backward, "vote", {"growing": {"growth": "id3", "missing": "value"}}),
        (
            "backward/hepatitis/growing=balanced,depth=4",
            backward,
            "hepatitis",
            {"growing": {"class_weight": "balanced", "max_depth": 4, "missing": "most_frequent"}},
        ),
        ("forward/iris/default", forward, "iris", {}),
        ("forward/wine/default", forward, "wine", {}),
        ("forward/heart-c/default", forward, "heart-c", {}),
        ("forward/mixed/default", forward, data.mixed, {}),
        ("forward/heart-c/floating", forward, "heart-c", {"floating": True}),
        ("forward/breast-cancer/max_features=3", forward, "breast-cancer", {"max_features": 3}),
        ("forward/wine/fixed_features", forward, "wine", {"required_features": [1, 2]}),
        ("forward/wine/feature_groups", forward, "wine", {"feature_groups": [[0, 6], [9, 12]]}),
        ("forward/wine/start_from", forward, "wine", {"start_from": ["alcohol", "ash"], "floating": True}),
        ("forward/wine/strategy=retrain", forward, "wine", {"strategy": "retrain", "n_jobs": 2}),
        ("forward/wine/judges=mask", forward, "wine", {"judges": MASK}),
    )
} | {"transformer": as_transformer, "backward/wine/seed=RandomState": drawn_by_state}
