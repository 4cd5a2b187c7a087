"""Columns of the data as scikit-learn's transformers make them: numbers, indicators of values, of groups."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from treewright.data.intake.labels import Label
from treewright.data.types import FloatArray
from treewright.trees.exports.indicators import TITLE, Key
from treewright.trees.exports.program import Program
from treewright.trees.exports.refusal import refusal, shortened

if TYPE_CHECKING:
    from sklearn.compose import ColumnTransformer
    from sklearn.pipeline import Pipeline
    from sklearn.preprocessing import OneHotEncoder

EXACT = 2**53
"""Whole numbers up to here are doubles."""
MOST_SHOWN = 3
"""Values of a group that the name of its indicator shows."""

Levels = Sequence[Label] | None
"""Of a feature; None for numbers."""
Part = tuple[str, object, list[int]]
"""A name, a transformer, and the positions of what it reads."""


class Values:
    """The values of a nominal column as scikit-learn's encoders know them."""

    def __init__(self, name: str, levels: Sequence[Label], *, has_missing: bool) -> None:
        self.name = name
        self.n_levels = len(levels)
        if len(set(levels)) < self.n_levels:
            reason = f"takes 1 and True for one value, and '{shortened(name)}' has both"
            raise refusal(TITLE, reason, "rename one of them")
        are_numbers = all(_is_number(level) for level in levels)
        order = sorted(range(self.n_levels), key=levels.__getitem__) if are_numbers else range(self.n_levels)
        self.place = {code: place for place, code in enumerate(order)}
        gone: list[object] = [] if not has_missing else [np.nan] if are_numbers else [None, np.nan]
        listed = [*(levels[code] for code in order), *gone]
        self.categories = np.empty(len(listed), dtype=object)
        self.categories[:] = listed
        if are_numbers:
            self.categories = np.array(listed)

    def cells(self, key: Key) -> list[int]:
        """Return the places of the values that an indicator is about."""
        known = [self.place[code] for code in key.codes if code < self.n_levels]
        gone = range(self.n_levels, len(self.categories)) if self.n_levels in key.codes else ()
        return [*known, *gone]

    def held(self, key: Key) -> FloatArray:
        """Return 1 for the values that an indicator is about, else 0: the weights of a sum."""
        held = np.zeros((1, len(self.categories)))
        held[0, self.cells(key)] = 1.0
        return held


def one_hot(columns: Sequence[Values]) -> OneHotEncoder:
    """Return an encoder, to be fitted; what it does not know has no indicator."""
    from sklearn.preprocessing import OneHotEncoder

    categories = [column.categories for column in columns]
    return OneHotEncoder(categories=categories, sparse_output=False, handle_unknown="ignore")


