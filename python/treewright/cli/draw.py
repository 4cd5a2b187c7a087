"""`treewright draw`: the picture of a saved tree."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from treewright.cli._command import Command
from treewright.cli._model import read_model
from treewright.cli._options import (
    FILE,
    file_option,
    options,
    output_option,
    parameter_options,
    takes_reading_of_rows,
)
from treewright.cli._output import PAGES, PICTURES, write_whole
from treewright.cli._row import row_of
from treewright.cli._signature import Given, given
from treewright.cli._source import Reading

if TYPE_CHECKING:
    from treewright import Tree

DOT = (".dot", ".gv")
OWNER = "treewright.trees.drawing.drawings.TreeDrawings.to_svg"
SHAPE = ("orientation", "labels", "max_depth", "max_branches", "max_nodes", "leaf_size", "decimals")


@click.command(
    cls=Command,
    first=(*SHAPE, "class_colours", "row", "out"),
    examples=(
        "treewright draw tree.json --out tree.svg",
        "treewright draw tree.json --out tree.html",
        'treewright draw tree.json --out tree.png --row "age=40,smoker=no"',
    ),
)
@options(
    click.argument("model", type=FILE),
    *parameter_options(OWNER, *SHAPE, section="Output").values(),
    output_option(
        "--class-colour",
        "class_colours",
        multiple=True,
        metavar="CLASS=#RRGGBB",
        help="Colour of a class. Repeatable.",
    ),
    output_option("--row", metavar="ROW", help="Row to mark the path of: NAME=VALUE,…, or a file with one."),
    file_option(
        "--out",
        "out",
        "File to write: .svg, .png, .pdf, .html (a page to fold, zoom and search) or .dot (Graphviz).",
        endings=(*PICTURES, *PAGES, *DOT),
        names_decide=True,
    ),
    takes_reading_of_rows,
)
def draw(
    model: Path,
    out: Path | None,
    class_colours: tuple[str, ...],
    row: str | None,
    reading: Reading,
    **shape: object,
) -> None:
    """Draw the tree in MODEL.

    MODEL is a file that another command wrote with --out: JSON, or the page of `treewright
    explore`. The kind of the picture is that of the name of --out; without it SVG is printed. A
    large tree is drawn from its root as far as --max-nodes says.
    """
    tree = read_model(model)
    how = given(**shape, class_colours=_colours(tree, class_colours) or None)
    if row is not None:
        how["row"] = row_of(row, tree, reading)
    if out is None:
        click.echo(tree.to_svg(**how), nl=False)
    else:
        write_whole(out, _drawn(tree, out.suffix.lower(), how))


def _drawn(tree: Tree, ending: str, how: Given) -> str | bytes:
    if ending in (".png", ".pdf"):
        from treewright.reporting import picture, without_windows

        try:
            without_windows(f"a picture of the kind {ending}")
        except ImportError as error:
            raise click.UsageError(str(error)) from error
        figure = tree.plot(**how).figure.figure
        assert figure is not None, "new axes have a figure"
        return picture(figure, ending[1:])
    writers = {".svg": tree.to_svg, **dict.fromkeys(PAGES, tree.to_html), **dict.fromkeys(DOT, tree.to_dot)}
    return writers[ending](**how)


def _colours(tree: Tree, pairs: tuple[str, ...]) -> dict[object, str]:
    labels = {str(label): label for label in tree.classes_.tolist()}
    found = {}
    for pair in pairs:
        name, _, colour = pair.rpartition("=")
        if name not in labels:
            raise click.UsageError(f"--class-colour: the tree has no class {name!r}.")
        found[labels[name]] = colour
    return found
