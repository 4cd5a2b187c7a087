"""Commands, their help screens, and errors in their options' words."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping, Sequence
from decimal import Decimal
from inspect import cleandoc
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any

import click

from treewright._base.wording import COMMAND, PYTHON, Absence, Attribute, Param, Surface, alternatives
from treewright.cli._output import refuse_clashes

if TYPE_CHECKING:
    from treewright import ParameterError


_ELSEWHERE = {"X": "DATA", "y": "--target", "kinds": "--nominal or --numeric"}
"""Parameters that no option has as its own."""

_USUAL = {"random_state": "seed", "cv": "folds"}
"""Options that all commands call otherwise than the library."""

_CALLS = {"Tree.to_json()": "`treewright fit --out`"}
"""Options that give what a method of the library gives."""


class OptionSurface(Surface):
    """The words of one command."""

    def __init__(self, parameters: Sequence[click.Parameter]) -> None:
        options = [p for p in parameters if isinstance(p, click.Option)]
        own = {getattr(option, "parameter", None) or str(option.name): option.opts[0] for option in options}
        usual = {name: own[other] for name, other in _USUAL.items() if other in own}
        self._options: Mapping[str, str] = _ELSEWHERE | usual | own

    def refusal(self, error: ParameterError) -> str:
        """Return the message about a value as click itself tells it."""
        option = self._options.get(error.name)
        if option is None or not error.shows_value:
            return error.told(self)
        option, value = _as_given(option, error.value)
        return f"Invalid value for '{option}': {value}{self.say(error.reason)}"

    def param(self, param: Param) -> str:
        """Name an option, with its values."""
        option = self._options.get(param.name)
        if option is None:
            return PYTHON.param(param)
        if len(param.values) == 1 and isinstance(param.values[0], bool):
            return option if param.values[0] else f"no {option}"
        place = "".join(f" no. {at + 1}" if isinstance(at, int) else f" {at}" for at in param.at)
        return f"{option}{place} {self.value(param.values)}" if param.values else f"{option}{place}"

    def value(self, values: Sequence[object]) -> str:
        """Write ``a, b or none``."""
        return alternatives(["none" if value is None else str(value) for value in values])

    def attribute(self, attribute: Attribute) -> str:
        """Name the option that gives the same."""
        return _CALLS.get(attribute.code, attribute.code)

    def absence(self, absence: Absence) -> str:
        """Say that an option is left out."""
        return "" if absence is Absence.OR else "leave it out"


def _as_given(option: str, value: object) -> tuple[str, str]:
    """Return an option and its value as a user writes them: a kind of columns, a decimal number."""
    if isinstance(value, Mapping) and option == _ELSEWHERE["kinds"]:
        options = sorted({f"--{kind}" for kind in value.values()})
        return " or ".join(options), ", ".join(repr(name) for name in value)
    return option, str(value) if isinstance(value, Decimal) else repr(value)


WRITTEN = "treewright.command"
"""Where a context keeps the command line."""


def _written(ctx: click.Context, args: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the command line as it was given; of files and folders the names only."""
    paths: dict[str, str] = {}
    for parameter in ctx.command.params:
        given = values.get(str(parameter.name))
        texts = [given] if isinstance(given, str) else given if isinstance(given, list | tuple) else []
        is_path = isinstance(parameter.type, click.Path)
        paths |= {text: PurePath(text).name for text in texts if is_path or _is_there(text)}
    words = []
    for word in args:
        option, equals, value = word.partition("=")
        is_joined = word.startswith("--") and equals and value in paths
        words.append(f"{option}={paths[value]}" if is_joined else paths.get(word, word))
    return shlex.join([*ctx.command_path.split(), *words])


def _is_there(text: str) -> bool:
    return os.sep in text and Path(text).exists()


class Option(click.Option):
    """An option that knows its heading, what it is if it is not given, and the parameter it stands for."""

    def __init__(
        self, *args: Any, section: str, otherwise: object = None, parameter: str | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.section, self.parameter = section, parameter
        self.otherwise = self.default if otherwise is None and not self.is_flag else otherwise

    def get_help_record(self, ctx: click.Context) -> tuple[str, str]:
        """Return what stands on the left and on the right of the help screen."""
        names = "/".join([*self.opts, *self.secondary_opts])
        left = " ".join([names, *([self.metavar] if self.metavar else [])])
        is_told = isinstance(self.otherwise, str | int | float) and not isinstance(self.otherwise, bool)
        return left, f"{self.help}  [default: {self.otherwise}]" if is_told else f"{self.help}"


DATA = (
    "DATA is a file (CSV, ARFF; - is standard input) or the name of a data set that `treewright datasets` "
    "lists.{more}"
)
"""What the help of every command ends with that reads data and does not say itself what they are."""


class Command(click.Command):
    """A command whose help lists options by section, in the order in which sections first appear."""

    def __init__(
        self, *args: Any, examples: Sequence[str] = (), more_on_data: str = "", **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples
        about = cleandoc(self.help or "")
        reads_data = any(parameter.name == "data" for parameter in self.params)
        if reads_data and "CSV file" not in about:
            self.help = f"{about}\n\n{DATA.format(more=more_on_data and f' {more_on_data}')}"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments; refuse an option of one value that is given twice."""
        values, _, given = self.make_parser(ctx).parse_args(args=list(args))
        ctx.meta[WRITTEN] = _written(ctx, args, values)
        for option in given:
            is_single = isinstance(option, Option) and not option.is_flag and not option.multiple
            if is_single and given.count(option) > 1:
                raise click.UsageError(f"{option.opts[0]} is given more than once; it takes one value.", ctx)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; errors are told in its options, and a refused parameter as click refuses one."""
        from treewright import ParameterError, TreewrightError

        refuse_clashes(ctx)
        surface = OptionSurface(self.params)
        token = COMMAND.set(ctx.meta[WRITTEN])
        try:
            return super().invoke(ctx)
        except ParameterError as error:
            raise click.UsageError(surface.refusal(error), ctx) from error
        except TreewrightError as error:
            raise click.ClickException(error.told(surface)) from error
        finally:
            COMMAND.reset(token)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one list of options for each section, their texts below one another."""
        sections: dict[str, list[tuple[str, str]]] = {}
        for option in self.get_params(ctx):
            record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
            if record is not None:
                sections.setdefault(getattr(option, "section", "Help"), []).append(record)
        width = max(len(left) for records in sections.values() for left, _ in records)
        for title, records in sections.items():
            with formatter.section(title):
                formatter.write_dl([(left.ljust(width), right) for left, right in records])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are."""
        if self.examples:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {example}\n" for example in self.examples))
