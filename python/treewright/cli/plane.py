"""`treewright plane`: a plane with the fewest features, or a tree of such planes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from treewright.cli._files import checked_out, write_whole
from treewright.cli._interrupt import fitted
from treewright.cli._options import (
    JSON,
    SHOW_DEPTH,
    data_option,
    options,
    out_option,
    output_option,
    search_option,
    takes_source,
)
from treewright.cli._pictures import (
    checked_picture,
    drawn,
    prepare_drawing,
)
from treewright.cli._search import TIME_LIMIT
from treewright.cli._sections import Command
from treewright.cli._source import Source
from treewright.cli._wording import about_data

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset

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
    data_option(
        "--missing",
        type=click.Choice(["raise", "mean", "drop"]),
        metavar="POLICY",
        default="raise",
        help="What a missing value is. raise: an error; mean: the mean of its column; drop: the row is left "
        "out.",
    ),
    search_option(
        "--perturbation",
        type=click.FloatRange(0, 1, max_open=True),
        metavar="SHARE",
        default=0.0,
        help="Share of the sum of absolute weights in the error. 0: RLP; the paper's RLP-P has 0.02.",
    ),
    search_option(
        "--selection",
        type=click.Choice(["bounded", "limited", "path", "none"]),
        metavar="NAME",
        default="bounded",
        help="Which features. bounded: the fewest within the bound on the error; limited: at most "
        "--n-features; path: so many as predict best in cross-validation; none: as many as the plane of "
        "least error uses.",
    ),
    search_option(
        "--error-slack",
        type=click.FloatRange(0),
        metavar="SHARE",
        default=0.1,
        help="The bound is the least error there is, and so much of it more.",
    ),
    search_option(
        "--error-floor",
        type=click.FloatRange(0),
        metavar="ERROR",
        default=0.0,
        help="The bound is at least this. Of separable rows it is 0 otherwise.",
    ),
    search_option(
        "--n-features",
        type=click.IntRange(min=1),
        metavar="N",
        otherwise="10 with path",
        help="Most features, with --selection limited or path.",
    ),
    search_option(
        "--search",
        type=click.Choice(["swap", "paper"]),
        metavar="NAME",
        default="swap",
        help="paper: the published search; swap: leaving out and exchanging features on top of it.",
    ),
    search_option(
        "--prove",
        type=click.FloatRange(0, min_open=True),
        metavar="SECONDS",
        help="Try so long to prove that fewer features cannot do.",
    ),
    search_option(
        "--folds",
        "cv",
        type=click.IntRange(min=2),
        metavar="N",
        default=5,
        help="Folds of path and of --depth; no more than the larger class has rows.",
    ),
    search_option(
        "--one-standard-error",
        is_flag=True,
        help="In cross-validation, take the fewest within one standard error of the best.",
    ),
    search_option(
        "--depth",
        type=click.IntRange(min=1),
        metavar="N",
        help="Grow a tree of planes, at most so deep, in place of one plane; cross-validation prunes it, a "
        "split costing 1 and its features.",
    ),
    TIME_LIMIT,
    search_option(
        "--n-jobs", type=int, metavar="N", otherwise=1, help="Folds that run side by side; -1: all cores."
    ),
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
    selection: str,
    prove: float | None,
    depth: int | None,
    out: Path | None,
    picture: Path | None,
    table: Path | None,
    verify: bool,
    as_json: bool,
    show_depth: int,
    **parameters: Any,
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
    asked = {"selection": None if selection == "none" else selection, **parameters}
    _check(depth, own, selection)
    _check_needed(depth, selection)
    if picture is not None:
        prepare_drawing()
    dataset = source.load()
    with _words_of_options():
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


@contextmanager
def _words_of_options() -> Iterator[None]:
    """Let messages about data propose options of the command line."""
    from treewright._base.errors import DataError

    try:
        yield
    except DataError as error:
        parameters = click.get_current_context().command.params
        raise type(error)(about_data(str(error), parameters)) from error


def _check(depth: int | None, own: dict[str, Any], selection: str) -> None:
    """Refuse options that have no meaning together."""
    given = [name for name in ONE_PLANE if own[name] is not None]
    if depth is not None and given:
        option = {"picture": "--plot", "table": "--csv"}.get(given[0], f"--{given[0]}")
        raise click.UsageError(f"{option} is about one plane and does not go with --depth; leave it out.")
    if own["table"] is not None and selection != "path":
        raise click.UsageError("--csv writes the path, so it needs --selection path.")
    if own["prove"] is not None and selection in ("path", "none"):
        raise click.UsageError(f"--prove does not go with --selection {selection}; nothing is claimed there.")


def _check_needed(depth: int | None, selection: str) -> None:
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
    from treewright.cli._plane_report import plane_document, plane_report
    from treewright.cli._table_columns import as_csv

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
