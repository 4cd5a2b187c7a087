"""The whole intake: from X, y and weights to what the core is given."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from treewright._base.wording import Feature
from treewright.data.checks import ColumnChecks, spelled_alike
from treewright.data.intake.column import Column, Kind, Nominal, Place
from treewright.data.intake.containers import Container
from treewright.data.intake.labels import Label
from treewright.data.intake.objects import ObjectColumn
from treewright.data.intake.schema import (
    Names,
    feature_names,
    in_declared_levels,
    read_levels,
    read_spellings,
    refuse_unwritable,
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
class Settled:
    """A column whose kind is known; `is_declared` by the user."""

    place: Place
    column: Column | Nominal
    is_declared: bool

    def array(self) -> AnyArray:
        """Return numbers or codes."""
        return self.column.codes if isinstance(self.column, Nominal) else self.column.numbers(self.place)

    def check(self, array: AnyArray, checks: ColumnChecks) -> None:
        """Show the column to the checks."""
        column, feature = self.column, self.place.subject
        assert isinstance(feature, Feature), "only labels and weights are parameters"
        levels = column.levels if isinstance(column, Nominal) else None
        texts = column.texts_read() if isinstance(column, ObjectColumn) else {}
        checks.look(feature, array, levels, is_declared=self.is_declared, alike=spelled_alike(texts))


@dataclass(frozen=True)
class Table:
    """Names and domains of the columns, the columns to be made, target and weights."""

    names: Names
    levels: list[list[Label] | None]
    columns: deque[Settled]
    target: Target | None
    weights: FloatArray | None

    def arrays(self, checks: ColumnChecks | None = None) -> Iterator[AnyArray]:
        """Yield numbers of numeric and codes of nominal columns, letting go of each once it is checked."""
        while self.columns:
            settled = self.columns.popleft()
            array = settled.array()
            if checks is not None:
                settled.check(array, checks)
            yield array


def read_table(container: Container, y: VectorLike, sample_weight: VectorLike, wishes: ColumnWishes) -> Table:
    """Let rows of weight 0 leave, then read the target and each column by its kind."""
    n_rows, n_features = container.shape
    names = feature_names(container.labels, n_features)
    kinds = requested_kinds(wishes.categorical_features, names.labels, n_features)
    weights = read_weights(sample_weight, n_rows)
    target = None if y is None else read_target(y, n_rows, weights.rows)
    return Table(names, *_read_columns(container, names, kinds, weights.rows, wishes), target, weights.values)


def read_columns(
    container: Container,
    names: Sequence[str],
    rows: IntArray | None = None,
    positions: Sequence[int] | None = None,
) -> Iterator[tuple[Place, Column]]:
    """Yield each column with its place; `positions` are those that are read, all if None."""
    at = range(container.shape[1]) if positions is None else positions
    for name, position, column in zip(names, at, container.columns(rows, positions), strict=True):
        yield Place.of_feature(name, position, rows), column


def _read_columns(
    container: Container,
    names: Names,
    kinds: Sequence[Kind | None],
    rows: IntArray | None,
    wishes: ColumnWishes,
) -> tuple[list[list[Label] | None], deque[Settled]]:
    spellings = read_spellings(wishes.missing_values)
    declared = read_levels(wishes.levels, names.shown)
    settled = deque[Settled]()
    places = read_columns(container, names.shown, rows)
    for (place, raw), wanted, domain in zip(places, kinds, declared, strict=True):
        column = raw if spellings is None else raw.without(spellings)
        is_declared = wanted is not None or domain is not None
        if domain is not None:
            nominal = refuse_unwritable(in_declared_levels(column, domain, place), place)
            settled.append(Settled(place, nominal, is_declared))
        elif (wanted or column.kind(place)) == "nominal":
            nominal = refuse_unwritable(column.nominal(place), place)
            settled.append(Settled(place, nominal, is_declared))
        else:
            settled.append(Settled(place, column, is_declared))
    levels = [one.column.levels if isinstance(one.column, Nominal) else None for one in settled]
    return levels, settled
