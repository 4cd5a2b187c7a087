"""Times in tables: columns of texts, of LaTeX and of CSV files that differ from run to run."""

from __future__ import annotations

import re

from benches.snapshot.neutral import MASK, is_masked
from benches.snapshot.renamed import stored_name

Rows = list[list[str]]

HEADINGS = re.compile(r" *-+ seconds -+|(?<=\S) {2,}seconds$")
SPAN = re.compile(r"\\multicolumn\{(\d+)\}\{c\}\{(.*?)\}(?= &| \\\\)")
CELLS = " & "
END_OF_ROW = r" \\"


def csv_without_times(rows: Rows) -> Rows:
    """Return a CSV file with its times masked, be they columns or the values of quantities."""
    if not rows:
        return rows
    hidden = [is_masked(name) for name in rows[0]]
    masked = [[MASK if hide else cell for cell, hide in zip(row, hidden, strict=False)] for row in rows[1:]]
    quiet = [[*row[:-1], MASK] if is_time_of_study(row) else row for row in masked]
    return [[stored_name(name) for name in rows[0]], *quiet]


def is_time_of_study(row: list[str]) -> bool:
    """Tell whether a row of a long table holds a time, or how far times vary."""
    return len(row) > 1 and (is_masked(row[-2]) or (row[0], row[-2]) == ("exhaustive", "std_error"))


def text_without_times(text: str) -> str:
    """Return printed text whose tables have no columns of seconds."""
    return latex_without_times(text) if text.startswith("% ") else plain_without_times(text)


def latex_without_times(text: str) -> str:
    """Return a LaTeX table with the cells of columns of seconds masked."""
    lines = text.splitlines(keepends=True)
    timed: set[int] = set()
    for i, line in enumerate(lines):
        if "multicolumn" in line:
            timed = columns_under_seconds(line)
        elif CELLS in line and not line.startswith(("%", "\\")):
            cells = line.rstrip().removesuffix(END_OF_ROW).split(CELLS)
            timed |= {j for j, cell in enumerate(cells) if cell == "seconds"}
            kept = [MASK if j in timed else cell for j, cell in enumerate(cells)]
            lines[i] = f"{CELLS.join(kept)}{END_OF_ROW}\n"
    return "".join(lines)


def columns_under_seconds(line: str) -> set[int]:
    """Return the columns below the heading ``seconds`` of a row of headings."""
    found: set[int] = set()
    at = 0
    for width, heading in SPAN.findall(line):
        if heading == "seconds":
            found |= set(range(at, at + int(width)))
        at += int(width)
    return found


def plain_without_times(text: str) -> str:
    """Return a text whose tables have no columns of seconds."""
    lines = text.splitlines(keepends=True)
    for i, line in enumerate(lines):
        for found in reversed(list(HEADINGS.finditer(line.rstrip("\n")))):
            if is_heading(lines, i):
                cut_column(lines, i, found.start(), found.end())
    return "".join(lines)


def is_heading(lines: list[str], i: int) -> bool:
    """Tell whether a line stands above a table: there are numbers in the two that follow."""
    return bool(re.search(r"\d", "".join(lines[i + 1 : i + 3]))) and "|" not in lines[i]


def cut_column(lines: list[str], i: int, start: int, end: int) -> None:
    """Take a column out of a table, from its heading down to the next empty line."""
    for j in range(i, len(lines)):
        if not lines[j].strip():
            break
        body = lines[j].rstrip("\n")
        lines[j] = (body[:start] + body[end:]).rstrip() + "\n"
