"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from treewright.cli._files import checked_out
from treewright.cli._sections import Option
from treewright.cli._source import Source

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
Decorator = Callable[[AnyFunction], AnyFunction]

data_option = partial(click.option, cls=Option, section="Data")
growing_option = partial(click.option, cls=Option, section="Growing")
search_option = partial(click.option, cls=Option, section="Search")
output_option = partial(click.option, cls=Option, section="Output")

FOLDER = data_option(
    "--data",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    otherwise="$TREEWRIGHT_DATA",
    help="Folder of named sets, described by its index.json.",
)
MISSING_VALUES = data_option(
    "--missing-value",
    "missing_values",
    multiple=True,
    metavar="TEXT",
    help="Spelling of a missing value besides the empty field, such as '?'. Repeatable.",
)
DELIMITER = data_option("--delimiter", default=",", metavar="CHAR", help="Character between fields.")
ENCODING = data_option("--encoding", default="utf-8", metavar="NAME", help="Encoding of the file.")

SOURCE = (
    click.argument("data"),
    data_option("--target", metavar="COL", help="Column that holds the class. A named set has its own."),
    FOLDER,
    data_option("--drop", multiple=True, metavar="COL", help="Column to leave out. Repeatable."),
    data_option(
        "--nominal",
        multiple=True,
        metavar="COL",
        help="Column of names, even if all are numbers. Repeatable.",
    ),
    data_option("--numeric", multiple=True, metavar="COL", help="Column that must hold numbers. Repeatable."),
    MISSING_VALUES,
    DELIMITER,
    ENCODING,
)

_GROWING = {
    "criterion": growing_option(
        "--criterion",
        type=click.Choice(["info_gain", "gain_ratio", "gini"]),
        metavar="NAME",
        otherwise="info_gain",
        help="Quality of a split: info_gain, gain_ratio or gini.",
    ),
    "min_samples_split": growing_option(
        "--min-samples-split",
        type=float,
        metavar="WEIGHT",
        otherwise=2,
        help="A node of less weight is a leaf.",
    ),
    "min_samples_leaf": growing_option(
        "--min-samples-leaf",
        type=float,
        metavar="WEIGHT",
        otherwise=1,
        help="At least two branches of a split have this weight; up to 1, a row counts whole where missing "
        "values part it.",
    ),
    "min_gain": growing_option(
        "--min-gain",
        type=float,
        metavar="BITS",
        otherwise=0,
        help="A split gains at least this (gini: in Gini decrease).",
    ),
    "mdl_correction": growing_option(
        "--mdl-correction",
        is_flag=True,
        default=None,
        help="A numeric feature pays for the choice of its threshold, as in C4.5 release 8.",
    ),
    "max_depth": growing_option(
        "--max-depth",
        type=click.IntRange(min=0),
        metavar="N",
        otherwise="no limit",
        help="Most edges from the root to a leaf.",
    ),
    "missing": growing_option(
        "--missing",
        type=click.Choice(["distribution", "most_frequent", "value", "raise"]),
        metavar="POLICY",
        otherwise="distribution",
        help="What a missing value is. distribution: spread over the branches; most_frequent: the column's "
        "most frequent value; value: a value of its own; raise: an error.",
    ),
    "n_jobs": growing_option(
        "--n-jobs", type=int, metavar="N", otherwise=1, help="Threads; -1 takes all cores."
    ),
}


def out_option(help_text: str) -> Decorator[Any]:
    """Return an `--out` option; the file's folder is looked at before the work starts."""
    return output_option(
        "--out",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        callback=checked_out,
        help=help_text,
    )


JSON = output_option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
SHOW_DEPTH = output_option(
    "--show-depth",
    type=click.IntRange(min=0),
    metavar="N",
    default=4,
    help="Levels of the tree to print.",
)


def options(*stack: Decorator[Any]) -> Decorator[Any]:
    """Put options on a command in the order in which its help lists them."""
    return lambda function: reduce(lambda wrapped, option: option(wrapped), reversed(stack), function)


def given_options() -> list[click.Option]:
    """Return the options that the command line names, as opposed to those left as they usually are."""
    ctx = click.get_current_context()
    named = (p for p in ctx.command.params if isinstance(p, click.Option))
    return [p for p in named if ctx.get_parameter_source(str(p.name)) is ParameterSource.COMMANDLINE]


def takes_source(function: AnyFunction) -> Any:
    """Give a command the options that say which rows to learn from; it receives them as one `Source`."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        fields = {name: parameters.pop(name) for name in Source.__dataclass_fields__}
        return function(source=Source(**fields), **parameters)

    return options(*SOURCE)(command)


def takes_growing(function: AnyFunction) -> Any:
    """Give a command the options of growing; it receives those that were given as `growing`."""

    @wraps(function)
    def command(**parameters: Any) -> Any:
        chosen = {name: parameters.pop(name) for name in _GROWING}
        growing = {name: value for name, value in chosen.items() if value is not None}
        return function(growing=growing, **parameters)

    return options(*_GROWING.values())(command)
