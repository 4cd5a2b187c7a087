"""mlxtend: its sequential selector around scikit-learn's entropy tree."""

from __future__ import annotations

import numpy as np

from ...data import Table
from .job import Job
from .scikit_learn import entropy_tree, validation_errors

PACKAGE = "mlxtend"
SETTINGS = {
    "eliminate": 'SequentialFeatureSelector(scikit-learn\'s entropy tree, k_features="best", forward=False, '
    "cv=PredefinedHoldoutSplit): one fixed split; has no rule to stop, so goes down to one feature"
}


def eliminate(table: Table) -> Job:
    """Eliminate features down to one, the best set on the way wins."""
    from mlxtend.evaluate import PredefinedHoldoutSplit
    from mlxtend.feature_selection import SequentialFeatureSelector

    selector = SequentialFeatureSelector(
        entropy_tree(),
        k_features="best",
        forward=False,
        scoring="accuracy",
        cv=PredefinedHoldoutSplit(np.flatnonzero(table.search)),
    )
    n_features = table.X.shape[1]
    return Job(
        lambda: selector.fit(table.X, table.y),
        lambda model: {
            "trees": n_features * (n_features + 1) // 2,
            "features": len(model.k_feature_idx_),
            "errors": validation_errors(table, list(model.k_feature_idx_)),
        },
    )
