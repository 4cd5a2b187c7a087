"""The options of both stepwise selectors: what they do, one at a time, and what is refused."""

import pickle
from itertools import product

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, make_classification
from sklearn.model_selection import GridSearchCV

from growers import grown_by
from treewright import (
    BackwardEliminationSelector,
    Dataset,
    ForwardSelectionSelector,
    GreedyTreeClassifier,
    ParameterError,
)

BOTH = pytest.mark.parametrize("Selector", [BackwardEliminationSelector, ForwardSelectionSelector])
NAMES = [f"f{i}" for i in range(12)]


@pytest.fixture(scope="module")
def noisy():
    """Five informative columns among twelve, some labels wrong."""
    X, y = make_classification(
        400, 12, n_informative=5, n_redundant=2, flip_y=0.1, shuffle=True, random_state=7
    )
    return pd.DataFrame(X, columns=NAMES), y


def backward(noisy, **options):
    return BackwardEliminationSelector(random_state=0, **options).fit(*noisy)


def forward(noisy, **options):
    return ForwardSelectionSelector(
        random_state=0, estimator=GreedyTreeClassifier(max_depth=4), **options
    ).fit(*noisy)


def selected(selector):
    return selector.get_support(indices=True).tolist()


def steps(selector):
    """Return the steps without trees and times."""
    return selector.history_[["dropped", "added", "changed", "errors", "n_features"]].tolist()


# Tolerance and parsimony.


@pytest.mark.parametrize("tolerance", [0, 1, 3, 12])
def test_errors_stay_within_the_tolerance_of_the_fewest(noisy, tolerance):
    errors = backward(noisy, tolerance=tolerance).history_["errors"]
    assert (errors <= np.minimum.accumulate(errors) + tolerance).all()


def test_more_tolerance_leaves_fewer_features(noisy):
    counts = [backward(noisy, tolerance=tolerance).support_.sum() for tolerance in (0, 3, 12, 120)]
    assert counts == sorted(counts, reverse=True)
    assert len({*counts}) > 2


def test_tolerance_as_a_share_is_one_of_the_search_set(noisy):
    share = backward(noisy, tolerance=0.025)
    assert len(share.validation_rows_) == 120
    assert steps(share) == steps(backward(noisy, tolerance=3))
    assert steps(share) != steps(backward(noisy, tolerance=2))


def test_tolerance_counts_weight(noisy):
    plain = backward(noisy, tolerance=3, estimator=GreedyTreeClassifier(min_samples_split=1))
    heavy = BackwardEliminationSelector(
        random_state=0, tolerance=6, estimator=GreedyTreeClassifier(min_samples_split=1)
    )
    heavy.fit(*noisy, sample_weight=np.full(400, 2.0))
    assert plain.history_["changed"].tolist() == heavy.history_["changed"].tolist()


def test_huge_tolerance_lets_everything_go(noisy):
    for tolerance in (10**30, 120, 0.999):
        assert not backward(noisy, tolerance=tolerance).used_features_.size


def test_parsimonious_keeps_tested_features_only(noisy):
    selector = backward(noisy, parsimonious=True)
    assert selected(selector) == selector.used_features_.tolist()
    assert (np.diff(selector.history_["errors"]) <= 0).all()
    assert selector.n_validation_errors_ <= backward(noisy).n_validation_errors_


@pytest.mark.filterwarnings("ignore::treewright.DataWarning")
def test_untested_features_leave_in_one_step():
    X, y = make_classification(60, 20, n_informative=2, n_redundant=0, random_state=1)
    top = BackwardEliminationSelector(random_state=0, min_features=20).fit(X, y)
    selector = BackwardEliminationSelector(random_state=0, parsimonious=True).fit(X, y)
    untested = np.setdiff1d(np.arange(20), top.used_features_)
    first = selector.history_[1]
    assert first["changed"] == tuple(untested)
    assert first["dropped"] == untested[0]
    assert first["n_features"] == len(top.used_features_)
    assert (first["errors"], first["n_trees_built"]) == (top.n_validation_errors_, 1)


# Limits.


@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize("least", [0, 3, 7, 12])
def test_min_features_is_kept(noisy, strategy, least):
    selector = backward(noisy, strategy=strategy, min_features=least, tolerance=120, parsimonious=True)
    assert selector.support_.sum() == max(least, 0)


