"""Learned rules on the command line: by the name of one that came with the package, or by a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from treewright.search.evolution.learned import LearnedPruning

PREFIX = "learned:"

_AROUND = ("the text is no learned rule (", "); give what to_json returned")
"""What stands around the reason where a text is no rule: here it came from a file."""


class RuleOrFile(click.Choice[str]):
    """One of some names, the name of a learned rule, or that of a file that holds one.

    Names that are known only to be refused with a reason are not told.
    """

    def __init__(self, choices: Sequence[str], *, untold: Sequence[str] = ()) -> None:
        super().__init__(choices)
        self._told = [name for name in choices if name not in untold]

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the text as it was given if it names anything."""
        if value not in self.choices and not names_learned(str(value)):
            if Path(str(value)).is_dir():
                self.fail(
                    f"{value!r} is a folder; give a file that `treewright evolve --out` wrote.", param, ctx
                )
            names = ", ".join(map(repr, self._told))
            rest = f"nor {PREFIX}NAME, nor a file that `treewright evolve --out` wrote"
            self.fail(f"{value!r} is not one of {names}, {rest}.", param, ctx)
        return value


def names_learned(text: str) -> bool:
    """Whether a text is meant as the name or the file of a learned rule."""
    return text.startswith(PREFIX) or text.endswith(".json") or Path(text).is_file()


def learned_rule(text: str) -> LearnedPruning:
    """Return the rule that a text names."""
    from treewright._base.errors import FormatError, ParameterError
    from treewright.search.evolution.learned import LearnedPruning

    if text.startswith(PREFIX):
        known = LearnedPruning.presets()
        if text.removeprefix(PREFIX) not in known:
            names = ", ".join(PREFIX + name for name in known)
            raise ParameterError(f"{text} is not known; learned rules that came with the package: {names}")
        return LearnedPruning.preset(text.removeprefix(PREFIX))
    try:
        return LearnedPruning.from_json(Path(text).read_text(encoding="utf-8"))
    except (UnicodeDecodeError, FormatError) as error:
        reason = str(error).removeprefix(_AROUND[0]).removesuffix(_AROUND[1])
        raise FormatError(
            f"{text} holds no learned rule ({reason}); give a file that `treewright evolve --out` wrote"
        ) from error
