"""`treewright describe`: a look at a table before a tree is grown of it."""

from __future__ import annotations

import shlex
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from treewright._base.wording import PYTHON
from treewright.cli._command import Command
from treewright.cli._options import output_option, takes_data, takes_output
from treewright.cli._output import PAGES, Output
from treewright.cli._source import Reading
from treewright.cli._text import document, screen_width

if TYPE_CHECKING:
    from treewright import Dataset, DataWarning
    from treewright.datasets import Description, Remark

WIDEST = 100


@click.command(
    cls=Command,
    first=(
        "target",
        "drop",
        "nominal",
        "numeric",
        "missing_values",
        "delimiter",
        "encoding",
        "show_columns",
        "out",
        "as_json",
    ),
    examples=(
        "treewright describe wine",
        "treewright describe table.csv --target class",
        "treewright describe table.csv --target class --out table.html",
    ),
)
@takes_data()
@output_option(
    "--show-columns",
    type=click.IntRange(min=1),
    metavar="N",
    default=60,
    help="Number of columns to print.",
)
@takes_output(
    "Write the description to a file: a page if its name ends in .html, else JSON.",
    "as_json",
    endings=(*PAGES, ".json"),
)
def describe(data: str, reading: Reading, show_columns: int, output: Output) -> None:
    """Look at DATA: columns, classes, equal rows, and what looks wrong.

    Every column is listed with its missing values and its range, or its most
    frequent values. What is worth a look comes last: columns that tell the class
    or the row, that follow from others or hardly vary, numbers far from all
    others, rows that contradict each other.

    --target names the column of the class; without it a table is described
    without classes.
    """
    from treewright import DataWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        dataset, taken = reading.look(data)
    found = dataset.describe()
    messages = [one.message for one in caught]
    told = [one for one in messages if isinstance(one, DataWarning) and _is_told(one, found)]
    found = _with_warnings(found, [one for one in messages if one not in told])
    found = replace(found, remarks=(*found.remarks, *_of_dates(found, set(taken.dates) - set(reading.dates))))
    output.give(
        document=lambda: document("description", data, dataset, found.to_dict()),
        text=lambda: "\n\n".join(
            [
                found.to_text(max_columns=show_columns, width=min(screen_width(), WIDEST)),
                *_next(data, reading, found, dataset),
            ]
        ),
        forms=dict.fromkeys(PAGES, found.to_html),
    )


def _text(found: Description, max_columns: int) -> str:
    return found.to_text(max_columns=max_columns, width=min(screen_width(), WIDEST))


def _is_told(warning: DataWarning, found: Description) -> bool:
    """Whether the description says what the reader warned of."""
    seen = PYTHON.say(warning.sentence[1:-1])
    return bool(seen) and any(seen in remark.text for remark in found.remarks)


def _with_warnings(found: Description, messages: Sequence[Warning | str]) -> Description:
    """Add what only the reader can see, before all else."""
    from treewright.datasets import Remark

    told = [
        Remark("reading", getattr(one, "columns", ()), str(one), options=getattr(one, "options", ()))
        for one in messages
    ]
    return replace(found, remarks=(*told, *found.remarks))


def _of_dates(found: Description, undeclared: Collection[str]) -> Iterator[Remark]:
    """Say how a command takes dates that have a type."""
    from treewright.datasets import Remark

    for name in sorted(undeclared):
        what = f"{name!r} holds dates, which other commands take when they are declared"
        how = f"--dates {shlex.quote(name)}, in Python dates=[{name!r}]"
        yield Remark("dates", (name,), what, how, ("--dates", name))


def _next(data: str, reading: Reading, found: Description, dataset: Dataset) -> Iterator[str]:
    """Give the command that finds a tree with the remedies; none where no class is named."""
    if found.target is None or len(found.target.classes) < 2:
        return
    own = reading.words()
    names = _names_in_file(dataset)
    pairs = list(
        dict.fromkeys(
            (option, names.get(value, value))
            for option, value in _advised(found)
            if names.get(value, value) or option != "--drop"
        )
    )
    words = [word for pair in pairs if not _is_said(pair, own, pairs) for word in pair]
    line = shlex.join(["treewright", "explore", data, *own, *words])
    limits = [value for option, value in pairs if option == "--missing-value" and value.startswith(LIMITS)]
    beyond = f", which takes {', '.join(limits)} as missing unless you write numbers there" if limits else ""
    yield f"The small tree to use{f' with these remedies{beyond}' if words else ''}:\n\n  {line}"


def _names_in_file(dataset: Dataset) -> dict[str, str]:
    """Return what columns are called in the file where that is something else; empty if they are made."""
    source = dataset.source
    if source is None:
        return {}
    units = (source.reading or {}).get("units")
    own = units if isinstance(units, dict) else {}
    made = {one.name: "" for one in source.derived}
    return {**{f"{name} ({unit})": name for name, unit in own.items()}, **made}


LIMITS = tuple("<>≤≥~")


def _advised(found: Description) -> Iterator[tuple[str, str]]:
    """Yield the options that mend what was found; `explore` splits by groups of values of its own accord."""
    for remark in found.remarks:
        if remark.kind == "many_values":
            yield from (("--drop", name) for name in remark.columns if _is_nearly_a_name(found, name))
        elif remark.kind in ("constant", "unknown"):
            yield from (("--drop", name) for name in remark.columns)
        else:
            yield from zip(remark.options[::2], remark.options[1::2], strict=True)


def _is_nearly_a_name(found: Description, name: str) -> bool:
    """Whether a column has so many values that each has next to no rows, and none is a number."""
    column = next(one for one in found.columns if one.name == name)
    is_mended = any(name in remark.columns for remark in found.remarks if remark.kind == "reading")
    n_known = found.n_samples - column.n_missing
    return not is_mended and n_known < ROWS_OF_VALUE * column.n_different


ROWS_OF_VALUE = 3
"""Of a column whose values have fewer rows each, on the mean, nothing is learned."""


def _is_said(pair: tuple[str, str], own: Sequence[str], advised: Collection[tuple[str, str]]) -> bool:
    """Whether a remedy is taken already, or is of a column that another one leaves out."""
    option, value = pair
    column = value.partition(":")[0] if option == "--missing-value" else value
    is_left_out = option != "--drop" and ("--drop", column) in advised
    return is_left_out or any(pair == taken for taken in zip(own[::2], own[1::2], strict=False))
