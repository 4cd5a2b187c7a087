"""Pruning rules as users meet them: in an estimator, on a tree that is there, explained."""

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

import treewright
from treewright import (
    DataError,
    Dataset,
    DataTypeError,
    FixedDepthTreeClassifier,
    GreedyTreeClassifier,
    MinimalTreeClassifier,
    ParameterError,
    Tree,
    datasets,
    export_text,
    pruning,
)
from treewright.pruning import (
    CostComplexityPruning,
    ErrorBasedPruning,
    EstimatorPruning,
    MinimumErrorPruning,
    NaiveErrorPruning,
    ObservedErrorPruning,
    PessimisticPruning,
    PublishedEvolvedPruning,
    ReducedErrorPruning,
    TunedErrorBasedPruning,
    explain_pruning,
    prune,
)


def laplace(c, n):
    return (n - c + 1) / (n + 2)


RULES = [
    ObservedErrorPruning(),
    NaiveErrorPruning(),
    ErrorBasedPruning(),
    ErrorBasedPruning(confidence=0.1, grafting=False, limit="weka"),
    TunedErrorBasedPruning(cv=3),
    TunedErrorBasedPruning(confidences=(0.1, 0.4), cv=3, grafting=True, limit="exact"),
    PublishedEvolvedPruning(),
    PublishedEvolvedPruning(slack=0.02),
    PessimisticPruning(),
    ReducedErrorPruning(),
    CostComplexityPruning(),
    CostComplexityPruning(alpha="cv", cv=3),
    MinimumErrorPruning(m=3),
    EstimatorPruning("(e + 1) / (n + 2)"),
    EstimatorPruning(laplace, slack=0.01),
]
WITHOUT_ROWS = [
    rule
    for rule in RULES
    if not (
        getattr(rule, "grafting", False)
        or isinstance(rule, TunedErrorBasedPruning | ReducedErrorPruning)
        or getattr(rule, "alpha", 0) == "cv"
    )
]


def name_of(rule):
    return re.sub(" at 0x[0-9a-f]+", "", repr(rule).replace("Pruning", ""))[:50]


@pytest.fixture(scope="module")
def cancer():
    return load_breast_cancer(return_X_y=True)


@pytest.fixture(scope="module")
def noisy():
    """Nominal and numeric columns with gaps, weights that are no whole numbers, three classes."""
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {
            "colour": pd.Categorical(rng.choice(["red", "green", "blue"], 240)),
            "size": rng.normal(size=240).round(1),
            "shape": rng.choice(["round", "long"], 240),
        }
    )
    y = np.where(frame["size"] + (frame["colour"] == "red") + rng.normal(scale=0.8, size=240) > 0.5, "b", "a")
    y[rng.random(240) < 0.1] = "c"
    frame.loc[rng.random(240) < 0.15, "size"] = np.nan
    frame.loc[rng.random(240) < 0.15, "colour"] = None
    return frame, y, rng.integers(1, 8, 240) / 4


# As parameters ---------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_rule_is_a_small_estimator(rule):
    copy = clone(rule)
    assert copy is not rule
    assert repr(copy) == repr(rule)
    assert copy.get_params() == rule.get_params()
    assert repr(copy.set_params(**rule.get_params())) == repr(rule)
    assert pickle.loads(pickle.dumps(rule)).get_params() == rule.get_params()


def test_text_says_what_is_not_usual():
    assert repr(ErrorBasedPruning()) == "ErrorBasedPruning()"
    assert repr(ErrorBasedPruning(confidence=0.1)) == "ErrorBasedPruning(confidence=0.1)"
    assert repr(EstimatorPruning("e / n")) == "EstimatorPruning(f='e / n')"


def test_grid_search_reaches_the_rule(cancer):
    model = GreedyTreeClassifier(pruning=ErrorBasedPruning())
    grid = {"pruning__confidence": [0.05, 0.25], "pruning__grafting": [True, False]}
    search = GridSearchCV(model, grid, cv=3).fit(*cancer)
    assert search.best_params_["pruning__confidence"] in (0.05, 0.25)
    assert search.best_estimator_.pruning_.confidence == search.best_params_["pruning__confidence"]


