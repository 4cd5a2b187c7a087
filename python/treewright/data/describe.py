"""A data set in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from treewright import _core
from treewright._base.shown import shown_number, shown_text
from treewright.data.intake.column import Kind
from treewright.data.types import AnyArray


def kinds_of(core: _core.Dataset) -> list[Kind]:
    """Return the kind of each column."""
    return ["numeric" if levels is None else "nominal" for levels in core.levels]


def facts(core: _core.Dataset, classes: AnyArray | None, is_weighted: bool) -> Iterator[str]:
    """Yield what a data set has, in a few words each."""
    kinds = kinds_of(core)
    counts = [f"{kinds.count(kind)} {kind}" for kind in ("numeric", "nominal") if kind in kinds]
    yield _counted(core.n_rows, "sample")
    yield f"{_counted(core.n_features, 'feature')} ({', '.join(counts)})"
    if classes is not None:
        yield _counted(len(classes), "class", "classes")
    if is_weighted:
        yield "weighted"
    if n_missing := sum(core.n_missing):
        yield _counted(n_missing, "missing value")


def describe(core: _core.Dataset, classes: AnyArray | None) -> str:
    """Return a table with a line for each feature."""
    lines = [("feature", "kind", "missing", "values")]
    n_missing = core.n_missing
    for i, (name, levels) in enumerate(zip(core.names, core.levels, strict=True)):
        kind = "numeric" if levels is None else "nominal"
        values = _range(core.column(i)) if levels is None else _listed(levels, "level", "levels")
        lines.append((shown_text(name), kind, str(n_missing[i]), values))
    if classes is not None:
        lines.append(("class", "", "0", _listed(classes.tolist(), "class", "classes")))
    name_width, kind_width, missing_width = (max(len(line[i]) for line in lines) for i in range(3))
    return "\n".join(
        f"{name:{name_width}}  {kind:{kind_width}}  {missing:>{missing_width}}  {values}"
        for name, kind, missing, values in lines
    )


def _range(column: np.ndarray) -> str:
    known = column[~np.isnan(column)]
    return f"{_end(known.min())} to {_end(known.max())}" if len(known) else "none known"


def _end(value: float) -> str:
    """Write a whole number whole, and another one with six digits."""
    return shown_number(value) if float(value).is_integer() else f"{value:.6g}"


def _listed(labels: Sequence[object], one: str, many: str, limit: int = 5) -> str:
    shown = ", ".join(repr(label) for label in labels[:limit])
    ending = ", …" if len(labels) > limit else ""
    return f"{_counted(len(labels), one, many)}: {shown}{ending}"


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
