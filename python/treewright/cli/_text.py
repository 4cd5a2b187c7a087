"""Numbers, lists, data sets and trees as commands print them, and what JSON documents have in common."""

from __future__ import annotations

import csv
import io
import json
import math
import shutil
import textwrap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple

from treewright._base.shown import shown_text, shown_values
from treewright._base.wording import COMMAND

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from treewright import Dataset, Tree
    from treewright.cli._model import Predicting
    from treewright.distinct import DistinctTree
    from treewright.results import SearchResult


_WIDEST = 100


def listed(names: Sequence[str]) -> str:
    """Fill lines with names, each name whole."""
    return hanging("  ", names)


def hanging(start: str, names: Sequence[str]) -> str:
    """Fill lines with names beside what the first line starts with; blanks in a name break no line."""
    joined = ", ".join(shown_text(name).replace(" ", "\0") for name in names)
    return filled(joined, indent=" " * len(start)).replace("\0", " ").replace(" " * len(start), start, 1)


def screen_width() -> int:
    """Return the characters in a line of the terminal; 80 where there is none."""
    return shutil.get_terminal_size().columns


def filled(text: str, indent: str = "") -> str:
    """Break text into lines that fit the screen."""
    width = min(screen_width(), _WIDEST)
    return textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def plural(count: int, one: str, many: str | None = None) -> str:
    """Return a count with its noun."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"


def written_count(count: int) -> str:
    """Return a count, of any size: all digits up to fifteen, then a power of ten."""
    if count < 10**15:
        return f"{count:,}"
    exponent = math.floor(math.log10(count))
    return f"{10 ** (math.log10(count) - exponent):.2f}e{exponent}"


def seconds(elapsed: float) -> str:
    """Return a time as text."""
    return "under 0.001 s" if elapsed < 0.001 else f"{elapsed:.3f} s"


def columns(heads: Sequence[str], lines: Sequence[Sequence[str]], left: Sequence[int] = (0,)) -> str:
    """Write lines below headings, the columns `left` to the left and numbers to the right."""
    from treewright.reporting import Column, Table

    cells = zip(heads, zip(*lines, strict=True), strict=True)
    made = [
        Column(head, column, align="left" if i in left else "right") for i, (head, column) in enumerate(cells)
    ]
    return Table("", made).to_text(screen_width()).lstrip("\n")


def right_aligned(heads: Sequence[str], lines: Sequence[Sequence[str]]) -> list[str]:
    """Return headings and lines, two blanks at least before every cell."""
    rows = [heads, *lines]
    widths = [2 + max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in rows]


def as_csv(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows below headings as CSV."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


def joined(parts: Sequence[str]) -> str:
    """Put the parts of a report below one another, a blank line between them; empty ones are left out."""
    return "\n\n".join(part.rstrip("\n") for part in parts if part)


VERSION = 1
"""The number of every format but that of trees."""


def header(kind: str, data: Iterable[Mapping[str, object]] = ()) -> dict[str, object]:
    """Return what every document opens with: format, release, command line, and the data that were read."""
    import treewright

    return {
        "format": f"treewright-{kind}",
        "version": VERSION,
        "treewright": treewright.__version__,
        "command": COMMAND.get(),
        "data": list(data),
    }


def document(kind: str, name: str, dataset: Dataset, facts: Mapping[str, object]) -> str:
    """Return what was found in a data set as JSON, in a format of its own."""
    return as_json({**header(kind, [data_facts(name, dataset)]), **facts})


def as_json(facts: object) -> str:
    """Return facts as JSON: tables are lists of records, and numbers that are none are null."""
    return json.dumps(_plain(facts), ensure_ascii=False, allow_nan=False)


def _key(name: object) -> object:
    """Write a pair of classes, the key of a cost, as the option names it."""
    return ":".join(map(str, name)) if isinstance(name, tuple) else name


def _plain(value: object) -> object:
    if hasattr(value, "records"):
        return [_plain(record) for record in value.records()]
    if hasattr(value, "to_json"):
        return json.loads(value.to_json())
    if isinstance(value, Mapping):
        return {_key(name): _plain(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(part) for part in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def facts_of(tree: DistinctTree, names: Sequence[str]) -> dict[str, object]:
    """Return what identifies a tree, the subsets that give it, and its errors.

    These subsets have all used features and any of the optional ones.
    """
    from treewright._base.numbers import for_json

    errors, cost = tree.n_validation_errors, tree.validation_cost
    return {
        "used_features": [names[i] for i in tree.used_features],
        "optional_features": [names[i] for i in tree.equivalent_subsets.optional_features],
        "n_subsets": for_json(tree.n_subsets),
        **({"n_validation_errors": errors} if cost is None else {"validation_cost": cost}),
    }


def loss_of(tree: DistinctTree) -> float:
    """Return what a tree was compared by: its errors on the validation rows, or their cost."""
    loss = tree.n_validation_errors if tree.validation_cost is None else tree.validation_cost
    assert loss is not None, "trees are compared on a validation part"
    return loss


def search_facts(result: SearchResult[Tree]) -> dict[str, object]:
    """Return how a search ended, and what is proven."""
    names = ("cost", "bound", "status", "message", "n_searched")
    return {**{name: getattr(result, name) for name in names}, "seconds": result.elapsed}


def ranking(n_best: int, *, is_whole: bool) -> str:
    """Head a list of best trees."""
    return ("The best tree" if n_best == 1 else f"The {n_best:,} best trees") + (
        "" if is_whole else " found so far"
    )


def described(name: str, dataset: Dataset) -> str:
    """Say in two lines how large a data set is and what its classes are."""
    kinds = Counter(dataset.kinds)
    features = ", ".join(f"{kinds[kind]} {kind}" for kind in ("numeric", "nominal") if kinds[kind])
    n_missing = sum(dataset.core.n_missing)
    missing = f", {plural(n_missing, 'missing value')}" if n_missing else ""
    size = f"{plural(dataset.n_samples, 'row')}, {plural(dataset.n_features, 'feature')}"
    return f"{shown_text(name)}: {size} ({features}){missing}\nclasses: {_class_counts(dataset)}"


def _class_counts(dataset: Dataset, limit: int = 8) -> str:
    target, classes = labelled(dataset)
    counts = Counter(target.tolist())
    shown = [f"{label} {counts[code]:,}" for code, label in enumerate(shown_values(classes))]
    return (
        ", ".join(shown) if len(shown) <= limit else ", ".join([*shown[:limit], f"… ({len(shown)} in all)"])
    )


def data_facts(name: str, dataset: Dataset) -> dict[str, object]:
    """Return name, hash, size, features and classes of a data set, for a program."""
    kinds = zip(dataset.feature_names, dataset.kinds, strict=True)
    return {
        "name": PurePath(name).name if dataset.source is None else dataset.source.name,
        "hash": dataset.content_hash,
        "n_samples": dataset.n_samples,
        "features": [{"name": name, "kind": kind} for name, kind in kinds],
        "classes": None if dataset.classes is None else labelled(dataset)[1],
    }


def parted(n_training: int, n_validation: int) -> str:
    """Say how many rows are in the training part and in the validation part."""
    return f"{plural(n_training, 'training row')}, {plural(n_validation, 'validation row')}"


def n_errors(predicted: Sequence[object], dataset: Dataset) -> int:
    """Count the rows whose class is predicted wrongly."""
    target, classes = labelled(dataset)
    return sum(guess != classes[code] for guess, code in zip(predicted, target.tolist(), strict=True))


def cost_told(
    tree: Predicting, true: Sequence[object], predicted: Sequence[object], weights: NDArray[np.float64] | None
) -> str:
    """Say what answers cost, all and a row, by the costs of a tree; nothing where it has none."""
    if tree.cost_matrix is None:
        return ""
    known = tree.classes_.tolist()
    for label in true:
        if label not in known:
            return f"have no known cost, as the tree does not know the class {shown_text(str(label))!r}"
    cost = cost_of(tree, true, predicted, weights)
    total = len(true) if weights is None else math.fsum(weights)
    return f"cost {cost:,.10g} ({cost / total:.4g} a row)"


def cost_of(
    tree: Predicting, true: Sequence[object], predicted: Sequence[object], weights: NDArray[np.float64] | None
) -> float:
    """Return what answers cost by the cost matrix of a tree."""
    costs = tree.cost_matrix
    assert costs is not None, "the tree has costs"
    place = {label: i for i, label in enumerate(tree.classes_.tolist())}
    each = [float(costs[place[label], place[guess]]) for label, guess in zip(true, predicted, strict=True)]
    return math.fsum(each) if weights is None else math.fsum(weights * each)


def labelled(dataset: Dataset) -> tuple[NDArray[np.int32], list[object]]:
    """Return the class codes and the classes of a data set that is known to have them."""
    assert dataset.target is not None, "a set to learn from is loaded with its target"
    assert dataset.classes is not None, "a target has classes"
    return dataset.target, dataset.classes.tolist()


class Shown(NamedTuple):
    """How much of a tree is printed: its upper levels, and of each node the first branches."""

    depth: int
    branches: int


def drawn(tree: Tree, shown: Shown, title: str) -> str:
    """Return the upper part of a tree as text, headed by its size, with a hint if there is more."""
    size = (
        f"{plural(tree.n_nodes, 'node')}, {plural(tree.n_leaves, 'leaf', 'leaves')}, depth {tree.max_depth}"
    )
    lines = [title, size]
    if shown.depth > 0:
        lines = [title, f"{size}; a leaf's (n/e): {_meaning(tree)}", ""]
        text = tree.export_text(max_depth=shown.depth, max_branches=shown.branches, show_errors=True)
        lines += [text.rstrip("\n")]
    return "\n".join([*lines, *_hints(tree, shown)]) + "\n"


def _meaning(tree: Tree) -> str:
    """Say what stands after a leaf, and why its answer may be of few rows."""
    rows = (
        "rows of weight n, of another class e" if tree.class_counts is None else "n rows, e of another class"
    )
    if tree.cost_matrix is not None:
        return f"{rows}; it gives the answer of least cost"
    return rows if tree.class_factors is None else f"{rows}; classes have different weights"


def _most_listed(tree: Tree) -> int:
    """Return the largest number of branches of a node, or of values in a group."""
    groups = (len(values) for values in tree.branch_levels if values is not None)
    return max(int(tree.n_children.max()), *groups, 0)


def _hints(tree: Tree, shown: Shown) -> Iterator[str]:
    """Say which options show what is left out."""
    n_hidden = tree.max_depth - shown.depth
    if n_hidden > 0:
        hidden = "1 deeper level is" if n_hidden == 1 else f"{n_hidden:,} deeper levels are"
        yield from ("", f"{hidden} not shown; --show-depth {tree.max_depth} shows all.")
    most = _most_listed(tree)
    if shown.depth > 0 and most > shown.branches:
        yield from ("", f"Some branches or values are not shown; --show-branches {most} shows all.")