def test_grid_search_compares_rules(cancer):
    rules = [None, ErrorBasedPruning(), EstimatorPruning("(e + 1) / (n + 2)")]
    search = GridSearchCV(GreedyTreeClassifier(), {"pruning": rules}, cv=3).fit(*cancer)
    assert search.best_params_["pruning"] in rules


WRONG = [
    (ErrorBasedPruning(confidence=0), ["confidence=0 ", "below 1"]),
    (ErrorBasedPruning(confidence=1), ["confidence=1 ", "below 1"]),
    (ErrorBasedPruning(confidence=True), ["confidence=True"]),
    (ErrorBasedPruning(confidence="0.1"), ["confidence='0.1'"]),
    (ErrorBasedPruning(grafting=1), ["grafting=1", "True or False"]),
    (ErrorBasedPruning(limit="c50"), ["limit='c50'", "'c45', 'weka', 'exact' or 'wilson'"]),
    (TunedErrorBasedPruning(confidences=()), ["confidences=()", "one or more"]),
    (TunedErrorBasedPruning(confidences=0.1), ["confidences=0.1", "sequence"]),
    (TunedErrorBasedPruning(confidences=(0.1, 2)), ["confidences[1]=2", "below 1"]),
    (TunedErrorBasedPruning(cv=1), ["cv=1 ", "at least 2"]),
    (TunedErrorBasedPruning(cv=None), ["cv=None"]),
    (TunedErrorBasedPruning(random_state="a"), ["random_state='a'"]),
    (TunedErrorBasedPruning(limit=None), ["limit=None"]),
    (PublishedEvolvedPruning(slack=-1), ["slack=-1", "at least 0"]),
    (ReducedErrorPruning(share=1), ["share=1 ", "below 1"]),
    (ReducedErrorPruning(random_state=-1), ["random_state=-1"]),
    (CostComplexityPruning(alpha=-1), ["alpha=-1", "'cv'"]),
    (CostComplexityPruning(alpha="auto"), ["alpha='auto'", "'cv'"]),
    (CostComplexityPruning(alpha=float("nan")), ["alpha=nan"]),
    (CostComplexityPruning(alpha="cv", cv=0), ["cv=0"]),
    (MinimumErrorPruning(m=-2), ["m=-2"]),
    (EstimatorPruning(3), ["f=3", "(n - c + 1) / (n + 2)"]),
    (EstimatorPruning("e / n", slack=None), ["slack=None"]),
    ("error_base", ["pruning='error_base'", "'error_based'"]),
    (ErrorBasedPruning, ["is a class", "ErrorBasedPruning()"]),
]


@pytest.mark.parametrize(("rule", "words"), WRONG, ids=lambda value: str(value)[:45])
def test_what_cannot_be_is_refused_before_the_data(rule, words):
    model = GreedyTreeClassifier(pruning=rule)
    with pytest.raises(ParameterError) as caught:
        model.fit([[float("inf")]], [0])
    for word in words:
        assert word in str(caught.value)
    with pytest.raises(ParameterError):
        prune(GreedyTreeClassifier().fit([[0.0], [1.0]], [0, 1]).tree_, rule)


# Estimates as text -----------------------------------------------------------------------

MISTAKES = [
    ("(n - c + 1) / (n + k)", "'k' at character 20 is not known"),
    ("foo(c)", "'foo' at character 1 is no function"),
    ("  sqrt(c, n)", "'sqrt(c, n)' at character 1 does not fit: sqrt takes one argument"),
    ("max(c)", "max takes two arguments or more"),
    ("sqrt(x=c)", "sqrt takes one argument"),
    ("min(*c)", "min takes two arguments"),
    ("c +", "cannot be read at its end"),
    ("c; n", "cannot be read at character 2"),
    ("c if n else 1", "is no arithmetic"),
    ("c < n", "is no arithmetic"),
    ("c.real", "is no arithmetic"),
    ("c[0]", "is no arithmetic"),
    ("lambda: c", "is no arithmetic"),
    ("[c for c in n]", "is no arithmetic"),
    ("__import__('os').system('true')", "is no function"),
    ("c ^ 2", "has an operator that is not known"),
    ("c // n", "has an operator that is not known"),
    ("~c", "has an operator that is not known"),
    ("'c'", "is no number"),
    ("True", "is no number"),
    ("1j", "is no number"),
    ("1" + "0" * 400, "too large"),
    ("c" + "+c" * 1500, "at most 2000"),
    ("(" * 900 + "c" + ")" * 900, "brackets|parentheses"),
    ("", "cannot be read at its end"),
]


