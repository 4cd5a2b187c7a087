"""`treewright rerun`: a result made again from the command line that it holds."""

from __future__ import annotations

from pathlib import Path

import click

from treewright.cli._again import Again
from treewright.cli._command import Command
from treewright.cli._documents import (
    Change,
    Document,
    changes,
    command_of,
    data_of,
    hash_of,
    read_document,
    version_of,
)
from treewright.cli._header import file_facts
from treewright.cli._options import FILE, takes_output
from treewright.cli._output import Output
from treewright.cli._running import DATA, DONE
from treewright.cli._text import as_json, filled, header, joined

MOST_CHANGES = 20


@click.command(
    cls=Command,
    first=("out", "as_json"),
    examples=("treewright rerun tree.json", "treewright rerun results/selection.json --out again.json"),
)
@click.argument("result", type=FILE)
@takes_output("Write what is found to a JSON file.", "as_json")
def rerun(result: Path, output: Output) -> int:
    """Run the command again that made RESULT, and say whether it gives the same.

    RESULT is a file that a command wrote with --out: JSON, or the page of
    `treewright explore`. The files that the
    command reads are looked for here, and beside RESULT. Times do not count.
    If something differs it is said what, and whether the release or the data are
    others. The exit code is 0 if all is the same, else 1.
    """
    old = read_document(result)
    command = command_of(old)
    if command is None:
        raise click.ClickException(f"{result} does not say which command made it.")
    new = _of_kind(old, Again.of(command, str(result)).with_files_beside(result).document())
    found = list(changes(old, new))
    output.give(
        document=lambda: as_json(
            {**header("rerun"), "result": file_facts(result), **_facts(old, new, found)}
        ),
        text=lambda: joined([f"Made by: {command}", *_told(old, new, found)]),
    )
    return DATA if found else DONE


def _facts(old: Document, new: Document, found: list[Change]) -> Document:
    return {
        "made_by": command_of(old),
        "is_same": not found,
        **{
            name: {"treewright": version_of(made), "data": data_of(made)}
            for name, made in (("old", old), ("new", new))
        },
        "changes": [vars(change) for change in found],
    }


def _told(old: Document, new: Document, found: list[Change]) -> list[str]:
    releases = version_of(old), version_of(new)
    hashes = hash_of(old), hash_of(new)
    if not found:
        by = "" if releases[0] == releases[1] else f", though by release {releases[1]} and not {releases[0]}"
        return [filled(f"The same result{by}.")]
    why = []
    if releases[0] != releases[1]:
        why.append(f"It was made by release {releases[0]}; this is {releases[1]}.")
    if hashes[0] != hashes[1]:
        why.append(f"The data are others: their hash was {hashes[0]} and is {hashes[1]}.")
    if not why:
        why.append("Release and data are the same.")
    return [filled(f"Another result. {' '.join(why)}"), listed_changes(found)]


def listed_changes(found: list[Change]) -> str:
    """Return the first changes, a line for each, and how many more there are."""
    lines = [f"  {change}" for change in found[:MOST_CHANGES]]
    more = len(found) - len(lines)
    return "\n".join([*lines, *([f"  ... {more:,} more"] if more else [])])


def _of_kind(old: Document, new: Document) -> Document:
    """Return the tree in a report where a tree alone was saved of it."""
    tree = new.get("tree")
    return tree if isinstance(tree, dict) and tree.get("format") == old.get("format") else new
