"""Random tables, growing parameters and samples, by seed or by Hypothesis.

A seeded table is cheap and reaches odd corners; a Hypothesis one shrinks to a minimal
example. Both make nominal, numeric and mixed columns with missing values, weights,
duplicated columns and rows, contradictory rows, constant and all-missing columns and
declared levels that no sample has.
"""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from random import Random

from hypothesis import strategies as st

from reference.table import Column, Growing, Table, Value

MAX_SAMPLES = 40
MAX_FEATURES = 8
MAX_CLASSES = 6
CRITERIA = ("info_gain", "gain_ratio", "gini")
POLICIES = ("distribution", "most_frequent", "value")
# Neighbouring doubles, numbers whose sum overflows, denormal and tiny differences.
AWKWARD = (
    0.0,
    1e-7,
    5e-324,
    2.5e-310,
    -1.0,
    1.0,
    math.nextafter(1.0, 2.0),
    math.nextafter(math.nextafter(1.0, 2.0), 2.0),
    1e39,
    1.7e308,
    1.6e308,
    -1.7e308,
)


# By seed -----------------------------------------------------------------------------


def random_table(
    rng: Random,
    kind: str = "mixed",
    *,
    samples: tuple[int, int] = (1, MAX_SAMPLES),
    min_features: int = 1,
    missing: bool = True,
) -> Table:
    """Draw a table whose columns are all ``"nominal"``, ``"numeric"`` or either (``"mixed"``).

    The number of samples lies between the two given, one time in five near the lower.
    """
    least, most = samples
    n_samples = rng.randint(least, rng.choice((least + 7, most, most, most, most)))
    n_classes = rng.choice((1, 2, 2, 2, 2, 3, 3, 4, MAX_CLASSES))
    target = [rng.randrange(n_classes) for _ in range(n_samples)]
    n_features = rng.randint(min_features, MAX_FEATURES)
    columns = [_random_column(rng, kind, target) for _ in range(n_features)]
    if rng.random() < 0.5:
        target = _random_rule(rng, columns, n_classes)
    if missing:
        columns = [_with_gaps(rng, column) for column in columns]
    columns = [_copied(rng, columns) if rng.random() < 0.15 else column for column in columns]
    table = Table(tuple(columns), tuple(target), n_classes, None)
    return replace(_with_repeats(rng, table), weights=_random_weights(rng, n_samples))


def _random_rule(rng: Random, columns: list[Column], n_classes: int) -> list[int]:
    """Let the class follow one to three columns together, with a little noise."""
    chosen = rng.sample(columns, min(len(columns), rng.randint(1, 3)))
    coarse = [_ranks(column, rng.choice((1, 2, 5))) for column in chosen]
    labels = [sum(ranks) % n_classes for ranks in zip(*coarse, strict=True)]
    return [rng.randrange(n_classes) if rng.random() < 0.15 else label for label in labels]


