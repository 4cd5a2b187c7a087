"""What another implementation found for the published table of planes, and what it means to agree with it."""

import tomllib
from pathlib import Path

import numpy as np
import pytest

FIGURES = tomllib.loads((Path(__file__).parent / "papers" / "planes.toml").read_text(encoding="utf-8"))


def assert_agrees(data, method, errors, n_features):
    """Assert that errors and numbers of features, one of each fold, agree with the published means.

    The errors agree if their mean is within two standard errors of the difference. Either mean is one of as
    many folds, shuffled apart from the other's, whose errors scatter alike: so the variance of the difference
    is twice that of a mean of these folds. (Both have the same samples. So nothing is added for the choice of
    samples, as there is in the standard error of a study, which is to hold for new ones.)
    """
    figures, percent = FIGURES[data][method], 100 * np.asarray(errors)
    two_standard_errors = 2 * np.sqrt(2 * percent.var(ddof=1) / len(percent))
    assert percent.mean() == pytest.approx(figures["error"], abs=two_standard_errors)
    if "n_features" in figures:
        assert np.mean(n_features) == pytest.approx(figures["n_features"], abs=0.7)
