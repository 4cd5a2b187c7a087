"""Write docs/gallery.md and its pictures from the scripts in docs/examples.

Run it as ``python docs/make_gallery.py`` after a change to an example; a test runs them all and compares. An
example is a script whose docstring has a title and a sentence; what it prints is shown, and its ``picture``
is an SVG, or axes of matplotlib, whose SVG differs from version to version.
"""

from __future__ import annotations

import ast
import runpy
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from treewright.reporting import picture, without_windows

DOCS = Path(__file__).parent
IMAGES = DOCS / "images" / "gallery"

ORDER = {
    "Trees": ("small_tree", "optimal_tree", "price_of_a_leaf", "fixed_depth", "oblique_tree", "sparse_plane"),
    "Data as they are": ("groups_of_values", "missing_values", "costs"),
    "Which features?": ("feature_selection", "best_subset", "distinct_trees"),
    "Smaller trees": ("pruning", "grid_search", "decision_table"),
    "Showing and using": ("counterfactual", "rules", "rule_list", "from_scikit_learn", "sql"),
}

OPENING = """# Gallery: twenty short examples

Each is a script of a few lines, which runs as it stands, prints what is shown and draws the picture.
(`docs/examples` holds the scripts, `python docs/make_gallery.py` runs them and writes this page; a test
compares.)
"""


@dataclass(frozen=True)
class Example:
    """What an example says, prints and draws."""

    name: str
    title: str
    text: str
    code: str
    printed: str
    picture: str
    is_plot: bool
    """Whether matplotlib drew it."""


def ran(name: str) -> Example:
    """Run an example."""
    path = DOCS / "examples" / f"{name}.py"
    source = path.read_text(encoding="utf-8")
    title, _, text = (ast.get_docstring(ast.parse(source)) or "").partition("\n\n")
    printed = StringIO()
    with redirect_stdout(printed):
        names = runpy.run_path(str(path))
    code = source.split('"""\n', 2)[-1].strip()
    drawn = names["picture"]
    is_plot = not isinstance(drawn, str)
    shown = picture(drawn.get_figure(), "svg").decode() if is_plot else drawn
    return Example(name, title.rstrip("."), text, code, printed.getvalue().strip("\n"), shown, is_plot)


def section(example: Example) -> str:
    """Return the part of the page that shows an example."""
    parts = [f"### {example.title}", example.text, f"```python\n{example.code}\n```"]
    parts.append(f"```text\n{example.printed}\n```")
    parts.append(f"![The picture of this example](images/gallery/{example.name}.svg)")
    return "\n\n".join(parts)


def made() -> tuple[str, dict[str, Example]]:
    """Return the page, and the examples by the file of their picture."""
    without_windows("docs/make_gallery.py")
    parts, pictures = [OPENING.rstrip("\n")], {}
    for heading, names in ORDER.items():
        parts.append(f"## {heading}")
        for example in map(ran, names):
            parts.append(section(example))
            pictures[f"{example.name}.svg"] = example
    return "\n\n".join(parts) + "\n", pictures


def main() -> None:
    """Write the page and the pictures."""
    page, pictures = made()
    (DOCS / "gallery.md").write_text(page, encoding="utf-8")
    IMAGES.mkdir(exist_ok=True)
    for old in IMAGES.glob("*.svg"):
        old.unlink()
    for name, example in pictures.items():
        (IMAGES / name).write_text(example.picture, encoding="utf-8")


if __name__ == "__main__":
    main()
