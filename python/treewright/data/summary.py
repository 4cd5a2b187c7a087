"""The size of a data set in a few words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np

from treewright import _core
from treewright._base.html import element, escaped, fragment, sentence, table
from treewright._base.shown import shown_values
from treewright.data.intake.column import Kind
from treewright.data.types import AnyArray, FloatArray

MOST_SHOWN = 20
"""Classes and features that a notebook shows."""


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


class Held(Protocol):
    """What of a data set is shown."""

    @property
    def core(self) -> _core.Dataset:
        """The encoded table."""

    @property
    def classes(self) -> AnyArray | None:
        """Class labels."""

    @property
    def sample_weight(self) -> FloatArray | None:
        """Weights."""


def html_of(held: Held) -> str:
    """Show a data set as a notebook does: its size, the classes, the first features."""
    core, classes = held.core, held.classes
    told = element("p", sentence(", ".join(facts(core, classes, held.sample_weight is not None))))
    parts = []
    if classes is not None and core.target is not None:
        n_rows = np.bincount(core.target, minlength=len(classes)).tolist()
        named = zip(shown_values(classes.tolist()), n_rows, strict=True)
        parts = _capped("class", [(sentence(label), f"{n:,}") for label, n in named])
    kinds = ["numeric" if levels is None else f"nominal ({len(levels):,})" for levels in core.levels]
    columns = zip(core.names, kinds, core.n_missing, strict=True)
    rows = [(escaped(name), kind, f"{n:,}") for name, kind, n in columns]
    return fragment(told, *parts, *_capped("feature", rows))


def _capped(what: str, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the first rows as a table, and how many more there are."""
    heads = (what, "samples") if what == "class" else (what, "kind", "missing")
    n_more = len(rows) - MOST_SHOWN
    more = [element("p", f"... {n_more:,} more", class_="soft")] if n_more > 0 else []
    return [table(heads, rows[:MOST_SHOWN], (len(heads) - 1,)), *more]


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count:,} {one if count == 1 else many or one + 's'}"
