"""What treewright raises: one base, and a built-in beside it.

Each class derives from `TreewrightError` and from the built-in exception that scikit-learn and plain Python
would raise in its place, so ``except ValueError`` goes on working. A message says what is wrong, where
(feature, column and row, counted from 0) and what to do about it. An error keeps the facts of its message
(`treewright._base.wording`), so that each surface can word them and a program can ask for them.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TypeVar

from treewright._base.wording import (
    PYTHON,
    UNSET,
    Feature,
    Param,
    Part,
    Row,
    Sentence,
    Shown,
    Surface,
    Value,
    parts_of,
)

__all__ = [
    "DataError",
    "DataTypeError",
    "FormatError",
    "MemoryLimitError",
    "ParameterError",
    "ProgramError",
    "StepLimitError",
    "TreewrightError",
    "UnfinishedError",
]


_Kind = TypeVar("_Kind", bound=Part)
_Found = TypeVar("_Found")


class TreewrightError(Exception):
    """Base of every error that treewright raises on purpose.

    Parameters
    ----------
    *sentence : str or Part
        The message: texts and facts in their order.

    Examples
    --------
    >>> import treewright
    >>> try:
    ...     treewright.Dataset([[1.0], [float("inf")]])
    ... except treewright.TreewrightError as error:
    ...     print(error)
    feature 'x0' (column 0) has inf at row 1; replace it by a finite number, or by NaN if the \
value is not known
    """

    @property
    def sentence(self) -> tuple[str | Part, ...]:
        """The message as texts and facts."""
        return self.args

    def told(self, surface: Surface) -> str:
        """Return the message in the words of a surface.

        Parameters
        ----------
        surface : Surface
            What names parameters and values: Python, or the options of a command.

        Returns
        -------
        message : str
            The same facts in its words.
        """
        return surface.say(self.sentence)

    def __str__(self) -> str:
        return self.told(PYTHON)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), tuple(_portable(fact) for fact in self.args)


class _AboutDataError(TreewrightError):
    """An error whose message names the column, the row or the value."""

    @property
    def feature(self) -> object:
        """Name of the column."""
        return _first(self, Feature, lambda place: place.name)

    @property
    def column(self) -> int | None:
        """Position of the column."""
        return _first(self, Feature, lambda place: place.column)

    @property
    def row(self) -> int | None:
        """Position of the row."""
        return _first(self, Row, lambda place: place.row)

    @property
    def value(self) -> object:
        """The value that cannot be used."""
        return _first(self, Value, lambda shown: shown.values[0])


class DataError(_AboutDataError, ValueError):
    """A value, a shape or a length in the data cannot be used.

    Attributes
    ----------
    feature : object
        Name of the column that the message is about; None where it is about no column.
    column : int or None
        Its position, from 0.
    row : int or None
        The row, from 0.
    value : object
        The value that cannot be used; None where the message shows none.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[1.0], [2.0]], ["yes", None])
    Traceback (most recent call last):
    ...
    treewright.DataError: y has no label at row 1 (NaN, None or NA); give the row a \
class, or leave it out (a sample weight of 0 does that)
    """


class DataTypeError(_AboutDataError, TypeError):
    """Data have a type that is not number, text or boolean.

    Attributes
    ----------
    feature, column, row, value
        As in `DataError`.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[b"raw"]])
    Traceback (most recent call last):
    ...
    treewright.DataTypeError: feature 'x0' (column 0) has a bytes at row 0; every \
value of this argument must be a string, a boolean or a number: decode it to text, value.decode()
    """


class ParameterError(TreewrightError, ValueError):
    """A parameter has an invalid value.

    Parameters
    ----------
    name : str
        The parameter.
    value : object
        The value; `UNSET` if the message does not show it.
    allowed : Sentence
        Which values are allowed, or why this one is not: the rest of the sentence that starts with
        ``name=value``.
    remedy : Sentence, default=""
        What to do.
    at : tuple, default=()
        A position within the parameter: ``(3,)`` for ``name[3]``.

    Attributes
    ----------
    name, value, allowed, remedy, at
        As given.

    Examples
    --------
    >>> import treewright
    >>> treewright.Dataset([[1.0]], categorical_features="all")
    Traceback (most recent call last):
    ...
    treewright.ParameterError: categorical_features='all' is not known; choose \
