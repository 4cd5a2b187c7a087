"""scikit-learn's own checks of planes."""

import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.utils import get_tags
from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import RobustLinearClassifier

VARIANTS = [
    RobustLinearClassifier(),
    RobustLinearClassifier(perturbation=0.02, search="paper", refit=False),
    RobustLinearClassifier(selection=None),
    RobustLinearClassifier(selection="limited", n_features=2),
    RobustLinearClassifier(selection="path", n_features=3, cv=3),
    RobustLinearClassifier(missing="mean", prove=1.0),
    RobustLinearClassifier(missing="drop"),
    RobustLinearClassifier(error="misclassified", prove=1.0),
    RobustLinearClassifier(error="misclassified", selection="limited", n_features=2),
]


def expected_failures(model):
    """Name the check that hides a gap, and an infinite number, in a column that the plane does not use."""
    return {} if model.missing != "raise" else {"check_estimators_nan_inf": "what is not used is not read"}


@parametrize_with_checks(VARIANTS, expected_failed_checks=expected_failures)
@pytest.mark.filterwarnings("ignore")
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_tags_tell_what_is_accepted():
    tags = get_tags(RobustLinearClassifier())
    assert tags.estimator_type == "classifier"
    assert not tags.input_tags.allow_nan
    assert tags.input_tags.categorical
    assert tags.classifier_tags.multi_class
    assert get_tags(RobustLinearClassifier(missing="mean")).input_tags.allow_nan


def test_grid_search_reaches_the_perturbation():
    X = [[i % 7, i % 5, (i * i) % 11] for i in range(60)]
    y = [i % 7 + i % 5 > 5 for i in range(60)]
    search = GridSearchCV(RobustLinearClassifier(), {"perturbation": [0.0, 0.02, 0.1]}, cv=3).fit(X, y)
    assert search.best_score_ > 0.9