def indicator(column: Values) -> Pipeline:
    """Return what is to sum the indicators of some values: scikit-learn has this linear map."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.pipeline import Pipeline

    return Pipeline([("values", one_hot([column])), ("sum", TruncatedSVD(n_components=1, random_state=0))])


def _is_number(level: Label) -> bool:
    """Whether a value is a number that an array of doubles holds."""
    return isinstance(level, int | float) and not isinstance(level, bool) and abs(level) <= EXACT


class Columns:
    """The columns that a tree of scikit-learn reads, in their order."""

    def __init__(self, program: Program, keys: Sequence[Key]) -> None:
        self.program = program
        self.keys = sorted(set(keys), key=lambda key: (key.column, key.codes))
        self.values = {key.column: self.values_of(key.column) for key in self.keys if key.codes}
        self.numbers = [key for key in self.keys if not key.codes]
        self.groups = [key for key in self.keys if len(self.cells(key)) > 1]
        self.single = sorted({key.column for key in self.keys if len(self.cells(key)) == 1})

    def values_of(self, column: int) -> Values:
        """Return the values of a nominal column; a missing one is told where some indicator is about it."""
        own = self.program.columns[column]
        levels = own.levels or ()
        has_missing = any(key.column == column and len(levels) in key.codes for key in self.keys)
        return Values(own.name, levels, has_missing=has_missing)

    def cells(self, key: Key) -> list[int]:
        """Return the places of the values that an indicator is about; none of a number."""
        return self.values[key.column].cells(key) if key.codes else []

    def places(self) -> dict[Key, int]:
        """Return the place of every column that is compared."""
        found = {key: place for place, key in enumerate(self.numbers)}
        start = len(found)
        for column in self.single:
            for key in self.keys:
                if key.column == column and len(self.cells(key)) == 1:
                    found[key] = start + self.cells(key)[0]
            start += len(self.values[column].categories)
        return found | {key: start + i for i, key in enumerate(self.groups)}

    def transformer(self, names: Sequence[str], levels: Sequence[Levels]) -> ColumnTransformer:
        """Return what makes the columns, fitted to the names and values of all features of the data."""
        from sklearn.compose import ColumnTransformer

        parts: list[Part] = []
        if self.numbers:
            parts.append(("numbers", "passthrough", self.positions([key.column for key in self.numbers])))
        if self.single:
            encoder = one_hot([self.values[column] for column in self.single])
            parts.append(("values", encoder, self.positions(self.single)))
        for key, name in self.named_groups():
            parts.append((name, indicator(self.values[key.column]), self.positions([key.column])))
        parts = parts or [_first(names, levels)]
        with np.errstate(all="ignore"):  # of a column with one value nothing varies
            made = ColumnTransformer(parts, sparse_threshold=0.0).fit(_rows(names, levels))
        self.set_up(made)
        return made

    def set_up(self, made: ColumnTransformer) -> None:
        """Give fitted transformers what they are to know.

        They were fitted to objects; encoders with arrays of numbers encode columns of any type.
        """
        fitted = made.named_transformers_
        if self.single:
            fitted["values"].categories_ = [self.values[column].categories for column in self.single]
        for key, name in self.named_groups():
            values = self.values[key.column]
            fitted[name]["values"].categories_ = [values.categories]
            fitted[name]["sum"].components_ = values.held(key)

    def named_groups(self) -> list[tuple[Key, str]]:
        """Return the groups with a name for each."""
        return [(key, self.name_of(key, number)) for number, key in enumerate(self.groups)]

    def positions(self, columns: Sequence[int]) -> list[int]:
        """Return the positions of columns in the data."""
        return [self.program.columns[column].position for column in columns]

    def name_of(self, key: Key, number: int) -> str:
        """Name an indicator of a group by its values; the name of no two is one."""
        column = self.program.columns[key.column]
        known = [str(level) for code, level in enumerate(column.levels or ()) if code in key.codes]
        gone = ["missing"] if len(known) < len(key.codes) else []
        more = ["…"] if len(known) > MOST_SHOWN else []
        listed = ", ".join(shortened(text, 20) for text in [*gone, *known[:MOST_SHOWN], *more])
        return f"{number}: {shortened(column.name)} in {{{listed}}}".replace("__", "_ _")


def _first(names: Sequence[str], levels: Sequence[Levels]) -> Part:
    """Return the first feature, for a tree that asks nothing: scikit-learn has none without a column."""
    if levels[0] is None:
        return "numbers", "passthrough", [0]
    return "values", one_hot([Values(names[0], levels[0] or [""], has_missing=False)]), [0]


def _rows(names: Sequence[str], levels: Sequence[Levels]) -> object:
    """Return two rows that have all features, with their names where pandas is there to keep them."""
    rows = np.empty((2, len(names)), dtype=object)
    rows[0] = [(known or [0.0])[0] for known in levels]
    rows[1] = [(known or [1.0])[-1] for known in levels]
    try:
        import pandas as pd
    except ImportError:
        return rows
    return pd.DataFrame(rows, columns=list(names))