def _ranks(column: Column, step: int) -> list[int]:
    distinct = sorted({value for value in column.values if value is not None})
    return [distinct.index(value) // step for value in column.values if value is not None]


def _random_column(rng: Random, kind: str, target: list[int]) -> Column:
    if kind == "mixed":
        kind = rng.choice(("nominal", "numeric"))
    if kind == "numeric":
        return Column(tuple(_random_numbers(rng, target)))
    n_seen = rng.randint(1, 5)
    codes = _random_codes(rng, target, n_seen)
    n_levels = n_seen + rng.choice((0, 0, 1, 2))
    shift = rng.randint(0, n_levels - n_seen)
    return Column(tuple(code + shift for code in codes), n_levels)


def _random_codes(rng: Random, target: list[int], n_levels: int) -> list[int]:
    """Draw codes that follow the class more or less closely."""
    noise = rng.choice((0.3, 0.7, 0.9, 1.0, 1.0))
    return [rng.randrange(n_levels) if rng.random() < noise else label % n_levels for label in target]


def _random_numbers(rng: Random, target: list[int]) -> list[float]:
    manner = rng.choice(("grid", "grid", "real", "real", "awkward", "constant"))
    if manner == "grid":
        return [float(code) for code in _random_codes(rng, target, rng.randint(2, 12))]
    if manner == "real":
        pull = rng.choice((0.0, 0.0, 0.5, 2.0))
        return [rng.gauss(pull * label, 1.0) for label in target]
    if manner == "awkward":
        return [rng.choice(AWKWARD) for _ in target]
    return [rng.gauss(0.0, 1.0)] * len(target)


def _with_gaps(rng: Random, column: Column) -> Column:
    rate = rng.choice((0.0, 0.0, 0.0, 0.05, 0.2, 0.5, 1.0 if rng.random() < 0.2 else 0.1))
    gaps = (None if rng.random() < rate else value for value in column.values)
    return replace(column, values=tuple(gaps))


def _copied(rng: Random, columns: list[Column]) -> Column:
    """Copy some column, as it is or with its levels in reverse."""
    column = rng.choice(columns)
    if column.n_levels is None or rng.random() < 0.5:
        return column
    last = column.n_levels - 1
    return replace(column, values=tuple(None if code is None else last - code for code in column.values))


def random_near_ties(rng: Random) -> Table:
    """Draw heavy nominal columns whose gains are 0 but for the rounding of F or of doubles."""
    n_levels, n_classes = rng.randint(2, 3), rng.randint(2, 3)
    n_features = rng.randint(2, 4)
    cells = [*product(range(n_levels), repeat=n_features)]
    masses = [rng.uniform(1e3, 1e5) for _ in range(n_classes)]
    rows = [(cell, label) for cell in cells for label in range(n_classes)]
    nudges = [2.0**-20 * rng.choice((0, 0, 0, 1, -1)) for _ in rows]
    return Table(
        tuple(Column(tuple(cell[i] for cell, _ in rows), n_levels) for i in range(n_features)),
        tuple(label for _, label in rows),
        n_classes,
        tuple(masses[label] + nudge for (_, label), nudge in zip(rows, nudges, strict=True)),
    )


def random_mirror(rng: Random) -> Table:
    """Draw a number whose cuts come in pairs of nearly equal gain, and a level known in part."""
    half = [(rng.randrange(3), rng.choice((0.01, 0.3, 1.5, 1e3))) for _ in range(rng.randint(12, 30))]
    rows = [*half, *reversed(half)]
    levels = (rng.choice((None, label % 2, 0, 1)) for label, _ in rows)
    return Table(
        (Column(tuple(map(float, range(len(rows))))), Column(tuple(levels), 2)),
        tuple(label for label, _ in rows),
        3,
        tuple(weight + 2.0**-20 * rng.choice((0, 0, 1, -1, 2)) for _, weight in rows),
    )


def _with_repeats(rng: Random, table: Table) -> Table:
    """Repeat some samples in place of others, and change the class of a few."""
    if rng.random() < 0.6:
        return table
    n = table.n_samples
    repeated = table.take([rng.randrange(i + 1) for i in range(n)])
    target = [rng.randrange(table.n_classes) if rng.random() < 0.1 else label for label in repeated.target]
    return replace(repeated, target=tuple(target))


def _random_weights(rng: Random, n_samples: int) -> tuple[float, ...] | None:
    manner = rng.choice(("none", "none", "whole", "fraction", "extreme"))
    if manner == "none":
        return None
    if manner == "whole":
        return whole_weights(rng, n_samples)
    if manner == "fraction":
        step = 2.0 ** -rng.randint(1, 12)
        return tuple(rng.randint(1, 5000) * step for _ in range(n_samples))
    return tuple(rng.choice((2.0**-9, 1.0, 1e-3, 3.7, 2.0**9)) for _ in range(n_samples))  # none is lost


def whole_weights(rng: Random, n_samples: int) -> tuple[float, ...]:
    """Draw small whole weights."""
    return tuple(float(rng.randint(1, 4)) for _ in range(n_samples))


def random_growing(rng: Random, table: Table) -> Growing:
    """Draw growing parameters a table allows: ID3 asks for nominal columns."""
    growing = _random_limits(rng)
    if rng.random() < 0.15:
        factors = tuple(rng.choice((0.25, 0.5, 1.0, 3.0)) for _ in range(table.n_classes))
        growing = replace(growing, class_weight=factors)
    if all(column.is_nominal for column in table.columns) and rng.random() < 0.4:
        return replace(growing, growth="id3", min_samples_split=rng.choice((1.0, 1.0, 5.0)))
    growing = replace(growing, criterion=rng.choice(CRITERIA))
    return replace(growing, mdl_correction=growing.criterion != "gini" and rng.random() < 0.4)


def _random_limits(rng: Random) -> Growing:
    return Growing(
        min_samples_split=rng.choice((1.0, 2.0, 2.0, 2.0, 2.0, 3.5, 8.0)),
        min_samples_branch=rng.choice((0.0, 1.0, 1.0, 1.0, 1.0, 2.0, 0.75, 1.25, 4.0)),
        min_samples_leaf=rng.choice((1.0, 1.0, 1.0, 1.0, 0.5, 2.0, 0.07, 3.25)),
        min_gain=rng.choice((0.0, 0.0, 0.0, 0.0, 0.01, 0.2)),
        max_depth=rng.choice((None, None, None, None, None, 0, 1, 2, 3)),
        missing=rng.choice(("distribution", *POLICIES)),
    )


def random_rows(rng: Random, table: Table, n_rows: int) -> list[tuple[Value, ...]]:
    """Draw samples to predict: seen and unseen values and gaps, mixed by column."""
    return [tuple(_random_value(rng, column) for column in table.columns) for _ in range(n_rows)]


def _random_value(rng: Random, column: Column) -> Value:
    if rng.random() < 0.15:
        return None
    if column.n_levels:
        return rng.randrange(column.n_levels)
    if column.is_nominal:
        return None
    return rng.choice((rng.choice(column.values), rng.gauss(0.0, 2.0), 1e300))


def random_parts(rng: Random, table: Table) -> tuple[list[int], list[int]]:
    """Draw building and validation samples: both non-empty, together all of them."""
    order = rng.sample(range(table.n_samples), table.n_samples)
    n_building = min(table.n_samples - 1, max(1, round(table.n_samples * rng.uniform(0.2, 0.9))))
    return order[:n_building], order[n_building:]


# By Hypothesis -----------------------------------------------------------------------


@st.composite
def tables(
    draw: st.DrawFn,
    *,
    kind: str = "mixed",
    min_samples: int = 1,
    max_samples: int = 20,
    max_features: int = 6,
    weighted: bool = True,
) -> Table:
    """Tables that shrink: fewer samples, features, classes and plainer values."""
    n_samples = draw(st.integers(min_samples, max_samples))
    n_classes = draw(st.integers(1, MAX_CLASSES))
    codes = st.integers(0, n_classes - 1)
    target = draw(st.lists(codes, min_size=n_samples, max_size=n_samples))
    a_column = _columns(kind, n_samples)
    columns = draw(st.lists(a_column, min_size=1, max_size=max_features))
    copied = draw(st.none() | st.integers(0, len(columns) - 1))
    if copied is not None and len(columns) < max_features:
        columns.append(columns[copied])
    weights = draw(_weights(n_samples)) if weighted else None
    return Table(tuple(columns), tuple(target), n_classes, weights)


@st.composite
def _columns(draw: st.DrawFn, kind: str, n_samples: int) -> Column:
    if kind == "mixed":
        kind = draw(st.sampled_from(("nominal", "numeric")))
    n_levels = draw(st.integers(1, 5)) if kind == "nominal" else None
    values: st.SearchStrategy[Value] = _numbers()
    if n_levels is not None:
        values = st.integers(0, n_levels - 1)
    if draw(st.booleans()):
        values = st.none() | values
    drawn = draw(st.lists(values, min_size=n_samples, max_size=n_samples))
    return Column(tuple(drawn), n_levels)


def _numbers() -> st.SearchStrategy[Value]:
    return st.integers(0, 5).map(float) | st.sampled_from(AWKWARD)


def _weights(n_samples: int) -> st.SearchStrategy[tuple[float, ...] | None]:
    whole = st.integers(1, 3).map(float)
    fraction = st.integers(1, 400).map(lambda k: k / 64)
    return st.none() | (
        st.sampled_from((whole, fraction))
        .flatmap(lambda w: st.lists(w, min_size=n_samples, max_size=n_samples))
        .map(tuple)
    )


def growings(growth: str = "standard") -> st.SearchStrategy[Growing]:
    """Growing parameters without a class weight."""
    only_id3 = growth == "id3"
    drawn = st.builds(
        Growing,
        criterion=st.just("info_gain") if only_id3 else st.sampled_from(CRITERIA),
        growth=st.just(growth),
        min_samples_split=st.sampled_from((2.0, 1.0, 3.5, 8.0)),
        min_samples_leaf=st.sampled_from((1.0, 0.0, 2.0, 0.1)),
        min_samples_branch=st.sampled_from((1.0, 0.0, 2.0)),
        min_gain=st.sampled_from((0.0, 0.01, 0.2)),
        mdl_correction=st.just(False) if only_id3 else st.booleans(),
        max_depth=st.sampled_from((None, 0, 1, 3)),
        missing=st.sampled_from(POLICIES),
    )
    return drawn.filter(lambda growing: not (growing.mdl_correction and growing.criterion == "gini"))
