"""What a sentence is made of, and how a surface words it.

An error holds facts: a parameter and its value, a column, a row. A sentence mixes them with plain text. A
`Surface` words the facts: Python says ``missing='mean'`` where the command line says ``--missing mean``.
Nobody reads a fact back out of a text.

    ("choose ", Param("missing", "mean", "drop"), ", or drop ", Row(17))
"""

from __future__ import annotations

from collections.abc import Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

COMMAND: ContextVar[str | None] = ContextVar("COMMAND", default=None)
"""The command line that runs; None in Python."""


class Part:
    """A fact within a sentence; each kind asks the surface for its words."""

    def told(self, surface: Surface) -> str:
        """Return the words of this fact on a surface."""
        raise NotImplementedError  # abstract; `Absence` is an Enum, whose metaclass ABC does not go with


Sentence: TypeAlias = "str | Part | tuple[str | Part, ...]"
"""Text, a fact, or a row of both."""


class Unset(Enum):
    """Stands for a value that a message does not show."""

    UNSET = "unset"


UNSET = Unset.UNSET


@dataclass(init=False)
class Param(Part):
    """A parameter by its name, with the values it has or may have.

    ``Param("missing", "mean", "drop")`` is ``missing='mean' or 'drop'`` in Python; without values it is the
    name alone. `at` is a place within the parameter: ``Param("cv", at=(3,))`` is ``cv[3]``.
    """

    name: str
    values: tuple[object, ...]
    at: tuple[object, ...]

    def __init__(self, name: str, *values: object, at: tuple[object, ...] = ()) -> None:
        self.name, self.values, self.at = name, values, at

    def told(self, surface: Surface) -> str:
        """Return the parameter in the surface's words."""
        return surface.param(self)


@dataclass(init=False)
class Value(Part):
    """A value, or values of which one is meant: ``'mean', 'drop' or 'raise'`` in Python."""

    values: tuple[object, ...]

    def __init__(self, *values: object) -> None:
        self.values = values

    def told(self, surface: Surface) -> str:
        """Return the values in the surface's words."""
        return surface.value(self.values)


@dataclass(frozen=True)
class Feature(Part):
    """An input column: its name and its position, counted from 0."""

    name: object
    column: int

    def told(self, surface: Surface) -> str:
        """Return the column in the surface's words."""
        return surface.feature(self)


@dataclass(frozen=True)
class Row(Part):
    """A row of the data, counted from 0."""

    row: int

    def told(self, surface: Surface) -> str:
        """Return the row in the surface's words."""
        return surface.row(self)


@dataclass(frozen=True)
class Attribute(Part):
    """A method, attribute or call of the Python library, such as ``Tree.to_json()``."""

    code: str

    def told(self, surface: Surface) -> str:
        """Return what gives the same on the surface."""
        return surface.attribute(self)


class Shown:
    """Stands for a value: it looks like a text that is given."""

    def __init__(self, text: str) -> None:
        self._text = text

    def __repr__(self) -> str:
        return self._text


class Absence(Part, Enum):
    """A parameter that is not given: None in Python, an option left out on the command line."""

    OR = "None or "
    """One more thing that a parameter may be: ``must be None or an int``."""
    ITSELF = "None"
    """``give seconds, or None for no limit``."""

    def told(self, surface: Surface) -> str:
        """Return the words for it."""
        return surface.absence(self)


NONE_OR, NO_VALUE = Absence.OR, Absence.ITSELF


class Surface:
    """The words of one place where messages are read; this one is Python's.

    Examples
    --------
    >>> from treewright._base.wording import PYTHON, Param, Row
    >>> PYTHON.say(("choose ", Param("missing", "mean", "drop"), ", or leave out ", Row(17)))
    "choose missing='mean' or 'drop', or leave out row 17"
    """

    def say(self, sentence: Sentence) -> str:
        """Return a sentence in the words of this surface."""
        return "".join(part if isinstance(part, str) else part.told(self) for part in parts_of(sentence))

    def param(self, param: Param) -> str:
        """Name a parameter, with its values."""
        name = param.name + "".join(f"[{place!r}]" for place in param.at)
        return f"{name}={self.value(param.values)}" if param.values else name

    def value(self, values: Sequence[object]) -> str:
        """Write ``'a', 'b' or 'c'``."""
        return alternatives([repr(value) for value in values])

    def feature(self, feature: Feature) -> str:
        """Name a column."""
        return f"feature {feature.name!r} (column {feature.column})"

    def row(self, row: Row) -> str:
        """Name a row."""
        return f"row {row.row}"

    def attribute(self, attribute: Attribute) -> str:
        """Name a method or an attribute."""
        return attribute.code

    def absence(self, absence: Absence) -> str:
        """Name what stands for a parameter that is not given."""
        return absence.value


PYTHON = Surface()


def parts_of(sentence: Sentence) -> tuple[str | Part, ...]:
    """Return the texts and facts of a sentence."""
    return sentence if isinstance(sentence, tuple) else (sentence,)


def shortened(names: Sequence[object], limit: int = 12) -> str:
    """List names for a message, the first few of many."""
    shown = ", ".join(repr(name) for name in names[:limit])
    return shown if len(names) <= limit else f"{shown}, … ({len(names)} in all)"


def alternatives(words: Sequence[str]) -> str:
    """Write ``a, b or c``."""
    return " or ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