@pytest.mark.parametrize("most", [0, 1, 2, 3])
def test_max_features_is_kept(noisy, most):
    assert forward(noisy).support_.sum() == 3
    assert forward(noisy, max_features=most).support_.sum() == most


def test_more_max_features_than_features_is_no_limit(noisy):
    assert steps(forward(noisy, max_features=999)) == steps(forward(noisy))


# Required features, groups and the start.


def test_fixed_features_stay(noisy):
    plain = backward(noisy, tolerance=12, parsimonious=True)
    gone = np.flatnonzero(~plain.support_)[:2].tolist()
    selector = backward(noisy, tolerance=12, parsimonious=True, required_features=gone)
    assert {*gone} <= {*selected(selector)}
    assert not {*gone} & {feature for step in selector.history_["changed"] for feature in step}


def test_fixed_features_are_there_from_the_start(noisy):
    selector = forward(noisy, required_features=["f0", "f3"])
    assert selector.history_["n_features"][0] == 2
    assert {0, 3} <= {*selected(selector)}


@BOTH
def test_groups_move_as_a_whole(noisy, Selector):
    groups = [[4, 1], ["f7", "f2", "f9"]]
    selector = Selector(
        random_state=0, feature_groups=groups, floating=True, estimator=GreedyTreeClassifier(max_depth=5)
    ).fit(*noisy)
    for one in ((1, 4), (2, 7, 9)):
        assert selector.support_[[*one]].all() or not selector.support_[[*one]].any()
    changes = selector.history_["changed"][1:].tolist()
    assert len(changes) > 1
    assert {*changes} <= {(1, 4), (2, 7, 9), *((feature,) for feature in (0, 3, 5, 6, 8, 10, 11))}


def test_history_names_the_lowest_of_a_group_and_has_all(noisy):
    halves = [list(range(6)), list(range(6, 12))]
    history = forward(noisy, feature_groups=halves).history_
    for record in history[1:]:
        assert record["added"] == record["changed"][0]
        assert record["dropped"] == -1
        assert record["changed"] in (tuple(halves[0]), tuple(halves[1]))
    assert history["n_features"].tolist() == [0, 6, 12][: len(history)]


def test_one_group_of_all_is_all_or_nothing(noisy):
    selector = backward(noisy, feature_groups=[range(12)])
    assert selector.support_.all()
    assert selector.n_trees_built_ == 2


@BOTH
def test_a_fixed_feature_fixes_its_group(noisy, Selector):
    options = {"feature_groups": [[0, 5, 6]], "required_features": [5]}
    selector = Selector(random_state=0, **options).fit(*noisy)
    assert selector.support_[[0, 5, 6]].all()
    assert Selector(random_state=0, **options, start_from=[0, 5, 6]).fit(*noisy).support_[[0, 5, 6]].all()


def test_backward_starts_from_a_set_and_adds_nothing(noisy):
    start = ["f0", "f2", "f5", "f8"]
    selector = backward(noisy, start_from=start)
    assert selector.history_["n_features"][0] == 4
    assert {*selected(selector)} <= {0, 2, 5, 8}
    hidden = noisy[0].assign(**{name: 0.0 for name in NAMES if name not in start})
    assert selector.tree_ == backward((hidden, noisy[1])).tree_


def test_forward_goes_on_from_a_set(noisy):
    first = forward(noisy, max_features=2)
    second = forward(noisy, start_from=first.support_)
    assert steps(first)[-1][3:] == steps(second)[0][3:]
    assert second.tree_ == forward(noisy).tree_


def test_floating_steps_back_where_that_lowers_the_errors():
    X, y = load_breast_cancer(return_X_y=True)
    selector = BackwardEliminationSelector(random_state=0, floating=True, parsimonious=True).fit(X, y)
    history = selector.history_
    returned = np.flatnonzero(history["added"] >= 0)
    assert returned.size
    assert (history["errors"][returned] < history["errors"][returned - 1]).all()
    assert (history["n_features"][returned] == history["n_features"][returned - 1] + 1).all()


