"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce, wraps
from pathlib import Path
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from treewright._base.wording import UNSET, alternatives
from treewright.cli._differences import Difference, difference
from treewright.cli._files import checked_out
from treewright.cli._sections import Option
from treewright.cli._signature import Parameter, parameters_of
from treewright.cli._source import Source

AnyFunction = TypeVar("AnyFunction", bound=Callable[..., Any])
Decorator = Callable[[AnyFunction], AnyFunction]

data_option = partial(click.option, cls=Option, section="Data")
growing_option = partial(click.option, cls=Option, section="Growing")
search_option = partial(click.option, cls=Option, section="Search")
output_option = partial(click.option, cls=Option, section="Output")

QUOTE = '"'


def parameter_option(
    owner: str,
    name: str,
    *,
    section: str,
    default: object = None,
    opening: str = "",
    **words: str,
) -> Decorator[Any]:
    """Return the option of a parameter of a public object; `words` fill the holes of its help.

    Without a default of its own the option is None, or empty, if it is not given, and the library's default
    holds.
    """
    parameter = parameters_of(owner)[name]
    differs = difference(owner.rpartition(".")[2], name)
    is_flag = parameter.kind.startswith("bool") and differs.type is None
    kind = differs.type or _type(parameter)
    option = differs.option or _spelled(name)
    settings: dict[str, Any] = {} if is_flag else {"type": kind, "multiple": differs.multiple}
    return click.option(
        f"{option}/--no-{option[2:]}" if is_flag and parameter.default is True else option,
        name,
        cls=Option,
        section=section,
        parameter=name,
        is_flag=is_flag or None,
        default=None if differs.multiple else differs.default if default is None else default,
        metavar=None if is_flag else differs.metavar or _metavar(parameter),
        callback=differs.callback,
        otherwise=_otherwise(parameter, differs),
        help=opening + _help(owner, parameter, differs).format(**words),
        **settings,
    )


def parameter_options(owner: str, *names: str, section: str, **words: str) -> dict[str, Decorator[Any]]:
    """Return the options of several parameters."""
    return {name: parameter_option(owner, name, section=section, **words) for name in names}


def with_defaults(owner: str, given: dict[str, Any]) -> dict[str, Any]:
    """Return parameters as they were given, and the defaults of the others."""
    known = parameters_of(owner)
    return {name: known[name].default if value is None else value for name, value in given.items()}


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _type(parameter: Parameter) -> Any:
    if parameter.choices:
        return click.Choice(parameter.choices)
    return {"int": int, "float": float}.get(parameter.kind)


def _metavar(parameter: Parameter) -> str:
    return "NAME" if parameter.choices else "N" if parameter.kind.startswith("int") else "VALUE"


def _otherwise(parameter: Parameter, differs: Difference) -> object:
    if differs.otherwise is not None:
        return differs.otherwise
    usual = differs.default if differs.default is not None else parameter.default
    if usual is UNSET or isinstance(usual, bool):
        return None
    return f"{usual:g}" if isinstance(usual, float) else usual


def _help(owner: str, parameter: Parameter, differs: Difference) -> str:
    """Return the table's text, or the first sentence of the docstring with the words that may be chosen."""
    if differs.text is not None:
        return differs.text
    told = _in_options(owner, parameter.sentence)
    if missing := [word for word in parameter.choices if word not in told]:
        told = f"{told.rstrip('.')}: {alternatives(missing)}."
    return f"{told} {differs.remark}".strip().replace("{", "{{").replace("}", "}}")


def _in_options(owner: str, text: str) -> str:
    """Write what a docstring marks as code or as a parameter in the words of options."""
    pieces = text.split("``")
    pieces[1::2] = [_code(owner, piece) for piece in pieces[1::2]]
    pieces[::2] = [_names(owner, piece) for piece in pieces[::2]]
    return "".join(pieces)


def _code(owner: str, code: str) -> str:
    name, equals, value = code.partition("=")
    return f"{_option_of(owner, name)} {value.strip(QUOTE)}" if equals else code.strip(QUOTE)


def _names(owner: str, text: str) -> str:
    pieces = text.split("`")
    pieces[1::2] = [_option_of(owner, name) for name in pieces[1::2]]
    return "".join(pieces)


def _option_of(owner: str, name: str) -> str:
    if name not in parameters_of(owner):
        return name
    return difference(owner.rpartition(".")[2], name).option or _spelled(name)


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

TREE = "treewright.GreedyTreeClassifier"
_GROWING = parameter_options(
    TREE,
    "criterion",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "mdl_correction",
    "max_depth",
    "missing",
    "n_jobs",
    section="Growing",
)


_SELECTOR = "treewright.BackwardEliminationSelector"
VALIDATION_SET = parameter_option(_SELECTOR, "validation_set", section="Search")
SEED = parameter_option(_SELECTOR, "random_state", section="Search")
TIME_LIMIT = parameter_option(_SELECTOR, "time_limit", section="Search")


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