@pytest.mark.parametrize(("text", "message"), MISTAKES, ids=lambda text: text[:30])
def test_expression_is_refused_where_it_is_wrong(text, message):
    with pytest.raises(ParameterError, match=message.replace("(", r"\(").replace(")", r"\)")):
        GreedyTreeClassifier(pruning=EstimatorPruning(text)).fit([[0.0], [1.0]], [0, 1])


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("e / n", lambda c, n: (n - c) / n),
        ("(n - c + 1)\n / (n + 2)", laplace),
        ("tanh(e / n) ** 2 + 1 / sqrt(n)", lambda c, n: np.tanh((n - c) / n) ** 2 + 1 / np.sqrt(n)),
        ("max(e, 0.5, -c) / +n", lambda c, n: np.maximum(n - c, 0.5) / n),
        ("min(log(n), pi) - abs(c)", lambda c, n: np.minimum(np.log(n), np.pi) - np.abs(c)),
        ("2", lambda c, n: np.full(len(c), 2.0)),
    ],
)
def test_expression_is_the_function_that_it_writes(cancer, text, function):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    assert prune(tree, EstimatorPruning(text)) == prune(tree, EstimatorPruning(function))


def test_estimates_without_a_number_prune_nothing(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    assert prune(tree, EstimatorPruning("log(-n)")).n_nodes == tree.n_nodes
    assert prune(tree, EstimatorPruning("1 / (n - n)")).n_nodes == tree.n_nodes


def test_function_is_asked_once_with_weights_above_zero(cancer):
    asked = []

    def estimate(c, n):
        asked.append((c, n))
        return (n - c) / n

    prune(GreedyTreeClassifier().fit(*cancer).tree_, EstimatorPruning(estimate))
    [(c, n)] = asked
    assert (c > 0).all()
    assert (n >= c).all()


@pytest.mark.parametrize("f", [lambda c, n: c[:1], lambda c, n: "no", lambda c, n: c * 1j])
def test_function_that_gives_no_number_a_node_is_refused(cancer, f):
    with pytest.raises(ParameterError, match="one real number for each"):
        GreedyTreeClassifier(pruning=EstimatorPruning(f)).fit(*cancer)


# In the estimator ------------------------------------------------------------------------


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_every_rule_prunes_mixed_weighted_data_with_gaps(noisy, rule):
    X, y, weights = noisy
    full = GreedyTreeClassifier(class_weight="balanced").fit(X, y, weights)
    model = GreedyTreeClassifier(class_weight="balanced", pruning=rule).fit(X, y, weights)
    assert 1 <= model.tree_.n_nodes <= full.tree_.n_nodes
    assert model.tree_.estimates.shape == (model.tree_.n_nodes,)
    shares = model.predict_proba(X)
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(X))
    again = clone(model).fit(Dataset(X, y, sample_weight=weights))
    assert again.tree_ == model.tree_
    assert Tree.from_json(model.tree_.to_json()) == model.tree_
    assert pickle.loads(pickle.dumps(model)).tree_ == model.tree_


@pytest.mark.parametrize("missing", ["distribution", "most_frequent", "value"])
@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_every_rule_prunes_under_every_policy(noisy, rule, missing):
    X, y, _ = noisy
    model = GreedyTreeClassifier(missing=missing, pruning=rule).fit(X, y)
    full = GreedyTreeClassifier(missing=missing).fit(X, y).tree_
    assert model.tree_.n_nodes < full.n_nodes
    assert model.tree_.routing == full.routing