@BOTH
def test_floating_ends_where_no_further_step_helps(noisy, Selector):
    found = Selector(random_state=0, floating=True).fit(*noisy)
    onward = Selector(random_state=0, start_from=found.support_).fit(*noisy)
    assert len(onward.history_) == 1
    assert onward.n_validation_errors_ == found.n_validation_errors_


def test_an_exclusive_or_is_found_as_a_group_only():
    X = np.array([*product((0, 1), repeat=4)] * 5)
    y = X[:, 1] ^ X[:, 3]
    searched = grown_by(validation_set=range(64, 80), growth="id3", categorical_features=range(4))
    alone = ForwardSelectionSelector(**searched).fit(X, y)
    assert (len(alone.history_), alone.n_validation_errors_) == (1, 8)
    together = ForwardSelectionSelector(feature_groups=[[1, 3]], **searched).fit(X, y)
    assert (selected(together), together.n_validation_errors_) == ([1, 3], 0)


@BOTH
@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"required_features": ["f3", "f1"]}, {"required_features": np.array([1, 3])}),
        ({"required_features": (1, 3)}, {"required_features": [i in (1, 3) for i in range(12)]}),
        ({"required_features": {1, 3}}, {"required_features": pd.Index(["f1", "f3"])}),
        ({"start_from": ["f2", 1, np.int64(0)]}, {"start_from": range(3)}),
        ({"start_from": pd.Series(["f2", "f1"])}, {"start_from": np.isin(np.arange(12), [1, 2])}),
        ({"feature_groups": [["f1", "f0"], [5, "f4"]]}, {"feature_groups": np.array([[4, 5], [0, 1]])}),
        ({"feature_groups": [["f1"]]}, {"feature_groups": []}),
        ({"required_features": []}, {"required_features": None}),
    ],
    ids=["names", "mask", "set", "range", "series", "groups", "alone", "none"],
)
def test_features_are_named_in_many_ways(noisy, Selector, one, other):
    selectors = [Selector(random_state=0, **options).fit(*noisy) for options in (one, other)]
    assert steps(selectors[0]) == steps(selectors[1])


@BOTH
def test_features_without_names_have_those_of_the_output(noisy, Selector):
    X = noisy[0].to_numpy()
    selector = Selector(random_state=0, required_features=["x3", "x11"]).fit(X, noisy[1])
    assert {"x3", "x11"} <= {*selector.get_feature_names_out()}
    assert steps(selector) == steps(
        Selector(random_state=0, required_features=[3, 11]).fit(Dataset(X, noisy[1]))
    )


@BOTH
def test_parameters_are_stored_untouched(noisy, Selector):
    options = {
        "feature_groups": [["f1", "f0"]],
        "required_features": ["f3"],
        "start_from": pd.Index(NAMES[:5]),
    }
    selector = Selector(random_state=0, **options)
    before = {name: id(value) for name, value in selector.get_params().items()}
    fitted = selector.fit(*noisy)
    assert {name: id(value) for name, value in fitted.get_params().items()} == before
    assert steps(clone(fitted).fit(*noisy)) == steps(fitted)


# What is refused.


COMMON = [
    ({"floating": 1}, "floating=1 must be True or False"),
    ({"floating": None}, "floating=None must be True or False"),
    ({"required_features": "f1"}, "required_features='f1' is one text; give a list: ['f1']"),
    ({"required_features": 3}, "required_features=3 is no list; list features by position or name"),
    ({"required_features": iter([1])}, "is no list; list features by position or name"),
    ({"required_features": ["f12"]}, "required_features[0]='f12' is no feature of X; did you mean 'f2'?"),
    (
        {"required_features": [0, "size"]},
        "required_features[1]='size' is no feature of X; its features are 'f0', ",
    ),
    (
        {"required_features": [0, 12]},
        "required_features[1]=12 is no feature of X, which has 12; positions run",
    ),
    ({"required_features": [-1]}, "required_features[0]=-1 is no feature of X"),
    ({"required_features": [1.0]}, "required_features[0]=1.0 is neither a position nor a name"),
    ({"required_features": [0, True]}, "required_features[1]=True is neither a position nor a name"),
    ({"required_features": [3, "f1", "f3"]}, "required_features[2] repeats feature 'f3' (position 3)"),
    ({"required_features": [True] * 3}, "required_features is a mask of 3 entries, but X has 12 features"),
    ({"start_from": "f1"}, "start_from='f1' is one text"),
    ({"start_from": ["nothing"]}, "start_from[0]='nothing' is no feature of X"),
    ({"start_from": [0], "required_features": [0, 4]}, "start_from leaves out feature 'f4' (position 4)"),
    ({"feature_groups": ["f1", "f2"]}, "feature_groups[0]='f1' is one text; give a list: ['f1']"),
    ({"feature_groups": [1, 2]}, "feature_groups[0]=1 is no list"),
    ({"feature_groups": [[1], []]}, "feature_groups[1] has no feature; leave the group out"),
    ({"feature_groups": [[1, "x"]]}, "feature_groups[0][1]='x' is no feature of X"),
    ({"feature_groups": [[1, 1]]}, "feature_groups[0][1] repeats feature 'f1'"),
    (
        {"feature_groups": [[1, 2], [3], [5, "f2"]]},
        "feature_groups[0] and feature_groups[2] both have feature 'f2' (position 2); make one group",
    ),
    (
        {"feature_groups": [[1, 2, 6]], "start_from": [0, 1, 6]},
        "start_from has only a part of a group of feature_groups: feature 'f2' (position 2) is not in it",
    ),
]

