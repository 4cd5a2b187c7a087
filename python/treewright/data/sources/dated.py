"""Files with columns of dates: read for learning, and read again for a tree that asks for parts of dates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from treewright._base.errors import DataError, ParameterError
from treewright._base.wording import UNSET
from treewright.data.checks import REPLACED
from treewright.data.dataset import Dataset, dataset_of_codes
from treewright.data.derived import MICROSECONDS, Derived, derived_in, times_of, with_dates
from treewright.data.intake.labels import Label
from treewright.data.sources.formats import Table
from treewright.data.sources.kinds import check_known
from treewright.data.sources.rows import Model, Rows, known_missing
from treewright.data.sources.typed import Wishes

if TYPE_CHECKING:
    from treewright.data.types import AnyArray, IntArray

Asked = Mapping[str, Sequence[str]]


def dataset_with_dates(table: Table, wishes: Wishes, asked: Asked, path: str, name: str) -> Dataset:
    """Return a table as a data set, with numbers in the place of dates."""
    if not asked:
        return table.dataset(wishes, name)
    check_known(asked, table.names, path, "dates")
    for other in (wishes.target, wishes.weight):
        if other in asked:
            raise ParameterError("dates", UNSET, f"names {other!r}, which is no feature", "leave it out")
    kinds = {**wishes.kinds, **dict.fromkeys(asked, "nominal")}
    token = REPLACED.set(frozenset(asked))
    try:
        found = table.dataset(replace(wishes, kinds=kinds), name)
    finally:
        REPLACED.reset(token)
    return with_dates(found, asked, path)


@dataclass(frozen=True)
class _Bare:
    """A tree as one that does not use some of its features."""

    tree: Model
    without: frozenset[int]

    @property
    def feature_names(self) -> list[str]:
        return self.tree.feature_names

    @property
    def levels(self) -> Sequence[list[Label] | None]:
        return self.tree.levels

    @property
    def used_features(self) -> IntArray:
        used = self.tree.used_features
        return used[~np.isin(used, list(self.without))]

    @property
    def classes_(self) -> AnyArray:
        return self.tree.classes_

    @property
    def lists_branches(self) -> bool:
        return self.tree.lists_branches

    @property
    def reading(self) -> Mapping[str, object] | None:
        return self.tree.reading


def rows_with_dates(table: Table, tree: Model, wishes: Wishes, path: str) -> Rows:
    """Return the rows of a table for a tree, with the numbers that it asks of dates."""
    used = set(tree.used_features.tolist())
    derived = {feature: made for feature, made in derived_in(tree.reading).items() if feature in used}
    if not derived:
        return table.rows(tree, wishes)
    sources = dict.fromkeys(made.source for made in derived.values())
    check_known(sources, table.names, path, "dates")
    rows = table.rows(_Bare(tree, frozenset(derived)), wishes)
    others = [name for name in table.names if name not in sources]
    asked = Wishes(
        target=False,
        kinds=dict.fromkeys(sources, "nominal"),
        missing_values=wishes.missing_values or known_missing(tree),
        drop=others,
        own_weights=False,
    )
    raw = table.dataset(asked, path)
    columns, levels = rows.features.columns(), list(rows.features.levels)
    for feature, made in derived.items():
        columns[feature], levels[feature] = _numbers(raw, made, path), None
    names = tree.feature_names
    return replace(rows, features=dataset_of_codes(names, columns, levels, column_labels=names))


def _numbers(raw: Dataset, made: Derived, path: str) -> AnyArray:
    """Return a feature of a tree, of the dates of a file."""
    place = raw.feature_names.index(made.source)
    own = raw.levels[place]
    if not own:
        return np.full(raw.n_samples, np.nan)
    words = [] if made.format is None else [made.format]
    times = times_of(raw.column(place), own, made.source, words, path)
    if times.are_durations != (made.part in MICROSECONDS and made.since is None):
        found, wanted = ("durations", "dates") if times.are_durations else ("dates", "durations")
        raise DataError(f"{path}, column {made.source!r} holds {found}, and the tree asks for {wanted}")
    return made.numbers(times)
