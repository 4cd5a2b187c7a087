"""Commands, their help screens, and errors in their options' words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from inspect import cleandoc
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from treewright._base.warn import testing
from treewright._base.wording import COMMAND, PYTHON, Absence, Attribute, Param, Surface, alternatives
from treewright.cli._config import Line, read_config
from treewright.cli._help import write_first, write_sections
from treewright.cli._option import Option
from treewright.cli._output import checked_out, refuse_clashes, write_whole
from treewright.cli._running import quiet

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
        self._words: Mapping[str, Callable[[object], str]] = {
            option.opts[0]: getattr(option.type, "worded", repr) for option in options
        }
        self._options: Mapping[str, str] = _ELSEWHERE | usual | own
        self._opposites = {o.opts[0]: o.secondary_opts[0] for o in options if o.secondary_opts}

    def refusal(self, error: ParameterError) -> str:
        """Return the message about a value as click itself tells it."""
        option = self._options.get(error.name)
        if option is None or not error.shows_value:
            return error.told(self)
        option, value = self._as_given(option, error.value)
        return f"Invalid value for '{option}': {value}{self.say(error.reason)}"

    def param(self, param: Param) -> str:
        """Name an option, with its values."""
        option = self._options.get(param.name)
        if option is None:
            return PYTHON.param(param)
        if len(param.values) == 1 and isinstance(param.values[0], bool):
            return option if param.values[0] else self._opposites.get(option, f"no {option}")
        place = "".join(f" no. {at + 1}" if isinstance(at, int) else f" {at}" for at in param.at)
        words = self._words.get(option, repr)
        values = param.values if words is repr else tuple(map(words, param.values))
        return f"{option}{place} {self.value(values)}" if values else f"{option}{place}"

    def value(self, values: Sequence[object]) -> str:
        """Write ``a, b or none``; an empty text as a shell takes it."""
        return alternatives(["none" if value is None else str(value) or "''" for value in values])

    def attribute(self, attribute: Attribute) -> str:
        """Name the option that gives the same."""
        return _CALLS.get(attribute.code, attribute.code)

    def absence(self, absence: Absence) -> str:
        """Say that an option is left out."""
        return "" if absence is Absence.OR else "leave it out"

    def _as_given(self, option: str, value: object) -> tuple[str, str]:
        """Return an option and its value as a user writes them: a kind of columns, a number, a rule."""
        if isinstance(value, Mapping) and option == _ELSEWHERE["kinds"]:
            options = sorted({f"--{kind}" for kind in value.values()})
            return " or ".join(options), ", ".join(repr(name) for name in value)
        words = self._words.get(option, repr)
        return option, str(value) if isinstance(value, Decimal) else words(value)


WRITTEN = "treewright.command"
"""Where a context keeps the command line."""

ALL = "treewright.all"
"""Where it keeps that all options are to be shown."""


def _show_all(ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked and not ctx.resilient_parsing:
        ctx.meta[ALL] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _be_quiet(ctx: click.Context, parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        ctx.with_resource(quiet())


def common_options() -> list[Option]:
    """Return the options that every command has."""
    file = click.Path(dir_okay=False, path_type=Path)
    return [
        Option(
            ["--quiet"],
            section="Output",
            is_flag=True,
            expose_value=False,
            callback=_be_quiet,
            help="No notes, warnings or progress; with --out no report either.",
        ),
        Option(
            ["--config"],
            section="Options in files",
            type=file,
            metavar="FILE",
            expose_value=False,
            help="TOML file of options, by their names here or in Python; those on the line win.",
        ),
        Option(
            ["--save-config"],
            section="Options in files",
            type=file,
            metavar="FILE",
            expose_value=False,
            callback=checked_out,
            help="Write the options of this line to a file for --config.",
        ),
        Option(
            ["--help-all"],
            section="Help",
            is_flag=True,
            is_eager=True,
            expose_value=False,
            callback=_show_all,
            help="Show all options and exit.",
        ),
    ]


DATA = (
    "DATA is a file of any format (CSV, ARFF, C4.5, ...; - is standard input) or the name of a data set that "
    "`treewright datasets` lists.{more}"
)
"""What the help of every command ends with that reads data and does not say itself what they are."""


MOST_EXAMPLES = 3
"""Examples on one screen."""


SHORT_DATA = "DATA is a file (- is standard input) or a name that `treewright datasets` lists."
"""The same on one screen."""


class Command(click.Command):
    """A command that reads options from files, too, and whose help is one screen.

    `first` are the parameters whose options help shows; --help-all lists all by section, in the order in
    which sections first appear. Without `first` help shows all.
    """

    def __init__(
        self,
        *args: Any,
        examples: Sequence[str] = (),
        more_on_data: str = "",
        first: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(*args, **kwargs)
        self.examples, self.first = examples, first
        self.params += common_options()
        about = cleandoc(self.help or "")
        self._reads_data = any(parameter.name == "data" for parameter in self.params)
        if self._reads_data and "CSV file" not in about:
            self.help = f"{about}\n\n{DATA.format(more=more_on_data and f' {more_on_data}')}"

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the arguments, and the options of --config where the line does not name them."""
        line = Line.of(self, ctx, args)
        config = line.path_of("config")
        if config is not None:
            line = line.over(read_config(self, ctx, config)).without("config")
            args = line.words()
        ctx.meta[WRITTEN] = line.told(
            ctx.command_path, line.without("save_config").words() if config else args
        )
        rest = super().parse_args(ctx, args)
        saved = line.path_of("save_config")
        if saved is not None:
            write_whole(saved, line.to_toml(ctx.command_path.partition(" ")[2]))
        return rest

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; errors are told in its options, and a refused parameter as click refuses one."""
        from treewright import ParameterError, TreewrightError

        refuse_clashes(ctx)
        surface = OptionSurface(self.params)
        token = COMMAND.set(ctx.meta[WRITTEN])
        try:
            with testing(ctx.params.get("nominal_splits")):
                return super().invoke(ctx)
        except ParameterError as error:
            raise click.UsageError(surface.refusal(error), ctx) from error
        except TreewrightError as error:
            raise click.ClickException(error.told(surface)) from error
        finally:
            COMMAND.reset(token)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command does; on one screen two paragraphs, and in a line what DATA is."""
        paragraphs = cleandoc(self.help or "").split("\n\n")
        if not self._shows_all(ctx):
            about = [text for text in paragraphs[:2] if not text.startswith("DATA is")]
            paragraphs = [*about, SHORT_DATA] if self._reads_data else about
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text("\n\n".join(paragraphs))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options that most people want, or all of them."""
        if self._shows_all(ctx):
            write_sections(ctx, formatter)
        else:
            write_first(ctx, formatter, self.first)

    def _shows_all(self, ctx: click.Context) -> bool:
        return not self.first or ALL in ctx.meta

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples as they are."""
        shown = self.examples if self._shows_all(ctx) else self.examples[:MOST_EXAMPLES]
        if shown:
            with formatter.section("Examples"):
                formatter.write("".join(f"  {example}\n" for example in shown))