BACKWARD = [
    *COMMON,
    ({"tolerance": -1}, "tolerance=-1 must be an int of at least 0"),
    ({"tolerance": 1.0}, "or a float in (0, 1), which is a share of the validation part"),
    ({"tolerance": -0.1}, "tolerance=-0.1 must be an int of at least 0"),
    ({"tolerance": np.nan}, "tolerance=nan must be"),
    ({"tolerance": True}, "tolerance=True must be"),
    ({"tolerance": "1%"}, "tolerance='1%' must be"),
    ({"tolerance": None}, "tolerance=None must be"),
    ({"tolerance": 2, "floating": True}, "tolerance=2 does not go with floating=True"),
    ({"tolerance": 0.1, "floating": True}, "the search could go round for ever"),
    ({"parsimonious": "yes"}, "parsimonious='yes' must be True or False"),
    ({"min_features": -1}, "min_features=-1 must be an int of at least 0"),
    ({"min_features": 2.0}, "min_features=2.0 must be an int"),
    ({"min_features": None}, "min_features=None must be an int"),
    ({"min_features": 13}, "min_features=13 is more than the 12 features that the search starts from"),
    ({"min_features": 3, "start_from": [1, 2]}, "min_features=3 is more than the 2 features"),
]

FORWARD = [
    *COMMON,
    ({"max_features": -1}, "max_features=-1 must be None or an int of at least 0; None for no limit"),
    ({"max_features": 0.5}, "max_features=0.5 must be None or an int"),
    ({"max_features": 1, "start_from": [1, 2]}, "max_features=1 is fewer than the 2 features"),
    ({"max_features": 1, "required_features": [1, 2]}, "(start_from, required_features and their groups)"),
    (
        {"max_features": 2, "required_features": [1], "feature_groups": [[0, 1, 2]]},
        "fewer than the 3 features",
    ),
]

REFUSED = [
    *((BackwardEliminationSelector, *case) for case in BACKWARD),
    *((ForwardSelectionSelector, *case) for case in FORWARD),
]


@pytest.mark.parametrize(("Selector", "options", "words"), REFUSED, ids=lambda value: str(value)[:40])
def test_wrong_option_is_named_in_fit(noisy, Selector, options, words):
    selector = Selector(**options)
    with pytest.raises(ParameterError) as caught:
        selector.fit(*noisy)
    assert words in str(caught.value)
    assert not hasattr(selector, "tree_")


@pytest.mark.parametrize("tolerance", [0, 0.0, np.int64(2), np.float32(0.5), 1e-12])
def test_numbers_of_numpy_are_welcome(noisy, tolerance):
    backward(noisy, tolerance=tolerance, min_features=np.int64(1), parsimonious=np.True_)


@BOTH
def test_c45_growth_is_refused_with_its_reason(noisy, Selector):
    with pytest.raises(ParameterError, match="average-gain rule"):
        Selector(estimator=GreedyTreeClassifier(growth="c45")).fit(*noisy)


# Limits of time, the history and its drawing.