'from_dtype', None, or a list of names, positions or booleans
    """

    def __init__(
        self,
        name: str,
        value: object,
        allowed: Sentence,
        remedy: Sentence = "",
        at: tuple[object, ...] = (),
    ) -> None:
        super().__init__(name, value, allowed, remedy, at)
        self.name, self.value, self.allowed, self.remedy, self.at = name, value, allowed, remedy, at

    @property
    def shows_value(self) -> bool:
        """Whether the message opens with the value of the parameter."""
        return self.value is not UNSET

    @property
    def sentence(self) -> tuple[str | Part, ...]:
        """The message as texts and facts."""
        values = () if self.value is UNSET else (self.value,)
        return (Param(self.name, *values, at=self.at), *self.reason)

    @property
    def reason(self) -> tuple[str | Part, ...]:
        """The message after the name and the value."""
        allowed, remedy = parts_of(self.allowed), parts_of(self.remedy)
        is_colon = isinstance(allowed[0], str) and allowed[0].startswith(":")
        return (*("" if is_colon else " ",), *allowed, *(("; ", *remedy) if self.remedy else ()))


class ProgramError(ParameterError):
    """The text of a program or of a formula cannot be read.

    Parameters
    ----------
    message : str
        What is wrong, without the place.
    kind : str
        ``"syntax"``, ``"unbound"``, ``"mismatch"``, ``"arity"``, ``"name"``, ``"tuple"``, ``"uninhabited"``,
        ``"not_structural"``, ``"too_many"`` or ``"too_large"``.
    place : tuple of int or None
        Line and column in the text, from 1.
    what, expected, found : str
        The wrong part of the text, what was expected, and what was found: for ``"unbound"`` the name.

    Attributes
    ----------
    message, kind, what, expected, found, line, column
        As given.

    Examples
    --------
    >>> from treewright.evolution import Program
    >>> try:
    ...     Program("fun f(n: int): int = m")
    ... except ProgramError as error:
    ...     print(error.kind, error.found, error.column)
    unbound m 22
    """

    def __init__(
        self,
        message: str,
        kind: str,
        place: tuple[int, int] | None,
        what: str = "",
        expected: str = "",
        found: str = "",
    ) -> None:
        super().__init__("text", UNSET, message)
        self.args = (message, kind, place, what, expected, found)
        self.message, self.kind, self.what, self.expected, self.found = message, kind, what, expected, found
        self.line: int | None = place[0] if place else None
        self.column: int | None = place[1] if place else None

    @property
    def sentence(self) -> tuple[str | Part, ...]:
        """The place and the message."""
        return (
            self.message if self.line is None else f"line {self.line}, column {self.column}: {self.message}",
        )


class FormatError(TreewrightError, ValueError):
    """A saved tree or data set is damaged, or has a format that this version cannot read.

    Examples
    --------
    >>> issubclass(FormatError, ValueError)
    True
    """


class ExportError(TreewrightError, ValueError):
    """A tree cannot be written in a format: the message says what the format cannot say, or its limit.

    Examples
    --------
    >>> issubclass(ExportError, ValueError)
    True
    """


class UnfinishedError(TreewrightError, RuntimeError):
    """A search has not come far enough for the requested result.

    Examples
    --------
    >>> issubclass(UnfinishedError, RuntimeError)
    True
    """


class StepLimitError(TreewrightError, RuntimeError):
    """A program reached its limit of steps and has no value.

    Examples
    --------
    >>> from treewright.evolution import Program
    >>> tower = Program("fun f(n: int): int = case n of 0 => 1 | m + 1 => f(m) + f(m)")
    >>> tower(99)
    Traceback (most recent call last):
    ...
    treewright.StepLimitError: the program used up its steps; raise max_steps
    """


class MemoryLimitError(TreewrightError, RuntimeError):
    """A program reached its limit of memory and has no value.

    Examples
    --------
    >>> issubclass(MemoryLimitError, RuntimeError)
    True
    """


for _kind in list(globals().values()):
    if isinstance(_kind, type) and issubclass(_kind, TreewrightError):
        _kind.__module__ = "treewright"  # where users find it, and what a traceback shows


def _first(error: TreewrightError, kind: type[_Kind], fact: Callable[[_Kind], _Found]) -> _Found | None:
    """Return a fact of the first part of a kind."""
    return next((fact(part) for part in error.sentence if isinstance(part, kind)), None)


def _portable(fact: object) -> object:
    """Return a fact as it can be pickled."""
    try:
        pickle.dumps(fact)
    except Exception:
        return PYTHON.say(fact) if isinstance(fact, Part) else Shown(repr(fact))
    return fact
