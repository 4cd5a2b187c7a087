"""Studies: small runs of every comparison, their tables, texts and frames."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from functools import partial as case
from typing import Any

import numpy as np

from benches.snapshot import data, facts
from treewright import GreedyTreeClassifier
from treewright.pruning import ErrorBasedPruning, PessimisticPruning
from treewright.studies import (
    compare_fixed_depth,
    compare_greedy,
    compare_planes,
    compare_pruning,
    compare_ranks,
    compare_selection,
    study_distinct_trees,
)
from treewright.tables import DecisionTable

NAME = "study"


def reported(study: Any) -> facts.Facts:
    """Return the table of a study, and its texts without columns of times."""
    table = study.table()
    timeless = replace(table, columns=[column for column in table.columns if not facts.is_time(column)])
    told = {
        "table": facts.table(table),
        "text": facts.masked_text(timeless.to_text()),
        "narrow": facts.masked_text(timeless.to_text(60)),
        "latex": facts.masked_text(timeless.to_latex()),
        "repr": facts.masked_text(repr(study)),
    }
    if hasattr(study, "status"):
        told["status"] = study.status
    return told


def settings(make: Any, *names: str, **options: Any) -> facts.Facts:
    """Return the settings that a study keeps, as texts, since some are objects."""
    kept = make(*names, **options).settings
    return {name: repr(value) for name, value in sorted(kept.items())}


@cache
def selection(*names: str, **options: Any) -> Any:
    """Compare selections."""
    return compare_selection(list(names), cv=3, progress=False, **{"repeats": 1, **options})


def of_selection(*names: str, **options: Any) -> facts.Facts:
    """Say all about a comparison of selections."""
    found = selection(*names, **options)
    return {
        **reported(found),
        "data": found.data_sets,
        "methods": found.methods,
        "folds": found.per_fold,
        "summary": found.summary,
        "frame": found.to_frame(),
    }


@cache
def distinct(name: str, **options: Any) -> Any:
    """Study distinct trees, without limits of time."""
    given = {"cv": 3, "max_grown": 10, "search_time_limit": None, **options}
    return study_distinct_trees(data.named(name), progress=False, **given)


def of_distinct(name: str, **options: Any) -> facts.Facts:
    """Say all about a study of distinct trees."""
    found = distinct(name, **options)
    return {
        **reported(found),
        "sizes": [found.name, found.n_samples, found.n_features],
        "orders": found.orders,
        "methods": found.methods,
        "counts": found.counts,
        "distribution": found.distribution,
        "exhaustive": found.exhaustive,
        "folds": found.per_fold,
        "errors": found.errors,
        "frame": found.to_frame(),
    }


@cache
def greedy(**options: Any) -> Any:
    """Compare greedy heuristics on random tables."""
    return compare_greedy(progress=False, **{"n_tables": 40, "n_rows": 20, "n_features": 5, **options})


def of_greedy(found: Any) -> facts.Facts:
    """Say all about a comparison of greedy heuristics."""
    return {
        **reported(found),
        "costs": list(found.costs),
        "heuristics": [list(one) for one in found.heuristics],
        "best": {cost: [list(one) for one in found.best(cost)] for cost in found.costs},
        "differences": found.differences,
        "least": found.minima,
        "means": found.means,
        "mean": found.mean,
        "error": found.std_error,
        "ranks": found.ranks,
        "asked": [found.n_asked, found.n_tables, found.is_random],
        "frame": found.to_frame(),
    }


def of_random_tables(**options: Any) -> facts.Facts:
    """Compare greedy heuristics on random tables."""
    return of_greedy(greedy(**options))


def of_own_tables() -> facts.Facts:
    """Compare greedy heuristics on tables of one's own."""
    tables = [DecisionTable.from_data(data.named(f"monks-{i}")) for i in (1, 2, 3)]
    return of_greedy(compare_greedy(tables, progress=False))


@cache
def fixed_depth(*names: str, **options: Any) -> Any:
    """Compare trees of fixed depth."""
    given = {"cv": 3, "repeats": 1, "depths": (1, 2), "search_time_limit": None, **options}
    return compare_fixed_depth(list(names), progress=False, **given)


def of_fixed_depth(*names: str, **options: Any) -> facts.Facts:
    """Say all about a comparison of trees of fixed depth; of times only how many there are."""
    found = fixed_depth(*names, **options)
    return {
        **reported(found),
        "data": found.data_sets,
        "methods": found.methods,
        "folds": found.per_fold,
        "summary": found.summary,
        "averages": found.averages,
        "tests": found.tests,
        "timed": [len(found.times), len(found.scaling)],
        "frame": found.to_frame(),
    }


@cache
def planes(*names: str, **options: Any) -> Any:
    """Compare planes."""
    given = {"cv": 3, "methods": ("rlp", "fm_rlp_swap", "rlp_p", "c45", "path_p"), "n_features": 3, **options}
    return compare_planes([data_set(name) for name in names], progress=False, **given)


def data_set(name: str) -> Any:
    """Return what a study takes as data: a name, or ``(X, y)``."""
    return data.numbers() if name == "numbers" else name


def of_planes(*names: str, **options: Any) -> facts.Facts:
    """Say all about a comparison of planes."""
    found = planes(*names, **options)
    return {
        **reported(found),
        "data": found.data_sets,
        "methods": found.methods,
        "absent": found.absent,
        "folds": found.per_fold,
        "summary": found.summary,
        "against": found.against_path,
        "frame": found.to_frame(),
    }


