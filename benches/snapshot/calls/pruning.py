"""Pruning: every rule, on trees that are there and within growing; what was cut and why."""

from __future__ import annotations

from functools import cache
from functools import partial as case
from typing import Any

from benches.snapshot import data, facts
from treewright import FixedDepthTreeClassifier, GreedyTreeClassifier, Tree
from treewright.evolution import LearnedPruning
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

NAME = "prune"

RULES = {
    "error-based": ErrorBasedPruning(),
    "error-based,no-grafting": ErrorBasedPruning(grafting=False),
    "error-based,confidence=0.05": ErrorBasedPruning(confidence=0.05),
    "error-based,limit=weka": ErrorBasedPruning(limit="weka"),
    "error-based,limit=exact": ErrorBasedPruning(limit="exact", grafting=False),
    "error-based,limit=wilson": ErrorBasedPruning(limit="wilson"),
    "naive": NaiveErrorPruning(),
    "observed": ObservedErrorPruning(),
    "pessimistic": PessimisticPruning(),
    "minimum-error": MinimumErrorPruning(),
    "minimum-error,m=10": MinimumErrorPruning(m=10),
    "cost-complexity": CostComplexityPruning(),
    "cost-complexity,alpha=2.5": CostComplexityPruning(alpha=2.5),
    "cost-complexity,cv": CostComplexityPruning(alpha="cv", cv=5),
    "reduced-error": ReducedErrorPruning(),
    "reduced-error,share=0.5": ReducedErrorPruning(share=0.5, random_state=4),
    "tuned": TunedErrorBasedPruning(),
    "tuned,grafting": TunedErrorBasedPruning(
        confidences=(0.01, 0.1, 0.4), cv=3, grafting=True, random_state=2
    ),
    "published": PublishedEvolvedPruning(),
    "published,slack": PublishedEvolvedPruning(slack=0.02),
    "estimator": EstimatorPruning("(e + sqrt(e + 1)) / n"),
    "estimator,slack": EstimatorPruning("(n - c + 1) / (n + 2)", slack=0.01),
    "estimator,function": EstimatorPruning(lambda c, n: (n - c + 1) / n),
    "learned": LearnedPruning("((n - c) + 0.5) / n"),
    "learned,paper_table": LearnedPruning.preset("paper_table"),
}
NEEDS_GROWING = ("cost-complexity,cv", "tuned", "tuned,grafting")
NEEDS_ROWS = ("reduced-error", "reduced-error,share=0.5")


@cache
def grown(name: str) -> Tree:
    """Return a full tree of a named set."""
    return GreedyTreeClassifier().fit(data.named(name)).tree_


def in_growing(rule: str, given: Any, **params: Any) -> facts.Facts:
    """Grow and prune in one go, and say what the rule chose."""
    sample = data.of(given() if callable(given) else given)
    model = GreedyTreeClassifier(pruning=RULES[rule], **params).fit(*sample)
    told = facts.classifier(model, sample[0])
    return {**told, "estimates": model.tree_.estimates, "rule": chosen(model.pruning_)}


def chosen(rule: Any) -> facts.Facts:
    """Return the parameters of a rule, those that can be stored."""
    return {name: value for name, value in rule.get_params().items() if not callable(value)}


def afterwards(rule: str, name: str, *rows: str, **options: Any) -> facts.Facts:
    """Prune a tree that is there."""
    pruned = prune(grown(name), RULES[rule], *(data.named(one) for one in rows), **options)
    return {"tree": facts.tree(pruned), "estimates": pruned.estimates}


def explained(rule: str, name: str, *rows: str, **options: Any) -> facts.Facts:
    """Say what was cut of a tree."""
    found = explain_pruning(grown(name), RULES[rule], *(data.named(one) for one in rows), **options)
    return {
        "nodes": found.nodes,
        "text": str(found),
        "errors": [found.errors_before, found.errors_after],
        "sizes": facts.sizes(found.tree),
    }


def alpha_path() -> facts.Facts:
    """List the prunings by cost complexity, and convert prices."""
    tree = grown("heart-c")
    rule = CostComplexityPruning(alpha=3.0)
    return {
        "own weights": CostComplexityPruning.path(tree),
        "of other rows": CostComplexityPruning.path(tree, data.named("heart-c/2")),
        "price": rule.to_ccp_alpha(tree),
        "back": CostComplexityPruning.from_ccp_alpha(0.01, tree).alpha,
    }


def fixed_depth() -> facts.Facts:
    """Prune a tree that holds probabilities, by samples."""
    rows = data.named("monks-3")
    tree = FixedDepthTreeClassifier().fit(rows).tree_
    return facts.tree(prune(tree, PessimisticPruning(), rows))


def of_scikit_learn() -> facts.Facts:
    """Prune a tree of scikit-learn."""
    from sklearn.tree import DecisionTreeClassifier

    X, y = data.numbers()
    model = DecisionTreeClassifier(random_state=0).fit(X, y)
    return facts.tree(prune(Tree.from_sklearn(model), ErrorBasedPruning(), X, y))


CASES = {
    **{f"growing/heart-c/{rule}": case(in_growing, rule, "heart-c") for rule in RULES},
    "growing/mixed/error-based": case(in_growing, "error-based", data.mixed),
    "growing/mixed/published": case(in_growing, "published", data.mixed),
    "growing/mixed/reduced-error,balanced": case(
        in_growing, "reduced-error", data.mixed, class_weight="balanced"
    ),
    "growing/vote/tuned,n_jobs=2": case(in_growing, "tuned", "vote", n_jobs=2),
    **{
        f"afterwards/hepatitis/{rule}": case(afterwards, rule, "hepatitis", "hepatitis")
        for rule in RULES
        if rule not in NEEDS_GROWING
    },
    **{
        f"afterwards/hepatitis/{rule}": case(
            afterwards, rule, "hepatitis", "hepatitis", estimator=GreedyTreeClassifier()
        )
        for rule in NEEDS_GROWING
    },
    "afterwards/crx/no-rows,pessimistic": case(afterwards, "pessimistic", "crx"),
    "afterwards/crx/no-rows,error-based": case(afterwards, "error-based,no-grafting", "crx"),
    "afterwards/crx/other-rows,naive": case(afterwards, "naive", "crx", "crx/3"),
    "explain/iris/error-based": case(explained, "error-based", "iris", "iris"),
    "explain/heart-c/no-rows": case(explained, "error-based,no-grafting", "heart-c"),
    "explain/hepatitis/error-based": case(explained, "error-based", "hepatitis", "hepatitis"),
    "explain/vote/reduced-error": case(explained, "reduced-error", "vote", "vote/2"),
    "explain/crx/tuned": case(
        explained, "tuned", "crx", "crx", estimator=GreedyTreeClassifier(min_samples_branch=2)
    ),
    "explain/wine/learned": case(explained, "learned,paper_table", "wine"),
    "path/heart-c": alpha_path,
    "fixed-depth/monks-3": fixed_depth,
    "scikit-learn/numbers": of_scikit_learn,
}
