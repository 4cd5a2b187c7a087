"""What `treewright select` found, as text for a person and as JSON for a program."""

from __future__ import annotations

import json
import shutil
import textwrap
from typing import TYPE_CHECKING, Any

import numpy as np

from treewright.cli._tree import described, drawn, labelled, plural

if TYPE_CHECKING:
    from treewright.dataset import Dataset
    from treewright.selection import BackwardEliminationSelector
    from treewright.tree import Tree

FORMAT = "treewright-selection"
FORMAT_VERSION = 1
_MOST_DROPS = 12


def text(name: str, dataset: Dataset, selector: BackwardEliminationSelector, depth: int) -> str:
    """Return the report that is printed."""
    parts = [
        described(name, dataset),
        _errors(dataset, selector),
        _drops(dataset, selector),
        _tested(dataset, selector),
        _work(dataset, selector),
        drawn(
            selector.refit_tree_,
            depth,
            "Tree of the selected features grown on all rows; it may test others of them:",
        ),
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts if part) + "\n"


def top_tree(dataset: Dataset, selector: BackwardEliminationSelector) -> Tree:
    """Grow the tree on all features again, from the rows that it was grown on."""
    from treewright import GreedyTreeClassifier

    names = GreedyTreeClassifier().get_params()
    growing = {name: value for name, value in selector.get_params().items() if name in names}
    is_building = np.ones(dataset.n_samples, dtype=bool)
    is_building[selector.search_rows_] = False
    return GreedyTreeClassifier(**growing).fit(dataset[is_building]).tree_


def _errors(dataset: Dataset, selector: BackwardEliminationSelector) -> str:
    """Before and after, one below the other."""
    n_search = len(selector.search_rows_)
    before, after = selector.history_["errors"][[0, -1]]
    return "\n".join(
        [
            f"{dataset.n_samples - n_search:,} rows grew the trees, {n_search:,} search rows judged them:",
            "",
            f"{'':19}features  tested  leaves  errors  error rate",
            _error_line("all features", dataset.n_features, top_tree(dataset, selector), before, n_search),
            _error_line("selected", int(selector.support_.sum()), selector.tree_, after, n_search),
        ]
    )


def _error_line(label: str, n_features: int, tree: Tree, errors: float, n_search: int) -> str:
    counts = f"{n_features:>10,}{len(tree.used_features):>8,}{tree.n_leaves:>8,}"
    return f"  {label:15}{counts}{errors:>8,g}{errors / n_search:>12.1%}"


def _drops(dataset: Dataset, selector: BackwardEliminationSelector) -> str:
    """Features in the order in which they left."""
    steps = selector.history_[1:]
    if not len(steps):
        if selector.search_.status != "complete":
            return "No feature was dropped before the search was ended."
        return "No feature was dropped: without any one of them the errors are no fewer."
    width = max(len(dataset.feature_names[position]) for position in steps["dropped"])
    lines = [
        f"  {step:>3}  {dataset.feature_names[position]:{width}}  {errors:>6g}"
        for step, position, errors in zip(steps["step"], steps["dropped"], steps["errors"], strict=True)
    ]
    if len(lines) > _MOST_DROPS:
        lines[_MOST_DROPS - 3 : -2] = [f"    …  {len(lines) - _MOST_DROPS + 1} more"]
    return "\n".join(["Dropped, and the errors left:", "", *lines])


def _tested(dataset: Dataset, selector: BackwardEliminationSelector) -> str:
    """Name the features that matter in the end."""
    names = [dataset.feature_names[position] for position in selector.used_features_]
    n_idle = int(selector.support_.sum()) - len(names)
    if not names:
        return "The best tree tests no feature: it is a single leaf."
    others = "1 other selected does" if n_idle == 1 else f"{n_idle:,} others selected do"
    idle = f"; the {others} not change it" if n_idle else ""
    return f"The best tree tests {plural(len(names), 'feature')}{idle}:\n\n{_listed(names)}"


def _listed(names: list[str]) -> str:
    """Fill lines with names, each name whole: its blanks are hidden from the filling."""
    joined = ", ".join(name.replace(" ", "\0") for name in names)
    return _filled(joined, indent="  ").replace("\0", " ")


def _filled(text: str, indent: str = "") -> str:
    """Break text into lines that fit the screen."""
    width = min(shutil.get_terminal_size().columns, 100)
    return textwrap.fill(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _work(dataset: Dataset, selector: BackwardEliminationSelector) -> str:
    """Say what it took, and what it might have taken."""
    found = selector.search_
    built = f"{plural(selector.n_trees_built_, 'tree')} built in {_seconds(found.elapsed)}"
    if selector.strategy == "incremental" and found.success:
        black_box = n_trees_black_box(dataset.n_features, len(selector.history_) - 1)
        built += f"; a black-box search needs {black_box:,} to find the same"
    sentences = [f"{built}.", *([] if found.success else [found.message])]
    sentences += ["The search rows chose the features: expect more errors on new rows."]
    return "\n".join(map(_filled, sentences))


def _seconds(elapsed: float) -> str:
    return "under 0.001 s" if elapsed < 0.001 else f"{elapsed:.3f} s"


def n_trees_black_box(n_features: int, n_dropped: int) -> int:
    """Trees that elimination builds if it tries every feature left in every round, the last one in vain."""
    return 1 + sum(n_features - dropped for dropped in range(n_dropped + 1))


def document(name: str, dataset: Dataset, selector: BackwardEliminationSelector) -> str:
    """Return the report as JSON, both trees in it."""
    import treewright

    names = dataset.feature_names
    found = selector.search_
    facts: dict[str, Any] = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "treewright": treewright.__version__,
        "data": {
            "name": name,
            "n_samples": dataset.n_samples,
            "features": [{"name": n, "kind": kind} for n, kind in zip(names, dataset.kinds, strict=True)],
            "classes": labelled(dataset)[1],
        },
        "settings": {key: value for key, value in selector.get_params().items() if key != "callback"},
        "selected": [names[i] for i in selector.get_support(indices=True)],
        "tested": [names[i] for i in selector.used_features_],
        "search": {
            "n_search_rows": len(selector.search_rows_),
            "n_errors_before": selector.history_["errors"][0].item(),
            "n_errors_after": selector.n_search_errors_,
            "status": found.status,
            "message": found.message,
            "seconds": found.elapsed,
            "n_trees_built": selector.n_trees_built_,
            "n_trees_black_box": n_trees_black_box(len(names), len(selector.history_) - 1),
            "search_rows": selector.search_rows_.tolist(),
            "history": [_step(names, record) for record in selector.history_],
        },
        "tree": json.loads(selector.tree_.to_json()),
        "refit_tree": json.loads(selector.refit_tree_.to_json()),
    }
    return json.dumps(facts, ensure_ascii=False) + "\n"


def _step(names: list[str], record: np.void) -> dict[str, Any]:
    dropped = int(record["dropped"])
    return {
        "step": record["step"].item(),
        "dropped": None if dropped < 0 else names[dropped],
        "errors": record["errors"].item(),
        "n_trees_built": record["n_trees_built"].item(),
        "seconds": record["seconds"].item(),
    }
