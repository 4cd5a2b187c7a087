"""From fields of text to numeric and nominal columns of a `Dataset`."""

from __future__ import annotations

import difflib
import math
import shlex
import warnings
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import Feature, Param, Surface, Value, shortened
from treewright.data.checks import ColumnChecks, spelled_alike
from treewright.data.columns import some_columns
from treewright.data.dataset import Dataset, as_dataset, dataset_of_codes
from treewright.data.intake.column import Kind
from treewright.data.intake.labels import Label
from treewright.data.sources.csv import TextTable
from treewright.data.types import AnyArray, CodeArray, FloatArray


class Located(Protocol):
    """A table of a file that can say where a column is."""

    def where(self, name: str, row: int | None = None) -> str:
        """Say which column, and which row if one is given."""


class Column(NamedTuple):
    """Values of a numeric column, or codes and their levels; `alike` are two texts read as one number."""

    values: npt.NDArray[np.generic]
    levels: list[Label] | None
    alike: tuple[str, str] | None = None


@dataclass(frozen=True)
class FileColumn(Feature):
    """A column of a file, and where it is."""

    where: str

    def told(self, surface: Surface) -> str:
        """Return file and column."""
        return f"{self.where}: the column"


KINDS: tuple[Kind, ...] = ("numeric", "nominal")


def check_kinds(table: TextTable, kinds: Mapping[str, str]) -> None:
    """Refuse kinds of unknown columns and kinds there are none of."""
    refuse_kinds(kinds, table.names, table.path)


def refuse_kinds(kinds: Mapping[str, str], names: Sequence[str], path: str) -> None:
    """Refuse kinds of columns that are none of the names, and kinds there are none of."""
    check_known(kinds, names, path, "kinds")
    for name, kind in kinds.items():
        if kind not in KINDS:
            raise ParameterError("kinds", kind, "is not known", ("choose ", Value(*KINDS)), at=(name,))


def check_known(names: Iterable[str], known: Sequence[str], where: str, parameter: str) -> None:
    """Refuse names of columns that a table does not have."""
    known_names = set(known)
    for name in names:
        if name not in known_names:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {close[0]!r}?" if close else f"its columns are {shortened(known)}"
            raise DataError(f"{where} has no column {name!r} (", Param(parameter), f"); {hint}")


def read_column(table: TextTable, name: str, kind: Kind | None, missing: Collection[str]) -> Column:
    """Return values and None for a numeric column, codes and levels for a nominal one."""
    fields = table.column(name)
    known = set(fields).difference(missing)
    if kind != "nominal":
        numbers = numbers_in(known)
        if len(numbers) == len(known):
            alike = spelled_alike(numbers) if kind is None else None
            return Column(_numeric(table, name, numbers, missing), None, alike)
        if kind == "numeric":
            raise _not_a_number(table, name, numbers, missing)
    levels = sorted(known)
    return Column(codes(fields, levels), list[Label](levels))


def codes(fields: Sequence[str], levels: Sequence[str]) -> CodeArray:
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


def _numeric(table: TextTable, name: str, numbers: dict[str, float], missing: Collection[str]) -> FloatArray:
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
        "declare it nominal, or add this spelling to ",
        Param("missing_values"),
    )


def how_missing(spellings: Sequence[str]) -> str:
    """Say how spellings are declared missing, on the command line and in Python."""
    options = " ".join(f"--missing-value {shlex.quote(text)}" for text in spellings)
    return f"{options}, in Python missing_values={{{', '.join(map(repr, spellings))}}}"


def read_target(
    table: TextTable, name: str, kind: Kind | None, missing: Collection[str]
) -> tuple[CodeArray, list[Label]]:
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


SPELLINGS = frozenset({"", "?", "-", "--", ".", "#n/a", "n/a", "na", "nan", "nil", "none", "null", "missing"})
"""How files often spell a missing value, in small letters and without blanks around."""

# Where other fields are none of these, the column is suspected if it has at least this many distinct numbers
# and at most this many distinct other fields.
_MANY_NUMBERS = 10
_FEW_OTHERS = 2