@pytest.mark.parametrize("rule", WITHOUT_ROWS, ids=name_of)
def test_fit_prunes_as_prune_does(noisy, rule):
    X, y, weights = noisy
    model = GreedyTreeClassifier(pruning=rule).fit(X, y, weights)
    assert prune(GreedyTreeClassifier().fit(X, y, weights).tree_, rule) == model.tree_


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_prune_with_the_training_samples_does_what_fit_does(noisy, rule):
    X, y, weights = noisy
    if isinstance(rule, ReducedErrorPruning):
        pytest.skip("it has other samples for that")
    model = GreedyTreeClassifier(class_weight={"a": 2.5}, pruning=rule).fit(X, y, weights)
    tree = GreedyTreeClassifier(class_weight={"a": 2.5}).fit(X, y, weights).tree_
    assert prune(tree, rule, X, y, weights, estimator=model) == model.tree_


@pytest.mark.parametrize("rule", RULES, ids=name_of)
def test_threads_do_not_matter(noisy, rule):
    X, y, weights = noisy
    one, two = (GreedyTreeClassifier(pruning=rule, n_jobs=n).fit(X, y, weights) for n in (1, 2))
    assert one.tree_ == two.tree_


def test_chosen_parameters_are_told(cancer):
    tuned = GreedyTreeClassifier(pruning=TunedErrorBasedPruning(cv=5)).fit(*cancer)
    assert isinstance(tuned.pruning_, ErrorBasedPruning)
    assert tuned.pruning_.confidence in TunedErrorBasedPruning().confidences
    assert not tuned.pruning_.grafting
    assert clone(tuned).set_params(pruning=tuned.pruning_).fit(*cancer).tree_ == tuned.tree_
    priced = GreedyTreeClassifier(pruning=CostComplexityPruning(alpha="cv", cv=5)).fit(*cancer)
    assert priced.pruning_.alpha >= 0
    assert clone(priced).set_params(pruning=priced.pruning_).fit(*cancer).tree_ == priced.tree_
    assert GreedyTreeClassifier().fit(*cancer).pruning_ is None


def test_confidence_is_chosen_as_a_grid_search_does(cancer):
    X, y = cancer
    grid = [0.01, 0.1, 0.25, 0.5]
    cv = list(KFold(4, shuffle=True, random_state=1).split(X))
    tuned = GreedyTreeClassifier(pruning=TunedErrorBasedPruning(confidences=grid, cv=cv)).fit(X, y)
    model = GreedyTreeClassifier(pruning=ErrorBasedPruning(grafting=False))
    errors = []
    for confidence in grid:
        model.set_params(pruning__confidence=confidence)
        errors.append(sum((clone(model).fit(X[a], y[a]).predict(X[b]) != y[b]).sum() for a, b in cv))
    tied = [c for c, n in zip(grid, errors, strict=True) if n == min(errors)]
    assert tuned.pruning_.confidence == min(tied, key=lambda c: (abs(c - 0.25), c))


def test_weights_count_in_the_choice(cancer):
    X, y = cancer
    weights = np.where(y == 1, 0.25, 4.0)
    rule = TunedErrorBasedPruning(confidences=(0.001, 0.5), cv=KFold(3))
    weighted = GreedyTreeClassifier(pruning=rule).fit(X, y, weights)
    by_class = GreedyTreeClassifier(pruning=rule, class_weight={0: 4.0, 1: 0.25}).fit(X, y)
    assert weighted.tree_ == by_class.tree_


def test_seeds_draw_other_samples(cancer):
    trees = {
        GreedyTreeClassifier(pruning=ReducedErrorPruning(random_state=seed)).fit(*cancer).tree_
        for seed in range(4)
    }
    assert len(trees) > 1
    same = [GreedyTreeClassifier(pruning=ReducedErrorPruning()).fit(*cancer).tree_ for _ in range(2)]
    assert same[0] == same[1]


def test_reduced_error_keeps_the_weights_of_the_samples_that_grew_the_tree(cancer):
    tree = GreedyTreeClassifier(pruning=ReducedErrorPruning(share=0.25)).fit(*cancer).tree_
    assert tree.weight[0] == 569 - round(569 * 0.25)


@pytest.mark.parametrize("rule", [TunedErrorBasedPruning(), CostComplexityPruning(alpha="cv")], ids=name_of)
def test_cross_validation_needs_two_samples_of_a_class(rule):
    with pytest.raises(DataError, match="no class has two samples"):
        GreedyTreeClassifier(pruning=rule).fit([[0.0], [1.0]], [0, 1])


