"""Verification sees whatever is tampered with: certificates, cuts, bounds, and what the user sees."""

from copy import deepcopy
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from treewright import DataError, RobustLinearClassifier


@pytest.fixture(scope="module")
def noisy():
    """Six features, three of which matter."""
    rng = np.random.default_rng(7)
    X = rng.normal(size=(120, 6)) * [1, 10, 0.1, 1, 5, 2] + [0, 3, 0, -5, 0, 100]
    y = np.where(X[:, 0] + X[:, 1] / 10 - 5 * X[:, 2] + rng.normal(size=120) > 0.4, "yes", "no")
    return X, y


@pytest.fixture(scope="module")
def proven(noisy):
    return RobustLinearClassifier(prove=True).fit(*noisy)


def forged(model, **changes):
    """Return a copy whose only plane says something else, the user's attributes likewise."""
    model = deepcopy(model)
    plane = replace(model.planes_[0], **changes)
    model.planes_ = [plane]
    model._chain = [(model._chain[0][0], plane)]
    for name in ("error", "error_bound", "least_error", "lower_bound"):
        setattr(model, f"{name}_", getattr(plane, name))
    model.coef_, model.intercept_ = plane.coef[None], np.array([plane.intercept])
    return model


def wrong(model, data):
    claims = model.verify(*data).claims
    return set(claims["claim"][~claims["holds"]])


@pytest.mark.parametrize(
    "parameters",
    [
        {"prove": True},
        {"prove": True, "feature_costs": [1.5, 2.25, 0.7, 1, 1, 3]},
        {"refit": False},
        {"error_floor": 1.0, "prove": True},
        {"selection": None},
        {"selection": "limited", "n_features": 2, "prove": True},
        {"selection": "path", "n_features": 4},
    ],
)
@pytest.mark.parametrize("perturbation", [0.0, 0.02])
def test_what_fit_claims_holds(noisy, parameters, perturbation):
    assert wrong(RobustLinearClassifier(perturbation=perturbation, **parameters).fit(*noisy), noisy) == set()


def test_a_forged_plane_without_changes_holds(noisy, proven):
    assert wrong(forged(proven), noisy) == set()


def _numbers(plane):
    raw = plane.raw
    return {
        "a feature more is needed": ({"lower_bound": plane.lower_bound + 1}, "lower_bound"),
        "double bound": ({"error_bound": 2 * plane.error_bound}, "bound"),
        "half the least error": ({"least_error": plane.least_error / 2}, "least_error"),
        "double least error": ({"least_error": 2 * plane.least_error}, "least_error"),
        "no certificate": ({"certificates": []}, "least_error"),
        "moved": ({"raw": replace(raw, shift=raw.shift + 5)}, "shift"),
        "another centre": ({"raw": replace(raw, centre=raw.centre + 5)}, "scaling"),
        "another error": ({"raw": replace(raw, error=raw.error / 2)}, "error"),
        "no column": ({"columns": plane.columns[:2]}, "scaling"),
        "no feature": ({"support": plane.support[:1]}, "support"),
        "cheaper": ({"search": replace(plane.search, cost=1)}, "cost"),
    }


@pytest.mark.parametrize("what", list(_numbers(RobustLinearClassifier().fit([[0], [1]], [0, 1]).planes_[0])))
def test_forged_numbers_of_a_plane_are_seen(noisy, proven, what):
    changes, claim = _numbers(proven.planes_[0])[what]
    assert claim in wrong(forged(proven, **changes), noisy)


@pytest.mark.parametrize(
    "changes",
    [
        {"masks": [], "certificates": []},
        {"certificates": []},
        {"bound": 0.0},
        {"lower": 100.0},
    ],
)
def test_forged_cuts_are_seen(noisy, proven, changes):
    cuts = replace(proven.planes_[0].cuts, **changes)
    assert wrong(forged(proven, cuts=cuts), noisy) & {"cut", "lower_bound"}


def test_half_the_bound_of_cuts_is_seen(noisy, proven):
    cuts = proven.planes_[0].cuts
    assert "lower_bound" in wrong(forged(proven, cuts=replace(cuts, bound=cuts.bound / 2)), noisy)


@pytest.mark.parametrize("mask", [np.zeros(6, bool), np.ones(2, bool)])
def test_a_cut_that_is_none_is_a_claim_that_fails(noisy, proven, mask):
    cuts = proven.planes_[0].cuts
    masks = [mask, *cuts.masks[1:]]
    assert {"cut", "lower_bound"} & wrong(forged(proven, cuts=replace(cuts, masks=masks)), noisy)


@pytest.mark.parametrize("name", ["least_error", "chosen", "outside"])
def test_a_certificate_that_proves_nothing_is_seen(noisy, proven, name):
    certificates = [
        (own, replace(c, dual=0 * c.dual, value=0.0) if own == name else c)
        for own, c in proven.planes_[0].certificates
    ]
    assert name in wrong(forged(proven, certificates=certificates), noisy)


def test_a_least_error_of_two_features_is_seen(noisy, proven):
    pair = RobustLinearClassifier(selection="limited", n_features=2).fit(*noisy).planes_[0]
    own = dict(pair.certificates)["chosen"]
    certificates = [(name, own if name == "least_error" else c) for name, c in proven.planes_[0].certificates]
    assert "least_error" in wrong(forged(proven, certificates=certificates), noisy)


def test_more_features_than_the_limit_are_seen(noisy):
    model = RobustLinearClassifier(selection="limited", n_features=3).fit(*noisy)
    assert wrong(model, noisy) == set()
    assert "most_features" in wrong(model.set_params(n_features=2), noisy)


@pytest.mark.parametrize(
    "name",
    [
        *("coef_", "intercept_", "support_", "n_features_used_"),
        *("error_", "error_bound_", "least_error_", "lower_bound_"),
    ],
)
def test_what_the_user_sees_is_checked(noisy, proven, name):
    model = deepcopy(proven)
    setattr(model, name, getattr(model, name) + 1)
    assert wrong(model, noisy) == {name}


def test_other_planes_than_those_that_predict_are_seen(noisy, proven):
    model = deepcopy(proven)
    model.planes_ = [replace(model.planes_[0])]
    assert wrong(model, noisy) == {"planes_"}


# Other data.


def test_other_samples_are_refused_with_a_reason(noisy, proven):
    X, y = noisy
    with pytest.raises(
        DataError, match="X has 119 samples of positive weight to learn from, but fit had 120"
    ):
        proven.verify(X[1:], y[1:])
    with pytest.raises(DataError, match="features"):
        proven.verify(X[:, :5], y)
    with pytest.raises(DataError, match=r"classes \['a', 'b'\], but fit had \['no', 'yes'\]"):
        proven.verify(X, np.where(y == "yes", "a", "b"))
    frame = pd.DataFrame(X, columns=list("abcdef"))
    model = RobustLinearClassifier().fit(frame, y)
    assert wrong(model, (frame, y)) == set()
    assert wrong(model, (frame[list("fedcba")], y)) == set()
    with pytest.raises(DataError, match="no column 'a'"):
        model.verify(frame.drop(columns="a"), y)


def test_samples_with_repeated_rows_are_claims_that_fail(noisy, proven):
    X, y = noisy
    order = np.r_[0, np.arange(119)]
    assert not proven.verify(X[order], y[order]).holds
