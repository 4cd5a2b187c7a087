"""A generator of CSV files of every dialect, which knows what is in them."""

from __future__ import annotations

import bz2
import gzip
import lzma
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

NAN = float("nan")
WORDS = (
    "red",
    "green",
    "größer",
    "it's",
    'say "so"',
    "two, or so",
    "a;b",
    "x|y",
    "naïve",
    "two words",
    "Ärzte",
    "UTF",
)
PACKERS: Sequence[Callable[[bytes], bytes]] = (bytes, gzip.compress, bz2.compress, lzma.compress)


@dataclass(frozen=True)
class Dialect:
    """How a file is written."""

    delimiter: str
    decimal: str
    thousands: str
    quote: str
    quotes_all: bool
    encoding: str
    line_end: str
    has_header: bool
    title: str
    footer: str
    has_comments: bool
    trailing: bool
    missing: str
    pack: Callable[[bytes], bytes]


@dataclass(frozen=True)
class Generated:
    """A file and what it must read as: the values of features ("" and nan are missing) and the classes."""

    content: bytes
    columns: Mapping[str, list[Any]]
    classes: list[str]
    options: Mapping[str, Any] = field(default_factory=dict)


def dialect(random: Random) -> Dialect:
    """Draw a dialect in which numbers can be read in one way only."""
    delimiter = random.choice(",;\t|")
    decimal = random.choice(".," if delimiter != "," else ".")
    return Dialect(
        delimiter=delimiter,
        decimal=decimal,
        thousands=random.choice(("", "", "." if decimal == "," else ",", "'", " ")),
        quote=random.choice('""\''),
        quotes_all=random.random() < 0.2,
        encoding=random.choice(("utf-8", "utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le")),
        line_end=random.choice(("\n", "\n", "\r\n", "\r")),
        has_header=random.random() < 0.8,
        title=random.choice(("", "", "", "Patients of last year")),
        footer=random.choice(("", "", "", "Total", "Source: the registry of 2024")),
        has_comments=random.random() < 0.2,
        trailing=random.random() < 0.15,
        missing=random.choice(("", "NA", "-9")),
        pack=random.choice(PACKERS),
    )


def written(number: float, style: Dialect, n_decimals: int) -> str:
    """Write a number with its marks."""
    whole, _, part = f"{abs(number):.{n_decimals}f}".partition(".")
    if style.thousands:
        groups = [whole[max(end - 3, 0) : end] for end in range(len(whole), 0, -3)]
        whole = style.thousands.join(reversed(groups))
    return ("-" if number < 0 else "") + whole + (style.decimal + part if part else "")


def numeric(random: Random, style: Dialect, n_rows: int) -> tuple[list[str], list[float]]:
    """Draw a column of numbers as they are written, and their values."""
    n_decimals, top = random.choice((0, 1, 2, 4)), random.choice((10, 1000, 10**7))
    texts, values = [], []
    for row in range(n_rows):
        number = round(random.uniform(-top, top), n_decimals)
        if row and random.random() < 0.1:
            texts.append(style.missing)
            values.append(NAN)
            continue
        if row == 0:  # one number that tells the marks apart
            number, n = 1234567.25, 2
        else:
            n = n_decimals
        texts.append(written(number, style, n))
        value = float(f"{number:.{n}f}") + 0.0  # -0.0 is 0.0
        values.append(NAN if style.missing == "-9" and value == -9 else value)
    return texts, values


def nominal(random: Random, style: Dialect, n_rows: int) -> tuple[list[str], list[str]]:
    """Draw a column of texts and their values."""
    levels = random.sample(WORDS, random.randint(2, 5))
    if random.random() < 0.2 and style.line_end == "\n":
        levels.append("two\nlines")
    drawn = [random.choice(levels) if random.random() > 0.1 else style.missing for _ in range(n_rows)]
    return drawn, ["" if text == style.missing else text for text in drawn]


def measured(random: Random, style: Dialect, n_rows: int) -> tuple[list[str], list[float], str]:
    """Draw a column of numbers with a unit."""
    texts, values = numeric(random, style, n_rows)
    unit = random.choice(("kg", "%", "€"))
    gap = random.choice(("", " "))
    return [text if text == style.missing else f"{text}{gap}{unit}" for text in texts], values, unit


def line(fields: Sequence[str], style: Dialect) -> str:
    """Write a record, with quotation marks where they are needed."""
    special = {style.delimiter, style.quote, "\n", "\r"}

    def one(text: str) -> str:
        if style.quotes_all or special & set(text):
            return f"{style.quote}{text.replace(style.quote, 2 * style.quote)}{style.quote}"
        return text

    return (
        style.delimiter.join(map(one, fields)) + (style.delimiter if style.trailing else "") + style.line_end
    )


def generated(random: Random) -> Generated:
    """Draw a file."""
    style, n_rows = dialect(random), random.randint(4, 30)
    fields: list[list[str]] = []
    columns: dict[str, list[Any]] = {}
    for place in range(random.randint(2, 6)):
        name = f"col{place}" if style.has_header else f"x{place}"
        kind = random.choice(("numeric", "nominal", "measured")) if place else "numeric"
        if kind == "numeric":
            texts, columns[name] = numeric(random, style, n_rows)  # type: ignore[assignment]
        elif kind == "nominal":
            texts, columns[name] = nominal(random, style, n_rows)  # type: ignore[assignment]
        else:
            texts, values, unit = measured(random, style, n_rows)
            columns[f"{name} ({unit})"] = values
        fields.append(texts)
    classes = [random.choice(("yes", "no", "perhaps")) for _ in range(n_rows)]
    target = "the class" if style.has_header else f"x{len(fields)}"
    text = "".join(parts(random, style, fields, classes, target))
    encoding = style.encoding
    content = style.pack(text.encode(encoding, errors="strict"))
    options = {"target": target, **({"missing_values": {style.missing}} if style.missing else {})}
    return Generated(content, columns, classes, options)


def parts(
    random: Random, style: Dialect, fields: Sequence[list[str]], classes: list[str], target: str
) -> list[str]:
    """Return the lines of a file."""
    found = []
    if style.title:
        found.append(style.title + style.line_end)
    if style.has_comments:
        found.append(f"# made by us, or so{style.line_end}")
    if style.has_header:
        found.append(line([*(f"col{i}" for i in range(len(fields))), target], style))
    for row, label in enumerate(classes):
        found.append(line([*(column[row] for column in fields), label], style))
        if style.has_comments and random.random() < 0.1:
            found.append(f"# {row}{style.line_end}")
    if style.footer == "Total":
        found.append(line(["Total", *([""] * len(fields))], style))
    elif style.footer:
        found.append(style.line_end + style.footer + style.line_end)
    return found