@cache
def pruning(*names: str, rules: str = "paper", **options: Any) -> Any:
    """Compare pruning rules on named sets, or on generated ones if there are no names."""
    given = dict(options)
    if rules != "paper":
        given["rules"] = RULES[rules]
    if names:
        given = {"cv": 3, "repeats": 1, **given}
    return compare_pruning(list(names) or None, progress=False, **given)


def of_pruning(*names: str, **options: Any) -> facts.Facts:
    """Say all about a comparison of pruning rules."""
    found = pruning(*names, **options)
    return {
        **reported(found),
        "data": found.data_sets,
        "methods": found.methods,
        "reference": found.reference,
        "folds": found.per_fold,
        "summary": found.summary,
        "ranks": of_ranks(found.ranks()),
        "frame": found.to_frame(),
    }


def of_ranks(found: Any) -> facts.Facts:
    """Say all about a comparison of ranks."""
    return {
        **reported(found),
        "methods": found.methods,
        "ranks": found.ranks,
        "deviations": found.rank_std,
        "sets": found.n_sets,
        "test": [found.statistic, found.p_value, found.level],
        "reference": found.reference,
        "tests": found.tests,
        "distance": found.critical_difference,
        "differ": found.differ,
    }


def ranks(n_sets: int, n_methods: int, **options: Any) -> facts.Facts:
    """Compare ranks of errors that are drawn."""
    errors = np.random.default_rng(1).uniform(size=(n_sets, n_methods)).round(2)
    errors[:, 0] += 0.3
    return of_ranks(compare_ranks(errors, **options))


RULES: dict[str, Any] = {
    "many": [
        "none",
        "observed",
        "naive",
        "error_based_no_grafting",
        "error_based",
        "pessimistic",
        "minimum_error",
        "cost_complexity_cv",
    ],
    "own": {"all": None, "half": ErrorBasedPruning(confidence=0.5), "p": PessimisticPruning()},
    "engine": [
        "none",
        "observed",
        "naive",
        "error_based_no_grafting",
        "published",
        "published_slack",
        "pessimistic",
    ],
}
SPLIT_16 = GreedyTreeClassifier(min_samples_split=16)
GINI = GreedyTreeClassifier(criterion="gini", max_depth=4)
EVERY = ("top", "backward", "forward", "complete")

CASES = {
    "selection/iris,wine": case(of_selection, "iris", "wine"),
    "selection/wine/every-method": case(of_selection, "wine", methods=EVERY, estimator=SPLIT_16, repeats=2),
    "selection/hepatitis/growing": case(of_selection, "hepatitis", estimator=GINI, validation_set=0.4),
    "selection/iris/n_jobs=2": case(of_selection, "iris", n_jobs=2),
    "distinct/wine": case(of_distinct, "wine", min_samples_split=(16, 32)),
    "distinct/iris/every-method": case(
        of_distinct, "iris", methods=("top", "backward", "complete"), repeats=2
    ),
    "distinct/heart-c/orders": case(
        of_distinct, "heart-c", min_samples_split=64, orders=("index", "index_descending"), methods=("top",)
    ),
    "greedy/random": of_random_tables,
    "greedy/random/seed=4": case(of_random_tables, random_state=4, n_values=2, n_tables=20),
    "greedy/random/n_jobs=2": case(of_random_tables, n_jobs=2),
    "greedy/own": of_own_tables,
    "fixed-depth/monks-3,iris": case(of_fixed_depth, "monks-3", "iris"),
    "fixed-depth/vote/bins": case(
        of_fixed_depth, "heart-c", n_bins=3, id3_depth=2, repeats=2, class_prior=0.5
    ),
    "fixed-depth/monks-1/timed": case(of_fixed_depth, "monks-1", time_searches=True),
    "planes/wdbc": case(of_planes, "wdbc"),
    "planes/numbers/every-method": case(
        of_planes,
        "numbers",
        methods=("rlp", "fm_rlp", "rlp_p", "fm_rlp_p", "fm_rlp_p_swap", "path", "l1_logistic"),
    ),
    "planes/numbers/k": case(of_planes, "numbers", methods=("path", "l1_svm_k", "rfe_svm_k"), repeats=2),
    "pruning/vote,monks-1": case(of_pruning, "vote", "monks-1"),
    "pruning/vote/many-rules": case(of_pruning, "vote", rules="many", reference="naive"),
    "pruning/iris/own-rules": case(of_pruning, "iris", rules="own", estimator=GreedyTreeClassifier()),
    "pruning/paper_table": case(of_pruning, generator="paper_table", n_sets=120),
    "pruning/paper_text/rules": case(of_pruning, generator="paper_text", n_sets=60, rules="engine"),
    "pruning/paper_table/n_jobs=2": case(of_pruning, generator="paper_table", n_sets=60, n_jobs=2),
    "settings/selection": case(settings, selection, "iris", "wine"),
    "settings/distinct": case(settings, distinct, "wine", min_samples_split=(16, 32)),
    "settings/greedy": case(settings, greedy),
    "settings/fixed-depth": case(settings, fixed_depth, "monks-3", "iris"),
    "settings/planes": case(settings, planes, "wdbc"),
    "settings/pruning": case(settings, pruning, "vote", "monks-1"),
    "settings/pruning,generated": case(settings, pruning, generator="paper_table", n_sets=120),
    "ranks/many": case(ranks, 12, 4),
    "ranks/named": case(ranks, 20, 3, methods=["a", "b", "c"], reference="a", level=0.1),
    "ranks/two": case(ranks, 8, 2),
}
