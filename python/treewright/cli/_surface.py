"""Errors in the words of the command line: options in place of parameters, DATA in place of X."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import click

from treewright._base.wording import PYTHON, Absence, Attribute, Param, Surface, alternatives

if TYPE_CHECKING:
    from treewright import ParameterError

_ELSEWHERE = {"X": "DATA", "kinds": "--nominal or --numeric"}
"""Parameters that no option has as its own."""

_CALLS = {"Tree.to_json()": "`treewright fit --out`"}
"""Options that give what a method of the library gives."""


class OptionSurface(Surface):
    """The words of one command."""

    def __init__(self, parameters: Sequence[click.Parameter]) -> None:
        options = [p for p in parameters if isinstance(p, click.Option)]
        self._options: Mapping[str, str] = _ELSEWHERE | {
            getattr(option, "parameter", None) or str(option.name): option.opts[0] for option in options
        }

    def refusal(self, error: ParameterError) -> str:
        """Return the message about a value as click itself tells it."""
        option = self._options.get(error.name)
        if option is None or not error.shows_value:
            return error.told(self)
        return f"Invalid value for '{option}': {error.value!r}{self.say(error.reason)}"

    def param(self, param: Param) -> str:
        """Name an option, with its values."""
        option = self._options.get(param.name)
        if option is None:
            return PYTHON.param(param)
        if param.values == (True,):
            return option
        if param.values == (False,):
            return f"no {option}"
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
