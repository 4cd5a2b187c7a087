"""The size of a data set in a few words."""

from __future__ import annotations

from collections.abc import Iterator

from treewright import _core
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


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
