"""Drawings of planes and of their comparison.

Inner names, as in unit tests: `planes.plot`: the programs, proofs and trees behind the estimators
are checked one by one.
"""

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from sklearn.datasets import load_breast_cancer, load_iris

from treewright import ParameterError, RobustLinearClassifier
from treewright.planes.plot import sheet
from treewright.studies import compare_planes


@pytest.fixture(scope="module")
def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:200, :8], y[:200]


def fitted(data, **asked):
    X, y = data
    return RobustLinearClassifier(perturbation=0.02, **asked).fit(X, y)


def test_path_shows_both_errors_and_the_choice(cancer):
    model = fitted(cancer, selection="path", n_features=4)
    ax = model.plot_path()
    assert ax.lines[0].get_xdata().tolist() == [1, 2, 3, 4]
    assert np.allclose(ax.lines[0].get_ydata(), model.path_["error"])
    right = next(other for other in ax.figure.axes if other is not ax)
    assert np.allclose(right.lines[0].get_ydata(), 100 * model.path_["test_error"])
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[-1] == f"chosen: {model.n_features_used_}"
    assert max(ax.figure.axes[0].get_ylim()) >= model.path_["error"].max()


def test_no_path_is_said(cancer):
    with pytest.raises(ParameterError, match="selection='path'"):
        fitted(cancer).plot_path()


def test_weights_are_in_scaled_units_the_largest_on_top(cancer):
    model = fitted(cancer)
    ax = model.plot_weights()
    widths = [bar.get_width() for bar in ax.patches]
    scaled = model.coef_[0] * model.planes_[0].scaling.scale
    assert sorted(map(abs, widths), reverse=True) == pytest.approx(list(map(abs, widths)))
    assert sorted(widths) == pytest.approx(sorted(scaled[scaled != 0]))
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert set(names) == set(model.feature_names_in_[model.support_])
    assert ax.yaxis_inverted()


def test_of_many_weights_the_largest_are_drawn():
    X, y = load_breast_cancer(return_X_y=True)
    X = np.hstack([X, X**2])
    model = RobustLinearClassifier(selection=None).fit(X[:300], y[:300])
    ax = model.plot_weights()
    if model.n_features_used_ > 30:
        assert len(ax.patches) == 30
        assert f"of {model.n_features_used_} weights" in ax.get_title()
    else:
        assert len(ax.patches) == model.n_features_used_


def test_a_plane_without_features_has_no_bars():
    model = RobustLinearClassifier().fit([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]], [0, 1, 1, 0])
    ax = model.plot_weights()
    assert not ax.patches
    assert ax.texts[0].get_text() == "no feature is used"


def test_line_between_two_features_is_the_plane(cancer):
    X, y = cancer
    model = fitted(cancer, selection="limited", n_features=2)
    ax = model.plot_samples(X, y)
    points = np.column_stack(ax.lines[0].get_data())
    weights = model.coef_[0][model.support_]
    assert points @ weights + model.intercept_[0] == pytest.approx([0, 0], abs=1e-8)
    assert (ax.get_xlabel(), ax.get_ylabel()) == tuple(X.columns[model.support_])
    n_wrong = int((model.predict(X) != y).sum())
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert f"on the wrong side ({n_wrong})" in labels


def test_sheet_between_three_features_is_the_plane(cancer):
    X, y = cancer
    model = fitted(cancer, selection="limited", n_features=3)
    ax = model.plot_samples(X, y)
    assert ax.name == "3d"
    assert ax.get_zlabel() == X.columns[model.support_[2]]
    assert any(type(part).__name__ == "Poly3DCollection" for part in ax.collections)


@pytest.mark.parametrize("weights", [[1.0, 0.2, -0.1], [0.1, 2.0, 0.3], [-0.1, 0.2, 5.0], [1.0, 1.0, 2.0]])
def test_sheet_is_the_plane_within_the_limits(weights):
    limits = np.array([[0.0, -1.0, 2.0], [1.0, 1.0, 3.0]])
    level = float(np.mean(limits, axis=0) @ np.array(weights))
    corners = sheet(np.array(weights), level, limits)
    assert len(corners) in (4, 6)
    assert corners @ np.array(weights) == pytest.approx(np.full(len(corners), level))
    assert ((corners >= limits[0] - 1e-12) & (corners <= limits[1] + 1e-12)).all()
    # Around it: every edge leaves all other corners on one side.
    for first, second in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        side = (corners - first) @ np.cross(np.array(weights), second - first)
        assert (side <= 1e-9).all() or (side >= -1e-9).all()