def test_reduced_error_needs_two_samples():
    with pytest.raises(DataError, match="at least 2 samples"):
        GreedyTreeClassifier(pruning=ReducedErrorPruning()).fit([[0.0]], [0])


@pytest.mark.parametrize(
    "rule", [CostComplexityPruning(alpha="cv", cv=5), ReducedErrorPruning()], ids=name_of
)
def test_pruning_undoes_what_noise_grew(rule):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] > 0) ^ (rng.random(400) < 0.2)
    full, pruned = (
        cross_val_score(GreedyTreeClassifier(pruning=pruning), X, y, cv=5).mean() for pruning in (None, rule)
    )
    assert pruned > full + 0.05


def test_id3_and_limits_of_growth_go_with_pruning():
    data = datasets.load("tic-tac-toe")
    full = GreedyTreeClassifier.id3().fit(data).tree_
    pruned = GreedyTreeClassifier.id3(pruning=ErrorBasedPruning()).fit(data).tree_
    assert pruned.n_nodes < full.n_nodes
    shallow = GreedyTreeClassifier(max_depth=3, pruning=PessimisticPruning()).fit(data).tree_
    assert shallow.max_depth <= 3


# On a tree that is there -----------------------------------------------------------------


def test_estimates_stay_with_the_tree(cancer):
    tree = GreedyTreeClassifier(pruning=PessimisticPruning()).fit(*cancer).tree_
    right = tree.class_weights[np.arange(tree.n_nodes), tree.node_class]
    is_leaf = tree.n_children == 0
    expected = (tree.weight - right + 0.5) / tree.weight
    np.testing.assert_allclose(tree.estimates[is_leaf], expected[is_leaf])
    root = np.average(tree.estimates[is_leaf], weights=tree.weight[is_leaf])
    assert tree.estimates[0] == pytest.approx(root)
    assert GreedyTreeClassifier().fit(*cancer).tree_.estimates is None


def test_text_shows_estimates_on_request():
    X, y = load_iris(return_X_y=True)
    tree = GreedyTreeClassifier(pruning=PessimisticPruning()).fit(X, y).tree_
    plain, shown = export_text(tree), export_text(tree, show_estimates=True)
    assert len(plain.splitlines()) == len(shown.splitlines())
    assert plain != shown


