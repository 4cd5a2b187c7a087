"""Help screens: one screen with the options that most people want, and the long list."""

from __future__ import annotations

from collections.abc import Sequence

import click

from treewright.cli._option import Option

WIDEST_LEFT = 36
"""Longer names of options stand in a line of their own."""

LOST = 8
"""Characters that a break between two lines may cost."""

Record = tuple[str, str]


def write_sections(ctx: click.Context, formatter: click.HelpFormatter) -> None:
    """Write one list of options for each section, their texts below one another."""
    sections: dict[str, list[Record]] = {}
    for option in ctx.command.get_params(ctx):
        record = option.get_help_record(ctx) if isinstance(option, click.Option) else None
        if record is not None:
            sections.setdefault(getattr(option, "section", "Help"), []).append(record)
    width = _width([record for records in sections.values() for record in records])
    for title, records in sections.items():
        with formatter.section(title):
            formatter.write_dl(_aligned(records, width), col_max=WIDEST_LEFT + 2)


def write_first(ctx: click.Context, formatter: click.HelpFormatter, names: Sequence[str]) -> None:
    """Write some options, by the names of their parameters and in that order, and how to see the others."""
    known = {str(one.name): one for one in ctx.command.get_params(ctx) if isinstance(one, Option)}
    shown = [known[name] for name in names]
    width = _width([one.get_help_record(ctx) for one in shown])
    room = 2 * (formatter.width - width - 4) - LOST
    more = ("--help-all", f"Show all {len(known) - 1} options, and more on these.")
    with formatter.section("Options"):
        records = [*(one.in_short(ctx, room) for one in shown), more]
        formatter.write_dl(_aligned(records, width), col_max=WIDEST_LEFT + 2)


def _width(records: Sequence[Record]) -> int:
    return max((len(left) for left, _ in records if len(left) <= WIDEST_LEFT), default=0)


def _aligned(records: Sequence[Record], width: int) -> list[Record]:
    return [(left.ljust(width), right) for left, right in records]
