"""The opt-feature list, against trying every feature."""

from __future__ import annotations

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fixed_depth_cases import PRIORS, fitted, model_of, random_dataset, samples
from treewright import DataError, FixedDepthTreeClassifier, datasets

EXAMPLES = settings(max_examples=60)
X = np.linspace(0, 1, 10_001)


@pytest.fixture(scope="module")
def ranking():
    data = random_dataset(np.random.default_rng(1), 80, [2, 3, 4, 2, 3, 1, 2, 4])
    return FixedDepthTreeClassifier(max_depth=4).fit(data).opt_feature_list_


def test_entries_are_the_largest_values_for_ten_thousand_x(ranking):
    every = np.array([ranking.value_of(j, X) for j in range(8)])
    ordered = -np.sort(-every, axis=0)[: ranking.width].T
    np.testing.assert_allclose(ranking.values(X), ordered, atol=1e-12)
    own = np.take_along_axis(every.T, ranking.lookup(X), axis=1)
    np.testing.assert_allclose(own, ordered, atol=1e-12)
    assert ranking.width == 4


def test_breakpoints_ascend_from_zero(ranking):
    assert ranking.breakpoints[0] == 0
    assert (np.diff(ranking.breakpoints) > 0).all()
    assert ranking.breakpoints[-1] < 1
    assert ranking.features.shape == (len(ranking.breakpoints), 4)
    assert ranking.lines.shape == (len(ranking.breakpoints), 4, 2)


def test_values_are_convex_and_never_below_no_question(ranking):
    for feature in range(8):
        value = ranking.value_of(feature, X)
        assert (value[2:] - 2 * value[1:-1] + value[:-2] >= -1e-12).all()
        assert value[[0, -1]] == pytest.approx(1)
        assert (value >= np.maximum(X, 1 - X) - 1e-12).all()


@given(samples(n_classes=2), st.sampled_from(PRIORS), st.fractions(0, 1, max_denominator=50))
@EXAMPLES
def test_values_are_those_of_the_reference(of, prior, x):
    model = model_of(of, value_prior=prior)
    ranking = fitted(of, 2, value_prior=prior).opt_feature_list_
    exact = sorted((float(model.value_of(j, x)) for j in range(len(of.arities))), reverse=True)
    assert ranking.values(float(x)).tolist() == pytest.approx(exact[: ranking.width], abs=1e-12)
    assert ranking.start == pytest.approx(float(model.classes[1]), abs=1e-15)


def test_one_entry_less_than_questions_is_not_enough():
    """With d - 1 entries, as a figure of the paper has it, all of them may be on the path already."""
    rng, n_worse = np.random.default_rng(3), 0
    for _ in range(60):
        data = random_dataset(rng, 20, [2, 3, 2, 3])
        model = FixedDepthTreeClassifier(max_depth=2, trim=False, value_prior=0.01).fit(data)
        ranking = model.opt_feature_list_
        n_worse += best_with(ranking, 1) < model.expected_accuracy_ - 1e-9
        assert best_with(ranking, 2) == pytest.approx(model.expected_accuracy_, abs=1e-12)
    assert n_worse > 0


def best_with(ranking, width):
    """Return the best value of depth 2, the last question looked up among so many entries."""
    values = []
    for first, likelihoods in enumerate(ranking.likelihoods):
        total = 0.0
        for p0, p1 in likelihoods.tolist():
            joint = ((1 - ranking.start) * p0, ranking.start * p1)
            weight = sum(joint)
            if weight == 0:
                continue
            x = joint[1] / weight
            unused = [
                value * weight
                for feature, value in zip(ranking.lookup(x)[:width], ranking.values(x)[:width], strict=True)
                if feature != first
            ]
            total += unused[0] if unused else max(joint)
        values.append(total)
    return max(values)


def test_lookup_takes_one_x_or_many(ranking):
    assert ranking.lookup(0.3).shape == (4,)
    np.testing.assert_array_equal(ranking.lookup([0.3, 1.0])[0], ranking.lookup(0.3))
    np.testing.assert_array_equal(ranking.lookup(1.0), ranking.features[-1])
    np.testing.assert_array_equal(ranking.lookup(ranking.breakpoints), ranking.features)


@pytest.mark.parametrize("x", [-0.1, 1.5, np.nan, [0.2, 2.0]])
def test_what_is_no_probability_is_refused(ranking, x):
    with pytest.raises(DataError, match="must be a probability"):
        ranking.lookup(x)


def test_frame_has_a_row_an_interval_and_rank(ranking):
    frame = ranking.to_frame()
    assert len(frame) == len(ranking.breakpoints) * ranking.width
    assert frame["end"].max() == 1
    assert frame["name"][0] == f"f{frame['feature'][0]}"


def test_drawing_has_a_line_a_feature_that_is_ever_best(ranking):
    ax = ranking.plot()
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels[-1] == "no question"
    assert set(labels[:-1]) <= {f"f{j}" for j in range(8)}
    assert ax.get_xlabel() == "probability of class 1"


def test_it_pickles(ranking):
    again = pickle.loads(pickle.dumps(ranking))
    np.testing.assert_array_equal(again.lines, ranking.lines)
    assert repr(again) == repr(ranking)


def test_only_two_classes_have_one():
    two = datasets.load("monks-1")
    model = FixedDepthTreeClassifier().fit(two)
    assert model.opt_feature_list_.width == 3
    model.fit(datasets.load("iris"))
    assert not hasattr(model, "opt_feature_list_")


def test_a_feature_without_known_values_is_not_ranked():
    model = FixedDepthTreeClassifier().fit([[None, "a"], [None, "b"], [None, "b"]], [0, 1, 1])
    assert model.opt_feature_list_.features.ravel().tolist() == [1] * len(model.opt_feature_list_.breakpoints)
    assert Fraction(model.opt_feature_list_.start) > 0
