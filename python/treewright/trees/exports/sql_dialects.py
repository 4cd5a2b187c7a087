"""How databases differ: names, texts, numbers, and how much of a `CASE` they read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal

from treewright.data.intake.labels import Label
from treewright.trees.exports.layout import number
from treewright.trees.exports.refusal import refusal, shortened

LARGEST = "1.7976931348623157e308"
"""The largest number; above it only infinity and, in some databases, NaN."""

MOST_EXACT_DIGITS, MOST_EXACT_POWER = 15, 22
"""A decimal with no more is the nearest double in every reader: one division or product gives it."""


@dataclass(frozen=True)
class Dialect:
    """One database."""

    name: str
    title: str
    quotes: tuple[str, str] = ('"', '"')
    """Around a name; the second is doubled within, if `escapes` are none."""
    escapes: bool = False
    """Whether names and texts have backslash escapes."""
    has_nan: bool = True
    """Whether a column may hold NaN, which is above every number."""
    folds_case: bool = False
    """Whether two names that differ in case are one."""
    most_name: int | None = None
    """Largest length of a name, in bytes of UTF-8 or in characters."""
    counts_bytes: bool = False
    most_nested: int = 50
    """A deeper tree is written without nesting."""
    most_characters: int | None = None
    most_columns: int | None = None
    """Columns of one query."""
    most_constants: int | None = None
    """Names and constants in one expression."""
    floor: str = "FLOOR({})"
    boolean: tuple[str, str] = ("FALSE", "TRUE")
    as_number: Callable[[float], str] = number
    fence: str = ""
    """At the end of an inner query: its columns are computed once, not each time that they are named."""
    nul: str | None = None
    """How a text with the character 0 is put together."""

    def column(self, name: str) -> str:
        """Quote the name of a column: the one escape of names."""
        length = len(name.encode()) if self.counts_bytes else len(name)
        if self.most_name is not None and length > self.most_name:
            unit = "bytes" if self.counts_bytes else "characters"
            reason = (
                f"reads names of at most {self.most_name} {unit}, and a column is called '{shortened(name)}'"
            )
            raise refusal(self.title, reason, "rename the column")
        if "\0" in name:
            raise refusal(self.title, f"has no names with the character 0, as in '{shortened(name)}'")
        start, end = self.quotes
        inner = _backslashed(name, end) if self.escapes and end == "`" else name.replace(end, end + end)
        return f"{start}{inner}{end}"

    def text(self, text: str) -> str:
        """Quote a text: the one escape of texts."""
        if "\0" in text:
            if self.nul is None:
                raise refusal(self.title, f"has no texts with the character 0, as in '{shortened(text)}'")
            joined = f" || {self.nul} || ".join(self.text(part) for part in text.split("\0"))
            return f"({joined})"
        if self.escapes:
            return f"'{_backslashed(text, chr(39))}'"
        quoted = text.replace("'", "''")
        if self.name == "tsql":
            quoted = quoted.replace("\\\n", "\\' + N'\n").replace("\\\r", "\\' + N'\r")
            return f"(N'{quoted}')" if "\\' + N'" in quoted else f"N'{quoted}'"
        return f"'{quoted}'"

    def label(self, label: Label) -> str:
        """Write a label."""
        if isinstance(label, bool):
            return self.boolean[label]
        if isinstance(label, str):
            return self.text(label)
        return str(label) if isinstance(label, int) else self.as_number(label)


def _backslashed(text: str, quote: str) -> str:
    """Escape by backslashes: the quote, the backslash and all that is not seen."""
    named = {"\\": "\\\\", quote: f"\\{quote}", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(
        named.get(c, c if c.isprintable() else f"\\u{ord(c):04x}" if ord(c) < 0x10000 else c) for c in text
    )


def double(value: float) -> str:
    """Write a number with an exponent: so it is a double, never an exact decimal."""
    text = number(value)
    return text if "e" in text else f"{text}e0"


def cast_double(value: float) -> str:
    """Write a number as the text of a double."""
    return f"CAST('{number(value)}' AS DOUBLE PRECISION)"


def sqlite_double(value: float) -> str:
    """Write a number for SQLite, whose reading of long decimals is not exact: then as a fraction."""
    _, digits, exponent = Decimal(number(value)).as_tuple()
    is_short = len(digits) <= MOST_EXACT_DIGITS and abs(int(exponent)) <= MOST_EXACT_POWER
    return number(value) if is_short else _fraction(value)


def _fraction(value: float) -> str:
    """Write a number as a whole number times or divided by powers of two, each step exact."""
    top, bottom = value.as_integer_ratio()
    shift = 0
    while top and top % 2 == 0:
        top, shift = top // 2, shift + 1
    shift -= bottom.bit_length() - 1
    steps = []
    while shift:
        step = max(-60, min(60, shift))
        steps.append(f" * {2**step}.0" if step > 0 else f" / {2**-step}.0")
        shift -= step
    return f"({top}.0{''.join(steps)})"


DIALECTS = {
    dialect.name: dialect
    for dialect in (
        Dialect(
            "postgresql",
            "PostgreSQL",
            as_number=cast_double,
            most_name=63,
            counts_bytes=True,
            most_columns=1600,
            fence=" OFFSET 0",
        ),
        Dialect(
            "sqlite",
            "SQLite",
            quotes=("`", "`"),
            has_nan=False,
            folds_case=True,
            most_nested=15,
            most_columns=2000,
            most_characters=1_000_000_000,
            floor="CAST({} AS INTEGER)",
            fence=" LIMIT -1 OFFSET 0",
            as_number=sqlite_double,
            nul="char(0)",
        ),
        Dialect("duckdb", "DuckDB", folds_case=True, as_number=double, nul="chr(0)"),
        Dialect(
            "bigquery",
            "BigQuery",
            quotes=("`", "`"),
            escapes=True,
            folds_case=True,
            most_name=300,
            most_columns=10_000,
            most_characters=1_000_000,
            as_number=double,
        ),
        Dialect(
            "snowflake",
            "Snowflake",
            escapes=True,
            most_name=255,
            most_characters=1_000_000,
            as_number=lambda value: f"CAST('{number(value)}' AS DOUBLE)",
        ),
        Dialect(
            "tsql",
            "T-SQL",
            quotes=("[", "]"),
            has_nan=False,
            folds_case=True,
            most_name=128,
            most_nested=10,
            most_columns=4096,
            most_constants=65_535,
            boolean=("CAST(0 AS BIT)", "CAST(1 AS BIT)"),
            as_number=double,
        ),
    )
}
"""All dialects by name."""
