"""A data set in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from treewright.data.dataset import Dataset


def facts(dataset: Dataset) -> Iterator[str]:
    """Yield what a data set has, in a few words each."""
    kinds = dataset.kinds
    counts = [f"{kinds.count(kind)} {kind}" for kind in ("numeric", "nominal") if kind in kinds]
    yield _counted(dataset.n_samples, "sample")
    yield f"{_counted(dataset.n_features, 'feature')} ({', '.join(counts)})"
    if dataset.classes is not None:
        yield _counted(len(dataset.classes), "class", "classes")
    if dataset.sample_weight is not None:
        yield "weighted"
    if n_missing := sum(dataset.core.n_missing):
        yield _counted(n_missing, "missing value")


def describe(dataset: Dataset) -> str:
    """Return a table with a line a feature."""
    lines = [("feature", "kind", "missing", "values")]
    n_missing = dataset.core.n_missing
    for i, (name, kind, levels) in enumerate(
        zip(dataset.feature_names, dataset.kinds, dataset.levels, strict=True)
    ):
        values = _range(dataset.column(i)) if levels is None else _listed(levels, "level", "levels")
        lines.append((name, kind, str(n_missing[i]), values))
    if dataset.classes is not None:
        lines.append(("class", "", "0", _listed(dataset.classes.tolist(), "class", "classes")))
    name_width, kind_width, missing_width = (max(len(line[i]) for line in lines) for i in range(3))
    return "\n".join(
        f"{name:{name_width}}  {kind:{kind_width}}  {missing:>{missing_width}}  {values}"
        for name, kind, missing, values in lines
    )


def _range(column: np.ndarray) -> str:
    known = column[~np.isnan(column)]
    return f"{known.min():.6g} to {known.max():.6g}" if len(known) else "none known"


def _listed(labels: Sequence[object], one: str, many: str, limit: int = 5) -> str:
    shown = ", ".join(repr(label) for label in labels[:limit])
    ending = ", …" if len(labels) > limit else ""
    return f"{_counted(len(labels), one, many)}: {shown}{ending}"


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
