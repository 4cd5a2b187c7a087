"""`treewright plane`: a plane with the fewest features, or a tree of such planes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from treewright.cli._files import checked_out, write_whole
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    options,
    out_option,
    output_option,
    parameter_option,
    parameter_options,
    takes_source,
)
from treewright.cli._pictures import (
    checked_picture,
    drawn,
    prepare_drawing,
)
from treewright.cli._progress import fitted
from treewright.cli._sections import Command
from treewright.cli._source import Source

if TYPE_CHECKING:
    from treewright import Dataset

PLANE = "treewright.RobustLinearClassifier"
ONE_PLANE = ("prove", "verify", "picture", "table")
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
@takes_source
@options(
    parameter_option(PLANE, "missing", section="Data"),
    *parameter_options(
        PLANE,
        "perturbation",
        "selection",
        "error_slack",
        "error_floor",
        "n_features",
        "search",
        "prove",
        "cv",
        "one_standard_error",
        section="Search",
    ).values(),
    parameter_option("treewright.MultivariateTreeClassifier", "max_depth", section="Search"),
    *parameter_options(PLANE, "time_limit", "n_jobs", section="Search").values(),
    out_option("Write a tree of the planes to a JSON file, for `treewright predict`."),
    output_option(
        "--plot",
        "picture",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_picture,
        help="Draw the path, the weights, and with 2 or 3 features the rows: a .png, .pdf or .svg file.",
    ),
    output_option(
        "--csv",
        "table",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_out,
        help="Write the path to a CSV file.",
    ),
    output_option("--verify", is_flag=True, help="Check every claim by its certificate, and say so."),
    JSON,
    SHOW_DEPTH,
)
def plane(
    source: Source,
    selection: str | None,
    prove: float | None,
    max_depth: int | None,
    out: Path | None,
    picture: Path | None,
    table: Path | None,
    verify: bool,
    as_json: bool,
    show_depth: int,
    **given: Any,
) -> int:
    """Part the classes of DATA by a plane that uses few features.

    The error of a plane counts how far rows are on the wrong side of it, the
    mean of each class alike. Of all planes whose error is within a bound, one
    of as few features as possible is looked for. With more than two classes,
    one after the other is split off.

    DATA is a CSV file (gzip-compressed or not) or the name of a set that
    `treewright datasets` lists.
    """
    own = {"prove": prove, "picture": picture, "table": table, "verify": verify or None}
    depth, asked = max_depth, {name: value for name, value in given.items() if value is not None}
    if selection is not None:
        asked["selection"] = None if selection == "none" else selection
    _check(depth, own, selection)
    _check_needed(depth, selection)
    if picture is not None:
        prepare_drawing()
    dataset = source.load()
    code = _learn(source.data, dataset, asked, own, depth, out, as_json, show_depth)
    if out is not None:
        click.echo(f"\nThe tree is in {out}; `treewright predict {out} DATA` uses it.", err=as_json)
    return code


def _learn(
    name: str,
    dataset: Dataset,
    asked: dict[str, Any],
    own: dict[str, Any],
    depth: int | None,
    out: Path | None,
    as_json: bool,
    show_depth: int,
) -> int:
    from treewright.cli._plane_report import tree_document, tree_report

    if depth is None:
        code = _one_plane(name, dataset, asked, own, out, as_json)
    else:
        from treewright import MultivariateTreeClassifier

        model = MultivariateTreeClassifier(max_depth=depth, **asked)
        code = fitted(model, dataset)
        if out is not None:
            write_whole(out, model.tree_.to_json() + "\n")
        click.echo(
            tree_document(dataset, model) if as_json else tree_report(name, dataset, model, show_depth)
        )
    return code


def _check(depth: int | None, own: dict[str, Any], selection: str | None) -> None:
    """Refuse options that have no meaning together."""
    given = [name for name in ONE_PLANE if own[name] is not None]
    if depth is not None and given:
        option = {"picture": "--plot", "table": "--csv"}.get(given[0], f"--{given[0]}")
        raise click.UsageError(f"{option} is about one plane and does not go with --depth; leave it out.")
    if own["table"] is not None and selection != "path":
        raise click.UsageError("--csv writes the path, so it needs --selection path.")
    if own["prove"] is not None and selection in ("path", "none"):
        raise click.UsageError(f"--prove does not go with --selection {selection}; nothing is claimed there.")


def _check_needed(depth: int | None, selection: str | None) -> None:
    """Refuse options that would be passed over."""
    if depth is None and _is_given("show_depth"):
        raise click.UsageError("--show-depth is about a tree of planes, so it needs --depth.")
    for name, option in (("one_standard_error", "--one-standard-error"), ("cv", "--folds")):
        if depth is None and selection != "path" and _is_given(name):
            raise click.UsageError(
                f"{option} is about cross-validation, so it needs --selection path or --depth."
            )


def _is_given(name: str) -> bool:
    source = click.get_current_context().get_parameter_source(name)
    return source is ParameterSource.COMMANDLINE


def _one_plane(
    name: str,
    dataset: Dataset,
    asked: dict[str, Any],
    own: dict[str, Any],
    out: Path | None,
    as_json: bool,
) -> int:
    from treewright import RobustLinearClassifier
    from treewright.cli._lines import as_csv
    from treewright.cli._plane_report import plane_document, plane_report

    prove = False if own["prove"] is None else own["prove"]
    model = RobustLinearClassifier(prove=prove, **asked)
    code = fitted(model, dataset)
    if out is not None:
        write_whole(out, model.to_tree(dataset).to_json() + "\n")
    if own["picture"] is not None:
        write_whole(own["picture"], drawn(model.plot(dataset), own["picture"]))
    if own["table"] is not None:
        write_whole(own["table"], as_csv(model.path_))
    verified = model.verify(dataset) if own["verify"] else None
    click.echo((plane_document if as_json else plane_report)(name, dataset, model, verified))
    return code
