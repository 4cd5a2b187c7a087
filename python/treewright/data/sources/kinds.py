"""From fields of text to numeric and nominal columns."""

from __future__ import annotations

import difflib
import math
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Value, shortened
from treewright.data.sources.csv import TextTable

Kind = Literal["numeric", "nominal"]
Label = str | int | float | bool
Column = tuple[npt.NDArray[np.generic], list[Label] | None]

KINDS: tuple[Kind, ...] = ("numeric", "nominal")


def check_kinds(table: TextTable, kinds: Mapping[str, str]) -> None:
    """Refuse kinds of unknown columns and kinds there are none of."""
    check_known(kinds, table.names, table.path, "kinds")
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise ParameterError("kinds", kind, "is not known", ("choose ", Value(*KINDS)), at=(name,))


def check_known(names: Iterable[str], known: Sequence[str], where: str, parameter: str) -> None:
    """Refuse names of columns that a table does not have."""
    for name in names:
        if name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"its columns are {shortened(known)}"
            raise DataError(f"{where} has no column {name!r} ({parameter}); {hint}")


def read_column(table: TextTable, name: str, kind: Kind | None, missing: Collection[str]) -> Column:
    """Return values and None for a numeric column, codes and levels for a nominal one."""
    fields = table.column(name)
    known = set(fields).difference(missing)
    if kind != "nominal":
        numbers = numbers_in(known)
        if len(numbers) == len(known):
            return _numeric(table, name, numbers, missing), None
        if kind == "numeric":
            raise _not_a_number(table, name, numbers, missing)
    levels = sorted(known)
    return codes(fields, levels), list[Label](levels)


def codes(fields: Sequence[str], levels: Sequence[str]) -> npt.NDArray[np.int32]:
    """Return the position of each field among the levels, -1 for a field that is none of them."""
    position = dict.fromkeys(fields, -1)
    position.update((level, code) for code, level in enumerate(levels))
    return np.fromiter(map(position.__getitem__, fields), np.int32, len(fields))


def numbers_in(known: Iterable[str]) -> dict[str, float]:
    """Return the fields that are numbers; `nan` is a word here, and `1_000` is not a number."""
    numbers: dict[str, float] = {}
    for text in known:
        try:
            value = float(text)
        except ValueError:
            continue
        if not math.isnan(value) and "_" not in text:
            numbers[text] = value
    return numbers


def _numeric(
    table: TextTable, name: str, numbers: dict[str, float], missing: Collection[str]
) -> npt.NDArray[np.float64]:
    fields = table.column(name)
    for text, value in numbers.items():
        if math.isinf(value):
            raise DataError(
                f"{table.where(name, fields.index(text))}: {text!r} is infinite or beyond a 64-bit float; "
                "rescale the column, or leave the field empty if the value is not known"
            )
    numbers.update(dict.fromkeys(missing, math.nan))
    return np.fromiter(map(numbers.__getitem__, fields), np.float64, len(fields))


def _not_a_number(
    table: TextTable, name: str, numbers: dict[str, float], missing: Collection[str]
) -> DataError:
    fields = table.column(name)
    row = next(i for i, text in enumerate(fields) if text not in numbers and text not in missing)
    return DataError(
        f"{table.where(name, row)}: {fields[row]!r} is not a number, and the column is declared numeric; "
        f"declare it nominal, or this spelling missing ({how_missing([fields[row]])})"
    )


def how_missing(spellings: Sequence[str]) -> str:
    """Say how spellings are declared missing, on the command line and in Python."""
    options = " ".join(f"--missing-value {shlex.quote(text)}" for text in spellings)
    return f"{options}, in Python missing_values={{{', '.join(map(repr, spellings))}}}"


def read_target(
    table: TextTable, name: str, kind: Kind | None, missing: Collection[str]
) -> tuple[npt.NDArray[np.int32], list[Label]]:
    """Return class codes and classes; whole numbers become ints, so that 10 follows 9."""
    fields = table.column(name)
    known = set(fields).difference(missing)
    if len(known) < len(set(fields)):
        row = next(i for i, text in enumerate(fields) if text not in known)
        raise DataError(f"{table.where(name, row)}: the class is missing; fill it in or leave the row out")
    if kind != "nominal":
        if all(_is_plain_integer(text) for text in known):
            ordered = sorted(known, key=int)
            return codes(fields, ordered), [int(text) for text in ordered]
        _refuse_measurements(table, name, known)
    ordered = sorted(known)
    return codes(fields, ordered), list[Label](ordered)


def _is_plain_integer(text: str) -> bool:
    digits = text.removeprefix("-")
    return digits.isascii() and digits.isdigit() and len(digits) < 19 and str(int(text)) == text


def _refuse_measurements(table: TextTable, name: str, known: set[str]) -> None:
    numbers = numbers_in(known)
    if len(numbers) == len(known) and any(not value.is_integer() for value in numbers.values()):
        raise DataError(
            f"{table.where(name)} holds {len(known)} different numbers with fractions, as measurements do; "
            "a tree predicts classes: cut the numbers into ranges first, or declare the column nominal "
            "if they are labels"
        )
