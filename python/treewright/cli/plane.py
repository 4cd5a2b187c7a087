"""`treewright plane`: a plane with the fewest features, or a tree of such planes."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
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
from treewright.cli._running import fitted
from treewright.cli._signature import given
from treewright.cli._source import Reading

if TYPE_CHECKING:
    from treewright.results import ResultTable

PLANE = "treewright.RobustLinearClassifier"
ONE_PLANE = ("prove", "verify", "picture", "numbers")
"""What goes with one plane only, not with --depth."""


@click.command(
    "plane",
    cls=Command,
    short_help="Part classes by a plane of the fewest features.",
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
        *("perturbation", "selection", "error_slack", "error_floor", "n_features", "search", "prove", "cv"),
        "one_standard_error",
        section="Search",
    ).values(),
    *parameter_options("treewright.MultivariateTreeClassifier", "max_depth", section="Search").values(),
    *parameter_options(PLANE, "time_limit", "n_jobs", section="Search").values(),
    output_option("--verify", is_flag=True, help="Check every claim by its certificate, and say so."),
)
@takes_output(
    "Write all of it to a JSON file, with the tree for `treewright predict`.",
    "as_json",
    "show_depth",
    picture="Draw the path, the weights, and with 2 or 3 features the rows: a .png, .pdf or .svg file.",
    numbers="Write the path to a CSV file.",
)
def plane(
    data: str,
    reading: Reading,
    selection: str | None,
    prove: float | None,
    max_depth: int | None,
    verify: bool,
    output: Output,
    **search: object,
) -> int:
    """Part the classes of DATA by a plane that uses few features.

    The error of a plane counts how far rows are on the wrong side of it, the
    mean of each class alike. Of all planes whose error is within a bound, one
    of as few features as possible is looked for. With more than two classes,
    one after the other is split off.
    """
    from treewright import MultivariateTreeClassifier, RobustLinearClassifier
    from treewright.cli._plane_report import plane_document, plane_report, tree_document, tree_report

    _check(max_depth, selection)
    asked = given(**search)
    if selection is not None:
        asked["selection"] = None if selection == "none" else selection
    dataset = reading.load(data)
    use = f"The tree is in {{out}}; {IS_USED}"
    if max_depth is not None:
        tree = MultivariateTreeClassifier(max_depth=max_depth, **asked)
        code = fitted(tree, dataset)
        output.give(
            document=lambda: tree_document(data, dataset, tree),
            text=lambda: tree_report(data, dataset, tree, output.show_depth),
            use=use,
        )
        return code
    model = RobustLinearClassifier(**asked, **given(prove=prove))
    code = fitted(model, dataset)
    verified = model.verify(dataset) if verify else None
    output.give(
        document=lambda: plane_document(data, dataset, model, verified),
        text=lambda: plane_report(data, dataset, model, verified),
        plot=lambda: model.plot(dataset),
        csv=lambda: _as_csv(model.path_),
        use=use,
    )
    return code


def _check(depth: int | None, selection: str | None) -> None:
    """Refuse options that have no meaning together, or would be passed over."""
    named = [name for name in ONE_PLANE if is_named(name)]
    if depth is not None and named:
        option = spelling(named[0])
        raise click.UsageError(f"{option} is about one plane and does not go with --depth; leave it out.")
    if "numbers" in named and selection != "path":
        raise click.UsageError("--csv writes the path, so it needs --selection path.")
    if "prove" in named and selection in ("path", "none"):
        raise click.UsageError(f"--prove does not go with --selection {selection}; nothing is claimed there.")
    if depth is None and is_named("show_depth"):
        raise click.UsageError("--show-depth is about a tree of planes, so it needs --depth.")
    for name in ("one_standard_error", "cv"):
        if depth is None and selection != "path" and is_named(name):
            raise click.UsageError(
                f"{spelling(name)} is about cross-validation, so it needs --selection path or --depth."
            )


def _as_csv(table: ResultTable) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.dtype.names or ())
    writer.writerows(table.tolist())
    return text.getvalue()
