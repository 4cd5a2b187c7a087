"""`treewright doctor`: whether treewright is well on this machine."""

from __future__ import annotations

import click

from treewright.cli._command import Command
from treewright.cli._options import takes_output
from treewright.cli._output import Output
from treewright.cli._text import as_json, header


@click.command(cls=Command)
@takes_output("", "as_json")
def doctor(output: Output) -> None:
    """Look at versions, threads and extras, and solve small problems.

    The answers of the problems are known, or are found again the slow way. It takes about two seconds and
    ends with 1 if anything is wrong. Put what it prints into a report of a fault.
    """
    from dataclasses import asdict

    from treewright.doctor import examine

    found = examine()
    output.give(
        document=lambda: as_json(
            {
                **header("doctor"),
                "is_well": found.is_well,
                "facts": dict(found.facts),
                "packages": [asdict(one) for one in found.packages],
                "checks": [asdict(check) for check in found.checks],
            }
        ),
        text=found.to_text,
    )
    if not found.is_well:
        raise click.exceptions.Exit(1)