def test_tree_itself_does_not_change(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    before = tree.to_json()
    prune(tree, ErrorBasedPruning(), *cancer)
    prune(tree, ReducedErrorPruning(), *cancer)
    assert tree.to_json() == before


def test_other_samples_are_counted_in_place_of_the_own(cancer):
    X, y = cancer
    tree = GreedyTreeClassifier().fit(X[:300], y[:300]).tree_
    pruned = prune(tree, PessimisticPruning(), X[300:], y[300:])
    assert pruned.weight[0] == 269
    assert tree.weight[0] == 300


def test_reduced_error_errs_least_on_its_samples(cancer):
    X, y = cancer
    tree = GreedyTreeClassifier().fit(X[:300], y[:300]).tree_
    found = explain_pruning(tree, ReducedErrorPruning(), X[300:], y[300:])
    assert found.tree == prune(tree, ReducedErrorPruning(), X[300:], y[300:])
    assert found.errors_after == (found.tree.predict(X[300:]) != y[300:]).sum()
    assert found.errors_before == (tree.predict(X[300:]) != y[300:]).sum()
    assert found.errors_after <= found.errors_before
    assert found.tree.n_nodes < tree.n_nodes
    for rule in (PessimisticPruning(), ObservedErrorPruning()):
        assert found.errors_after <= (prune(tree, rule).predict(X[300:]) != y[300:]).sum()


@pytest.mark.parametrize(
    ("rule", "remedy"),
    [
        (ErrorBasedPruning(), "grafting=False"),
        (ReducedErrorPruning(), "as X and y"),
        (TunedErrorBasedPruning(), "estimator"),
        (CostComplexityPruning(alpha="cv"), "estimator"),
    ],
    ids=name_of,
)
def test_what_a_rule_lacks_is_named(cancer, rule, remedy):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    with pytest.raises(ParameterError, match=remedy) as caught:
        prune(tree, rule)
    assert type(rule).__name__ in str(caught.value)


@pytest.mark.parametrize("rule", [TunedErrorBasedPruning(), CostComplexityPruning(alpha="cv")], ids=name_of)
def test_samples_alone_do_not_say_how_to_grow(cancer, rule):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    with pytest.raises(ParameterError, match="estimator"):
        prune(tree, rule, *cancer)


def test_what_is_no_tree_is_refused_with_a_remedy(cancer):
    model = GreedyTreeClassifier().fit(*cancer)
    other = DecisionTreeClassifier().fit(*cancer)
    for wrong, remedy in ((model, "model.tree_"), (other, "from_sklearn"), ("tree.json", "from_json")):
        with pytest.raises(DataTypeError, match=remedy):
            prune(wrong, PessimisticPruning())


def test_arguments_that_do_not_fit_are_refused(cancer):
    X, y = cancer
    tree = GreedyTreeClassifier().fit(X, y).tree_
    with pytest.raises(ParameterError, match="rule=None"):
        prune(tree, None)
    with pytest.raises(DataError, match="y is given, but X is None"):
        prune(tree, PessimisticPruning(), y=y)
    with pytest.raises(DataError, match="sample_weight is given"):
        prune(tree, PessimisticPruning(), sample_weight=y)
    with pytest.raises(DataError, match="y is None"):
        prune(tree, PessimisticPruning(), X)
    with pytest.raises(DataError, match="y is None"):
        prune(tree, PessimisticPruning(), Dataset(X))
    with pytest.raises(DataError, match="has the class 7"):
        prune(tree, PessimisticPruning(), X[:3], [0, 1, 7])
    with pytest.raises(DataError, match="features"):
        prune(tree, PessimisticPruning(), X[:, :3], y)
    with pytest.raises(ParameterError, match="GreedyTreeClassifier"):
        prune(tree, TunedErrorBasedPruning(), X, y, estimator=tree)


def test_samples_may_lack_a_class_or_come_in_a_data_set(cancer):
    X, y = cancer
    tree = GreedyTreeClassifier().fit(X, y).tree_
    assert prune(tree, PessimisticPruning(), X[y == 1], y[y == 1]).n_nodes == 1
    as_data = prune(tree, ErrorBasedPruning(), Dataset(X, y, sample_weight=np.arange(569) % 3))
    assert as_data == prune(tree, ErrorBasedPruning(), X, y, np.arange(569) % 3)


def test_trees_of_other_engines_are_pruned():
    monks = datasets.load("monks-1")
    listed = MinimalTreeClassifier().fit(monks).tree_
    assert prune(listed, CostComplexityPruning(alpha=100)).n_nodes == 1
    text = str(explain_pruning(listed, ErrorBasedPruning(), monks))
    assert "a1 = 1" in text
    policy = FixedDepthTreeClassifier(max_depth=3).fit(monks).tree_
    pruned = prune(policy, CostComplexityPruning(alpha=200), monks)
    assert pruned.n_nodes < policy.n_nodes
    assert pruned.weight[0] == 432


def test_trees_of_scikit_learn_are_pruned(cancer):
    X, y = cancer
    tree = Tree.from_sklearn(DecisionTreeClassifier(random_state=0).fit(X, y))
    for rule in WITHOUT_ROWS:
        assert prune(tree, rule, X, y) == prune(tree, rule)
    grafted = prune(tree, ErrorBasedPruning(), X, y)
    assert 1 < grafted.n_nodes < tree.n_nodes


def test_planes_are_told_in_words():
    document = json.loads(GreedyTreeClassifier(max_depth=1).fit(datasets.load("iris")).tree_.to_json())
    nodes = document["nodes"]
    nodes["kind"][0], nodes["test"][0], nodes["threshold"][0] = "linear", 0, None
    document["planes"] = [{"weights": [[0, 1.0], [2, -0.25]], "offset": 3.5}]
    text = str(explain_pruning(Tree.from_json(json.dumps(document)), PessimisticPruning()))
    assert "1*sepal length (cm) - 0.25*petal length (cm) > 3.5" in text


# By price --------------------------------------------------------------------------------


def test_path_is_that_of_weakest_links(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    path = CostComplexityPruning.path(tree)
    assert path["alpha"][0] == 0
    assert (np.diff(path["alpha"]) > 0).all()
    assert (np.diff(path["n_nodes"]) < 0).all()
    assert path["n_nodes"][-1] == 1
    assert path.to_frame().shape == (len(path), 4)
    for alpha, row in zip(path["alpha"], path, strict=True):
        assert prune(tree, CostComplexityPruning(alpha=alpha)).n_nodes == row["n_nodes"]


def test_price_converts_to_the_scale_of_scikit_learn(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    rule = CostComplexityPruning(alpha=2)
    assert rule.to_ccp_alpha(tree) == 2 / 569
    assert CostComplexityPruning.from_ccp_alpha(2 / 569, tree).alpha == pytest.approx(2)
    with pytest.raises(ParameterError, match="pruning_"):
        CostComplexityPruning(alpha="cv").to_ccp_alpha(tree)
    with pytest.raises(ParameterError, match="ccp_alpha=-1"):
        CostComplexityPruning.from_ccp_alpha(-1, tree)


# By the m-estimate -----------------------------------------------------------------------


def test_m_estimate_is_that_of_the_class_that_a_leaf_predicts(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    for m in (0, 2, 50):
        leaf = explain_pruning(tree, MinimumErrorPruning(m=m)).nodes["leaf_estimate"]
        for node in range(tree.n_nodes):
            k, n = tree.node_class[node], tree.weight[node]
            prior = tree.class_weights[0, k] / tree.weight[0]
            expected = 1 - (tree.class_weights[node, k] + m * prior) / (n + m)
            assert leaf[node] == pytest.approx(expected)


def test_more_weight_of_the_root_prunes_more(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    sizes = [prune(tree, MinimumErrorPruning(m=m)).n_nodes for m in (0, 2, 20, 500)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] < sizes[0]


# Explained -------------------------------------------------------------------------------


def test_explanation_lists_every_node(cancer):
    tree = GreedyTreeClassifier().fit(*cancer).tree_
    found = explain_pruning(tree, PessimisticPruning())
    nodes = found.nodes
    assert len(nodes) == tree.n_nodes
    assert found.tree == prune(tree, PessimisticPruning())
    assert (nodes["new_node"] >= 0).sum() == found.tree.n_nodes
    assert set(nodes["action"]) == {"kept", "cut", "below", "leaf"}
    is_cut = nodes["action"] == "cut"
    assert (nodes["leaf_estimate"][is_cut] <= nodes["subtree_estimate"][is_cut] + 1e-12).all()
    is_kept = nodes["action"] == "kept"
    assert (nodes["leaf_estimate"][is_kept] > nodes["subtree_estimate"][is_kept]).all()
    assert np.isnan(nodes["subtree_estimate"][tree.n_children == 0]).all()
    assert len(found.to_frame()) == tree.n_nodes


def test_grafts_are_told(noisy):
    X, y, weights = noisy
    tree = GreedyTreeClassifier().fit(X, y, weights).tree_
    found = explain_pruning(tree, ErrorBasedPruning(confidence=0.5), X, y, weights)
    assert "grafted" in found.nodes["action"]
    assert "largest branch" in str(found)


def test_explanation_reads_well():
    X, y = load_iris(return_X_y=True)
    tree = GreedyTreeClassifier(max_depth=3).fit(X, y).tree_
    lines = str(explain_pruning(tree, PessimisticPruning())).splitlines()
    assert lines[0].startswith("PessimisticPruning(): ")
    assert lines[3].split() == ["weight", "errors", "as", "leaf", "as", "tree"]
    assert any("stays" in line for line in lines)
    assert any(": cut, 2 nodes below" in line for line in lines)
    nothing = explain_pruning(tree, EstimatorPruning("log(-n)"))
    assert "nothing to prune" in str(nothing)


def test_rules_and_functions_are_public():
    assert treewright.pruning is pruning
    assert all(hasattr(pruning, name) for name in pruning.__all__)
    with pytest.raises(AttributeError):
        treewright.ErrorBasedPruning  # noqa: B018
