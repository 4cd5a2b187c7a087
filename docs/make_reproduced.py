"""Write docs/reproduced.md from the record of a whole run of ``treewright reproduce --all``.

Run it as ``python docs/make_reproduced.py`` after a new record; `benches/README.md` says how that is made.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from treewright.studies.reproduction.facts import PublishedTable, all_tables, paper

PAGE = Path(__file__).with_name("reproduced.md")
FOLDER = Path(__file__).parents[1] / "benches" / "record"
CELLS = "2026-11-30-reproduced.csv"
RUN = "2026-11-30-reproduced-run.csv"

NO_BREAK, JOINED = "\N{NO-BREAK SPACE}", "\N{WORD JOINER}"
SIGNS = {"agrees": "✓", "differs": "✗", "cannot be compared": "–"}
FIGURE = "the figure has no printed number"
"""Why no cell of a figure can be compared, which stands in its heading alone."""

Row = dict[str, str]


def read(name: str) -> list[Row]:
    """Return the rows of a record."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def markdown(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table whose columns, but for the first, are numbers."""
    heads = list(heads)
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *map(list, rows)]
    return "\n".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines)


def opening(cells: list[Row]) -> str:
    """Return what was run, how long it took, and the sums of the verdicts."""
    run, *later = read(RUN)
    told = "".join(map(again, later))
    agrees, differs, others = SIGNS.values()
    ended = "" if run["status"] == "complete" else " It had not ended when this was recorded."
    return f"""# All tables of the papers, as they come out here

One run of `treewright reproduce --all --effort short`, seed {run["seed"]}, one fold at a time,
on {run["cores"]} cores that others used too: {took(run)}.{ended}
{told}[Tables of the papers, made again](reproduce.md) tells how a verdict comes about, and what is known of
cells that differ.

Every cell has ours, and the paper's number in parentheses. {agrees} agrees: the difference is at most two
standard errors and the rounding of the paper. {differs} differs. {others} cannot be compared. ≈ is the best
of a search that did not end. A small number behind the sign is that of the reason below the table.

Made by `python docs/make_reproduced.py` from the record `{CELLS}`; a test holds this page against it.

{summary(cells)}
"""


def took(run: Row) -> str:
    """Say how long a run took."""
    wall, cpu = (f"{int(run[name]):,} s" for name in ("wall_seconds", "cpu_seconds"))
    return f"{wall} of wall clock, {cpu} of the processor"


def again(run: Row) -> str:
    """Say which tables are of a later run, because others left the first one little of the machine."""
    names = " and ".join(f"`{name}`" for name in run["tables"].split())
    return (
        f"What ends after seconds of the clock had little of that machine; the tables of {names}\n"
        f"are of a later run of these alone, beside less: {took(run)}.\n"
    )


def summary(cells: list[Row]) -> str:
    """Return the numbers of verdicts by table."""
    found = Counter((f"{row['paper']}:{row['table']}", row["verdict"]) for row in cells)
    sums = Counter(row["verdict"] for row in cells)
    rows = [
        [f"[`{name}`](#{anchor(name)})", *(str(found[name, verdict]) for verdict in SIGNS)]
        for name in dict.fromkeys(name for name, _ in found)
    ]
    rows.append(["**all**", *(f"**{sums[verdict]:,}**" for verdict in SIGNS)])
    return markdown(["table", "agree", "differ", "cannot be compared"], rows)


def anchor(name: str) -> str:
    """Return the address of a table's heading within the page."""
    return name.replace(":", "")


def section(table: PublishedTable, cells: list[Row]) -> str:
    """Return a table as the paper has it, with the verdict in every cell."""
    place = {(row["row"], row["column"]): row for row in cells}
    reasons = list(dict.fromkeys(row["reason"] for row in cells if row["reason"] not in ("", FIGURE)))
    numbers = {reason: n for n, reason in enumerate(reasons, start=1)}
    rows = [
        [table.shown(name), *(cell(place[name, column.name], numbers) for column in table.columns)]
        for name in table.rows
    ]
    is_bare = any(row["reason"] == FIGURE for row in cells)
    parts = [
        f"## {table.id}",
        f"{table.title}. {paper(table.paper).citation}. {upper(table.settings)}."
        + (f" {upper(FIGURE)} where none is in parentheses." if is_bare else ""),
        markdown(["", *(column.heading for column in table.columns)], rows),
        "\n".join(f"{n}. {upper(reason)}." for reason, n in numbers.items()),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def cell(row: Row, numbers: dict[str, int]) -> str:
    """Return ours, the paper's number, the verdict and the number of its reason."""
    note = f"{JOINED}<sup>{numbers[row['reason']]}</sup>" if row["reason"] in numbers else ""
    published = "" if row["published"] == "-" else f" ({row['published']})"
    sign = "" if row["reason"] == FIGURE else f" {SIGNS[row['verdict']]}{note}"
    return f"{unbroken(row['ours'])}{unbroken(published)}{unbroken(sign)}".replace(f"{NO_BREAK}(", " (")


def unbroken(text: str) -> str:
    """Keep a number, its ± and its sign on one line; cells break before the paper's number only."""
    return text.replace(" ", NO_BREAK)


def upper(text: str) -> str:
    """Begin with a capital letter, and end without a stop."""
    return text[:1].upper() + text[1:].rstrip(".")


def page() -> str:
    """Return the page."""
    cells = read(CELLS)
    sections = [
        section(table, of_table)
        for table in all_tables().values()
        if (of_table := [row for row in cells if (row["paper"], row["table"]) == (table.paper, table.name)])
    ]
    return "\n".join([opening(cells), *sections])


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
