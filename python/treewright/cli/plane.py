"""`treewright plane`: a plane with the fewest features, or a tree of such planes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from treewright._base.shown import SIDES, lone_cut, shown_number, shown_text, shown_values
from treewright._base.wording import shortened
from treewright.cli._command import Command
from treewright.cli._growing import takes_classes
from treewright.cli._labels import with_labels
from treewright.cli._options import (
    is_named,
    options,
    output_option,
    parameter_options,
    spelling,
    takes_data,
    takes_output,
)
from treewright.cli._output import IS_USED, Output
from treewright.cli._running import DONE, Interruption, ProgressLine
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading
from treewright.cli._text import (
    Shown,
    as_csv,
    columns,
    described,
    document,
    drawn,
    filled,
    joined,
    n_errors,
    plural,
    seconds,
)

if TYPE_CHECKING:
    from treewright import Dataset, MultivariateTreeClassifier, RobustLinearClassifier
    from treewright.planes import LinearSplit, Verification
    from treewright.results import Record

PLANE = "treewright.RobustLinearClassifier"
ONE_PLANE = ("error", "prove", "verify", "picture", "numbers")
"""What goes with one plane only, not with --depth."""
OF_TREE = {
    "class_weight": "the error of a plane counts both classes alike, whatever they weigh; --cost-matrix says "
    "which errors matter more",
    "probability": "a plane tells no probabilities",
    "smoothing": "a plane tells no probabilities",
}
"""What goes with --depth only, and why."""


@click.command(
    "plane",
    cls=Command,
    first=(
        "target",
        "drop",
        "selection",
        "n_features",
        "error_slack",
        "max_depth",
        "prove",
        "time_limit",
        "verify",
        "picture",
        "out",
        "as_json",
    ),
    examples=(
        "treewright plane wdbc --perturbation 0.02 --prove 30",
        "treewright plane table.csv --target class --selection path --plot path.png",
        "treewright plane iris --perturbation 0.02 --depth 2 --out tree.json",
    ),
)
@takes_data()
@options(
    *parameter_options(PLANE, "missing", section="Data").values(),
    *parameter_options(
        PLANE,
        *(
            "error",
            "perturbation",
            "selection",
            "error_slack",
            "error_floor",
            "n_features",
            "search",
            "prove",
        ),
        *("cv", "one_standard_error"),
        section="Search",
    ).values(),
    *parameter_options("treewright.MultivariateTreeClassifier", "max_depth", section="Search").values(),
    *parameter_options(PLANE, "time_limit", "n_jobs", section="Search").values(),
    takes_classes,
    output_option(
        "--verify", is_flag=True, help=("Check every claim by its certificate, and print the result.")
    ),
)
@takes_output(
    "Write the result to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "show_depth",
    "progress",
    picture="Draw the path, the weights, and with 2 or 3 features the rows: a .png, .pdf or .svg file.",
    numbers="Write the path to a CSV file.",
)
def plane(
    data: str,
    reading: Reading,
    answering: Given,
    selection: str | None,
    prove: float | None,
    max_depth: int | None,
    verify: bool,
    output: Output,
    **search: object,
) -> int:
    """Find a linear separator of the classes that uses few features.

    The error of a plane is the mean distance of the rows on its wrong side,
    summed over the two classes; with --error misclassified it is the number of
    these rows. The search finds a plane within a bound on the
    error with as few features as possible. With more than two classes, the
    classes are split off one after the other. With --depth the result is an
    oblique decision tree.
    """
    from treewright import MultivariateTreeClassifier, RobustLinearClassifier

    asked = given(**search)
    _check(max_depth, selection, asked)
    if selection is not None:
        asked["selection"] = None if selection == "none" else selection
    dataset = reading.load(data)
    asked |= with_labels(answering, dataset)
    use = f"The tree is in {{out}}; {IS_USED}"
    if max_depth is not None:
        tree = MultivariateTreeClassifier(max_depth=max_depth, **asked)
        code = _fitted(tree, dataset, output.progress)
        output.give(
            document=lambda: _tree_document(data, dataset, tree),
            text=lambda: _tree_report(data, dataset, tree, output.shown),
            use=use,
        )
        return code
    model = RobustLinearClassifier(**asked, **given(prove=prove))
    code = _fitted(model, dataset, output.progress)
    verified = model.verify(dataset) if verify else None
    output.give(
        document=lambda: _plane_document(data, dataset, model, verified),
        text=lambda: _plane_report(data, dataset, model, verified),
        plot=lambda: model.plot(dataset),
        csv=lambda: as_csv(model.path_.dtype.names or (), model.path_.tolist()),
        use=use,
    )
    return code


def _check(depth: int | None, selection: str | None, search: Given) -> None:
    """Refuse options that have no meaning together, or would be passed over."""
    named = [name for name in ONE_PLANE if is_named(name)]
    if depth is not None and named:
        option = spelling(named[0])
        raise click.UsageError(f"{option} is about one plane and does not go with --depth; leave it out.")
    if "numbers" in named and selection != "path":
        raise click.UsageError("--csv writes the path, so it needs --selection path.")
    counts = search.get("error") == "misclassified"
    if "prove" in named and selection in ("path", "none") and not counts:
        raise click.UsageError(f"--prove does not go with --selection {selection}; nothing is claimed there.")
    if depth is None and is_named("show_depth"):
        raise click.UsageError("--show-depth is about a tree of planes, so it needs --depth.")
    for name, why in OF_TREE.items():
        if depth is None and is_named(name):
            raise click.UsageError(f"{spelling(name)} needs --depth: {why}.")
    for name in ("one_standard_error", "cv"):
        if depth is None and selection != "path" and is_named(name):
            raise click.UsageError(
                f"{spelling(name)} is about cross-validation, so it needs --selection path or --depth."
            )


def _fitted(
    model: RobustLinearClassifier | MultivariateTreeClassifier, dataset: Dataset, progress: bool
) -> int:
    """Fit an estimator that keeps its best at Ctrl-C; return how the command ends."""
    with Interruption() as interruption, ProgressLine(progress, "LPs", "at best") as line:
        try:
            model.set_params(callback=line).fit(dataset)
        except KeyboardInterrupt:
            if not hasattr(model, "search_"):
                raise
            return interruption.exit_code
    return DONE


MOST_WEIGHTS = 30
"""Weights of a plane that are printed."""

FACTS = ("n_features_used", "error", "error_bound", "least_error", "lower_bound", "status")
"""Attributes of a plane that go into the document as they are."""

NO_ERROR = 1e-9
"""An error below it is what rounding leaves of none."""


def _plane_report(
    name: str, dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None
) -> str:
    """Return the report: data, what the plane is worth, the plane, the path."""
    path = _path(model) if len(model.path_) else ()
    return joined(
        [described(name, dataset), _facts(dataset, model, verified), *_planes(model, dataset), *path]
    )


def _planes(model: RobustLinearClassifier, dataset: Dataset) -> Iterator[str]:
    """Yield what every plane says; of those that use no feature, what all of them say together."""
    silent: list[object] = []
    last = next(label for label in model.classes_.tolist() if label not in model.plane_classes_.tolist())
    planes = zip(model.rounded_planes(dataset), model.plane_classes_.tolist(), strict=True)
    for number, (split, label) in enumerate(planes):
        if len(split.columns):
            yield "\n".join(_plane(model, dataset, number, split, label))
        elif split.offset < 0:
            name = shown_values([label])[0]
            yield f"Always {name}." if len(silent) == number else f"All else is {name}."
            return
        else:
            silent.append(label)
    if len(silent) == len(model.plane_classes_):
        yield f"Always {last}."
    elif silent:
        yield filled(f"No plane splits off {shortened(silent)}, so no row is given this answer.")


def _facts(dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None) -> str:
    n_wrong = n_errors(model.predict(dataset).tolist(), dataset)
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
        lines.append(_verified(model, verified))
    return "\n".join(map(filled, lines))


def _verified(model: RobustLinearClassifier, verified: Verification) -> str:
    by, but = "by certificates", ""
    if model.error == "misclassified":
        by, but = "on the rows", " That no plane is better has no certificate."
    claims = plural(len(verified.claims), "claim")
    return f"{claims} checked {by}{', all hold' if verified.holds else '; SOME DO NOT HOLD'}.{but}"


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
    if model.error == "misclassified":
        return _misclassified(model)
    error, bound, least = map(_short, (model.error_, model.error_bound_, model.least_error_))
    allowed = f", at most {bound} allowed" if math.isfinite(model.error_bound_) else ""
    if math.isnan(model.least_error_):
        return f"Error {error}; the least with all features is not known."
    return f"Error {error}{allowed}; the least with all features is {least}."


def _misclassified(model: RobustLinearClassifier) -> str:
    """Return what the error is if it counts rows, and what is proven of it."""
    told, bound = f"Error: {_wrong(model, model.error_)}", model.error_bound_
    n_planes = len(model.planes_)
    if n_planes > 1:
        told = f"{told}, summed over {n_planes} planes, so that a row may count more than once"
    least = f"; the least found with all features is {model.least_error_:.12g}"
    if math.isnan(model.least_error_):
        return f"{told}."
    if model.selection == "bounded":
        return f"{told}, at most {bound:.12g} allowed{least}."
    if model.status_ == "optimal":
        most = "" if model.selection is None else " with so many features"
        return f"{told}: proven to be the least{most}{' for each plane' if n_planes > 1 else ''}."
    return f"{told}; at least {model.lower_bound_:.12g} is proven to be necessary."


def _wrong(model: RobustLinearClassifier, error: float) -> str:
    """Write the weight of misclassified rows."""
    if model.cost_matrix is not None:
        return f"misclassified rows cost {error:.12g}"
    if error == int(error):
        return plural(int(error), "misclassified row")
    return f"misclassified rows weigh {error:.12g}"


def _short(error: float) -> str:
    return "0" if error < NO_ERROR else f"{error:.4g}"


def _plane(
    model: RobustLinearClassifier, dataset: Dataset, number: int, split: LinearSplit, label: object
) -> Iterator[str]:
    """Yield a plane as a sum, one line for each weight, the largest in scaled units first.

    A plane over one number is a cut of it.
    """
    names = dict(zip(model.classes_.tolist(), shown_values(model.classes_.tolist()), strict=True))
    others = [other for other in names if other not in model.plane_classes_[: number + 1]]
    below = names[others[0]] if len(others) == 1 else "what follows"
    plane = model.planes_[number]
    cut = lone_cut(float(split.weights[0]), split.offset) if len(split.weights) == 1 else None
    if cut is not None and dataset.levels[int(plane.support[0])] is None:
        name, sign = shown_text(model.column_names_[split.columns[0]]), SIDES[True, split.weights[0] < 0]
        yield f"{names[label]} if {name} {sign} {shown_number(cut)}, else {below}."
        return
    yield f"{names[label]} if the sum is above {shown_number(split.offset)}, else {below}:"
    size = abs(split.weights * plane.scaling.scale[split.columns])
    order = (-size).argsort(kind="stable")
    lines = [
        (
            shown_text(model.column_names_[split.columns[i]]),
            f"{'' if split.weights[i] < 0 else '+'}{shown_number(split.weights[i])}",
            f"{split.weights[i] * plane.scaling.scale[split.columns[i]]:+.3g}",
        )
        for i in order[:MOST_WEIGHTS]
    ]
    table = columns(["feature", "weight", "change per std. deviation"], lines)
    yield from (f"  {line}" for line in table.splitlines())
    if len(order) > MOST_WEIGHTS:
        yield f"  … {plural(len(order) - MOST_WEIGHTS, 'weight')} more; --json has all."


def _path(model: RobustLinearClassifier) -> tuple[str, str]:
    rows, measure = model.path_.records(), Measure(model.cost_matrix is not None)
    n_chosen = len(model.planes_[0].support)
    chosen = next((place for place, row in enumerate(rows) if row["n_used"] == n_chosen), None)
    counts = model.error == "misclassified"
    told = [_counted(row) if counts else (f"{row['error']:.4f}",) for row in rows]
    cells = [(f"{row['n_features']}", *own, measure.tested(row)) for row, own in zip(rows, told, strict=True)]
    heads = ["misclassified", "at least"] if counts else ["error"]
    marks = ["chosen" if place == chosen else "" for place in range(len(rows))]
    of = "" if len(model.planes_) == 1 else " for the first plane"
    least = "Least error found, the misclassified rows," if counts else "Least error found"
    title = f"{least}{of} by number of features, and test {measure.many} of cross-validation:"
    return filled(title), _marked(["features", *heads, f"test {measure.head}"], cells, marks)


def _counted(row: Record) -> tuple[str, str]:
    """Write the misclassified rows of a path, and the proven lower bound."""
    return f"{row['error']:.12g}", f"{row['bound']:.12g}"


def _marked(heads: Sequence[str], cells: Sequence[Sequence[str]], marks: Sequence[str]) -> str:
    """Write a table with a last column that says what is chosen."""
    lines = [(*line, mark) for line, mark in zip(cells, marks, strict=True)]
    return columns([*heads, ""], lines, left=[len(heads)])


@dataclass(frozen=True)
class Measure:
    """What planes are compared by: shares of errors in percent, or what answers cost on the mean."""

    is_cost: bool

    @property
    def head(self) -> str:
        """Return the head of a column."""
        return "cost of a row" if self.is_cost else "error in %"

    @property
    def many(self) -> str:
        """Return the word for all of them."""
        return "costs" if self.is_cost else "errors"

    def told(self, value: float) -> str:
        """Write a value."""
        return f"{value:.4g}" if self.is_cost else f"{100 * value:.1f}"

    def tested(self, row: Record) -> str:
        """Write the value of cross-validation with its standard error."""
        if math.isnan(row["test_error"]):
            return "-"
        return f"{self.told(row['test_error'])} ± {self.told(row['standard_error'])}"


def _plane_document(
    name: str, dataset: Dataset, model: RobustLinearClassifier, verified: Verification | None
) -> str:
    """Return all of it as JSON, with the tree that the planes are."""
    planes = zip(model.plane_classes_.tolist(), model.coef_, model.intercept_.tolist(), strict=True)
    facts = {
        "features": [dataset.feature_names[feature] for feature in model.support_],
        "error_measure": model.error,
        **{name: getattr(model, f"{name}_") for name in FACTS},
        "message": model.search_.message,
        "n_lps": model.search_.n_searched,
        "seconds": model.search_.elapsed,
        "planes": [
            {
                "class": label,
                "weights": {model.column_names_[i]: float(coef[i]) for i in coef.nonzero()[0]},
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


def _tree_report(name: str, dataset: Dataset, model: MultivariateTreeClassifier, shown: Shown) -> str:
    """Return the report of a tree: its splits, their features, what pruning said."""
    per_split = " and ".join(map(str, model.n_features_per_split_.tolist()))
    counts = [
        f"{plural(model.n_splits_, 'split')}" + (f" with {per_split} features" if per_split else ""),
        f"{plural(model.n_features_used_, 'different feature')}, cost {model.cost_}",
    ]
    ended = [] if model.search_.success else [model.search_.message]
    facts = "\n".join(map(filled, ["; ".join(counts) + ".", *ended]))
    path, measure = model.pruning_path_.records(), Measure(model.cost_matrix is not None)
    cells = [
        (f"{row['n_splits']}", f"{row['cost']}", measure.told(row["error"]), measure.tested(row))
        for row in path
    ]
    marks = ["chosen" if row["alpha"] == model.alpha_ else "" for row in path]
    table = _marked(["splits", "cost", measure.head, f"test {measure.head}"], cells, marks)
    title = f"Pruned trees, and their test {measure.many} in cross-validation:"
    tree = drawn(model.rounded_tree_, shown, "Tree of planes:")
    return joined([described(name, dataset), facts, title, table, tree])


def _tree_document(name: str, dataset: Dataset, model: MultivariateTreeClassifier) -> str:
    """Return the tree and what is known of it as JSON."""
    facts = {
        "n_splits": model.n_splits_,
        "n_features_per_split": model.n_features_per_split_.tolist(),
        **{name: getattr(model, f"{name}_") for name in ("n_features_used", "cost", "alpha", "status")},
        "message": model.search_.message,
        "seconds": model.search_.elapsed,
        "pruning": model.pruning_path_,
        "tree": model.tree_,
    }
    return document("plane-tree", name, dataset, facts)
