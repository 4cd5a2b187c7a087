"""A description as text."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence

from treewright._base.shown import shown_number, shown_text, shown_values
from treewright._base.wording import shortened
from treewright.data.description.facts import ColumnDescription, Facts, RowsDescription, TargetDescription
from treewright.data.intake.labels import Label

MOST_CLASSES = 12
WIDEST_VALUE = 24


def text_of(facts: Facts, max_columns: int | None, width: int) -> str:
    """Write size, classes, columns, equal rows and remarks."""
    parts = [_size(facts, width), *_classes(facts.target), _columns(facts, max_columns, width)]
    return "\n\n".join([*parts, filled(_rows(facts), width), _remarks(facts, width)])


def size_of(facts: Facts) -> str:
    """Say how large a data set is."""
    kinds = Counter(column.kind for column in facts.columns)
    features = ", ".join(f"{kinds[kind]:,} {kind}" for kind in ("numeric", "nominal") if kinds[kind])
    weight = "" if facts.weight is None else f" of weight {facts.weight:,g}"
    missing = f", {counted(facts.n_missing, 'missing value')}" if facts.n_missing else ""
    n_columns = counted(len(facts.columns), "feature")
    return f"{counted(facts.n_samples, 'row')}{weight}, {n_columns} ({features}){missing}"


def _size(facts: Facts, width: int) -> str:
    name = "" if facts.name is None else f"{shown_text(facts.name)}: "
    return f"{filled(name + size_of(facts), width)}\nhash {facts.content_hash}"


def _classes(target: TargetDescription | None) -> Iterator[str]:
    if target is None:
        return
    heads = (shown_text(target.name or "class"), "rows", "share")
    cells = zip(shown_values(target.classes), target.counts, target.shares, strict=True)
    lines = [(label, f"{count:,}", f"{share:.1%}") for label, count, share in cells]
    if len(lines) > MOST_CLASSES:
        n_more = len(lines) - MOST_CLASSES + 1
        lines = [*lines[: MOST_CLASSES - 1], (f"… {n_more:,} more", "", "")]
    yield aligned(heads, lines)


def _columns(facts: Facts, most: int | None, width: int) -> str:
    shown = facts.columns if most is None else facts.columns[:most]
    sizes = [
        (shown_text(one.name), one.kind, _share(one.n_missing, facts.n_samples), f"{one.n_different:,}")
        for one in shown
    ]
    lines = aligned(("feature", "kind", "missing", "values"), sizes, left=(0, 1)).splitlines()
    room = width - len(lines[0]) - 2
    told = [f"{line}  {summary(one, room)}" for line, one in zip(lines[1:], shown, strict=True)]
    n_more = len(facts.columns) - len(shown)
    return "\n".join([lines[0], *told, *([f"… {counted(n_more, 'more feature')}"] if n_more else [])])


def _share(n_missing: int, n_rows: int) -> str:
    if not n_missing:
        return "-"
    return f"{n_missing:,} ({short_share(n_missing / n_rows)})"


def short_share(share: float) -> str:
    """Write a share, never one that rounds to none or to all of them."""
    if 0 < share < 0.001:
        return "<0.1%"
    return f"{share:.1%}" if share < 0.999 or share == 1 else ">99.9%"


def summary(column: ColumnDescription, room: int = 80) -> str:
    """Say in a few words which values a column has, of frequent ones as many as there is room for."""
    if not column.most_frequent:
        return "none known"
    if column.kind == "numeric":
        return _range(column)
    n_known = _n_known(column)
    named = [f"{_short(value)} {short_share(count / n_known)}" for value, count in column.most_frequent[:3]]
    texts = [", ".join([*named[:n], *(["…"] if column.n_different > n else [])]) for n in (3, 2, 1)]
    return next((text for text in texts if len(text) <= room), texts[-1])


def _range(column: ColumnDescription) -> str:
    """Write the ends and the middle of numbers that are known."""
    assert column.lowest is not None, "a value is known"
    assert column.highest is not None, "so is the highest"
    if column.dates is not None:
        first, last = column.dates
        return f"{first} to {last}"
    if column.n_different == 1 or column.quartiles is None:
        return brief(column.lowest)
    return f"{brief(column.lowest)} to {brief(column.highest)}, median {brief(column.quartiles[1])}"


def _n_known(column: ColumnDescription) -> int:
    bars = column.histogram
    return 0 if bars is None else int(bars.counts.sum()) + bars.n_others


def _short(value: Label) -> str:
    text = shown_text(value)
    return text if len(text) <= WIDEST_VALUE else f"{text[: WIDEST_VALUE - 1]}…"


def brief(value: float) -> str:
    """Write a whole number whole, and another one with six digits."""
    return shown_number(value) if float(value).is_integer() and abs(value) < 1e15 else f"{value:.6g}"


def _rows(facts: Facts) -> str:
    return " ".join(row_sentences(facts.rows, facts.n_samples))


def row_sentences(rows: RowsDescription, n_samples: int) -> Iterator[str]:
    """Say how many rows are complete, and how many are equal."""
    if rows.n_complete == n_samples:
        yield "No value is missing."
    else:
        yield f"{counted(rows.n_complete, 'row has', 'rows have')} no missing value."
    without = f"Without {shortened(rows.without, 3)}, " if rows.without else ""
    repeated = counted(rows.n_repeated, "row has", "rows have")
    told = (
        f"{repeated} the values of an earlier row."
        if rows.n_repeated
        else "no two rows have the same values."
    )
    yield f"{without}{told}" if without else f"{told[0].upper()}{told[1:]}"


def _remarks(facts: Facts, width: int) -> str:
    if not facts.remarks:
        return "Nothing looks wrong."
    lines = [filled(f"- {remark}.", width, "  ") for remark in facts.remarks]
    return "\n".join(["Worth a look:", "", *lines])


def filled(text: str, width: int, indent: str = "") -> str:
    """Break text into lines; later ones are indented."""
    return textwrap.fill(
        text, max(width, 20), subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
    )


def aligned(heads: Sequence[str], lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Put cells below one another, two blanks between columns."""
    widths = [max(map(len, column)) for column in zip(heads, *lines, strict=True)]
    rows = [
        "  ".join(
            cell.ljust(width) if i in left else cell.rjust(width)
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (heads, *lines)
    ]
    return "\n".join(rows)


def counted(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
