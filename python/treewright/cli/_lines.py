"""Lines of text: numbers, lists and tables as they are printed."""

from __future__ import annotations

import csv
import io
import math
import shutil
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.results import ResultTable


_WIDEST = 100


def listed(names: Sequence[str]) -> str:
    """Fill lines with names, each name whole: its blanks are hidden from the filling."""
    joined = ", ".join(name.replace(" ", "\0") for name in names)
    return filled(joined, indent="  ").replace("\0", " ")


def hanging(start: str, names: Sequence[str]) -> str:
    """Fill lines with names, each name whole, beside what the first of them starts with."""
    joined = ", ".join(name.replace(" ", "\0") for name in names)
    return filled(joined, indent=" " * len(start)).replace("\0", " ").replace(" " * len(start), start, 1)


def screen_width() -> int:
    """Return the characters in a line of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def filled(text: str, indent: str = "") -> str:
    """Break text into lines that fit the screen."""
    width = min(screen_width(), _WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def written_count(count: int) -> str:
    """Return a count, of any size: all digits up to fifteen, then a power of ten."""
    if count < 10**15:
        return f"{count:,}"
    exponent = math.floor(math.log10(count))
    return f"{10 ** (math.log10(count) - exponent):.2f}e{exponent}"


def seconds(elapsed: float) -> str:
    """Return a time as text."""
    return "under 0.001 s" if elapsed < 0.001 else f"{elapsed:.3f} s"


def as_csv(table: ResultTable) -> str:
    """Return a table as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.dtype.names or ())
    writer.writerows(table.tolist())
    return text.getvalue()


def records_as_json(table: ResultTable) -> list[dict[str, Any]]:
    """Return a table as records that JSON can hold: numbers that are none are null."""
    return [{name: _finite(value) for name, value in record.items()} for record in table.records()]


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
