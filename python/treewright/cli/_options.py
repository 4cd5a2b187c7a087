"""Options that several commands share; those of a parameter are made of its signature and its docstring."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial, reduce, wraps
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from treewright._base.wording import UNSET, alternatives
from treewright.cli._differences import Difference, difference
from treewright.cli._option import Option
from treewright.cli._output import PICTURES, Output, checked_ending, checked_out
from treewright.cli._readers import AMOUNT, NUMBER
from treewright.cli._signature import Given, Parameter, parameters_of
from treewright.cli._source import CSV_OPTIONS, Reading

CommandFunction = Callable[..., object]
Decorator = Callable[[CommandFunction], CommandFunction]
data_option = partial(click.option, cls=Option, section="Data")
search_option = partial(click.option, cls=Option, section="Search")
output_option = partial(click.option, cls=Option, section="Output")

FILE = click.Path(dir_okay=False, path_type=Path)
TYPES: Mapping[str, type | click.ParamType[Any]] = {
    "int": int,
    "float": float,
    "path": FILE,
    "int or float": NUMBER,
    "int or str": AMOUNT,
}
"""What click makes of a value, by the kind that a docstring gives it."""

METAVARS = {"int": "N", "path": "FILE", "int or str": "AMOUNT"}
QUOTE = '"'


def options(*stack: Decorator) -> Decorator:
    """Put options on a command in the order in which its help lists them."""
    return lambda function: reduce(lambda wrapped, option: option(wrapped), reversed(stack), function)


def gathered(name: str, stack: Mapping[str, Decorator], make: CommandFunction) -> Decorator:
    """Return what gives a command options by name; it receives what `make` makes of all of them as one."""

    def decorator(function: CommandFunction) -> CommandFunction:
        @wraps(function)
        def command(**parameters: object) -> object:
            own = {key: parameters.pop(key) for key in stack}
            return function(**{name: make(**own)}, **parameters)

        return options(*stack.values())(command)

    return decorator


def is_named(parameter: str) -> bool:
    """Whether an option stands on the command line, as opposed to one left as it usually is."""
    return click.get_current_context().get_parameter_source(parameter) is ParameterSource.COMMANDLINE


def named_options() -> list[Option]:
    """Return the options that stand on the command line."""
    known = click.get_current_context().command.params
    return [one for one in known if isinstance(one, Option) and is_named(str(one.name))]


def spelling(name: str) -> str:
    """Return the option that a parameter is given by."""
    parameters = click.get_current_context().command.params
    return next(parameter.opts[0] for parameter in parameters if parameter.name == name)


def parameter_option(
    owner: str,
    name: str,
    *,
    section: str,
    default: object = None,
    otherwise: object = None,
    opening: str = "",
    **words: str,
) -> Decorator:
    """Return the option of a parameter of a public object; `words` fill the holes of its help.

    Unless a default is given here or in the table of differences, the option is None, or empty, if it is not
    given, and the library's default holds.
    """
    parameter, differs = parameters_of(owner)[name], difference(owner, name)
    differs = differs if default is None else replace(differs, default=default)
    is_flag = parameter.kind.startswith("bool") and differs.type is None
    is_list = differs.multiple or parameter.is_list
    option = differs.option or _spelled(name.removesuffix("s") if parameter.is_list else name)
    kind = differs.words(parameter.choices) if parameter.choices else TYPES.get(parameter.kind)
    metavar = "NAME" if parameter.choices else METAVARS.get(parameter.kind, "VALUE")
    settings: Given = {} if is_flag else {"type": differs.type or kind, "multiple": is_list}
    return click.option(
        f"{option}/--no-{option[2:]}" if is_flag and parameter.default is not False else option,
        name,
        cls=Option,
        section=section,
        parameter=name,
        is_flag=is_flag or None,
        default=differs.default,
        metavar=None if is_flag else differs.metavar or metavar,
        callback=differs.callback,
        otherwise=_otherwise(parameter, differs) if otherwise is None else otherwise,
        help=opening
        + _help(owner, parameter, differs, is_list=is_list).format(
            choices=", ".join(parameter.choices), **words
        ),
        **settings,
    )


def parameter_options(owner: str, *names: str, section: str, **words: str) -> dict[str, Decorator]:
    """Return the options of several parameters."""
    return {name: parameter_option(owner, name, section=section, **words) for name in names}


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _otherwise(parameter: Parameter, differs: Difference) -> object:
    """Return what stands in brackets: the table's words, the default, or what the docstring says of it."""
    if differs.otherwise is not None:
        return differs.otherwise
    usual = parameter.default if differs.default is None else differs.default
    if isinstance(usual, bool):
        return None
    if usual is None or usual is UNSET:
        return parameter.usual or None
    if isinstance(usual, tuple):
        return ", ".join(map(str, usual))
    return f"{usual:g}" if isinstance(usual, float) else usual


def _help(owner: str, parameter: Parameter, differs: Difference, *, is_list: bool) -> str:
    """Return the table's text, or the first sentence of the docstring with the words that may be chosen."""
    told = differs.text
    if told is None:
        told = _in_options(owner, parameter.sentence)
        if missing := [word for word in parameter.choices if word not in told]:
            told = f"{told.rstrip('.')}: {alternatives(missing)}."
        told = told.replace("{", "{{").replace("}", "}}")
    return " ".join(
        [told, *([differs.remark] if differs.remark else []), *(["Repeatable."] if is_list else [])]
    )


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
    return difference(owner, name).option or _spelled(name)


