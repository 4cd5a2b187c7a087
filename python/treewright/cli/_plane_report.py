"""Planes and trees of planes, as the command prints them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.cli._text import (
    columns,
    described,
    document,
    drawn,
    filled,
    joined,
    labelled,
    plural,
    seconds,
)

if TYPE_CHECKING:
    from treewright import Dataset, MultivariateTreeClassifier, RobustLinearClassifier
    from treewright.planes import LinearSplit, Verification
    from treewright.results import Record

MOST_WEIGHTS = 30
"""Weights of a plane that are printed."""

NO_ERROR = 1e-9
"""An error below it is what rounding leaves of none."""


def plane_report(
    name: str, dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None
) -> str:
    """Return the report: data, what the plane is worth, the plane, the path."""
    planes = zip(model.rounded_planes(dataset), model.plane_classes_.tolist(), strict=True)
    texts = ["\n".join(_plane(model, number, *plane)) for number, plane in enumerate(planes)]
    path = _path(model) if len(model.path_) else ()
    return joined([described(name, dataset), _facts(dataset, model, verified), *texts, *path])


def _facts(dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None) -> str:
    target, classes = labelled(dataset)
    n_wrong = int((model.predict(dataset) != np.array(classes, dtype=object)[target]).sum())
    share = 100 * n_wrong / dataset.n_samples
    lines = [
        _features(model),
        _error(model),
        f"{plural(n_wrong, 'row')} of {dataset.n_samples:,} on the wrong side ({share:.1f} %).",
        f"{plural(model.search_.n_searched, 'LP')} in {seconds(model.search_.elapsed)}.",
    ]
    if not model.search_.success:
        lines.append(model.search_.message)
    if verified is not None:
        claims = plural(len(verified.claims), "claim")
        lines.append(
            f"{claims} checked by certificates, all hold."
            if verified.holds
            else f"{claims} checked by certificates; SOME DO NOT HOLD."
        )
    return "\n".join(map(filled, lines))


def _features(model: RobustLinearClassifier) -> str:
    n_used = model.n_features_used_
    if not n_used and not model.search_.success:
        return "No feature is used: no plane was found before the search ended."
    if not n_used:
        return "No feature is used: no plane within the bound is better than none."
    counted = f"{plural(n_used, 'feature')} of {model.n_features_in_:,}"
    if model.selection != "bounded":
        return f"{counted}."
    if len(model.planes_) > 1:
        total = sum(len(plane.support) for plane in model.planes_)
        counted = f"{counted}, {total} over {plural(len(model.planes_), 'plane')}"
    if model.status_ == "optimal":
        return f"{counted}: proven to be the fewest within the bound."
    lower = math.ceil(model.lower_bound_ - 1e-9)
    return f"{counted}; at least {lower} {'is' if lower == 1 else 'are'} proven to be necessary."


def _error(model: RobustLinearClassifier) -> str:
    error, bound, least = map(_short, (model.error_, model.error_bound_, model.least_error_))
    allowed = f", at most {bound} allowed" if math.isfinite(model.error_bound_) else ""
    if math.isnan(model.least_error_):
        return f"Error {error}; the least with all features is not known."
    return f"Error {error}{allowed}; the least with all features is {least}."


def _short(error: float) -> str:
    return "0" if error < NO_ERROR else f"{error:.4g}"


def _plane(model: RobustLinearClassifier, number: int, split: LinearSplit, label: object) -> Iterator[str]:
    """Yield a plane as a sum, one line a weight, the largest in scaled units first."""
    others = [other for other in model.classes_.tolist() if other not in model.plane_classes_[: number + 1]]
    below = f"{others[0]}" if len(others) == 1 else "what follows"
    if not len(split.columns):
        constant = label if split.offset < 0 else below
        yield f"Always {constant}."
        return
    yield f"{label} if the sum is above {split.offset:g}, else {below}:"
    plane = model.planes_[number]
    size = np.abs(split.weights * plane.scaling.scale[split.columns])
    order = np.argsort(-size, kind="stable")
    lines = [
        (
            model.column_names_[split.columns[i]],
            f"{split.weights[i]:+.15g}",
            f"{split.weights[i] * plane.scaling.scale[split.columns[i]]:+.3g}",
        )
        for i in order[:MOST_WEIGHTS]
    ]
    table = columns(["feature", "weight", "a standard deviation adds"], lines)
    yield from (f"  {line}" for line in table.splitlines())
    if len(order) > MOST_WEIGHTS:
        yield f"  … {plural(len(order) - MOST_WEIGHTS, 'weight')} more; --json has all."


def _path(model: RobustLinearClassifier) -> tuple[str, str]:
    rows = model.path_.records()
    n_chosen = len(model.planes_[0].support)
    chosen = next((place for place, row in enumerate(rows) if row["n_used"] == n_chosen), None)
    cells = [(f"{row['n_features']}", f"{row['error']:.4f}", _percent(row)) for row in rows]
    marks = ["chosen" if place == chosen else "" for place in range(len(rows))]
    of = "" if len(model.planes_) == 1 else " for the first plane"
    title = f"Least error found{of} by number of features, and test errors of cross-validation:"
    return filled(title), _marked(["features", "error", "test error in %"], cells, marks)


def _marked(heads: Sequence[str], cells: Sequence[Sequence[str]], marks: Sequence[str]) -> str:
    """Write a table with a last column that says what is chosen."""
    lines = [(*line, mark) for line, mark in zip(cells, marks, strict=True)]
    return columns([*heads, ""], lines, left=[len(heads)])


def _percent(row: Record) -> str:
    if math.isnan(row["test_error"]):
        return "-"
    return f"{100 * row['test_error']:.1f} ± {100 * row['standard_error']:.1f}"


def plane_document(
    name: str, dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None
) -> str:
    """Return all of it as JSON, with the tree that the planes are."""
    planes = zip(model.plane_classes_.tolist(), model.coef_, model.intercept_.tolist(), strict=True)
    facts = {
        "features": [dataset.feature_names[feature] for feature in model.support_],
        "n_features_used": model.n_features_used_,
        "error": model.error_,
        "error_bound": model.error_bound_,
        "least_error": model.least_error_,
        "lower_bound": model.lower_bound_,
        "status": model.status_,
        "message": model.search_.message,
        "n_lps": model.search_.n_searched,
        "seconds": model.search_.elapsed,
        "planes": [
            {
                "class": label,
                "weights": {model.column_names_[i]: float(coef[i]) for i in np.flatnonzero(coef)},
                "intercept": intercept,
            }
            for label, coef, intercept in planes
        ],
        "path": model.path_,
        "trace": model.trace_,
        "tree": model.to_tree(dataset),
    }
    if verified is not None:
        facts["verified"] = {"holds": verified.holds, "claims": verified.claims}
    return document("plane", name, dataset, facts)


def tree_report(name: str, dataset: Dataset, model: MultivariateTreeClassifier, show_depth: int) -> str:
    """Return the report of a tree: its splits, their features, what pruning said."""
    per_split = " and ".join(map(str, model.n_features_per_split_.tolist()))
    counts = [
        f"{plural(model.n_splits_, 'split')}" + (f" with {per_split} features" if per_split else ""),
        f"{plural(model.n_features_used_, 'different feature')}, cost {model.cost_}",
    ]
    ended = [] if model.search_.success else [model.search_.message]
    facts = "\n".join(map(filled, ["; ".join(counts) + ".", *ended]))
    path = model.pruning_path_.records()
    cells = [
        (f"{row['n_splits']}", f"{row['cost']}", f"{100 * row['error']:.1f}", _percent(row)) for row in path
    ]
    marks = ["chosen" if row["alpha"] == model.alpha_ else "" for row in path]
    table = _marked(["splits", "cost", "error in %", "test error in %"], cells, marks)
    title = "Trees that pruning leads to, and test errors of cross-validation:"
    tree = drawn(model.rounded_tree_, show_depth, "Tree of planes:")
    return joined([described(name, dataset), facts, title, table, tree])


def tree_document(name: str, dataset: Dataset, model: MultivariateTreeClassifier) -> str:
    """Return the tree and what is known of it as JSON."""
    facts = {
        "n_splits": model.n_splits_,
        "n_features_per_split": model.n_features_per_split_.tolist(),
        "n_features_used": model.n_features_used_,
        "cost": model.cost_,
        "alpha": model.alpha_,
        "status": model.status_,
        "message": model.search_.message,
        "seconds": model.search_.elapsed,
        "pruning": model.pruning_path_,
        "tree": model.tree_,
    }
    return document("plane-tree", name, dataset, facts)