def warn_of_suspects(table: TextTable, nominal: Iterable[tuple[str, Sequence[object]]]) -> None:
    """Warn once, of the first such column in full and of further ones by name.

    `nominal` are the columns that nobody declared and that hold text, with their levels.
    """
    suspects = {name: others for name, levels in nominal if (others := _others([*map(str, levels)]))}
    if not suspects:
        return
    spelled = sorted({text for others in suspects.values() for text in others})
    (name, others), *further = suspects.items()
    fields = table.column(name)
    row = next(i for i, text in enumerate(fields) if text in others)
    warnings.warn(
        f"{table.where(name, row)}: the column holds numbers, but also {' and '.join(map(repr, others))}, so "
        f"it is taken as nominal{_and_others([name for name, _ in further])}. Declare what is missing "
        f"({how_missing(spelled)}), or the column nominal, to say what is meant",
        stacklevel=4,
    )


def check_columns(
    table: Located, columns: Mapping[str, Column], target: CodeArray, declared: Collection[str]
) -> None:
    """Warn of columns that look wrong."""
    checks = ColumnChecks(target, of_file=True)
    for position, (name, column) in enumerate(columns.items()):
        place = FileColumn(name, position, table.where(name))
        is_declared = name in declared
        checks.look(place, column.values, column.levels, is_declared=is_declared, alike=column.alike)
    checks.warn()


def _others(levels: Sequence[str]) -> list[str]:
    """Return what is no number in a column that is suspected, an empty list for another column."""
    numbers = numbers_in(levels)
    others = [text for text in levels if text not in numbers]
    is_usual = bool(numbers) and all(text.strip().lower() in SPELLINGS for text in others)
    is_rare = len(numbers) >= _MANY_NUMBERS and len(others) <= _FEW_OTHERS
    return others if is_usual or is_rare else []


def _and_others(names: Sequence[str]) -> str:
    if not names:
        return ""
    more = "so is another one" if len(names) == 1 else f"so are {len(names)} more"
    return f", and {more} like it ({shortened(names, 6)})"


def build(
    names: list[str],
    columns: Sequence[AnyArray],
    levels: Sequence[list[Label] | None],
    target: CodeArray | None,
    classes: Sequence[Label] | AnyArray | None,
) -> Dataset:
    """Make a `Dataset` of float64 columns and of int32 codes (-1: missing) of the given levels."""
    labels = None if classes is None else np.array(classes)
    return dataset_of_codes(names, columns, levels, target, labels, column_labels=names)


def check_weights(table: Located, name: str, weights: FloatArray) -> None:
    """Refuse the first row without a weight, or with one that cannot be."""
    is_wrong = ~((weights >= 0) & (weights < np.inf))
    if is_wrong.any():
        row = int(np.argmax(is_wrong))
        what = "missing" if np.isnan(weights[row]) else f"{weights[row]:g}"
        remedy = "give the row a weight that is finite and not negative, 0 to leave it out"
        raise DataError(f"{table.where(name, row)}: the weight is {what}; {remedy}")


def weighed(dataset: Dataset, weight: str | None, name: str) -> Dataset:
    """Return the data set with a column as its sample weights; None leaves it as it is."""
    if weight is None:
        return dataset
    check_known((weight,), dataset.feature_names, name, "weight")
    position = dataset.feature_names.index(weight)
    if dataset.levels[position] is not None:
        raise DataError(f"{name}: column {weight!r} is nominal; weights are numbers, name a numeric column")
    features = without(dataset, (weight,), name)
    return as_dataset(features, sample_weight=dataset.column(position))


def without(dataset: Dataset, drop: Collection[str], name: str) -> Dataset:
    """Return the data set without the named columns; `name` is what messages call it."""
    check_known(drop, dataset.feature_names, name, "drop")
    kept = [i for i, feature in enumerate(dataset.feature_names) if feature not in drop]
    if not kept:
        raise DataError(f"{name}: no feature is left beside the class; drop fewer columns")
    return some_columns(dataset, kept)