def test_no_sheet_outside_of_the_limits():
    assert sheet(np.ones(3), 9.0, np.array([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0]])).shape == (0, 3)


def test_equal_samples_are_spread():
    rng = np.random.default_rng(0)
    X = np.column_stack([rng.integers(0, 2, 60), rng.normal(size=60)]).astype(float)
    model = RobustLinearClassifier(selection=None).fit(X, X.sum(axis=1) + rng.normal(size=60) / 4 > 0.5)
    shown = np.asarray(model.plot_samples(X).collections[0].get_offsets())
    assert len(np.unique(shown[:, 0])) == 60
    assert np.abs(shown[:, 0] - X[:, 0]).max() <= 0.08
    assert np.array_equal(shown[:, 1], X[:, 1])


def test_samples_need_two_or_three_columns(cancer):
    model = fitted(cancer, selection="limited", n_features=1)
    with pytest.raises(ParameterError, match="uses 1 columns"):
        model.plot_samples(*cancer)


def test_samples_without_classes_are_alike(cancer):
    model = fitted(cancer, selection="limited", n_features=2)
    ax = model.plot_samples(cancer[0])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["samples", "plane"]


def test_more_classes_show_the_first_plane():
    X, y = load_iris(return_X_y=True)
    model = RobustLinearClassifier(perturbation=0.02, selection="limited", n_features=2).fit(X, y)
    ax = model.plot_samples(X, y)
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert "the others" in labels
    assert str(model.plane_classes_[0]) in labels


@pytest.mark.parametrize(
    ("asked", "n_drawings"),
    [
        ({}, 1),
        ({"selection": "path", "n_features": 3}, 2),
        ({"selection": "limited", "n_features": 2}, 2),
        ({"selection": "limited", "n_features": 3}, 2),
    ],
)
def test_page_has_what_there_is_to_see(cancer, asked, n_drawings):
    model = fitted(cancer, **asked)
    n_samples = int(model.n_features_used_ in (2, 3))
    expected = 1 + bool(len(model.path_)) + n_samples
    page = model.plot(*cancer)
    assert isinstance(page, Figure)
    assert len([ax for ax in page.axes if ax.get_subplotspec() is not None and ax.get_xlabel()]) >= expected
    assert expected >= n_drawings


def test_nominal_columns_are_named():
    X = pd.DataFrame({"c": pd.Categorical(["a", "b", "c", "a", "b", "c"]), "x": [0.0, 1, 2, 3, 4, 5]})
    model = RobustLinearClassifier(selection=None).fit(X, [0, 1, 0, 0, 1, 0])
    names = {label.get_text() for label in model.plot_weights().get_yticklabels()}
    assert names <= {"c=a", "c=b", "c=c", "x"}


def test_comparison_is_drawn_a_mark_a_method():
    study = compare_planes("wdbc", methods=["rlp_p", "fm_rlp_p", "c45"], cv=2, progress=False)
    ax = study.plot_errors("wdbc")
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["RLP-P", "FM_RLP-P, paper", "C4.5 tree"]
    assert ax.get_xscale() == "log"
    assert isinstance(study.plot(), Figure)
    with pytest.raises(ParameterError, match="data='iris'"):
        study.plot_errors("iris")


def test_axes_need_as_many_dimensions_as_the_plane_has_columns():
    X, y = load_iris(return_X_y=True)
    for n_features, room, message in (
        (3, {}, "projection='3d'"),
        (2, {"projection": "3d"}, "without a proj"),
    ):
        model = RobustLinearClassifier(perturbation=0.02, selection="limited", n_features=n_features).fit(
            X[50:], y[50:]
        )
        ax = Figure().add_subplot(**room)
        with pytest.raises(ParameterError, match=message):
            model.plot_samples(X[50:], y[50:], ax)
