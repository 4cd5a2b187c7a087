"""The paper's Table 2, and the proven minima of whole data sets; on a folder of real ones."""

import os

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from published_planes import FIGURES, assert_agrees
from treewright import RobustLinearClassifier, datasets

pytestmark = pytest.mark.skipif(
    not os.environ.get("TREEWRIGHT_DATA"), reason="TREEWRIGHT_DATA names no folder of data sets"
)


def numbers(data):
    """Return numeric columns as one matrix."""
    return np.column_stack([data.column(i) for i in range(data.n_features)])


def complete(data):
    """Return the rows without missing values, and their classes."""
    X = numbers(data)
    whole = ~np.isnan(X).any(axis=1)
    return X[whole], data.target[whole]


def load(name):
    """Return a set as the paper has it."""
    if name == "heart":
        X, y = complete(datasets.load("heart-cleveland"))
        assert X.shape == (297, 13)
        return X, y > 0
    if name == "cancer":
        X, y = complete(datasets.load("breast-w"))
        assert X.shape == (683, 9)
        return X, y
    data = datasets.load({"house": "vote", "wdbc": "breast-cancer"}.get(name, name))
    if name == "house":
        assert all(levels == ["n", "y"] for levels in data.levels)
        codes = numbers(data)
        return np.select([codes == 1, codes == 0], [2.0, -2.0], 0.0), data.target
    return numbers(data), data.target


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("perturbation", [0.0, 0.02])
@pytest.mark.parametrize("selection", [None, "bounded"])
def test_table_2(name, perturbation, selection):
    X, y = load(name)
    model = RobustLinearClassifier(
        perturbation=perturbation, selection=selection, search="paper", refit=False
    )
    counts, errors = [], []
    for seed in range(5):
        for learn, judge in StratifiedKFold(10, shuffle=True, random_state=seed).split(X, y):
            model.fit(X[learn], y[learn])
            counts.append(model.n_features_used_)
            errors.append((model.predict(X[judge]) != y[judge]).mean())
    method = ("rlp" if selection is None else "fm_rlp") + ("_p" if perturbation else "")
    assert_agrees(name, method, errors, counts)


MINIMA = {
    ("heart", 0.0): (6, 0.780194),
    ("heart", 0.02): (4, 0.842194),
    ("cancer", 0.0): (6, 0.135139),
    ("cancer", 0.02): (4, 0.204183),
    ("house", 0.0): (8, 0.129055),
    ("house", 0.02): (1, 0.211695),
    ("pima", 0.0): (2, 1.240155),
    ("pima", 0.02): (2, 1.267926),
    ("wdbc", 0.02): (4, 0.269914),
    ("wdbc", 0.0): (23, 0.0),
}
"""Proven numbers of features, and the bounds on the error they are for."""


@pytest.mark.parametrize(("name", "perturbation"), MINIMA, ids=str)
def test_proven_minima(name, perturbation):
    X, y = load(name)
    model = RobustLinearClassifier(perturbation=perturbation, prove=True).fit(X, y)
    minimum, bound = MINIMA[name, perturbation]
    assert model.error_bound_ == pytest.approx(bound, abs=1e-6)
    assert (model.n_features_used_, model.lower_bound_, model.status_) == (minimum, minimum, "optimal")
    assert model.verify(X, y).holds


@pytest.mark.parametrize(("perturbation", "least", "most"), [(0.0, 15, 37), (0.02, 9, 20)])
def test_sonar_stays_open(perturbation, least, most):
    limits = {"prove": True, "callback": lambda progress: progress.done >= 700}
    model = RobustLinearClassifier(perturbation=perturbation, search="paper", **limits).fit(*load("sonar"))
    assert model.status_ == "stopped"
    assert 3 < model.lower_bound_ < model.n_features_used_
    assert least <= model.n_features_used_ <= most


def test_rows_on_the_plane_of_one_vote():
    X, y = load("house")
    model = RobustLinearClassifier(perturbation=0.02).fit(X, y)
    assert list(model.support_) == [3]
    score = model.decision_function(X)
    assert np.abs(score).min() > 0.1
    abstained = X[:, 3] == 0
    assert model.predict(X)[abstained].tolist() == [np.bincount(y[abstained]).argmax()] * abstained.sum()
