"""Options in files: `--config` reads them, `--save-config` writes them, a result's command line is their kin.

What a file holds is turned into words of the command line, so that it is read, checked and told of as these
are; what stands on the line wins.
"""

from __future__ import annotations

import difflib
import json
import os
import shlex
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import click

from treewright.cli._option import Option

NOT_SAVED = ("config", "save_config", "help", "help_all")
Toml = str | int | float | bool | list[object]


@dataclass(frozen=True)
class Line:
    """A command line, parsed but not yet checked: what stands on it, and its words by parameter.

    Words of an option that takes no value are True and False.
    """

    command: click.Command
    values: Mapping[click.Parameter, tuple[str | bool, ...]]

    @classmethod
    def of(cls, command: click.Command, ctx: click.Context, words: Sequence[str]) -> Line:
        """Part words by parameter; an option of one value that is given twice is refused."""
        known = {str(parameter.name): parameter for parameter in command.get_params(ctx)}
        values, _, given = command.make_parser(ctx).parse_args(args=list(words))
        for option in given:
            is_single = isinstance(option, Option) and not option.is_flag and not option.multiple
            if is_single and given.count(option) > 1:
                raise click.UsageError(f"{option.opts[0]} is given more than once; it takes one value.", ctx)
        found = {known[name]: _words(values[name]) for name in values if name in known}
        return cls(command, {one: text for one, text in found.items() if one in given and text})

    def words(self) -> list[str]:
        """Return the words of a line that says the same; arguments come last."""
        options = [word for one, given in self.values.items() for word in _option_words(one, given)]
        arguments = [
            str(word)
            for one in self.command.params
            if isinstance(one, click.Argument)
            for word in self.values.get(one, ())
        ]
        return [*options, *arguments]

    def over(self, other: Line) -> Line:
        """Return both, what stands on this one first of all."""
        return Line(self.command, {**other.values, **self.values})

    def without(self, *names: str) -> Line:
        """Return the line without some parameters, by name."""
        return Line(self.command, {one: given for one, given in self.values.items() if one.name not in names})

    def path_of(self, name: str) -> Path | None:
        """Return the file that an option names, if it is given."""
        for one, given in self.values.items():
            if one.name == name:
                return Path(str(given[0]))
        return None

    def to_toml(self, name: str) -> str:
        """Write the line as a file of options."""
        kept = [(one, given) for one, given in self.values.items() if one.name not in NOT_SAVED]
        lines = [f"{_word(one)} = {_toml(one, given)}" for one, given in kept]
        return "\n".join([f"command = {json.dumps(name)}", *lines]) + "\n"

    def told(self, command_path: str, words: Sequence[str]) -> str:
        """Return given words as text; of files and folders the names only."""
        paths: dict[str, str] = {}
        for one, given in self.values.items():
            texts = [text for text in given if isinstance(text, str)]
            is_path = isinstance(one.type, click.Path)
            paths |= {text: PurePath(text).name for text in texts if is_path or _is_there(text)}
            paths |= {text: _named_url(text) for text in texts if "://" in text}
        return shlex.join([*command_path.split(), *(_with_names(word, paths) for word in words)])


def _with_names(word: str, paths: Mapping[str, str]) -> str:
    option, equals, value = word.partition("=")
    is_joined = word.startswith("--") and equals and value in paths
    return f"{option}={paths[value]}" if is_joined else paths.get(word, word)


def _named_url(text: str) -> str:
    """Return the address of a database without its folder, host and password."""
    return f"{text.partition('://')[0]}://{PurePath(text).name.rpartition('@')[2]}"


def _is_there(text: str) -> bool:
    return os.sep in text and Path(text).exists()


def read_config(command: click.Command, ctx: click.Context, path: Path) -> Line:
    """Read the options of a command from a file."""
    try:
        facts = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.UsageError(f"--config: {path} is no TOML file: {error}", ctx) from error
    except OSError as error:
        raise click.UsageError(f"--config: {path}: {error.strerror}", ctx) from error
    name = _name(ctx)
    wanted = facts.pop("command", name)
    if wanted != name:
        raise click.UsageError(f"--config: {path} is for `treewright {wanted}`, not for {name!r}.", ctx)
    known = {word: one for one in command.params for word in _all_words(one) if one.name not in NOT_SAVED}
    values = {}
    for key, value in facts.items():
        one = known.get(key.replace("-", "_"))
        if one is None:
            close = difflib.get_close_matches(key, known, n=1)
            hint = f"; did you mean {close[0]!r}?" if close else ""
            raise click.UsageError(f"--config: {path}: {key!r} is no option of {name!r}{hint}", ctx)
        values[one] = tuple(_from_toml(one, value, f"--config: {path}: {key!r}", ctx))
    return Line(command, {one: given for one, given in values.items() if given})


def _name(ctx: click.Context) -> str:
    """Return the command as it is called, without the program."""
    return ctx.command_path.partition(" ")[2]


def _word(parameter: click.Parameter) -> str:
    return parameter.word if isinstance(parameter, Option) else str(parameter.name)


def _all_words(parameter: click.Parameter) -> Iterator[str]:
    """Yield what a parameter may be called in a file: as in Python, or as on the line."""
    yield _word(parameter)
    for option in parameter.opts:
        yield option.lstrip("-").replace("-", "_")


def _words(value: object) -> tuple[str | bool, ...]:
    """Return what the parser found as texts, or True or False."""
    many = value if isinstance(value, list | tuple) else [value]
    return tuple(
        word if isinstance(word, bool) else str(word) for word in many if isinstance(word, str | bool)
    )


def _option_words(one: click.Parameter, given: Sequence[str | bool]) -> list[str]:
    if not isinstance(one, click.Option):
        return []
    if one.is_flag:
        ways = one.opts if given[-1] else one.secondary_opts
        return ways[:1]
    long = next((name for name in one.opts if name.startswith("--")), one.opts[0])
    return [f"{long}={word}" for word in given]


def _from_toml(one: click.Parameter, value: object, place: str, ctx: click.Context) -> Iterator[str | bool]:
    """Yield the words of a value; one of a wrong kind is refused."""
    is_flag = isinstance(one, click.Option) and one.is_flag
    takes_many = one.multiple or one.nargs != 1
    if isinstance(value, list) and not takes_many:
        raise click.UsageError(f"{place} takes one value.", ctx)
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, bool) != is_flag or not isinstance(item, str | int | float):
            what = "is true or false" if is_flag else "is a text or a number"
            raise click.UsageError(f"{place} {what}, not {item!r}.", ctx)
        yield item if isinstance(item, bool) else str(item)


def _toml(one: click.Parameter, given: Sequence[str | bool]) -> str:
    if one.multiple or one.nargs != 1:
        return f"[{', '.join(_toml_item(one, word) for word in given)}]"
    return _toml_item(one, given[-1])


def _toml_item(one: click.Parameter, word: str | bool) -> str:
    if isinstance(word, bool):
        return str(word).lower()
    is_number = isinstance(one.type, click.types.IntParamType | click.types.FloatParamType)
    is_plain = word.removeprefix("-").replace(".", "", 1).isdecimal() and word[-1] != "."
    return word if is_number and is_plain else json.dumps(word, ensure_ascii=False).replace("\x7f", "\\u007f")
