"""`treewright export`: a saved tree as a program or document of another language."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._model import read_model
from treewright.cli._options import FILE, file_option, options, output_option
from treewright.cli._output import write_whole
from treewright.cli._pruning import PROGRAMS, stored_format
from treewright.cli._running import note

if TYPE_CHECKING:
    from treewright import Tree
    from treewright.evolution import LearnedPruning, Program, ProgramPruning


def _program_in(path: Path) -> LearnedPruning | ProgramPruning | Program | None:
    """Return the program or the learned rule that a file holds; None if it holds something else."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None
    kind = stored_format(text)
    if kind not in ("treewright-learned-pruning", *PROGRAMS):
        return None
    from treewright.evolution import LearnedPruning, Program, ProgramPruning

    if kind == "treewright-program":
        return Program.from_json(text)
    return (ProgramPruning if kind in PROGRAMS else LearnedPruning).from_json(text)


def _notes(tree: Tree, format: str, cell: str | None) -> Iterator[str]:  # noqa: A002
    """Say what the rows must have that the export reads."""
    from treewright.exports import excel_cells

    if format == "excel":
        cells = excel_cells(tree, **({} if cell is None else {"cell": cell}))
        yield f"the formulas read {', '.join(f'{name!r} in {place}' for name, place in cells.items())}"
    known = (tree.reading or {}).get("columns")
    columns = known if isinstance(known, list) else []
    names, used = tree.feature_names, set(tree.used_features.tolist())
    sources = {names[one["feature"]]: one["source"] for one in columns if one["feature"] in used}
    made = [name for name, source in sources.items() if name != source]
    if made and format != "json":
        source = sources[made[0]]
        yield (
            f"the export reads {', '.join(map(repr, made))}, numbers made of columns such as {source!r}: its "
            "rows must have them (treewright predict makes them itself)"
        )


def _list(ctx: click.Context, parameter: click.Parameter, wanted: bool) -> None:
    """Print all formats and leave."""
    if wanted and not ctx.resilient_parsing:
        from treewright.exports import export_formats

        for one in export_formats():
            taken = "".join(f" --{name} VALUE" for name in one.options)
            click.echo(f"{one.name}: {one.title}{taken}")
            reasons = {"shared rows": one.shared, "planes": one.planes, "unknown values": one.unseen}
            for what, reason in reasons.items():
                if reason is not None:
                    click.echo(f"  no {what}: {reason}")
            click.echo(f"  limits: {one.limits}")
        ctx.exit()


@click.command(
    cls=Command,
    examples=(
        "treewright export tree.json --to sql --dialect duckdb --out tree.sql",
        "treewright export tree.json --to python > tree.py",
        "treewright export --list",
    ),
)
@options(
    click.argument("model", type=FILE),
    output_option(
        "--to", "format", required=True, metavar="FORMAT", help="Format to write; --list shows all."
    ),
    output_option(
        "--dialect",
        metavar="NAME",
        help="Of sql, the database: postgresql, sqlite, duckdb, bigquery, snowflake or tsql.",
    ),
    output_option("--table", metavar="NAME", help="Of sql: write a query of this table, not an expression."),
    output_option("--cell", metavar="NAME", help="Of excel: the cell of the first feature.", otherwise="A2"),
    output_option("--form", metavar="NAME", help="Of python: plain for a row, numpy for columns."),
    output_option(
        "--missing",
        metavar="NAME",
        help="Rows that the tree would share among branches: as_tree, or stop (the class of the node).",
        otherwise="as_tree",
    ),
    file_option("--out", "out", "Write to a file instead of printing."),
    output_option(
        "--list", is_flag=True, is_eager=True, expose_value=False, callback=_list, help="List all formats."
    ),
)
def export(
    model: Path,
    format: str,  # noqa: A002
    dialect: str | None,
    table: str | None,
    cell: str | None,
    form: str | None,
    missing: str | None,
    out: Path | None,
) -> None:
    """Write the tree in MODEL as a program or document that predicts the same.

    MODEL is a file that another command wrote with --out: JSON with a tree, planes, or a learned
    pruning rule, or the page of `treewright explore`. What a format cannot say is refused, with the
    reason.
    """
    program = _program_in(model)
    given = {"dialect": dialect, "table": table, "cell": cell, "form": form}
    chosen = {name: value for name, value in given.items() if value is not None}
    written: str | bytes
    if program is None:
        tree = read_model(model)
        written = tree.export(format, missing=missing or "as_tree", **chosen)
        for text in _notes(tree, format, cell):
            note(f"Note: {text}")
    elif chosen or missing:
        raise click.UsageError("A program is written without these options; leave them out.")
    else:
        written = program.export(format)
    if out is not None:
        write_whole(out, written)
    elif isinstance(written, bytes):
        raise click.UsageError(f"{format} is no text; name a file by --out.")
    else:
        click.echo(written, nl=not written.endswith("\n"))
