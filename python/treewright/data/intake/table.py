"""The whole intake: from X, y and weights to what the core is given."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from treewright.data.intake.column import Column, Kind, Nominal, Place
from treewright.data.intake.containers import Container
from treewright.data.intake.labels import Label
from treewright.data.intake.schema import (
    Names,
    feature_names,
    in_declared_levels,
    read_levels,
    read_spellings,
    requested_kinds,
)
from treewright.data.intake.target import Target, read_target, read_weights
from treewright.data.types import AnyArray, FloatArray, IntArray, VectorLike


@dataclass(frozen=True)
class ColumnWishes:
    """What a user says of the columns beyond their types."""

    categorical_features: object = "from_dtype"
    missing_values: Iterable[object] | None = None
    levels: Mapping[str, Sequence[object]] | None = None


@dataclass(frozen=True)
class Table:
    """Names and domains of the columns, the columns to be made, target and weights."""

    names: Names
    levels: list[list[Label] | None]
    columns: deque[tuple[Place, Column | Nominal]]
    target: Target | None
    weights: FloatArray | None

    def arrays(self) -> Iterator[AnyArray]:
        """Yield numbers of numeric and codes of nominal columns, letting go of each."""
        while self.columns:
            place, column = self.columns.popleft()
            yield column.codes if isinstance(column, Nominal) else column.numbers(place)


def read_table(container: Container, y: VectorLike, sample_weight: VectorLike, wishes: ColumnWishes) -> Table:
    """Let rows of weight 0 leave, then read the target and each column by its kind."""
    n_rows, n_features = container.shape
    names = feature_names(container.labels, n_features)
    kinds = requested_kinds(wishes.categorical_features, names.given, n_features)
    weights = read_weights(sample_weight, n_rows)
    target = None if y is None else read_target(y, n_rows, weights.rows)
    return Table(names, *_read_columns(container, names, kinds, weights.rows, wishes), target, weights.values)


def read_columns(
    container: Container, names: Sequence[str], rows: IntArray | None = None
) -> Iterator[tuple[Place, Column]]:
    """Yield each column with its place."""
    for position, column in enumerate(container.columns(rows)):
        yield Place.of_feature(names[position], position, rows), column


def _read_columns(
    container: Container,
    names: Names,
    kinds: Sequence[Kind | None],
    rows: IntArray | None,
    wishes: ColumnWishes,
) -> tuple[list[list[Label] | None], deque[tuple[Place, Column | Nominal]]]:
    spellings = read_spellings(wishes.missing_values)
    declared = read_levels(wishes.levels, names.shown)
    settled = deque[tuple[Place, Column | Nominal]]()
    places = read_columns(container, names.shown, rows)
    for (place, raw), wanted, domain in zip(places, kinds, declared, strict=True):
        column = raw if spellings is None else raw.without(spellings)
        if domain is not None:
            settled.append((place, in_declared_levels(column, domain, place)))
        elif (wanted or column.kind(place)) == "nominal":
            settled.append((place, column.nominal(place)))
        else:
            settled.append((place, column))
    levels = [column.levels if isinstance(column, Nominal) else None for _, column in settled]
    return levels, settled
