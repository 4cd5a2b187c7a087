"""`treewright describe`: a look at a table before a tree is grown of it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from treewright._base.wording import PYTHON
from treewright.cli._command import Command
from treewright.cli._options import output_option, takes_data, takes_output
from treewright.cli._output import Output
from treewright.cli._source import Reading
from treewright.cli._text import document, screen_width

if TYPE_CHECKING:
    from treewright import DataWarning
    from treewright.datasets import Description

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
        dataset = reading.look(data)
    found = dataset.describe()
    messages = [one.message for one in caught]
    told = [one for one in messages if isinstance(one, DataWarning) and _is_told(one, found)]
    found = _with_warnings(found, [str(one) for one in messages if one not in told])
    output.give(
        document=lambda: document("description", data, dataset, found.to_dict()),
        text=lambda: found.to_text(max_columns=show_columns, width=min(screen_width(), WIDEST)),
        page=found.to_html,
    )


def _is_told(warning: DataWarning, found: Description) -> bool:
    """Whether the description says what the reader warned of."""
    seen = PYTHON.say(warning.sentence[1:-1])
    return any(seen in remark.text for remark in found.remarks)


def _with_warnings(found: Description, messages: Sequence[str]) -> Description:
    """Add what only the reader can see."""
    from treewright.datasets import Remark

    return replace(found, remarks=(*found.remarks, *(Remark("reading", (), one) for one in messages)))
