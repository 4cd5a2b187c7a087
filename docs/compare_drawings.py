"""Draw the same five trees by four tools, for docs/drawing-compared.md.

Run `python docs/compare_drawings.py`, or with the names of some trees; it writes tree-page.png and
compared-NAME.png to docs/images. It needs scikit-learn, dtreeviz (with Graphviz), supertree, pillow and
Chromium. The pictures hold pixels of a machine's fonts, so no test compares them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import matplotlib
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine, make_classification
from sklearn.tree import DecisionTreeClassifier, plot_tree

from treewright import GreedyTreeClassifier, Tree

IMAGES = Path(__file__).parent / "images"
WIDTH, HEIGHT = 1500, 1000

PAGE = """<!DOCTYPE html><meta charset="utf-8"><style>
body{{margin:0;display:grid;grid-template-columns:1fr 1fr;font:16px sans-serif;background:#fff}}
section{{height:{height}px;padding:6px;box-sizing:border-box;border:1px solid #ccc;overflow:hidden}}
h2{{font-size:15px;margin:0 0 4px}}img,iframe{{width:100%;height:{inner}px;border:0;object-fit:contain}}
</style>{sections}"""


def trees() -> Iterator[tuple[str, DecisionTreeClassifier, Any]]:
    """Yield names, fitted trees and their data."""
    for name, data, depth in (
        ("iris", load_iris(), 3),
        ("wine", load_wine(), 3),
        ("breast-cancer", load_breast_cancer(), 4),
        ("digits", load_digits(), 5),
    ):
        yield name, DecisionTreeClassifier(max_depth=depth, random_state=0).fit(data.data, data.target), data
    X, y = make_classification(2000, 12, n_informative=8, n_classes=3, random_state=0)
    large = load_iris()
    large.data, large.target = X, y
    large.feature_names, large.target_names = [f"x{i}" for i in range(12)], ["a", "b", "c"]
    yield "large", DecisionTreeClassifier(max_depth=8, random_state=0).fit(X, y), large


def classes_of(data: Any) -> list[str]:
    """Return the names of the classes."""
    return list(map(str, data.target_names))


def ours(model: DecisionTreeClassifier, data: Any, folder: Path) -> str:
    """Draw with treewright."""
    tree = Tree.from_sklearn(model, feature_names=list(data.feature_names), class_names=classes_of(data))
    (folder / "ours.svg").write_text(tree.to_svg(decimals=2), encoding="utf-8")
    return '<img src="ours.svg">'


def sklearns(model: DecisionTreeClassifier, data: Any, folder: Path) -> str:
    """Draw with scikit-learn."""
    from matplotlib import pyplot

    figure, ax = pyplot.subplots(figsize=(15, 9))
    names = list(data.feature_names)
    plot_tree(model, feature_names=names, class_names=classes_of(data), filled=True, ax=ax)
    figure.savefig(folder / "sklearn.png", dpi=110)
    pyplot.close(figure)
    return '<img src="sklearn.png">'


def dtreevizs(model: DecisionTreeClassifier, data: Any, folder: Path) -> str:
    """Draw with dtreeviz."""
    import dtreeviz

    shown = dtreeviz.model(
        model, data.data, data.target, feature_names=data.feature_names, class_names=classes_of(data)
    )
    shown.view(fontname="DejaVu Sans").save(str(folder / "dtreeviz.svg"))
    return '<img src="dtreeviz.svg">'


def supertrees(model: DecisionTreeClassifier, data: Any, folder: Path) -> str:
    """Draw with supertree."""
    from supertree import SuperTree

    made = SuperTree(model, data.data, data.target, list(data.feature_names), classes_of(data))
    made.save_html(str(folder / "supertree.html"))
    return '<iframe src="supertree.html"></iframe>'


TOOLS: dict[str, Callable[[DecisionTreeClassifier, Any, Path], str]] = {
    "treewright: Tree.from_sklearn(model).to_svg()": ours,
    "scikit-learn: plot_tree": sklearns,
    "dtreeviz": dtreevizs,
    "supertree (a page; as it opens)": supertrees,
}


def compared(name: str, model: DecisionTreeClassifier, data: Any, folder: Path) -> None:
    """Draw one tree by all tools, and take a picture of the page."""
    from PIL import Image

    sections = []
    for title, draw in TOOLS.items():
        try:
            shown = draw(model, data, folder)
        except Exception as error:  # what a tool cannot draw is part of the comparison
            shown = f"<p>{type(error).__name__}: not drawn</p>"
        sections.append(f"<section><h2>{title}</h2>{shown}</section>")
    text = PAGE.format(height=HEIGHT // 2, inner=HEIGHT // 2 - 36, sections="".join(sections))
    (folder / "page.html").write_text(text, encoding="utf-8")
    image = IMAGES / f"compared-{name}.png"
    take(folder / "page.html", image, WIDTH, HEIGHT)
    Image.open(image).convert("RGB").quantize(256).save(image, optimize=True)


def take(page: Path, image: Path, width: int, height: int, *flags: str) -> None:
    """Take a picture of a page."""
    chromium = shutil.which("chromium") or "chromium"
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--virtual-time-budget=30000",
    ]
    size = f"--window-size={width},{height}"
    command = [chromium, *options, size, *flags, f"--screenshot={image}", page.as_uri()]
    subprocess.run(command, check=True, capture_output=True, timeout=120)


def page(folder: Path) -> None:
    """Take a picture of our page, with the path of a row, in a dark system."""
    from PIL import Image

    data = load_wine(as_frame=True)
    names = dict(enumerate(map(str, load_wine().target_names)))
    model = GreedyTreeClassifier(max_depth=4).fit(data.data, data.target.map(names), keep_counts=True)
    text = model.tree_.to_html(row=data.data.iloc[70])
    dark = ("--blink-settings=preferredColorScheme=0",)
    for image, flags in (("tree-page.png", ()), ("tree-page-dark.png", dark)):
        (folder / "tree.html").write_text(text, encoding="utf-8")
        take(folder / "tree.html", IMAGES / image, 1200, 860, *flags)
        Image.open(IMAGES / image).convert("RGB").quantize(256).save(IMAGES / image, optimize=True)


def main() -> None:
    """Draw everything."""
    matplotlib.use("agg")
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        page(Path(folder))
        for name, model, data in trees():
            if len(sys.argv) > 1 and name not in sys.argv[1:]:
                continue
            compared(name, model, data, Path(folder))


if __name__ == "__main__":
    main()
