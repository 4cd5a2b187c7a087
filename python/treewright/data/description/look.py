"""From a data set to its description."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from treewright import _core
from treewright.data.description.columns import nominal, numeric
from treewright.data.description.description import Description
from treewright.data.description.facts import ColumnDescription, TargetDescription
from treewright.data.description.pairs import determinations
from treewright.data.description.remarks import (
    of_class_spellings,
    of_columns,
    of_doors,
    of_pairs,
    of_rows,
    of_spellings,
    of_target,
)
from treewright.data.description.rows import describe_rows
from treewright.data.intake.labels import Label
from treewright.data.source import Derivation, Source
from treewright.data.types import AnyArray, CodeArray, FloatArray

ONE_VALUE_A_ROW = "one_value_a_row"


def describe(
    core: _core.Dataset,
    classes: AnyArray | None,
    weights: FloatArray | None,
    source: Source | None,
    digest: str,
) -> Description:
    """Look at a data set: every column, equal rows, pairs of columns."""
    names, levels, n_rows = core.names, core.levels, core.n_rows
    target = np.zeros(n_rows, dtype=np.int32) if core.target is None else core.target
    columns = [core.column(i) for i in range(core.n_features)]
    made = {one.name: one for one in (() if source is None else source.derived)}
    found = tuple(
        _with_dates(_column(*one, target), made.get(one[0]))
        for one in zip(names, columns, levels, strict=True)
    )
    of_file = source is not None and source.reading is not None
    wrong = list(of_doors(names, columns, levels, target, of_file=of_file, without=made))
    own = [name for remark in wrong if remark.kind == ONE_VALUE_A_ROW for name in remark.columns]
    compared = [column for name, column in zip(names, columns, strict=True) if name not in own]
    rows = replace(describe_rows(compared, target, weights), without=tuple(own))
    sources = {name: one.source for name, one in made.items()}
    pairs = tuple(
        pair
        for pair in determinations(names, columns)
        if sources.get(pair.column, pair.column) != sources.get(pair.follows_from, pair.follows_from)
    )
    about = _target(source, target, classes, weights)
    remarks = [
        *wrong,
        *of_rows(rows, is_weighted=weights is not None, of_file=of_file),
        *(() if about is None else (*of_target(about), *of_class_spellings(about.classes))),
        *of_spellings(names, columns, levels),
        *of_columns(found, n_rows, of_file=of_file),
        *of_pairs(pairs),
    ]
    return Description(
        name=None if source is None else source.name,
        reading=None if source is None else source.reading,
        content_hash=digest,
        n_samples=n_rows,
        weight=None if weights is None else float(weights.sum()),
        columns=found,
        target=about,
        rows=rows,
        determinations=pairs,
        remarks=tuple(remarks),
    )


def _column(
    name: str, column: AnyArray, levels: Sequence[Label] | None, target: CodeArray
) -> ColumnDescription:
    return numeric(name, column, target) if levels is None else nominal(name, column, levels, target)


def _with_dates(column: ColumnDescription, made: Derivation | None) -> ColumnDescription:
    """Add the first and the last date where a column counts from the first."""
    if made is None or made.since is None or column.lowest is None or column.highest is None:
        return column
    return replace(column, dates=(made.date(column.lowest), made.date(column.highest)))


def _target(
    source: Source | None, target: CodeArray, classes: AnyArray | None, weights: FloatArray | None
) -> TargetDescription | None:
    if classes is None:
        return None
    labels = tuple(classes.tolist())
    counts = np.bincount(target, minlength=len(labels))
    by_class = None if weights is None else np.bincount(target, weights=weights, minlength=len(labels))
    name = (source.reading or {}).get("target") if source else None
    return TargetDescription(
        name=None if name is None else str(name),
        classes=labels,
        counts=tuple(counts.tolist()),
        weights=None if by_class is None else tuple(by_class.tolist()),
    )