@BOTH
@pytest.mark.parametrize("strategy", ["incremental", "retrain"])
@pytest.mark.parametrize(
    ("limit", "status"),
    [({"time_limit": 1e-9}, "time_limit"), ({"callback": lambda progress: True}, "stopped")],
    ids=["time", "callback"],
)
def test_limit_hit_before_the_first_tree_leaves_the_first_tree(Selector, strategy, limit, status):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(4000, 120)), rng.integers(0, 2, 4000)
    selector = Selector(random_state=0, strategy=strategy, **limit).fit(X, y)
    assert selector.search_.status == status
    assert not selector.search_.success
    # A callback is first asked after a moment: the steps that a fast machine has made by then are kept.
    n_steps = len(selector.history_) - 1
    assert n_steps == 0 or "callback" in limit
    errors = selector.history_["errors"].tolist()
    assert errors == sorted(set(errors), reverse=True)
    assert selector.support_.sum() == (120 - n_steps if Selector is BackwardEliminationSelector else n_steps)
    rows = selector.validation_rows_
    assert selector.n_validation_errors_ == (selector.tree_.predict(X[rows]) != y[rows]).sum()
    assert selector.predict(X[:3]).shape == (3,)


@BOTH
def test_number_of_threads_changes_nothing(noisy, Selector):
    options = {"random_state": 0, "floating": True, "feature_groups": [[0, 3]]}
    one, two = (Selector(n_jobs=n_jobs, **options).fit(*noisy) for n_jobs in (1, 2))
    assert steps(one) == steps(two)
    assert one.n_trees_built_ == two.n_trees_built_


@BOTH
def test_history_becomes_a_frame_and_is_pickled(noisy, Selector):
    selector = Selector(random_state=0, floating=True).fit(*noisy)
    back = pickle.loads(pickle.dumps(selector))
    assert back.history_.tolist() == selector.history_.tolist()
    assert type(back.history_) is type(selector.history_)
    frame = selector.history_.to_frame()
    assert list(frame.columns) == list(selector.history_.dtype.names)
    assert frame["changed"].tolist() == selector.history_["changed"].tolist()
    assert selector.history_["step"].tolist() == list(range(len(frame)))


def test_features_can_be_followed_through_the_history(noisy):
    selector = backward(noisy, floating=True, parsimonious=True)
    present = {*range(12)}
    for record in selector.history_:
        present ^= {*record["changed"]}
        assert len(present) == record["n_features"]
    assert sorted(present) == selected(selector)


@BOTH
def test_history_can_be_drawn(noisy, Selector):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    selector = Selector(random_state=0).fit(*noisy)
    given = pyplot.figure().subplots()
    assert selector.plot(ax=given) is given
    drawn = selector.plot()
    assert drawn is not given
    np.testing.assert_array_equal(drawn.lines[0].get_ydata(), selector.history_["errors"])
    pyplot.close("all")


@BOTH
def test_parameters_of_the_usual_estimator_can_be_set(Selector):
    selector = Selector(random_state=0)
    assert selector.estimator is None
    copy = clone(selector).set_params(estimator__max_depth=2, random_state=1)
    assert copy.get_params()["estimator__max_depth"] == 2
    assert clone(copy).get_params(deep=False).keys() == selector.get_params(deep=False).keys()
    assert selector.estimator is None
    assert copy.set_params(estimator=None).estimator is None


@BOTH
def test_wrong_parameters_of_the_usual_estimator_are_named(Selector):
    selector = Selector()
    with pytest.raises(ValueError, match=r"Invalid parameter 'depth' for estimator GreedyTreeClassifier\(\)"):
        selector.set_params(estimator__depth=2)
    assert selector.estimator is None


@BOTH
def test_grid_search_reaches_the_usual_estimator(noisy, Selector):
    search = GridSearchCV(Selector(random_state=0), {"estimator__max_depth": [1, 2]}, cv=3).fit(*noisy)
    assert search.best_estimator_.refit_tree_.max_depth <= 2


@BOTH
def test_class_in_place_of_an_estimator_is_told(noisy, Selector):
    with pytest.raises(ParameterError, match=r"is the class.*add \(\): estimator=GreedyTreeClassifier\(\)"):
        Selector(estimator=GreedyTreeClassifier).fit(*noisy)