def file_option(
    name: str,
    parameter: str,
    text: str,
    *,
    section: str = "Output",
    endings: tuple[str, ...] = (),
    names_decide: bool = False,
) -> Decorator:
    """Return an option of a file that is written; its folder is looked at before the work starts.

    With `endings` a name is refused that promises another form than those have, and where names decide on
    the form any other.
    """
    return click.option(
        name,
        parameter,
        cls=Option,
        section=section,
        type=FILE,
        metavar="FILE",
        callback=checked_ending(*endings, names_decide=names_decide) if endings else checked_out,
        help=text,
    )


FOLDER = data_option(
    "--folder",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    otherwise="$TREEWRIGHT_DATA",
    help="Folder of named data sets, described by its index.json.",
)
_CSV = "treewright.datasets.read_csv"
_READING: dict[str, Decorator] = {
    "target": data_option(
        "--target", metavar="COL", help="Column that holds the class. A named data set has its own."
    ),
    "folder": FOLDER,
    "drop": data_option("--drop", multiple=True, metavar="COL", help="Column to leave out. Repeatable."),
    "weight": data_option(
        "--weight", metavar="COL", help="Column that holds the weights of the rows; it is no feature."
    ),
    "nominal": data_option(
        "--nominal",
        multiple=True,
        metavar="COL",
        help="Nominal (categorical) column, even if all its values are numbers. Repeatable.",
    ),
    "numeric": data_option(
        "--numeric",
        multiple=True,
        metavar="COL",
        help=("Numeric column; any other value is an error. Repeatable."),
    ),
    **parameter_options(
        "treewright.datasets.read", "dates", "ordered", "format", "sheet", "query", section="Data"
    ),
    **parameter_options(_CSV, "missing_values", "drop_missing_target", *CSV_OPTIONS, section="Data"),
}
_OF_ROWS = ("target", "folder", "weight", "format", "sheet", "query", "missing_values", *CSV_OPTIONS)

takes_reading = gathered("reading", _READING, Reading)
takes_reading_of_rows = gathered("reading", {name: _READING[name] for name in _OF_ROWS}, Reading)


def _completed_data(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete files, and the named sets that begin so."""
    from treewright.datasets import names

    sets = [CompletionItem(name) for name in names() if incomplete and name.startswith(incomplete)]
    return [*sets, CompletionItem(incomplete, type="file")]


def data_argument(*, nargs: int = 1, required: bool = True) -> Decorator:
    """Return the argument DATA, which a shell completes."""
    return click.argument("data", nargs=nargs, required=required, shell_complete=_completed_data)


def takes_data(*, n: int = 1, required: bool = True) -> Decorator:
    """Return what gives a command DATA, -1 for any number of them, and the options of reading them."""
    return options(data_argument(nargs=n, required=required), takes_reading)


_OUTPUT = {
    "as_json": output_option("--json", "as_json", is_flag=True, help="Print JSON instead of text."),
    "latex": output_option("--latex", is_flag=True, help="Print the table as LaTeX (package booktabs)."),
    "show_depth": output_option(
        "--show-depth",
        type=click.IntRange(min=0),
        metavar="N",
        default=4,
        help="Number of levels of the tree to print.",
    ),
    "show_branches": output_option(
        "--show-branches",
        type=click.IntRange(min=1),
        metavar="N",
        default=30,
        help="Number of branches of each node to print.",
    ),
    "progress": output_option("--progress", is_flag=True, help="Show progress also outside a terminal."),
}


def output_options(
    out: str, *names: str, picture: str = "", numbers: str = "", endings: tuple[str, ...] = (".json",)
) -> dict[str, Decorator]:
    """Return the options under Output that a command asks for.

    `out`, `picture` and `numbers` say what the files have; those of which nothing is said have no option. The
    file of `out` has a form by the end of its name, one of `endings`, where there are several. Of
    `as_json`, `latex`, `show_depth`, `show_branches` and `progress` it has the `names`.
    """
    files = {
        "picture": picture and file_option("--plot", "picture", picture, endings=PICTURES, names_decide=True),
        "out": out and file_option("--out", "out", out, endings=endings, names_decide=len(endings) > 1),
        "numbers": numbers and file_option("--csv", "numbers", numbers, endings=(".csv",)),
    }
    stack = {name: option for name, option in files.items() if not isinstance(option, str)}
    return stack | {name: _OUTPUT[name] for name in names}


def takes_output(
    out: str, *names: str, picture: str = "", numbers: str = "", endings: tuple[str, ...] = (".json",)
) -> Decorator:
    """Return what gives a command `output_options`; it receives them as one `Output`."""
    asked = output_options(out, *names, picture=picture, numbers=numbers, endings=endings)
    return gathered("output", asked, Output)


def check_resume(checkpoint: Path | None, resume: bool) -> None:
    """Refuse to go on from nowhere, and to write over a state unasked."""
    if resume and checkpoint is None:
        raise click.UsageError("--resume goes with --checkpoint FILE, the file to go on from.")
    if checkpoint is not None and checkpoint.exists() and not resume:
        raise click.UsageError(
            f"--checkpoint: {str(checkpoint)!r} is there already; go on with --resume, or name another."
        )


def resume_options() -> dict[str, Decorator]:
    """Return the options by which long work keeps its state, and goes on from it."""
    return {
        "checkpoint": file_option(
            "--checkpoint",
            "checkpoint",
            "File that stores the state of the work, regularly and at the end.",
            section="Search",
        ),
        "resume": search_option(
            "--resume", is_flag=True, help="Continue from the file of --checkpoint, if it exists."
        ),
    }
