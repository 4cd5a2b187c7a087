"""Rows of a table with types, for a tree that is there already."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from treewright._base.errors import DataError
from treewright.data.intake.column import Column as Values
from treewright.data.intake.column import Nominal, Spellings
from treewright.data.intake.labels import Label, family, identity
from treewright.data.intake.numbers import NumberColumn
from treewright.data.intake.objects import read_number
from treewright.data.matching import ModelColumns
from treewright.data.sources.kinds import Column, build, check_known, no_number_for_tree
from treewright.data.sources.rows import Model, Rows, known_missing
from treewright.data.sources.typed import TypedTable, Wishes, settled, spellings_by_column, weights_in
from treewright.data.types import AnyArray


def rows_of_table(tree: Model, table: TypedTable, wishes: Wishes) -> Rows:
    """Read the columns that a tree tests, by name, in its levels."""
    target, weight = wishes.target or None, wishes.weight
    asked = [name for name in (target, weight) if name is not None]
    check_known([] if target is None else [target], table.names, table.path, "target")
    check_known([] if weight is None else [weight], table.names, table.path, "weight")
    names, used = tree.feature_names, tree.used_features.tolist()
    table = table.with_further([names[feature] for feature in used])
    places = ModelColumns(names, used, names).places(table.names, len(table.names), table.path, by_name=True)
    wanted = list(dict.fromkeys([*(table.names[place] for place in places), *asked])) or table.names[:1]
    values = dict(zip(wanted, table.take(wanted), strict=True))
    spellings = spellings_by_column(wishes.missing_values or known_missing(tree), wanted)
    reader = _Reader(tree, table, spellings)
    read = {
        feature: reader.column(feature, table.names[place], values[table.names[place]])
        for feature, place in zip(used, places, strict=True)
    }
    n_rows = len(values[wanted[0]].objects())
    unread = (Column(_unknown(n_rows, levels), levels) for levels in tree.levels)
    columns = [read.get(feature, nothing) for feature, nothing in enumerate(unread)]
    features = build(
        tree.feature_names, [one.values for one in columns], [one.levels for one in columns], None, None
    )
    labels = None if target is None else reader.labels(target, values[target])
    weights = None if weight is None else weights_in(table, weight, values[weight], spellings[weight])
    return Rows(features, labels, reader.notes, weights)


def _unknown(n_rows: int, levels: Sequence[Label] | None) -> AnyArray:
    return np.full(n_rows, np.nan) if levels is None else np.full(n_rows, -1, np.int32)


@dataclass
class _Reader:
    tree: Model
    table: TypedTable
    spellings: Mapping[str, Spellings]
    notes: list[str] = field(default_factory=list)

    def column(self, feature: int, name: str, values: Values) -> Column:
        """Read a column in the tree's levels, and after them those that the tree does not know."""
        levels = self.tree.levels[feature]
        if levels is None:
            self._refuse_text(name, values)
            return settled(self.table, name, values, "numeric", self.spellings[name])
        place = self.table.place(name)
        found = values.without(self.spellings[name]).nominal(place)
        known = _translation(found.levels, levels)
        unseen = [own for own, code in enumerate(known) if code is None]
        self._note(name, found, np.intersect1d(unseen, found.codes))
        further = iter(range(len(levels), len(levels) + len(unseen)))
        codes = [next(further) if code is None else code for code in known]
        translated = np.array([*codes, -1], np.int32)[found.codes]
        return Column(translated, [*levels, *(_apart(found.levels[own], levels) for own in unseen)])

    def _refuse_text(self, name: str, values: Values) -> None:
        """Refuse a text where the tree asks for a number."""
        spellings = self.spellings[name]
        column = values.without(spellings) if spellings.texts else values
        if isinstance(column, NumberColumn):
            return
        for row, value in enumerate(column.objects()):
            if family(value) == "text" and read_number(str(value)) is None:
                told = no_number_for_tree(self.table.where(name, row), str(value), f"{name}:{value}")
                raise DataError(told)

    def _note(self, name: str, found: Nominal, strange: AnyArray) -> None:
        """Say which values the tree does not know, by their codes, and what becomes of them."""
        if not len(strange):
            return
        is_strange = np.isin(found.codes, strange)
        where = self.table.where(name)
        if is_strange[found.codes >= 0].all():
            raise DataError(
                f"{where}: the tree knows none of its values, such as {found.levels[int(strange[0])]!r}. "
                "Give the values that the tree was made from; a tree made with --bins asks for ranges, not "
                "for numbers"
            )
        row, n_rows = int(np.argmax(is_strange)), int(is_strange.sum())
        fate = "left to the node" if self.tree.lists_branches else "taken as missing"
        values = "1 value" if n_rows == 1 else f"{n_rows:,} values"
        self.notes.append(
            f"{where}: {values} unknown to the tree and {fate}, first "
            f"{str(found.levels[found.codes[row]])!r} on {self.table.called(row)}"
        )

    def labels(self, name: str, values: Values) -> list[Label]:
        """Return the classes as the tree has them, others as text."""
        known = {str(label): label for label in self.tree.classes_.tolist()}
        column = values.without(self.spellings[name])
        whole = [_written(value) for value in column.objects()]
        return [known.get(text, text) for text in whole]


def _written(value: object) -> str:
    """Return the text of a label; 2.0 is written 2, as a file of text has it."""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return "" if value is None else str(value)


def _translation(own: Sequence[Label], levels: Sequence[Label]) -> list[int | None]:
    """Return the position of each own level among a tree's: the same value, else the same text."""
    exact = {identity(level): i for i, level in enumerate(levels)}
    by_text = {str(level): i for i, level in enumerate(levels)}
    return [exact.get(identity(level), by_text.get(str(level))) for level in own]


def _apart(own: Label, levels: Sequence[Label]) -> Label:
    """Return a level that the tree does not know in the type of those that it knows."""
    return own if any(type(own) is type(level) for level in levels) else str(own)
